import type { Activity } from "../bindings/api";

/** Both lists as one, newest first, every row once. */
export function merge(some: readonly Activity[], others: readonly Activity[]): Activity[] {
  const byNumber = new Map([...some, ...others].map((row) => [row.number, row]));
  return [...byNumber.values()].sort((a, b) => b.number - a.number);
}

/** The rows in which every word of `filter` occurs somewhere; `describe` says what a row looks like to the user. */
export function matching(
  rows: readonly Activity[],
  filter: string,
  describe: (row: Activity) => string,
): readonly Activity[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return rows;
  return rows.filter((row) => {
    const haystack =
      `${row.title}\n${row.text}\n${row.action}\n${row.directory}\n${row.session ?? ""}\n${row.server}\n${describe(row)}`.toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
}
