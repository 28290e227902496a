import type { Status } from "../../bindings/api";
import { pluralOf } from "../plural";

const plural = pluralOf("en");
const digits = new Intl.NumberFormat("en");
const fraction = new Intl.NumberFormat("en", { maximumFractionDigits: 1, minimumFractionDigits: 1 });
const times = (count: number) => plural(count, { one: "once", other: "# times" });

const statuses: Record<Status, string> = {
  ok: "Answered",
  no_key: "No key",
  http_error: "HTTP error",
  network_error: "Not reachable",
  timed_out: "Timed out",
  truncated: "Answer cut off",
  unparsed: "Answer not understood",
};

export const card = {
  title: "Report card",
  intro:
    "What judges said, held against what you decided by hand. What rules, grants or judges answered doesn’t count.",
  empty: "No judge has said anything yet.",
  offline: "Analysis on this machine",
  unnamed: "A model that no record names",
  shadow: "Shadow mode:",
  shadowMeans: (model: string) =>
    `outside Auto, ${model} is asked about every request and answers none. What it says is compared with what you do.`,
  auto: "Could Auto be left to it?",
  autoRule: (answers: number, allowed: number, days: number) =>
    `Auto looks safe in a project when, within ${days} days, you decided ${answers} requests there that it had an opinion on, when both of you allowed ${allowed} of them, and when it would have allowed none that you declined. Gavel never switches by itself.`,
  autoNone: "You have decided nothing yet that it had an opinion on.",
  autoSafe: (answers: number) =>
    `Auto looks safe here, after ${plural(answers, { one: "# answer", other: "# answers" })} of yours.`,
  autoNotYet: "not yet.",
  missingLenient: (count: number) =>
    plural(count, {
      one: "It would have allowed a request that you declined.",
      other: "It would have allowed # requests that you declined.",
    }),
  missingAnswers: (count: number) =>
    plural(count, { one: "# more answer of yours is needed.", other: "# more answers of yours are needed." }),
  missingAllowed: (count: number) =>
    plural(count, { one: "# more that both of you allow.", other: "# more that both of you allow." }),
  toModes: "Choose a mode …",
  lenient: (count: number, of: number) =>
    `It would have allowed ${plural(count, { one: "# request", other: "# requests" })} that you declined (of ${digits.format(of)} compared).`,
  neverLenient: (of: number) =>
    `It would have allowed nothing that you declined (${plural(of, { one: "# request", other: "# requests" })} compared).`,
  lenientCases: "It said allow, you declined",
  strictCases: "It said decline, you allowed",
  strict: (count: number) =>
    plural(count, {
      one: "It would have declined # request that you allowed",
      other: "It would have declined # requests that you allowed",
    }),
  because: "Its reason:",
  youWrote: (words: string) => `You wrote: ${words}`,
  furtherCases: (count: number) => plural(count, { one: "And # more.", other: "And # more." }),
  agreed: "Agreed with you",
  agreedOf: (agreed: number, of: number) =>
    `${digits.format(agreed)} of ${digits.format(of)} (${Math.floor((agreed / of) * 100)} %)`,
  nothingToCompare: "Nothing to compare yet",
  undecided: "Left to you",
  asked: "Asked",
  times,
  took: "Time it took",
  seconds: (seconds: number) => `${fraction.format(seconds)} s`,
  tookOf: (median: string, high: string) => `median ${median}, 95 of 100 within ${high}`,
  failures: "No verdict",
  failed: (status: string, detail: string | null, count: number) =>
    `${status}${detail ? ` ${detail}` : ""}: ${times(count)}`,
  statuses,
  tokens: "Tokens",
  tokensOf: (asked: number, answered: number) => `${digits.format(asked)} asked, ${digits.format(answered)} answered`,
};
