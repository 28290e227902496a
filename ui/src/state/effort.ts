/** How long trying a pattern may take, as in the core (`question/effort.rs`): agents write patterns. */

const MOST = 10_000_000;
const LONGEST = 1_000;

/** Whether trying a pattern on a text is certain to end soon. */
export function isSmall(pattern: string, text: string): boolean {
  const count = pattern.length > LONGEST ? null : repeats(pattern);
  if (count === null) return false;
  const anchored = pattern.startsWith("^") && !pattern.includes("|");
  return Math.max(text.length, 2) ** (count + (anchored ? 0 : 1)) <= MOST;
}

/** What one thing of a pattern is: an escape, a class, a beginning, an end, a choice, a repeat, a letter. */
const THINGS = /\\([^])|\[(?:[^\]\\]|\\[^])*\]|(\((?:\?:)?)(?!\?)|(\))|(\|)|([*+?]|\{\d[^}]*\})\??|([^\\[(])/y;

/** How many things the pattern repeats or leaves open; `null` if that says nothing about the effort. */
function repeats(pattern: string): number | null {
  const open = [false];
  let count = 0;
  let atomHasChoice = false;
  THINGS.lastIndex = 0;
  while (THINGS.lastIndex < pattern.length) {
    const thing = THINGS.exec(pattern);
    if (!thing) return null;
    const [, escaped, begin, end, choice, repeat] = thing;
    const hadChoice = atomHasChoice;
    atomHasChoice = false;
    if (escaped !== undefined && /[1-9k]/.test(escaped)) return null;
    if (begin) open.push(false);
    if (end) {
      atomHasChoice = open.pop() ?? false;
      if (open.length === 0) return null;
      if (atomHasChoice) open[open.length - 1] = true;
    }
    if (choice) {
      open[open.length - 1] = true;
      count += 1;
    }
    if (repeat) {
      if (hadChoice) return null;
      count += 1;
      open[open.length - 1] = true;
    }
  }
  return open.length === 1 ? count : null;
}
