/** The projects in which nobody is asked. */
import type { UnaskedRow } from "../bindings/api";

/** Those of which the user is to hear: not what they chose, nor what they put aside. */
export function told(rows: readonly UnaskedRow[]): readonly UnaskedRow[] {
  return rows.filter((row) => !row.by_choice && !row.put_aside);
}

/** One word for a row, to index by. */
export function wordOf({ server, directory }: UnaskedRow): string {
  return `${server}\n${directory}`;
}
