"""The client at work, its one event stream, and what every scene needs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import strict
from facts import Mismatch, fact, fail
from opencode import APIStatusError, Opencode, OpencodeError
from opencode.types import SessionActive

DEADLINE = 20.0
"""Seconds that anything is waited for."""


class Watch:
    """Everything that comes on the event stream."""

    def __init__(self, client: Opencode) -> None:
        self.seen: list[Any] = []
        self._given: set[str] = set()
        self._wrong: BaseException | None = None
        self._changed = threading.Condition()
        self._stream = client.event.subscribe()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        wrong: BaseException
        try:
            for event in self._stream:
                with self._changed:
                    self.seen.append(event)
                    self._changed.notify_all()
            wrong = Mismatch("the event stream has ended")
        except BaseException as error:
            wrong = error
        with self._changed:
            self._wrong = wrong
            self._changed.notify_all()

    def next(self, kind: str, fits: Callable[[Any], bool] = lambda event: True) -> Any:
        """The earliest event of its kind that fits and was not given before."""
        end = time.monotonic() + DEADLINE
        with self._changed:
            while True:
                for event in self.seen:
                    if event.type == kind and event.id not in self._given and fits(event):
                        self._given.add(event.id)
                        return event
                if self._wrong is not None:
                    raise Mismatch(f"while waiting for {kind}: {self._wrong}") from self._wrong
                left = end - time.monotonic()
                if left <= 0:
                    kinds = [event.type for event in self.seen[-30:]]
                    fail(f"no {kind} came within {DEADLINE} s; the last events: {kinds}")
                self._changed.wait(left)

    def of(self, session_id: str, kind: str) -> Any:
        """As `next`, of one session."""
        return self.next(kind, lambda event: event.data.session_id == session_id)


class Rig:
    """What scenes stand on."""

    def __init__(self, client: Opencode, directory: str, elsewhere: str) -> None:
        self.client = client
        self.directory = directory
        self.elsewhere = elsewhere
        self.watch = Watch(client)

    def session(self, title: str, **more: Any) -> str:
        """A new session's identifier."""
        return self.client.session.create(title=title, **more).id

    def say(self, session_id: str, *lines: str) -> Any:
        """Tells the scripted agent of a session what to do."""
        return self.client.session.prompt(session_id, text="\n".join(lines))

    def asked(self, session_id: str) -> Any:
        """The next request for permission of a session."""
        return self.watch.of(session_id, "permission.asked").data

    def active(self) -> dict[str, Any]:
        """The sessions whose agents are at work. The client's own reading of this answer fails on any answer at all."""
        answer = self.client.session.with_raw_response.active().http_response.json()
        return strict.read(dict[str, dict[str, SessionActive]], answer)["data"]

    def over(self, session_id: str, how: str = "succeeded") -> Any:
        """Returns when the run of a session is over in that way."""
        event = self.watch.of(session_id, f"session.execution.{how}")
        self.watch.of(session_id, "session.idle")
        return event

    def pending(self, session_id: str) -> list[str]:
        """The requests of a session that are listed."""
        return [request.id for request in self.client.permission.list(session_id)]

    def refused(self, text: str, kind: type[APIStatusError], call: Callable[[], Any], **fields: Any) -> Any:
        """Sees that a call is refused in exactly this way; gives the body."""
        try:
            given = call()
        except OpencodeError as error:
            if type(error) is not kind:
                raise Mismatch(f"{text}: {type(error).__name__} instead of {kind.__name__}: {error}") from error
            body = strict.error_body(error)
            for name, expected in fields.items():
                if getattr(body, name) != expected:
                    fail(f"{text}: {name} is {getattr(body, name)!r} instead of {expected!r}")
            fact(text)
            return body
        fail(f"{text}: it was not refused, but answered {given!r}")
