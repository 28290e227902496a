import { describe, expect, it } from "vitest";

import { covers, isPlain, matches } from "./pattern";

describe("a pattern", () => {
  it.each([
    ["npm test", "npm test", true],
    ["npm test", "npm tests", false],
    ["npm *", "npm run build", true],
    ["npm *", "npm", true],
    ["npm *", "npmx", false],
    ["*", "", true],
    ["src/*/a?.ts", "src/x/y/ab.ts", true],
    ["src/*/a?.ts", "src/x/a.ts", false],
    ["a*b*c", "a-b-b-c", true],
    ["a*b*c", "a-b-b-d", false],
    ["(x).*", "(x).y", true],
    ["(x).*", "xxy", false],
    ["C:\\work\\*", "C:/work/a", true],
    ["git *", "git status\nrm -rf x", true],
  ])("%j and %j: %s", (pattern, value, expected) => expect(matches(pattern, value)).toBe(expected));

  it("takes no time, however hostile it is", () => {
    const before = performance.now();
    expect(matches(`${"*a".repeat(60)}b`, "a".repeat(5_000))).toBe(false);
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});

describe("what is wider", () => {
  it.each([
    ["npm *", "npm *", true],
    ["npm *", "npm run *", true],
    ["npm *", "npm test", true],
    ["npm *", "npm", true],
    ["*", "rm -rf /", true],
    ["**", "*", true],
    ["npm run *", "npm *", false],
    ["npm *", "*", false],
    ["npm *", "n*", false],
    ["npm *", "pnpm *", false],
    ["npm *", "", false],
    // Without its optional tail it is `npm run`, which the wide one doesn't match.
    ["npm run ?*", "npm run *", false],
    ["src/*", "src/a/*", true],
    ["src/*", "/src/a", false],
    ["/home/*", "/home/dev/*", true],
    ["/home/dev/*", "/home/*", false],
    ["a?", "ab", false],
  ])("%j covers %j: %s", (wide, narrow, expected) => expect(covers(wide, narrow)).toBe(expected));

  it("is plain without wildcards", () => {
    expect(["npm test", "a*", "a?", "a\\b"].map(isPlain)).toEqual([true, false, false, false]);
  });
});
