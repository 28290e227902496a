"""Who the server is, and what it has to offer."""

from __future__ import annotations

import opencode
from facts import fact, holds, same
from opencode import Opencode
from rig import Rig


def introduction(rig: Rig) -> None:
    info = rig.client.server.info()
    holds("the server names a version of 2.x", info.version.startswith("2."), info.version)
    same("the server names its own address", info.urls, [str(rig.client.base_url).rstrip("/")])
    rig.client.wait_until_ready(agents=["build"], timeout=20)
    fact("the agents come up")


def password(rig: Rig) -> None:
    url = rig.client.base_url
    for what, wrong in [("no password", ""), ("a wrong password", "wrong")]:
        stranger = Opencode(url, password=wrong, directory=rig.directory)
        refusals = [
            stranger.server.info,
            stranger.session.list,
            stranger.permission.request_.list,
            stranger.event.subscribe,
            lambda stranger=stranger: stranger.session.get("ses_x"),
        ]
        for number, refusal in enumerate(refusals):
            rig.refused(f"{what} is refused, {number + 1}", opencode.UnauthorizedError, refusal)


def offers(rig: Rig) -> None:
    client = rig.client
    agents = client.agent.list()
    same("agents are listed for the default directory", agents.location.directory, rig.directory)
    same("the default agent comes first", (agents.data[0].id, agents.data[0].mode), ("build", "primary"))
    names = {agent.id for agent in agents.data}
    holds("the usual agents are there", {"build", "plan", "general", "explore"} <= names, names)
    rules = [(rule.action, rule.resource, rule.effect) for rule in agents.data[0].permissions]
    same("an agent begins with what is allowed", rules[0], ("*", "*", "allow"))
    same("one agent is as it is listed", client.agent.get("build").data, agents.data[0])
    rig.refused(
        "an unknown agent is refused", opencode.AgentNotFoundError, lambda: client.agent.get("nope"), agent_id="nope"
    )
    other = client.agent.list(location={"directory": rig.elsewhere})
    same("agents are listed for another directory", other.location.directory, rig.elsewhere)

    providers = client.provider.list()
    holds("there are providers", providers.data, providers)
    first = providers.data[0]
    same("one provider is as it is listed", client.provider.get(first.id).data, first)
    rig.refused(
        "an unknown provider is refused",
        opencode.ProviderNotFoundError,
        lambda: client.provider.get("nope"),
        provider_id="nope",
    )
    model = client.model.default()
    same("the default model is given for the directory", model.location.directory, rig.directory)
    holds("there is a default model", model.data is not None, model)
    here = client.location.get()
    same("a location names its directory", here.directory, rig.directory)
    holds("a location belongs to a project", here.project.id, here)


SCENES = [introduction, password, offers]
