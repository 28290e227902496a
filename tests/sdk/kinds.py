"""Requests of every kind, runs that fail, and what is paged."""

from __future__ import annotations

import asyncio

import opencode
from facts import fail, holds, same
from opencode import AsyncOpencode
from opencode.types import PermissionAskedEvent, ServerConnectedEvent
from rig import DEADLINE, Rig


def kinds(rig: Rig) -> None:
    client = rig.client
    cases = {
        "shell": (["shell ls /srv/data", ": outside /srv/data"], "external_directory", ["/srv/data/*"]),
        "patch": (["edit src/app.ts", "| @@ -1,1 +1,1 @@", "| -old", "| +new"], "edit", ["src/app.ts"]),
        "fetch": (["fetch https://example.com/a?b=c"], "webfetch", ["https://example.com/a?b=c"]),
        "outside": (["read /srv/data/notes"], "external_directory", ["/srv/data/*"]),
        "secret": (["read .env"], "read", [".env"]),
        "other": (["ask deploy_gate", ": pattern production", '| {"risk": "high"}'], "deploy_gate", ["production"]),
    }
    for name, (script, action, resources) in cases.items():
        session = rig.session(f"kind {name}")
        rig.say(session, *script)
        request = rig.asked(session)
        same(f"{name} asks for its kind", (request.action, request.resources), (action, resources))
        running = [
            part.state.status
            for message in client.message.list(session, type="assistant")
            for part in message.content
            if part.type == "tool" and part.id == request.source.id
        ]
        same(f"{name} stands in the history while it waits", running, ["running"])
        client.permission.reply(session, request.id, decision="reject")
        rig.over(session, "interrupted")
    metadata = client.session.list(search="kind other").data
    same("sessions are found by their titles", [one.title for one in metadata], ["kind other"])


def removal(rig: Rig) -> None:
    client = rig.client
    session = rig.session("removal")
    rig.say(session, "shell touch never.txt")
    request = rig.asked(session)
    client.session.remove(session)
    rig.watch.of(session, "session.deleted")
    left = [one.id for one in client.permission.request_.list().data if one.id == request.id]
    same("a removed session leaves no request", left, [])
    rig.refused(
        "its request can't be answered",
        opencode.SessionNotFoundError,
        lambda: client.permission.reply(session, request.id, decision="once"),
    )


def failure(rig: Rig) -> None:
    client = rig.client
    session = rig.session("failure")
    rig.say(session, "fail 401 no credit left")
    error = rig.over(session, "failed").data.error
    holds("a failed run says why", "no credit left" in error.message, error)
    same("the session knows how it ended", client.session.get(session).outcome, "failed")


def paging(rig: Rig) -> None:
    client = rig.client
    session = rig.session("paging")
    for number in range(3):
        rig.say(session, f"say Number {number}.")
        rig.over(session)
    for order in ["asc", "desc"]:
        whole = [message.id for message in client.message.list(session, order=order, limit=100)]
        # Behind the last page there is an empty one.
        pages = [page for page in client.message.list(session, order=order, limit=2).iter_pages() if page.data]
        same(f"pages are full, {order}", {len(page.data) for page in pages[:-1]}, {2})
        same(f"pages make the whole, {order}", [message.id for page in pages for message in page.data], whole)
        back = pages[1].previous_page()
        same(f"it goes back, too, {order}", [message.id for message in back.data], whole[:2])
    users = [message.text for message in client.message.list(session, order="asc", limit=1, type="user")]
    same("a kind is paged", users, [f"say Number {number}." for number in range(3)])

    client.session.update(session, archived=True)
    holds("an archived session says so", client.session.get(session).time.archived)
    for archived in [True, False]:
        found = session in [one.id for one in client.session.list(archived=archived)]
        same(f"it is listed by that, {archived}", found, archived)
    client.session.update(session, archived=False)
    same("it can be brought back", client.session.get(session).time.archived, None)
    roots = list(client.session.list(parent_id=None))
    same("roots have no parent", {one.parent_id for one in roots}, {None})


def nowhere(rig: Rig) -> None:
    client = rig.client
    location = {"directory": "/no/such/directory"}
    for what, call in [
        ("agents", lambda: client.agent.list(location=location)),
        ("requests", lambda: client.permission.request_.list(location=location)),
        ("forms", lambda: client.form.list(location=location)),
    ]:
        body = rig.refused(f"{what} of no place are refused", opencode.LocationNotFoundError, call)
        same("the place is named", body.location.directory, location["directory"])


def crowd(rig: Rig) -> None:
    """Many sessions at once, each answered by somebody else, over the client's other half."""
    count = 20

    async def one(client: AsyncOpencode, number: int) -> None:
        session = await client.session.create(title=f"crowd {number}")
        async with client.events.for_session(session.id).of_type(PermissionAskedEvent) as asks:
            await client.session.prompt(session.id, text=f"shell touch crowd-{number}.txt")
            request = (await anext(asks)).data
        same_request = await client.permission.get(session.id, request.id)
        if same_request.resources != [f"touch crowd-{number}.txt"]:
            fail(f"crowd {number} asks for {same_request.resources}")
        await client.permission.reply(session.id, request.id, decision="once")
        await client.session.wait(session.id, timeout=DEADLINE)

    async def all_of_them() -> None:
        async with AsyncOpencode(
            str(rig.client.base_url), password=rig.client.password or "", directory=rig.directory, max_retries=0
        ) as client:
            async with client.events.of_type(ServerConnectedEvent) as greeting:
                # Nothing is missed from here on.
                await anext(greeting)
                everyone = asyncio.gather(*(one(client, number) for number in range(count)))
                await asyncio.wait_for(everyone, 3 * DEADLINE)

    asyncio.run(all_of_them())
    outcomes = [session.outcome for session in rig.client.session.list(search="crowd ")]
    same(f"{count} at once are served", outcomes, ["succeeded"] * count)


SCENES = [kinds, removal, failure, paging, nowhere, crowd]
