import { SvelteMap } from "svelte/reactivity";

import type { Decision, Question, Request, RequestKey, Response } from "../bindings/api";
import { identicalTo } from "./identical";
import { isQuestion, type Item, type ItemPhase } from "./items";
import { find, idOf, neighbour, successor } from "./selection";

/** For how long a request that slid in by itself can't be answered, in milliseconds: the press was meant for another. */
export const GUARD = 400;

/** What became of a wish to answer. */
export type Attempt<Reply = Decision> =
  | { done: "send"; key: RequestKey; edition: number; reply: Reply }
  /** The request on screen had just changed by itself. */
  | { done: "guarded" }
  /** There is nothing that wants an answer. */
  | { done: "nothing" };

/** What waits, and which of it is on screen. Sends nothing itself. */
export class Inbox {
  items: readonly Item[] = $state.raw([]);
  /** Id of what is on screen. */
  selected: string | null = $state(null);
  /** Whether the reason of a decline is being written. */
  declining = $state(false);
  /** Whether that reason is meant for all identical requests. */
  decliningAll = $state(false);
  /** Whether it is being chosen what else is allowed with the request on screen. */
  granting = $state(false);
  /** When what is on screen last changed by itself, on the inbox's clock. */
  slidAt = $state(-Infinity);
  /** What was settled elsewhere while its answer was being put together: it stays, so that no keystroke hits another. */
  ghost: Item | null = $state.raw(null);
  /** Answers on their way to the backend that no snapshot has shown yet. */
  readonly #sent = new SvelteMap<string, { phase: ItemPhase; arrived: boolean }>();
  /** A request that was asked for before it was known. */
  #wanted: string | null = null;
  readonly #clock: () => number;
  /** Whether something is half typed for an item. */
  readonly #isWritten: (id: string) => boolean;

  constructor(clock: () => number, isWritten: (id: string) => boolean = () => false) {
    this.#clock = clock;
    this.#isWritten = isWritten;
  }

  /** What is on screen. */
  get item(): Item | null {
    return this.ghost ?? find(this.items, this.selected) ?? null;
  }

  /** The request on screen, if it is one. */
  get current(): Request | null {
    return this.item && !isQuestion(this.item) ? this.item : null;
  }

  /** The question on screen, if it is one. */
  get question(): Question | null {
    return this.item && isQuestion(this.item) ? this.item : null;
  }

  /** The requests that ask for exactly what the one on screen asks for, that one first among them. */
  get identical(): readonly Request[] {
    const { current } = this;
    if (!current || this.ghost) return [];
    const waiting = this.items.filter((item) => !isQuestion(item) && this.phaseOf(item).phase === "waiting");
    return identicalTo(current, waiting as Request[]);
  }

  /** Takes in what waits by a newer snapshot. */
  take(after: readonly Item[]): void {
    const before = this.items;
    const gone = find(before, this.selected);
    const isBeingPutTogether =
      gone &&
      (this.declining || this.granting || this.#isWritten(idOf(gone.key))) &&
      this.phaseOf(gone).phase !== "replying";
    this.items = after;
    this.#forgetSent(after);
    if (this.ghost) return;
    if (isBeingPutTogether && !find(after, this.selected)) {
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
    else this.select(neighbour(this.items, this.selected, by));
  }

  /** The backend wants this request on screen; it may arrive only with the next snapshot. */
  want(key: RequestKey): void {
    const id = idOf(key);
    if (this.declining || this.granting) return;
    if (find(this.items, id)) this.#slide(id);
    else this.#wanted = id;
  }

  /** How far the answer to an item has come, this window's own wishes included. */
  phaseOf<Kind extends Item>(item: Kind): Kind["phase"] {
    const sent = this.#sent.get(idOf(item.key));
    return sent && item.phase.phase !== "replying" ? sent.phase : item.phase;
  }

  /** Whether the request on screen changed by itself so recently that a press can't have been meant for it. */
  guarded(): boolean {
    return this.#clock() - this.slidAt < GUARD;
  }

  /** Opens the field for the reason; `all`: of all identical requests. */
  beginDecline(all = false): Attempt["done"] | "open" {
    const check = this.#check();
    if (check) return check;
    this.granting = false;
    this.declining = true;
    this.decliningAll = all && this.identical.length > 1;
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
    this.#slide(successor([ghost], this.items, idOf(ghost.key)));
  }

  /** The user answers the request on screen. */
  decide(decision: Decision): Attempt {
    return this.#send(this.current, { phase: "replying", decision }, decision);
  }

  /** The user gives all identical requests the same answer, each of them its own. */
  decideAll(decision: Decision): readonly Attempt[] {
    const check = this.current ? this.#check() : "nothing";
    if (check) return [{ done: check }];
    return this.identical.map((request) => this.#put(request, { phase: "replying", decision }, decision));
  }

  /** The user answers or cancels the question on screen. */
  respond(response: Response): Attempt<Response> {
    return this.#send(this.question, { phase: "replying", response }, response);
  }

  /** The user has the undelivered answer on screen sent again. */
  retry(): Attempt<Decision | Response> {
    const phase = this.item?.phase;
    if (phase?.phase !== "undelivered") return { done: "nothing" };
    return "decision" in phase ? this.decide(phase.decision) : this.respond(phase.response);
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
    this.decliningAll = false;
    this.granting = false;
  }

  #check(): "guarded" | "nothing" | null {
    const { item } = this;
    if (!item || this.ghost || this.phaseOf(item).phase === "replying") return "nothing";
    return this.guarded() ? "guarded" : null;
  }

  #send<Reply>(item: Item | null, phase: ItemPhase, reply: Reply): Attempt<Reply> {
    const check = item ? this.#check() : "nothing";
    return check || !item ? { done: check ?? "nothing" } : this.#put(item, phase, reply);
  }

  #put<Reply>(item: Item, phase: ItemPhase, reply: Reply): Attempt<Reply> {
    this.#close();
    this.#sent.set(idOf(item.key), { phase, arrived: false });
    return { done: "send", key: item.key, edition: item.edition, reply };
  }

  /** Changes what is on screen without the user's doing. */
  #slide(id: string | null): void {
    if (id === this.#wanted) this.#wanted = null;
    if (id === this.selected) return;
    this.selected = id;
    this.#close();
    this.slidAt = this.#clock();
  }

  #forgetSent(after: readonly Item[]): void {
    for (const [id, sent] of this.#sent) {
      const item = find(after, id);
      if (!item || sent.arrived || item.phase.phase === "replying") this.#sent.delete(id);
    }
  }
}
