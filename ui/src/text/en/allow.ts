import type { Always, Hazard } from "../../bindings/api";
import { pluralOf } from "../plural";

const plural = pluralOf("en");

const always: Record<Always, string> = {
  project: "Always in this project …",
  until_restart: "Always, until OpenCode restarts …",
};
const alwaysTitle: Record<Always, string> = {
  project: "Always allow in this project",
  until_restart: "Always allow, until OpenCode restarts",
};
const alwaysMeans: Record<Always, string> = {
  project:
    "These patterns pass unasked in every session of this project, for good, also after a restart. What the configuration denies stays denied. Under Servers, Saved approvals, they can be taken back.",
  until_restart:
    "These patterns pass unasked in every session of this project until this OpenCode server ends, even where its configuration denies them. They can’t be taken back before.",
};
const alwaysYes: Record<Always, string> = {
  project: "Always allow these",
  until_restart: "Allow these until OpenCode restarts",
};

/** What is the matter with a pattern: words around a piece of code. */
function hazard(hazard: Hazard, action: string): { before: string; code: string; after: string } {
  switch (hazard.hazard) {
    case "everything":
      return { before: `Matches everything that ${action} can ask for.`, code: "", after: "" };
    case "broad":
      return { before: "Leaves open which command, folder or host it is for.", code: "", after: "" };
    case "deletes":
      return { before: "Matches", code: hazard.example, after: ", which deletes or throws work away." };
    case "runs_anything":
      return { before: "Lets any command pass, because", code: hazard.program, after: " runs whatever it is given." };
    case "chained":
      return {
        before: "This server asks about whole command lines, so it also matches",
        code: hazard.example,
        after: "",
      };
  }
}

/** What goes on beside a plain approval. */
export const allow = {
  open: "Allow for session …",
  title: "Allow for this session",
  means: "This request is approved, and what is checked here passes unasked from now on, in this session only.",
  what: "What to allow",
  pattern: "Pattern",
  narrow: "Narrow",
  narrowNamed: (pattern: string) => `Narrow ${pattern}`,
  instead: "Instead:",
  insteadOf: (pattern: string) => `Instead of ${pattern}`,
  only: (pattern: string) => `Only ${pattern}`,
  asProposed: "As proposed",
  narrowHint: "* stands for any text, ? for one character. It can only become narrower than what was proposed.",
  notEditable: "It holds hidden characters, so it can be taken as it is or left, but not changed.",
  hidden: "This holds a character that can’t be seen. Type the pattern anew.",
  tooWide: (proposed: string) => `This is not certain to be narrower than the proposed ${proposed}.`,
  empty: "An empty pattern matches nothing.",
  mistaken: "A pattern can’t be allowed as it stands.",
  nothing: "Nothing is checked, so there is nothing to allow.",
  hazard,

  reach: "How far this reaches",
  reachNothing: "What is checked is held against the requests of the past.",
  looking: "Looking at what it would have let pass …",
  unknown: "What it would have let pass could not be found out.",
  nothingRecorded: "No request of this project is on record yet, so it can’t be said what it would have let pass.",
  wouldPass: (passed: number, total: number, deletes: number, declined: number) => {
    const of = plural(total, { one: "the only past request here", other: "# past requests here" });
    const remarks = [
      deletes ? plural(deletes, { one: "# of them deletes files", other: "# of them delete files" }) : "",
      declined ? plural(declined, { one: "you declined # of them", other: "you declined # of them" }) : "",
    ].filter(Boolean);
    if (!passed) return total === 1 ? `Would not have let pass ${of}.` : `Would have let pass none of ${of}.`;
    const some = total === 1 ? of : `${passed} of ${of}`;
    return `${[`Would have let pass ${some}`, ...remarks].join(", ")}.`;
  },
  partly: (count: number) =>
    plural(count, {
      one: "# more matches in part only, so it would still have been asked.",
      other: "# more match in part only, so they would still have been asked.",
    }),
  matched: "What matches",
  others: "What would still be asked, for example",
  chained: "Should this server ask about whole command lines, it also matches",

  children: "Also in the sessions of its sub-agents",
  lasts: "For how long",
  forSession: "As long as the session",
  forQuarter: "15 minutes",
  forHour: "1 hour",
  forRun: "Until the run ends",
  forUses: "A number of times",
  uses: "How often",
  badUses: "A whole number from 1 to 1,000.",
  unclearUses: "It doesn’t say yet how often it may be used.",
  yes: (count: number) => plural(count, { one: "Allow this pattern", other: "Allow these # patterns" }),
  none: "Allow",
  cancel: "Cancel",
  close: "Close",
  back: "Back",

  always,
  alwaysTitle,
  alwaysMeans,
  alwaysYes,
  patterns: "What passes from then on",

  knowing: (count: number) =>
    plural(count, { one: "I want what is marked, too", other: "I want the # that are marked, too" }),
  unknowing: "Something here reaches very far. Check the box if that is meant.",

  gone: "This request was settled meanwhile; there is nothing left to allow.",
  changed: "More of this request became known meanwhile. Close this and read it first.",
};
