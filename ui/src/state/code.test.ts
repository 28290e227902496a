import { describe, expect, it } from "vitest";

import { colours, filesOf, languageOf } from "./code";
import { parseDiff } from "./diff";
import { tokensOf } from "./highlight";

const SOURCE = `--- a/src/limits.ts
+++ b/src/limits.ts
@@ -1,4 +1,4 @@
 /* A remark
    over two lines */
-const most = 10;
+const most = "ten";
 export { most };
`;
const hunks = parseDiff(SOURCE).hunks;
const inked = (source: string) => colours(parseDiff(source).hunks[1] as never, "typescript", tokensOf);

describe("colours", () => {
  it("know the language by the file's name", () => {
    expect(filesOf(hunks).map(languageOf)).toEqual(["typescript", "typescript"]);
    expect(filesOf(parseDiff("--- a/x.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n").hunks)).toEqual(["x.py", "x.py"]);
    expect([languageOf("Makefile"), languageOf("a.constructor"), languageOf("A.RS")]).toEqual([null, null, "rust"]);
  });

  it("are those of the old and the new code, each read as a whole", () => {
    const [first, second, old, now] = inked(SOURCE);
    expect(first).toEqual([{ text: "/* A remark", ink: "remark" }]);
    expect(second).toEqual([{ text: "   over two lines */", ink: "remark" }]);
    expect(old).toContainEqual({ text: "10", ink: "number" });
    expect(now).toContainEqual({ text: '"ten"', ink: "text" });
    expect(now).toContainEqual({ text: "const", ink: "word" });
  });

  it("change no letter, and take no mark apart", () => {
    for (const [at, tokens] of inked(SOURCE).entries()) {
      expect(tokens?.map(({ text }) => text).join("")).toBe(hunks[1]?.lines[at]?.text);
    }
    expect(inked("--- a/x.ts\n+++ b/x.ts\n@@ -0,0 +1 @@\n+const a = '⟨U+202E⟩';\n")).toEqual([null]);
  });

  it("are left out where they would be slow", () => {
    const long = `--- a/x.ts\n+++ b/x.ts\n@@ -0,0 +1 @@\n+${"a".repeat(3_000)}\n`;
    expect(inked(long)).toEqual([null]);
  });

  it("are left out where a grammar loses something", () => {
    expect(colours(hunks[1] as never, "typescript", () => [{ text: "other", ink: null }])).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
