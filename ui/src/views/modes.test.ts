import { screen, waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import type { Snapshot } from "../bindings/api";
import { stance } from "../host/fake/modes";
import { LOCAL } from "../host/fake/requests";
import { scenes } from "../host/fake/scenes";
import { stage, to } from "../test/stage";

async function opened(snapshot: Snapshot = scenes.empty()) {
  const staged = await stage(snapshot);
  await staged.user.keyboard(to("modes"));
  expect(screen.getByRole("heading", { level: 1, name: "Modes" })).toBeTruthy();
  return staged;
}

const rows = (list: string) => within(screen.getByRole("list", { name: list })).getAllByRole("listitem");
const row = (name: string) => {
  const found = ["Sessions", "Projects", "Servers"]
    .flatMap((list) => [...screen.getByRole("list", { name: list }).children])
    .find((item) => item.querySelector(".name")?.textContent === name);
  if (!(found instanceof HTMLElement)) throw new Error(`no row of ${name}`);
  return found;
};
const within_ = (name: string) => within(row(name));
const LOGIN = "Rate limit the login route";
const SHIP = "Ship the checkout fix to production before noon";

describe("the modes", () => {
  it("say what counts, and by whom", async () => {
    await opened();
    expect(row(LOGIN).textContent).toMatch(/agent build.*at work.*Auto-accept edits\s*from the project/s);
    expect(row(SHIP).textContent).toMatch(/Full access, no sub-agents\s*chosen here.*Nothing is asked: every command/s);
    expect(row("Roll out (@deploy subagent)").textContent).toMatch(/sub-agent.*Supervised\s*from the server/s);
    expect(row("Tidy the shell’s start-up files").textContent).toMatch(/OpenCode decides/);
    expect(row("api-server").textContent).toMatch(/Auto-accept edits/);
    expect(row("web-shop").textContent).toMatch(/Left to the server/);
    expect(row("127.0.0.1:4096").textContent).toMatch(/Left to OpenCode/);
    expect(within_(LOGIN).getByText("In force.")).toBeTruthy();
  });

  it("say why what was chosen doesn't hold", async () => {
    await opened(scenes.troubled());
    expect(row(LOGIN).textContent).toMatch(/Supervised, plan only.*Not in force.*did not answer within 10 s\./s);
    expect(row(SHIP).textContent).toMatch(/another program keeps setting other rules/);
    expect(row("Roll out (@deploy subagent)").textContent).toMatch(/server takes no rules for it/);
    expect(row("Tidy the shell’s start-up files").textContent).toMatch(/Being set …/);
  });

  it("tell a newcomer where they come from when there is nothing", async () => {
    await opened(scenes.first());
    expect(screen.getByText(/No project is known yet/)).toBeTruthy();
    expect(screen.getByText(/No session is known yet/)).toBeTruthy();
    expect(screen.queryByRole("heading", { name: "Try a rule" })).toBeNull();
  });

  it("offer no filter for a few sessions", async () => {
    await opened();
    expect(screen.queryByLabelText("Filter sessions")).toBeNull();
  });

  it("offer a filter for many", async () => {
    const { user } = await opened(scenes.many());
    const all = rows("Sessions").length;
    await user.type(screen.getByLabelText("Filter sessions"), "issue 112");
    expect(rows("Sessions")).toHaveLength(1);
    expect(screen.getByText(`1 of ${all} sessions`)).toBeTruthy();
    await user.type(screen.getByLabelText("Filter sessions"), "x");
    expect(screen.getByText("No session matches.")).toBeTruthy();
  });
});

describe("choosing a mode", () => {
  it.each([
    [LOGIN, { scope: "session", server: LOCAL, session: "ses_login" }],
    ["web-shop", { scope: "project", directory: "/home/dev/web-shop" }],
    ["127.0.0.1:4096", { scope: "server", server: LOCAL }],
  ])("for %s", async (name, scope) => {
    const { user, calls } = await opened();
    await user.click(within_(name).getByRole("button", { name: `Change the mode of ${name}` }));
    const form = within(screen.getByRole("form", { name: `Mode of ${name}` }));
    expect((document.activeElement as HTMLInputElement | null)?.checked).toBe(true);
    await user.click(form.getByRole("radio", { name: "Auto" }));
    await user.click(form.getByRole("checkbox", { name: "Plan only" }));
    await user.click(form.getByRole("checkbox", { name: "Sub-agents" }));
    expect(calls("set_mode")).toEqual([]);
    await user.click(form.getByRole("button", { name: "Set" }));
    expect(calls("set_mode")).toEqual([
      { call: "set_mode", scope, stance: stance("auto", { plan: true, subagents: false }) },
    ]);
    expect(within_(name).getByText("Auto, plan only, no sub-agents")).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(within_(name).getByRole("button", { name: /^Change/ })));
  });

  it("explains each in a sentence, and warns of full access", async () => {
    const { user } = await opened();
    await user.click(within_(LOGIN).getByRole("button", { name: /^Change/ }));
    const form = within(screen.getByRole("form"));
    for (const radio of form.getAllByRole("radio")) {
      const means = document.getElementById(radio.getAttribute("aria-describedby") ?? "")?.textContent;
      expect(means).toMatch(/^\S.*\.$/);
    }
    expect(form.queryByText(/Nobody is asked before anything runs/)).toBeNull();
    await user.click(form.getByRole("radio", { name: "Full access" }));
    expect(form.getByText(/Nobody is asked before anything runs/)).toBeTruthy();
  });

  it("can be left to what is wider, without extras", async () => {
    const { user, calls } = await opened();
    await user.click(within_(SHIP).getByRole("button", { name: /^Change/ }));
    const form = within(screen.getByRole("form"));
    await user.click(form.getByRole("radio", { name: "Left to the project" }));
    expect(form.queryByRole("checkbox")).toBeNull();
    await user.click(form.getByRole("button", { name: "Set" }));
    expect(calls("set_mode").map((call) => call.stance)).toEqual([null]);
    expect(row(SHIP).textContent).toMatch(/Supervised\s*from the server/);
  });

  it("sends nothing when it is cancelled", async () => {
    const { user, calls } = await opened();
    await user.click(within_(LOGIN).getByRole("button", { name: /^Change/ }));
    await user.click(screen.getByRole("radio", { name: "Full access" }));
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("form", { name: /Mode of/ })).toBeNull();
    expect(document.activeElement).toBe(within_(LOGIN).getByRole("button", { name: /^Change/ }));
    expect(calls("set_mode")).toEqual([]);
  });

  it("says why it could not be set, and keeps what was chosen", async () => {
    const { host, user } = await opened();
    host.refusals.set("set_mode", { code: "failed", message: "the settings can’t be written", hint: "" });
    await user.click(within_(LOGIN).getByRole("button", { name: /^Change/ }));
    await user.click(screen.getByRole("radio", { name: "Supervised" }));
    await user.click(screen.getByRole("button", { name: "Set" }));
    expect(await screen.findByText("The settings can’t be written.")).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "Supervised" }).checked).toBe(true);
  });
});

describe("the rules a mode makes", () => {
  const shown = (name: string) =>
    within(screen.getByRole("region", { name }))
      .getAllByRole("listitem")
      .map((item) => item.textContent?.trim().replace(/\s+/g, " "));

  it("are previewed before it is set", async () => {
    const { user, calls } = await opened();
    await user.click(within_("dotfiles").getByRole("button", { name: /^Change/ }));
    await user.click(screen.getByRole("radio", { name: "Supervised" }));
    await waitFor(() =>
      expect(shown("Rules of Supervised").slice(0, 3)).toEqual(["* * allow", "shell * ask", "edit * ask"]),
    );
    expect(calls("rules_of")).toEqual([
      { call: "rules_of", server: LOCAL, directory: "/home/dev/dotfiles", agent: null, stance: stance("supervised") },
    ]);
    await user.click(screen.getByRole("checkbox", { name: "Sub-agents" }));
    await waitFor(() => expect(shown("Rules of Supervised, no sub-agents").at(-1)).toBe("subagent * deny"));
  });

  it("say when the server has not told of its agents, or nobody can say", async () => {
    const { host, user } = await opened();
    host.agentsKnown = false;
    await user.click(within_("Build box").getByRole("button", { name: "Rules of Build box" }));
    expect(await within_("Build box").findByText(/has not told which places/)).toBeTruthy();
    host.refusals.set("rules_of", { code: "failed", message: "no", hint: "" });
    await user.click(within_("api-server").getByRole("button", { name: "Rules of api-server" }));
    expect(await within_("api-server").findByText(/could not be found out/)).toBeTruthy();
  });

  it("are copied as lines and as the configuration of both versions", async () => {
    const { user } = await opened();
    await user.click(within_(LOGIN).getByRole("button", { name: `Rules of ${LOGIN}` }));
    expect(shown(`Rules of ${LOGIN}`)[2]).toBe("edit * allow");
    const copied = async (name: string) => {
      await user.click(within_(LOGIN).getByRole("button", { name }));
      expect(await within_(LOGIN).findByText("Copied.")).toBeTruthy();
      return navigator.clipboard.readText();
    };
    expect(await copied("Copy rules")).toMatch(/^\* \* allow\nshell \* ask\nedit \* allow\n/);
    expect(JSON.parse(await copied("Copy for OpenCode 2"))).toHaveProperty("permissions.1.action", "shell");
    expect(JSON.parse(await copied("Copy for OpenCode 1"))).toHaveProperty("permission.bash", "ask");
    Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error("no")) });
    await user.click(within_(LOGIN).getByRole("button", { name: "Copy rules" }));
    expect(await within_(LOGIN).findByText(/could not be copied/)).toBeTruthy();
  });

  it("show every character, and say when 1.x can't say the same", async () => {
    const snapshot = scenes.empty();
    const [first] = snapshot.modes.sessions;
    first?.rules.push({ action: "webfetch", resource: "https://a.example/\u202e*", effect: "allow" });
    const { user } = await opened(snapshot);
    await user.click(within_(LOGIN).getByRole("button", { name: `Rules of ${LOGIN}` }));
    expect(within_(LOGIN).getByText("⟨U+202E⟩").tagName).toBe("MARK");
    expect(within_(LOGIN).queryByRole("button", { name: "Copy for OpenCode 1" })).toBeNull();
    expect(within_(LOGIN).getByText(/OpenCode 1 can’t say the same/)).toBeTruthy();
  });
});

describe("trying a rule", () => {
  const tried = async (action: string, resource: string) => {
    const staged = await opened();
    const tester = within(screen.getByRole("region", { name: "Try a rule" }));
    await staged.user.clear(tester.getByLabelText("Action"));
    await staged.user.type(tester.getByLabelText("Action"), action);
    if (resource) await staged.user.type(tester.getByLabelText(/^Command/), resource);
    await staged.user.click(tester.getByRole("button", { name: "Try" }));
    return { ...staged, tester };
  };

  it("shows the effect, the rule that decides, and where that is from", async () => {
    const { tester, calls, user } = await tried("shell", "npm test");
    expect(await tester.findByText("Is asked.")).toBeTruthy();
    expect(tester.getByText("shell * ask")).toBeTruthy();
    expect(tester.getByText(/from the mode, a grant, or another program/)).toBeTruthy();
    expect(calls("try")).toEqual([
      { call: "try", server: LOCAL, session: "ses_login", action: "shell", resource: "npm test" },
    ]);
    // What was found out holds for what was typed then.
    await user.type(tester.getByLabelText(/^Command/), "x");
    expect(tester.queryByText("Is asked.")).toBeNull();
  });

  it("asks about the session that was picked", async () => {
    const staged = await opened();
    const tester = within(screen.getByRole("region", { name: "Try a rule" }));
    await staged.user.selectOptions(
      tester.getByLabelText("Session"),
      tester.getByRole("option", { name: /^Tidy the shell/ }),
    );
    await staged.user.clear(tester.getByLabelText("Action"));
    await staged.user.type(tester.getByLabelText("Action"), "read");
    await staged.user.type(tester.getByLabelText(/^Command/), ".env{Enter}");
    expect(await tester.findByText("read *.env ask")).toBeTruthy();
    expect(tester.getByText(/OpenCode’s defaults and configuration/)).toBeTruthy();
    expect(staged.calls("try")).toHaveLength(1);
  });

  it("needs something to be tried, and says why it could not be", async () => {
    const { tester, calls, host, user } = await tried("shell", "");
    expect(tester.getByRole("alert").textContent).toMatch(/Write what the agent/);
    expect(calls("try")).toEqual([]);
    host.refusals.set("try", { code: "failed", message: "the session is not known", hint: "" });
    await user.type(tester.getByLabelText(/^Command/), "ls{Enter}");
    expect(await tester.findByText("The session is not known.")).toBeTruthy();
  });
});
