import type { FieldKind, Format, Response } from "../../bindings/api";
import { pluralOf } from "../plural";

const plural = pluralOf("en");
const characters = (count: number) => plural(count, { one: "# character", other: "# characters" });
const answers = (count: number) => plural(count, { one: "# answer", other: "# answers" });

const formats: Record<Format, string> = {
  email: "An e-mail address, such as name@example.com.",
  uri: "A full address, such as https://example.com/page.",
  date: "A date, such as 2026-11-30.",
  "date-time": "A date and time with its zone, such as 2026-11-30T19:43:00Z.",
};

/** From … to …, of which one may be open. */
function range(least: number | null, most: number | null, of: (count: number) => string): string {
  if (least !== null && most !== null) return least === most ? `${of(least)}` : `${least} to ${of(most)}`;
  if (least !== null) return `at least ${of(least)}`;
  return most === null ? "" : `at most ${of(most)}`;
}

const sentence = (words: string) => (words ? `${words[0]?.toUpperCase() ?? ""}${words.slice(1)}.` : "");

/** What a field takes, as far as it is limited. */
function takes(kind: FieldKind): string {
  switch (kind.kind) {
    case "text": {
      const format = kind.format ? formats[kind.format] : "";
      return [format, sentence(range(kind.min_length, kind.max_length, characters))].filter(Boolean).join(" ");
    }
    case "number": {
      const what = kind.whole ? "a whole number" : "a number";
      const { minimum, maximum } = kind;
      if (minimum !== null && maximum !== null) return sentence(`${what} from ${minimum} to ${maximum}`);
      if (minimum !== null) return sentence(`${what}, ${minimum} or more`);
      return sentence(maximum === null ? what : `${what}, ${maximum} or less`);
    }
    case "multiselect":
      return sentence(range(kind.min_items, kind.max_items, answers)) || "Any number of these.";
    default:
      return "";
  }
}

/** What is being done. */
function doing(response: Response): string {
  return response.response === "answer" ? "Sending the answer …" : "Cancelling …";
}

export const questions = {
  card: "Question",
  count: (count: number) => plural(count, { one: "# question", other: "# questions" }),
  arrived: (headline: string, project: string) => `New question: ${headline}, in ${project}`,
  required: "required",
  takes,
  pattern: "It must match this regular expression:",
  yes: "Yes",
  no: "No",
  own: "Another answer",
  ownMany: "Other answers, one a line",
  skip: "Skip",
  skipNamed: (question: string) => `Skip: ${question}`,
  skipped: "Skipped.",
  unskip: "Answer it",
  unskipNamed: (question: string) => `Answer it after all: ${question}`,
  link: "To be done at this address, outside of Gavel:",
  open: "Open in the browser",
  copyLink: "Copy the address",
  cantOpen: "Gavel opens only http and https addresses. Copy it if you trust it.",
  done: "I have done that",
  unknown: "This version of Gavel doesn’t know this kind of question. This is what the server sent:",
  unanswerable:
    "A question that must be answered is of a kind that Gavel doesn’t know. You can cancel it here, or answer it in a terminal.",
  send: "Send the answer",
  sendHint: "In a field with several lines, Ctrl+Enter sends.",
  cancel: "Cancel the question",
  cancelReason: "Why not? The agent reads this and goes on. Without a reason, its run ends.",
  cancelReasonHint: "“Decide yourself.”",
  cancelEnds: "This server passes no reason on: the agent is told that you dismissed the question, and its run ends.",
  keep: "Keep it",
  nothing: "Nothing is answered yet. Answer something, or cancel the question.",
  refused: "The server did not take this answer:",
  ghost:
    "This question was settled elsewhere while you were answering. What you typed can’t be sent any more, but it can be copied.",
  unkept: "What you type is not being kept: send it before you close Gavel.",
  copyTyped: "Copy what I typed",
  copied: "Copied.",
  notCopied: "It could not be copied: select it instead.",
  /** What is wrong with an answer, as the server says it or Gavel does. */
  problem: (said: string) => said,
  goOn: "Go on",
  doing,
  undelivered: (response: Response, why: string) =>
    `Your ${response.response === "answer" ? "answer" : "cancellation"} could not be delivered: ${why}.`,
};
