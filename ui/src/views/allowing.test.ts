import { screen, waitFor, within } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, describe, expect, it, vi } from "vitest";

import type { Request } from "../bindings/api";
import { broad, edit, offer, offered, request, whole } from "../host/fake/requests";
import { reach } from "../host/fake/saved";
import { GUARD } from "../state/inbox.svelte";
import { inboxOf, stage, to } from "../test/stage";

type Staged = Awaited<ReturnType<typeof stage>>;

const npm = (change: Partial<Request> = {}) =>
  request(9_000, { text: "npm run build", offers: [offer("shell", "npm *")], ...change });
const dialog = () => within(screen.getByRole("dialog"));
const none = () => expect(screen.queryByRole("dialog", { name: /allow/i })).toBeNull();
const confirm = (name: RegExp) => dialog().getByRole("button", { name });
const readiness = (name: RegExp) => waitFor(() => expect(confirm(name).getAttribute("aria-disabled")).toBe("false"));
const SESSION = { until: null, uses: null, for_run: false };

/** The choice of what else is allowed with a request, open. */
async function opened(asked: Request, ...others: Request[]): Promise<Staged> {
  const staged = await stage(inboxOf(asked, ...others));
  await staged.user.keyboard("g");
  expect(screen.getByRole("dialog", { name: "Allow for this session" })).toBeTruthy();
  return staged;
}

afterEach(() => vi.useRealTimers());

describe("allowing for the session", () => {
  it("is offered where the server proposes something, and nowhere else", async () => {
    const { user, calls } = await stage(inboxOf(request(9_000)));
    expect(screen.queryByRole("button", { name: /^Allow for session/ })).toBeNull();
    await user.keyboard("g");
    none();
    expect(calls("would_match")).toEqual([]);
  });

  it("shows what is proposed and how far it reaches, and allows it with a press on its button only", async () => {
    const asked = offered(9_000);
    const { user, calls } = await opened(asked);
    const patterns = asked.offers.slice(0, 2).map(({ pattern }) => pattern);
    expect(calls("would_match")).toEqual([
      { call: "would_match", directories: [asked.directory], patterns, lines: "unknown" },
    ]);
    await readiness(/^Allow these 2 patterns/);
    // No key allows anything by itself, wherever the focus is.
    await user.keyboard("aAgG{Enter}");
    await user.click(dialog().getByRole("checkbox", { name: "shell npm run build *" }));
    await user.keyboard("{Enter}");
    expect(calls("decide")).toEqual([]);
    await readiness(/^Allow this pattern/);
    await user.click(confirm(/^Allow this pattern/));
    expect(calls("decide")).toEqual([
      {
        call: "decide",
        key: asked.key,
        decision: {
          kind: "allow_for_session",
          patterns: patterns.slice(0, 1),
          includes_children: false,
          lasts: SESSION,
        },
        edition: asked.edition,
      },
    ]);
    none();
    expect(within(screen.getByRole("article")).getByText("Allowing for the session …")).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole("article"));
  });

  it("leaves what needs a second thought unchecked, and says why", async () => {
    const { user, calls } = await opened(offered(9_000));
    const box = dialog().getByRole<HTMLInputElement>("checkbox", { name: "shell rm *" });
    expect(box.checked).toBe(false);
    const why = document.getElementById(box.getAttribute("aria-describedby") ?? "");
    expect(why?.textContent.replace(/\s+/g, " ").trim()).toBe("Matches rm x, which deletes or throws work away.");
    await user.click(box);
    await readiness(/^Allow these 3 patterns/);
    await user.click(confirm(/^Allow these 3 patterns/));
    const [decision] = calls("decide").map((call) => call.decision);
    expect(decision?.kind === "allow_for_session" && decision.patterns.at(-1)?.resource).toBe("rm *");
  });

  it("leaves all unchecked where a server asks about whole lines", async () => {
    const { calls } = await opened(whole(9_000));
    for (const box of dialog().getAllByRole<HTMLInputElement>("checkbox", { name: /^shell/ })) {
      expect(box.checked).toBe(false);
    }
    expect(dialog().getAllByText(/asks about whole command lines, so it also matches/)).toHaveLength(2);
    expect(dialog().getByText("npm test x; rm -rf y")).toBeTruthy();
    expect(confirm(/^Allow$/).getAttribute("aria-disabled")).toBe("true");
    expect(calls("would_match")).toEqual([]);
  });

  it("shows how far all that is checked reaches together, whatever is checked", async () => {
    const { host, user, calls } = await opened(offered(9_000));
    const joint = () => within(dialog().getByRole("region", { name: "How far this reaches" }));
    await readiness(/^Allow these 2 patterns/);
    const asked = () => calls("would_match").map(({ patterns }) => patterns.map(({ resource }) => resource));
    for (const [box, then, sum] of [
      ["shell rm *", ["git add *", "npm run build *", "rm *"], /^Would have let pass .* 244 past requests here/],
      ["shell git add *", ["npm run build *", "rm *"], /^Would have let pass/],
      ["shell npm run build *", ["rm *"], /^Would have let pass/],
    ] as const) {
      await user.click(dialog().getByRole("checkbox", { name: box }));
      expect(asked().at(-1)).toEqual(then);
      await waitFor(() => expect(joint().getByText(sum)).toBeTruthy());
    }
    await user.click(dialog().getByRole("checkbox", { name: "shell rm *" }));
    expect(joint().getByText(/What is checked is held against/)).toBeTruthy();
    expect(asked()).toHaveLength(4);

    // What is dangerous is told first, and what is not matched as well.
    const past = { at: 0, times: 1, partly: false, deletes: false, declined: false };
    const call = host.call.bind(host);
    host.call = async (one) =>
      one.call !== "would_match"
        ? call(one)
        : {
            answer: "would_match",
            reach: reach(
              [
                { ...past, number: 7, title: "Run rm -rf dist", deletes: true },
                { ...past, number: 9, title: "Run rm notes.md", declined: true, deletes: true },
                { ...past, number: 8, title: "Run rm a && ls", partly: true, times: 2 },
              ],
              { total: 40, others: [{ ...past, number: 3, title: "Run git push" }] },
            ),
          };
    await user.click(dialog().getByRole("checkbox", { name: "shell rm *" }));
    const sum = "Would have let pass 2 of 40 past requests here, 2 of them delete files, you declined 1 of them.";
    expect(await joint().findByText(sum)).toBeTruthy();
    expect(joint().getByText(/^2 more match in part only/)).toBeTruthy();
    const [matched, others] = joint().getAllByRole("list");
    expect(matched?.textContent).toMatch(/rm -rf dist.*deletes files.*rm notes.*declined.*2 times.*in part/);
    expect(matched?.closest("details")?.open).toBe(true);
    expect(others?.textContent).toContain("Run git push");
    expect(others?.closest("details")?.open).toBe(false);
  });

  it("drops what it heard of patterns that are no longer checked", async () => {
    const staged = await stage(inboxOf(offered(9_000)));
    const waiting: (() => void)[] = [];
    const call = staged.host.call.bind(staged.host);
    staged.host.call = (one) =>
      one.call === "would_match" ? new Promise((done) => waiting.push(() => done(call(one)))) : call(one);
    await staged.user.keyboard("g");
    await staged.user.click(dialog().getByRole("checkbox", { name: "shell git add *" }));
    expect(waiting).toHaveLength(2);
    waiting[0]?.();
    await tick();
    await Promise.resolve();
    expect(confirm(/^Allow this pattern/).getAttribute("aria-disabled")).toBe("true");
    waiting[1]?.();
    await readiness(/^Allow this pattern/);
  });

  it("puts a narrower pattern in the place of what is proposed with one click, and back", async () => {
    const { user, calls } = await opened(offered(9_000));
    const instead = (pattern: string) => within(dialog().getByRole("group", { name: `Instead of shell ${pattern}` }));
    await user.click(instead("rm *").getByRole("button", { name: "Only rm -rf *" }));
    const box = dialog().getByRole<HTMLInputElement>("checkbox", { name: "shell rm -rf *" });
    expect(box.checked).toBe(true);
    expect(document.activeElement).toBe(box);
    await readiness(/^Allow these 3 patterns/);
    expect(calls("would_match").at(-1)?.patterns.at(-1)).toEqual({ action: "shell", resource: "rm -rf *" });
    // What is the matter with it is said of what stands there now.
    expect(dialog().getByText("rm -rf x")).toBeTruthy();
    await user.click(instead("rm -rf *").getByRole("button", { name: "As proposed" }));
    expect(dialog().getByText("rm x")).toBeTruthy();
    await user.click(instead("rm *").getByRole("button", { name: "Only rm -rf dist/old" }));
    await readiness(/^Allow these 3 patterns/);
    await user.click(confirm(/^Allow these 3 patterns/));
    const [decision] = calls("decide").map((call) => call.decision);
    expect(decision?.kind === "allow_for_session" && decision.patterns.map(({ resource }) => resource)).toEqual([
      "git add *",
      "npm run build *",
      "rm -rf dist/old",
    ]);
  });

  it("allows two that were made the same once", async () => {
    const asked = npm({ offers: [offer("shell", "npm *", { narrower: ["npm test"] }), offer("shell", "npm test")] });
    const { user, calls } = await opened(asked);
    await user.click(confirm(/^Only npm test/));
    await readiness(/^Allow this pattern/);
    await user.click(confirm(/^Allow this pattern/));
    const [decision] = calls("decide").map((call) => call.decision);
    expect(decision?.kind === "allow_for_session" && decision.patterns).toEqual([
      { action: "shell", resource: "npm test" },
    ]);
  });

  it("sends nothing before it is known how far it reaches", async () => {
    const staged = await stage(inboxOf(npm()));
    let answer: () => void = () => {};
    const call = staged.host.call.bind(staged.host);
    staged.host.call = (one) =>
      one.call === "would_match" ? new Promise((done) => (answer = () => done(call(one)))) : call(one);
    await staged.user.keyboard("g");
    expect(dialog().getAllByText(/Looking at what/)).toHaveLength(2);
    await staged.user.click(confirm(/^Allow this pattern/));
    expect(staged.calls("decide")).toEqual([]);
    answer();
    await readiness(/^Allow this pattern/);
    expect(dialog().getByText(/^Would have let pass \d+ of 244 past requests here/)).toBeTruthy();
  });

  it("says so where that can't be known, and leaves it to the user", async () => {
    const staged = await stage(inboxOf(npm()));
    staged.host.refusals.set("would_match", { code: "failed", message: "no", hint: "" });
    await staged.user.keyboard("g");
    expect(await dialog().findByText(/could not be found out/)).toBeTruthy();
    await readiness(/^Allow this pattern/);
  });

  it("needs something to be checked", async () => {
    const { user, calls } = await opened(npm());
    await user.click(dialog().getByRole("checkbox", { name: "shell npm *" }));
    expect(dialog().getByText(/Nothing is checked/)).toBeTruthy();
    await user.click(confirm(/^Allow$/));
    expect(calls("decide")).toEqual([]);
  });

  it("takes a narrower pattern and none that may be wider", async () => {
    const { user, calls } = await opened(npm());
    await user.click(confirm(/^Narrow shell npm \*/));
    const field = dialog().getByLabelText<HTMLTextAreaElement>("Pattern");
    expect(document.activeElement).toBe(field);
    for (const [typed, error] of [
      ["n*", /not certain to be narrower than the proposed npm \*/],
      ["*", /not certain to be narrower/],
      ["pnpm test", /not certain to be narrower/],
      [" ", /matches nothing/],
      ["npm \u200btest", /character that can’t be seen/],
      ["npm\u00a0test", /character that can’t be seen/],
    ] as const) {
      await user.clear(field);
      await user.type(field, typed);
      expect(dialog().getByRole("alert").textContent).toMatch(error);
      expect(field.getAttribute("aria-invalid")).toBe("true");
      await user.click(confirm(/^Allow this pattern/));
    }
    expect(calls("decide")).toEqual([]);
    await user.clear(field);
    await user.type(field, "npm run *");
    expect(dialog().queryByRole("alert")).toBeNull();
    await readiness(/^Allow this pattern/);
    expect(calls("would_match").at(-1)?.patterns).toEqual([{ action: "shell", resource: "npm run *" }]);
    await user.click(confirm(/^Allow this pattern/));
    expect(calls("decide").map((call) => call.decision)).toEqual([
      {
        kind: "allow_for_session",
        patterns: [{ action: "shell", resource: "npm run *" }],
        includes_children: false,
        lasts: SESSION,
      },
    ]);
  });

  it("doesn't let edit what can't be seen, and warns of what matches everything", async () => {
    await opened(broad(9_000));
    expect(dialog().getByText("⟨U+200B⟩").tagName).toBe("MARK");
    expect(dialog().getByText(/holds hidden characters/)).toBeTruthy();
    expect(dialog().queryAllByRole("button", { name: /^Narrow/ })).toHaveLength(0);
    expect(dialog().getByText("Matches everything that edit can ask for.")).toBeTruthy();
    const boxes = dialog().getAllByRole<HTMLInputElement>("checkbox", { name: /^edit/ });
    expect(boxes.map((box) => box.checked)).toEqual([false, true]);
  });

  it.each([
    ["15 minutes", { until: 15 * 60_000 }],
    ["1 hour", { until: 60 * 60_000 }],
    ["Until the run ends", { for_run: true }],
    ["A number of times", { uses: 3 }],
  ])("lasts for: %s", async (name, lasts) => {
    const { user, calls } = await opened(npm());
    await user.click(dialog().getByRole("radio", { name }));
    if (name.startsWith("A number")) {
      const field = dialog().getByLabelText("How often");
      for (const bad of ["0", "-1", "1.5", "1001", "x"]) {
        await user.clear(field);
        await user.type(field, bad);
        expect(dialog().getByRole("alert").textContent).toMatch(/whole number from 1/);
        expect(confirm(/^Allow this pattern/).getAttribute("aria-disabled")).toBe("true");
      }
      await user.clear(field);
      await user.type(field, "3");
    }
    await user.click(dialog().getByRole("checkbox", { name: /sub-agents/ }));
    await readiness(/^Allow this pattern/);
    const before = Date.now();
    await user.click(confirm(/^Allow this pattern/));
    const [decision] = calls("decide").map((call) => call.decision);
    if (decision?.kind !== "allow_for_session") throw new Error("nothing was allowed");
    expect(decision.includes_children).toBe(true);
    const { until, ...rest } = { ...SESSION, ...lasts };
    expect(decision.lasts).toMatchObject(rest);
    if (until === null) expect(decision.lasts.until).toBeNull();
    else expect(Math.abs((decision.lasts.until ?? 0) - before - until)).toBeLessThan(5_000);
  });

  it("is given up with Esc or Cancel, after which keys work again", async () => {
    const { user, calls } = await opened(npm());
    await user.keyboard("{Escape}");
    none();
    await user.keyboard("g");
    await user.click(confirm(/^Cancel/));
    none();
    expect(calls("decide")).toEqual([]);
    await user.keyboard("s");
    expect(calls("decide").map((call) => call.decision.kind)).toEqual(["stop"]);
  });

  it("isn't begun right after the request on screen changed by itself", async () => {
    const [one, two] = [npm(), npm({ text: "npm test" })];
    const { host, user, pass } = await stage(inboxOf(one, two));
    host.settle(one.key, { by: "another_client", reply: "once" });
    await tick();
    await user.keyboard("g");
    none();
    expect(screen.getByText(/changed just now, so nothing was sent/)).toBeTruthy();
    pass(GUARD);
    await user.keyboard("g");
    expect(screen.getByRole("dialog", { name: "Allow for this session" })).toBeTruthy();
  });

  it("is over when the request is settled elsewhere, and hits no other", async () => {
    const [one, two] = [npm(), npm({ text: "npm test" })];
    const { host, user, calls, pass } = await opened(one, two);
    host.settle(one.key, { by: "another_client", reply: "once" });
    expect(await dialog().findByText(/settled meanwhile/)).toBeTruthy();
    pass(10 * GUARD);
    expect(dialog().queryByRole("button", { name: /^Allow/ })).toBeNull();
    await user.click(confirm(/^Close/));
    none();
    expect(screen.getByRole("heading", { level: 2 }).textContent).toContain("npm test");
    expect(calls("decide")).toEqual([]);
  });

  it.each([
    ["more of what would run", { edition: 2 }],
    ["another proposal", { offers: [offer("shell", "*")] }],
  ])("has to be begun anew when there is %s", async (_, change) => {
    const asked = npm();
    const { host, user, calls } = await opened(asked);
    host.publish({ requests: [{ ...asked, ...change }] });
    expect(await dialog().findByText(/More of this request became known/)).toBeTruthy();
    expect(dialog().queryByRole("button", { name: /^Allow/ })).toBeNull();
    await user.click(confirm(/^Close/));
    expect(calls("decide")).toEqual([]);
  });

  it("is not gone on with behind another view", async () => {
    const { host } = await opened(npm());
    host.show({ view: "activity" });
    await waitFor(none);
    host.show({ view: "inbox" });
    await waitFor(() => expect(screen.getByRole("article")).toBeTruthy());
    none();
  });

  it("shows why it could not be sent", async () => {
    const { host, user } = await opened(npm());
    await readiness(/^Allow this pattern/);
    host.refusals.set("decide", { code: "failed", message: "the core is gone", hint: "" });
    await user.click(confirm(/^Allow this pattern/));
    expect(await screen.findByText("The core is gone.")).toBeTruthy();
  });

  it("becomes a grant that is listed", async () => {
    const asked = npm();
    const { host, user, calls } = await opened(asked);
    await readiness(/^Allow this pattern/);
    await user.click(confirm(/^Allow this pattern/));
    const [decision] = calls("decide").map((call) => call.decision);
    if (decision) host.settle(asked.key, { by: "you", decision });
    await user.keyboard(to("grants"));
    const [first] = within(screen.getByRole("list", { name: "Grants" })).getAllByRole("listitem");
    expect(first?.textContent).toMatch(/shell\s*npm \*/);
  });
});

describe("allowing for good", () => {
  it.each([
    ["project", /^Always in this project/, "Always allow in this project", /for good/, /^Always allow these/],
    [
      "until_restart",
      /^Always, until OpenCode restarts/,
      /until OpenCode restarts/,
      /until this OpenCode/,
      /^Allow these until/,
    ],
  ] as const)("%s: shows the patterns, their reach and how long, before anything is sent", async (...given) => {
    const [always, open, title, means, yes] = given;
    const asked = npm({ always });
    const { user, calls } = await opened(asked);
    // What was made of the proposal for the session is not what is allowed for good.
    await user.click(confirm(/^Narrow/));
    await user.type(dialog().getByLabelText("Pattern"), "x");
    await user.click(confirm(open));
    expect(screen.getByRole("dialog", { name: title })).toBeTruthy();
    expect(dialog().getByText(means)).toBeTruthy();
    expect(dialog().getByText("npm *")).toBeTruthy();
    await readiness(yes);
    expect(calls("would_match").at(-1)?.patterns).toEqual([{ action: "shell", resource: "npm *" }]);
    expect(dialog().getByText(/^Would have let pass \d+ of 244 past requests here/)).toBeTruthy();
    expect(document.activeElement?.tagName).toBe("H2");
    await user.keyboard("{Enter}aAgG ");
    expect(calls("decide")).toEqual([]);
    await user.click(confirm(yes));
    expect(calls("decide")).toEqual([
      { call: "decide", key: asked.key, decision: { kind: "allow_always" }, edition: asked.edition },
    ]);
  });

  it("asks once more where something reaches very far", async () => {
    const { user, calls } = await opened(offered(9_000));
    await user.click(confirm(/^Always in this project/));
    expect(dialog().getByText("rm x")).toBeTruthy();
    expect(await dialog().findByText(/Something here reaches very far/)).toBeTruthy();
    await user.click(confirm(/^Always allow these/));
    expect(calls("decide")).toEqual([]);
    await user.click(dialog().getByRole("checkbox", { name: "I want what is marked, too" }));
    await readiness(/^Always allow these/);
    expect(calls("would_match").at(-1)?.patterns).toHaveLength(3);
    await user.click(confirm(/^Always allow these/));
    expect(calls("decide").map((call) => call.decision)).toEqual([{ kind: "allow_always" }]);
  });

  it("can be thought better of", async () => {
    const { user, calls } = await opened(npm());
    await user.click(confirm(/^Always/));
    await user.click(confirm(/^Back/));
    expect(screen.getByRole("dialog", { name: "Allow for this session" })).toBeTruthy();
    await user.click(confirm(/^Always/));
    await user.keyboard("{Escape}");
    none();
    expect(calls("decide")).toEqual([]);
  });
});

describe("what was not read", () => {
  const ends = new Map<Element, () => void>();
  class Screen {
    readonly #tell: IntersectionObserverCallback;
    constructor(tell: IntersectionObserverCallback) {
      this.#tell = tell;
    }
    observe(end: Element): void {
      const entry = { isIntersecting: true } as IntersectionObserverEntry;
      ends.set(end, () => this.#tell([entry], this as unknown as IntersectionObserver));
    }
    disconnect(): void {}
  }

  afterEach(() => vi.unstubAllGlobals());

  it("can't be allowed for a session either: it is brought up first", async () => {
    ends.clear();
    vi.stubGlobal("IntersectionObserver", Screen);
    const brought = vi.fn();
    Element.prototype.scrollIntoView = brought;
    const { user } = await stage(inboxOf({ ...edit(9_000), offers: [offer("edit", "*")] }));
    await user.keyboard("g");
    none();
    expect(brought).toHaveBeenCalled();
    expect(screen.getByText(/more to read/)).toBeTruthy();
    for (const [end, seen] of [...ends]) if (end.isConnected) seen();
    await user.keyboard("g");
    expect(screen.getByRole("dialog", { name: "Allow for this session" })).toBeTruthy();
  });
});
