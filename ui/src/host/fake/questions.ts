/** Questions of agents, of every kind. */
import type { Choice, Field, FieldKind, Question } from "../../bindings/api";

const LOCAL = "http://127.0.0.1:4096";
let count = 0;

/** A field that asks for a text, unless said otherwise. */
export function field(key: string, change: Partial<Field> = {}): Field {
  return {
    key,
    title: null,
    description: null,
    required: false,
    hidden: false,
    when: [],
    default: null,
    kind: text(),
    ...change,
  };
}

type Of<K extends FieldKind["kind"]> = Extract<FieldKind, { kind: K }>;

export const text = (change: Partial<Of<"text">> = {}): FieldKind => ({
  kind: "text",
  format: null,
  min_length: null,
  max_length: null,
  pattern: null,
  placeholder: null,
  options: null,
  custom: true,
  ...change,
});

export const number = (change: Partial<Of<"number">> = {}): FieldKind => ({
  kind: "number",
  whole: false,
  minimum: null,
  maximum: null,
  ...change,
});

export const several = (options: Choice[], change: Partial<Of<"multiselect">> = {}): FieldKind => ({
  kind: "multiselect",
  options,
  min_items: null,
  max_items: null,
  custom: false,
  ...change,
});

export const choice = (label: string, description: string | null = null): Choice => ({
  value: label,
  label,
  description,
});

/** The answers that can be given with one click, as the core finds them. */
function quick(shown: Field[]): Question["quick"] {
  const [only] = shown;
  if (!only || shown.length > 1 || only.when.length) return [];
  if (only.kind.kind === "boolean") {
    return [
      { label: "Yes", answer: { [only.key]: true } },
      { label: "No", answer: { [only.key]: false } },
    ];
  }
  const options = only.kind.kind === "text" ? (only.kind.options ?? []) : [];
  return options.length > 3 ? [] : options.map(({ value, label }) => ({ label, answer: { [only.key]: value } }));
}

export function question(waited: number, fields: Field[], change: Partial<Question> = {}): Question {
  count += 1;
  const shown = fields.filter(({ hidden }) => !hidden);
  const first = shown[0]?.description ?? shown[0]?.title ?? "Questions";
  const more = shown.length - 1;
  return {
    key: { server: LOCAL, request: `que_${count}_${waited}` },
    server_name: "127.0.0.1:4096",
    online: true,
    title: "Questions",
    headline: more < 1 ? first : `${first} (and ${more} more question${more > 1 ? "s" : ""})`,
    fields,
    quick: quick(shown),
    deceptive: false,
    answerable: true,
    passes_reason: false,
    raw: "{}",
    project: "web-shop",
    directory: "/home/dev/web-shop",
    chain: [{ title: "Set up the checkout page", agent: "build" }],
    serves: "Set the checkout up, and ask before you choose anything that shows.",
    since: Date.now() - waited,
    phase: { phase: "waiting" },
    edition: 1,
    refused: null,
    draft: null,
    ...change,
  };
}

/** One question with three options: the notification has them as buttons. */
export const colour = (waited: number) =>
  question(waited, [
    field("q0", {
      title: "Button",
      description: "Which colour should the button have?",
      kind: text({
        options: [
          choice("Red", "As in the old shop"),
          choice("Green", "As on the posters"),
          choice("Blue", "As the links are"),
        ],
      }),
    }),
  ]);

/** Three questions at once, as the agents' own tool asks them. */
export const plan = (waited: number) =>
  question(waited, [
    field("q0", {
      title: "Database",
      description: "Where should the orders be kept?",
      kind: text({ options: [choice("PostgreSQL", "A server of its own"), choice("SQLite", "One file, no server")] }),
    }),
    field("q1", {
      title: "Features",
      description: "Which of these belong into the first release?",
      kind: several([choice("Guest checkout"), choice("Invoices", "As PDF"), choice("Coupons"), choice("Returns")], {
        custom: true,
      }),
    }),
    field("q2", {
      title: "Anything else",
      description: "Is there anything the plan misses?",
      kind: text({ placeholder: "A sentence will do" }),
    }),
  ]);

/** A form with every kind of field, conditions and bounds. */
export const form = (waited: number) =>
  question(
    waited,
    [
      field("name", {
        title: "Service",
        description: "What is the service called?",
        required: true,
        kind: text({
          pattern: "^[a-z][a-z0-9-]*$",
          min_length: 3,
          max_length: 20,
          placeholder: "for example api-server",
        }),
      }),
      field("contact", { title: "Contact", description: "Who gets the alarms?", kind: text({ format: "email" }) }),
      field("replicas", {
        title: "Replicas",
        description: "How many copies run at once?",
        default: 2,
        kind: number({ whole: true, minimum: 1, maximum: 9 }),
      }),
      field("budget", { description: "What may it cost a month, in euros?", kind: number({ minimum: 0 }) }),
      field("public", {
        title: "Public",
        description: "Can it be reached from the internet?",
        required: true,
        kind: { kind: "boolean" },
      }),
      field("domain", {
        title: "Domain",
        description: "Under which address?",
        required: true,
        when: [{ key: "public", equal: true, value: true }],
        kind: text({ format: "uri", placeholder: "https://" }),
      }),
      field("regions", {
        title: "Regions",
        description: "Where does it run?",
        required: true,
        kind: several(
          [
            { value: "eu-1", label: "Frankfurt", description: "The cheapest" },
            { value: "us-1", label: "Virginia", description: null },
            { value: "ap-1", label: "Singapore", description: null },
          ],
          { min_items: 1, max_items: 2 },
        ),
      }),
      field("since", { description: "From when on?", kind: text({ format: "date" }) }),
      field("origin", { hidden: true, default: "gavel" }),
      field("terms", {
        title: "Terms",
        description: "Accept the terms of the provider",
        kind: { kind: "external", url: "https://cloud.example.com/terms?project=web-shop", opens: true },
      }),
    ],
    { title: "Deploy a service", passes_reason: true },
  );

/** What Gavel does not know. */
export const unknown = (waited: number) =>
  question(
    waited,
    [
      field("sketch", {
        title: "Sketch",
        description: "Draw where the button goes",
        required: true,
        kind: { kind: "unknown", raw: '{\n  "type": "drawing",\n  "width": 400\n}' },
      }),
    ],
    { title: "Layout", answerable: false, passes_reason: true },
  );

export const questions = () => [colour(95_000), plan(31_000)];
