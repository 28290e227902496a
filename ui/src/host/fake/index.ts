/**
 * A stand-in for the app within the page: it keeps a snapshot, answers every call the way the app does, and takes its
 * time about it. For `npm run dev`, for tests, and for pictures of every state.
 */
import type {
  Activity,
  Answer,
  Call,
  Failure,
  Given,
  Language,
  Lines,
  PastRequest,
  Question,
  ReportCard,
  Request,
  RequestKey,
  Response,
  Saved,
  SavedProject,
  Settled,
  Snapshot,
  WouldMatch,
} from "../../bindings/api";
import type { Host, Listener, Show } from "..";
import { active, complete, problems } from "../../state/form";
import { isEverything, matches } from "../../state/pattern";
import { history } from "./activity";
import { reportCard } from "./card";
import { granted } from "./grants";
import { chosen, judged } from "./judge";
import { admits, facetsOf, picturesOf } from "./numbers";
import { choose, rulesOf, tried } from "./modes";
import { offer, request } from "./requests";
import { FakeRules, broken } from "./rules";
import { before, reach, savedProjects } from "./saved";
import { isScene, scenes } from "./scenes";

const failure = (code: Failure["code"], message: string, hint: string): Failure => ({ code, message, hint });

export class FakeHost implements Host {
  snapshot: Snapshot;
  rows: Activity[] = history(230);
  card: ReportCard = reportCard();
  /** What the projects of any server have saved; `null` on servers that save nothing. */
  saved: SavedProject[] | null = savedProjects();
  /** The rules files of the projects. */
  readonly rules = new FakeRules();
  /** Whether saved approvals can be changed. */
  savedCanChange = true;
  /** Whether the server has told of its agents. */
  agentsKnown = true;
  /** Every call that was made, oldest first. */
  readonly calls: Call[] = [];
  /** What the next calls of a kind are refused with. */
  readonly refusals = new Map<Call["call"], unknown>();
  /** How long the judge takes when it is tried, in milliseconds; `null`: it never answers. */
  thinking: number | null = 0;
  #stopTest: (() => void) | null = null;
  /** How long an answer takes to reach the server, in milliseconds; `null`: it never does by itself. */
  delivery: number | null;
  /** Servers that were removed and can still be had again. */
  readonly #removed = new Map<string, { row: Snapshot["servers"][number]; timer: ReturnType<typeof setTimeout> }>();
  /** Grants that were taken back and can still be had again. */
  readonly #taken = new Map<number, ReturnType<typeof setTimeout>>();
  readonly #listeners = new Set<Listener>();
  /** Saved approvals that are about to be removed. */
  readonly #held = new Map<string, { timer: ReturnType<typeof setTimeout>; tell: ((removed: boolean) => void)[] }>();

  constructor(snapshot: Snapshot, delivery: number | null = null) {
    this.snapshot = snapshot;
    this.delivery = delivery;
  }

  async listen(listener: Listener): Promise<() => void> {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async call(call: Call): Promise<Answer> {
    this.calls.push(call);
    const refusal = this.refusals.get(call.call);
    if (refusal !== undefined) throw refusal;
    return this.#answer(call);
  }

  /** Changes what is shown, and tells. */
  publish(change: Partial<Snapshot>): void {
    this.snapshot = { ...this.snapshot, ...change, revision: this.snapshot.revision + 1, now: Date.now() };
    this.#listeners.forEach((listener) => listener.snapshot(this.snapshot));
  }

  /** Somebody breaks a rules file. */
  breakRules(): void {
    this.rules.files = [broken(), ...this.rules.files.slice(1)];
    this.publish({ rules: this.snapshot.rules + 1 });
  }

  show(wish: Show): void {
    this.#listeners.forEach((listener) => listener.show(wish));
  }

  /** A new request arrives. */
  arrive(request: Request): void {
    this.publish({ requests: [...this.snapshot.requests, request] });
  }

  /** A request comes to its end. */
  settle(key: RequestKey, settled: Settled): void {
    const gone = this.snapshot.requests.find((request) => request.key.request === key.request);
    if (!gone) return;
    const row: Activity = {
      number: (this.rows.at(-1)?.number ?? 0) + 1,
      at: Date.now(),
      title: gone.headline,
      action: gone.action,
      text: gone.text,
      project: gone.project,
      directory: gone.directory,
      session: gone.chain[0]?.title ?? null,
      server: gone.key.server,
      waited: Date.now() - gone.since,
      opinions: [],
      outcome: { outcome: "settled", settled },
    };
    this.rows.push(row);
    this.#listeners.forEach((listener) => listener.activity(row));
    const given = settled.by === "you" ? granted(this.snapshot.grants.length + 10, gone, settled.decision) : [];
    this.publish({
      requests: this.snapshot.requests.filter((request) => request !== gone),
      grants: [...given, ...this.snapshot.grants],
    });
  }

  #answer(call: Call): Answer | Promise<Answer> {
    const done: Answer = { answer: "done" };
    switch (call.call) {
      case "snapshot":
        return { answer: "snapshot", snapshot: this.snapshot };
      case "activity": {
        const found = this.rows.filter((row) => admits(row, call.query));
        const older = found.filter((row) => call.before === null || row.number < call.before);
        return {
          answer: "activity",
          rows: older.slice(-call.limit).reverse(),
          more: older.length > call.limit,
          found: found.length,
          total: this.rows.length,
          facets: call.before === null ? facetsOf(this.rows) : null,
        };
      }
      case "pictures": {
        const found = this.rows.filter((row) => admits(row, call.query));
        return { answer: "pictures", pictures: picturesOf(found, call.days) };
      }
      case "report_card":
        return { answer: "report_card", card: this.card };
      case "export_activity": {
        const lines = this.rows.filter((row) => admits(row, call.query) && row.outcome.outcome === "settled").length;
        return { answer: "exported", path: `/home/dev/Downloads/gavel-activity.${call.format}`, lines };
      }
      case "decide":
        this.#reply(call.key, call.decision);
        return done;
      case "answer_question":
        return this.#respond(call.key, { response: "answer", answer: call.answer });
      case "cancel_question":
        return this.#respond(call.key, { response: "cancel", reason: call.reason });
      case "check_answer":
        return this.#checked(call.key, call.answer);
      case "keep_draft":
        this.#question(call.key, { draft: call.draft });
        return done;
      case "open_link":
        return done;
      case "retry": {
        const asked = this.snapshot.questions.find((question) => question.key.request === call.key.request)?.phase;
        if (asked?.phase === "undelivered") return this.#respond(call.key, asked.response);
        const phase = this.snapshot.requests.find((request) => request.key.request === call.key.request)?.phase;
        if (phase?.phase === "undelivered") this.#reply(call.key, phase.decision);
        return done;
      }
      case "add_server":
        this.#addServer(call.url, call.name);
        return done;
      case "watch_again":
        this.#watchAgain(call.server);
        return done;
      case "remove_server":
        this.#removeServer(call.server);
        return done;
      case "set_password":
        if (!this.snapshot.keychain.available) {
          throw failure("no_keychain", "there is no keychain here", "Name an environment variable instead.");
        }
        this.#change(call.server, { from: "keychain" });
        return done;
      case "set_password_variable":
        if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(call.variable)) {
          throw failure("bad_variable", `\`${call.variable}\` is not the name of a variable`, "Write it without `$`.");
        }
        this.#change(call.server, { from: "variable", name: call.variable, set: true });
        return done;
      case "forget_password":
        this.#change(call.server, { from: "nowhere" });
        return done;
      case "pause":
        this.publish({ paused: call.paused });
        return done;
      case "set_preferences":
        this.publish({
          preferences: call.preferences,
          language: spoken(call.preferences.language),
          shortcut: { state: call.preferences.shortcut ? "heard" : "off" },
        });
        return done;
      case "saved_approvals":
        return {
          answer: "saved_approvals",
          supported: this.saved !== null,
          can_change: this.savedCanChange,
          projects: (this.saved ?? []).map((project) => ({
            ...project,
            approvals: project.approvals.map((approval) => ({
              ...approval,
              leaving: this.#held.has(approval.id) ? Date.now() + 4_000 : null,
            })),
          })),
          recorded: this.rows.length,
          unlisted: [],
        };
      case "would_match":
        return { answer: "would_match", reach: this.#wouldMatch(call.patterns, call.lines) };
      case "change_saved_approval":
        this.#changeSaved(call.id, call.resource);
        return done;
      case "remove_saved_approval":
        return this.#removeSaved(call.id, call.hold);
      case "keep_saved_approval":
        this.#over(call.id, false);
        return done;
      case "set_mode":
        this.publish({ modes: choose(this.snapshot.modes, call.scope, call.stance) });
        return done;
      case "rules_of":
        return { answer: "rules", rules: rulesOf(call.stance), complete: this.agentsKnown };
      case "try":
        return { answer: "trial", trial: tried(this.snapshot, call.session, call.action, call.resource) };
      case "find_unasked":
        return done;
      case "put_aside": {
        const { modes } = this.snapshot;
        const unasked = modes.unasked.map((row) =>
          row.directory === call.directory ? { ...row, put_aside: call.aside } : row,
        );
        this.publish({ modes: { ...modes, unasked } });
        return done;
      }
      case "rules_projects":
      case "project_rules":
      case "change_rules":
      case "undo_rules":
      case "check_preset":
      case "try_command":
      case "export_rules":
      case "import_rules":
        return this.rules.answer(call);
      case "take_grant_back":
        this.#takeBack(call.id);
        return done;
      case "give_grant_again":
        clearTimeout(this.#taken.get(call.id));
        this.#grant(call.id, { back_until: null });
        return done;
      case "set_judge":
        this.publish({ judge: chosen(this.snapshot.judge, call.choice) });
        return done;
      case "keep_judge_key":
        if (!this.snapshot.keychain.available) {
          throw failure("no_keychain", "there is no keychain here", "Name an environment variable instead.");
        }
        if (!/^\S+$/.test(call.key.trim())) throw failure("bad_key", "That is no key.", "A key is one word.");
        return done;
      case "forget_judge_key":
        this.#setJudgeKey({ from: "nowhere" }, Date.now() + 10_000);
        return done;
      case "keep_forgotten_judge_key":
        this.#setJudgeKey({ from: "keychain" }, null);
        return done;
      case "test_judge":
        return this.#testJudge(call);
      case "stop_judge_test":
        this.#stopTest?.();
        return done;
      case "judge_again": {
        const { judge } = this.snapshot;
        this.publish({ judge: { ...judge, paused: judge.paused.filter((row) => row.session !== call.session) } });
        return done;
      }
      case "quit":
        return done;
    }
  }

  #setJudgeKey(key: Snapshot["judge"]["choice"]["key"], key_back_until: number | null): void {
    const { judge } = this.snapshot;
    this.publish({ judge: { ...judge, choice: { ...judge.choice, key }, key_back_until } });
  }

  /** Answers after `thinking` milliseconds, or when it is told to stop. */
  #testJudge(call: Extract<Call, { call: "test_judge" }>): Promise<Answer> {
    const test = judged(this.snapshot.judge, call);
    return new Promise((resolve, reject) => {
      this.#stopTest = () => reject(failure("failed", "The test was stopped.", ""));
      if (this.thinking !== null) setTimeout(() => resolve({ answer: "judge_test", test }), this.thinking);
    });
  }

  #reply(key: RequestKey, decision: Extract<Call, { call: "decide" }>["decision"]): void {
    this.publish({
      requests: this.snapshot.requests.map((request) =>
        request.key.request === key.request ? { ...request, phase: { phase: "replying", decision } } : request,
      ),
    });
    if (this.delivery !== null) setTimeout(() => this.settle(key, { by: "you", decision }), this.delivery);
  }

  /** A new question arrives. */
  ask(question: Question): void {
    this.publish({ questions: [...this.snapshot.questions, question] });
  }

  /** A question comes to its end. */
  settleQuestion(key: RequestKey, settled: Settled): void {
    const gone = this.snapshot.questions.find((question) => question.key.request === key.request);
    if (!gone) return;
    const row: Activity = {
      number: (this.rows.at(-1)?.number ?? 0) + 1,
      at: Date.now(),
      title: gone.headline,
      action: "question",
      text: gone.fields.map((field) => field.description ?? field.title ?? field.key).join("\n"),
      project: gone.project,
      directory: gone.directory,
      session: gone.chain[0]?.title ?? null,
      server: gone.key.server,
      waited: Date.now() - gone.since,
      opinions: [],
      outcome: { outcome: "settled", settled },
    };
    this.rows.push(row);
    this.#listeners.forEach((listener) => listener.activity(row));
    this.publish({ questions: this.snapshot.questions.filter((question) => question !== gone) });
  }

  #question(key: RequestKey, change: Partial<Question>): void {
    const questions = this.snapshot.questions.map((question) =>
      question.key.request === key.request ? { ...question, ...change } : question,
    );
    this.publish({ questions });
  }

  #asked(key: RequestKey): Question {
    const asked = this.snapshot.questions.find((question) => question.key.request === key.request);
    if (!asked) throw failure("question_gone", "This question is no longer there.", "It was answered elsewhere.");
    return asked;
  }

  #checked(key: RequestKey, given: Record<string, Given>): Answer {
    const { fields } = this.#asked(key);
    return {
      answer: "checked",
      problems: problems(fields, complete(fields, given)),
      active: active(fields, given).map((field) => field.key),
    };
  }

  #respond(key: RequestKey, response: Response): Answer {
    const { fields } = this.#asked(key);
    let settled: Settled = { by: "you_cancelled", reason: null };
    if (response.response === "answer") {
      const checked = this.#checked(key, response.answer);
      if (checked.answer === "checked" && checked.problems.length) return checked;
      const sent = complete(fields, response.answer);
      const told = fields.filter(({ key, hidden }) => !hidden && sent[key] !== undefined);
      settled = {
        by: "you_answered",
        answers: told.map((field) => ({
          question: field.description ?? field.title ?? field.key,
          answer: [sent[field.key]].flat().join(", "),
        })),
      };
      response = { ...response, answer: sent };
    } else settled = { by: "you_cancelled", reason: response.reason };
    this.#question(key, { phase: { phase: "replying", response }, refused: null });
    if (this.delivery !== null) setTimeout(() => this.settleQuestion(key, settled), this.delivery);
    return { answer: "done" };
  }

  #grant(id: number, change: Partial<Snapshot["grants"][number]>): void {
    this.publish({ grants: this.snapshot.grants.map((grant) => (grant.id === id ? { ...grant, ...change } : grant)) });
  }

  #removeServer(id: string): void {
    const row = this.snapshot.servers.find((server) => server.id === id);
    if (!row) return;
    this.#removed.set(id, { row, timer: setTimeout(() => this.#forgetRemoved(id), 10_000) });
    this.publish({
      servers: this.snapshot.servers.filter((server) => server.id !== id),
      removed: [...this.snapshot.removed, { id, name: row.name, back_until: Date.now() + 10_000 }],
    });
  }

  #forgetRemoved(id: string): void {
    clearTimeout(this.#removed.get(id)?.timer);
    this.#removed.delete(id);
    this.publish({ removed: this.snapshot.removed.filter((server) => server.id !== id) });
  }

  #watchAgain(id: string): void {
    const row = this.#removed.get(id)?.row;
    if (!row) throw failure("failed", "The server can't be had again any more.", "Add it by its address.");
    this.#forgetRemoved(id);
    this.publish({ servers: [...this.snapshot.servers, row] });
  }

  #takeBack(id: number): void {
    const over = () => this.publish({ grants: this.snapshot.grants.filter((grant) => grant.id !== id) });
    this.#taken.set(id, setTimeout(over, 10_000));
    this.#grant(id, { back_until: Date.now() + 10_000 });
  }

  #withSaved(change: (approvals: SavedProject["approvals"]) => SavedProject["approvals"]): void {
    this.saved = (this.saved ?? [])
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
    const project = this.saved?.find(({ approvals }) => approvals.some((approval) => approval.id === id));
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
    for (const { number, at, title, action, text, outcome } of [...this.rows].reverse()) {
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

  #addServer(url: string, name: string): void {
    if (!/^https?:\/\/[^\s/]+/.test(url)) {
      throw failure("bad_url", `\`${url}\` is not an address`, "It looks like http://127.0.0.1:4096.");
    }
    const added: Snapshot["servers"][number] = {
      id: url,
      name: name || url.replace(/^https?:\/\//, ""),
      origin: "settings",
      link: { state: "connecting" },
      heard: null,
      synced: null,
      last_error: null,
      waiting: 0,
      password: { from: "nowhere" },
    };
    this.publish({ servers: [added, ...this.snapshot.servers] });
  }

  #change(id: string, password: Snapshot["servers"][number]["password"]): void {
    const now = Date.now();
    const servers = this.snapshot.servers.map((server): typeof server => {
      if (server.id !== id) return server;
      const link =
        password.from === "nowhere"
          ? ({ state: "needs_password", refused: false } as const)
          : ({ state: "online", version: "1.18.33", dialect: "v1" } as const);
      return { ...server, password, link, heard: now, synced: now };
    });
    this.publish({ servers });
  }
}

/** This system speaks English. */
const spoken = (language: Language) => (language === "system" ? "english" : language);

const isLanguage = (name: string | null): name is Exclude<Language, "system"> =>
  /^(?:english|russian)$/.test(name ?? "");

/** The host of a scene; within `demo`, life goes on. */
export function fakeHost(scene: string, language: string | null): FakeHost {
  const snapshot = scenes[isScene(scene) ? scene : "demo"]();
  if (isLanguage(language)) snapshot.preferences.language = snapshot.language = language;
  const host = new FakeHost(snapshot, 600);
  if (scene === "crowd") host.rows = history(5_000);
  if (scene === "stuck") host.refusals.set("snapshot", failure("failed", "the core has ended", "Start Gavel again."));
  if (scene === "demo") {
    setInterval(
      () => host.snapshot.requests.length < 8 && host.arrive(request(0, { offers: [offer("shell", "npm test *")] })),
      15_000,
    );
  }
  // For the pictures, which have to make things happen.
  Object.assign(window, { fake: host });
  return host;
}
