import type { Activity } from "../bindings/api";

/** Both lists as one, newest first, every row once. */
export function merge(some: readonly Activity[], others: readonly Activity[]): Activity[] {
  const byNumber = new Map([...some, ...others].map((row) => [row.number, row]));
  return [...byNumber.values()].sort((a, b) => b.number - a.number);
}
