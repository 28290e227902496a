/** Code in colours, line by line. */
import type { Hunk } from "./diff";

/** What a piece of code is, as far as it has a colour of its own. */
export type Ink = "word" | "remark" | "text" | "number" | "name";

export interface Token {
  text: string;
  ink: Ink | null;
}

type Tokens = (language: string, code: string) => Token[];

/** More than this is shown without colours, in characters: they would only be slow. */
const MOST = 100_000;
const LONGEST_LINE = 2_000;

const LANGUAGES: Record<string, string> = {
  sh: "bash",
  bash: "bash",
  zsh: "bash",
  c: "c",
  h: "c",
  cc: "cpp",
  cpp: "cpp",
  hpp: "cpp",
  cs: "csharp",
  css: "css",
  scss: "css",
  go: "go",
  java: "java",
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  json: "json",
  jsonc: "json",
  kt: "kotlin",
  md: "markdown",
  php: "php",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sql: "sql",
  ts: "typescript",
  tsx: "typescript",
  mts: "typescript",
  html: "xml",
  svg: "xml",
  xml: "xml",
  vue: "xml",
  svelte: "xml",
  yml: "yaml",
  yaml: "yaml",
};

/** The language of a file, by its name; `null` if it is none of those there are colours for. */
export function languageOf(path: string): string | null {
  const ending = /\.(\w+)$/.exec(path.trim())?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(LANGUAGES, ending) ? (LANGUAGES[ending] ?? null) : null;
}

/** The tokens of a text, line by line. */
function lines(tokens: readonly Token[]): Token[][] {
  const all: Token[][] = [[]];
  for (const { text, ink } of tokens) {
    text.split("\n").forEach((piece, index) => {
      if (index > 0) all.push([]);
      if (piece) all.at(-1)?.push({ text: piece, ink });
    });
  }
  return all;
}

/** A character that is spelled out must be seen to be, whatever code it stands in. */
const holdsMark = (text: string) => text.includes("⟨U+");

/**
 * The tokens of every line of a hunk; `null` where a line is shown plain. What is old and what is new are read apart, each
 * as the code that it is.
 */
export function colours(hunk: Hunk, language: string, tokensOf: Tokens): (Token[] | null)[] {
  const size = hunk.lines.reduce((sum, { text }) => sum + text.length, 0);
  const plain = hunk.lines.map(() => null);
  if (!hunk.header || size > MOST || hunk.lines.some(({ text }) => text.length > LONGEST_LINE)) return plain;
  const side = (left: "added" | "removed") => {
    const own = hunk.lines.map((line, at) => ({ ...line, at })).filter(({ kind }) => kind !== left && kind !== "note");
    const read = lines(tokensOf(language, own.map(({ text }) => text).join("\n")));
    return new Map(own.map(({ at }, index) => [at, read[index] ?? []]));
  };
  const [before, after] = [side("added"), side("removed")];
  return hunk.lines.map(({ kind, text }, at) => {
    if (kind === "note" || holdsMark(text)) return null;
    const tokens = (kind === "removed" ? before : after).get(at) ?? null;
    // What is shown is what is there: colours are left out before a letter is.
    return tokens && tokens.map((token) => token.text).join("") === text ? tokens : null;
  });
}

/** The name of the file that a hunk is of, by the `+++` or `---` line before it. */
export function filesOf(hunks: readonly Hunk[]): string[] {
  let file = "";
  return hunks.map(({ header, lines }) => {
    if (!header) {
      const named = lines.map(({ text }) => /^(?:\+\+\+|---) (?:[ab]\/)?([^\t]+)/.exec(text)?.[1]);
      file = named.filter((name) => name && name !== "/dev/null").at(-1) ?? file;
    }
    return file;
  });
}
