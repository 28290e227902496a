import { SvelteMap } from "svelte/reactivity";

import type { Failure, ProjectRules, RulesChange, RulesProject } from "../bindings/api";
import { text } from "../text";
import { failureOf } from "./failure";
import type { Gavel } from "./gavel.svelte";

/** How long a deleted line stays in its place, to be had again, in milliseconds. */
export const UNDO = 10_000;

/** The lists of a file from which lines can be deleted. */
export type Section = "preset" | "learned" | "pending";

/** A line that was just deleted. */
export interface Gone {
  section: Section;
  /** Its place in the list. */
  at: number;
  shown: string;
  /** By which number it can be had again. */
  undo: number;
}

/** A row of a list: a line, or where one was. */
export type Row<Line> = { line: Line; gone?: undefined } | { line?: undefined; gone: Gone };

/** The rules files, while somebody looks at them. */
export class RulesBook {
  projects: readonly RulesProject[] = $state.raw([]);
  /** Whether rules are heeded. */
  inForce = $state(true);
  loaded = $state(false);
  /** The directory of the project that is looked at. */
  directory = $state("");
  rules: ProjectRules | null = $state.raw(null);
  /** Why something was not done or can't be had. */
  failure: Failure | null = $state.raw(null);
  /** The last change that no deleted line stands for, and by which number it can be taken back. */
  done: { said: string; undo: number | null } | null = $state.raw(null);
  readonly #gone = new SvelteMap<number, Gone>();
  readonly #gavel: Gavel;
  /** How many times the rules were asked for, and the answer to which of these is shown. */
  #asked = 0;
  #shown = 0;

  constructor(gavel: Gavel) {
    this.#gavel = gavel;
    this.directory = gavel.project;
  }

  /** Reads everything anew: the list of projects, and the rules of the one that is looked at. */
  async load(): Promise<void> {
    try {
      const answer = await this.#gavel.call({ call: "rules_projects" });
      if (answer.answer !== "rules_projects") return;
      this.projects = answer.projects;
      this.inForce = answer.in_force;
      const own = answer.projects.filter(({ directory }) => directory);
      if (!own.some(({ directory }) => directory === this.directory)) this.directory = own[0]?.directory ?? "";
      await this.#read();
      this.loaded = true;
    } catch (thrown) {
      this.failure = failureOf(thrown);
    }
  }

  async choose(directory: string): Promise<void> {
    this.directory = directory;
    this.#gavel.project = directory;
    this.rules = null;
    this.failure = null;
    this.done = null;
    this.#gone.clear();
    try {
      await this.#read();
    } catch (thrown) {
      this.failure = failureOf(thrown);
    }
  }

  /** How many lines stand in their places although they are deleted. */
  get deleted(): number {
    return this.#gone.size;
  }

  /** The rows of a list, with those that were just deleted in their places. */
  rows<Line>(section: Section, lines: readonly Line[]): Row<Line>[] {
    const rows: Row<Line>[] = lines.map((line) => ({ line }));
    const gone = [...this.#gone.values()].filter((one) => one.section === section);
    for (const one of gone.sort((one, other) => one.at - other.at)) {
      rows.splice(Math.min(one.at, rows.length), 0, { gone: one });
    }
    return rows;
  }

  /** Deletes a line. It no longer counts at once, and can be had again for a while. */
  async remove(section: Section, at: number, shown: string, change: RulesChange): Promise<void> {
    const { directory } = this;
    const undo = await this.#change(change);
    if (undo === null) return;
    await this.#again(() => {
      // Another project may have been chosen meanwhile: the line is none of its own.
      if (directory !== this.directory) return;
      this.done = null;
      this.#gone.set(undo, { section, at, shown, undo });
      setTimeout(() => this.#gone.delete(undo), UNDO);
    });
  }

  /** Has a deleted line again. */
  async restore(undo: number): Promise<void> {
    await this.#undo(undo);
    await this.#again(() => this.#gone.delete(undo));
  }

  /** Makes any other change. Whether it is made. */
  async make(change: RulesChange, said: string): Promise<boolean> {
    const undo = await this.#change(change);
    if (undo !== null) this.done = { said, undo };
    await this.#again();
    return undo !== null;
  }

  /** Takes the last change back; `said` says so. */
  async takeBack(said: string): Promise<void> {
    const undo = this.done?.undo ?? null;
    if (undo === null) return;
    this.done = { said, undo: null };
    await this.#undo(undo);
    await this.#again();
  }

  /** Why a change is refused, where a field shows it; `null` once it is made. */
  async submit(change: RulesChange, said: string): Promise<Failure | null> {
    if (await this.make(change, said)) return null;
    const failure = this.failure as Failure | null;
    // The field says it.
    this.failure = null;
    return failure;
  }

  async #undo(undo: number): Promise<void> {
    this.failure = await this.#gavel.attempt({ call: "undo_rules", undo });
  }

  /** By which number the change can be taken back; `null` if it was not made. */
  async #change(change: RulesChange): Promise<number | null> {
    this.failure = null;
    try {
      const answer = await this.#gavel.call({ call: "change_rules", directory: this.directory, change });
      if (answer.answer === "rules_changed" && answer.undo !== null) return answer.undo;
      this.failure = { code: "failed", message: text.rules.unchanged, hint: "" };
    } catch (thrown) {
      this.failure = failureOf(thrown);
    }
    return null;
  }

  /** Reads the rules anew and `settles` in the same moment, so that no row goes away and comes back under a hand. */
  async #again(settle?: () => void): Promise<void> {
    try {
      await this.#read(settle);
    } catch (thrown) {
      settle?.();
      this.failure ??= failureOf(thrown);
    }
  }

  async #read(settle?: () => void): Promise<void> {
    const { directory } = this;
    if (!directory) return;
    const turn = ++this.#asked;
    const answer = await this.#gavel.call({ call: "project_rules", directory });
    // Another project may have been chosen meanwhile, or a later answer be here already.
    if (answer.answer === "project_rules" && turn > this.#shown && directory === this.directory) {
      this.#shown = turn;
      this.rules = answer.rules;
    }
    settle?.();
  }
}
