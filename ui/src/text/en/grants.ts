import type { Lasts } from "../../bindings/api";
import { pluralOf } from "../plural";

const plural = pluralOf("en");

/** What ends a grant, whatever comes first; `left` says how long something still takes. */
function ends(lasts: Lasts, left: (until: number) => string): string {
  const words: string[] = [];
  if (lasts.until !== null) words.push(`in ${left(lasts.until)}`);
  if (lasts.uses !== null) words.push(plural(lasts.uses, { one: "after # more use", other: "after # more uses" }));
  if (lasts.for_run) words.push("with the run");
  return `Ends ${words.length ? words.join(" or ") : "with the session"}`;
}

export const grants = {
  title: "Grants",
  intro: "What you allowed for a session. It passes unasked until the grant ends or is taken back.",
  list: "Grants",
  count: (count: number) => plural(count, { one: "# grant", other: "# grants" }),
  patterns: (title: string) => `What is allowed since: ${title}`,
  session: (title: string) => `in “${title}”`,
  unknownSession: "in a session that is not known yet",
  on: (server: string) => `on ${server}`,
  children: "with its sub-agents",
  givenFor: (title: string) => `Given for: ${title}`,
  since: (ago: string) => `given ${ago}`,
  ends,
  used: (count: number | null) =>
    count === null
      ? "the server lets it pass by itself, uncounted"
      : count === 0
        ? "not used yet"
        : plural(count, { one: "used once", other: "used # times" }),
  takeBack: "Take back",
  takeBackNamed: (pattern: string) => `Take back ${pattern}`,
  takenBack: (pattern: string) => `Taken back: ${pattern}`,
  leaving: (seconds: number) => `taken back; can be undone for ${seconds} s`,
  undo: "Undo",
  undoNamed: (pattern: string) => `Undo taking back ${pattern}`,
  emptyTitle: "Nothing is allowed for a session.",
  empty:
    "Asked the same again and again? Press G on the request: with its approval you allow what the server proposes, or less, for that session only. It can have an end, is listed here with how often it was used, and is taken back with one click.",
  emptyAlways: "What is allowed for good, beyond a session, stands under Servers, Saved approvals.",
  toInbox: "Inbox",
  toServers: "Servers",
};
