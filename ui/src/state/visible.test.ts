import { expect, it } from "vitest";

import { visible } from "./visible";

it.each([
  ["npm run *", "npm run *"],
  ["a\tb\nc ü 中 🙂", "a\tb\nc ü 中 🙂"],
  ["a\u202eb", "a⟨U+202E⟩b"],
  ["a\u200b\u00a0\u0007\u00ad", "a⟨U+200B⟩⟨U+00A0⟩⟨U+0007⟩⟨U+00AD⟩"],
  ["\u{e0041}\ufe0f\u3164\u2800", "⟨U+E0041⟩⟨U+FE0F⟩⟨U+3164⟩⟨U+2800⟩"],
])("%j is shown as %j", (text, shown) => expect(visible(text)).toBe(shown));
