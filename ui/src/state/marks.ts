/** A piece of a text: plain, or the spelling of a character that can't be seen. */
export interface Piece {
  text: string;
  mark: boolean;
}

const MARK = /(⟨U\+[0-9A-F]{4,6}⟩)/;

/** `text` in pieces, so that spelled-out characters (`⟨U+202E⟩`) can be made to stand out. */
export function pieces(text: string): Piece[] {
  // Splitting by a group puts what the group matched at the odd places.
  return text
    .split(MARK)
    .map((piece, index) => ({ text: piece, mark: index % 2 === 1 }))
    .filter((piece) => piece.text !== "");
}

/** How many lines and characters a text has; a line feed at its end begins no line. */
export function sizeOf(text: string): { lines: number; characters: number } {
  const lines = text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
  return { lines, characters: [...text].length };
}
