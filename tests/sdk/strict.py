"""Lets the client take nothing from a server that it doesn't know exactly.

By itself the client is lenient, so that it outlives a server's updates: it lets fields pass that it doesn't know,
takes any word for one of a fixed set, has a stand-by type for every union, and turns numbers into what is wanted. Here
none of that is to happen: what it would have to bear with is a fault of the server.
"""

from __future__ import annotations

from typing import Any

import opencode
import opencode._base_client as client_module
import opencode._types as types_module
import opencode.types
import pydantic
from facts import Mismatch, fact, fail

taken = 0
"""How many answers and events were taken so far."""


def check(value: Any, where: str = "") -> None:
    """Sees that nothing in `value`, as it was read, had to be borne with."""
    if isinstance(value, pydantic.BaseModel):
        name = type(value).__name__
        if name.startswith("Unknown"):
            raise Mismatch(f"{where or name} is of a kind that the client does not know: {value!r}")
        if value.model_extra:
            raise Mismatch(f"{where or name} has fields that the client does not know: {sorted(value.model_extra)}")
        for field in type(value).model_fields:
            check(getattr(value, field), f"{where or name}.{field}")
    elif isinstance(value, dict):
        for key, part in value.items():
            check(part, f"{where}.{key}")
    elif isinstance(value, (list, tuple)):
        for place, part in enumerate(value):
            check(part, f"{where}[{place}]")


class Strict:
    """Reads as the adapter it is made of does, but bears with nothing."""

    def __init__(self, adapter: pydantic.TypeAdapter[Any]) -> None:
        self.adapter = adapter

    def validate_python(self, payload: Any) -> Any:
        global taken
        value = self.adapter.validate_python(payload, strict=True, by_alias=True, by_name=False)
        check(value)
        taken += 1
        return value


def _only_known_words(value: Any, handler: Any) -> Any:
    return handler(value)


def begin() -> None:
    """From now on the client is strict."""
    lenient = client_module.type_adapter
    client_module.type_adapter = lambda kind: Strict(lenient(kind))
    # The types hold on to this very function wherever they have a fixed set of words.
    types_module._accept_unknown_value.__code__ = _only_known_words.__code__


def error_body(error: opencode.APIStatusError) -> Any:
    """The body of a refusal, read as strictly. The client would give a half-read one rather than none."""
    model = getattr(opencode.types, f"{error.error_tag}Body", None)
    if model is None:
        raise Mismatch(f"{type(error).__name__} has a body that the client does not know: {error.body!r}")
    return read(model, error.body)


def read(kind: Any, payload: Any) -> Any:
    """Reads what the client has a type for, but no way to get."""
    try:
        return Strict(pydantic.TypeAdapter(kind)).validate_python(payload)
    except pydantic.ValidationError as wrong:
        raise Mismatch(f"{payload!r} is not as it should be: {wrong}") from wrong


def proof() -> None:
    """Sees that the client really is strict now: an update of it may have moved what is replaced here."""
    event = {"id": "evt_1", "created": 1.0, "type": "permission.replied"}
    data = {"sessionID": "ses_1", "requestID": "per_1", "reply": "once"}
    reader = client_module.type_adapter("Event")
    reader.validate_python({**event, "data": data})
    for what, payload in [
        ("an unknown field", {**event, "data": {**data, "more": 1}}),
        ("an unknown field of an event", {**event, "data": data, "more": 1}),
        ("an unknown word", {**event, "data": {**data, "reply": "perhaps"}}),
        ("an unknown kind", {**event, "type": "permission.forgotten", "data": {}}),
        ("a number as text", {**event, "created": "1.0", "data": data}),
        ("a field in the client's own spelling", {**event, "data": {**data, "session_id": data["sessionID"]}}),
        ("a missing field", {**event, "data": {"sessionID": "ses_1", "reply": "once"}}),
    ]:
        try:
            reader.validate_python(payload)
        except (Mismatch, pydantic.ValidationError):
            fact(f"{what} is not borne with")
        else:
            fail(f"{what} is borne with")
