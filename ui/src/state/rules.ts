/** Session rules as texts that can be copied: line by line, and as the configuration of either OpenCode. */
import type { Effect, Rule } from "../bindings/api";

/** `action resource effect`, a rule a line. */
export function asLines(rules: readonly Rule[]): string {
  return rules.map(({ action, resource, effect }) => `${action} ${resource} ${effect}`).join("\n");
}

/** The configuration of OpenCode 2: rules in their order. */
export function asPermissions(rules: readonly Rule[]): string {
  const line = ({ action, resource, effect }: Rule) =>
    `    { "action": ${JSON.stringify(action)}, "resource": ${JSON.stringify(resource)}, "effect": "${effect}" }`;
  return `{\n  "permissions": [${rules.length ? `\n${rules.map(line).join(",\n")}\n  ` : ""}]\n}`;
}

/** What OpenCode 1 calls otherwise. */
const OLDER: ReadonlyMap<string, string> = new Map([
  ["shell", "bash"],
  ["subagent", "task"],
]);

/** Words that in OpenCode 1 are one of its own tools, or a part of one, and in OpenCode 2 somebody else's. */
const TAKEN: ReadonlySet<string> = new Set(["bash", "task", "write", "patch", "multiedit"]);

/** What OpenCode 1 takes an effect for only, without patterns. */
const WHOLE: ReadonlySet<string> = new Set([
  "webfetch",
  "websearch",
  "codesearch",
  "question",
  "todowrite",
  "doom_loop",
]);

/**
 * The configuration of OpenCode 1: an object by action. `null` where it could not say the same: there patterns are held
 * together by action, so a rule for several actions can only come first.
 */
export function asPermission(rules: readonly Rule[]): string | null {
  const byAction = new Map<string, Map<string, Effect>>();
  for (const { action, resource, effect } of rules) {
    const word = OLDER.get(action) ?? action;
    const isWide = /[*?]/.test(action);
    if (TAKEN.has(action) || (isWide && (action !== "*" || [...byAction.keys()].some((known) => known !== "*")))) {
      return null;
    }
    if (isOutOfOrder(word) || isOutOfOrder(resource)) return null;
    const patterns = byAction.get(word) ?? new Map<string, Effect>();
    // The last one counts, so one that is said again moves to the end; one for everything makes the earlier ones idle.
    if (resource === "*") patterns.clear();
    patterns.delete(resource);
    byAction.set(word, patterns.set(resource, effect));
  }
  const members: string[] = [];
  for (const [word, patterns] of byAction) {
    const only = patterns.size === 1 ? patterns.get("*") : undefined;
    if (!only && WHOLE.has(word)) return null;
    members.push(`    ${JSON.stringify(word)}: ${only ? `"${only}"` : nested(patterns)}`);
  }
  return `{\n  "permission": {${members.length ? `\n${members.join(",\n")}\n  ` : ""}}\n}`;
}

/** Keys that a reader of JSON doesn't keep in their place. */
function isOutOfOrder(key: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(key) || key === "__proto__";
}

function nested(patterns: ReadonlyMap<string, Effect>): string {
  const line = ([pattern, effect]: [string, Effect]) => `      ${JSON.stringify(pattern)}: "${effect}"`;
  return `{\n${[...patterns].map(line).join(",\n")}\n    }`;
}
