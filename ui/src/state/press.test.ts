import { afterEach, describe, expect, it, vi } from "vitest";

import { afterPress } from "./press";

const point = (type: string) => window.dispatchEvent(new Event(type));

describe("what moves the page", () => {
  afterEach(() => {
    point("pointerup");
    vi.useRealTimers();
  });

  it("happens at once while nothing is pressed", () => {
    const change = vi.fn();
    afterPress(change);
    expect(change).toHaveBeenCalledTimes(1);
  });

  it.each(["pointerup", "pointercancel", "blur"])("waits behind a press for the click after %s", (end) => {
    vi.useFakeTimers();
    const order: string[] = [];
    point("pointerdown");
    afterPress(() => order.push("change"));
    // The field that had the focus loses it to what is pressed.
    document.body.dispatchEvent(new FocusEvent("blur"));
    vi.runAllTimers();
    point(end);
    order.push("click");
    vi.runAllTimers();
    expect(order).toEqual(["click", "change"]);
    afterPress(() => order.push("another"));
    expect(order).toEqual(["click", "change", "another"]);
  });
});
