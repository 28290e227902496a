/**
 * A stand-in for the app within the page: it keeps a snapshot, answers every call the way the app does, and takes its
 * time about it. For `npm run dev`, for tests, and for pictures of every state.
 */
import type {
  Activity,
  Answer,
  Call,
  Given,
  Language,
  Question,
  ReportCard,
  Request,
  RequestKey,
  Response,
  Settled,
  Snapshot,
} from "../../bindings/api";
import type { Host, Listener, Show } from "..";
import { active, complete, problems } from "../../state/form";
import { history } from "./activity";
import { reportCard } from "./card";
import { failure } from "./failure";
import { granted } from "./grants";
import { chosen, judged } from "./judge";
import { admits, facetsOf, picturesOf } from "./numbers";
import { choose, rulesOf, tried } from "./modes";
import { offer, request } from "./requests";
import { FakeRules, broken } from "./rules";
import { FakeSaved } from "./saved_approvals";
import { isScene, scenes } from "./scenes";
import { FakeServers } from "./servers";

export class FakeHost implements Host {
  snapshot: Snapshot;
  rows: Activity[] = history(230);
  card: ReportCard = reportCard();
  /** What servers have saved for good. */
  readonly saved = new FakeSaved(() => this.rows);
  /** The rules files of the projects. */
  readonly rules = new FakeRules();
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
  readonly #servers = new FakeServers(this);
  /** Grants that were taken back and can still be had again. */
  readonly #taken = new Map<number, ReturnType<typeof setTimeout>>();
  readonly #listeners = new Set<Listener>();

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
      case "watch_again":
      case "remove_server":
      case "set_password":
      case "set_password_variable":
      case "forget_password":
      case "keep_forgotten_password":
        return this.#servers.answer(call);
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
      case "would_match":
      case "change_saved_approval":
      case "remove_saved_approval":
      case "keep_saved_approval":
        return this.saved.answer(call);
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

  #takeBack(id: number): void {
    const over = () => this.publish({ grants: this.snapshot.grants.filter((grant) => grant.id !== id) });
    this.#taken.set(id, setTimeout(over, 10_000));
    this.#grant(id, { back_until: Date.now() + 10_000 });
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
