import { pluralOf } from "../plural";

const plural = pluralOf("en");

export const pictures = {
  asTable: "Show as table",
  asTableOf: (title: string) => `Show as table: ${title}`,
  day: "Day",
  byEnding: "Requests per day, by outcome",
  byAnswerer: "Requests per day, by who answered",
  waited: "Median waiting time",
  waitedSays: (duration: string) => `Half of what a person answered had waited less than ${duration}.`,
  asked: "What you were asked most",
  askedSays: "Commands that you never declined are candidates for a rule.",
  what: "Request",
  times: (allowed: number, declined: number) =>
    [
      plural(allowed, { one: "you approved once", other: "you approved # times" }),
      ...(declined ? [plural(declined, { one: "declined once", other: "declined # times" })] : []),
    ].join(", "),
  letPass: "Let this pass from now on",
  letPassOf: (title: string) => `Let this pass from now on: ${title}`,
  passes: "Passes from now on, exactly as it stands here.",
  takeBack: "Undo",
  takeBackOf: (title: string) => `Undo: let this pass from now on: ${title}`,
  total: (count: number, days: number) =>
    `${plural(count, { one: "# request", other: "# requests" })} in the last ${days} days`,
  emptyTitle: "Nothing to draw yet.",
  empty: (days: number) => `No request like this ended in the last ${days} days.`,
};
