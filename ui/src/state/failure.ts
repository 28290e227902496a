import type { Code, Failure } from "../bindings/api";
import { text } from "../text";

const codes: readonly string[] = [
  "bad_url",
  "no_keychain",
  "bad_variable",
  "bad_model",
  "bad_key",
  "bad_pattern",
  "approval_gone",
  "not_changeable",
  "failed",
] satisfies Code[];

/** Whatever a call was rejected with, as a failure that can be shown. */
export function failureOf(thrown: unknown): Failure {
  if (typeof thrown === "object" && thrown !== null) {
    const { code, message, hint } = thrown as Record<string, unknown>;
    if (typeof message === "string") {
      return {
        code: typeof code === "string" && codes.includes(code) ? (code as Code) : "failed",
        message,
        hint: typeof hint === "string" ? hint : "",
      };
    }
  }
  return { code: "failed", message: typeof thrown === "string" && thrown ? thrown : text.app.unknown, hint: "" };
}

/** A message of the backend (lower case, no final stop, what the user typed in backticks) as a sentence. */
export function sentence(message: string): string {
  const quoted = text.tag === "ru" ? "«$1»" : "“$1”";
  const words = message
    .trim()
    .replace(/`([^`]*)`/g, quoted)
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  return words === "" || /[.!?…]$/.test(words) ? words : `${words}.`;
}

/** A failure as running text, for a place that has no room for two paragraphs. */
export function sentences({ message, hint }: Failure): string {
  return [sentence(message), sentence(hint)].filter(Boolean).join(" ");
}
