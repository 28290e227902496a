import type {
  EvidenceBy,
  ExportedFrom,
  HeldCheck,
  ImportFate,
  LearnProblem,
  PresetProblem,
  RulesProject,
  RulesState,
} from "../../bindings/api";
import { pluralOf } from "../plural";

const plural = pluralOf("en");

/** What a file is like, in a few words. */
function brief({ state, preset, learned }: RulesProject): string {
  switch (state.state) {
    case "none":
      return "no file yet";
    case "fine":
      return `${plural(preset + learned, { one: "# line", other: "# lines" })}`;
    case "broken":
      return "broken";
    case "unusable":
      return "can’t be used";
  }
}

/** What a file is like, in one sentence. */
function state(how: RulesState): string {
  switch (how.state) {
    case "none":
      return "There is no file yet. It begins with the first thing to remember, and with the lines below.";
    case "fine":
      return "";
    case "broken":
      return how.version
        ? "This file is of a version that Gavel doesn’t know. Nothing passes by it, and it is left as it is."
        : "This file is broken. Nothing passes by it, and it is left as it is.";
    case "unusable":
      return "This file can’t be used. Nothing passes by it.";
  }
}

/** Why a preset line never counts; `sentence` makes one of the analysis’s words. */
function never(problem: PresetProblem): string {
  switch (problem.problem) {
    case "empty":
      return "It covers nothing.";
    case "character":
      return `It never counts: commands with ${problem.what} are always asked about.`;
    case "absolute":
      return `It never counts: ${problem.what} is an absolute path.`;
    case "upwards":
      return `It never counts: ${problem.what} may lead out of the project.`;
    case "flag":
      return `It never counts: ${problem.what} does more than read.`;
    case "unproven":
      return `It never counts, because nothing like it is proven to only read: \`${problem.example}\` ${problem.why}.`;
  }
}

function notLearned(problem: LearnProblem): string {
  switch (problem.problem) {
    case "no_line":
      return "Only one whole command line can be learned.";
    case "destructive":
      return `It is never learned, because it ${problem.why}.`;
  }
}

/** Which strict check holds a command back, and what it found. */
function held(check: HeldCheck, what: string): string {
  switch (check) {
    case "character":
      return `it has the character ${what}, which can mean something to the shell`;
    case "absolute":
      return `its argument ${what} is an absolute path`;
    case "upwards":
      return `its argument ${what} may lead out of the project`;
    case "flag":
      return `its option ${what} does more than read`;
    case "proven":
      return `it isn’t proven to only read within the project: it ${what}`;
    case "disk":
      return `the disk doesn’t bear out that it only reads: ${what}`;
  }
}

const by: Record<EvidenceBy, [string, string]> = {
  human: ["you approved", "you declined"],
  judge: ["the judge allowed", "the judge declined"],
};

const from: Record<ExportedFrom, string> = {
  floor: "all else",
  preset: "only reads",
  learned: "learned",
  exception: "exception",
};

/** What can become of a line of a configuration. */
function fate(of: ImportFate): string {
  switch (of.fate) {
    case "preset":
      return "Can become a line for commands that only read. The strict checks still hold.";
    case "learned":
      return "Is one exact command: can pass from now on.";
    case "present":
      return "Is in the file already.";
    case "no_allowance":
      return "Asks or refuses. Rules files can only allow; OpenCode goes on seeing to it.";
    case "never":
      return never(of.why);
    case "not_learned":
      return notLearned(of.why);
    case "taken_back":
      return `Not taken: a later line there, ${of.by}, asks about it or a part of it.`;
    case "everything":
      return "Lets every command pass. That is a mode, not a rule.";
  }
}

/** Who approved how often. */
function approvals(count: number, human: number): string {
  if (count === 0) return "let pass by hand";
  const all = plural(count, { one: "approved once", other: "approved # times" });
  if (human === count) return `${all}, by you`;
  const others = count - human;
  return human === 0 ? `${all}, by a judge` : `${all}: ${human} by you, ${others} by a judge`;
}

export const rules = {
  title: "Rules",
  intro:
    "Commands that pass without a question, project by project. The file is shared with the plugin opencode-auto-permission.",
  project: "Project",
  projects: (count: number) => plural(count, { one: "# project", other: "# projects" }),
  brief,
  loading: "Reading the rules …",
  emptyTitle: "No project has rules yet.",
  empty:
    "A project comes here with its first session. What only reads in it passes by itself, as far as that can be proven: ls, cat, git status and the like. What you approve three times in a row is learned, to the letter, and passes from then on. All of it is listed here, with what led to it, and can be taken back with one click.",
  toServers: "Servers",
  toPreferences: "Preferences",
  off: "Rules are switched off, so nothing passes by them now.",
  nobodys: "Files of which it can’t be told whose they are",
  nobodysWhy:
    "They count for no project. A name with %2F for every slash tells which one is meant: %2Fhome%2Fme%2Fshop.json.",

  file: "File",
  copyPath: "Copy path",
  copied: "Copied.",
  notCopied: "Couldn’t be copied: select it instead.",
  state,
  faults: "What is wrong with it",
  fault: (why: string) => `In this file, ${why}.`,
  repair:
    "Correct it in an editor, or move it away: then a new one begins. It is seen at once. The lines that can be read are shown below; none of them counts.",
  update: "A newer plugin or a newer Gavel may know it.",
  waiting: (count: number) =>
    plural(count, {
      one: "# change waits to be written; it counts already.",
      other: "# changes wait to be written; they count already.",
    }),

  filter: "Filter lines",
  filterHint: "Part of a command …",
  noMatch: "No line matches.",

  preset: "Only reading",
  presetIntro:
    "Patterns for commands that only read. A line counts only if the command is plain and proven to read within the project, so a wide line does no harm here. In what order they stand makes no difference.",
  presetNone: "None. Nothing passes because it only reads.",
  presetList: "Lines for commands that only read",
  builtIn: "built in",
  everything: "Covers every command. What else reads this file may check less strictly and let pass more.",
  never,
  passed: (count: number) => plural(count, { one: "let # pass", other: "let # pass" }),
  lastPassed: (ago: string) => `last ${ago}`,
  add: "Add a line",
  addLabel: "New line",
  addHint: "* stands for any text, ? for one character. A line that ends in “ *” also covers the command alone.",
  addButton: "Add",
  edit: "Change",
  editNamed: (line: string) => `Change ${line}`,
  editLabel: "Changed line",
  save: "Save",
  cancel: "Cancel",
  checking: "Checking …",
  present: "The file has this line already.",
  would: "Would pass, for example:",
  wouldNot: "Would still be asked about:",
  weaker: "The plugin, which shares the file, checks less and may let more pass by it:",

  learned: "Learned",
  learnedIntro: "Exact commands that pass from now on. In what order they stand makes no difference.",
  learnedNone: "None yet. What is approved three times in a row, to the letter, comes here.",
  learnedList: "Learned commands",
  approvals,
  seen: (ago: string) => `last seen ${ago}`,
  destructive: "It destroys something, so it is asked about all the same.",
  evidence: (count: number) => plural(count, { one: "# request on record", other: "# requests on record" }),
  evidenceNamed: (line: string) => `What led to ${line}`,
  evidenceNone: "No request on record: it was learned elsewhere, or put there by hand.",
  by: (who: EvidenceBy, allowed: boolean) => by[who][allowed ? 0 : 1],
  inSession: (title: string) => `in “${title}”`,

  pending: "On the way",
  pendingIntro: "Commands that were approved, but not often enough yet. One refusal, and the count begins anew.",
  pendingList: "Commands on the way",
  countOf: (count: number, all: number) => `${count} of ${all}`,
  byYou: (count: number) => plural(count, { one: "# by you", other: "# by you" }),
  letPass: "Let this pass from now on",
  letPassNamed: (line: string) => `Let this pass from now on: ${line}`,
  forget: "Forget",
  forgetNamed: (line: string) => `Forget ${line}`,
  notLearned,

  suggestions: "You approve these again and again",
  suggestionsIntro: "Each can pass from now on, exactly as it stands here.",
  suggestionsList: "Suggested commands",
  suggested: (times: number) => plural(times, { one: "approved # time", other: "approved # times" }),

  remove: "Delete",
  removeNamed: (line: string) => `Delete ${line}`,
  gone: "deleted",
  goneNamed: (line: string) => `Deleted: ${line}`,
  undo: "Undo",
  undoNamed: (line: string) => `Undo deleting ${line}`,
  added: (line: string) => `Added: ${line}`,
  changed: (line: string) => `Changed to: ${line}`,
  passes: (line: string) => `Passes from now on: ${line}`,
  undone: "Undone.",
  undoLast: "Undo the last change",
  unchanged: "It was no longer there: somebody else has changed the file.",

  tester: "Which rule matches this command?",
  testerIntro: "It is looked up as if an agent asked to run it in the project now. Nothing is run.",
  command: "Command",
  try: "Look up",
  tried: {
    passes_preset: "Passes, because it only reads. By the line",
    passes_learned: "Passes, because it is learned. By the line",
    held: "You are asked. The line",
    heldEnd: (why: string) => `covers it, but ${why}.`,
    destructive: "You are asked. It is learned, but it destroys something. The line is",
    uncovered: "You are asked: no line covers it.",
    no_line: "You are asked: it isn’t one line, or it is too long. Rules are about single lines only.",
    no_rules: "You are asked: the file can’t be used, so nothing passes by it.",
  },
  held,
  triedOff: "Rules are switched off, so you are asked in any case.",

  exchange: "OpenCode’s own configuration",
  exchangeIntro: "These lines as rules of OpenCode, and the other way round. Nothing is written there.",
  export: "Export",
  import: "Import",
  exportIntro:
    "OpenCode goes by the pattern alone: it proves nothing and looks at no disk. Of all rules that match, the last one counts, so the order matters: exceptions stand behind what they narrow.",
  exportList: "Rules in their order",
  from,
  idle: "does nothing: a later rule covers it",
  up: "Up",
  upNamed: (line: string) => `Move ${line} up`,
  down: "Down",
  downNamed: (line: string) => `Move ${line} down`,
  leaveOut: "Leave out",
  leaveOutNamed: (line: string) => `Leave out ${line}`,
  original: "As at the beginning",
  tooWide: "Left out, because no exceptions could keep out what Gavel never lets pass by them:",
  leftOut: "Left out, because as patterns they would cover more than themselves:",
  wider:
    "What OpenCode lets pass by a pattern and Gavel would not: other options that write or run something, links that lead out of the project, settings of git that run programs, files with secrets under other names, or under their own ones written with wildcards or backslashes.",
  version: "For",
  v1: "OpenCode 1",
  v2: "OpenCode 2",
  text: "Configuration",
  copyText: "Copy",
  paste: {
    v1: "Goes into opencode.json. If it has a “permission” already, put these lines into it.",
    v2: "Goes into opencode.json. If it has “permissions” already, add these at their end.",
  },

  importIntro:
    "Paste a configuration, or read the project’s own. It is only read, and nothing is taken without a click.",
  importLabel: "Configuration of OpenCode, as JSON or JSONC",
  read: "Show what it allows",
  readOwn: "Read the project’s own",
  importList: "Rules about commands",
  importNone: "It says nothing about commands.",
  readFrom: (place: string) => `Read from ${place}`,
  agents: (names: string) => `Agents with rules of their own, which are left alone: ${names}`,
  fate,
  effects: { allow: "allow", ask: "ask", deny: "deny" },
  take: "Take",
  takeNamed: (line: string) => `Take ${line}`,
  taken: "taken",
};
