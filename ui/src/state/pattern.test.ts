import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { describe, expect, it } from "vitest";

import type { Gavel } from "./gavel.svelte";
import { Choices } from "./allow.svelte";
import { covers, matches } from "./pattern";
import { offer, request } from "../host/fake/requests";
import { visible } from "./visible";

interface Edit {
  proposed: string[];
  typed: string;
  taken: boolean;
  why: string;
}
/** The table that the core is held against as well. */
const edits = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../../../crates/core/tests/fixtures/edited-patterns.json"), "utf8"),
) as Edit[];

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
});

describe("what is typed in the place of what was proposed", () => {
  const silent = { call: () => new Promise(() => {}) } as unknown as Gavel;

  it.each(edits)("$typed for $proposed: $why", ({ proposed, typed, taken }) => {
    const offers = proposed.map((resource) => offer("shell", resource, { shown: visible(resource) }));
    const { all } = new Choices(silent, request(0, { offers }));
    for (const choice of all) choice.resource = typed;
    expect(all.some((choice) => choice.error === "")).toBe(taken);
  });
});
