import type { Opinion, Recommendation } from "../../bindings/api";

const would: Record<Recommendation, string> = {
  allow: "Would have allowed it.",
  deny: "Would have declined it.",
  ask: "Left it to you.",
};

const contrary: Record<Recommendation, string> = {
  allow: "would have allowed it",
  deny: "would have declined it",
  ask: "",
};

/** Whose opinion it is. */
const of = ({ judge, source }: Opinion): string =>
  source === "offline" ? "Analysis" : judge ? `Judge (${judge.model || judge.provider})` : "Judge";

/** What was said of a request that is settled. */
export const opinions = {
  of,
  says: ({ status, recommendation }: Opinion): string => (status === "ok" ? would[recommendation] : "No verdict."),
  contrary: (opinion: Opinion): string => `${of(opinion)} ${contrary[opinion.recommendation]}`,
};
