"""What is found out is said, line by line; what is not as it should be ends everything."""

from __future__ import annotations

from typing import Any, NoReturn


class Mismatch(Exception):
    """The server and the client don't agree."""


def fact(text: str) -> None:
    print(f"ok {text}", flush=True)


def fail(text: str) -> NoReturn:
    raise Mismatch(text)


def same(text: str, seen: Any, expected: Any) -> None:
    """Sees that what is `seen` is as `expected`."""
    if seen != expected:
        fail(f"{text}: seen {seen!r}, expected {expected!r}")
    fact(text)


def holds(text: str, is_so: Any, seen: Any = None) -> None:
    """Sees that something is so; `seen` helps to find out why not."""
    if not is_so:
        fail(f"{text}: seen {seen!r}")
    fact(text)
