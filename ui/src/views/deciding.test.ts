import { screen, waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import type { Request } from "../bindings/api";
import { request } from "../host/fake/requests";
import { GUARD } from "../state/inbox.svelte";
import { inboxOf, stage, to } from "../test/stage";

const named = (name: string, change: Partial<Request> = {}) => request(1_000, { text: name, ...change });
const three = () => [named("one"), named("two"), named("three")] as const;
const headline = () => screen.getByRole("heading", { level: 2 }).textContent?.trim();
const button = (name: string) => screen.getByRole("button", { name: new RegExp(`^${name}`) });

describe("answering", () => {
  it.each([
    ["a", { kind: "allow_once" }],
    ["s", { kind: "stop" }],
  ])("%s answers the request on screen, and no other", async (key, decision) => {
    const [one, two, three_] = three();
    const { user, calls } = await stage(inboxOf(one, two, three_));
    await user.keyboard(key);
    expect(calls("decide")).toEqual([{ call: "decide", key: one.key, decision, edition: one.edition }]);
  });

  it.each([
    ["Approve", { kind: "allow_once" }],
    ["Stop", { kind: "stop" }],
  ])("the button %s does the same", async (name, decision) => {
    const one = named("one");
    const { user, calls } = await stage(inboxOf(one));
    await user.click(button(name));
    expect(calls("decide")).toEqual([{ call: "decide", key: one.key, decision, edition: one.edition }]);
  });

  it("sends one answer, however often the key is pressed", async () => {
    const { user, calls } = await stage(inboxOf(named("one")));
    await user.keyboard("aaas");
    await user.click(button("Approve"));
    expect(calls("decide")).toHaveLength(1);
    expect(within(screen.getByRole("article")).getByText("Approving …")).toBeTruthy();
  });

  it("shows why an answer could not be sent, and lets the user answer again", async () => {
    const { host, user, calls } = await stage(inboxOf(named("one")));
    host.refusals.set("decide", { code: "failed", message: "the core is gone", hint: "start it again" });
    await user.keyboard("a");
    expect(await screen.findByText("The core is gone.")).toBeTruthy();
    expect(screen.getByText("Start it again.")).toBeTruthy();
    host.refusals.clear();
    await user.keyboard("s");
    expect(calls("decide").map((call) => call.decision.kind)).toEqual(["allow_once", "stop"]);
    expect(screen.queryByText("The core is gone.")).toBeNull();
  });

  it("sends an undelivered answer again, or another one", async () => {
    const lost = named("one", {
      phase: { phase: "undelivered", decision: { kind: "allow_once" }, why: "no route" },
    });
    const { host, user, calls } = await stage(inboxOf(lost));
    expect(screen.getByText("Your approval could not be delivered: no route.")).toBeTruthy();
    await user.keyboard("r");
    expect(calls("retry")).toEqual([{ call: "retry", key: lost.key }]);
    host.publish({ requests: [lost] });
    await waitFor(() => expect(button("Retry")).toBeTruthy());
    await user.keyboard("s");
    expect(calls("decide").map((call) => call.decision.kind)).toEqual(["stop"]);
  });

  it("does nothing in other views, in fields, or under the list of keys", async () => {
    const { user, calls } = await stage(inboxOf(named("one")));
    await user.keyboard(to("servers"));
    await user.keyboard("a");
    await user.click(screen.getByLabelText("Address"));
    await user.keyboard("asdr?");
    expect(screen.queryByRole("dialog")).toBeNull();
    await user.click(screen.getByRole("heading", { level: 1 }));
    await user.keyboard(`${to("inbox")}?`);
    expect(screen.getByRole("dialog")).toBeTruthy();
    await user.keyboard("a");
    expect(calls("decide")).toEqual([]);
  });
});

describe("the reason of a decline", () => {
  it("is written in place and sent with Enter", async () => {
    const one = named("one");
    const { user, calls } = await stage(inboxOf(one, named("two")));
    await user.keyboard("d");
    const field = screen.getByLabelText(/Why not/);
    expect(document.activeElement).toBe(field);
    await user.keyboard("use pnpm, as said ajks?{Enter}");
    expect(calls("decide")).toEqual([
      {
        call: "decide",
        key: one.key,
        decision: { kind: "decline", reason: "use pnpm, as said ajks?" },
        edition: one.edition,
      },
    ]);
    expect(screen.queryByLabelText(/Why not/)).toBeNull();
  });

  it("may be empty", async () => {
    const { user, calls } = await stage(inboxOf(named("one")));
    await user.click(button("Decline"));
    await user.keyboard("{Enter}");
    expect(calls("decide").map((call) => call.decision)).toEqual([{ kind: "decline", reason: "" }]);
  });

  it("is given up with Esc, after which keys work again", async () => {
    const { user, calls } = await stage(inboxOf(named("one")));
    await user.keyboard("dno{Escape}");
    expect(screen.queryByLabelText(/Why not/)).toBeNull();
    expect(calls("decide")).toEqual([]);
    await user.keyboard("s");
    expect(calls("decide").map((call) => call.decision)).toEqual([{ kind: "stop" }]);
  });

  it("keeps its request on screen when that is settled elsewhere, so that no letter hits the next", async () => {
    const [one, two] = three();
    const { host, user, calls, pass } = await stage(inboxOf(one, two));
    await user.keyboard("duse ");
    host.settle(one.key, { by: "another_client", reply: "once" });
    expect(await screen.findByText(/settled meanwhile/)).toBeTruthy();
    pass(10 * GUARD);
    await user.keyboard("pnpm and save a dependency");
    expect(headline()).toBe("Run one");
    await user.keyboard("{Enter}");
    expect(headline()).toBe("Run two");
    await user.keyboard("a");
    expect(calls("decide")).toEqual([]);
  });

  it("is not carried over to another request", async () => {
    const { user } = await stage(inboxOf(...three()));
    await user.keyboard("dno");
    await user.click(screen.getByRole("button", { name: /Run two/ }));
    expect(headline()).toBe("Run two");
    expect(screen.queryByLabelText(/Why not/)).toBeNull();
  });
});

describe("a request that slides in by itself", () => {
  it("can't be answered at once, neither by key nor by button", async () => {
    const [one, two, three_] = three();
    const { host, user, calls, pass } = await stage(inboxOf(one, two, three_));
    host.settle(one.key, { by: "another_client", reply: "once" });
    await waitFor(() => expect(headline()).toBe("Run two"));
    pass(GUARD - 1);
    await user.keyboard("a");
    await user.keyboard("s");
    await user.click(button("Approve"));
    await user.click(button("Decline"));
    expect(calls("decide")).toEqual([]);
    expect(screen.queryByLabelText(/Why not/)).toBeNull();
    expect(screen.getByText(/changed just now, so nothing was sent/)).toBeTruthy();
    pass(1);
    await user.keyboard("a");
    expect(calls("decide").map((call) => call.key)).toEqual([two.key]);
  });

  it("can't be answered by the second press of a hasty user either", async () => {
    const [one, two] = three();
    const { host, user, calls } = await stage(inboxOf(one, two));
    await user.keyboard("a");
    host.settle(one.key, { by: "you", decision: { kind: "allow_once" } });
    await waitFor(() => expect(headline()).toBe("Run two"));
    await user.keyboard("a");
    expect(calls("decide").map((call) => call.key)).toEqual([one.key]);
  });

  it("is protected as well when the inbox was empty", async () => {
    const { host, user, calls } = await stage(inboxOf());
    host.arrive(named("one"));
    await waitFor(() => expect(headline()).toBe("Run one"));
    await user.keyboard("a");
    expect(calls("decide")).toEqual([]);
  });

  it("can be answered at once if the user went to it", async () => {
    const [one, two] = three();
    const { user, calls } = await stage(inboxOf(one, two));
    await user.keyboard("ja");
    expect(calls("decide").map((call) => call.key)).toEqual([two.key]);
  });
});

describe("identical requests", () => {
  const same = (title: string) => named("npm test", { chain: [{ title, agent: "build" }] });

  it("are approved together, each of them by an answer of its own", async () => {
    const all = [same("one"), named("npm test -- --watch"), same("two"), same("three")] as const;
    const { user, calls } = await stage(inboxOf(...all));
    expect(screen.getByText("3 identical requests wait, in api-server.")).toBeTruthy();
    await user.click(button("Approve all 3"));
    const decision = { kind: "allow_once" };
    expect(calls("decide")).toEqual(
      [all[0], all[2], all[3]].map(({ key, edition }) => ({ call: "decide", key, decision, edition })),
    );
  });

  it("are declined together with one reason", async () => {
    const { user, calls } = await stage(inboxOf(same("one"), same("two")));
    await user.keyboard("{Shift>}d{/Shift}");
    await user.keyboard("Not now.{Enter}");
    expect(calls("decide").map(({ decision }) => decision)).toEqual([
      { kind: "decline", reason: "Not now." },
      { kind: "decline", reason: "Not now." },
    ]);
  });

  it("are not spoken of, and one is answered, when there is but one", async () => {
    const { user, calls } = await stage(inboxOf(same("one"), named("npm ci")));
    expect(screen.queryByText(/identical requests? wait/)).toBeNull();
    await user.keyboard("{Shift>}a{/Shift}");
    expect(calls("decide")).toHaveLength(1);
  });

  it("are not answered right after the request on screen changed by itself", async () => {
    const [first, ...others] = [named("one"), same("two"), same("three")];
    const { host, user, calls } = await stage(inboxOf(first as Request, ...others));
    host.settle((first as Request).key, { by: "unseen" });
    await user.keyboard("{Shift>}a{/Shift}");
    expect(calls("decide")).toEqual([]);
    expect(screen.getByText(/changed just now/)).toBeTruthy();
  });

  it("that were declined one by one keep the others waiting", async () => {
    const { user, calls } = await stage(inboxOf(same("one"), same("two")));
    await user.keyboard("d{Enter}");
    expect(calls("decide")).toHaveLength(1);
  });
});
