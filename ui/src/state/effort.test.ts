import { describe, expect, it } from "vitest";

import { isSmall } from "./effort";

const long = "a".repeat(300);

describe("what is tried of patterns", () => {
  it.each<[string, string, boolean]>([
    ["^[a-z]+$", "abc", true],
    ["^[a-z]+$", long, true],
    ["abc", long, true],
    [String.raw`^v\d+\.\d+\.\d+$`, "v1.20.3", true],
    [String.raw`^[\w.-]+@[\w-]+\.[a-z]{2,}$`, "somebody@example.org", true],
    ["^(?:ab)+c", long, true],
    ["^(foo|bar)$", "foo", true],
    [String.raw`[(*+]\(\*`, long, true],
    ["^(a+)+$", "a", false],
    ["^(a|a)*$", "a", false],
    ["^((a?)){40}$", "a", false],
    ["^(?:(?:a*)b?)+$", "a", false],
    ["^(a{1,9}){9}$", "a", false],
    ["a*a*a*a*a*b", long, false],
    ["a?".repeat(26) + "a".repeat(10), "aaaaaaaaaa", false],
    ["(.|.)".repeat(8) + "#", "a".repeat(20), false],
    [String.raw`^(a)\1$`, "aa", false],
    ["^(?=a)a", "a", false],
    ["(", "a", false],
    ["a)", "a", false],
    ["[a", "a", false],
    ["a\\", "a", false],
  ])("%s", (pattern, text, small) => {
    expect(isSmall(pattern, text)).toBe(small);
  });
});
