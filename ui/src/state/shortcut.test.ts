import { describe, expect, it } from "vitest";

import { combinationOf } from "./shortcut";

const press = (code: string, key: string, ...held: ("ctrlKey" | "altKey" | "shiftKey" | "metaKey")[]) => ({
  code,
  key,
  ctrlKey: held.includes("ctrlKey"),
  altKey: held.includes("altKey"),
  shiftKey: held.includes("shiftKey"),
  metaKey: held.includes("metaKey"),
  repeat: false,
  isComposing: false,
});

describe("keys to be heard everywhere", () => {
  it.each([
    [press("KeyG", "g", "ctrlKey", "altKey"), "Ctrl+Alt+G"],
    [press("KeyG", "п", "ctrlKey", "altKey"), "Ctrl+Alt+G"],
    [press("Space", " ", "metaKey", "shiftKey"), "Shift+Super+Space"],
    [press("F9", "F9", "ctrlKey"), "Ctrl+F9"],
    [press("Digit1", "!", "altKey", "shiftKey"), "Alt+Shift+1"],
  ])("%j are %s", (pressed, combination) => {
    expect(combinationOf(pressed)).toBe(combination);
  });

  it.each([
    press("KeyG", "g"),
    press("KeyG", "G", "shiftKey"),
    press("ControlLeft", "Control", "ctrlKey"),
    press("Tab", "Tab", "altKey"),
    press("Escape", "Escape", "ctrlKey"),
    press("Enter", "Enter", "ctrlKey"),
  ])("%j are none", (pressed) => {
    expect(combinationOf(pressed)).toBeNull();
  });
});
