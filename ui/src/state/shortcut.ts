import type { Press } from "./keys";

const MODIFIERS = new Set(["Control", "Alt", "Shift", "Meta", "AltGraph"]);

/** The keys that were pressed together, as the backend writes them: `Ctrl+Alt+G`. `null` if they are none to be had. */
export function combinationOf(press: Press): string | null {
  if (MODIFIERS.has(press.key)) return null;
  const key = /^(?:Key([A-Z])|Digit([0-9])|(F[0-9]{1,2}|Space|Home|End|Insert|PageUp|PageDown|Pause))$/.exec(
    press.code,
  );
  const named = key?.slice(1).find(Boolean);
  const modifiers = [
    press.ctrlKey && "Ctrl",
    press.altKey && "Alt",
    press.shiftKey && "Shift",
    press.metaKey && "Super",
  ];
  const held = modifiers.filter((modifier) => modifier !== false);
  // A key alone, or with Shift alone, is what somebody types.
  if (!named || !held.some((modifier) => modifier !== "Shift")) return null;
  return [...held, named].join("+");
}
