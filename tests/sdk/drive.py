"""Drives an OpenCode 2.1 server with a typed client that others wrote, and says what it finds.

    drive.py URL [PASSWORD] --directory D --elsewhere E [--registration FILE] [--trait plain] [--all]

One line for each fact; the first thing that is not as the client knows it ends it with status 1 and a line on the
standard error, or with --all only its scene. The directories are of two projects.
"""

from __future__ import annotations

import argparse
import functools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import agents
import forms
import kinds
import permissions
import server
import sessions
import strict
from facts import Mismatch, fact, fail, same
from opencode import Opencode, OpencodeError, service
from rig import Rig


def registered(file: Path, url: str, password: str) -> None:
    """The client's own way to the background service leads here."""
    found = service.discover(file)
    if found is None:
        fail(f"the client finds no service by {file.name}")
    same("the registration leads to the server", found.url.rstrip("/"), url.rstrip("/"))
    same("and tells the password", found.auth and found.auth.password, password or None)


def scenes(given: argparse.Namespace) -> Iterator[Callable[[], None]]:
    """All that is to be done, in order."""
    yield strict.proof
    if given.registration:
        yield lambda: registered(given.registration, given.url, given.password)
    # Nothing is tried twice: a failure of the server is to be seen.
    client = Opencode(given.url, password=given.password, directory=given.directory, timeout=20, max_retries=0)
    rig = Rig(client, given.directory, given.elsewhere)
    rig.watch.next("server.connected")
    fact("the event stream greets")
    parts = [server, sessions, agents, permissions, forms, kinds]
    for scene in [scene for part in parts for scene in part.SCENES]:
        if scene is server.password and not given.password:
            continue
        if scene is permissions.always and "plain" in given.trait:
            scene = permissions.unsaved
        print(f"== {scene.__module__}.{scene.__name__}", flush=True)
        yield functools.partial(scene, rig)
    known = sorted({event.type for event in rig.watch.seen})
    fact(f"{len(rig.watch.seen)} events of {len(known)} kinds were known: {' '.join(known)}")
    fact(f"{strict.taken} answers and events were read strictly")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("password", nargs="?", default="")
    parser.add_argument("--directory", required=True)
    parser.add_argument("--elsewhere", required=True)
    parser.add_argument("--registration", type=Path)
    parser.add_argument("--trait", action="append", default=[], choices=["plain"])
    parser.add_argument("--all", action="store_true")
    given = parser.parse_args()
    strict.begin()
    wrong = 0
    for scene in scenes(given):
        try:
            scene()
        except (Mismatch, OpencodeError) as error:
            print(f"mismatch: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
            wrong += 1
            if not given.all:
                break
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
