import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import type { Field, FieldKind, Given } from "../bindings/api";
import { active, complete, problems } from "./form";

interface Wire {
  key: string;
  type: string;
  required?: boolean;
  hidden?: boolean;
  default?: Given;
  when?: { key: string; op: string; value: Given }[];
  [key: string]: unknown;
}

interface Case {
  given?: Record<string, Given>;
  answer?: Record<string, Given>;
  asks?: string[];
  sends?: Record<string, Given>;
  says: string[];
}

/** The cases that the core and the stand-in are held against as well. */
const { forms } = JSON.parse(readFileSync("../tests/fixtures/forms.json", "utf8")) as {
  forms: { name: string; fields: Wire[]; cases: Case[] }[];
};

const numeric = (value: unknown) => (typeof value === "number" ? value : null);

function kind(wire: Wire): FieldKind {
  const options = (wire["options"] as { value: string; label: string }[] | undefined)?.map((option) => ({
    description: null,
    ...option,
  }));
  const custom = wire["custom"] === true;
  switch (wire.type) {
    case "string":
      return {
        kind: "text",
        format: (wire["format"] ?? null) as "email" | null,
        min_length: numeric(wire["minLength"]),
        max_length: numeric(wire["maxLength"]),
        pattern: (wire["pattern"] ?? null) as string | null,
        placeholder: null,
        options: options ?? null,
        custom,
      };
    case "number":
    case "integer":
      return {
        kind: "number",
        whole: wire.type === "integer",
        minimum: numeric(wire["minimum"]),
        maximum: numeric(wire["maximum"]),
      };
    case "boolean":
      return { kind: "boolean" };
    case "multiselect":
      return {
        kind: "multiselect",
        options: options ?? [],
        min_items: numeric(wire["minItems"]),
        max_items: numeric(wire["maxItems"]),
        custom,
      };
    default:
      return { kind: "external", url: String(wire["url"]), opens: true };
  }
}

const field = (wire: Wire): Field => ({
  key: wire.key,
  title: null,
  description: null,
  required: wire.required ?? false,
  hidden: wire.hidden ?? false,
  when: (wire.when ?? []).map(({ key, op, value }) => ({ key, equal: op === "eq", value })),
  default: wire.default ?? null,
  kind: kind(wire),
});

describe.each(forms)("$name", ({ fields: wires, cases }) => {
  const fields = wires.map(field);

  it.each(cases)("%j", ({ given, answer, asks, sends, says }) => {
    const sent = answer ?? complete(fields, given ?? {});
    expect(problems(fields, sent).map(({ message }) => message)).toEqual(says);
    if (sends) expect(sent).toEqual(sends);
    if (asks) expect(active(fields, given ?? {}).map(({ key }) => key)).toEqual(asks);
  });
});

describe("what nobody knows", () => {
  it("is left to the server", () => {
    const strange = field({ key: "x", type: "string", pattern: "(" });
    expect(problems([strange], { x: "anything" })).toEqual([]);
    expect(problems([{ ...strange, kind: { kind: "unknown", raw: "{}" } }], { x: "anything" })).toEqual([]);
    expect(active([field({ key: "constructor", type: "string" })], {})).toHaveLength(1);
    expect(complete([field({ key: "constructor", type: "string" })], {})).toEqual({});
  });
});
