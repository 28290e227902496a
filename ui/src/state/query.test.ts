import { describe, expect, it } from "vitest";

import { daysUntil, everything, isEverything, roundTimes } from "./query";

describe("a query", () => {
  it("asks for everything until something is asked for", () => {
    expect(isEverything(everything())).toBe(true);
    expect(isEverything({ ...everything(), text: "  " })).toBe(true);
    for (const change of [{ text: "a" }, { server: "s" }, { ending: "over" as const }, { from: 0 }]) {
      expect(isEverything({ ...everything(), ...change })).toBe(false);
    }
  });
});

describe("days", () => {
  it("begin at midnight, the last one today", () => {
    const now = new Date(2026, 2, 30, 15, 20).getTime();
    const days = daysUntil(now, 3).map((day) => new Date(day));
    expect(days.map((day) => [day.getMonth(), day.getDate(), day.getHours(), day.getMinutes()])).toEqual([
      [2, 28, 0, 0],
      [2, 29, 0, 0],
      [2, 30, 0, 0],
    ]);
  });

  it("go back over the ends of months and years", () => {
    const days = daysUntil(new Date(2026, 0, 1, 0, 0).getTime(), 400).map((day) => new Date(day));
    expect(days.length).toBe(400);
    expect(new Set(days.map((day) => day.toDateString())).size).toBe(400);
    expect(days.every((day) => day.getHours() === 0)).toBe(true);
  });
});

describe("round times", () => {
  const SECOND = 1_000;
  it.each([
    [0, [0, 1]],
    [900, [0, 1]],
    [7 * SECOND, [0, 5, 10]],
    [214 * SECOND, [0, 120, 240]],
    [3_600 * SECOND, [0, 1_800, 3_600]],
    [40 * 3_600 * SECOND, [0, 86_400, 172_800]],
  ])("up to %d ms are %j s", (highest, seconds) => {
    expect(roundTimes(highest)).toEqual(seconds.map((one) => one * SECOND));
  });
});
