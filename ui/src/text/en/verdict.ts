import type { Advice, Class, Source, Verdict } from "../../bindings/api";

const kinds: Record<Class, string> = {
  reads: "only reads",
  writes: "changes files",
  unknown: "not known",
  outside: "outside the project",
  network: "network",
  runs_code: "runs code",
  destructive: "destroys",
};

/** One or two words that say what to make of it. */
function head(verdict: Verdict): string {
  switch (verdict.recommendation) {
    case "allow":
      return "Looks safe.";
    case "deny":
      return "Dangerous.";
    case "ask":
      return verdict.class === "destructive" ? "Take care." : "Up to you.";
  }
}

/** What the judge would do, or that nobody knows. */
function advice(given: Extract<Advice, { state: "given" }>): string {
  if (given.status !== "ok") return "No verdict:";
  switch (given.recommendation) {
    case "allow":
      return "The judge would allow it.";
    case "deny":
      return "The judge would decline it.";
    case "ask":
      return "The judge leaves it to you.";
  }
}

const sources: Record<Source, string> = {
  preset: "by a rule that came with Gavel",
  learned: "by a learned rule",
  grant: "by your grant",
  cache: "as judged before",
  offline: "checked on this computer",
  model: "by a model",
};

export const verdict = {
  label: "What is recommended",
  parts: "What each part does",
  kinds,
  head,
  /** A reason, which begins with a verb, as a sentence of its own. */
  sentence: (reason: string) => {
    const [first = "", ...rest] = reason;
    const sentence = `${first.toUpperCase()}${rest.join("")}`;
    return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
  },
  judge: "What the judge says",
  awaited: "The judge is being asked …",
  byDefault: "This is the session’s own model, as you have chosen no judge.",
  advice,
  paused:
    "The judge declined so much in this thread that it answers nothing here any more. Under Judge you can let it go on.",
  toJudge: "Judge",
  by: (source: Source) => sources[source],
};
