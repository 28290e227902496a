import type { Decision } from "../../bindings/api";
import { pluralOf } from "../plural";

const plural = pluralOf("en");
const others = (count: number) => plural(count, { one: "the other request", other: "the # other requests" });

/** What is being done, in the gerund. */
function doing(decision: Decision): string {
  switch (decision.kind) {
    case "allow_once":
      return "Approving …";
    case "allow_for_session":
      return "Allowing for the session …";
    case "allow_always":
      return "Allowing for good …";
    case "decline":
      return "Declining …";
    case "stop":
      return "Stopping the run …";
  }
}

/** What was meant to be done, as a noun. */
function intended(decision: Decision): string {
  switch (decision.kind) {
    case "allow_once":
      return "approval";
    case "allow_for_session":
      return "approval for the session";
    case "allow_always":
      return "approval for good";
    case "decline":
      return "decline";
    case "stop":
      return "stop";
  }
}

export const inbox = {
  title: "Inbox",
  list: "Waiting requests",
  waiting: (count: number) => plural(count, { other: "# waiting" }),

  where: "Where",
  who: "Who",
  workdir: "Runs in",
  serves: "You asked for",
  purpose: "The agent says",
  note: "A plugin says",
  agentsWords: "the agent’s own words",
  resources: "What the server checked",
  text: "Full text",
  raw: "Everything the server sent",
  waitingFor: (duration: string) => `waiting ${duration}`,
  onServer: (server: string) => `on ${server}`,
  size: (lines: number, characters: number) =>
    `${plural(lines, { one: "# line", other: "# lines" })}, ${plural(characters, { one: "# character", other: "# characters" })}`,

  deceptive:
    "This text holds characters that are invisible or change how it reads. They are spelled out and highlighted: read what is there, not what it looks like.",
  deceptiveShort: "hidden characters",
  invisible: "hidden character",
  offline: (server: string) =>
    `${server} can’t be reached right now. What is shown may be out of date, and an answer may not be delivered.`,
  offlineShort: "offline",
  siblings: (count: number) => `Declining also declines ${others(count)} of this session.`,

  diff: "Change",
  diffCount: (added: number, removed: number) => `${added} added, ${removed} removed`,
  added: "added",
  removed: "removed",

  identical: (count: number, projects: readonly string[]) =>
    `${plural(count, { one: "# identical request waits", other: "# identical requests wait" })}, in ${projects.join(", ")}.`,
  answerAll: "Answer all identical requests",
  approveAll: (count: number) => `Approve all ${count}`,
  declineAll: (count: number) => `Decline all ${count}`,
  approve: "Approve",
  decline: "Decline",
  stop: "Stop",
  stopHint: "Ends the run",
  retry: "Retry",
  actions: "Answer",

  reason: "Why not? The agent reads this and goes on.",
  reasonHint: "Optional. “Use pnpm instead of npm.”",
  sendDecline: "Decline",
  cancel: "Cancel",
  goOn: "Go on",
  ghost: "This request was settled meanwhile; there is nothing left to decline.",

  doing,
  undelivered: (decision: Decision, why: string) => `Your ${intended(decision)} could not be delivered: ${why}.`,
  undeliveredShort: "not delivered",
  guarded: "The request on screen changed just now, so nothing was sent. Read it, then press again.",

  pausedNote: "Notifications are paused.",
  resume: "Resume",
  offlineServers: (names: string[]) => `Can’t be reached: ${names.join(", ")}.`,
  toServers: "Servers",

  readFirst: "There is more to read: it has been brought up. Approve once you have read it.",

  emptyTitle: "Nothing waits.",
  empty: (servers: number) =>
    `Gavel watches ${plural(servers, { one: "# server", other: "# servers" })}. The next time an agent wants permission, it appears here and you are told.`,
  emptyRules:
    "Never asked at all? Then OpenCode’s rules allow everything. This makes it ask, in the project’s opencode.json:",
  emptyRulesExample: '{ "permission": { "bash": "ask", "edit": "ask" } }',
  emptyLocked: (names: string[]) =>
    `${names.join(", ")} ${names.length === 1 ? "needs" : "need"} a password. Until it has one, nothing arrives from there.`,
  emptyOffline: "None of the watched servers can be reached right now, so nothing can arrive.",
  emptyJudged:
    "Each request is also put before the model that works in its session, for a second opinion. Outside the mode Auto it answers nothing. Under Judge you choose another model, or none.",
  toJudge: "Choose who judges",
  firstTitle: "No server yet.",
  first: "Gavel watches OpenCode servers. Start one in your project:",
  firstCommand: "opencode serve",
  firstDiscover: "It is found by itself within a few seconds.",
  firstNoDiscover: "Looking for servers is off in the preferences, so add its address under Servers.",
  firstTui:
    "A plain opencode in a terminal opens no port, so nothing can watch it. Give it one, or attach it to a server:",
  firstTuiCommand: "opencode --port 4096",
  firstAdd: "Add a server by address",

  arrived: (headline: string, project: string) => `New request: ${headline}, in ${project}`,
  arrivedMany: (count: number) => plural(count, { one: "# new request", other: "# new requests" }),
  waitingNow: (count: number) =>
    count === 0 ? "No request waits" : plural(count, { one: "# request waits", other: "# requests wait" }),
  movedTo: (headline: string) => `Settled. Now showing: ${headline}`,
  allSettled: "Settled. Nothing waits any more.",
};
