import { describe, expect, it } from "vitest";

import { addressOf, isInTheClear, namesOf, numberOf, presetOf, PRESETS } from "./judge";

describe("an address", () => {
  it("is a well-known one however it is written", () => {
    for (const preset of PRESETS) {
      expect(presetOf(preset.provider, preset.base_url)).toBe(preset);
      expect(presetOf(preset.provider, ` ${preset.base_url}/ `)).toBe(preset);
    }
    expect(presetOf("openai", "")?.id).toBe("openai");
    expect(presetOf("anthropic", "")?.id).toBe("anthropic");
    expect(presetOf("anthropic", "https://api.openai.com/v1")).toBeNull();
    expect(addressOf("anthropic", " ")).toBe("https://api.anthropic.com/v1");
  });

  it.each([
    ["http://models.example/v1", true],
    ["http://192.168.1.5:11434/v1", true],
    ["http://127.0.0.1:11434/v1", false],
    ["http://localhost:4000", false],
    ["http://[::1]:4000", false],
    ["http://localhost.example", true],
    ["https://models.example/v1", false],
    ["nonsense", false],
    ["", false],
  ])("can be read on its way: %s %s", (address, clear) => expect(isInTheClear(address)).toBe(clear));
});

it.each<[string, [number, number], number, number | null]>([
  ["60", [1_000, 600_000], 1_000, 60_000],
  [" 2,5 ", [1_000, 600_000], 1_000, 2_500],
  ["0.5", [1_000, 600_000], 1_000, null],
  ["601", [1_000, 600_000], 1_000, null],
  ["1.5", [0, 100], 1, null],
  ["0", [0, 100], 1, 0],
  ["-1", [0, 100], 1, null],
  ["1e1", [0, 100], 1, null],
  ["", [0, 100], 1, null],
])("%j within %j is %j", (typed, bounds, scale, value) => expect(numberOf(typed, bounds, scale)).toBe(value));

it("takes names apart", () => {
  expect(namesOf(" shell,edit ,, webfetch\nbash ")).toEqual(["shell", "edit", "webfetch", "bash"]);
  expect(namesOf(" , ")).toEqual([]);
});
