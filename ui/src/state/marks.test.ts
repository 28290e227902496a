import { expect, it } from "vitest";

import { pieces, sizeOf } from "./marks";

it("finds spelled-out characters and nothing else", () => {
  expect(pieces("rm ⟨U+202E⟩x⟨U+E0041⟩")).toEqual([
    { text: "rm ", mark: false },
    { text: "⟨U+202E⟩", mark: true },
    { text: "x", mark: false },
    { text: "⟨U+E0041⟩", mark: true },
  ]);
  expect(pieces("⟨U+12⟩ <U+202E> ⟨u+202e⟩")).toEqual([{ text: "⟨U+12⟩ <U+202E> ⟨u+202e⟩", mark: false }]);
  expect(pieces("")).toEqual([]);
});

it("loses nothing of a text", () => {
  const text = "⟨U+202E⟩⟨U+202E⟩ a ⟨ U+1 ⟩\n\tb";
  expect(
    pieces(text)
      .map((piece) => piece.text)
      .join(""),
  ).toBe(text);
});

it.each([
  ["", 0, 0],
  ["a", 1, 1],
  ["a\n", 1, 2],
  ["a\n\n", 2, 3],
  ["a\nb", 2, 3],
  ["😀", 1, 1],
])("measures %j", (text, lines, characters) => {
  expect(sizeOf(text)).toEqual({ lines, characters });
});
