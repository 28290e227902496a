import { screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { edit, request } from "../host/fake/requests";
import { inboxOf, stage } from "../test/stage";

/** What is on screen is for the test to say. */
class Screen {
  static readonly ends = new Map<Element, () => void>();
  readonly #tell: IntersectionObserverCallback;

  constructor(tell: IntersectionObserverCallback) {
    this.#tell = tell;
  }

  observe(end: Element): void {
    const entry = { isIntersecting: true } as IntersectionObserverEntry;
    Screen.ends.set(end, () => this.#tell([entry], this as unknown as IntersectionObserver));
  }

  disconnect(): void {
    for (const end of Screen.ends.keys()) if (!end.isConnected) Screen.ends.delete(end);
  }

  /** All that is mounted comes on screen. */
  static show(): void {
    for (const [end, seen] of [...Screen.ends]) if (end.isConnected) seen();
  }
}

describe("what is approved has been read", () => {
  const scrolled = vi.fn();

  beforeEach(() => {
    Screen.ends.clear();
    vi.stubGlobal("IntersectionObserver", Screen);
    Element.prototype.scrollIntoView = scrolled;
    scrolled.mockClear();
  });

  afterEach(() => vi.unstubAllGlobals());

  it("to its end: until then, approving brings the end up", async () => {
    const { user, calls } = await stage(inboxOf(request(9_000)));
    await user.keyboard("a");
    expect(calls("decide")).toEqual([]);
    expect(scrolled.mock.contexts.at(-1)).toBe([...Screen.ends.keys()].at(-1));
    expect(screen.getByText(/more to read/)).toBeTruthy();
    Screen.show();
    await user.keyboard("a");
    expect(calls("decide").map((call) => call.decision.kind)).toEqual(["allow_once"]);
  });

  it("the change of a file as well as its path", async () => {
    const { user, calls } = await stage(inboxOf(edit(9_000)));
    expect([...Screen.ends.keys()].filter((end) => end.isConnected)).toHaveLength(2);
    await user.click(screen.getByRole("button", { name: /Approve/ }));
    expect(calls("decide")).toEqual([]);
    Screen.show();
    await user.click(screen.getByRole("button", { name: /Approve/ }));
    expect(calls("decide")).toHaveLength(1);
  });

  it("but refusing needs no reading", async () => {
    const { user, calls } = await stage(inboxOf(request(9_000)));
    await user.keyboard("s");
    expect(calls("decide").map((call) => call.decision.kind)).toEqual(["stop"]);
  });
});
