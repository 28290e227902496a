import { describe, expect, it } from "vitest";

import { parseDiff } from "./diff";

/** The diff as one line per line: number in the old file, number in the new one, kind, text. */
function shown(source: string): string[] {
  return parseDiff(source).hunks.flatMap((hunk) => [
    ...(hunk.header ? [hunk.header] : []),
    ...hunk.lines.map((line) => `${line.old ?? "."} ${line.new ?? "."} ${line.kind} ${line.text}`),
  ]);
}

describe("parseDiff", () => {
  it("numbers the lines of both sides", () => {
    expect(shown("--- a\n+++ b\n@@ -3,3 +3,4 @@ function f\n one\n-two\n+zwei\n+drei\n four\n")).toEqual([
      ". . note --- a",
      ". . note +++ b",
      "@@ -3,3 +3,4 @@ function f",
      "3 3 same one",
      "4 . removed two",
      ". 4 added zwei",
      ". 5 added drei",
      "5 6 same four",
    ]);
  });

  it("counts what is added and removed, headers of files not included", () => {
    const { added, removed } = parseDiff("--- a\n+++ b\n@@ -1 +1,2 @@\n-x\n+y\n+z");
    expect({ added, removed }).toEqual({ added: 2, removed: 1 });
  });

  it("takes a removed line that looks like a file's header for what it is", () => {
    expect(shown("@@ -1,2 +1,2 @@\n--- drop table users;\n+++ keep table users;\n same\n")).toEqual([
      "@@ -1,2 +1,2 @@",
      "1 . removed -- drop table users;",
      ". 1 added ++ keep table users;",
      "2 2 same same",
    ]);
  });

  it("begins a new part for every file", () => {
    const { hunks } = parseDiff("--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n--- b\n+++ b\n@@ -1 +1 @@\n-p\n+q\n");
    expect(hunks.map((hunk) => hunk.header)).toEqual(["", "@@ -1 +1 @@", "", "@@ -1 +1 @@"]);
  });

  it("shows lines beyond what the header announced, with their sign", () => {
    expect(shown("@@ -1 +1 @@\n-x\n+y\n+hidden\n-more")).toEqual([
      "@@ -1 +1 @@",
      "1 . removed x",
      ". 1 added y",
      ". . added hidden",
      ". . removed more",
    ]);
  });

  it("begins the next hunk where one is shorter than announced", () => {
    expect(shown("@@ -1,9 +1,9 @@\n-x\n@@ -20 +20 @@\n+y")).toEqual([
      "@@ -1,9 +1,9 @@",
      "1 . removed x",
      "@@ -20 +20 @@",
      ". 20 added y",
    ]);
  });

  it("keeps an empty line that lost its blank, and the note on a missing line feed", () => {
    expect(shown("@@ -1,2 +1,2 @@\n\n-a\n+b\n\\ No newline at end of file\n")).toEqual([
      "@@ -1,2 +1,2 @@",
      "1 1 same ",
      "2 . removed a",
      ". 2 added b",
      ". . note \\ No newline at end of file",
    ]);
  });

  it("shows what is no diff at all, line by line", () => {
    expect(shown("just words\n+and a plus")).toEqual([". . note just words", ". . note +and a plus"]);
    expect(parseDiff("").hunks).toEqual([]);
  });

  it.each([
    ["Index: f\n===\n--- a\n+++ b\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n\n\n"],
    ["@@ -0,0 +1,2 @@\n+a\n+b\n@@ nonsense @@\n x"],
    ["@@ -1,5 +1 @@\ndiff --git a b\n--- a\n+++ b\n-x"],
  ])("loses no line of %j", (source) => {
    const lines = parseDiff(source).hunks.flatMap((hunk) => [...(hunk.header ? [hunk.header] : []), ...hunk.lines]);
    expect(lines).toHaveLength(source.replace(/\n$/, "").split("\n").length);
  });
});
