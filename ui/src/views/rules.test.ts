import { screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";

import type { RulesState } from "../bindings/api";
import { broken, project } from "../host/fake/rules";
import { scenes } from "../host/fake/scenes";
import { stage, to } from "../test/stage";

async function opened(files?: ReturnType<typeof project>[]) {
  const staged = await stage(scenes.empty());
  if (files) staged.host.rules.files = files;
  await staged.user.keyboard(to("rules"));
  expect(await screen.findByRole("heading", { level: 1, name: "Rules" })).toBeTruthy();
  await waitFor(() => expect(screen.queryByText("Reading the rules …")).toBeNull());
  return staged;
}

const list = (name: string) => screen.getByRole("list", { name });
const items = (name: string) => [...list(name).children] as HTMLElement[];
const textOf = (element: HTMLElement | undefined) => element?.textContent?.replace(/\s+/g, " ").trim() ?? "";
const button = (name: string) => screen.getByRole("button", { name });
const LEARNED = "Learned commands";
const PRESET = "Lines for commands that only read";
const PENDING = "Commands on the way";

afterEach(() => vi.useRealTimers());

describe("the rules of a project", () => {
  it("say what passes, how often it was approved and by whom, and what led to it", async () => {
    const { user } = await opened();
    const [first, second, third, fourth] = items(LEARNED);
    expect(textOf(first)).toMatch(/npm run typecheck.*approved 3 times: 2 by you, 1 by a judge.*last seen 2 h ago/);
    await user.click(within(first as HTMLElement).getByText("4 requests on record"));
    expect(textOf(first)).toMatch(/you approved in “Rate limit the login route”.*the judge allowed.*you declined/);
    expect(textOf(second)).toMatch(/let pass by hand.*No request on record/);
    expect(textOf(third)).toMatch(/rm -rf build.*asked about all the same.*by a judge/);
    expect(within(fourth as HTMLElement).getByText("⟨U+200B⟩").tagName).toBe("MARK");
    expect(textOf(items(PENDING)[0])).toMatch(/npm test 2 of 3 2 by you/);
    const never = items(PRESET).find((item) => textOf(item).startsWith("make *"));
    expect(textOf(never)).toMatch(/It never counts, because nothing like it is proven to only read: make runs code/);
    expect(screen.getAllByText(/In what order they stand makes no difference/)).toHaveLength(2);
    expect(screen.getByText(/home-dev-api-server\.json/)).toBeTruthy();
  });

  it("are those of the project that is chosen", async () => {
    const { user } = await opened();
    await user.selectOptions(screen.getByLabelText("Project"), "/home/dev/dotfiles");
    expect(await screen.findByText(/There is no file yet/)).toBeTruthy();
    expect(screen.getByText(/None yet. What is approved three times/)).toBeTruthy();
    expect(screen.queryByRole("list", { name: PENDING })).toBeNull();
  });

  it("are read again when the file changes", async () => {
    const { host } = await opened();
    host.rules.files = [project({ learned: [] })];
    host.publish({ rules: 1 });
    expect(await screen.findByText(/None yet. What is approved three times/)).toBeTruthy();
    host.breakRules();
    expect(await screen.findByText(/This file is broken/)).toBeTruthy();
  });

  it("teach what they are for when there are none", async () => {
    await opened([]);
    expect(screen.getByText("No project has rules yet.")).toBeTruthy();
  });

  it("say so while they are switched off", async () => {
    const { host, user } = await stage(scenes.empty());
    host.rules.inForce = false;
    await user.keyboard(to("rules"));
    expect(await screen.findByText(/Rules are switched off/)).toBeTruthy();
  });

  it("can be filtered where they are many", async () => {
    const { user } = await opened();
    await user.type(screen.getByLabelText("Filter lines"), "GIT");
    expect(items(PRESET).map((item) => textOf(item).split(" built")[0])).toEqual([
      "git status *",
      "git diff *",
      "git log *",
    ]);
    await user.type(screen.getByLabelText("Filter lines"), " nothing");
    expect(screen.getByText("No line matches.")).toBeTruthy();
  });

  it("name the files of nobody", async () => {
    const { host } = await opened();
    host.rules.nobodys = ["/home/dev/.local/share/x/a-b.json"];
    host.publish({ rules: 1 });
    expect(await screen.findByText("/home/dev/.local/share/x/a-b.json")).toBeTruthy();
  });
});

describe("a broken file", () => {
  it("is shown with what is wrong, what to do, and nothing to change in it", async () => {
    await opened([broken()]);
    expect(screen.getByText(/Nothing passes by it, and it is left as it is/)).toBeTruthy();
    expect(textOf(items("What is wrong with it")[0])).toMatch(/preset is not a list of patterns/);
    expect(screen.getByText(/Correct it in an editor/)).toBeTruthy();
    expect(items(LEARNED)).toHaveLength(4);
    expect(screen.queryByRole("button", { name: /^Delete|^Add a line|^Export|^Let/ })).toBeNull();
  });

  it("is told apart from one of another version", async () => {
    const state: RulesState = {
      state: "broken",
      faults: ["its version is `2`, and only version 1 is known"],
      version: true,
    };
    await opened([{ ...broken(), state }]);
    expect(screen.getByText(/of a version that Gavel doesn’t know/)).toBeTruthy();
    expect(screen.getByText(/A newer plugin or a newer Gavel/)).toBeTruthy();
  });
});

describe("deleting a line", () => {
  it.each([
    [PRESET, "Delete ls *", { change: "remove_preset", line: "ls *" }],
    [LEARNED, "Delete npm run typecheck", { change: "remove_learned", command: "npm run typecheck" }],
    [PENDING, "Forget npm test", { change: "forget_pending", command: "npm test" }],
  ])("of %s is one click, and undone in its place", async (where, name, change) => {
    const { user, calls } = await opened();
    const before = items(where).map(textOf);
    await user.click(button(name));
    expect(calls("change_rules").map((call) => call.change)).toEqual([change]);
    const undo = await screen.findByRole("button", { name: /^Undo deleting/ });
    await waitFor(() => expect(document.activeElement).toBe(undo));
    expect(items(where)).toHaveLength(before.length);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(items(where).map(textOf)).toEqual(before));
    expect(calls("undo_rules")).toHaveLength(1);
  });

  it("can be undone for ten seconds", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { user } = await opened();
    await user.click(button("Delete ls *"));
    await screen.findByRole("button", { name: "Undo deleting ls *" });
    await vi.advanceTimersByTimeAsync(11_000);
    await waitFor(() => expect(screen.queryByRole("button", { name: "Undo deleting ls *" })).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 })));
  });

  it("says why it could not be done", async () => {
    const { host, user } = await opened();
    host.refusals.set("change_rules", { code: "failed", message: "Nothing was changed: the disk is full.", hint: "" });
    await user.click(button("Delete ls *"));
    expect(await screen.findByText("Nothing was changed: the disk is full.")).toBeTruthy();
    expect(button("Delete ls *")).toBeTruthy();
  });
});

describe("a preset line", () => {
  it("is added once it is looked at", async () => {
    const { user, calls } = await opened();
    await user.click(button("Add a line"));
    await user.keyboard("wc *");
    expect(await screen.findByText(/Would pass, for example/)).toBeTruthy();
    await user.keyboard("{Enter}");
    await screen.findByText("Added: wc *");
    expect(calls("change_rules").map((call) => call.change)).toEqual([{ change: "add_preset", line: "wc *" }]);
    expect(textOf(items(PRESET).at(-1))).toMatch(/^wc \*/);
    await waitFor(() => expect(document.activeElement).toBe(button("Add a line")));
    await user.click(button("Undo the last change"));
    await screen.findByText("Undone.");
    expect(textOf(items(PRESET).at(-1))).not.toMatch(/^wc \*/);
  });

  it("is refused with the reason if it never counts", async () => {
    const { user } = await opened();
    await user.click(button("Add a line"));
    await user.keyboard("npm *");
    await waitFor(() =>
      expect(document.querySelector("form .check")?.textContent).toMatch(/nothing like it is proven/),
    );
    await user.keyboard("{Enter}");
    expect((await screen.findByRole("alert")).textContent).toMatch(/never counts/);
    expect(screen.getByLabelText("New line").getAttribute("aria-invalid")).toBe("true");
  });

  it("that covers everything is warned against", async () => {
    const { user } = await opened();
    await user.click(button("Add a line"));
    await user.keyboard("*");
    expect(await screen.findByText(/Covers every command/)).toBeTruthy();
    expect(screen.getByText(/plugin, which shares the file, checks less/i)).toBeTruthy();
    await user.keyboard("{Escape}");
    expect(screen.queryByLabelText("New line")).toBeNull();
  });

  it("is changed in its place", async () => {
    const { user, calls } = await opened();
    const at = items(PRESET).findIndex((item) => textOf(item).startsWith("cat *"));
    await user.click(button("Change cat *"));
    await user.clear(screen.getByLabelText("Changed line"));
    await user.keyboard("cat src/*{Enter}");
    await screen.findByText("Changed to: cat src/*");
    expect(calls("change_rules")[0]?.change).toEqual({ change: "edit_preset", from: "cat *", to: "cat src/*" });
    expect(textOf(items(PRESET)[at])).toMatch(/^cat src\/\*/);
    await waitFor(() => expect(document.activeElement).toBe(button("Change cat src/*")));
  });
});

describe("letting a command pass from now on", () => {
  it("is one explicit click, and can be undone", async () => {
    const { user, calls } = await opened();
    await user.click(button("Let this pass from now on: npm test"));
    await screen.findByText("Passes from now on: npm test");
    expect(calls("change_rules").map((call) => call.change)).toEqual([{ change: "learn", command: "npm test" }]);
    expect(textOf(items(LEARNED).at(-1))).toMatch(/^npm test/);
    await user.click(button("Undo the last change"));
    await waitFor(() => expect(textOf(items(PENDING)[0])).toMatch(/^npm test/));
  });

  it("is not offered for what destroys", async () => {
    await opened();
    expect(screen.queryByRole("button", { name: /^Let this pass from now on: git push/ })).toBeNull();
    expect(screen.getByText(/It is never learned, because it overwrites/)).toBeTruthy();
  });

  it("is offered for what was approved again and again", async () => {
    const { user, calls } = await opened();
    expect(textOf(items("Suggested commands")[0])).toMatch(/npm run lint -- --fix approved 7 times/);
    await user.click(button("Let this pass from now on: docker compose up -d db"));
    await waitFor(() => expect(items("Suggested commands")).toHaveLength(1));
    expect(calls("change_rules")[0]?.change).toEqual({ change: "learn", command: "docker compose up -d db" });
  });
});

describe("the rule that matches a command", () => {
  it.each([
    ["ls src", /Passes, because it only reads\. By the line ls \*/],
    ["npm run typecheck", /Passes, because it is learned\. By the line npm run typecheck/],
    ["ls x; rm y", /You are asked\. The line ls \* covers it, but it has the character ;/],
    ["cat /etc/hosts", /covers it, but its argument \/etc\/hosts is an absolute path/],
    ["make all", /The line make \* covers it, but it isn’t proven to only read/],
    ["rm -rf build", /It is learned, but it destroys something\. The line is rm -rf build/],
    ["npm ci", /no line covers it/],
  ])("is found for %s", async (command, said) => {
    const { user, calls } = await opened();
    await user.click(screen.getByLabelText("Command"));
    await user.paste(command);
    await user.keyboard("{Enter}");
    const panel = screen.getByRole("region", { name: "Which rule matches this command?" });
    await waitFor(() => expect(textOf(panel)).toMatch(said));
    expect(calls("try_command")).toHaveLength(1);
    expect(within(panel).getByRole("group", { name: "What is recommended" })).toBeTruthy();
    await user.keyboard("x");
    expect(within(panel).queryByRole("group", { name: "What is recommended" })).toBeNull();
  });
});

describe("what was found for a command", () => {
  const panel = () => screen.getByRole("region", { name: "Which rule matches this command?" });

  async function tried() {
    const staged = await opened();
    await staged.user.click(screen.getByLabelText("Command"));
    await staged.user.paste("npm run typecheck");
    await staged.user.keyboard("{Enter}");
    await waitFor(() => expect(textOf(panel())).toMatch(/Passes, because it is learned/));
    return staged;
  }

  it("is found out anew when the rules change", async () => {
    const { user } = await tried();
    await user.click(button("Delete npm run typecheck"));
    await waitFor(() => expect(textOf(panel())).toMatch(/no line covers it/));
    expect(textOf(panel())).not.toMatch(/Passes/);
    await user.click(button("Undo deleting npm run typecheck"));
    await waitFor(() => expect(textOf(panel())).toMatch(/Passes, because it is learned/));
  });

  it("and a deleted line hold their places while the rules are read anew: nothing jumps under a hand", async () => {
    const { user } = await tried();
    const heights = new Set<string>();
    const height = () => `${items(LEARNED).length} rows, ${panel().querySelector(".result")?.children.length} results`;
    const now = height();
    const watcher = new MutationObserver(() => heights.add(height()));
    watcher.observe(document.body, { subtree: true, childList: true });
    await user.click(button("Delete npm run typecheck"));
    await waitFor(() => expect(textOf(panel())).toMatch(/no line covers it/));
    await user.click(button("Undo deleting npm run typecheck"));
    await waitFor(() => expect(textOf(panel())).toMatch(/Passes, because it is learned/));
    watcher.disconnect();
    expect([...heights]).toEqual([now]);
  });

  it("is not said any more when somebody else breaks the file, and it can't be found out", async () => {
    const { host } = await tried();
    host.refusals.set("try_command", { code: "failed", message: "the core has ended", hint: "" });
    host.breakRules();
    await waitFor(() => expect(textOf(panel())).toMatch(/The core has ended/));
    expect(textOf(panel())).not.toMatch(/Passes/);
  });
});

describe("the configuration of OpenCode", () => {
  it("is exported in an order that the user can change by keyboard", async () => {
    const { user } = await opened();
    await user.click(button("Export"));
    const rules = () => items("Rules in their order").map((item) => item.querySelector("code")?.textContent);
    await screen.findByRole("list", { name: "Rules in their order" });
    expect(rules().slice(0, 3)).toEqual(["*", "pwd *", "ls *"]);
    const text = () => screen.getByRole("region", { name: "Configuration" }).textContent ?? "";
    expect(text()).toMatch(/"permissions"/);
    await user.click(screen.getByLabelText("OpenCode 1"));
    expect(text()).toMatch(/"bash"/);
    screen.getByRole("button", { name: "Move ls * up" }).focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(rules().slice(0, 3)).toEqual(["*", "ls *", "pwd *"]));
    await waitFor(() => expect(document.activeElement).toBe(button("Move ls * up")));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(rules().slice(0, 3)).toEqual(["ls *", "*", "pwd *"]));
    expect(textOf(items("Rules in their order")[0])).toMatch(/does nothing: a later rule covers it/);
    await user.click(button("As at the beginning"));
    await waitFor(() => expect(rules()[0]).toBe("*"));
    expect(screen.getByText(/What OpenCode lets pass by a pattern and Gavel would not/)).toBeTruthy();
  });

  it("is read from the project, and nothing is taken without a click", async () => {
    const { user, calls } = await opened();
    await user.click(button("Import"));
    await user.click(button("Read the project’s own"));
    await screen.findByText("Read from /home/dev/api-server/opencode.json");
    expect(calls("import_rules")).toEqual([{ call: "import_rules", directory: "/home/dev/api-server", text: null }]);
    const lines = () => items("Rules about commands").map(textOf);
    expect(lines()[0]).toMatch(/^wc \* allow Take Can become a line/);
    expect(lines()[1]).toMatch(/^npm \* allow It never counts/);
    expect(lines()[2]).toMatch(/^npm test allow Take Is one exact command/);
    expect(lines()[3]).toMatch(/^git push \* deny Asks or refuses/);
    expect(calls("change_rules")).toEqual([]);
    await user.click(button("Take wc *"));
    await waitFor(() => expect(lines()[0]).toMatch(/Is in the file already/));
    await user.click(button("Take npm test"));
    await waitFor(() => expect(lines()[2]).toMatch(/Is in the file already/));
    expect(calls("change_rules").map((call) => call.change)).toEqual([
      { change: "add_preset", line: "wc *" },
      { change: "learn", command: "npm test" },
    ]);
    expect(screen.getByText(/Agents with rules of their own.*plan/)).toBeTruthy();
  });

  it("that was pasted wrong is told at its field", async () => {
    const { user } = await opened();
    await user.click(button("Import"));
    await user.click(screen.getByLabelText(/as JSON or JSONC/));
    await user.paste("nonsense");
    await user.click(button("Show what it allows"));
    expect((await screen.findByRole("alert")).textContent).toMatch(/This is no configuration/);
    await user.clear(screen.getByLabelText(/as JSON or JSONC/));
    await user.paste("{}");
    await user.click(button("Show what it allows"));
    expect(await screen.findByText("It says nothing about commands.")).toBeTruthy();
  });
});
