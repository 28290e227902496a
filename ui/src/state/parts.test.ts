import { describe, expect, it } from "vitest";

import type { Part } from "../bindings/api";
import { runs, words } from "./parts";

const part = (start: number, end: number, why = `${start}-${end}`): Part => ({
  start,
  end,
  why,
  class: "writes",
  recommendation: "ask",
});

describe("the runs of a text", () => {
  const cases: [string, string, number, Part[], [string, string | null][]][] = [
    ["has one without parts", "ls", 0, [], [["ls", null]]],
    ["has one for the whole", "ls", 0, [part(0, 2)], [["ls", "0-2"]]],
    [
      "has what lies between as well",
      "a && bc",
      0,
      [part(0, 1), part(5, 7)],
      [
        ["a", "0-1"],
        [" && ", null],
        ["bc", "5-7"],
      ],
    ],
    [
      "names the innermost",
      "sh -c 'x'",
      0,
      [part(0, 9), part(7, 8)],
      [
        ["sh -c '", "0-9"],
        ["x", "7-8"],
        ["'", "0-9"],
      ],
    ],
    [
      "goes on in the next line",
      "more",
      5,
      [part(2, 7)],
      [
        ["mo", "2-7"],
        ["re", null],
      ],
    ],
    ["has none for nothing", "", 3, [part(0, 9)], []],
  ];
  it.each(cases)("%s", (_, text, at, parts, expected) => {
    expect(runs(text, at, parts).map((run) => [run.text, run.part?.why ?? null])).toEqual(expected);
  });

  it("lose nothing of it", () => {
    const text = "find . -name '*.o' -exec rm {} +";
    const parts = [part(0, 32), part(25, 30), part(-4, 6), part(30, 99)];
    expect(
      runs(text, 0, parts)
        .map((run) => run.text)
        .join(""),
    ).toBe(text);
  });
});

describe("the words of a sentence", () => {
  it("sets names as code", () => {
    expect(words("deletes `build/` and `a b`, all of it")).toEqual([
      { text: "deletes ", code: false },
      { text: "build/", code: true },
      { text: " and ", code: false },
      { text: "a b", code: true },
      { text: ", all of it", code: false },
    ]);
  });

  it("leaves a lonely backtick alone", () => {
    expect(words("a ` b")).toEqual([{ text: "a ` b", code: false }]);
  });
});
