"""Agents, models and sub-agents, and prompts that wait for their turn."""

from __future__ import annotations

from facts import holds, same
from opencode.types import ModelRef
from rig import Rig


def switching(rig: Rig) -> None:
    client = rig.client
    session = rig.session("switching")
    client.session.switch_agent(session, agent="plan")
    same("another agent is told of", rig.watch.of(session, "session.agent.selected").data.agent, "plan")
    same("the session has it", client.session.get(session).agent, "plan")
    provider = client.provider.list().data[0].id
    model = ModelRef(id="another", provider_id=provider, variant="high")
    client.session.switch_model(session, model=model)
    same("another model is told of", rig.watch.of(session, "session.model.selected").data.model, model)
    same("the session has that, too", client.session.get(session).model, model)
    switched = [message.type for message in client.message.list(session, order="asc")]
    same("both stand in the history", switched, ["agent-switched", "model-switched"])
    rig.say(session, "say As you like.")
    rig.over(session)
    spoken = client.message.list(session, type="assistant").data[0]
    same("they are used", (spoken.agent, spoken.model), ("plan", model))


def subagent(rig: Rig) -> None:
    client = rig.client
    session = rig.session("subagent")
    rig.say(session, "agent Look around", ": kind general", "> shell touch deep.txt")
    child = rig.watch.next("session.created", lambda event: event.data.parent_id == session).data.session_id
    request = rig.asked(child)
    same("a sub-agent asks for itself", (request.session_id, rig.pending(session)), (child, []))
    listed = [one.session_id for one in client.permission.request_.list().data if one.id == request.id]
    same("its request is listed by place", listed, [child])
    same("it works in its parent's place", client.session.get(child).location.directory, rig.directory)
    holds("both are active", {session, child} <= set(rig.active()), rig.active())
    client.permission.reply(child, request.id, decision="once")
    rig.over(child)
    rig.over(session)
    named = rig.watch.of(session, "session.tool.input.started").data
    same("the tool that starts it has its name", named.name, "subagent")


def queue(rig: Rig) -> None:
    client = rig.client
    session = rig.session("queue")
    rig.say(session, "shell touch first.txt")
    request = rig.asked(session)
    waiting = client.session.prompt(session, text="say Now me.", delivery="queue")
    told = rig.watch.next("session.inbox.enqueued", lambda event: event.data.inbox_id == waiting.id)
    same("a prompt that has to wait is told of", told.data.session_id, session)
    same("it is listed", [item.id for item in client.session.inbox.list(session)], [waiting.id])
    client.permission.reply(session, request.id, decision="once")
    rig.watch.next("session.inbox.delivered", lambda event: event.data.inbox_id == waiting.id)
    client.session.wait(session, timeout=20)
    same("it had its turn", client.session.inbox.list(session), [])
    spoken = [
        part.text
        for message in client.message.list(session, type="assistant")
        for part in message.content
        if part.type == "text"
    ]
    holds("and was answered", "Now me." in spoken, spoken)


SCENES = [switching, subagent, queue]
