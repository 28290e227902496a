import type { Class, Part, Recommendation, Verdict } from "../bindings/api";

/** How grave something is, from what may pass unread to what nobody wants. */
export type Graveness = "good" | "calm" | "warn" | "danger";

/** What can't be put right by looking at the project afterwards. */
const FAR: readonly Class[] = ["outside", "network", "destructive"];

/** How grave a part of a command is. */
export function graveness(part: { recommendation: Recommendation; class: Class | null }): Graveness {
  switch (part.recommendation) {
    case "allow":
      return "good";
    case "deny":
      return "danger";
    case "ask":
      return part.class && FAR.includes(part.class) ? "warn" : "calm";
  }
}

/** How grave a request is: at least as grave as any of its parts, unless it is recommended. */
export function gravenessOf(verdict: Verdict): Graveness {
  const own = graveness(verdict);
  if (own !== "calm") return own;
  return verdict.parts.some((part: Part) => graveness(part) === "warn") ? "warn" : "calm";
}
