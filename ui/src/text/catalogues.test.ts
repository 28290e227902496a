/** Both catalogues hold every text, none of them too many, and every text is shown somewhere. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { en } from "./en";
import { ru } from "./ru";

const SOURCES = join(import.meta.dirname, "..");

type Node = { [key: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** Every text of a catalogue by its path: a string, or a function that makes one. */
function textsOf(node: Node, path = ""): Map<string, unknown> {
  return new Map(
    Object.entries(node).flatMap(([key, value]) => {
      const at = path ? `${path}.${key}` : key;
      return isNode(value) ? [...textsOf(value, at)] : [[at, value] as const];
    }),
  );
}

/** The paths into the catalogue that a source file names; those of whole groups end in a dot. */
function namedIn(source: string): string[] {
  const aliases = new Map<string, string>();
  const own = /import \{[^}]*\btext(?: as (\w+))?\b[^}]*\} from "[./]*\/text"/.exec(source);
  if (own) aliases.set(own[1] ?? "text", "");
  const alias = /\b(?:const|let) (\w+) = (?:\$derived\()?(\w+)((?:\.\w+)+)\)?;/g;
  let rest = source;
  for (const [whole, name, from, path] of source.matchAll(alias)) {
    const base = aliases.get(from ?? "");
    if (base === undefined || !name) continue;
    aliases.set(name, base + path);
    rest = rest.replace(whole, "");
  }
  return [...aliases].flatMap(([name, base]) =>
    [...rest.matchAll(new RegExp(`(?<![\\w.])${name}((?:\\??\\.\\w+)*)`, "g"))]
      .map(([, path = ""]) => (base + path.replaceAll("?", "")).slice(1))
      .filter(Boolean),
  );
}

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ["text", "bindings", "test"].includes(entry.name) ? [] : sources(path);
    return /\.(?:svelte|ts)$/.test(entry.name) && !/\.test\.ts$/.test(entry.name) ? [readFileSync(path, "utf8")] : [];
  });
}

const named = [...new Set([...sources(SOURCES), readFileSync(join(SOURCES, "main.ts"), "utf8")].flatMap(namedIn))];

/** Whether a text is shown: it is named itself, or a group is named that is looked into by other means. */
const isShown = (path: string) =>
  named.some((name) => path === name || path.startsWith(`${name}.`) || name.startsWith(`${path}.`));

/** What is written alike in both languages: commands, addresses, names. */
const ALIKE = new Set([
  "app.name",
  "card.failed",
  "inbox.emptyRulesExample",
  "inbox.firstCommand",
  "inbox.firstTuiCommand",
  "judge.api",
  "judge.commandHint",
  "judge.preset.anthropic",
  "judge.preset.groq",
  "judge.preset.openai",
  "judge.preset.openrouter",
  "judge.preset.together",
  "judge.providers.anthropic",
  "modes.resourceHint",
  "modes.sources.none",
  "preferences.languages.english",
  "preferences.languages.russian",
  "rules.v1",
  "rules.v2",
  "servers.addressHint",
  "servers.usernameHint",
  "servers.variableHint",
  "tag",
  "time.duration",
  "time.left",
  "verdict.sentence",
]);

describe("the catalogues", () => {
  const english = textsOf(en);
  const russian = textsOf(ru);

  it("hold the same texts", () => {
    expect([...russian.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it("hold no text that is never shown", () => {
    expect([...english.keys()].filter((path) => !isShown(path))).toEqual([]);
  });

  it("leave nothing untranslated", () => {
    const left = [...english].filter(([path, text]) => {
      const other = russian.get(path);
      if (typeof text === "string") return !/[а-яё]/i.test(String(other)) || other === text;
      // What only hands on says nothing itself.
      return /["`]/.test(String(text)) && String(other) === String(text);
    });
    expect(left.map(([path]) => path).sort()).toEqual([...ALIKE].sort());
  });

  it("use the quotes of their languages", () => {
    for (const [path, text] of russian) expect(String(text), path).not.toMatch(/[“”’]/);
    for (const [path, text] of english) expect(String(text), path).not.toMatch(/[«»]/);
  });
});

describe("the search for texts that are shown", () => {
  it("sees through aliases", () => {
    const source = `import { text } from "../text";\nconst words = text.saved;\n{words.times(3)} {text.app?.name} {words.of[x]}`;
    expect(namedIn(source)).toEqual(["app.name", "saved.times", "saved.of"]);
    expect(namedIn(`const text = "a"; text.app`)).toEqual([]);
  });
});
