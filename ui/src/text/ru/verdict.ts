import type { Advice, Class, Source, Verdict } from "../../bindings/api";
import type { Catalogue } from "..";
import { en } from "../en";

const kinds: Record<Class, string> = {
  reads: "только читает",
  writes: "меняет файлы",
  unknown: "неизвестно",
  outside: "вне проекта",
  network: "сеть",
  runs_code: "запускает код",
  destructive: "разрушает",
};

/** One or two words that say what to make of it. */
function head(verdict: Verdict): string {
  switch (verdict.recommendation) {
    case "allow":
      return "Похоже, безопасно.";
    case "deny":
      return "Опасно.";
    case "ask":
      return verdict.class === "destructive" ? "Осторожно." : "Решать вам.";
  }
}

/** What the judge would do, or that nobody knows. */
function advice(given: Extract<Advice, { state: "given" }>): string {
  if (given.status !== "ok") return "Мнения нет:";
  switch (given.recommendation) {
    case "allow":
      return "Судья разрешил бы.";
    case "deny":
      return "Судья отклонил бы.";
    case "ask":
      return "Судья оставляет решение вам.";
  }
}

const sources: Record<Source, string> = {
  preset: "по встроенному правилу Gavel",
  learned: "по выученному правилу",
  grant: "по вашему разрешению",
  cache: "как решено прежде",
  offline: "проверено на этом компьютере",
  model: "мнение модели",
};

export const verdict: Catalogue["verdict"] = {
  label: "Рекомендация",
  parts: "Что делает каждая часть",
  kinds,
  head,
  sentence: en.verdict.sentence,
  judge: "Что говорит судья",
  awaited: "Спрашиваем судью …",
  byDefault: "Это модель самого сеанса: судью вы не выбрали.",
  advice,
  paused:
    "Судья отклонил в этой ветке так много, что больше здесь не отвечает. Позволить ему продолжать можно в разделе «Судья».",
  toJudge: "Судья",
  by: (source) => sources[source],
};
