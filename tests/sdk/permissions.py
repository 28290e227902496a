"""Requests for permission: told, listed, answered, and what answers leave behind."""

from __future__ import annotations

import opencode
from facts import holds, same
from rig import Rig


def once(rig: Rig) -> None:
    client = rig.client
    session, stranger = rig.session("once"), rig.session("stranger")
    rig.say(session, "shell touch once.txt")
    event = rig.watch.of(session, "permission.asked")
    request = event.data
    same("a request says what it is about", (request.action, request.resources), ("shell", ["touch once.txt"]))
    same("a request is told with its place", event.location.directory, rig.directory)
    holds("a request names its call", request.source is not None and request.source.id, request)
    listed = client.permission.request_.list()
    same("requests are listed for a place", listed.location.directory, rig.directory)
    asked = request.to_dict()
    same("a request is listed by place", [one.to_dict() for one in listed.data if one.session_id == session], [asked])
    same("a request is listed by session", [one.to_dict() for one in client.permission.list(session)], [asked])
    same("a request can be looked at", client.permission.get(session, request.id).to_dict(), asked)
    other = client.permission.request_.list(location={"directory": rig.elsewhere})
    same("it is not listed elsewhere", [one.id for one in other.data if one.id == request.id], [])
    for what, call in [
        ("looked at", lambda: client.permission.get(stranger, request.id)),
        ("answered", lambda: client.permission.reply(stranger, request.id, decision="once")),
    ]:
        rig.refused(f"it is not {what} as another session's", opencode.PermissionNotFoundError, call)
    for what, call in [
        ("answer", lambda: client.permission.reply(session, request.id, decision="perhaps")),
        ("name", lambda: client.permission.reply(session, "nope", decision="once")),
    ]:
        rig.refused(f"a made-up {what} is refused", opencode.InvalidRequestError, call)
    same("it is still pending", rig.pending(session), [request.id])

    client.permission.reply(session, request.id, decision="once")
    replied = rig.watch.of(session, "permission.replied").data
    same("the answer is told", (replied.request_id, replied.reply), (request.id, "once"))
    rig.over(session)
    same("nothing is pending", rig.pending(session), [])
    for what, call in [
        ("again", lambda: client.permission.reply(session, request.id, decision="reject")),
        ("never asked", lambda: client.permission.reply(session, "per_00000000nope", decision="once")),
    ]:
        rig.refused(f"what is {what} is refused", opencode.PermissionNotFoundError, call)
    tools = [
        part.state.status
        for message in client.message.list(session, type="assistant")
        for part in message.content
        if part.type == "tool"
    ]
    same("the call ran", tools, ["completed"])


def always(rig: Rig) -> None:
    client = rig.client
    session, sibling = rig.session("always"), rig.session("sibling")
    rig.say(session, "shell npm run build")
    first = rig.asked(session)
    same("a request says what always would save", first.save, ["npm run build *"])
    rig.say(sibling, "shell npm run build --watch")
    second = rig.asked(sibling)
    client.permission.reply(session, first.id, decision="always")
    for asker, request in [(session, first), (sibling, second)]:
        replied = rig.watch.of(asker, "permission.replied").data
        same("always answers what it covers", (replied.request_id, replied.reply), (request.id, "always"))
        rig.over(asker)
    project = client.location.get().project.id
    saved = [one for one in client.permission.saved.list(project_id=project) if one.resource == "npm run build *"]
    same("it is saved for the project", [(one.action, one.project_id) for one in saved], [("shell", project)])
    elsewhere = client.location.get(location={"directory": rig.elsewhere}).project.id
    same("other projects have nothing of it", client.permission.saved.list(project_id=elsewhere), [])
    rig.say(session, "shell npm run build")
    rig.over(session)

    changed = client.permission.saved.update(saved[0].id, resource="npm test *")
    same("what is saved can be changed", (changed.id, changed.resource), (saved[0].id, "npm test *"))
    rig.say(session, "shell npm run build")
    again = rig.asked(session)
    client.permission.reply(session, again.id, decision="always")
    rig.over(session)
    both = [one for one in client.permission.saved.list(project_id=project) if one.resource.startswith("npm ")]
    same("now there are two", sorted(one.resource for one in both), ["npm run build *", "npm test *"])
    rig.refused(
        "two can't become one",
        opencode.ConflictError,
        lambda: client.permission.saved.update(saved[0].id, resource="npm run build *"),
    )
    rig.refused(
        "what was never saved is not changed",
        opencode.PermissionSavedNotFoundError,
        lambda: client.permission.saved.update("psv_00000000nope", resource="x"),
        id="psv_00000000nope",
    )
    for one in both:
        client.permission.saved.remove(one.id)
    left = [one.resource for one in client.permission.saved.list() if one.resource.startswith("npm ")]
    same("what was saved is taken back", left, [])
    rig.say(session, "shell npm run build")
    client.permission.reply(session, rig.asked(session).id, decision="once")
    rig.over(session)


def reject(rig: Rig) -> None:
    client = rig.client
    session, sibling = rig.session("reject"), rig.session("bystander")
    rig.say(session, "shell touch a.txt", "+ shell touch b.txt")
    requests = {rig.asked(session).id, rig.asked(session).id}
    rig.say(sibling, "shell touch c.txt")
    bystander = rig.asked(sibling)
    same("both are listed", set(rig.pending(session)), requests)
    client.permission.reply(session, min(requests), decision="reject")
    told = [rig.watch.of(session, "permission.replied").data for _ in requests]
    same("a refusal takes the session's others along", {one.request_id for one in told}, requests)
    same("and says so", {one.reply for one in told}, {"reject"})
    rig.over(session, "interrupted")
    same("without a reason the run ends", client.session.get(session).outcome, "interrupted")
    same("other sessions' requests stay", rig.pending(sibling), [bystander.id])
    client.permission.reply(sibling, bystander.id, decision="reject")
    same("the refusal is told", rig.watch.of(sibling, "permission.replied").data.reply, "reject")
    rig.over(sibling, "interrupted")


def reason(rig: Rig) -> None:
    client = rig.client
    session = rig.session("reason")
    rig.say(session, "write notes.md", "| Notes", "instead", "> say You said: {reason}")
    request = rig.asked(session)
    same("a file is asked about", (request.action, request.resources), ("edit", ["notes.md"]))
    client.permission.reply(session, request.id, decision="reject", message="Not in this folder.")
    same("the refusal is told", rig.watch.of(session, "permission.replied").data.reply, "reject")
    rig.over(session)
    parts = [
        part for message in client.message.list(session, order="asc", type="assistant") for part in message.content
    ]
    spoken = [part.text for part in parts if part.type == "text"]
    holds("the reason reaches the agent", spoken and "Not in this folder." in spoken[-1], spoken)
    failed = [part.state.status for part in parts if part.type == "tool"]
    same("the call failed", failed, ["error"])


def trial(rig: Rig) -> None:
    client = rig.client
    rules = [
        {"action": "shell", "resource": "*", "effect": "ask"},
        {"action": "shell", "resource": "ls *", "effect": "allow"},
        {"action": "shell", "resource": "rm *", "effect": "deny"},
    ]
    session = rig.session("trial", permissions=rules)
    effects = {}
    for command in ["ls -l", "rm -rf x", "make"]:
        effects[command] = client.permission.create(session, action="shell", resources=[command])
    same("rules decide", [effect.effect for effect in effects.values()], ["allow", "deny", "ask"])
    pending = client.permission.list(session)
    same("only what is to be asked pends", [one.resources for one in pending], [["make"]])
    same("it pends by its name", pending[0].id, effects["make"].id)
    same("and it is told of", rig.asked(session).id, effects["make"].id)
    client.permission.reply(session, pending[0].id, decision="once")
    same("it can be answered", rig.pending(session), [])
    several = client.permission.create(session, action="shell", resources=["ls", "rm x"])
    same("of several the strictest counts", several.effect, "deny")
    client.session.update(session, permissions=[*rules, {"action": "shell", "resource": "make", "effect": "allow"}])
    same(
        "new rules count at once", client.permission.create(session, action="shell", resources=["make"]).effect, "allow"
    )


def unsaved(rig: Rig) -> None:
    """A server whose requests don't say what always would save."""
    client = rig.client
    session = rig.session("unsaved")
    for _ in range(2):
        rig.say(session, "shell npm run build && npm test")
        request = rig.asked(session)
        same("a request says nothing of saving", request.save, None)
        same("a line is given as it is", request.resources, ["npm run build && npm test"])
        client.permission.reply(session, request.id, decision="always")
        rig.over(session)
    same("nothing is saved", client.permission.saved.list(), [])


SCENES = [once, always, reject, reason, trial]
