import type { JudgeChoice, JudgeTest, Recommendation } from "../../bindings/api";
import type { Preset } from "../../state/judge";
import { pluralOf } from "../plural";

const plural = pluralOf("en");

const who: Record<JudgeChoice["who"], string> = {
  off: "Off",
  session_model: "The session’s own model",
  endpoint: "A model of your choice",
};

const whoMeans: Record<JudgeChoice["who"], string> = {
  off: "No model is asked. The analysis on this machine still says what a command does.",
  session_model:
    "The model that works in a session also judges what it asks for, by way of the provider it has already. Each opinion costs some tokens there. Where the provider’s key is out of reach, the server asks its model; OpenCode 1.x does so in a session that is ended at once and shown nowhere.",
  endpoint: "One model for all sessions, at any provider or on this machine.",
};

const presets: Record<Preset["id"], string> = {
  openai: "OpenAI",
  anthropic: "Anthropic",
  groq: "Groq",
  openrouter: "OpenRouter",
  together: "Together",
  ollama: "Ollama on this machine",
  litellm: "LiteLLM on this machine",
};

const providers: Record<JudgeChoice["provider"], string> = {
  openai: "OpenAI or compatible (chat completions)",
  anthropic: "Anthropic (messages)",
};

/** Where the key comes from, in one line. */
function keyFrom(key: JudgeChoice["key"]): string {
  switch (key.from) {
    case "nowhere":
      return "None";
    case "keychain":
      return "In the keychain";
    case "variable":
      return `From $${key.name}`;
  }
}

/** Who judges now. */
function now(choice: JudgeChoice, address: string, byDefault: boolean): string {
  if (byDefault) return "You have chosen no judge, so each session is judged by the model that works in it.";
  switch (choice.who) {
    case "off":
      return "Nobody judges: you answer everything that no rule lets pass.";
    case "session_model":
      return "Each session is judged by the model that works in it.";
    case "endpoint":
      return `${choice.model} at ${address} judges.`;
  }
}

const would: Record<Recommendation, string> = {
  allow: "It would allow it.",
  deny: "It would decline it.",
  ask: "It leaves it to you.",
};

/** What a test cost, as far as that is told. */
function cost({ took, asked_tokens, answered_tokens }: JudgeTest): string {
  const tokens = (count: number | null, what: string) =>
    count === null ? [] : [`${plural(count, { one: "# token", other: "# tokens" })} ${what}`];
  return [`${took} ms`, ...tokens(asked_tokens, "asked"), ...tokens(answered_tokens, "answered")].join(" · ");
}

export const judge = {
  title: "Judge",
  intro:
    "A language model that gives a second opinion on what no rule lets pass. In the mode Auto its plain yes lets a request run once, and its plain no declines it; in every other mode it only recommends. Whatever goes wrong, you decide.",
  toModes: "Choose modes",

  byDefault:
    "You have not chosen yet. Until you do, the model that works in a session also gives an opinion on each request there that no rule lets pass. Save what you want, Off included, and this note is gone.",
  fixed: (variable: string) =>
    `The environment variable ${variable} decides who judges, so it can’t be chosen here. Unset it and start Gavel again to choose.`,
  setup: "Who judges",
  who,
  whoMeans,
  presets: "Fill in for",
  preset: presets,
  api: "API",
  providers,
  address: "Address",
  inTheClear:
    "What is sent there can be read on its way, and so can the key: the address begins with http:// and is not on this machine.",
  model: "Model",
  modelHint: "As the provider spells it",
  key: "Key",
  keyPlace: "Where the key comes from",
  keyFrom,
  keychain: "Keychain",
  variable: "Environment variable",
  noKey: "No key",
  keyKept: "There is one in the keychain for this address. A new one takes its place.",
  keyUnknown: "Kept by the operating system for this address alone, never in a file of Gavel’s.",
  variableName: "Name of the variable",
  variableNote: "Gavel stores only the variable’s name.",
  noKeychain: "There is no keychain here, so Gavel can’t keep a key.",
  noKeychainAlternative: "Put it in an environment variable instead and say which one.",
  forget: "Forget key",
  forgotten: (seconds: number) => `The key is forgotten. It can be had again for ${seconds} s.`,
  undo: "Undo",
  save: "Save",
  saving: "Saving …",
  saved: "Saved.",
  unsaved: "Not saved yet.",

  state: "How it does",
  now,
  starting: "Its key is being fetched from the keychain …",
  counts: (asked: number, answered: number) =>
    asked === 0
      ? "It has not been asked since it was set up."
      : `Asked about ${plural(asked, { one: "# request", other: "# requests" })} since it was set up, and had an opinion on ${answered}.`,
  failed: (ago: string, why: string) => `Its last failure was ${ago}: ${why}`,
  pausedIntro: "It refused too much in these threads, so there you answer until you choose otherwise:",
  pausedList: "Threads in which it answers nothing",
  untitled: "Untitled session",
  again: "Let it answer again",
  againNamed: (title: string) => `Let it answer again in ${title}`,

  test: "Try it",
  testIntro: "Asks the judge, as it is saved, about a command. Nothing is run, and no place of yours is named.",
  testSession: "The model of a session that works is asked, or else of any that is known.",
  command: "Command",
  commandHint: "npm test",
  ask: "Ask the judge",
  asking: "Asking …",
  stop: "Stop",
  would,
  noVerdict: "No verdict: such a request is left to you.",
  cost,
  exchange: "All that was said",
  nothingSent: "Nothing was sent.",
  sent: "Sent",
  received: (status: number | null) => (status === null ? "Nothing came back" : `Received, HTTP status ${status}`),
  round: (name: string, number: number, all: number) => (all > 1 ? `${name} (${number} of ${all})` : name),

  told: "What it is told",
  toldWhat:
    "What is asked for (the command, change, path or address), where, what the analysis on this machine found, and your last message in that session if you let it.",
  toldNever:
    "Never what the agent says about itself, the output of its tools, or earlier verdicts; and keys, passwords and other secrets are masked before anything leaves this machine.",

  options: "Advanced",
  tools: "Judge only",
  toolsHint:
    "Kinds of request, such as shell, edit, webfetch, apart by commas. Empty: all but external_directory, which is judged only if it is named here.",
  toolsAll: "all but external_directory",
  skipTools: "Never judge",
  skipToolsHint: "Kinds of request that are always yours. This comes before the field above.",
  timeoutMs: "Patience, in seconds",
  timeoutMsHint: "A judge that takes longer gives no verdict. Meanwhile you can answer as always.",
  maxMetadataChars: "Of a request, at most (characters)",
  maxMetadataCharsHint: "What is longer is cut, and then it can’t be allowed by the judge.",
  sessionContext: "Tell it your last message",
  sessionContextHint: "It says what the work is about. It never excuses harm.",
  maxContextChars: "Of your message, at most (characters)",
  maxContextCharsHint: "The rest is left out.",
  maxDecisionTokens: "Of its answer, at most (tokens)",
  maxDecisionTokensHint: "Thinking counts. An answer that is cut off is no verdict.",
  systemPrompt: "Your own instructions",
  systemPromptHint:
    "They take the place of Gavel’s own, which tell it to be careful and how to answer. Empty: Gavel’s own.",
  cache: "Remember verdicts within a session",
  cacheHint: "The same request is not judged twice. What was left to you is never remembered.",
  cacheMax: "How many it remembers",
  cacheMaxHint: "The one of no use for longest makes room.",
  learnAfter: "Learn a command after so many approvals",
  learnAfterHint:
    "So often in a row the judge or you must have let a command run until it passes by itself in its project. 0: nothing is learned.",
  between: (least: number, most: number) => `A number from ${least} to ${most}.`,
  tooLong: (most: number) => `At most ${most} characters.`,
  reset: "Restore defaults",
  resetDone: "The defaults are restored.",
};
