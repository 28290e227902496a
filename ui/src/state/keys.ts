import type { View } from "../host";

/** What a key asks for. */
export type Command =
  | {
      does:
        "approve" | "approve_all" | "grant" | "decline" | "decline_all" | "stop" | "retry" | "card" | "back" | "help";
    }
  | { does: "move"; by: 1 | -1 }
  | { does: "choose"; place: number }
  | { does: "view"; view: View };

/** The views in the order of the rail, which is that of their keys. */
export const VIEWS: readonly View[] = [
  "inbox",
  "activity",
  "rules",
  "grants",
  "modes",
  "judge",
  "servers",
  "preferences",
];

/** What matters about a pressed key. */
export type Press = Pick<
  KeyboardEvent,
  "key" | "code" | "ctrlKey" | "altKey" | "metaKey" | "shiftKey" | "repeat" | "isComposing"
>;

/** Where the focus is when a key is pressed. */
export interface Place {
  view: View;
  /** In a field that takes text. */
  typing: boolean;
  /** On something that Enter presses. */
  control: boolean;
  /** Within the request card, where arrows scroll. */
  card: boolean;
  /** Within an open dialog. */
  dialog: boolean;
}

/** The letter on the key, or, on a keyboard of another script, the Latin letter of the same key. */
function letterOf(press: Press): string {
  if (/^[\x20-\x7e]$/.test(press.key)) return press.key.toLowerCase();
  if (press.key.length > 1) return press.key;
  return /^(?:Key([A-Z])|Digit([0-9]))$/.exec(press.code)?.slice(1).join("").toLowerCase() ?? press.key;
}

function viewCommand(press: Press): Command | null {
  const plain = (press.ctrlKey || press.metaKey) && !press.altKey && !press.shiftKey;
  const view = plain ? VIEWS[Number(/^Digit([1-9])$/.exec(press.code)?.[1] ?? press.key) - 1] : undefined;
  return view && !press.repeat ? { does: "view", view } : null;
}

/** What a key asks for at a place; `null` if it is none of ours. */
export function commandOf(press: Press, place: Place): Command | null {
  if (place.typing || place.dialog || press.isComposing) return null;
  if (press.ctrlKey || press.metaKey || press.altKey) return viewCommand(press);
  const letter = letterOf(press);
  if (letter === "?") return press.repeat ? null : { does: "help" };
  if (place.view !== "inbox") return null;
  if (press.shiftKey)
    return press.repeat
      ? null
      : (({ a: { does: "approve_all" }, d: { does: "decline_all" } } as const)[letter] ?? null);
  switch (letter) {
    case "j":
      return { does: "move", by: 1 };
    case "k":
      return { does: "move", by: -1 };
    case "ArrowDown":
      return place.card ? null : { does: "move", by: 1 };
    case "ArrowUp":
      return place.card ? null : { does: "move", by: -1 };
  }
  // A key that is held down must not answer the request that slides in next.
  if (press.repeat) return null;
  if (/^[1-9]$/.test(letter)) return { does: "choose", place: Number(letter) };
  switch (letter) {
    case "a":
      return { does: "approve" };
    case "g":
      return { does: "grant" };
    case "d":
      return { does: "decline" };
    case "s":
      return { does: "stop" };
    case "r":
      return { does: "retry" };
    case "Enter":
      return place.control ? null : { does: "card" };
    case "Escape":
      return place.card ? { does: "back" } : null;
    default:
      return null;
  }
}

const NO_TEXT = new Set(["button", "checkbox", "color", "file", "image", "radio", "range", "reset", "submit"]);

/** Where `target`, which has the focus, is. */
export function placeOf(target: EventTarget | null, view: View): Place {
  const element = target instanceof Element ? target : null;
  const input = element instanceof HTMLInputElement && !NO_TEXT.has(element.type);
  return {
    view,
    typing: input || element?.closest("textarea, select, [contenteditable]") != null,
    control: element?.closest("button, a, summary, input") != null,
    card: element?.closest("[data-card]") != null,
    dialog: document.querySelector("dialog[open]") !== null,
  };
}
