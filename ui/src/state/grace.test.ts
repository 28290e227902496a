import { expect, it } from "vitest";

import { graceOf, secondsOf } from "./grace";

it.each([
  ["0", 0],
  ["0.3", 300],
  ["0,3", 300],
  [" 1.5 ", 1_500],
  ["60", 60_000],
  ["60.001", null],
  ["-1", null],
  ["1e1", null],
  ["", null],
  ["soon", null],
])("reads %j", (typed, millis) => {
  expect(graceOf(typed)).toBe(millis);
});

it("writes what it reads", () => {
  for (const millis of [0, 300, 1_000, 60_000]) expect(graceOf(secondsOf(millis))).toBe(millis);
});
