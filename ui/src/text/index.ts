/**
 * Every word the user reads. A language is one catalogue; all of them have the shape of the English one, so a missing
 * text doesn't compile.
 */
import type { Language } from "../bindings/api";
import { en } from "./en";
import { ru } from "./ru";

export type Catalogue = typeof en;

/** By the tags of their languages. */
export const catalogues: Readonly<Record<string, Catalogue>> = { en, ru };

/** The catalogue of the first of the user's languages that there is one for. */
export function catalogueFor(languages: readonly string[]): Catalogue {
  for (const language of languages) {
    const found = catalogues[language.toLowerCase().split("-")[0] ?? ""];
    if (found) return found;
  }
  return en;
}

function catalogueOf(language: Language): Catalogue {
  switch (language) {
    case "english":
      return en;
    case "russian":
      return ru;
    case "system":
      return catalogueFor(globalThis.navigator?.languages ?? []);
  }
}

/** The catalogue in use. The window is drawn anew when it changes, so components may keep parts of it. */
export let text: Catalogue = catalogueOf("system");

/** Changes the language of every text that is read from now on; answers with its tag. */
export function speak(language: Language): string {
  text = catalogueOf(language);
  if (globalThis.document) document.documentElement.lang = text.tag;
  return text.tag;
}
