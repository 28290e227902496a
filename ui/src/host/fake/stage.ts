import type { Snapshot } from "../../bindings/api";

/** What parts of the stand-in see of each other: what is shown, and how that is changed. */
export interface Stage {
  readonly snapshot: Snapshot;
  publish(change: Partial<Snapshot>): void;
}
