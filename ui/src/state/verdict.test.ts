import { describe, expect, it } from "vitest";

import type { Class, Part, Recommendation, Verdict } from "../bindings/api";
import { gravenessOf } from "./verdict";

const part = (kind: Class): Part => ({ start: 0, end: 1, class: kind, recommendation: "ask", why: "does" });
const verdict = (recommendation: Recommendation, kind: Class | null, parts: Class[] = []): Verdict => ({
  recommendation,
  class: kind,
  reason: "does",
  source: "offline",
  status: "ok",
  parts: parts.map(part),
});

describe("how grave a request is", () => {
  it.each([
    ["allow", "reads", [], "good"],
    ["deny", "destructive", [], "danger"],
    ["deny", null, [], "danger"],
    ["ask", null, [], "calm"],
    ["ask", "writes", [], "calm"],
    ["ask", "runs_code", [], "calm"],
    ["ask", "unknown", [], "calm"],
    ["ask", "outside", [], "warn"],
    ["ask", "network", [], "warn"],
    ["ask", "destructive", [], "warn"],
    ["ask", "runs_code", ["reads", "network"], "warn"],
    ["ask", "runs_code", ["writes", "runs_code"], "calm"],
  ] as [Recommendation, Class | null, Class[], string][])("%s, %s, %j: %s", (recommendation, kind, parts, grave) => {
    expect(gravenessOf(verdict(recommendation, kind, parts))).toBe(grave);
  });
});
