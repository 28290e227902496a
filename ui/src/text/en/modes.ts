import type { Effect, Mode, RuleState, Scope, Stance, TrialSource } from "../../bindings/api";
import { pluralOf } from "../plural";

const plural = pluralOf("en");

const names: Record<Mode, string> = {
  full_access: "Full access",
  supervised: "Supervised",
  auto: "Auto",
  auto_accept_edits: "Auto-accept edits",
};

const means: Record<Mode, string> = {
  full_access: "Nothing is asked: every command runs and every file is changed, also outside the project.",
  supervised: "Commands, edits and everything outside the project are asked, and you answer.",
  auto: "Asks as Supervised does, and a judge may answer where one is set up; without a judge, you answer.",
  auto_accept_edits: "Files of the project are edited unasked; commands and everything outside are asked.",
};

/** What was chosen, in one line. */
function stance({ mode, plan, subagents }: Stance): string {
  return [names[mode], plan && "plan only", !subagents && "no sub-agents"].filter(Boolean).join(", ");
}

/** Where nothing is chosen, somebody else decides. */
const leftTo: Record<Scope["scope"], string> = {
  server: "Left to OpenCode",
  project: "Left to the server",
  session: "Left to the project",
};

/** Whose choice counts for a session. */
function from(scope: Scope, isOwn: boolean): string {
  switch (scope.scope) {
    case "session":
      return isOwn ? "chosen here" : "from the session above it";
    case "project":
      return "from the project";
    case "server":
      return "from the server";
  }
}

/** How far the server knows of it; `sentence` makes one of the backend's words. */
function state(how: RuleState, sentence: (message: string) => string): string {
  switch (how.state) {
    case "stands":
      return "In force.";
    case "under_way":
      return how.again ? "Being set; what was chosen last comes next …" : "Being set …";
    case "failed":
      return `Not in force: it could not be set, and Gavel tries again. ${sentence(how.why)}`;
    case "unsupported":
      return "Not in force: it can’t be set for this session, because this server takes no rules for it or doesn’t heed them. Under Rules stands a configuration to use instead.";
    case "overruled":
      return "Not in force: another program keeps setting other rules for this session.";
  }
}

const effects: Record<Effect, string> = {
  allow: "Passes without being asked.",
  ask: "Is asked.",
  deny: "Is refused without being asked.",
};

const sources: Record<TrialSource, string> = {
  agent: "one of the agent’s own: OpenCode’s defaults and configuration",
  session: "one of the session’s: from the mode, a grant, or another program",
  none: "",
};

export const modes = {
  title: "Modes",
  intro:
    "How much agents may do without asking. What is chosen for a session counts before its project, and that before its server. Where nothing is chosen, OpenCode’s own rules decide.",
  servers: "Servers",
  projects: "Projects",
  sessions: "Sessions",
  none: {
    servers: "No server is watched.",
    projects: "No project is known yet. It appears here with its first session, and keeps what is chosen for it.",
    sessions: "No session is known yet. New ones get what is chosen for their project or server as they appear.",
  },
  filter: "Filter sessions",
  filterHint: "Title, project, server …",
  noMatch: "No session matches.",
  shown: (count: number, all: number) => `${count} of ${plural(all, { one: "# session", other: "# sessions" })}`,
  untitled: "Untitled session",
  names,
  means,
  stance,
  leftTo,
  from,
  openCode: "OpenCode decides",
  state,
  running: "at work",
  child: "sub-agent",
  agent: (name: string) => `agent ${name}`,
  in: (project: string, server: string) => `${project} on ${server}`,

  change: "Change",
  changeNamed: (name: string) => `Change the mode of ${name}`,
  form: (name: string) => `Mode of ${name}`,
  choose: "Mode",
  leave: leftTo,
  leaveMeans: {
    server: "Nothing is set: OpenCode’s own rules and configuration decide what is asked.",
    project: "What is chosen for the server counts; if nothing is, OpenCode decides.",
    session:
      "What is chosen for the session above it, the project or the server counts; if nothing is, OpenCode decides.",
  } satisfies Record<Scope["scope"], string>,
  warning: "Nobody is asked before anything runs. Choose it only where nothing can be lost.",
  noJudge: "Nobody judges yet, so you would answer everything, as in Supervised. Choose a judge first or afterwards.",
  toJudge: "Judge",
  plan: "Plan only",
  planHint: "On top of the mode: no file is changed but the plan.",
  subagents: "Sub-agents",
  subagentsHint: "The agent may start agents of its own.",
  save: "Set",
  saving: "Setting …",
  cancel: "Cancel",

  rules: "Rules",
  rulesNamed: (name: string) => `Rules of ${name}`,
  rulesIntro: "Of all rules that match, the last one counts. They come after the agent’s own.",
  incomplete:
    "The server has not told which places its agents may use of their own, such as for long output. They are added when the mode is set.",
  nowhere: "The rules are known once a session of it is.",
  rulesFailed: "The rules could not be found out.",
  copyLines: "Copy rules",
  copyV2: "Copy for OpenCode 2",
  copyV1: "Copy for OpenCode 1",
  copyHint: "A configuration holds for every session of a project: paste it into its opencode.json.",
  noV1: "OpenCode 1 can’t say the same in its configuration.",
  copied: "Copied.",
  notCopied: "It could not be copied: select the rules instead.",

  tester: "Try a rule",
  testerIntro: "What would happen in a session if its agent wanted to do this? Nothing is run.",
  session: "Session",
  action: "Action",
  resource: "Command, path or address",
  resourceHint: "npm test",
  try: "Try",
  trying: "Trying …",
  effects,
  decidedBy: "The rule that decides:",
  sources,
  noRule: "No rule matches, and what no rule matches is asked.",
  missing: "Write what the agent would want to do.",
};
