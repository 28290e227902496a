"""Questions, which travel as forms."""

from __future__ import annotations

import opencode
from facts import holds, same
from rig import Rig

QUESTION = ["question Which colour?", ": header Colour", ": option Red | A warm one", ": option Blue | A cold one"]


def created(rig: Rig, session: str) -> object:
    return rig.watch.next("form.created", lambda event: event.data.form.session_id == session).data.form


def answered(rig: Rig) -> None:
    client = rig.client
    session = rig.session("answered")
    rig.say(
        session,
        *QUESTION,
        ": and Which sizes?",
        ": header Sizes",
        ": option S | small",
        ": option L | large",
        ": multiple",
    )
    form = created(rig, session)
    same(
        "a form has its fields in order",
        [(field.key, field.type) for field in form.fields],
        [("q0", "string"), ("q1", "multiselect")],
    )
    same(
        "a field carries the question", (form.fields[0].title, form.fields[0].description), ("Colour", "Which colour?")
    )
    same("its options are offered", [option.value for option in form.fields[0].options or []], ["Red", "Blue"])
    listed = client.form.list()
    same("forms are listed for a place", listed.location.directory, rig.directory)
    same("a form is listed by place", [one for one in listed.data if one.session_id == session], [form])
    same("a form is listed by session", client.session.form.list(session), [form])
    same("a form can be looked at", client.session.form.get(session, form.id).state.status, "pending")
    for what, answer in [
        ("an unknown field", {"colour": "Red"}),
        ("a wrong type", {"q0": 3}),
        ("no list", {"q1": "S"}),
    ]:
        rig.refused(
            f"{what} is refused",
            opencode.FormInvalidAnswerError,
            lambda answer=answer: client.session.form.reply(session, form.id, answer=answer),
            id=form.id,
        )
    answer = {"q0": "Green", "q1": ["S", "L"]}
    client.session.form.reply(session, form.id, answer=answer)
    replied = rig.watch.of(session, "form.replied").data
    same("the answer is told", (replied.id, replied.answer), (form.id, answer))
    rig.over(session)
    state = client.session.form.get(session, form.id).state
    same("a settled form keeps its answer", (state.status, state.answer), ("answered", answer))
    same("it is not listed any more", client.session.form.list(session), [])
    for what, call in [
        ("answered again", lambda: client.session.form.reply(session, form.id, answer=answer)),
        ("cancelled afterwards", lambda: client.session.form.cancel(session, form.id)),
    ]:
        rig.refused(f"it is not {what}", opencode.FormAlreadySettledError, call, id=form.id)


def cancelled(rig: Rig) -> None:
    client = rig.client
    session = rig.session("cancelled")
    rig.say(session, *QUESTION, "instead", "> say You said: {reason}")
    form = created(rig, session)
    client.session.form.cancel(session, form.id, message="No time for colours.")
    same("a cancelled form is told of", rig.watch.of(session, "form.cancelled").data.id, form.id)
    rig.over(session)
    state = client.session.form.get(session, form.id).state
    same("it keeps the reason", (state.status, state.message), ("cancelled", "No time for colours."))

    session = rig.session("cancelled without a word")
    rig.say(session, *QUESTION)
    form = created(rig, session)
    client.session.form.cancel(session, form.id)
    same("a cancelled form is told of, again", rig.watch.of(session, "form.cancelled").data.id, form.id)
    rig.over(session, "interrupted")
    same("without a reason the run ends", client.session.get(session).outcome, "interrupted")


def made(rig: Rig) -> None:
    client = rig.client
    session = rig.session("made")
    fields = [
        {
            "key": "kind",
            "type": "string",
            "required": True,
            "options": [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}],
        },
        {
            "key": "count",
            "type": "integer",
            "minimum": 1,
            "maximum": 3,
            "when": [{"key": "kind", "op": "eq", "value": "a"}],
        },
        {"key": "sure", "type": "boolean"},
    ]
    form = client.session.form.create(session, id="frm_made000000000000000000", title="Made here", fields=fields)
    same("a form is as it was made", [field.to_dict() for field in form.fields], fields)
    same("a form that was made is told of", created(rig, session), form)
    rig.refused(
        "its name is taken",
        opencode.ConflictError,
        lambda: client.session.form.create(session, id=form.id, title="Again", fields=fields),
    )
    for text, answer in [
        ("Missing required form field: kind", {}),
        ("Invalid option for form field: kind", {"kind": "c"}),
        ("Form field is too large: count", {"kind": "a", "count": 4}),
        ("Form field is not active: count", {"kind": "b", "count": 1}),
        ("Expected boolean for form field: sure", {"kind": "b", "sure": "yes"}),
        ("Unknown form field: other", {"kind": "b", "other": 1}),
    ]:
        rig.refused(
            text,
            opencode.FormInvalidAnswerError,
            lambda answer=answer: client.session.form.reply(session, form.id, answer=answer),
            message=text,
        )
    client.session.form.reply(session, form.id, answer={"kind": "a", "count": 2, "sure": True})
    same("a good answer is taken", rig.watch.of(session, "form.replied").data.answer["count"], 2)
    rig.refused(
        "an unknown form is refused",
        opencode.FormNotFoundError,
        lambda: client.session.form.get(session, "frm_nope"),
        id="frm_nope",
    )
    other = rig.session("no forms")
    rig.refused(
        "a form is not another session's",
        opencode.FormNotFoundError,
        lambda: client.session.form.reply(other, form.id, answer={}),
        id=form.id,
    )
    holds("nothing is left", not client.form.list().data, client.form.list().data)


SCENES = [answered, cancelled, made]
