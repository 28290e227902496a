import { SvelteMap } from "svelte/reactivity";

import type { Call, Failure, SavedApproval, SavedProject, WouldMatch } from "../bindings/api";
import type { Gavel } from "./gavel.svelte";
import { failureOf } from "./failure";

/** How long a removal can be undone, in milliseconds. Until then the server isn't told of it. */
export const UNDO = 10_000;

/** An approval that is about to be removed. */
interface Leaving {
  /** When that is done, in milliseconds since the Unix epoch. */
  until: number;
  call: Extract<Call, { call: "remove_saved_approval" }>;
  timer: ReturnType<typeof setTimeout>;
}

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
  /** Those about to be removed, by id. */
  readonly leaving = new SvelteMap<string, Leaving>();
  readonly #gavel: Gavel;
  readonly #server: string;
  /** Nobody looks any more. */
  #left = false;

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
    } catch (thrown) {
      this.failure = failureOf(thrown);
    } finally {
      this.loading = false;
    }
  }

  /** Removes an approval, unless that is undone in time. */
  remove(project: SavedProject, approval: SavedApproval): void {
    if (this.leaving.has(approval.id)) return;
    const directory = project.directories[0] ?? "";
    this.leaving.set(approval.id, {
      until: Date.now() + UNDO,
      call: { call: "remove_saved_approval", server: this.#server, directory, id: approval.id },
      timer: setTimeout(() => void this.#carryOut(approval.id), UNDO),
    });
  }

  undo(id: string): void {
    clearTimeout(this.leaving.get(id)?.timer);
    this.leaving.delete(id);
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
      const answer = await this.#gavel.call({ call: "would_match", directories, action, resource });
      return answer.answer === "would_match" ? answer.reach : null;
    } catch {
      return null;
    }
  }

  /** Nobody looks any more: what was to be removed is removed at once. */
  leave(): void {
    this.#left = true;
    for (const id of [...this.leaving.keys()]) void this.#carryOut(id);
  }

  async #carryOut(id: string): Promise<void> {
    const leaving = this.leaving.get(id);
    if (!leaving) return;
    clearTimeout(leaving.timer);
    const failure = await this.#gavel.attempt(leaving.call);
    if (!failure) this.#forget(id);
    this.leaving.delete(id);
    if (failure && this.#left) this.#gavel.notice = failure;
    else if (failure) this.failure = failure;
  }

  #forget(id: string): void {
    this.projects = this.projects
      .map((project) => ({ ...project, approvals: project.approvals.filter((approval) => approval.id !== id) }))
      .filter((project) => project.approvals.length);
  }
}
