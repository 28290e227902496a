/** What is typed into a question's fields, and what of it is given as an answer. */
import type { Field, Given, Question } from "../bindings/api";

/** What is typed into one field, whatever kind it is of. */
export interface Typed {
  /** The text or number; the own answer beside options, or several of them, one a line. */
  text: string;
  /** Values of the options that are chosen. Yes, no and done have values of their own. */
  chosen: string[];
  /** Whether the own answer counts, where one thing is to be chosen. */
  own: boolean;
  /** Left out of the answer by the user. */
  skipped: boolean;
}

export const YES = "yes";
export const NO = "no";
export const DONE = "done";

const EMPTY: Typed = { text: "", chosen: [], own: false, skipped: false };

/** What stands in a field before anything is typed. */
export function suggested({ kind, default: given }: Field): Typed {
  if (given === null) return { ...EMPTY };
  const values = (Array.isArray(given) ? given : [given]).map(String);
  switch (kind.kind) {
    case "text":
      if (!kind.options) return { ...EMPTY, text: values.join(" ") };
      if (kind.options.some(({ value }) => value === values[0])) return { ...EMPTY, chosen: values.slice(0, 1) };
      return kind.custom ? { ...EMPTY, text: values[0] ?? "", own: true } : { ...EMPTY };
    case "multiselect": {
      const offered = (value: string) => kind.options.some((option) => option.value === value);
      const own = kind.custom ? values.filter((value) => !offered(value)) : [];
      return { ...EMPTY, chosen: values.filter(offered), text: own.join("\n") };
    }
    case "number":
      return { ...EMPTY, text: values[0] ?? "" };
    case "boolean":
      return { ...EMPTY, chosen: typeof given === "boolean" ? [given ? YES : NO] : [] };
    case "external":
    case "unknown":
      return { ...EMPTY };
  }
}

/** A number as a person writes it, with a point or a comma; anything else stays a text, for the server to refuse. */
function numberOf(text: string): number | string {
  const typed = text.trim().replace(/^([-+]?\d+),(\d+)$/, "$1.$2");
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(typed) ? Number(typed) : text;
}

/** The own answers beside options, one a line. */
const linesOf = (text: string) => text.split("\n").filter((line) => line.trim() !== "");

/** What is given for a field; nothing if it is left out. */
export function givenOf({ kind }: Field, { text, chosen, own, skipped }: Typed): Given | undefined {
  if (skipped) return undefined;
  switch (kind.kind) {
    case "text":
      if (!kind.options) return text === "" ? undefined : text;
      if (own) return text.trim() === "" ? undefined : text;
      return chosen[0];
    case "number":
      return text.trim() === "" ? undefined : numberOf(text);
    case "boolean":
      return chosen.length ? chosen[0] === YES : undefined;
    case "multiselect": {
      const several = [...chosen, ...(kind.custom ? linesOf(text) : [])];
      return several.length ? several : undefined;
    }
    case "external":
      return chosen.length ? true : undefined;
    case "unknown":
      return undefined;
  }
}

export type Sheet = Record<string, Typed>;

/** What is given for every field that is not left out. Hidden fields are the backend's to fill. */
export function answerOf(fields: readonly Field[], sheet: Sheet): Record<string, Given> {
  const given: Record<string, Given> = {};
  for (const field of fields) {
    const typed = sheet[field.key];
    const value = field.hidden || !typed ? undefined : givenOf(field, typed);
    if (value !== undefined) given[field.key] = value;
  }
  return given;
}

function isTyped(value: unknown): value is Typed {
  const { text, chosen, own, skipped } = (value ?? {}) as Record<string, unknown>;
  const strings = Array.isArray(chosen) && chosen.every((one) => typeof one === "string");
  return typeof text === "string" && strings && typeof own === "boolean" && typeof skipped === "boolean";
}

/** The sheet that a draft kept; `null` if it holds none. */
function drafted(draft: string | null): Record<string, unknown> | null {
  try {
    const kept: unknown = JSON.parse(draft ?? "null");
    return typeof kept === "object" && kept !== null && !Array.isArray(kept) ? (kept as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** What stands in the fields when a question comes on screen: what was half typed, or else what is suggested. */
export function sheetOf({ fields, draft }: Question): { sheet: Sheet; isDraft: boolean } {
  const kept = drafted(draft);
  const sheet: Sheet = {};
  let isDraft = false;
  for (const field of fields) {
    const typed = kept && Object.hasOwn(kept, field.key) ? kept[field.key] : undefined;
    if (isTyped(typed)) isDraft = true;
    sheet[field.key] = isTyped(typed) ? { ...typed, chosen: [...typed.chosen] } : suggested(field);
  }
  return { sheet, isDraft };
}

/**
 * What was typed into `sheet` for fields that are asked again as they were, to the last word: whatever else has come to
 * be asked in their place is not what was answered.
 */
export function stillTyped(sheet: Sheet, before: readonly Field[], now: readonly Field[]): Sheet {
  const same = before.filter((field) => now.some((one) => JSON.stringify(one) === JSON.stringify(field)));
  return Object.fromEntries(
    same.flatMap((field) => {
      const typed = sheet[field.key];
      const changed = typed && JSON.stringify(typed) !== JSON.stringify(suggested(field));
      return changed ? [[field.key, { ...typed, chosen: [...typed.chosen] }]] : [];
    }),
  );
}

/** What was typed, in words to be copied. */
export function wordsOf(fields: readonly Field[], sheet: Sheet): string {
  return fields
    .flatMap((field) => {
      const typed = sheet[field.key];
      const given = typed && givenOf(field, typed);
      if (given === undefined || field.hidden) return [];
      const name = field.title ?? field.description ?? field.key;
      return [`${name}: ${Array.isArray(given) ? given.join(", ") : String(given)}`];
    })
    .join("\n");
}
