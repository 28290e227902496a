import type { Request, RequestKey } from "../bindings/api";

/** One word for a key, to compare and to index by. */
export function idOf(key: RequestKey): string {
  return `${key.server}\n${key.request}`;
}

export function find(requests: readonly Request[], id: string | null): Request | undefined {
  return requests.find((request) => idOf(request.key) === id);
}

/**
 * What is selected after the inbox changed from `before` to `after`: what was selected if it is still there, else the
 * one that followed it, else the one before it. One that still wants an answer goes before one that is being answered.
 */
export function successor(before: readonly Request[], after: readonly Request[], id: string | null): string | null {
  if (find(after, id)) return id;
  const at = before.findIndex((request) => idOf(request.key) === id);
  const following = before.slice(at + 1);
  const preceding = before.slice(0, Math.max(at, 0)).reverse();
  const left = [...following, ...preceding]
    .map((request) => find(after, idOf(request.key)))
    .filter((request) => request !== undefined);
  const candidates = left.length ? left : after;
  const open = candidates.find((request) => request.phase.phase !== "replying");
  const next = open ?? candidates[0];
  return next ? idOf(next.key) : null;
}

/** The request `by` places further down; stays at the ends. */
export function neighbour(requests: readonly Request[], id: string | null, by: number): string | null {
  const at = requests.findIndex((request) => idOf(request.key) === id);
  const to = at < 0 ? 0 : Math.min(Math.max(at + by, 0), requests.length - 1);
  const next = requests[to];
  return next ? idOf(next.key) : null;
}
