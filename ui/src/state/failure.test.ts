import { describe, expect, it } from "vitest";

import { failureOf, sentence, sentences } from "./failure";

describe("failureOf", () => {
  it.each([
    [
      { code: "bad_url", message: "m", hint: "h" },
      { code: "bad_url", message: "m", hint: "h" },
    ],
    [
      { code: "of a later version", message: "m" },
      { code: "failed", message: "m", hint: "" },
    ],
    [new Error("went away"), { code: "failed", message: "went away", hint: "" }],
    ["command call not found", { code: "failed", message: "command call not found", hint: "" }],
    [undefined, { code: "failed", message: "Something went wrong.", hint: "" }],
    [{}, { code: "failed", message: "Something went wrong.", hint: "" }],
  ])("makes one of %j", (thrown, failure) => {
    expect(failureOf(thrown)).toEqual(failure);
  });
});

describe("sentence", () => {
  it.each([
    ["connection refused", "Connection refused."],
    ["`x y` is not an address", "“x y” is not an address."],
    ["Done already.", "Done already."],
    ["", ""],
  ])("makes one of %j", (message, expected) => {
    expect(sentence(message)).toBe(expected);
  });

  it("puts the hint behind it", () => {
    expect(sentences({ code: "failed", message: "no", hint: "try this" })).toBe("No. Try this.");
    expect(sentences({ code: "failed", message: "no", hint: "" })).toBe("No.");
  });
});
