/** What servers have saved for good, and what it would have matched. */
import type { Activity, Answer, Call, Lines, PastRequest, Saved, SavedProject, WouldMatch } from "../../bindings/api";
import { isEverything, matches } from "../../state/pattern";
import { failure } from "./failure";
import { before, reach, savedProjects } from "./saved";

type SavedCall = Extract<
  Call,
  {
    call: "saved_approvals" | "would_match" | "change_saved_approval" | "remove_saved_approval" | "keep_saved_approval";
  }
>;

export class FakeSaved {
  /** What the projects of any server have saved; `null` on servers that save nothing. */
  projects: SavedProject[] | null = savedProjects();
  /** Whether it can be changed. */
  canChange = true;
  /** What is about to be removed. */
  readonly #held = new Map<string, { timer: ReturnType<typeof setTimeout>; tell: ((removed: boolean) => void)[] }>();
  readonly #rows: () => readonly Activity[];

  constructor(rows: () => readonly Activity[]) {
    this.#rows = rows;
  }

  answer(call: SavedCall): Answer | Promise<Answer> {
    switch (call.call) {
      case "saved_approvals":
        return {
          answer: "saved_approvals",
          supported: this.projects !== null,
          can_change: this.canChange,
          projects: (this.projects ?? []).map((project) => ({
            ...project,
            approvals: project.approvals.map((approval) => ({
              ...approval,
              leaving: this.#held.has(approval.id) ? Date.now() + 4_000 : null,
            })),
          })),
          recorded: this.#rows().length,
          unlisted: [],
        };
      case "would_match":
        return { answer: "would_match", reach: this.#wouldMatch(call.patterns, call.lines) };
      case "change_saved_approval":
        this.#changeSaved(call.id, call.resource);
        return { answer: "done" };
      case "remove_saved_approval":
        return this.#removeSaved(call.id, call.hold);
      case "keep_saved_approval":
        this.#over(call.id, false);
        return { answer: "done" };
    }
  }

  #withSaved(change: (approvals: SavedProject["approvals"]) => SavedProject["approvals"]): void {
    this.projects = (this.projects ?? [])
      .map((project) => ({ ...project, approvals: change(project.approvals) }))
      .filter((project) => project.approvals.length);
  }

  /** Answers once it is removed, or kept. */
  #removeSaved(id: string, hold: number): Promise<Answer> {
    return new Promise((resolve) => {
      const held = this.#held.get(id) ?? { timer: setTimeout(() => this.#over(id, true), hold), tell: [] };
      this.#held.set(id, held);
      held.tell.push((removed) => resolve({ answer: "removed", removed }));
      if (hold === 0) this.#over(id, true);
    });
  }

  /** The time to undo a removal is over, one way or the other. */
  #over(id: string, removed: boolean): void {
    const held = this.#held.get(id);
    this.#held.delete(id);
    clearTimeout(held?.timer);
    if (held && removed) this.#withSaved((approvals) => approvals.filter((approval) => approval.id !== id));
    held?.tell.forEach((tell) => tell(removed));
  }

  #changeSaved(id: string, resource: string): void {
    const project = this.projects?.find(({ approvals }) => approvals.some((approval) => approval.id === id));
    const changed = project?.approvals.find((approval) => approval.id === id);
    if (!project || !changed) throw failure("approval_gone", "This approval is no longer there.", "");
    if (!resource.trim()) throw failure("bad_pattern", "An empty pattern matches nothing.", "Remove it instead.");
    if (project.approvals.some((other) => other.action === changed.action && other.resource === resource)) {
      throw failure("bad_pattern", "The project has another approval with this pattern.", "Remove one of the two.");
    }
    const now = { resource, shown: resource, reach: this.#wouldMatch([{ action: changed.action, resource }]) };
    this.#withSaved((approvals) => approvals.map((other) => (other.id === id ? { ...other, ...now } : other)));
  }

  /** As the core does it, but with few hazards. */
  #wouldMatch(patterns: Saved[], lines: Lines = "unknown"): WouldMatch {
    const past = new Map(
      before.map(({ past }) => [past.title, { ...past, action: "shell", text: past.title.slice(4) }]),
    );
    for (const { number, at, title, action, text, outcome } of [...this.#rows()].reverse()) {
      const known = past.get(title);
      const { settled } = outcome.outcome === "settled" ? outcome : { settled: null };
      const declined = settled?.by === "you" && settled.decision.kind === "decline";
      if (known) known.times += 1;
      else past.set(title, { number, at, times: 1, title, action, text, partly: false, deletes: false, declined });
    }
    const all = [...past.values()].sort((one, other) => other.at - one.at);
    const sum = (some: readonly PastRequest[]) => some.reduce((count, { times }) => count + times, 0);
    const fits = ({ action, text }: { action: string; text: string }) =>
      patterns.some((pattern) => pattern.action === action && matches(pattern.resource, text));
    const alike = ({ action }: { action: string }) => patterns.some((pattern) => pattern.action === action);
    const danger = (one: PastRequest) => Number(one.deletes) * 2 + Number(one.declined);
    const found = all.filter(fits).sort((one, other) => danger(other) - danger(one));
    const chained = patterns.find(({ resource }) => resource.includes(" *"))?.resource.replace("*", "x; rm -rf y");
    return reach(found.slice(0, 10), {
      total: sum(all),
      count: sum(found),
      deletes: sum(found.filter((one) => one.deletes)),
      declined: sum(found.filter((one) => one.declined)),
      others: all
        .filter((one) => alike(one) && !fits(one))
        .slice(0, 5)
        .map((one) => ({ ...one, deletes: false, declined: false })),
      everything: patterns.some(({ resource }) => isEverything(resource)),
      chained: lines === "unknown" ? (chained ?? null) : null,
      hazards: patterns.map(({ resource }) => {
        if (isEverything(resource)) return { hazard: "everything" };
        return /^rm\b/.test(resource) ? { hazard: "deletes", example: resource.replace("*", "x") } : null;
      }),
    });
  }
}
