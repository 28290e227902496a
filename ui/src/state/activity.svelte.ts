import type { Activity, Failure } from "../bindings/api";
import type { Host } from "../host";
import { failureOf } from "./failure";
import { merge } from "./rows";
import { everything } from "./query";

/** How many rows are loaded at once. */
const PAGE = 100;

/** What was settled, as far as it was loaded. */
export class ActivityLog {
  rows: readonly Activity[] = $state.raw([]);
  /** Whether there are older rows. */
  more = $state(false);
  loading = $state(false);
  loaded = $state(false);
  failure: Failure | null = $state.raw(null);
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  /** A new row. */
  add(row: Activity): void {
    this.rows = merge([row], this.rows);
  }

  /** Loads the newest rows, unless they are there. */
  async open(): Promise<void> {
    if (!this.loaded) await this.#load(null);
  }

  /** Loads the rows before those that are there. */
  async older(): Promise<void> {
    await this.#load(this.rows.at(-1)?.number ?? null);
  }

  async #load(before: number | null): Promise<void> {
    if (this.loading) return;
    this.loading = true;
    this.failure = null;
    try {
      const answer = await this.#host.call({ call: "activity", before, limit: PAGE, query: everything() });
      if (answer.answer !== "activity") return;
      this.rows = merge(this.rows, answer.rows);
      this.more = answer.more;
      this.loaded = true;
    } catch (thrown) {
      this.failure = failureOf(thrown);
    } finally {
      this.loading = false;
    }
  }
}
