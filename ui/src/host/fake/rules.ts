/** The rules files of projects, as the app would show and change them. */
import type {
  Answer,
  Call,
  CommandTrial,
  Evidence,
  ImportFate,
  ImportedLine,
  LearnedLine,
  PendingLine,
  PresetCheck,
  PresetLine,
  PresetProblem,
  ProjectRules,
  Rule,
  RulesChange,
  RulesExport,
  RulesImport,
  RulesProject,
  RulesState,
  Suggestion,
  TrialOutcome,
  Verdict,
} from "../../bindings/api";
import { covers, isEverything, matches } from "../../state/pattern";
import { asPermission, asPermissions } from "../../state/rules";

type RulesCall = Extract<
  Call,
  {
    call:
      | "rules_projects"
      | "project_rules"
      | "change_rules"
      | "undo_rules"
      | "check_preset"
      | "try_command"
      | "export_rules"
      | "import_rules";
  }
>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const BUILT_IN = [
  "pwd *",
  "ls *",
  "cat *",
  "head *",
  "grep *",
  "rg *",
  "find *",
  "git status *",
  "git diff *",
  "git log *",
];

const preset = (line: string, change: Partial<PresetLine> = {}): PresetLine => ({
  line,
  shown: line,
  built_in: BUILT_IN.includes(line),
  never: null,
  everything: isEverything(line),
  passed: 0,
  last: null,
  ...change,
});

const evidence = (number: number, hours: number, change: Partial<Evidence> = {}): Evidence => ({
  number,
  at: Date.now() - hours * HOUR,
  by: "human",
  allowed: true,
  session: "Rate limit the login route",
  verdict: "Runs the code of the script “typecheck”",
  ...change,
});

const learned = (command: string, change: Partial<LearnedLine> = {}): LearnedLine => ({
  command,
  shown: command,
  approvals: 3,
  by_human: 3,
  last_seen: Date.now() - 2 * HOUR,
  destructive: false,
  passed: 14,
  evidence: [],
  ...change,
});

const pending = (command: string, change: Partial<PendingLine> = {}): PendingLine => ({
  command,
  shown: command,
  count: 2,
  by_human: 2,
  refused: null,
  evidence: [],
  ...change,
});

const verdict = (change: Partial<Verdict> = {}): Verdict => ({
  recommendation: "ask",
  reason: "runs code of the project: the script `lint`",
  source: "offline",
  status: "ok",
  class: "runs_code",
  parts: [],
  ...change,
});

const suggestion = (command: string, times: number, change: Partial<Suggestion> = {}): Suggestion => ({
  command,
  shown: command,
  times,
  last: Date.now() - 40 * MINUTE,
  verdict: verdict(),
  ...change,
});

/** A project with everything that can be in it. */
export function project(change: Partial<ProjectRules> = {}): ProjectRules {
  return {
    directory: "/home/dev/api-server",
    path: "/home/dev/.local/share/opencode-auto-permission/home-dev-api-server.json",
    place: "/home/dev/.local/share/opencode-auto-permission/home-dev-api-server.json",
    state: { state: "fine" },
    waiting: 0,
    trouble: "",
    learn_after: 3,
    preset: [
      ...BUILT_IN.map((line) => preset(line)),
      preset("cargo tree *", { passed: 1, last: Date.now() - 50 * HOUR }),
      preset("make *", {
        never: { problem: "unproven", example: "make", why: "runs code of the project: the default target" },
      }),
    ].map((line) => (line.line === "ls *" ? { ...line, passed: 231, last: Date.now() - 3 * MINUTE } : line)),
    learned: [
      learned("npm run typecheck", {
        evidence: [
          evidence(41, 30),
          evidence(38, 31, { by: "judge" }),
          evidence(30, 55),
          evidence(22, 76, { allowed: false, session: "Tidy the routes" }),
        ],
        approvals: 3,
        by_human: 2,
      }),
      learned("cargo clippy --all-targets -- -D warnings", { approvals: 0, by_human: 0, passed: 0, last_seen: null }),
      learned("rm -rf build", { destructive: true, approvals: 4, by_human: 0, passed: 0 }),
      learned("echo a\u200Bb", { shown: "echo a⟨U+200B⟩b", passed: 0 }),
    ],
    pending: [
      pending("npm test", { evidence: [evidence(50, 3), evidence(47, 5)] }),
      pending("npm run build", { count: 1, by_human: 0 }),
      pending("git push --force", {
        count: 1,
        by_human: 0,
        refused: { problem: "destructive", why: "overwrites what others have pushed" },
      }),
    ],
    suggestions: [suggestion("npm run lint -- --fix", 7), suggestion("docker compose up -d db", 4)],
    has_config: true,
    ...change,
  };
}

/** The files of several projects. */
export function projects(): ProjectRules[] {
  return [
    project(),
    project({
      directory: "/home/dev/dotfiles",
      path: "/home/dev/.local/share/opencode-auto-permission/home-dev-dotfiles.json",
      place: "/home/dev/.local/share/opencode-auto-permission/home-dev-dotfiles.json",
      state: { state: "none" },
      preset: BUILT_IN.map((line) => preset(line)),
      learned: [],
      pending: [],
      suggestions: [],
      has_config: false,
    }),
  ];
}

/** A file that is broken. */
export function broken(): ProjectRules {
  const state: RulesState = {
    state: "broken",
    faults: ['`preset` is not a list of patterns (invalid type: string "ls *", expected a sequence)'],
    version: false,
  };
  return project({ state, preset: [], pending: [], suggestions: [] });
}

const failure = (message: string) => ({ code: "bad_pattern", message, hint: "" });

export class FakeRules {
  files: ProjectRules[] = projects();
  /** A file of nobody. */
  nobodys: string[] = [];
  inForce = true;
  /** What the project's own configuration says. */
  configuration = `{ "permission": { "bash": { "wc *": "allow", "npm *": "allow", "npm test": "allow", "git push *": "deny" } } }`;
  readonly #undo = new Map<number, ProjectRules>();
  #changes = 0;

  answer(call: RulesCall): Answer {
    switch (call.call) {
      case "rules_projects":
        return {
          answer: "rules_projects",
          projects: [...this.files.map(entry), ...this.nobodys.map(nobody)],
          folder: "/home/dev/.local/share/opencode-auto-permission",
          in_force: this.inForce,
        };
      case "project_rules":
        return { answer: "project_rules", rules: this.#of(call.directory) };
      case "change_rules":
        return { answer: "rules_changed", undo: this.#change(call.directory, call.change) };
      case "undo_rules": {
        const before = this.#undo.get(call.undo);
        if (!before) return { answer: "rules_changed", undo: null };
        this.#undo.delete(call.undo);
        return { answer: "rules_changed", undo: this.#put(before) };
      }
      case "check_preset":
        return { answer: "preset_check", check: check(call.line, this.#of(call.directory)) };
      case "try_command":
        return { answer: "command_trial", trial: trial(call.command, this.#of(call.directory), this.inForce) };
      case "export_rules":
        return { answer: "rules_export", export: exported(this.#of(call.directory), call.rules) };
      case "import_rules":
        return { answer: "rules_import", import: this.#import(call.directory, call.text) };
    }
  }

  #of(directory: string): ProjectRules {
    return this.files.find((file) => file.directory === directory) ?? project({ directory });
  }

  /** Puts a file in its place, and gives the number by which that can be taken back. */
  #put(file: ProjectRules): number {
    const before = this.#of(file.directory);
    this.files = this.files.map((one) => (one === before ? { ...file, state: { state: "fine" } } : one));
    this.#undo.set(++this.#changes, before);
    return this.#changes;
  }

  #change(directory: string, change: RulesChange): number | null {
    const before = this.#of(directory);
    const file = { ...before };
    switch (change.change) {
      case "add_preset":
      case "edit_preset": {
        const line = change.change === "add_preset" ? change.line : change.to;
        const { never, present } = check(line, before);
        if (never) throw failure(`Such a line never counts: \`${line}\`.`);
        if (present) return null;
        file.preset =
          change.change === "add_preset"
            ? [...file.preset, preset(line)]
            : file.preset.map((one) => (one.line === change.from ? preset(line) : one));
        break;
      }
      case "remove_preset":
        file.preset = file.preset.filter((one) => one.line !== change.line);
        break;
      case "learn":
        if (/\brm\b|--force/.test(change.command)) throw failure("This is never learned, because it deletes.");
        file.pending = file.pending.filter((one) => one.command !== change.command);
        file.suggestions = file.suggestions.filter((one) => one.command !== change.command);
        file.learned = [...file.learned, learned(change.command, { approvals: 0, by_human: 0, passed: 0 })];
        break;
      case "remove_learned":
        file.learned = file.learned.filter((one) => one.command !== change.command);
        break;
      case "forget_pending":
        file.pending = file.pending.filter((one) => one.command !== change.command);
        break;
    }
    const count = ({ preset, learned, pending }: ProjectRules) =>
      [preset.length, learned.length, pending.length].join();
    const same = count(file) === count(before) && change.change !== "edit_preset";
    return same ? null : this.#put(file);
  }

  #import(directory: string, text: string | null): RulesImport {
    const source = text ?? this.configuration;
    let bash: Record<string, string>;
    try {
      bash = (JSON.parse(source) as { permission?: { bash?: Record<string, string> } }).permission?.bash ?? {};
    } catch {
      throw failure("This is no configuration: expected a value.");
    }
    const file = this.#of(directory);
    const fate = (pattern: string, effect: string): ImportFate => {
      if (effect !== "allow") return { fate: "no_allowance" };
      if (isEverything(pattern)) return { fate: "everything" };
      if (file.preset.some(({ line }) => line === pattern)) return { fate: "present" };
      if (file.learned.some(({ command }) => command === pattern)) return { fate: "present" };
      if (!/[*?]/.test(pattern)) return { fate: "learned" };
      const { never } = check(pattern, file);
      return never ? { fate: "never", why: never } : { fate: "preset" };
    };
    return {
      place: text === null ? `${directory}/opencode.json` : "",
      lines: Object.entries(bash).map(([pattern, effect]) => ({
        pattern,
        shown: pattern,
        effect: effect as ImportedLine["effect"],
        fate: fate(pattern, effect),
      })),
      agents: text === null ? ["plan"] : [],
    };
  }
}

const entry = (file: ProjectRules): RulesProject => ({
  directory: file.directory,
  place: file.directory,
  name: file.directory.split("/").at(-1) ?? "",
  state: file.state,
  preset: file.preset.length,
  learned: file.learned.length,
  pending: file.pending.length,
});

const nobody = (place: string): RulesProject => ({
  directory: "",
  place,
  name: place.split("/").at(-1) ?? "",
  state: { state: "unusable", why: "it can't be told which project it belongs to" },
  preset: 0,
  learned: 0,
  pending: 0,
});

const READERS = /^(?:\*|ls|cat|head|grep|rg|find|wc|du|tree|pwd|git (?:status|diff|log|\*)|git$)/;

function never(line: string): PresetProblem | null {
  if (!line.trim()) return { problem: "empty" };
  const special = /[;&|<>$(){}[\]~#'"`]/.exec(line);
  if (special) return { problem: "character", what: special[0] };
  const [, ...words] = line.split(" ");
  for (const what of words) {
    if (what.startsWith("/")) return { problem: "absolute", what };
    if (what.includes("..")) return { problem: "upwards", what };
    if (["-delete", "-exec"].includes(what)) return { problem: "flag", what };
  }
  if (READERS.test(line)) return null;
  const example = line.replace(/ ?\*$/, "");
  return { problem: "unproven", example, why: "runs code that can’t be seen here" };
}

function check(line: string, file: ProjectRules): PresetCheck {
  const problem = never(line);
  const everything = isEverything(line);
  const wide = everything || line === "git *";
  return {
    never: problem,
    present: file.preset.some((one) => one.line === line),
    everything,
    passes: problem ? [] : [line.replaceAll("*", "src").trim(), line.replace(/ ?\*/, "")].filter(Boolean),
    held: wide ? [{ command: "git push", why: "sends commits to a server" }] : [],
    hazard: everything ? { hazard: "everything" } : wide ? { hazard: "deletes", example: "git clean -fdx" } : null,
  };
}

function trial(command: string, file: ProjectRules, in_force: boolean): CommandTrial {
  const reads = READERS.test(command) && !/[;&|>]|-delete/.test(command);
  const deletes = /\brm\b|-delete/.test(command);
  const found: Verdict = reads
    ? verdict({ recommendation: "allow", reason: "reads `src`", class: "reads" })
    : verdict({
        reason: deletes ? "deletes `build` and everything under it" : "runs code of the project",
        class: deletes ? "destructive" : "runs_code",
        parts: /&&|;/.test(command)
          ? command.split(/ (?:&&|;) /).map((part) => ({
              start: command.indexOf(part),
              end: command.indexOf(part) + part.length,
              class: /\brm\b/.test(part) ? "destructive" : "reads",
              recommendation: /\brm\b/.test(part) ? "ask" : "allow",
              why: /\brm\b/.test(part) ? "deletes `build` and everything under it" : "reads `src`",
            }))
          : [],
      });
  return { text: command, verdict: found, outcome: outcome(command, file, reads, deletes), in_force };
}

function outcome(command: string, file: ProjectRules, reads: boolean, deletes: boolean): TrialOutcome {
  if (file.state.state === "broken" || file.state.state === "unusable") return { outcome: "no_rules" };
  const exact = file.learned.find((one) => one.command === command);
  if (exact) {
    return deletes
      ? { outcome: "destructive", line: exact.shown }
      : { outcome: "passes", line: exact.shown, source: "learned" };
  }
  const line = file.preset.find((one) => matches(one.line, command))?.shown;
  if (!line) return { outcome: "uncovered" };
  const special = /[;&|<>$]/.exec(command);
  if (special) return { outcome: "held", line, check: "character", what: special[0] };
  const absolute = / (\/\S*)/.exec(command)?.[1];
  if (absolute) return { outcome: "held", line, check: "absolute", what: absolute };
  return reads
    ? { outcome: "passes", line, source: "preset" }
    : { outcome: "held", line, check: "proven", what: "runs code of the project" };
}

const TOO_WIDE = /^find( |$)/;

function exported(file: ProjectRules, wanted: Rule[] | null): RulesExport {
  const rule = (resource: string, effect: Rule["effect"]): Rule => ({ action: "shell", resource, effect });
  const commands = file.learned.map(({ command }) => command);
  const own = [
    rule("*", "ask"),
    ...file.preset.filter(({ line }) => !TOO_WIDE.test(line)).map(({ line }) => rule(line, "allow")),
    ...["*;*", "*&*", "*|*", "*>*", "*'*", "* /*", "*..*", "*.env*"].map((pattern) => rule(pattern, "ask")),
    ...commands.filter((command) => !/[*?]/.test(command)).map((command) => rule(command, "allow")),
  ];
  const rules = wanted ?? own;
  const from = ({ resource, effect }: Rule) => {
    if (effect === "allow") return file.preset.some(({ line }) => line === resource) ? "preset" : "learned";
    return resource === "*" ? "floor" : "exception";
  };
  return {
    rules: rules.map((one, at) => ({
      rule: one,
      from: from(one),
      hazard: one.resource === "find *" ? { hazard: "deletes", example: "find . -delete" } : null,
      idle: rules.slice(at + 1).some((later) => covers(later.resource, one.resource)),
    })),
    v1: asPermission(rules) ?? "",
    v2: asPermissions(rules),
    left_out: commands.filter((command) => /[*?]/.test(command)),
    too_wide: file.preset.map(({ line }) => line).filter((line) => TOO_WIDE.test(line)),
  };
}
