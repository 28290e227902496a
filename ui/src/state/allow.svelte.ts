import type { Hazard, Lasts, Offer, Request, Saved, WouldMatch } from "../bindings/api";
import { text } from "../text";
import type { Gavel } from "./gavel.svelte";
import { covers } from "./pattern";
import { visible } from "./visible";

/** Patterns are looked up when typing has stopped for this long, in milliseconds. */
const PAUSE = 250;

const MINUTE = 60_000;

/** What ends a grant, as it is chosen. */
export type End = "session" | "quarter" | "hour" | "run" | "uses";

export const ENDS: readonly End[] = ["session", "quarter", "hour", "run", "uses"];

/** The most uses that can be asked for. */
const MOST_USES = 1_000;

/** What is chosen, from `now` on; `null` if `uses` is not a number of uses. */
export function lastsOf(end: End, uses: string, now: number): Lasts | null {
  const lasts: Lasts = { until: null, uses: null, for_run: end === "run" };
  if (end === "quarter") lasts.until = now + 15 * MINUTE;
  if (end === "hour") lasts.until = now + 60 * MINUTE;
  if (end === "uses") {
    const count = /^\d{1,4}$/.test(uses.trim()) ? Number(uses) : 0;
    if (count < 1 || count > MOST_USES) return null;
    lasts.uses = count;
  }
  return lasts;
}

/** A pattern that the server proposed, and what the user makes of it. */
export class Choice {
  readonly offer: Offer;
  narrowing = $state(false);
  #checked = $state(true);
  #resource: string = $state("");
  readonly #changed: (typing: boolean) => void;

  /** `changed` is told of every change, and whether more of it is likely to follow at once. */
  constructor(offer: Offer, checked: boolean, changed: (typing: boolean) => void) {
    this.offer = offer;
    this.#checked = checked;
    this.#resource = offer.pattern.resource;
    this.#changed = changed;
  }

  get checked(): boolean {
    return this.#checked;
  }

  set checked(checked: boolean) {
    this.#checked = checked;
    this.#changed(false);
  }

  get resource(): string {
    return this.#resource;
  }

  set resource(resource: string) {
    this.#resource = resource;
    this.#changed(true);
  }

  /** Takes another pattern in the place of what stands there: somebody who does that wants it. */
  take(resource: string): void {
    this.#resource = resource;
    this.#checked = true;
    this.#changed(false);
  }

  /** Whether it is what the server proposed. */
  get asProposed(): boolean {
    return this.#resource === this.offer.pattern.resource;
  }

  /** The resource with every character visible. */
  get shown(): string {
    return this.asProposed ? this.offer.shown : visible(this.#resource);
  }

  /** Whether what is seen is what would be edited. */
  get editable(): boolean {
    return this.offer.shown === this.offer.pattern.resource && visible(this.offer.shown) === this.offer.shown;
  }

  get pattern(): Saved {
    return { action: this.offer.pattern.action, resource: this.#resource };
  }

  /** What is wrong with it; empty if nothing is. */
  get error(): string {
    if (this.asProposed) return "";
    if (!this.#resource.trim()) return text.allow.empty;
    if (visible(this.#resource) !== this.#resource) return text.allow.hidden;
    return covers(this.offer.pattern.resource, this.#resource) ? "" : text.allow.tooWide(this.offer.shown);
  }
}

const isSame = (one: Saved, other: Saved) => one.action === other.action && one.resource === other.resource;

/** All that can be allowed with a request, and how far what is checked of it reaches, taken together. */
export class Choices {
  readonly all: readonly Choice[];
  /** How far what is checked reaches; `null` while that is not known, `unknown` if it can't be. */
  reach: WouldMatch | "unknown" | null = $state.raw(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts the changes: an answer to what was asked before the last one is of no use. */
  #change = 0;
  readonly #request: Request;
  readonly #gavel: Gavel;

  /** `fixed`: all of them are checked, whatever they are. Otherwise those to be thought about twice are not. */
  constructor(gavel: Gavel, request: Request, fixed = false) {
    this.#gavel = gavel;
    this.#request = request;
    const changed = (typing: boolean) => this.#changed(typing);
    this.all = request.offers.map((offer) => new Choice(offer, fixed || !offer.hazard, changed));
    void this.#look(this.#change);
  }

  get checked(): readonly Choice[] {
    return this.all.filter((choice) => choice.checked);
  }

  /** What is allowed: each pattern once, although two may have been made the same. */
  get patterns(): Saved[] {
    const all = this.checked.map(({ pattern }) => pattern);
    return all.filter((one, place) => all.findIndex((other) => isSame(one, other)) === place);
  }

  /** Whether something is wrong with a pattern that is checked. */
  get mistaken(): boolean {
    return this.checked.some((choice) => choice.error !== "");
  }

  /** What keeps it from being allowed; empty if nothing does. Nothing is, before it stands there how far it reaches. */
  get obstacle(): string {
    if (!this.checked.length) return text.allow.nothing;
    if (this.mistaken) return text.allow.mistaken;
    return this.reach === null ? text.allow.looking : "";
  }

  /** What is the matter with a pattern, as far as it is known. */
  hazardOf(choice: Choice): Hazard | null {
    if (choice.asProposed) return choice.offer.hazard;
    if (!this.reach || this.reach === "unknown") return null;
    const place = this.patterns.findIndex((pattern) => isSame(pattern, choice.pattern));
    return this.reach.hazards[place] ?? null;
  }

  /** Looks no further. */
  leave(): void {
    clearTimeout(this.#timer);
  }

  #changed(typing: boolean): void {
    const change = ++this.#change;
    this.reach = null;
    clearTimeout(this.#timer);
    if (typing) this.#timer = setTimeout(() => void this.#look(change), PAUSE);
    else void this.#look(change);
  }

  async #look(change: number): Promise<void> {
    const patterns = this.patterns;
    if (!patterns.length || this.mistaken) return;
    const { directory, lines } = this.#request;
    let reach: WouldMatch | "unknown" = "unknown";
    try {
      const answer = await this.#gavel.call({ call: "would_match", directories: [directory], patterns, lines });
      if (answer.answer === "would_match") reach = answer.reach;
    } catch {
      // Then it is said that it can't be known.
    }
    if (change === this.#change) this.reach = reach;
  }
}
