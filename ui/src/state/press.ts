/** Whether a button of the mouse, a finger or a pen is down. */
let down = false;
let waiting: (() => void)[] = [];

function up(): void {
  down = false;
  const all = waiting;
  waiting = [];
  // The click comes right behind: it still has to find what was pressed where it was.
  setTimeout(() => {
    for (const one of all) one();
  });
}

if (typeof window !== "undefined") {
  window.addEventListener("pointerdown", () => (down = true), true);
  window.addEventListener("pointerup", up, true);
  window.addEventListener("pointercancel", up, true);
  // Of the window itself, not of a field that is left.
  window.addEventListener("blur", up);
}

/**
 * Runs `change` at once, or once nothing is pressed any more: what it moves would slide away under the pointer, and the
 * click would be lost.
 */
export function afterPress(change: () => void): void {
  if (down) waiting.push(change);
  else change();
}
