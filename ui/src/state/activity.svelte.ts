import type { Activity, AskedOften, Call, ExportFormat, Facets, Failure, Pictures, Query } from "../bindings/api";
import type { Host } from "../host";
import { failureOf } from "./failure";
import { everything, isEverything } from "./query";
import { merge } from "./rows";

/** How many rows are loaded at once. */
const PAGE = 100;

/** What was settled, as far as it is looked for and was loaded. */
export class ActivityLog {
  rows: readonly Activity[] = $state.raw([]);
  /** Whether there are older rows. */
  more = $state(false);
  /** How many there are of what is looked for, and of all. */
  found = $state(0);
  total = $state(0);
  facets: Facets = $state.raw({ servers: [], projects: [], actions: [] });
  query: Query = $state.raw(everything());
  /** How many days back is looked; 0 for any time. It stays chosen while another view is shown, as the query does. */
  range = $state(0);
  /** Whether pictures are shown instead of the list. */
  drawn = $state(false);
  loading = $state(false);
  loaded = $state(false);
  failure: Failure | null = $state.raw(null);
  readonly #host: Host;
  /** Grows with every query: an answer to an older one that comes late is dropped. */
  #turn = 0;

  constructor(host: Host) {
    this.#host = host;
  }

  /** A new row. */
  add(row: Activity): void {
    if (!isEverything(this.query)) {
      // Whether it is looked for is the backend's to say.
      void this.#load(null);
      return;
    }
    this.rows = merge([row], this.rows);
    this.found += 1;
    this.total += 1;
  }

  /** Loads the newest rows, unless they are there. */
  async open(): Promise<void> {
    if (!this.loaded) await this.#load(null);
  }

  /** Loads the rows before those that are there. */
  async older(): Promise<void> {
    if (!this.loading) await this.#load(this.rows.at(-1)?.number ?? null);
  }

  /** Looks for something else. */
  async look(change: Partial<Query>): Promise<void> {
    this.query = { ...this.query, ...change };
    await this.#load(null, true);
  }

  /** The numbers of what is looked for, by days that begin at `days`. */
  async pictures(days: number[]): Promise<Pictures> {
    const answer = await this.#host.call({ call: "pictures", query: this.query, days });
    if (answer.answer !== "pictures") throw new Error("another answer");
    return answer.pictures;
  }

  /**
   * Lets a command pass in its project from now on. By the number that comes back it can be taken back; `null`: nothing
   * had to be changed. Rejects with a `Failure`.
   */
  async letPass({ directory, text }: AskedOften): Promise<number | null> {
    return this.#change({ call: "change_rules", directory, change: { change: "learn", command: text } });
  }

  /** Takes that back; rejects with a `Failure`. */
  async takeBack(undo: number): Promise<void> {
    await this.#change({ call: "undo_rules", undo });
  }

  async #change(call: Extract<Call, { call: "change_rules" | "undo_rules" }>): Promise<number | null> {
    try {
      const answer = await this.#host.call(call);
      if (answer.answer !== "rules_changed") throw new Error("another answer");
      return answer.undo;
    } catch (thrown) {
      throw failureOf(thrown);
    }
  }

  /** Writes what is looked for to a file; rejects with a `Failure`. */
  async save(format: ExportFormat): Promise<{ path: string; lines: number }> {
    try {
      const answer = await this.#host.call({ call: "export_activity", query: this.query, format });
      if (answer.answer !== "exported") throw new Error("another answer");
      return answer;
    } catch (thrown) {
      throw failureOf(thrown);
    }
  }

  async #load(before: number | null, anew = false): Promise<void> {
    const turn = anew || before === null ? ++this.#turn : this.#turn;
    this.loading = true;
    this.failure = null;
    try {
      const answer = await this.#host.call({ call: "activity", before, limit: PAGE, query: this.query });
      if (answer.answer !== "activity" || turn !== this.#turn) return;
      this.rows = anew ? answer.rows : merge(this.rows, answer.rows);
      // What was loaded before goes further back than the newest page does.
      if (anew || before !== null || !this.loaded || this.rows.length === answer.rows.length) this.more = answer.more;
      this.found = answer.found;
      this.total = answer.total;
      if (answer.facets) this.facets = answer.facets;
      this.loaded = true;
    } catch (thrown) {
      if (turn === this.#turn) this.failure = failureOf(thrown);
    } finally {
      if (turn === this.#turn) this.loading = false;
    }
  }
}
