/**
 * Every word the user reads. A language is one catalogue; all of them have the shape of the English one, so a missing
 * text doesn't compile.
 */
import { en } from "./en";

export type Catalogue = typeof en;

const catalogues: Record<string, Catalogue> = { en };

/** The catalogue of the first of the user's languages that there is one for. */
export function catalogueFor(languages: readonly string[]): Catalogue {
  for (const language of languages) {
    const found = catalogues[language.toLowerCase().split("-")[0] ?? ""];
    if (found) return found;
  }
  return en;
}

export const text: Catalogue = catalogueFor(globalThis.navigator?.languages ?? []);
