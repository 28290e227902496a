import { SvelteSet } from "svelte/reactivity";

import type { Answer, Call, Choice, Failure, Field, Given, Problem, Question } from "../bindings/api";
import { NO, YES, answerOf, sheetOf, stillTyped, wordsOf, type Sheet, type Typed } from "./answers";
import { failureOf } from "./failure";
import { active } from "./form";

/** How long typing pauses before what is half typed is kept, in milliseconds. */
export const DRAFTED_AFTER = 300;

/**
 * What is typed for one question, and what is known of it. What is wrong the backend says: patterns come from agents, and
 * some would keep the window busy for ever.
 */
export class Form {
  readonly question: Question;
  readonly sheet: Sheet = $state({});
  problems: readonly Problem[] = $state.raw([]);
  /** Fields that were left, or whose answer was refused: only there something wrong is said. */
  readonly left = new SvelteSet<string>();
  /** Why what is half typed is not kept; `null` while it is. */
  unkept: Failure | null = $state.raw(null);
  /** Fields that were changed since an answer was sent: what the server said of them is of the past. */
  readonly changed = new SvelteSet<string>();
  /** Whether anything was typed that is not sent. */
  dirty = $state(false);
  readonly #answer = $derived.by(() => answerOf(this.question.fields, this.sheet));
  readonly #shown = $derived.by(() => active(this.question.fields, this.#answer).filter(({ hidden }) => !hidden));
  readonly #call: (call: Call) => Promise<Answer>;
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `before` is what was typed while something else was asked under the same key. */
  constructor(question: Question, call: (call: Call) => Promise<Answer>, before?: Form) {
    this.question = question;
    this.#call = call;
    const { sheet, isDraft } = sheetOf(question);
    const still = before ? stillTyped(before.sheet, before.question.fields, question.fields) : {};
    this.sheet = { ...sheet, ...still };
    this.dirty = isDraft || Object.keys(still).length > 0;
    void this.check();
  }

  /** The fields that are to be seen now, in their order. */
  get shown(): readonly Field[] {
    return this.#shown;
  }

  get answer(): Record<string, Given> {
    return this.#answer;
  }

  /** Whether there is anything in it to send. */
  get isEmpty(): boolean {
    return this.shown.length > 0 && !this.shown.some(({ key }) => Object.hasOwn(this.answer, key));
  }

  get words(): string {
    return wordsOf(this.shown, this.sheet);
  }

  /** What is wrong with a field, once that is worth saying. */
  problemOf(key: string): string | null {
    if (!this.left.has(key)) return null;
    return this.problems.find((problem) => problem.field === key)?.message ?? null;
  }

  /** The user changes what stands in a field. */
  type(key: string, change: Partial<Typed>): void {
    const typed = this.sheet[key];
    if (!typed) return;
    this.sheet[key] = { ...typed, ...change };
    this.dirty = true;
    this.changed.add(key);
    void this.check();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.keep(), DRAFTED_AFTER);
  }

  /** The user has left a field. */
  leave(key: string): void {
    this.left.add(key);
  }

  /** Everything wrong is worth saying from now on. */
  leaveAll(): void {
    for (const { key } of this.question.fields) this.left.add(key);
  }

  /** Asks what is wrong. An answer that was overtaken counts for nothing. */
  async check(): Promise<void> {
    const asked = (this.#asked += 1);
    try {
      const answer = await this.#call({ call: "check_answer", key: this.question.key, answer: this.answer });
      if (asked === this.#asked) this.take(answer);
    } catch {
      // The question is gone, which the next snapshot says; or the server will judge.
    }
  }

  /** Takes in what the backend says of an answer. Whether it found something wrong. */
  take(answer: Answer): boolean {
    if (answer.answer !== "checked") return false;
    this.problems = answer.problems;
    return answer.problems.length > 0;
  }

  /** Has what is half typed kept, at once. */
  async keep(): Promise<void> {
    clearTimeout(this.#timer);
    if (!this.dirty) return;
    const draft = JSON.stringify(this.sheet);
    try {
      await this.#call({ call: "keep_draft", key: this.question.key, draft });
      this.unkept = null;
    } catch (thrown) {
      // It is still on screen, and can be sent; but it would not outlive the window.
      this.unkept = failureOf(thrown);
    }
  }

  /** Another form takes its place. Whoever draws that may ask for it, so nothing that is drawn changes here. */
  retire(): void {
    clearTimeout(this.#timer);
  }

  /** It is sent or given up: nothing is half typed any more. */
  close(): void {
    clearTimeout(this.#timer);
    this.dirty = false;
    this.changed.clear();
  }

  /** The server refused what was sent: it is still to be sent, once it is mended. */
  reopen(): void {
    this.dirty = true;
  }

  /** The field in which a digit chooses: the first without an answer, or else the last that has options. */
  get aimed(): Field | null {
    const offering = this.shown.filter((field) => choicesOf(field).length && !this.sheet[field.key]?.skipped);
    const { answer } = this;
    return offering.find(({ key }) => !Object.hasOwn(answer, key)) ?? offering.at(-1) ?? null;
  }

  /** Chooses the option at `place` (from 1) of a field. */
  choose(field: Field, place: number): void {
    const option = choicesOf(field)[place - 1];
    const typed = this.sheet[field.key];
    if (!option || !typed) return;
    const { chosen } = typed;
    if (field.kind.kind !== "multiselect") {
      this.type(field.key, { chosen: [option.value], own: false, skipped: false });
    } else if (chosen.includes(option.value)) {
      this.type(field.key, { chosen: chosen.filter((value) => value !== option.value) });
    } else {
      // In the order in which they are offered, whatever order they were chosen in.
      const both = [...chosen, option.value];
      this.type(field.key, {
        chosen: choicesOf(field)
          .map(({ value }) => value)
          .filter((value) => both.includes(value)),
      });
    }
  }
}

const YES_OR_NO: Choice[] = [
  { value: YES, label: YES, description: null },
  { value: NO, label: NO, description: null },
];

/** What a field offers to choose from. */
export function choicesOf({ kind }: Field): readonly Choice[] {
  switch (kind.kind) {
    case "text":
      return kind.options ?? [];
    case "multiselect":
      return kind.options;
    case "boolean":
      return YES_OR_NO;
    default:
      return [];
  }
}
