import type { Always } from "../../bindings/api";
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

/** What goes on beside a plain approval. */
export const allow = {
  open: "Allow for session …",
  title: "Allow for this session",
  means: "This request is approved, and what is checked here passes unasked from now on, in this session only.",
  what: "What to allow",
  pattern: "Pattern",
  allowNamed: (pattern: string) => `Allow ${pattern}`,
  narrow: "Narrow",
  narrowNamed: (pattern: string) => `Narrow ${pattern}`,
  exactly: (resource: string) => `Exactly ${resource}`,
  asProposed: "As proposed",
  narrowHint: "* stands for any text, ? for one character. It can only become narrower than what was proposed.",
  notEditable: "It holds hidden characters, so it can be taken as it is or left, but not changed.",
  tooWide: (proposed: string) => `This is not certain to be narrower than the proposed ${proposed}.`,
  empty: "An empty pattern matches nothing.",
  nothing: "Nothing is checked, so there is nothing to allow.",
  looking: "Looking at what it would have matched …",
  unknown: "What it would have matched could not be found out.",

  children: "Also in the sessions of its sub-agents",
  lasts: "For how long",
  forSession: "As long as the session",
  forQuarter: "15 minutes",
  forHour: "1 hour",
  forRun: "Until the run ends",
  forUses: "A number of times",
  uses: "How often",
  badUses: "A whole number from 1 to 1,000.",
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

  gone: "This request was settled meanwhile; there is nothing left to allow.",
  changed: "More of this request became known meanwhile. Close this and read it first.",
};
