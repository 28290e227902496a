import { screen, waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import type { JudgeRow } from "../bindings/api";
import { judging, nobody, itself } from "../host/fake/judge";
import { scenes } from "../host/fake/scenes";
import { stage, to } from "../test/stage";

async function opened(judge: JudgeRow = nobody(), change = {}) {
  const staged = await stage({ ...scenes.empty(), judge, ...change });
  await staged.user.keyboard(to("judge"));
  expect(screen.getByRole("heading", { level: 1, name: "Judge" })).toBeTruthy();
  const choices = () => staged.calls("set_judge").map((call) => call.choice);
  return { ...staged, choices };
}

const form = () => within(screen.getByRole("form", { name: "Who judges" }));
const state = () => screen.getByRole("region", { name: "How it does" });
const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label);
const error = (input: HTMLElement) => document.getElementById(input.getAttribute("aria-describedby") ?? "");

describe("who judges", () => {
  it("is the session’s own model until somebody chooses, and that is said with what it takes", async () => {
    const { user, choices } = await opened(itself());
    expect(field("The session’s own model").checked).toBe(true);
    expect(form().getByText(/You have not chosen yet.*Off included/)).toBeTruthy();
    expect(state().textContent).toMatch(/You have chosen no judge/);
    await user.click(form().getByRole("button", { name: "Save" }));
    expect(choices().map(({ who }) => who)).toEqual(["session_model"]);
    await waitFor(() => expect(screen.queryByText(/You have not chosen yet/)).toBeNull());
    expect(state().textContent).toMatch(/Each session is judged by the model that works in it/);
  });

  it("is told where it is met, and leads to where it is turned off", async () => {
    const { user } = await stage(scenes.unchosen());
    const told = screen.getByText(/This is the session’s own model, as you have chosen no judge/);
    await user.click(within(told).getByRole("button", { name: "Judge" }));
    await user.click(field("Off"));
    await user.click(form().getByRole("button", { name: "Save" }));
    await waitFor(() => expect(state().textContent).toMatch(/Nobody judges/));
    await user.keyboard(to("inbox"));
    expect(screen.queryByText(/This is the session’s own model/)).toBeNull();
  });

  it("is nobody where that is chosen, and that is said", async () => {
    await opened();
    expect(field("Off").checked).toBe(true);
    expect(state().textContent).toMatch(/Nobody judges: you answer everything/);
    expect(screen.queryByLabelText("Model")).toBeNull();
    expect(screen.queryByRole("region", { name: "Try it" })).toBeNull();
  });

  it("changes when it is saved, and not before", async () => {
    const { user, choices } = await opened();
    await user.click(field("The session’s own model"));
    expect(choices()).toEqual([]);
    expect(form().getByText("Not saved yet.")).toBeTruthy();
    await user.click(form().getByRole("button", { name: "Save" }));
    expect(choices().map(({ who }) => who)).toEqual(["session_model"]);
    expect(await form().findByText("Saved.")).toBeTruthy();
    expect(state().textContent).toMatch(/Each session is judged by the model that works in it/);
    expect(screen.getByRole("region", { name: "Try it" }).textContent).toMatch(
      /model of a session that works is asked/,
    );
  });

  it("is a model of the user’s choice: a preset fills in, the key goes first and is shown nowhere", async () => {
    const { host, user, choices } = await opened();
    await user.click(field("A model of your choice"));
    await user.click(form().getByRole("button", { name: "Groq" }));
    expect(field("Address").value).toBe("https://api.groq.com/openai/v1");
    expect(document.activeElement).toBe(field("Model"));
    await user.type(field("Model"), " small ");
    await user.type(field("Key"), "gsk-secret{Enter}");
    const made = host.calls.map(({ call }) => call).filter((call) => call.includes("judge"));
    expect(made).toEqual(["keep_judge_key", "set_judge"]);
    expect(choices()).toEqual([
      {
        ...nobody().choice,
        who: "endpoint",
        base_url: "https://api.groq.com/openai/v1",
        model: "small",
        key: { from: "keychain" },
      },
    ]);
    await waitFor(() => expect(field("Key").value).toBe(""));
    expect(state().textContent).toMatch(/small at https:\/\/api\.groq\.com\/openai\/v1 judges/);
    expect(document.body.innerHTML).not.toContain("gsk-secret");
  });

  it("needs no key on this machine", async () => {
    const { user, choices } = await opened();
    await user.click(field("A model of your choice"));
    await user.click(form().getByRole("button", { name: "Ollama on this machine" }));
    await user.type(field("Model"), "qwen3{Enter}");
    expect(choices()[0]).toMatchObject({ base_url: "http://127.0.0.1:11434/v1", key: { from: "nowhere" } });
  });

  it("never hands the variable of one vendor to another", async () => {
    const row = judging();
    const key = { from: "variable", name: "OPENROUTER_API_KEY" } as const;
    const { user, choices } = await opened({ ...row, choice: { ...row.choice, key } });
    await user.click(form().getByRole("button", { name: "OpenAI" }));
    expect(field("Name of the variable").value).toBe("OPENAI_API_KEY");
    await user.type(field("Model"), "{Enter}");
    expect(choices()[0]).toMatchObject({
      base_url: "https://api.openai.com/v1",
      key: { from: "variable", name: "OPENAI_API_KEY" },
    });
  });

  it.each([
    ["Address", "models.example", /is no address/],
    ["Model", "", /needs the name of a model/],
  ])("shows what is wrong at its field: %s", async (label, typed, words) => {
    const { user } = await opened(judging());
    await user.clear(field(label));
    if (typed) await user.type(field(label), typed);
    await user.click(form().getByRole("button", { name: "Save" }));
    await waitFor(() => expect(field(label).getAttribute("aria-invalid")).toBe("true"));
    expect(error(field(label))?.textContent).toMatch(words);
    expect(document.activeElement).toBe(field(label));
  });

  it("keeps a key that can’t be one nowhere, and says so at its field", async () => {
    const { user, choices } = await opened(judging());
    await user.type(field("Key"), "two words{Enter}");
    await waitFor(() => expect(error(field("Key"))?.textContent).toMatch(/That is no key/));
    expect(choices()).toEqual([]);
  });

  it("takes a variable where there is no keychain", async () => {
    const keychain = { available: false, problem: "no secret service answers" };
    const { user, choices } = await opened(nobody(), { keychain });
    await user.click(field("A model of your choice"));
    expect(screen.getByText("No secret service answers.")).toBeTruthy();
    expect(screen.queryByLabelText("Keychain")).toBeNull();
    await user.type(field("Model"), "small");
    await user.type(field("Name of the variable"), "$KEY{Enter}");
    await waitFor(() => expect(field("Name of the variable").getAttribute("aria-invalid")).toBe("true"));
    await user.clear(field("Name of the variable"));
    await user.type(field("Name of the variable"), "KEY{Enter}");
    expect(choices().at(-1)?.key).toEqual({ from: "variable", name: "KEY" });
  });

  it("can be turned off whatever was begun for another", async () => {
    const { user, choices } = await opened(judging());
    await user.clear(field("Model"));
    await user.click(field("Environment variable"));
    await user.click(field("Off"));
    await user.click(form().getByRole("button", { name: "Save" }));
    expect(choices()).toEqual([{ ...judging().choice, who: "off" }]);
    expect(await form().findByText("Saved.")).toBeTruthy();
  });

  it("warns of an address that others can listen to", async () => {
    const { user } = await opened(judging());
    expect(screen.queryByText(/can be read on its way/)).toBeNull();
    await user.clear(field("Address"));
    await user.type(field("Address"), "http://192.168.1.5:11434/v1");
    expect(screen.getByText(/can be read on its way/)).toBeTruthy();
  });

  it("forgets a key at once, and gives it back", async () => {
    const { user, calls } = await opened(judging());
    await user.click(screen.getByRole("button", { name: "Forget key" }));
    expect(calls("forget_judge_key")).toHaveLength(1);
    expect(screen.getByText(/The key is forgotten\. It can be had again for/)).toBeTruthy();
    const undo = screen.getByRole("button", { name: "Undo" });
    await waitFor(() => expect(document.activeElement).toBe(undo));
    await user.click(undo);
    expect(calls("keep_forgotten_judge_key")).toHaveLength(1);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Forget key" })));
  });

  it("can’t be chosen where the environment decides, and is shown all the same", async () => {
    const { user, choices } = await opened(judging({ fixed: "GAVEL_JUDGE_MODEL" }));
    expect(screen.getByText(/environment variable GAVEL_JUDGE_MODEL decides/)).toBeTruthy();
    expect(screen.queryByRole("radio")).toBeNull();
    const choice = screen.getAllByRole("definition").filter((one) => !one.closest("article"));
    expect(choice.map((one) => one.textContent)).toEqual([
      "A model of your choice",
      "OpenAI or compatible (chat completions)",
      "https://openrouter.ai/api/v1",
      "qwen/qwen3-30b-a3b",
      "In the keychain",
    ]);
    await user.click(screen.getByText("Advanced"));
    await user.click(field("Tell it your last message"));
    expect(choices().map(({ options }) => options.sessionContext)).toEqual([false]);
  });
});

describe("how it does", () => {
  it("is told in plain words, and a thread is let go on", async () => {
    const { user, calls } = await opened(judging({ problem: "the environment variable `KEY` is not set" }));
    expect(state().textContent).toMatch(/Asked about 128 requests since it was set up, and had an opinion on 125\./);
    expect(state().textContent).toMatch(/Its last failure was 9 min ago: The judge answered with HTTP status 429/);
    expect(state().textContent).toMatch(/The environment variable “KEY” is not set\./);
    await user.click(screen.getByRole("button", { name: "Let it answer again in Rate limit the login route" }));
    expect(calls("judge_again")).toEqual([
      { call: "judge_again", server: "http://127.0.0.1:4096", session: "ses_login" },
    ]);
    await waitFor(() => expect(screen.queryByRole("list", { name: /Threads/ })).toBeNull());
    expect(document.activeElement?.textContent).toBe("How it does");
  });

  it("says that its key is still to come", async () => {
    await opened(judging({ ready: false }));
    expect(state().textContent).toMatch(/Its key is being fetched from the keychain/);
  });
});

describe("where a judge is missed", () => {
  it("the mode Auto says that nobody judges, and leads on", async () => {
    const { user } = await stage(scenes.five());
    await user.keyboard(to("modes"));
    await user.click(screen.getByRole("button", { name: "Change the mode of dotfiles" }));
    expect(screen.queryByText(/Nobody judges yet/)).toBeNull();
    await user.click(screen.getByLabelText("Auto"));
    const told = screen.getByText(/Nobody judges yet/).parentElement;
    await user.click(within(told ?? document.body).getByRole("button", { name: "Judge" }));
    expect(screen.getByRole("heading", { level: 1, name: "Judge" })).toBeTruthy();
  });

  it("a request in a thread where it answers no more leads on, too", async () => {
    const { user } = await stage({
      ...scenes.advised(),
      requests: scenes.advised().requests.filter((one) => one.judge_paused),
    });
    const told = screen.getByText(/The judge declined so much in this thread/).parentElement;
    await user.click(within(told ?? document.body).getByRole("button", { name: "Judge" }));
    expect(screen.getByRole("heading", { level: 1, name: "Judge" })).toBeTruthy();
  });

  it("says nothing where somebody judges", async () => {
    const { user } = await stage({ ...scenes.five(), judge: judging() });
    await user.keyboard(to("modes"));
    await user.click(screen.getByRole("button", { name: "Change the mode of dotfiles" }));
    await user.click(screen.getByLabelText("Auto"));
    expect(screen.queryByText(/Nobody judges yet/)).toBeNull();
  });
});

describe("trying it", () => {
  const tester = () => within(screen.getByRole("region", { name: "Try it" }));

  it("shows the verdict and all that was said", async () => {
    const { user, calls } = await opened(judging());
    await user.type(tester().getByLabelText("Command"), "rm -rf build{Enter}");
    expect(calls("test_judge")).toEqual([{ call: "test_judge", command: "rm -rf build" }]);
    expect((await tester().findByText(/It would decline it\./)).closest("p")?.textContent).toMatch(/deletes more/);
    expect(tester().getByText(/qwen3-30b-a3b · 412 ms · 934 tokens asked · 28 tokens answered/)).toBeTruthy();
    await user.click(tester().getByText("All that was said"));
    expect(tester().getByRole("region", { name: "Sent" }).textContent).toMatch(
      /^POST https:\/\/openrouter\.ai.*authorization: \*\*\*.*rm -rf build/s,
    );
    expect(tester().getByRole("region", { name: "Received, HTTP status 200" }).textContent).toMatch(/deny/);
  });

  it("can be stopped", async () => {
    const { host, user } = await opened(judging());
    host.thinking = null;
    await user.click(tester().getByRole("button", { name: "Ask the judge" }));
    await user.click(await tester().findByRole("button", { name: "Stop" }));
    expect(await tester().findByText("The test was stopped.")).toBeTruthy();
    expect(tester().queryByRole("button", { name: "Stop" })).toBeNull();
    expect(document.activeElement).toBe(tester().getByLabelText("Command"));
  });

  it("says that there is no verdict, and why", async () => {
    const { host, user } = await opened(judging());
    const { rounds, ...test } = await host
      .call({ call: "test_judge", command: "" })
      .then((answer) => (answer.answer === "judge_test" ? answer.test : Promise.reject(new Error(answer.answer))));
    expect(rounds).toHaveLength(1);
    host.call = () =>
      Promise.resolve({
        answer: "judge_test",
        test: { ...test, status: "no_key", recommendation: "allow", reason: "no key is configured", rounds: [] },
      });
    await user.click(tester().getByRole("button", { name: "Ask the judge" }));
    expect((await tester().findByText(/No verdict: such a request is left to you/)).closest("p")?.textContent).toMatch(
      /No key is configured\./,
    );
    expect(tester().queryByText(/It would allow it/)).toBeNull();
    expect(tester().getByText("Nothing was sent.")).toBeTruthy();
  });
});

describe("the options", () => {
  const open = async () => {
    const staged = await opened(judging());
    await staged.user.click(screen.getByText("Advanced"));
    return { ...staged, options: () => staged.choices().map((choice) => choice.options) };
  };
  const type = async (user: Awaited<ReturnType<typeof open>>["user"], label: string | RegExp, typed: string) => {
    await user.clear(field(label));
    await user.type(field(label), `${typed}{Tab}`);
  };

  it("are sent with the rest as it is, each as soon as it is changed", async () => {
    const { user, options, choices } = await open();
    const usual = judging().defaults;
    await type(user, "Patience, in seconds", "2.5");
    await type(user, "Learn a command after so many approvals", "0");
    await user.click(field("Remember verdicts within a session"));
    await type(user, "Judge only", "shell, external_directory");
    await type(user, "Your own instructions", "Be strict.");
    const changes = [
      { timeoutMs: 2_500 },
      { learnAfter: 0 },
      { cache: false },
      { tools: ["shell", "external_directory"] },
      { systemPrompt: "Be strict." },
    ];
    expect(options()).toEqual(changes.map((_, end) => Object.assign({}, usual, ...changes.slice(0, end + 1))));
    expect(choices().map(({ model }) => model)).toEqual(changes.map(() => "qwen/qwen3-30b-a3b"));
    await type(user, "Judge only", " ");
    expect(options().at(-1)?.tools).toBeNull();
  });

  it("out of bounds are not sent, and what is possible is said at the field", async () => {
    const { user, options } = await open();
    const patience = field("Patience, in seconds");
    await type(user, "Patience, in seconds", "0");
    await waitFor(() => expect(error(patience)?.textContent).toBe("A number from 1 to 600."));
    expect(options()).toEqual([]);
  });

  it("stay as they are typed while something else happens", async () => {
    const { host, user } = await open();
    await user.clear(field("Patience, in seconds"));
    await user.type(field("Patience, in seconds"), "12");
    host.publish({ judge: { ...host.snapshot.judge, asked: 200 } });
    await waitFor(() => expect(state().textContent).toMatch(/200 requests/));
    expect(field("Patience, in seconds").value).toBe("12");
  });

  it("go back to the defaults, and from there to what they were", async () => {
    const { user, options } = await open();
    await type(user, "Patience, in seconds", "5");
    await user.click(screen.getByRole("button", { name: "Restore defaults" }));
    expect(options().at(-1)).toEqual(judging().defaults);
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    expect(options().at(-1)?.timeoutMs).toBe(5_000);
  });
});
