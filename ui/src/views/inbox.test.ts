import { screen, waitFor, within } from "@testing-library/svelte";
import { tick } from "svelte";
import { describe, expect, it } from "vitest";

import type { Request } from "../bindings/api";
import { itself, judging, nobody } from "../host/fake/judge";
import { deceptive, edit, request, script } from "../host/fake/requests";
import { scenes } from "../host/fake/scenes";
import { inboxOf, stage, to } from "../test/stage";

const named = (name: string, change: Partial<Request> = {}) => request(1_000, { text: name, ...change });
const three = () => [named("one"), named("two"), named("three")] as const;
const headline = () => screen.getByRole("heading", { level: 2 }).textContent?.trim();
const rows = () => within(screen.getByRole("list", { name: "Waiting requests" })).getAllByRole("button");
const chosen = () => rows().find((row) => row.getAttribute("aria-current") === "true");

describe("the request card", () => {
  it("says what, where and who, and quotes the agent as the agent", async () => {
    const asked = script(372_000);
    await stage(inboxOf(asked));
    const card = within(screen.getByRole("article"));
    expect(headline()).toBe(asked.headline);
    expect(card.getByText("web-shop")).toBeTruthy();
    expect(card.getByText("/home/dev/web-shop")).toBeTruthy();
    expect(card.getByText("/home/dev/web-shop/deploy")).toBeTruthy();
    expect(card.getByText("Ship the checkout fix to production before noon")).toBeTruthy();
    expect(card.getByText("deploy")).toBeTruthy();
    expect(card.getByText("waiting 6 min")).toBeTruthy();
    expect(card.getByText("Build, push and roll out every service").closest("q")).toBeTruthy();
    expect(card.getByText(/the agent’s own words/)).toBeTruthy();
    expect(card.getByText("Declining also declines the 2 other requests of this session.")).toBeTruthy();
  });

  it("shows the full text, line by line and to the last character", async () => {
    const text = `first\n\n\tthird ${"x".repeat(5_000)}\n<b>last</b>`;
    await stage(inboxOf(named(text)));
    const block = screen.getByRole("region", { name: "Full text" });
    const lines = [...block.querySelectorAll("li")].map((line) => line.textContent);
    expect(lines).toEqual(text.split("\n"));
    expect(block.querySelector("b")).toBeNull();
  });

  it("shows a text of very many lines whole as well", async () => {
    const text = Array.from({ length: 5_000 }, (_, index) => `line ${index}`).join("\n");
    await stage(inboxOf(named(text)));
    expect(screen.getByRole("region", { name: "Full text" }).querySelector("pre")?.textContent).toBe(text);
    expect(screen.getByText(/5,000 lines/)).toBeTruthy();
  });

  it("marks spelled-out characters and warns of them", async () => {
    await stage(inboxOf(deceptive(1_000)));
    const block = screen.getByRole("region", { name: "Full text" });
    expect([...block.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual([
      "⟨U+0435⟩",
      "⟨U+202E⟩",
      "⟨U+202C⟩",
      "⟨U+200B⟩",
    ]);
    expect(screen.getByText(/invisible or change how it reads/)).toBeTruthy();
  });

  it("does not warn where there is nothing to warn of", async () => {
    await stage(inboxOf(named("ls")));
    expect(screen.queryByText(/invisible or change how it reads/)).toBeNull();
    expect(screen.queryByText(/can’t be reached/)).toBeNull();
    expect(screen.queryByText(/Declining also/)).toBeNull();
  });

  it("shows what changes, and how much", async () => {
    await stage(inboxOf(edit(1_000)));
    expect(screen.getByText("6 added, 4 removed")).toBeTruthy();
    const diff = screen.getByRole("region", { name: "Change" });
    expect(diff.querySelectorAll(".added")).toHaveLength(6);
    expect(diff.querySelectorAll(".removed")).toHaveLength(4);
    expect(within(diff).getByText("const MAX_LOGINS = 10;")).toBeTruthy();
  });

  it("says that its server can't be reached", async () => {
    await stage(scenes.offline());
    expect(screen.getByText(/Build box can’t be reached right now/)).toBeTruthy();
  });
});

describe("moving", () => {
  it("goes up and down with keys, and stays at the ends", async () => {
    const { user } = await stage(inboxOf(...three()));
    const seen: (string | undefined)[] = [];
    for (const key of ["k", "j", "{ArrowDown}", "j", "{ArrowUp}"]) {
      await user.keyboard(key);
      seen.push(headline());
    }
    expect(seen).toEqual(["Run one", "Run two", "Run three", "Run three", "Run two"]);
  });

  it("moves the focus along when it is in the list, and Enter takes it to the card and Esc back", async () => {
    const { user } = await stage(inboxOf(...three()));
    chosen()?.focus();
    await user.keyboard("j");
    await waitFor(() => expect(document.activeElement).toBe(rows()[1]));
    await user.keyboard("{Enter}");
    expect(document.activeElement).toBe(screen.getByRole("article"));
    await user.keyboard("{Escape}");
    expect(document.activeElement).toBe(rows()[1]);
  });
});

describe("after a settlement", () => {
  it("the next one is on screen, and the list keeps the focus", async () => {
    const [one, two, three_] = three();
    const { host, user } = await stage(inboxOf(one, two, three_));
    await user.keyboard("j");
    chosen()?.focus();
    host.settle(two.key, { by: "run_ended" });
    await waitFor(() => expect(headline()).toBe("Run three"));
    await waitFor(() => expect(document.activeElement).toBe(chosen()));
    host.settle(three_.key, { by: "run_ended" });
    await waitFor(() => expect(headline()).toBe("Run one"));
  });

  it("a button keeps the focus, so that the next answer needs no hunting", async () => {
    const [one, two] = three();
    const { host, user } = await stage(inboxOf(one, two));
    const approve = screen.getByRole("button", { name: /^Approve/ });
    await user.click(approve);
    host.settle(one.key, { by: "you", decision: { kind: "allow_once" } });
    await waitFor(() => expect(headline()).toBe("Run two"));
    expect(document.activeElement).toBe(approve);
  });

  it("of the last one the focus goes to the heading", async () => {
    const one = named("one");
    const { host, user } = await stage(inboxOf(one));
    await user.click(screen.getByRole("button", { name: /^Approve/ }));
    host.settle(one.key, { by: "you", decision: { kind: "allow_once" } });
    expect(await screen.findByText("Nothing waits.")).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 })));
  });

  it("another one that was settled changes nothing on screen", async () => {
    const [one, two, three_] = three();
    const { host, user } = await stage(inboxOf(one, two, three_));
    await user.keyboard("j");
    host.settle(one.key, { by: "unseen" });
    await waitFor(() => expect(rows()).toHaveLength(2));
    expect(headline()).toBe("Run two");
  });
});

describe("snapshots", () => {
  it("are dropped when a newer one has come already", async () => {
    const { host, gavel } = await stage(inboxOf(named("one")));
    const old = host.snapshot;
    host.publish({ requests: [named("two")] });
    await waitFor(() => expect(headline()).toBe("Run two"));
    gavel.take(old);
    gavel.take({ ...old, revision: host.snapshot.revision });
    await tick();
    expect(headline()).toBe("Run two");
  });

  it("announce what is new, and only that", async () => {
    const { host } = await stage(inboxOf(named("one")));
    const status = document.querySelector("[role=status][aria-live=polite]");
    expect(status?.textContent).toBe("1 request waits");
    host.arrive(named("two"));
    await waitFor(() => expect(status?.textContent).toBe("New request: Run two, in api-server"));
    host.publish({ requests: [...host.snapshot.requests, named("three"), named("four")] });
    await waitFor(() => expect(status?.textContent).toBe("2 new requests"));
    const [first] = host.snapshot.requests;
    if (first) host.settle(first.key, { by: "unseen" });
    await waitFor(() => expect(status?.textContent).toBe("Settled. Now showing: Run two"));
  });

  it("bring up what the backend wants on screen, also if it comes later", async () => {
    const [one, two, three_] = three();
    const { host, user } = await stage(inboxOf(one, two));
    await user.keyboard(to("activity"));
    host.show({ view: "inbox", request: two.key });
    await waitFor(() => expect(headline()).toBe("Run two"));
    host.show({ view: "inbox", request: three_.key });
    await tick();
    expect(headline()).toBe("Run two");
    host.arrive(three_);
    await waitFor(() => expect(headline()).toBe("Run three"));
  });
});

describe("an empty inbox", () => {
  it("says who is asked for a second opinion without having been chosen, and leads there", async () => {
    const { user } = await stage(scenes.empty());
    expect(screen.getByText(/put before the model that works in its session/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Choose who judges" }));
    expect(await screen.findByRole("heading", { level: 1, name: "Judge" })).toBeTruthy();
  });

  it.each([
    ["nobody judges", nobody()],
    ["another was chosen", judging()],
    ["it was chosen", { ...itself(), by_default: false }],
  ])("says nothing of it where %s", async (_, judge) => {
    await stage({ ...scenes.empty(), judge });
    expect(screen.queryByText(/put before the model/)).toBeNull();
  });

  it("teaches how to start a server when there is none", async () => {
    await stage(scenes.first());
    expect(screen.getByText("opencode serve")).toBeTruthy();
    expect(screen.getByText(/found by itself/)).toBeTruthy();
  });

  it("says so when nothing can arrive", async () => {
    await stage({ ...scenes.offline(), requests: [], servers: scenes.offline().servers.slice(0, 1) });
    expect(screen.getByText(/None of the watched servers/)).toBeTruthy();
  });
});

describe("starting", () => {
  it("says why there is nothing to show, and tries again", async () => {
    const { host, gavel, user } = await stage(inboxOf());
    gavel.snapshot = null;
    host.refusals.set("snapshot", "command call not found");
    await gavel.start();
    expect(await screen.findByText("Command call not found.")).toBeTruthy();
    host.refusals.clear();
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("Nothing waits.")).toBeTruthy();
  });
});

describe("an empty inbox", () => {
  it("says which servers need a password", async () => {
    const scene = scenes.empty();
    const [first] = scene.servers;
    if (!first) throw new Error("the scene has a server");
    await stage({
      ...scene,
      requests: [],
      servers: [{ ...first, name: "build-box", link: { state: "needs_password", refused: false } }],
    });
    expect(screen.getByText(/build-box needs a password/)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Servers", description: "" })).toBeTruthy();
  });
});
