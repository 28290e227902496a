import type { Activity, Answer, Call, Decision, Failure, Snapshot } from "../bindings/api";
import type { Host, Show, View } from "../host";
import { speak, text } from "../text";
import { ActivityLog } from "./activity.svelte";
import { failureOf } from "./failure";
import { Inbox, type Attempt } from "./inbox.svelte";
import { find, idOf } from "./selection";
import { firstUnread } from "./unread";

/** Everything the window knows, and the one way to ask for more. */
export class Gavel {
  snapshot: Snapshot | null = $state.raw(null);
  view: View = $state("inbox");
  /** Why there is no snapshot at all. */
  startFailure: Failure | null = $state.raw(null);
  /** Why the last answer could not be sent, or was not. */
  notice: Failure | null = $state.raw(null);
  /** The tag of the language that the window speaks. */
  language = $state(text.tag);
  /** What a screen reader is told. */
  announcement = $state("");
  readonly inbox: Inbox;
  readonly activity: ActivityLog;
  readonly #host: Host;
  #listening = false;

  constructor(host: Host, clock: () => number = () => performance.now()) {
    this.#host = host;
    this.inbox = new Inbox(clock);
    this.activity = new ActivityLog(host);
  }

  /** Listens first and asks then, so that nothing falls between the two. */
  async start(): Promise<void> {
    this.startFailure = null;
    try {
      if (!this.#listening) {
        await this.#host.listen({
          snapshot: (snapshot) => this.take(snapshot),
          activity: (row: Activity) => this.activity.add(row),
          show: (wish) => this.show(wish),
        });
        this.#listening = true;
      }
      const answer = await this.#host.call({ call: "snapshot" });
      if (answer.answer === "snapshot") this.take(answer.snapshot);
    } catch (thrown) {
      this.startFailure = failureOf(thrown);
    }
  }

  /** Takes in a snapshot, unless a newer one has come already. */
  take(snapshot: Snapshot): void {
    if (this.snapshot && snapshot.revision <= this.snapshot.revision) return;
    const first = this.snapshot === null;
    const known = this.inbox.requests;
    const shown = this.inbox.selected;
    this.language = speak(snapshot.preferences.language);
    this.snapshot = snapshot;
    this.inbox.take(snapshot.requests);
    const arrived = snapshot.requests.filter((request) => !find(known, idOf(request.key)));
    this.#announce(first, arrived, shown);
  }

  show(wish: Show): void {
    this.view = wish.view;
    if (wish.request) this.inbox.want(wish.request);
  }

  /** Asks the backend; rejects with a `Failure`. */
  async call(call: Call): Promise<Answer> {
    try {
      return await this.#host.call(call);
    } catch (thrown) {
      throw failureOf(thrown);
    }
  }

  /** As `call`, for places that show why it failed: resolves to the failure, or to `null`. */
  async attempt(call: Call): Promise<Failure | null> {
    try {
      await this.#host.call(call);
      return null;
    } catch (thrown) {
      return failureOf(thrown);
    }
  }

  decide(decision: Decision): Promise<void> {
    if (allows(decision) && this.#bringsUpUnread()) return Promise.resolve();
    return this.#send(this.inbox.decide(decision), ({ key, edition }) => ({ call: "decide", key, decision, edition }));
  }

  retry(): Promise<void> {
    return this.#send(this.inbox.retry(), ({ key }) => ({ call: "retry", key }));
  }

  beginDecline(): void {
    if (this.inbox.beginDecline() === "guarded") this.#sayGuarded();
    else this.notice = null;
  }

  /** Opens the choice of what else is allowed: what was not read can't be allowed in any way. */
  beginGrant(): void {
    if (!this.inbox.current?.offers.length || this.inbox.ghost) return;
    if (this.#bringsUpUnread()) return;
    const done = this.inbox.beginGrant();
    if (done === "guarded") this.#sayGuarded();
    else if (done === "open") this.notice = null;
  }

  select(id: string | null): void {
    this.notice = null;
    this.inbox.select(id);
  }

  move(by: number): void {
    this.notice = null;
    this.inbox.move(by);
  }

  async #send(attempt: Attempt, call: (sent: Attempt & { done: "send" }) => Call): Promise<void> {
    if (attempt.done === "guarded") this.#sayGuarded();
    if (attempt.done !== "send") return;
    this.notice = null;
    const failure = await this.attempt(call(attempt));
    if (failure) {
      this.inbox.failed(attempt.key);
      this.notice = failure;
    } else {
      this.inbox.arrived(attempt.key);
    }
  }

  /** Whether there is more to be read: then it has been brought up. */
  #bringsUpUnread(): boolean {
    const unread = this.inbox.guarded() ? null : firstUnread();
    if (!unread) return false;
    unread.scrollIntoView({ block: "end" });
    this.notice = { code: "failed", message: text.inbox.readFirst, hint: "" };
    return true;
  }

  #sayGuarded(): void {
    this.notice = { code: "failed", message: text.inbox.guarded, hint: "" };
  }

  #announce(first: boolean, arrived: Snapshot["requests"], shown: string | null): void {
    const words: string[] = [];
    const { selected, current } = this.inbox;
    if (first) {
      words.push(text.inbox.waitingNow(arrived.length));
    } else {
      const [one] = arrived;
      if (shown && selected !== shown) {
        this.notice = null;
        words.push(current ? text.inbox.movedTo(current.headline) : text.inbox.allSettled);
      }
      if (arrived.length === 1 && one) words.push(text.inbox.arrived(one.headline, one.project));
      if (arrived.length > 1) words.push(text.inbox.arrivedMany(arrived.length));
    }
    if (words.length) this.announcement = words.join(". ");
  }
}

/** Whether something runs because of it. */
function allows({ kind }: Decision): boolean {
  return kind === "allow_once" || kind === "allow_for_session" || kind === "allow_always";
}
