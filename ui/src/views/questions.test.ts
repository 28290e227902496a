import { screen, waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import type { Field, Question } from "../bindings/api";
import { choice, colour, field, form, number, plan, question, several, text, unknown } from "../host/fake/questions";
import { request } from "../host/fake/requests";
import { scenes } from "../host/fake/scenes";
import { DRAFTED_AFTER } from "../state/filling.svelte";
import { GUARD } from "../state/inbox.svelte";
import { stage } from "../test/stage";

const asking = (...questions: Question[]) => stage({ ...scenes.empty(), questions });
const card = () => within(screen.getByRole("article"));
const rows = () => within(screen.getByRole("list", { name: "Waiting requests" })).getAllByRole("button");
const send = () => card().getByRole("button", { name: /^Send the answer/ });

/** A question with one field of a kind. */
const one = (kind: Field["kind"], change: Partial<Field> = {}) =>
  question(9_000, [field("f", { description: "What is it?", kind, ...change })]);
const sent = (staged: Awaited<ReturnType<typeof asking>>) =>
  staged.calls("answer_question").map(({ answer }) => answer);

describe("a question", () => {
  it("waits among the requests, longest waiting first", async () => {
    await stage({ ...scenes.empty(), requests: [request(50_000), request(1_000)], questions: [colour(9_000)] });
    expect(rows().map((row) => row.textContent?.includes("Question:"))).toEqual([false, true, false]);
    expect(screen.getByText("3 waiting")).toBeTruthy();
  });

  it("says what is asked, where, by whom and since when", async () => {
    await asking(colour(95_000));
    expect(card().getByRole("heading", { name: /Question: Button/ })).toBeTruthy();
    expect(card().getByRole("group", { name: /Which colour should the button have/ })).toBeTruthy();
    expect(card().getByText("/home/dev/web-shop")).toBeTruthy();
    expect(card().getByText("Set up the checkout page")).toBeTruthy();
    expect(card().getByText("waiting 1 min")).toBeTruthy();
  });

  it("is announced as one", async () => {
    const { host } = await asking();
    host.ask(colour(0));
    expect(await screen.findByText("New question: Which colour should the button have?, in web-shop")).toBeTruthy();
  });

  it("can't be answered right after it slid in by itself", async () => {
    const staged = await asking(colour(9_000), plan(5_000));
    const [first, second] = staged.host.snapshot.questions;
    staged.host.settleQuestion((first as Question).key, { by: "cancelled_elsewhere" });
    await staged.user.keyboard("1");
    expect(card().getByText(/changed just now/)).toBeTruthy();
    staged.pass(GUARD);
    await staged.user.keyboard("2");
    await staged.user.click(send());
    expect(staged.calls("answer_question")).toMatchObject([{ key: second?.key, answer: { q0: "SQLite" }, edition: 1 }]);
  });
});

describe("the kinds of fields", () => {
  it("one of several: chosen by a digit, sent by Enter", async () => {
    const staged = await asking(colour(9_000));
    await staged.user.keyboard("2");
    expect(card().getByRole<HTMLInputElement>("radio", { name: /Green/ }).checked).toBe(true);
    card().getByRole("radio", { name: /Green/ }).focus();
    await staged.user.keyboard("{Enter}");
    expect(sent(staged)).toEqual([{ q0: "Green" }]);
  });

  it("one of several: by keyboard alone, from the list and back", async () => {
    const staged = await asking(colour(9_000));
    rows()[0]?.focus();
    await staged.user.keyboard("{Enter}");
    expect(document.activeElement).toBe(card().getByRole("radio", { name: /Red/ }));
    await staged.user.keyboard("3{Escape}");
    expect(document.activeElement).toBe(screen.getByRole("article"));
    await staged.user.keyboard("{Escape}");
    expect(document.activeElement).toBe(rows()[0]);
    await staged.user.keyboard("{Enter}");
    expect(document.activeElement).toBe(card().getByRole("radio", { name: /Blue/ }));
    await staged.user.keyboard("{Enter}");
    expect(sent(staged)).toEqual([{ q0: "Blue" }]);
  });

  it("one of several, with what each means", async () => {
    await asking(colour(9_000));
    const red = card().getByRole("radio", { name: /Red/ });
    const means = red.getAttribute("aria-describedby")?.split(" ")[0] ?? "";
    expect(document.getElementById(means)?.textContent).toBe("As in the old shop");
  });

  it("one of several, or an answer of one's own", async () => {
    const staged = await asking(colour(9_000));
    await staged.user.keyboard("1");
    await staged.user.type(card().getByRole("textbox", { name: "Another answer" }), "Orange, 2 shades{Enter}");
    expect(sent(staged)).toEqual([{ q0: "Orange, 2 shades" }]);
  });

  it("one of several and nothing else, where no other answer is taken", async () => {
    await asking(one(text({ options: [choice("a"), choice("b")], custom: false })));
    expect(card().queryByRole("textbox")).toBeNull();
  });

  it("sends the value of an option, not what it is called", async () => {
    const staged = await asking(one(text({ options: [{ value: "de-1", label: "Frankfurt", description: null }] })));
    await staged.user.click(card().getByRole("radio", { name: /Frankfurt/ }));
    await staged.user.click(send());
    expect(sent(staged)).toEqual([{ f: "de-1" }]);
  });

  it("many of several, and own ones, one a line", async () => {
    const staged = await asking(one(several([choice("a"), choice("b"), choice("c")], { custom: true })));
    await staged.user.keyboard("3");
    await staged.user.keyboard("1");
    await staged.user.keyboard("2");
    await staged.user.keyboard("2");
    await staged.user.type(card().getByLabelText("Other answers, one a line"), "d, e{Enter}{Enter}f");
    await staged.user.click(send());
    expect(sent(staged)).toEqual([{ f: ["a", "c", "d, e", "f"] }]);
  });

  it("many of several, with bounds, in the server's words", async () => {
    const staged = await asking(one(several([choice("a"), choice("b"), choice("c")], { min_items: 2, max_items: 2 })));
    expect(card().getByText("2 answers.")).toBeTruthy();
    await staged.user.keyboard("1");
    await staged.user.click(send());
    expect(await card().findByText("Too few selections for form field: f")).toBeTruthy();
    await staged.user.keyboard("2");
    await waitFor(() => expect(card().queryByText(/Too few/)).toBeNull());
    await staged.user.click(card().getByRole("checkbox", { name: /^c/ }));
    expect(await card().findByText("Too many selections for form field: f")).toBeTruthy();
  });

  it.each([
    ["2", 2],
    ["-1,5", -1.5],
    ["1e3", 1_000],
  ])("a number: %s", async (typed, given) => {
    const staged = await asking(one(number()));
    await staged.user.type(card().getByRole("textbox", { name: "What is it?" }), `${typed}{Enter}`);
    expect(sent(staged)).toEqual([{ f: given }]);
  });

  it.each([
    [number(), "two", "Expected number for form field: f"],
    [number({ whole: true }), "1.5", "Expected integer for form field: f"],
    [number({ minimum: 3 }), "2", "Form field is too small: f"],
    [number({ maximum: 3 }), "4", "Form field is too large: f"],
    [text({ min_length: 3 }), "ab", "Form field is too short: f"],
    [text({ max_length: 3 }), "abcd", "Form field is too long: f"],
    [text({ pattern: "^[a-z]+$" }), "A1", "Form field does not match pattern: f"],
    [text({ format: "email" }), "nobody", "Expected email for form field: f"],
    [text({ format: "uri" }), "example", "Expected URI for form field: f"],
    [text({ format: "date" }), "2026-02-30", "Expected date for form field: f"],
    [text({ format: "date-time" }), "2026-11-30", "Expected date-time for form field: f"],
  ] as const)("%j refuses %s", async (kind, typed, words) => {
    const staged = await asking(one(kind));
    const input = card().getByRole("textbox", { name: "What is it?" });
    await staged.user.type(input, typed);
    expect(card().queryByText(words)).toBeNull();
    await staged.user.tab();
    const problem = await card().findByText(words);
    expect(input.getAttribute("aria-invalid")).toBe("true");
    expect(input.getAttribute("aria-describedby")?.split(" ")).toContain(problem.id);
    await staged.user.click(send());
    await waitFor(() => expect(document.activeElement).toBe(input));
    expect(staged.host.snapshot.questions[0]?.phase.phase).toBe("waiting");
  });

  it.each([
    ["1", true],
    ["2", false],
  ])("yes or no: %s", async (digit, given) => {
    const staged = await asking(one({ kind: "boolean" }));
    expect(
      card()
        .getAllByRole<HTMLInputElement>("radio")
        .some(({ checked }) => checked),
    ).toBe(false);
    await staged.user.keyboard(digit);
    await staged.user.click(send());
    expect(sent(staged)).toEqual([{ f: given }]);
  });

  it("a long text: Enter begins a line, Ctrl+Enter sends", async () => {
    const staged = await asking(one(text()));
    await staged.user.type(card().getByRole("textbox"), "one{Enter}two");
    expect(sent(staged)).toEqual([]);
    await staged.user.keyboard("{Control>}{Enter}{/Control}");
    expect(sent(staged)).toEqual([{ f: "one\ntwo" }]);
  });

  it("something to be done elsewhere: the whole address, opened by a click only", async () => {
    const url = "https://example.com/a?b=⟨U+202E⟩c";
    const staged = await asking(one({ kind: "external", url, opens: true }));
    expect(card().queryByRole("link")).toBeNull();
    expect(card().getByText(/example\.com/).textContent).toContain("b=⟨U+202E⟩c");
    expect(staged.calls("open_link")).toEqual([]);
    await staged.user.click(card().getByRole("button", { name: "Open in the browser" }));
    expect(staged.calls("open_link")).toMatchObject([{ field: "f" }]);
    await staged.user.click(send());
    expect(sent(staged)).toEqual([]);
    await staged.user.click(card().getByLabelText("I have done that"));
    await staged.user.click(send());
    expect(sent(staged)).toEqual([{ f: true }]);
  });

  it("something to be done at an address that is not opened", async () => {
    await asking(one({ kind: "external", url: "file:///etc/passwd", opens: false }));
    expect(card().getByText("file:///etc/passwd")).toBeTruthy();
    expect(card().queryByRole("button", { name: "Open in the browser" })).toBeNull();
    expect(card().getByText(/only http and https/)).toBeTruthy();
  });

  it("a kind that is not known: shown as it came, and cancelled", async () => {
    const staged = await asking(unknown(9_000));
    expect(card().getByText(/"type": "drawing"/)).toBeTruthy();
    expect(card().queryByRole("button", { name: /^Send/ })).toBeNull();
    await staged.user.keyboard("d");
    await staged.user.type(card().getByRole("textbox"), "No pen here.{Enter}");
    expect(staged.calls("cancel_question").map(({ reason }) => reason)).toEqual(["No pen here."]);
  });
});

describe("several fields at once", () => {
  it("are all sent, without those that are hidden, skipped or empty", async () => {
    const staged = await asking(plan(9_000));
    await staged.user.keyboard("1");
    await staged.user.keyboard("2");
    await staged.user.click(card().getByRole("button", { name: "Skip: Where should the orders be kept?" }));
    await staged.user.click(send());
    expect(sent(staged)).toEqual([{ q1: ["Invoices"] }]);
  });

  it("are answered after all when they were skipped", async () => {
    const staged = await asking(plan(9_000));
    await staged.user.keyboard("1");
    await staged.user.click(card().getByRole("button", { name: "Skip: Where should the orders be kept?" }));
    await staged.user.click(card().getByRole("button", { name: /^Answer it after all: Where/ }));
    expect(card().getByRole<HTMLInputElement>("radio", { name: /PostgreSQL/ }).checked).toBe(true);
  });

  it("appear and vanish as others are answered", async () => {
    const staged = await asking(form(9_000));
    const domain = () => card().queryByRole("textbox", { name: "Under which address?" });
    expect(domain()).toBeNull();
    await staged.user.click(card().getByRole("radio", { name: /^Yes/ }));
    await staged.user.type(domain() as HTMLElement, "https://example.com");
    await staged.user.click(card().getByRole("radio", { name: /^No/ }));
    expect(domain()).toBeNull();
    await staged.user.click(card().getByRole("radio", { name: /^Yes/ }));
    expect(domain()).toHaveProperty("value", "https://example.com");
  });

  it("begin with what is suggested", async () => {
    await asking(form(9_000));
    expect(card().getByRole("textbox", { name: "How many copies run at once?" })).toHaveProperty("value", "2");
    expect(card().queryByText("gavel")).toBeNull();
  });

  it("are looked at before they are sent, and the first that is wrong is gone to", async () => {
    const staged = await asking(form(9_000));
    await staged.user.click(send());
    expect(await card().findByText("Missing required form field: name")).toBeTruthy();
    expect(card().getByText("Missing required form field: public")).toBeTruthy();
    expect(document.activeElement).toBe(card().getByRole("textbox", { name: "What is the service called?" }));
    expect(staged.host.snapshot.questions[0]?.phase.phase).toBe("waiting");
    expect(send().getAttribute("aria-disabled")).toBe("false");
  });

  it("say at its field what the server refused, until that is changed", async () => {
    const refused = { field: "q2", message: "Form field is too dull: q2" };
    const staged = await asking({ ...plan(9_000), refused });
    const problem = card().getByText("Form field is too dull: q2");
    const group = card().getByRole("group", { name: /Is there anything the plan misses/ });
    expect(group.contains(problem)).toBe(true);
    await staged.user.type(within(group).getByRole("textbox"), "x");
    expect(card().queryByText(/too dull/)).toBeNull();
  });

  it("say beside the buttons what the server refused of none of them", async () => {
    await asking({ ...plan(9_000), refused: { field: null, message: "Form is closed" } });
    expect(card().getByText("The server did not take this answer:")).toBeTruthy();
    expect(card().getByText("Form is closed")).toBeTruthy();
  });

  it("send nothing while nothing is answered", async () => {
    const staged = await asking(plan(9_000));
    await staged.user.click(send());
    expect(card().getByText(/Nothing is answered yet/)).toBeTruthy();
    expect(sent(staged)).toEqual([]);
  });
});

describe("cancelling", () => {
  it("takes a reason where the agent is told", async () => {
    const staged = await asking(form(9_000));
    await staged.user.keyboard("d");
    expect(document.activeElement).toBe(card().getByLabelText(/The agent reads this and goes on/));
    await staged.user.keyboard("{Enter}");
    expect(staged.calls("cancel_question").map(({ reason }) => reason)).toEqual([null]);
  });

  it("asks for none where nobody would be told, and can be left", async () => {
    const staged = await asking(colour(9_000));
    await staged.user.keyboard("d");
    expect(card().getByText(/passes no reason on/)).toBeTruthy();
    await staged.user.keyboard("{Escape}");
    expect(staged.calls("cancel_question")).toEqual([]);
    await staged.user.keyboard("d{Enter}");
    expect(staged.calls("cancel_question").map(({ reason }) => reason)).toEqual([null]);
  });
});

describe("what is half typed", () => {
  it("is kept once typing pauses, and comes back with the window", async () => {
    const staged = await asking(plan(9_000));
    await staged.user.type(card().getByRole("textbox", { name: /anything the plan misses/ }), "Tests");
    await waitFor(() => expect(staged.calls("keep_draft")).toHaveLength(1), { timeout: DRAFTED_AFTER * 10 });
    const kept = staged.host.snapshot.questions[0] as Question;
    document.body.replaceChildren();
    const again = await asking(kept);
    expect(card().getByRole("textbox", { name: /anything the plan misses/ })).toHaveProperty("value", "Tests");
    await again.user.click(send());
    expect(sent(again)).toEqual([{ q2: "Tests" }]);
  });

  it("stays where the same is asked again beside something else, and nowhere else", async () => {
    const one = form(9_000);
    const staged = await asking(one);
    await staged.user.type(card().getByRole("textbox", { name: "Who gets the alarms?" }), "ops@example.com");
    await staged.user.type(card().getByRole("textbox", { name: "What is the service called?" }), "shop");
    const fields = one.fields.map((field) =>
      field.description === "What is the service called?" ? { ...field, description: "What was it called?" } : field,
    );
    staged.host.publish({ questions: [{ ...one, fields, edition: one.edition + 1 }] });
    await waitFor(() => expect(card().getByRole("textbox", { name: "What was it called?" })).toBeTruthy());
    expect(card().getByRole("textbox", { name: "Who gets the alarms?" })).toHaveProperty("value", "ops@example.com");
    expect(card().getByRole("textbox", { name: "What was it called?" })).toHaveProperty("value", "");
  });

  it("says that it is not kept, until it is", async () => {
    const staged = await asking(plan(9_000));
    staged.host.refusals.set("keep_draft", { code: "failed", message: "the disk is full", hint: "" });
    const field = card().getByRole("textbox", { name: /anything the plan misses/ });
    await staged.user.type(field, "Tests");
    expect(await card().findByText("The disk is full.", undefined, { timeout: DRAFTED_AFTER * 10 })).toBeTruthy();
    expect(card().getByText(/is not being kept/)).toBeTruthy();
    staged.host.refusals.clear();
    await staged.user.type(field, "!");
    await waitFor(() => expect(card().queryByText(/is not being kept/)).toBeNull(), { timeout: DRAFTED_AFTER * 10 });
  });

  it("says whose words it serves", async () => {
    await asking({ ...plan(9_000), serves: "Plan the move" });
    expect(card().getByText("You asked for").nextElementSibling?.textContent).toContain("Plan the move");
  });

  it.each(["nonsense", "[]", "null", '{"q0":{"text":1}}', '{"__proto__":{}}'])(
    "is not taken from %s",
    async (draft) => {
      await asking({ ...colour(9_000), draft });
      expect(card().getByRole("textbox", { name: "Another answer" })).toHaveProperty("value", "");
    },
  );

  it("stays with its question while others are looked at", async () => {
    const staged = await asking(colour(9_000), plan(5_000));
    await staged.user.type(card().getByRole("textbox", { name: "Another answer" }), "Orange");
    await staged.user.keyboard("{Escape}j");
    expect(card().queryByDisplayValue("Orange")).toBeNull();
    await staged.user.keyboard("k");
    expect(card().getByDisplayValue("Orange")).toBeTruthy();
  });

  it("stays on screen when the question is settled elsewhere, and can be copied", async () => {
    const staged = await asking(colour(9_000), plan(5_000));
    const { key } = staged.host.snapshot.questions[0] as Question;
    await staged.user.type(card().getByRole("textbox", { name: "Another answer" }), "Orange");
    staged.host.settleQuestion(key, { by: "answered_elsewhere", answers: [] });
    expect(await card().findByText(/settled elsewhere while you were answering/)).toBeTruthy();
    expect(card().getByDisplayValue("Orange")).toHaveProperty("readOnly", true);
    await staged.user.keyboard("{Enter}");
    expect(sent(staged)).toEqual([]);
    await staged.user.click(card().getByRole("button", { name: "Copy what I typed" }));
    expect(await navigator.clipboard.readText()).toBe("Button: Orange");
    await staged.user.click(card().getByRole("button", { name: "Go on" }));
    expect(card().getByRole("heading", { name: /3 questions/ })).toBeTruthy();
  });

  it("holds nothing up when nothing was typed", async () => {
    const staged = await asking(colour(9_000), plan(5_000));
    staged.host.settleQuestion((staged.host.snapshot.questions[0] as Question).key, { by: "cancelled_elsewhere" });
    await waitFor(() => expect(card().getByRole("heading", { name: /3 questions/ })).toBeTruthy());
  });
});

describe("an answer", () => {
  it("that could not be delivered is sent again", async () => {
    const response = { response: "answer", answer: { q0: "Red" } } as const;
    const staged = await asking({ ...colour(9_000), phase: { phase: "undelivered", response, why: "no route" } });
    expect(card().getByText("Your answer could not be delivered: no route.")).toBeTruthy();
    await staged.user.keyboard("r");
    expect(staged.calls("retry")).toHaveLength(1);
  });

  it("is not given twice", async () => {
    const staged = await asking(colour(9_000));
    await staged.user.keyboard("1");
    await staged.user.click(send());
    expect(card().getByText("Sending the answer …")).toBeTruthy();
    await staged.user.click(send());
    await staged.user.keyboard("2d");
    expect(sent(staged)).toHaveLength(1);
    expect(staged.calls("cancel_question")).toEqual([]);
  });

  it("to a question is never given by the keys that answer requests", async () => {
    const staged = await asking(colour(9_000));
    await staged.user.keyboard("1asg");
    expect(staged.host.calls.filter(({ call }) => !["snapshot", "check_answer"].includes(call))).toEqual([]);
  });

  it("whose question is gone says so", async () => {
    const staged = await asking(colour(9_000));
    staged.host.refusals.set("answer_question", { code: "question_gone", message: "It is gone.", hint: "" });
    await staged.user.keyboard("1");
    await staged.user.click(send());
    expect(await card().findByText("It is gone.")).toBeTruthy();
  });
});
