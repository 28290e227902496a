import { describe, expect, it } from "vitest";

import { commandOf, placeOf, type Place, type Press, VIEWS } from "./keys";

const press = (key: string, change: Partial<Press> = {}): Press => ({
  key,
  code: "",
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  shiftKey: false,
  repeat: false,
  isComposing: false,
  ...change,
});

const place = (change: Partial<Place> = {}): Place => ({
  view: "inbox",
  typing: false,
  control: false,
  card: false,
  dialog: false,
  ...change,
});

const DECIDING = ["a", "g", "d", "s", "r"] as const;

describe("commandOf", () => {
  it.each([
    ["a", { does: "approve" }],
    ["A", { does: "approve" }],
    ["g", { does: "grant" }],
    ["d", { does: "decline" }],
    ["s", { does: "stop" }],
    ["r", { does: "retry" }],
    ["j", { does: "move", by: 1 }],
    ["k", { does: "move", by: -1 }],
    ["ArrowDown", { does: "move", by: 1 }],
    ["ArrowUp", { does: "move", by: -1 }],
    ["Enter", { does: "card" }],
    ["x", null],
    [" ", null],
    ["Tab", null],
  ])("knows %s in the inbox", (key, command) => {
    expect(commandOf(press(key), place())).toEqual(command);
  });

  it("goes by the place of the key where letters are not Latin", () => {
    expect(commandOf(press("ф", { code: "KeyA" }), place())).toEqual({ does: "approve" });
    expect(commandOf(press("о", { code: "KeyJ" }), place())).toEqual({ does: "move", by: 1 });
  });

  it("goes by the letter where Latin letters lie elsewhere", () => {
    expect(commandOf(press("q", { code: "KeyA" }), place())).toBeNull();
    expect(commandOf(press("a", { code: "KeyQ" }), place())).toEqual({ does: "approve" });
  });

  it.each(DECIDING)("ignores %s that is held down", (key) => {
    expect(commandOf(press(key, { repeat: true }), place())).toBeNull();
  });

  it("lets a held key move on", () => {
    expect(commandOf(press("j", { repeat: true }), place())).toEqual({ does: "move", by: 1 });
  });

  it.each(["a", "d", "s", "j", "Enter", "?", "Escape"])("ignores %s while typing, composing or in a dialog", (key) => {
    expect(commandOf(press(key), place({ typing: true }))).toBeNull();
    expect(commandOf(press(key), place({ dialog: true }))).toBeNull();
    expect(commandOf(press(key, { isComposing: true }), place())).toBeNull();
  });

  it("answers all that are identical with Shift, once a press", () => {
    const shifted = (key: string, change: Partial<Press> = {}) => press(key, { shiftKey: true, ...change });
    expect(commandOf(shifted("A"), place())).toEqual({ does: "approve_all" });
    expect(commandOf(shifted("D"), place())).toEqual({ does: "decline_all" });
    expect(commandOf(shifted("A", { repeat: true }), place())).toBeNull();
    expect(commandOf(shifted("A"), place({ typing: true }))).toBeNull();
    expect(commandOf(shifted("A"), place({ view: "servers" }))).toBeNull();
    for (const key of ["G", "S", "R", "J", "1"]) expect(commandOf(shifted(key), place())).toBeNull();
  });

  it.each(["ctrlKey", "altKey", "metaKey"] as const)("decides nothing with %s", (modifier) => {
    for (const key of DECIDING) expect(commandOf(press(key, { [modifier]: true }), place())).toBeNull();
  });

  it.each(["activity", "servers", "preferences"] as const)("decides nothing in the view %s", (view) => {
    for (const key of [...DECIDING, "j", "Enter"]) expect(commandOf(press(key), place({ view }))).toBeNull();
  });

  it("leaves Enter to what it presses, and arrows to the card that scrolls", () => {
    expect(commandOf(press("Enter"), place({ control: true }))).toBeNull();
    expect(commandOf(press("ArrowDown"), place({ card: true }))).toBeNull();
    expect(commandOf(press("j"), place({ card: true }))).toEqual({ does: "move", by: 1 });
  });

  it("goes back to the list from the card", () => {
    expect(commandOf(press("Escape"), place({ card: true }))).toEqual({ does: "back" });
    expect(commandOf(press("Escape"), place())).toBeNull();
  });

  it("opens views and the list of keys from anywhere", () => {
    const digit = (digit: string, change: Partial<Press>) => press(digit, { code: `Digit${digit}`, ...change });
    expect(commandOf(digit("2", { ctrlKey: true }), place({ view: "servers" }))).toEqual({
      does: "view",
      view: "activity",
    });
    const last = VIEWS.length;
    expect(commandOf(digit(`${last}`, { metaKey: true }), place())).toEqual({ does: "view", view: "preferences" });
    expect(commandOf(digit(`${last + 1}`, { ctrlKey: true }), place())).toBeNull();
    expect(commandOf(digit("1", {}), place())).toEqual({ does: "choose", place: 1 });
    expect(commandOf(digit("1", {}), place({ view: "servers" }))).toBeNull();
    expect(commandOf(digit("1", { repeat: true }), place())).toBeNull();
    expect(commandOf(press("?", { shiftKey: true }), place({ view: "servers" }))).toEqual({ does: "help" });
  });
});

describe("placeOf", () => {
  it.each([
    ["<input>", "typing"],
    ["<input type=search>", "typing"],
    ["<textarea></textarea>", "typing"],
    ["<select></select>", "typing"],
    ["<input type=checkbox>", "control"],
    ["<button></button>", "control"],
    ["<summary></summary>", "control"],
  ] as const)("sees what %s is", (html, kind) => {
    document.body.innerHTML = html;
    expect(placeOf(document.body.firstElementChild, "inbox")[kind]).toBe(true);
  });

  it("doesn't take a checkbox or a button for a field", () => {
    document.body.innerHTML = "<input type=checkbox><button></button>";
    for (const element of document.body.children) expect(placeOf(element, "inbox").typing).toBe(false);
  });

  it("sees the card and an open dialog", () => {
    document.body.innerHTML = "<article data-card><p></p></article><dialog open></dialog>";
    expect(placeOf(document.querySelector("p"), "inbox")).toMatchObject({ card: true, dialog: true });
  });
});
