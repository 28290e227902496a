import type { Class, Source, Verdict } from "../../bindings/api";

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
  by: (source: Source) => sources[source],
};
