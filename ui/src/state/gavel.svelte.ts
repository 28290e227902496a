import { untrack } from "svelte";

import type {
  Activity,
  Answer,
  Call,
  Decision,
  Failure,
  Question,
  RequestKey,
  Response,
  Snapshot,
} from "../bindings/api";
import type { Host, Show, View } from "../host";
import { speak, text } from "../text";
import { ActivityLog } from "./activity.svelte";
import { failureOf } from "./failure";
import { Form } from "./filling.svelte";
import { Inbox, type Attempt } from "./inbox.svelte";
import { isQuestion, itemsOf, type Item } from "./items";
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
  /** The directory of the project whose rules are looked at; empty for the first one. */
  project = $state("");
  /** What a screen reader is told. */
  announcement = $state("");
  readonly inbox: Inbox;
  readonly activity: ActivityLog;
  /** What is typed for questions, by their ids. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- what shows a form asks for it by its question
  readonly #forms = new Map<string, Form>();
  readonly #host: Host;
  #listening = false;

  constructor(host: Host, clock: () => number = () => performance.now()) {
    this.#host = host;
    this.inbox = new Inbox(clock, (id) => this.#forms.get(id)?.dirty ?? false);
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
    const known = this.inbox.items;
    const shown = this.inbox.selected;
    this.language = speak(snapshot.language);
    this.snapshot = snapshot;
    const items = itemsOf(snapshot.requests, snapshot.questions);
    for (const { key, refused } of snapshot.questions) if (refused) this.#forms.get(idOf(key))?.reopen();
    this.inbox.take(items);
    this.#forgetForms(items);
    this.#announce(
      first,
      items.filter(({ key }) => !find(known, idOf(key))),
      shown,
    );
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

  /** The same answer for all requests that ask for exactly the same, one by one. */
  async decideAll(decision: Decision): Promise<void> {
    if (allows(decision) && this.#bringsUpUnread()) return;
    const attempts = this.inbox.decideAll(decision);
    const sent = attempts.map((attempt) =>
      this.#send(attempt, ({ key, edition }) => ({ call: "decide", key, decision, edition })),
    );
    await Promise.all(sent);
  }

  /** What is typed for a question. */
  formOf(question: Question): Form {
    const id = idOf(question.key);
    const known = this.#forms.get(id);
    if (known?.question.edition === question.edition) return known;
    known?.retire();
    // It is made when it is first shown, but what it holds is no part of what shows it.
    const form = untrack(() => new Form(question, (call) => this.call(call), known));
    this.#forms.set(id, form);
    return form;
  }

  /** Sends what is typed for the question on screen. Whether the server would take it. */
  async answer(): Promise<boolean> {
    const { question } = this.inbox;
    if (!question || this.inbox.ghost) return true;
    const form = this.formOf(question);
    if (form.isEmpty) {
      this.notice = { code: "failed", message: text.questions.nothing, hint: "" };
      return false;
    }
    const { answer } = form;
    let refused = false;
    await this.#send(
      this.inbox.respond({ response: "answer", answer }),
      ({ key, edition }) => ({ call: "answer_question", key, answer, edition }),
      (came, key) => {
        refused = form.take(came);
        if (refused) this.inbox.failed(key);
        else form.close();
        form.leaveAll();
      },
    );
    return !refused;
  }

  /** Chooses the option at `place` (from 1) of the question on screen. */
  choose(place: number): void {
    const { question } = this.inbox;
    if (!question || this.inbox.ghost || this.inbox.phaseOf(question).phase === "replying") return;
    if (this.inbox.guarded()) return this.#sayGuarded();
    const form = this.formOf(question);
    if (form.aimed) form.choose(form.aimed, place);
  }

  /** Cancels the question on screen. */
  cancelQuestion(reason: string | null): Promise<void> {
    const { question } = this.inbox;
    if (question && !this.inbox.ghost && !this.inbox.guarded()) this.formOf(question).close();
    const response: Response = { response: "cancel", reason };
    return this.#send(this.inbox.respond(response), ({ key }) => ({ call: "cancel_question", key, reason }));
  }

  retry(): Promise<void> {
    return this.#send(this.inbox.retry(), ({ key }) => ({ call: "retry", key }));
  }

  beginDecline(all = false): void {
    if (this.inbox.beginDecline(all) === "guarded") this.#sayGuarded();
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

  async #send<Reply>(
    attempt: Attempt<Reply>,
    call: (sent: Attempt<Reply> & { done: "send" }) => Call,
    came: (answer: Answer, key: RequestKey) => void = () => undefined,
  ): Promise<void> {
    if (attempt.done === "guarded") this.#sayGuarded();
    if (attempt.done !== "send") return;
    this.notice = null;
    try {
      const answer = await this.call(call(attempt));
      this.inbox.arrived(attempt.key);
      came(answer, attempt.key);
    } catch (thrown) {
      this.inbox.failed(attempt.key);
      this.notice = failureOf(thrown);
    }
  }

  #forgetForms(items: readonly Item[]): void {
    const { ghost } = this.inbox;
    for (const [id, form] of this.#forms) {
      if (find(items, id) || (ghost && idOf(ghost.key) === id)) continue;
      form.close();
      this.#forms.delete(id);
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

  #announce(first: boolean, arrived: readonly Item[], shown: string | null): void {
    const words: string[] = [];
    const { selected, item } = this.inbox;
    if (first) {
      words.push(text.inbox.waitingNow(arrived.length));
    } else {
      const [one] = arrived;
      if (shown && selected !== shown) {
        this.notice = null;
        words.push(item ? text.inbox.movedTo(item.headline) : text.inbox.allSettled);
      }
      if (arrived.length === 1 && one) {
        const told = isQuestion(one) ? text.questions.arrived : text.inbox.arrived;
        words.push(told(one.headline, one.project));
      }
      if (arrived.length > 1) words.push(text.inbox.arrivedMany(arrived.length));
    }
    if (words.length) this.announcement = words.join(". ");
  }
}

/** Whether something runs because of it. */
function allows({ kind }: Decision): boolean {
  return kind === "allow_once" || kind === "allow_for_session" || kind === "allow_always";
}
