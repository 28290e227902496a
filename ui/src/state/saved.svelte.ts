import { SvelteMap, SvelteSet } from "svelte/reactivity";

import type { Failure, SavedApproval, SavedProject, WouldMatch } from "../bindings/api";
import { failureOf } from "./failure";
import type { Gavel } from "./gavel.svelte";

/** How long a removal can be undone, in milliseconds. Until then the server isn't told of it. */
export const UNDO = 10_000;

/** How long after a removal that somebody else began it is looked whether it is done, in milliseconds. */
const SOON = 500;

/** What the projects of one server have saved for good, while somebody looks at it. */
export class SavedApprovals {
  projects: readonly SavedProject[] = $state.raw([]);
  /** Whether the server keeps such approvals at all. */
  supported = $state(true);
  canChange = $state(false);
  /** How many requests on record the approvals were held against. */
  recorded = $state(0);
  unlisted: readonly string[] = $state.raw([]);
  loading = $state(false);
  loaded = $state(false);
  /** Why they can't be listed, or why something was not done. */
  failure: Failure | null = $state.raw(null);
  /** Those about to be removed by id, and when that is done, in milliseconds since the Unix epoch. */
  readonly leaving = new SvelteMap<string, number>();
  readonly #gavel: Gavel;
  readonly #server: string;
  /** Nobody looks any more. */
  #left = false;
  /** Those about to be removed that nobody here began to remove. */
  readonly #foreign = new SvelteSet<string>();
  /** Looks again when they are gone. */
  #look: ReturnType<typeof setTimeout> | undefined;

  constructor(gavel: Gavel, server: string) {
    this.#gavel = gavel;
    this.#server = server;
  }

  async load(): Promise<void> {
    if (this.loading) return;
    this.loading = true;
    this.failure = null;
    try {
      const answer = await this.#gavel.call({ call: "saved_approvals", server: this.#server });
      if (answer.answer !== "saved_approvals") return;
      this.projects = answer.projects;
      this.supported = answer.supported;
      this.canChange = answer.can_change;
      this.recorded = answer.recorded;
      this.unlisted = answer.unlisted;
      this.loaded = true;
      this.#takeLeaving();
    } catch (thrown) {
      this.failure = failureOf(thrown);
    } finally {
      this.loading = false;
    }
  }

  /** Removes an approval, unless that is undone in time. It is done whatever becomes of this window meanwhile. */
  remove(project: SavedProject, approval: SavedApproval): void {
    if (this.leaving.has(approval.id)) return;
    this.leaving.set(approval.id, Date.now() + UNDO);
    void this.#remove(project, approval.id, UNDO);
  }

  undo(id: string): void {
    this.leaving.delete(id);
    this.#foreign.delete(id);
    // Should it not get through, the removal is carried out, and the list says so.
    void this.#gavel.attempt({ call: "keep_saved_approval", server: this.#server, id }).then((failure) => {
      this.failure ??= failure;
    });
  }

  /** Lets an approval match another resource. Resolves to why it doesn't, or to `null`. */
  async change(project: SavedProject, approval: SavedApproval, resource: string): Promise<Failure | null> {
    const directory = project.directories[0] ?? "";
    const failure = await this.#gavel.attempt({
      call: "change_saved_approval",
      server: this.#server,
      directory,
      id: approval.id,
      resource,
    });
    if (failure?.code === "not_changeable") this.canChange = false;
    if (!failure || failure.code === "approval_gone") {
      await this.load();
      // What is listed again says nothing of why it had to be.
      this.failure ??= failure;
    }
    return failure;
  }

  /** What a pattern would have matched; `null` if that can't be known. */
  async wouldMatch(project: SavedProject, action: string, resource: string): Promise<WouldMatch | null> {
    try {
      const { directories } = project;
      const patterns = [{ action, resource }];
      const answer = await this.#gavel.call({ call: "would_match", directories, patterns, lines: "unknown" });
      return answer.answer === "would_match" ? answer.reach : null;
    } catch {
      return null;
    }
  }

  /** Nobody looks any more: what was to be removed is removed at once. */
  leave(): void {
    this.#left = true;
    clearTimeout(this.#look);
    for (const project of this.projects) {
      for (const { id } of project.approvals) if (this.leaving.has(id)) void this.#remove(project, id, 0);
    }
  }

  async #remove(project: SavedProject, id: string, hold: number): Promise<void> {
    const directory = project.directories[0] ?? "";
    try {
      const answer = await this.#gavel.call({
        call: "remove_saved_approval",
        server: this.#server,
        directory,
        id,
        hold,
      });
      if (answer.answer === "removed" && answer.removed) this.#forget(id);
    } catch (thrown) {
      this.leaving.delete(id);
      const failure = failureOf(thrown);
      if (this.#left) this.#gavel.notice = failure;
      else this.failure = failure;
    }
  }

  /** Some may be on their way out although nobody here began it: the window was closed meanwhile. */
  #takeLeaving(): void {
    clearTimeout(this.#look);
    const all = this.projects.flatMap((project) => project.approvals);
    for (const id of this.#foreign) this.leaving.delete(id);
    this.#foreign.clear();
    for (const { id, leaving } of all) {
      if (leaving === null || this.leaving.has(id)) continue;
      this.leaving.set(id, leaving);
      this.#foreign.add(id);
      this.#look = setTimeout(() => void this.load(), Math.max(0, leaving - Date.now()) + SOON);
    }
  }

  #forget(id: string): void {
    this.leaving.delete(id);
    this.projects = this.projects
      .map((project) => ({ ...project, approvals: project.approvals.filter((approval) => approval.id !== id) }))
      .filter((project) => project.approvals.length);
  }
}
