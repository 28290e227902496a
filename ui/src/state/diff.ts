/** A line of a diff as it is shown. */
export interface DiffLine {
  kind: "added" | "removed" | "same" | "note";
  text: string;
  /** Number of the line in the old file; `null` if it isn't there or isn't known. */
  old: number | null;
  /** Number of the line in the new file; `null` if it isn't there or isn't known. */
  new: number | null;
}

/** A part of a diff under one header. */
export interface Hunk {
  /** The `@@` line; empty for what stands before the first one of a file. */
  header: string;
  lines: DiffLine[];
}

export interface Diff {
  hunks: Hunk[];
  added: number;
  removed: number;
}

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Where the reader is: the next line numbers, and how many lines of either side the hunk still owes. */
interface Position {
  old: number;
  new: number;
  oldLeft: number;
  newLeft: number;
}

/**
 * Reads a unified diff. Every line of it ends up in the result, also where it isn't a proper diff: the user approves
 * what is there, not what could be made sense of.
 */
export function parseDiff(source: string): Diff {
  const lines = source.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const hunks: Hunk[] = [];
  let hunk: Hunk | undefined;
  let at: Position = { old: 0, new: 0, oldLeft: 0, newLeft: 0 };
  lines.forEach((line, index) => {
    const header = HEADER.exec(line);
    if (header) {
      at = {
        old: Number(header[1]),
        oldLeft: Number(header[2] ?? 1),
        new: Number(header[3]),
        newLeft: Number(header[4] ?? 1),
      };
      hunks.push((hunk = { header: line, lines: [] }));
      return;
    }
    const owed = at.oldLeft > 0 || at.newLeft > 0;
    if (!hunk || (!owed && hunk.header && beginsFile(line, lines[index + 1]))) {
      hunks.push((hunk = { header: "", lines: [] }));
    }
    hunk.lines.push(hunk.header ? read(line, at, owed) : note(line));
  });
  const count = (kind: DiffLine["kind"]) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.kind === kind).length, 0);
  return { hunks, added: count("added"), removed: count("removed") };
}

/** Whether another file begins; a removed line `-- x` looks almost like it, which is why hunks are counted. */
function beginsFile(line: string, next: string | undefined): boolean {
  return /^(?:diff |Index: )/.test(line) || (line.startsWith("--- ") && (next ?? "").startsWith("+++ "));
}

function note(text: string): DiffLine {
  return { kind: "note", text, old: null, new: null };
}

/** A line within a hunk. More than the header announced keeps its sign, but has no number that could be relied on. */
function read(line: string, at: Position, owed: boolean): DiffLine {
  const text = line.slice(1);
  switch (line[0]) {
    case "+":
      at.newLeft -= 1;
      return { kind: "added", text, old: null, new: owed ? at.new++ : null };
    case "-":
      at.oldLeft -= 1;
      return { kind: "removed", text, old: owed ? at.old++ : null, new: null };
    // Some programs trim the blank of an empty line.
    case " ":
    case undefined:
      at.oldLeft -= 1;
      at.newLeft -= 1;
      return owed ? { kind: "same", text, old: at.old++, new: at.new++ } : { kind: "same", text, old: null, new: null };
    default:
      return note(line);
  }
}
