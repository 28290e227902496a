import type { Opinion, Recommendation } from "../../bindings/api";
import type { Catalogue } from "..";

const would: Record<Recommendation, string> = {
  allow: "За разрешение.",
  deny: "За отказ.",
  ask: "Решение оставлено вам.",
};

const contrary: Record<Recommendation, string> = {
  allow: "за разрешение",
  deny: "за отказ",
  ask: "",
};

/** Whose opinion it is. */
const of = ({ judge, source }: Opinion): string =>
  source === "offline" ? "Разбор" : judge ? `Судья (${judge.model || judge.provider})` : "Судья";

export const opinions: Catalogue["opinions"] = {
  of,
  says: ({ status, recommendation }) => (status === "ok" ? would[recommendation] : "Вердикта нет."),
  contrary: (opinion) => `${of(opinion)} — ${contrary[opinion.recommendation]}`,
};
