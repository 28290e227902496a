"""Sessions, their rules, messages and runs."""

from __future__ import annotations

import opencode
from facts import fact, holds, same
from rig import Rig


def life(rig: Rig) -> None:
    client = rig.client
    rules = [
        {"action": "shell", "resource": "git *", "effect": "ask"},
        {"action": "shell", "resource": "git push *", "effect": "deny"},
    ]
    made = client.session.create(title="life", permissions=rules, metadata={"made": "here"})
    created = rig.watch.of(made.id, "session.created")
    same("a new session is told of", (created.data.title, created.data.location.directory), ("life", rig.directory))
    same("a new session has its rules", [rule.to_dict() for rule in made.permissions or []], rules)
    same("a session is as it was made", client.session.get(made.id), made)
    client.session.update(made.id, permissions=[rules[1], rules[0]])
    told = rig.watch.of(made.id, "session.permissions")
    same("new rules are told in their order", [rule.to_dict() for rule in told.data.permissions], rules[::-1])
    client.session.update(made.id, title="a longer life")
    changed = client.session.get(made.id)
    same(
        "a title alone changes nothing else",
        (changed.title, changed.permissions),
        ("a longer life", told.data.permissions),
    )
    client.session.update(made.id, permissions=[])
    holds("an empty list takes the rules away", not client.session.get(made.id).permissions)
    client.session.update(made.id, permissions=rules)
    child = client.session.create(parent_id=made.id)
    same("a child names its parent", rig.watch.of(child.id, "session.created").data.parent_id, made.id)
    same(
        "a child inherits the rules", client.session.get(child.id).permissions, client.session.get(made.id).permissions
    )
    elsewhere = client.session.create(title="elsewhere", location={"directory": rig.elsewhere})
    same("a session can be elsewhere", client.session.get(elsewhere.id).location.directory, rig.elsewhere)

    everything = [session.id for session in client.session.list(limit=2)]
    holds("pages lead through all sessions", {made.id, child.id, elsewhere.id} <= set(everything), everything)
    same("no session is on two pages", len(set(everything)), len(everything))
    here = [session.id for session in client.session.list(directory=rig.directory)]
    holds("sessions are listed by directory", made.id in here and elsewhere.id not in here, here)
    children = [session.id for session in client.session.list(parent_id=made.id)]
    same("sessions are listed by parent", children, [child.id])
    rig.refused(
        "a made-up cursor is refused", opencode.InvalidCursorError, lambda: list(client.session.list(cursor="x"))
    )

    client.session.remove(made.id)
    rig.watch.of(made.id, "session.deleted")
    for name, call in [
        ("get", lambda: client.session.get(made.id)),
        ("prompt", lambda: client.session.prompt(made.id, text="say no")),
        ("update", lambda: client.session.update(made.id, permissions=[])),
        ("remove", lambda: client.session.remove(made.id)),
        ("interrupt", lambda: client.session.interrupt(made.id)),
        ("synthetic", lambda: client.session.synthetic(made.id, text="no")),
        ("generate", lambda: client.session.generate(made.id, prompt="no")),
        ("messages", lambda: list(client.message.list(made.id))),
        ("permissions", lambda: client.permission.list(made.id)),
        ("forms", lambda: client.session.form.list(made.id)),
    ]:
        rig.refused(f"a removed session is refused: {name}", opencode.SessionNotFoundError, call, session_id=made.id)
    rig.refused(
        "what is no session's name is refused", opencode.InvalidRequestError, lambda: client.session.get("nope")
    )


def run(rig: Rig) -> None:
    client = rig.client
    session = rig.session("run")
    sent = rig.say(session, "say Hello there.")
    same("a prompt is taken in", (sent.session_id, sent.payload.text), (session, "say Hello there."))
    rig.over(session)
    client.session.wait(session, timeout=20)
    fact("a session that is idle is not waited for")
    messages = list(client.message.list(session, order="asc"))
    kinds = [message.type for message in messages]
    holds("user and agent have spoken", kinds[:2] == ["user", "assistant"], kinds)
    same("the prompt stands in the history", messages[0].text, "say Hello there.")
    same("the agent's words stand in the history", messages[1].content[0].text, "Hello there.")
    newest = client.message.list(session, order="desc", limit=1, type="user").data
    same("the user's last words are found", [message.id for message in newest], [messages[0].id])
    same("one message is as it is listed", client.session.message.get(session, messages[1].id), messages[1])
    rig.refused(
        "an unknown message is refused",
        opencode.MessageNotFoundError,
        lambda: client.session.message.get(session, "msg_00000000nope"),
        session_id=session,
    )
    result = client.session.run("say Once more.", session_id=session, timeout=20)
    same("a whole run by the client's own means", (result.text, result.outcome), ("Once more.", "succeeded"))
    text = client.session.generate(session, prompt="Is that so?").text
    holds("text is made up from a session", text, text)
    same("and leaves no trace in it", len(list(client.message.list(session))), len(messages) + len(result.messages))


def interruption(rig: Rig) -> None:
    client = rig.client
    session = rig.session("interruption")
    holds("a session without a run is not active", session not in rig.active())
    same("there is nothing to interrupt", client.session.interrupt(session).interrupted, False)
    rig.say(session, "shell sleep 1")
    request = rig.asked(session)
    holds("a session that waits is active", session in rig.active(), rig.active())
    same("a run is interrupted", client.session.interrupt(session).interrupted, True)
    same("and that is told", rig.over(session, "interrupted").data.reason, "user")
    same("its request is gone", rig.pending(session), [])
    holds("the session is not active any more", session not in rig.active())
    rig.refused(
        "an answer comes too late",
        opencode.PermissionNotFoundError,
        lambda: client.permission.reply(session, request.id, decision="once"),
        request_id=request.id,
    )
    same("the session knows how it ended", client.session.get(session).outcome, "interrupted")


def note(rig: Rig) -> None:
    client = rig.client
    session = rig.session("note")
    given = "msg_000000000001ThisIsANoteA"
    noted = client.session.synthetic(
        session,
        id=given,
        text="Leave it.",
        description="declined",
        metadata={"by": "me"},
        delivery="steer",
        resume=False,
    )
    same(
        "a note is taken in",
        (noted.id, noted.payload.text, noted.payload.description),
        (given, "Leave it.", "declined"),
    )
    holds("a note does not wake the agent", session not in rig.active())
    rig.refused(
        "a note's name is taken",
        opencode.ConflictError,
        lambda: client.session.synthetic(session, id=given, text="Again.", resume=False),
    )
    rig.say(session, "say All right.")
    rig.over(session)
    notes = [message.text for message in client.message.list(session, type="synthetic")]
    same("a note stands in the history", notes, ["Leave it."])


SCENES = [life, run, interruption, note]
