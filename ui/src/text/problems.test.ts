import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { en } from "./en";
import { ru } from "./ru";
import { PROBLEMS } from "./ru/problems";

const read = (path: string) => readFileSync(path, "utf8");

describe("What is wrong with an answer", () => {
  const { forms } = JSON.parse(read("../tests/fixtures/forms.json")) as {
    forms: { cases: { says: string[] }[] }[];
  };
  const all = forms.flatMap((form) => form.cases.flatMap((one) => one.says));

  it("is said in Russian, with the field's name as it is", () => {
    expect(all.length).toBeGreaterThan(30);
    for (const said of all) {
      const [words, ...name] = said.split(": ");
      expect(ru.questions.problem(said), said).toBe([PROBLEMS.get(words ?? ""), ...name].join(": "));
      expect(PROBLEMS.has(words ?? ""), said).toBe(true);
    }
  });

  it("is said in the server's own words in English, and wherever they are others", () => {
    for (const said of all) expect(en.questions.problem(said)).toBe(said);
    for (const said of ["Form field is too dull: q", "constructor: q", "Слишком", ""]) {
      expect(ru.questions.problem(said)).toBe(said);
    }
  });

  it("reads alike wherever Gavel says it", () => {
    const core = read("../crates/core/src/text/ru/questions.rs");
    const [table] = core.split("// Calls of the window.");
    const pairs = [...(table ?? "").matchAll(/\("([^"]+)", "([^"]+)"\)/g)].map(([, english, russian]) => [
      english,
      russian,
    ]);
    expect(pairs).toEqual([...PROBLEMS]);
  });
});
