import type { Part } from "../bindings/api";

/** A stretch of a text, and the part of the command that it belongs to most closely. */
export interface Run {
  text: string;
  part: Part | null;
}

/** `text`, which begins at `at` in what `parts` are parts of, cut wherever one of them begins or ends. */
export function runs(text: string, at: number, parts: readonly Part[]): Run[] {
  const inside = (place: number) => place > 0 && place < text.length;
  const cuts = parts.flatMap((part) => [part.start - at, part.end - at]).filter(inside);
  const places = [...new Set([0, ...cuts, text.length])].sort((a, b) => a - b);
  return places.slice(0, -1).map((start, index) => ({
    text: text.slice(start, places[index + 1]),
    part: innermost(parts, at + start),
  }));
}

/** The shortest of `parts` that holds `place`: what is run within another command says more of it. */
function innermost(parts: readonly Part[], place: number): Part | null {
  const around = parts.filter((part) => part.start <= place && place < part.end);
  return around.reduce<Part | null>(
    (best, part) => (best && best.end - best.start <= part.end - part.start ? best : part),
    null,
  );
}

/** A piece of a sentence, and whether it is a name that stands in backticks there. */
export interface Word {
  text: string;
  code: boolean;
}

/** `sentence` in pieces, so that what stands in backticks can be set as code. */
export function words(sentence: string): Word[] {
  // Splitting by a group puts what the group matched at the odd places.
  return sentence
    .split(/`([^`]*)`/)
    .map((piece, index) => ({ text: piece, code: index % 2 === 1 }))
    .filter((piece) => piece.text !== "");
}
