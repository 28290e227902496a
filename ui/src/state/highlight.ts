/** Colours for code, loaded only where code is shown. */
import type { Element, Root, Text } from "hast";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";

import type { Ink, Token } from "./code";

const lowlight = createLowlight({
  bash,
  c,
  cpp,
  csharp,
  css,
  go,
  java,
  javascript,
  json,
  kotlin,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  typescript,
  xml,
  yaml,
});

/** The inks of what the grammars tell apart; all else is plain. */
const inks: Record<string, Ink> = {
  "hljs-keyword": "word",
  "hljs-built_in": "word",
  "hljs-literal": "word",
  "hljs-selector-tag": "word",
  "hljs-meta": "remark",
  "hljs-comment": "remark",
  "hljs-quote": "remark",
  "hljs-string": "text",
  "hljs-regexp": "text",
  "hljs-attribute": "text",
  "hljs-number": "number",
  "hljs-symbol": "number",
  "hljs-title": "name",
  "hljs-type": "name",
  "hljs-name": "name",
  "hljs-attr": "name",
  "hljs-section": "name",
};

function walk(node: Root | Element | Text, ink: Ink | null, into: Token[]): void {
  if (node.type === "text") {
    into.push({ text: node.value, ink });
    return;
  }
  const classes = node.type === "element" ? node.properties.className : undefined;
  const own = Array.isArray(classes) ? classes.map((name) => inks[String(name)]).find(Boolean) : undefined;
  for (const child of node.children) {
    if (child.type === "text" || child.type === "element") walk(child, own ?? ink, into);
  }
}

/** The tokens of a code in a language; together they are that code, to the letter. */
export function tokensOf(language: string, code: string): Token[] {
  const tokens: Token[] = [];
  walk(lowlight.highlight(language, code), null, tokens);
  return tokens;
}
