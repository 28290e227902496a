import { screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";

import { grant } from "../host/fake/grants";
import { scenes } from "../host/fake/scenes";
import { stage, to } from "../test/stage";

async function opened(grants = scenes.empty().grants) {
  const staged = await stage({ ...scenes.empty(), grants });
  await staged.user.keyboard(to("grants"));
  expect(screen.getByRole("heading", { level: 1, name: "Grants" })).toBeTruthy();
  return staged;
}

const items = () => [...screen.getByRole("list", { name: "Grants" }).children] as HTMLElement[];
const item = (place: number) => within(items()[place] ?? document.body);
const textOf = (place: number) => items()[place]?.textContent?.replace(/\s+/g, " ") ?? "";

afterEach(() => vi.useRealTimers());

describe("the grants", () => {
  it("say what, where, since when, how often, and what ends them", async () => {
    await opened();
    expect(textOf(0)).toMatch(/shell npm test \*.*Ends in 8 min (\d+ s )?not used yet/);
    expect(textOf(0)).toMatch(/api-server in “Rate limit the login route” on 127\.0\.0\.1:4096.*given 12 min ago/);
    expect(textOf(1)).toMatch(
      /git add \*.*git commit \*.*after 4 more uses or with the run used once with its sub-agents/,
    );
    expect(textOf(2)).toMatch(/Ends with the session the server lets it pass by itself, uncounted/);
    expect(textOf(2)).toMatch(/Given for: Go outside the project/);
    expect(item(2).getAllByText("⟨U+200B⟩")[0]?.tagName).toBe("MARK");
  });

  it("count down what is left", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await opened([grant(1, { lasts: { until: Date.now() + 61_000, uses: null, for_run: false } })]);
    expect(item(0).getByText("Ends in 1 min 1 s")).toBeTruthy();
    await vi.advanceTimersByTimeAsync(10_000);
    await waitFor(() => expect(item(0).getByText(/^Ends in [45]\d s$/)).toBeTruthy());
  });

  it("say so of what isn't known", async () => {
    await opened([grant(1, { session: "", project: "", server_name: "" })]);
    expect(textOf(0)).toMatch(/in a session that is not known yet ·/);
  });

  it("teach what they are for when there are none, and lead on", async () => {
    const { user } = await opened([]);
    expect(screen.getByText("Nothing is allowed for a session.")).toBeTruthy();
    expect(screen.getByText(/Press G on the request/)).toBeTruthy();
    const main = within(screen.getByRole("main"));
    await user.click(main.getByRole("button", { name: "Servers" }));
    expect(screen.getByRole("heading", { level: 1, name: "Servers" })).toBeTruthy();
  });
});

describe("taking a grant back", () => {
  const NAME = "shell npm test *";

  it("is one click, stays in place for ten seconds, and is over then", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const staged = await opened([grant(7, { patterns: [{ action: "shell", resource: "ls" }] }), grant(6)]);
    await staged.user.click(screen.getByRole("button", { name: `Take back ${NAME}` }));
    expect(staged.calls("take_grant_back")).toEqual([{ call: "take_grant_back", id: 6 }]);
    const undo = item(1).getByRole("button", { name: `Undo taking back ${NAME}` });
    await waitFor(() => expect(document.activeElement).toBe(undo));
    expect(textOf(1)).toMatch(/can be undone for 10 s/);
    await vi.advanceTimersByTimeAsync(4_000);
    await waitFor(() => expect(textOf(1)).toMatch(/can be undone for [3-6] s/));
    await vi.advanceTimersByTimeAsync(7_000);
    await waitFor(() => expect(items()).toHaveLength(1));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 })));
  });

  it("can be undone", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const staged = await opened([grant(6)]);
    await staged.user.click(screen.getByRole("button", { name: `Take back ${NAME}` }));
    await staged.user.click(screen.getByRole("button", { name: `Undo taking back ${NAME}` }));
    expect(staged.calls("give_grant_again")).toEqual([{ call: "give_grant_again", id: 6 }]);
    const button = screen.getByRole("button", { name: `Take back ${NAME}` });
    await waitFor(() => expect(document.activeElement).toBe(button));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(items()).toHaveLength(1);
  });

  it("says why it could not be done", async () => {
    const { host, user } = await opened([grant(6)]);
    host.refusals.set("take_grant_back", { code: "failed", message: "it is over already", hint: "" });
    await user.click(screen.getByRole("button", { name: `Take back ${NAME}` }));
    expect(await screen.findByText("It is over already.")).toBeTruthy();
    expect(screen.getByRole("button", { name: `Take back ${NAME}` })).toBeTruthy();
  });
});
