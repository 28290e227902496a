import type { Lasts, Offer, Request, Saved, WouldMatch } from "../bindings/api";
import { text } from "../text";
import type { Gavel } from "./gavel.svelte";
import { covers, isPlain, matches } from "./pattern";
import { visible } from "./visible";

/** A pattern is looked up when typing has stopped for this long, in milliseconds. */
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
  checked = $state(true);
  narrowing = $state(false);
  /** How far it reaches; `null` while that is not known, `unknown` if it can't be. */
  reach: WouldMatch | "unknown" | null = $state.raw(null);
  #resource: string = $state("");
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #directory: string;
  readonly #gavel: Gavel;

  constructor(gavel: Gavel, request: Request, offer: Offer) {
    this.#gavel = gavel;
    this.#directory = request.directory;
    this.offer = offer;
    this.#resource = offer.pattern.resource;
    void this.#look();
  }

  get resource(): string {
    return this.#resource;
  }

  set resource(resource: string) {
    this.#resource = resource;
    this.reach = null;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), PAUSE);
  }

  /** The resource with every character visible. */
  get shown(): string {
    return this.#resource === this.offer.pattern.resource ? this.offer.shown : visible(this.#resource);
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
    if (!this.#resource.trim()) return text.allow.empty;
    return covers(this.offer.pattern.resource, this.#resource) ? "" : text.allow.tooWide(this.offer.shown);
  }

  /** Whether it can be allowed: it is not wider than proposed, and how far it reaches has been displayed. */
  get ready(): boolean {
    return this.error === "" && this.reach !== null;
  }

  /** Looks no further. */
  leave(): void {
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const { action, resource } = this.pattern;
    let reach: WouldMatch | "unknown" = "unknown";
    try {
      const answer = await this.#gavel.call({ call: "would_match", directories: [this.#directory], action, resource });
      if (answer.answer === "would_match") reach = answer.reach;
    } catch {
      // Then it is said that it can't be known.
    }
    // Something else may have been typed meanwhile.
    if (resource === this.#resource) this.reach = reach;
  }
}

/** The text itself that a proposed pattern was made from, if there is one that can stand in its place. */
export function exactly(request: Request, { pattern }: Offer): string | null {
  const fits = (resource: string) =>
    isPlain(resource) &&
    resource !== pattern.resource &&
    !resource.includes("⟨U+") &&
    visible(resource) === resource &&
    matches(pattern.resource, resource) &&
    covers(pattern.resource, resource);
  const [one, another] = request.action === pattern.action ? request.resources.filter(fits) : [];
  return another === undefined ? (one ?? null) : null;
}
