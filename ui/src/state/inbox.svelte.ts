import { SvelteMap } from "svelte/reactivity";

import type { Decision, Phase, Request, RequestKey } from "../bindings/api";
import { find, idOf, neighbour, successor } from "./selection";

/** For how long a request that slid in by itself can't be answered, in milliseconds: the press was meant for another. */
export const GUARD = 400;

/** What became of a wish to answer. */
export type Attempt =
  | { done: "send"; key: RequestKey; edition: number; decision: Decision }
  /** The request on screen had just changed by itself. */
  | { done: "guarded" }
  /** There is nothing that wants an answer. */
  | { done: "nothing" };

/** The waiting requests, and which one is on screen. Sends nothing itself. */
export class Inbox {
  requests: readonly Request[] = $state.raw([]);
  /** Id of the request on screen. */
  selected: string | null = $state(null);
  /** Whether the reason of a decline is being written. */
  declining = $state(false);
  /** Whether it is being chosen what else is allowed with the request on screen. */
  granting = $state(false);
  /** When the request on screen last changed by itself, on the inbox's clock. */
  slidAt = $state(-Infinity);
  /** What was settled elsewhere while its answer was being put together: it stays, so that no keystroke hits another. */
  ghost: Request | null = $state.raw(null);
  /** Answers on their way to the backend that no snapshot has shown yet. */
  readonly #sent = new SvelteMap<string, { decision: Decision; arrived: boolean }>();
  /** A request that was asked for before it was known. */
  #wanted: string | null = null;
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** The request on screen. */
  get current(): Request | null {
    return this.ghost ?? find(this.requests, this.selected) ?? null;
  }

  /** Takes in the requests of a newer snapshot. */
  take(after: readonly Request[]): void {
    const before = this.requests;
    this.requests = after;
    this.#forgetSent(after);
    if (this.ghost) return;
    const gone = find(before, this.selected);
    if ((this.declining || this.granting) && gone && !find(after, this.selected)) {
      this.ghost = gone;
      return;
    }
    if (this.#wanted && find(after, this.#wanted)) {
      this.#slide(this.#wanted);
      return;
    }
    this.#slide(successor(before, after, this.selected));
  }

  /** The user picks a request. */
  select(id: string | null): void {
    this.#wanted = null;
    this.ghost = null;
    if (id !== this.selected) this.#close();
    this.selected = id;
    this.slidAt = -Infinity;
  }

  /** The user moves up or down the list. */
  move(by: number): void {
    if (this.ghost) this.release();
    else this.select(neighbour(this.requests, this.selected, by));
  }

  /** The backend wants this request on screen; it may arrive only with the next snapshot. */
  want(key: RequestKey): void {
    const id = idOf(key);
    if (this.declining || this.granting) return;
    if (find(this.requests, id)) this.#slide(id);
    else this.#wanted = id;
  }

  /** How far the answer of a request has come, this window's own wishes included. */
  phaseOf(request: Request): Phase {
    const sent = this.#sent.get(idOf(request.key));
    return sent && request.phase.phase !== "replying" ? { phase: "replying", decision: sent.decision } : request.phase;
  }

  /** Whether the request on screen changed by itself so recently that a press can't have been meant for it. */
  guarded(): boolean {
    return this.#clock() - this.slidAt < GUARD;
  }

  /** Opens the field for the reason. */
  beginDecline(): Attempt["done"] | "open" {
    const check = this.#check();
    if (check) return check;
    this.granting = false;
    this.declining = true;
    return "open";
  }

  /** Opens the choice of what else is allowed, if the server proposed anything. */
  beginGrant(): Attempt["done"] | "open" {
    const check = this.#check();
    if (check) return check;
    if (!this.current?.offers.length) return "nothing";
    this.declining = false;
    this.granting = true;
    return "open";
  }

  /** Closes whatever is open, and lets go of a request that was settled meanwhile. */
  release(): void {
    this.#close();
    if (!this.ghost) return;
    const ghost = this.ghost;
    this.ghost = null;
    this.#slide(successor([ghost], this.requests, idOf(ghost.key)));
  }

  /** The user answers the request on screen. */
  decide(decision: Decision): Attempt {
    const check = this.#check();
    const current = this.current;
    if (check || !current) return { done: check ?? "nothing" };
    this.#close();
    this.#sent.set(idOf(current.key), { decision, arrived: false });
    return { done: "send", key: current.key, edition: current.edition, decision };
  }

  /** The user has the undelivered answer on screen sent again. */
  retry(): Attempt {
    const phase = this.current?.phase;
    return phase?.phase === "undelivered" ? this.decide(phase.decision) : { done: "nothing" };
  }

  /** The backend has taken the answer: from now on snapshots tell. */
  arrived(key: RequestKey): void {
    const sent = this.#sent.get(idOf(key));
    if (sent) this.#sent.set(idOf(key), { ...sent, arrived: true });
  }

  /** The backend could not take the answer. */
  failed(key: RequestKey): void {
    this.#sent.delete(idOf(key));
  }

  #close(): void {
    this.declining = false;
    this.granting = false;
  }

  #check(): "guarded" | "nothing" | null {
    const current = this.current;
    if (!current || this.ghost || this.phaseOf(current).phase === "replying") return "nothing";
    return this.guarded() ? "guarded" : null;
  }

  /** Changes what is on screen without the user's doing. */
  #slide(id: string | null): void {
    if (id === this.#wanted) this.#wanted = null;
    if (id === this.selected) return;
    this.selected = id;
    this.#close();
    this.slidAt = this.#clock();
  }

  #forgetSent(after: readonly Request[]): void {
    for (const [id, sent] of this.#sent) {
      const request = find(after, id);
      if (!request || sent.arrived || request.phase.phase === "replying") this.#sent.delete(id);
    }
  }
}
