/** Who judges, as the app would show it. */
import type { Call, Failure, JudgeChoice, JudgeOptions, JudgeRow, JudgeTest } from "../../bindings/api";

const failure = (code: Failure["code"], message: string, hint: string): Failure => ({ code, message, hint });

const DEFAULTS: JudgeOptions = {
  tools: null,
  skipTools: ["doom_loop"],
  timeoutMs: 60_000,
  maxMetadataChars: 8_000,
  sessionContext: true,
  maxContextChars: 2_000,
  maxDecisionTokens: 16_000,
  systemPrompt: null,
  cache: true,
  cacheMax: 500,
  learnAfter: 3,
};

export function nobody(): JudgeRow {
  return {
    choice: {
      who: "off",
      provider: "openai",
      base_url: "",
      model: "",
      key: { from: "nowhere" },
      options: DEFAULTS,
    },
    by_default: false,
    fixed: null,
    ready: true,
    problem: null,
    key_back_until: null,
    asked: 0,
    answered: 0,
    failed: null,
    paused: [],
    defaults: DEFAULTS,
    bounds: {
      timeoutMs: [1_000, 600_000],
      maxMetadataChars: [500, 100_000],
      maxContextChars: [100, 50_000],
      maxDecisionTokens: [100, 128_000],
      systemPrompt: [0, 20_000],
      cacheMax: [0, 10_000],
      learnAfter: [0, 100],
    },
  };
}

/** What counts until somebody chooses: each session is judged by its own model. */
export function itself(): JudgeRow {
  const row = nobody();
  return { ...row, choice: { ...row.choice, who: "session_model" }, by_default: true };
}

/** A judge that works, mostly. */
export function judging(change: Partial<JudgeRow> = {}): JudgeRow {
  const row = nobody();
  return {
    ...row,
    choice: {
      ...row.choice,
      who: "endpoint",
      base_url: "https://openrouter.ai/api/v1",
      model: "qwen/qwen3-30b-a3b",
      key: { from: "keychain" },
    },
    asked: 128,
    answered: 125,
    failed: { at: Date.now() - 540_000, why: "the judge answered with HTTP status 429: rate limit reached" },
    paused: [
      {
        server: "http://127.0.0.1:4096",
        session: "ses_login",
        title: "Rate limit the login route",
        project: "api-server",
      },
    ],
    ...change,
  };
}

/** What the app makes of a choice: kept as it is, or refused. */
export function chosen(row: JudgeRow, choice: JudgeChoice): JudgeRow {
  if (row.fixed) return { ...row, choice: { ...row.choice, options: choice.options } };
  if (choice.base_url && !/^https?:\/\/[^/]/.test(choice.base_url))
    throw failure(
      "bad_url",
      `\`${choice.base_url}\` is no address.`,
      "An address looks like https://api.openai.com/v1.",
    );
  if (choice.who === "endpoint" && !choice.model)
    throw failure("bad_model", "The judge needs the name of a model.", "It is the one that its provider lists.");
  if (choice.key.from === "variable" && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(choice.key.name))
    throw failure("bad_variable", `\`${choice.key.name}\` is not the name of a variable`, "Write it without `$`.");
  return { ...row, choice, by_default: false, asked: 0, answered: 0, failed: null, paused: [] };
}

/** What comes of asking the judge. */
export function judged(row: JudgeRow, { command }: Extract<Call, { call: "test_judge" }>): JudgeTest {
  const { choice } = row;
  if (choice.who === "off") throw failure("failed", "Nobody judges.", "Choose who does first.");
  const asked = command.trim() || "npm test";
  const denied = asked.includes("rm -rf");
  const reason = denied ? "It deletes more than the request needs." : "Running the tests changes nothing outside.";
  const decision = JSON.stringify({ decision: denied ? "deny" : "allow", reason });
  const body = {
    model: choice.model,
    messages: [
      { role: "system", content: "You decide whether a coding agent may do one thing on its user’s machine. …" },
      { role: "user", content: `<untrusted_data>\ntool:\n|shell\ncommand:\n|${asked}\n</untrusted_data>` },
    ],
    max_tokens: choice.options.maxDecisionTokens,
    temperature: 0,
  };
  const address = `${choice.base_url || "https://api.openai.com/v1"}/chat/completions`;
  return {
    command: asked,
    who: `${choice.provider} ${choice.model}`,
    recommendation: denied ? "deny" : "allow",
    reason,
    status: "ok",
    took: 412,
    asked_tokens: 934,
    answered_tokens: 28,
    rounds: [
      {
        request: `POST ${address}\ncontent-type: application/json\nauthorization: ***\n\n${JSON.stringify(body, null, 2)}`,
        status: 200,
        answer: JSON.stringify({
          choices: [{ message: { role: "assistant", content: decision }, finish_reason: "stop" }],
          usage: { prompt_tokens: 934, completion_tokens: 28 },
        }),
      },
    ],
  };
}
