const HIDDEN = /(?![\n\t ])(?:[\p{C}\p{Z}]|\p{Default_Ignorable_Code_Point}|[\u2800\ufffc])/gu;

/** `text` with every character that can't be seen spelled out, as the core does it with all that it shows. */
export function visible(text: string): string {
  const spelled = (character: string) =>
    `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  return text.replace(HIDDEN, spelled);
}
