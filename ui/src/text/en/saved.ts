import { pluralOf } from "../plural";

const plural = pluralOf("en");

export const saved = {
  title: "Saved approvals",
  of: (server: string) => `Saved approvals of ${server}`,
  intro: "What these projects allow for good, in every session and after a restart, until it is removed.",
  loading: "Asking the server …",
  emptyTitle: "Nothing is allowed for good.",
  empty:
    "When a request is answered with “always”, here or in a terminal, its pattern is saved for the project and no longer asked. It is then listed here, with what it would have let through so far, and can be taken back.",
  unsupported: "This server saves no approvals: “always” lasts there only until OpenCode restarts.",
  unlisted: "The approvals of some directories could not be listed.",
  nowhere: "Outside of any repository",
  nowherePlace: "Holds in every directory that lies in no repository.",
  list: (project: string) => `Approvals of ${project}`,
  savedOn: (day: string) => `saved ${day}`,

  wouldMatch: (count: number) =>
    plural(count, { one: "Would have matched # past request", other: "Would have matched # past requests" }),
  wouldMatchNone: "Would have matched no past request",
  nothingRecorded: "No requests of these projects are on record yet, so it can’t be said what it would have matched.",
  times: (count: number) => plural(count, { one: "# time", other: "# times" }),
  partly: (count: number) => plural(count, { one: "# of them only in part", other: "# of them only in part" }),
  deletes: (count: number) => plural(count, { one: "# of them deletes files", other: "# of them delete files" }),
  declined: (count: number) => plural(count, { one: "# of them was declined", other: "# of them were declined" }),
  isPartly: "in part",
  isDeleting: "deletes files",
  isDeclined: "declined",
  chained: (example: string) => `Where a whole command line is asked about at once, it also matches ${example}`,

  change: "Change",
  changeNamed: (pattern: string) => `Change ${pattern}`,
  newPattern: "New pattern",
  newPatternHint: "* stands for any text, ? for one character. Everything else stands for itself.",
  save: "Save",
  saving: "Saving …",
  cancel: "Cancel",
  cantChange: "This server can’t change saved approvals. Remove one, and the next request offers to save another.",

  remove: "Remove",
  removeNamed: (pattern: string) => `Remove ${pattern}`,
  removed: (pattern: string) => `Removed ${pattern}`,
  removing: (seconds: number) => `removed in ${seconds} s`,
  undo: "Undo",
  undoNamed: (pattern: string) => `Undo removing ${pattern}`,
};
