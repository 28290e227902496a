import type { RequestKey } from "../bindings/api";

/** What can be selected. */
interface Keyed {
  key: RequestKey;
}

/** One word for a key, to compare and to index by. */
export function idOf(key: RequestKey): string {
  return `${key.server}\n${key.request}`;
}

export function find<Item extends Keyed>(items: readonly Item[], id: string | null): Item | undefined {
  return items.find((item) => idOf(item.key) === id);
}

/**
 * What is selected after the inbox changed from `before` to `after`: what was selected if it is still there, else the
 * one that followed it, else the one before it. One that still wants an answer goes before one that is being answered.
 */
export function successor<Item extends Keyed & { phase: { phase: string } }>(
  before: readonly Item[],
  after: readonly Item[],
  id: string | null,
): string | null {
  if (find(after, id)) return id;
  const at = before.findIndex((item) => idOf(item.key) === id);
  const following = before.slice(at + 1);
  const preceding = before.slice(0, Math.max(at, 0)).reverse();
  const left = [...following, ...preceding]
    .map((item) => find(after, idOf(item.key)))
    .filter((item) => item !== undefined);
  const candidates = left.length ? left : after;
  const open = candidates.find((item) => item.phase.phase !== "replying");
  const next = open ?? candidates[0];
  return next ? idOf(next.key) : null;
}

/** The item `by` places further down; stays at the ends. */
export function neighbour(items: readonly Keyed[], id: string | null, by: number): string | null {
  const at = items.findIndex((item) => idOf(item.key) === id);
  const to = at < 0 ? 0 : Math.min(Math.max(at + by, 0), items.length - 1);
  const next = items[to];
  return next ? idOf(next.key) : null;
}
