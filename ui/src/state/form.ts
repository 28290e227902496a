/**
 * Which fields of a question are asked, what is sent for them, and what the server would say to that. The same rules as
 * in the core, held against the same cases (`tests/fixtures/forms.json`): which fields are asked is seen at every key that
 * is hit.
 */
import type { Choice, Field, Format, Given, Problem, When } from "../bindings/api";
import { isSmall } from "./effort";

/** What is given for each field, by its key. A field that is skipped is not in it. */
export type Answer = Readonly<Record<string, Given>>;

function isIt(given: Given, value: Given): boolean {
  return Array.isArray(given) && typeof value === "string" ? given.includes(value) : same(given, value);
}

function same(one: Given, other: Given): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((item, at) => item === other[at]);
}

function given(answer: Answer, key: string): Given | undefined {
  return Object.hasOwn(answer, key) ? answer[key] : undefined;
}

/** A condition on a field without an answer does not hold, whichever way it asks. */
function holds(when: When, answer: Answer): boolean {
  const value = given(answer, when.key);
  return value !== undefined && isIt(value, when.value) === when.equal;
}

const isActive = (field: Field, answer: Answer) => field.when.every((when) => holds(when, answer));

function walk(fields: readonly Field[], answer: Answer): { active: Field[]; sent: Record<string, Given> } {
  const active: Field[] = [];
  const sent: Record<string, Given> = {};
  // Conditions only name earlier fields.
  for (const field of fields) {
    if (!isActive(field, sent)) continue;
    active.push(field);
    const value = given(answer, field.key) ?? (field.hidden ? field.default : null);
    if (value !== null) sent[field.key] = value;
  }
  return { active, sent };
}

/** The fields that are asked while this much is given, hidden ones among them. */
export const active = (fields: readonly Field[], answer: Answer): Field[] => walk(fields, answer).active;

/** What is to be sent: nothing for fields that are not asked, and the defaults of those that are hidden. */
export function complete(fields: readonly Field[], answer: Answer): Record<string, Given> {
  const strangers = Object.entries(answer).filter(([key]) => !fields.some((field) => field.key === key));
  return { ...walk(fields, answer).sent, ...Object.fromEntries(strangers) };
}

/** Everything that is wrong with an answer, in the server's words and in the order in which it looks. */
export function problems(fields: readonly Field[], answer: Answer): Problem[] {
  const strangers = Object.keys(answer)
    .filter((key) => !fields.some((field) => field.key === key))
    .map((key) => ({ field: key, message: `Unknown form field: ${key}` }));
  const wrong = fields.flatMap((field) => {
    const what = problem(field, answer);
    return what === null ? [] : [{ field: field.key, message: `${what}: ${field.key}` }];
  });
  return [...strangers, ...wrong];
}

const MISSING = "Missing required form field";

function problem(field: Field, answer: Answer): string | null {
  const value = given(answer, field.key);
  const { kind } = field;
  if (kind.kind === "external") return value === true ? null : "External form field must be acknowledged";
  const asked = isActive(field, answer);
  if (value === undefined) return field.required && asked ? MISSING : null;
  if (!asked) return "Form field is not active";
  switch (kind.kind) {
    case "text": {
      if (typeof value !== "string") return "Expected string for form field";
      if (field.required && value === "") return MISSING;
      if (kind.min_length !== null && value.length < kind.min_length) return "Form field is too short";
      if (kind.max_length !== null && value.length > kind.max_length) return "Form field is too long";
      if (kind.pattern !== null && !isFound(kind.pattern, value)) return "Form field does not match pattern";
      if (kind.format !== null && !FORMATS[kind.format].is(value)) {
        return `Expected ${FORMATS[kind.format].name} for form field`;
      }
      return offered(kind.custom ? null : kind.options, [value]);
    }
    case "number":
      if (typeof value !== "number") return "Expected number for form field";
      if (kind.whole && !Number.isInteger(value)) return "Expected integer for form field";
      if (kind.minimum !== null && value < kind.minimum) return "Form field is too small";
      if (kind.maximum !== null && value > kind.maximum) return "Form field is too large";
      return null;
    case "boolean":
      return typeof value === "boolean" ? null : "Expected boolean for form field";
    case "multiselect":
      if (!Array.isArray(value)) return "Expected string array for form field";
      if (field.required && value.length === 0) return MISSING;
      if (kind.min_items !== null && value.length < kind.min_items) return "Too few selections for form field";
      if (kind.max_items !== null && value.length > kind.max_items) return "Too many selections for form field";
      return offered(kind.custom ? null : kind.options, value);
    case "unknown":
      // Nobody knows what it takes. The server will say.
      return null;
  }
}

function offered(options: readonly Choice[] | null, values: readonly string[]): string | null {
  const isOffered = (value: string) => options?.some((option) => option.value === value) ?? true;
  return values.every(isOffered) ? null : "Invalid option for form field";
}

/** What can't be tried is the server's to judge. */
function isFound(pattern: string, text: string): boolean {
  try {
    return !isSmall(pattern, text) || new RegExp(pattern).test(text);
  } catch {
    return true;
  }
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined || month < 1 || month > 12) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const last = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day >= 1 && day <= last;
}

function isDateTime(text: string): boolean {
  const at = text.search(/[Tt ]/);
  return at >= 0 && isDate(text.slice(0, at)) && TIME.test(text.slice(at + 1));
}

/** In doubt a text passes: the server has the last word. */
const FORMATS: Record<Format, { name: string; is: (text: string) => boolean }> = {
  email: { name: "email", is: (text) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text) },
  uri: { name: "URI", is: (text) => /^[a-z][a-z0-9+.-]*:(?=\/*[^/])\S+$/i.test(text) },
  date: { name: "date", is: isDate },
  "date-time": { name: "date-time", is: isDateTime },
};
