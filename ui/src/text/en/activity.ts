import type { Answerer, Ending, Outcome, Reply, Said, Settled } from "../../bindings/api";
import { pluralOf } from "../plural";

const plural = pluralOf("en");

function replied(reply: Reply | null): string {
  switch (reply) {
    case "once":
      return "Answered elsewhere: approved";
    case "always":
      return "Answered elsewhere: approved for good";
    case "reject":
      return "Answered elsewhere: declined";
    case null:
      return "Answered elsewhere";
  }
}

/** What was answered to a question; nothing, where everything was skipped. */
const said = (answers: Said[]) => answers.map(({ answer }) => answer).join(" · ") || "nothing";

/** How a request came to its end. */
function settled(how: Settled): string {
  switch (how.by) {
    case "you":
      switch (how.decision.kind) {
        case "allow_once":
          return "You approved";
        case "allow_for_session":
          return "You allowed it for the session";
        case "allow_always":
          return "You allowed it for good";
        case "decline":
          return how.decision.reason ? `You declined: ${how.decision.reason}` : "You declined";
        case "stop":
          return "You stopped the run";
      }
    // eslint-disable-next-line no-fallthrough -- every kind of decision returned
    case "you_stopped":
      return how.reason
        ? `You declined, which stopped the run, as this server passes no words on: ${how.reason}`
        : "You declined, which stopped the run, as this server passes no words on";
    case "grant":
      return `Passed by what you allowed for: ${how.title}`;
    case "rule":
      return how.source === "learned" ? `Passed, as learned: ${how.line}` : `Passed by the rule ${how.line}`;
    case "judge":
      return how.allowed ? `Allowed by the judge: ${how.reason}` : `Declined by the judge: ${how.reason}`;
    case "swept":
      return "Declined along with another request";
    case "another_client":
      return replied(how.reply);
    case "you_answered":
      return `You answered: ${said(how.answers)}`;
    case "you_cancelled":
      return how.reason ? `You cancelled: ${how.reason}` : "You cancelled";
    case "answered_elsewhere":
      return how.answers.length ? `Answered elsewhere: ${said(how.answers)}` : "Answered elsewhere";
    case "cancelled_elsewhere":
      return "Cancelled elsewhere";
    case "unseen":
      return "No longer pending after a gap in the connection";
    case "while_away":
      return "Settled while Gavel was away";
    case "run_ended":
      return "Run ended";
    case "server_gone":
      return "Server gone";
  }
}

const endings: Record<Ending, string> = {
  allowed: "Allowed",
  declined: "Declined",
  answered: "Answered",
  over: "Over before an answer",
  unknown: "Not known",
  undelivered: "Could not be delivered",
};

const answerers: Record<Answerer, string> = {
  you: "You",
  grant: "Your grants",
  rule: "Rules",
  judge: "Judge",
  elsewhere: "Elsewhere",
  nobody: "Nobody",
};

export const activity = {
  title: "Activity",
  filter: "Filter",
  filterHint: "Command, project, session …",
  filters: (count: number) => (count ? `Filters and export (${count})` : "Filters and export"),
  clear: "Clear filters",
  range: "When it ended",
  ranges: {
    any: "Any time",
    day: "Today",
    days: (count: number) => `Last ${count} days`,
  },
  anyProject: "Any project",
  anyServer: "Any server",
  kind: "Kind",
  anyKind: "Any kind",
  ending: "Outcome",
  anyEnding: "Any outcome",
  endings,
  answerer: "Who answered",
  anyAnswerer: "Anybody",
  answerers,
  asList: "List",
  asPictures: "Pictures",
  saveJson: "Export as JSON Lines",
  saveTable: "Export as CSV",
  saved: (count: number) => `${plural(count, { one: "# request", other: "# requests" })} exported to`,
  outcome: (outcome: Outcome) =>
    outcome.outcome === "settled" ? settled(outcome.settled) : `Could not be delivered: ${outcome.why}`,
  waited: (duration: string) => `waited ${duration}`,
  older: "Load older",
  loading: "Loading …",
  noOlder: "That is everything on record.",
  shown: (count: number) => plural(count, { one: "# entry", other: "# entries" }),
  matching: (count: number, all: number) => `${count} of ${plural(all, { one: "# entry", other: "# entries" })}`,
  emptyTitle: "Nothing has been settled yet.",
  empty: "Every request ends up here once it is answered, by you or elsewhere, with how long it had waited.",
  noMatchTitle: "Nothing matches.",
  noMatch: "Try another word, or clear the filters.",
  project: "Project",
  session: "Session",
  server: "Server",
  at: "When",
  text: "Full text of what was asked",
};
