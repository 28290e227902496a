import { describe, expect, it } from "vitest";

import type { Phase } from "../bindings/api";
import { request } from "../host/fake/requests";
import { idOf, neighbour, successor } from "./selection";

const REPLYING: Phase = { phase: "replying", decision: { kind: "allow_once" } };

/** Requests by their letters; a capital one is being answered. */
const inbox = (letters: string) =>
  [...letters].map((letter) =>
    request(0, {
      key: { server: "s", request: letter.toLowerCase() },
      ...(letter === letter.toUpperCase() ? { phase: REPLYING } : {}),
    }),
  );
const id = (letter: string) => (letter ? idOf({ server: "s", request: letter }) : null);

describe("successor", () => {
  it.each([
    ["stays", "abc", "abc", "b", "b"],
    ["stays when others go", "abc", "b", "b", "b"],
    ["stays when others come", "b", "abc", "b", "b"],
    ["goes to the next", "abc", "ac", "b", "c"],
    ["goes to the one before at the end", "abc", "ab", "c", "b"],
    ["goes past others that left as well", "abcd", "ad", "b", "d"],
    ["goes to the nearest one before", "abcd", "ab", "d", "b"],
    ["passes over one that is being answered", "abcd", "aCd", "b", "d"],
    ["goes back rather than to one that is being answered", "abc", "aC", "b", "a"],
    ["takes one that is being answered if that is all", "ab", "B", "a", "b"],
    ["takes the oldest when nothing was selected", "", "ab", "", "a"],
    ["takes the oldest when everything is new", "ab", "cd", "a", "c"],
    ["is nothing when nothing is left", "ab", "", "a", ""],
  ])("%s", (_, before, after, selected, expected) => {
    expect(successor(inbox(before), inbox(after), id(selected))).toBe(id(expected));
  });
});

describe("neighbour", () => {
  it.each([
    ["b", 1, "c"],
    ["b", -1, "a"],
    ["c", 1, "c"],
    ["a", -1, "a"],
    ["", 1, "a"],
    ["x", -1, "a"],
  ])("of %s by %i is %s", (selected, by, expected) => {
    expect(neighbour(inbox("abc"), id(selected), by)).toBe(id(expected));
  });

  it("of nothing is nothing", () => {
    expect(neighbour([], null, 1)).toBeNull();
  });
});
