/** OpenCode's wildcards, as far as the window has to judge of them: the core looks again at whatever is sent. */

/** Whether the whole of `value` matches: `*` is any text, `?` one character; a tail of a space and a star may be missing. */
export function matches(pattern: string, value: string): boolean {
  const [wide, found] = [slashed(pattern), slashed(value)];
  return fits(wide, found) || (wide.endsWith(" *") && fits(wide.slice(0, -2), found));
}

/** Whether `wide` certainly matches all that `narrow` matches. `false` may also mean that it can't be told. */
export function covers(wide: string, narrow: string): boolean {
  if (wide === narrow || isEverything(wide)) return true;
  // A path that is complete and one that isn't may be held against different texts.
  if (wide.includes("?") || isAbsolute(wide) !== isAbsolute(narrow)) return false;
  // The stars of the narrow one, read as plain characters, can be matched by stars of the wide one only.
  return matches(wide, narrow) && (!narrow.endsWith(" *") || matches(wide, narrow.slice(0, -2)));
}

/** Whether the pattern stands for every text. */
export function isEverything(pattern: string): boolean {
  return /^\*+$/.test(pattern);
}

function isAbsolute(path: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path);
}

const slashed = (text: string) => text.replaceAll("\\", "/");

/** Goes back to the last star at most, so that no pattern takes long. */
function fits(pattern: string, value: string): boolean {
  let [p, v] = [0, 0];
  let star = -1;
  let from = 0;
  while (v < value.length) {
    if (pattern[p] === "*") {
      star = p++;
      from = v;
    } else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === value[v])) {
      p++;
      v++;
    } else if (star >= 0) {
      p = star + 1;
      v = ++from;
    } else {
      return false;
    }
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}
