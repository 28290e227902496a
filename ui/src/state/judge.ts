import type { JudgeChoice } from "../bindings/api";

type Provider = JudgeChoice["provider"];

/** A well-known place to ask for models: it only fills in fields. */
export interface Preset {
  id: "openai" | "anthropic" | "groq" | "openrouter" | "together" | "ollama" | "litellm";
  provider: Provider;
  /** Empty for the vendor's own address. */
  base_url: string;
  /** The environment variable that usually holds the key there; `null` where none is needed. */
  variable: string | null;
}

export const PRESETS: readonly Preset[] = [
  { id: "openai", provider: "openai", base_url: "https://api.openai.com/v1", variable: "OPENAI_API_KEY" },
  { id: "anthropic", provider: "anthropic", base_url: "https://api.anthropic.com/v1", variable: "ANTHROPIC_API_KEY" },
  { id: "groq", provider: "openai", base_url: "https://api.groq.com/openai/v1", variable: "GROQ_API_KEY" },
  { id: "openrouter", provider: "openai", base_url: "https://openrouter.ai/api/v1", variable: "OPENROUTER_API_KEY" },
  { id: "together", provider: "openai", base_url: "https://api.together.xyz/v1", variable: "TOGETHER_API_KEY" },
  { id: "ollama", provider: "openai", base_url: "http://127.0.0.1:11434/v1", variable: null },
  { id: "litellm", provider: "openai", base_url: "http://127.0.0.1:4000/v1", variable: "LITELLM_API_KEY" },
];

/** Where a vendor itself offers an API. */
export function ownAddress(provider: Provider): string {
  return PRESETS.find(({ id }) => id === provider)?.base_url ?? "";
}

/** An address in the one way in which it is compared. */
export function addressOf(provider: Provider, base_url: string): string {
  return base_url.trim().replace(/\/+$/, "") || ownAddress(provider);
}

/** The well-known place that an address is. */
export function presetOf(provider: Provider, base_url: string): Preset | null {
  const address = addressOf(provider, base_url);
  return PRESETS.find((preset) => preset.provider === provider && preset.base_url === address) ?? null;
}

/** Whether what is sent to an address can be read on its way: neither encrypted nor on this machine. */
export function isInTheClear(base_url: string): boolean {
  try {
    const { protocol, hostname } = new URL(base_url.trim());
    return protocol === "http:" && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  } catch {
    return false;
  }
}

/** What a person typed as a number within bounds, times `scale`; `null` if it is none. */
export function numberOf(typed: string, [least, most]: readonly [number, number], scale = 1): number | null {
  const trimmed = typed.trim().replace(",", ".");
  if (!/^\d+(?:\.\d+)?$/.test(trimmed)) return null;
  const value = Number(trimmed) * scale;
  return Number.isInteger(value) && value >= least && value <= most ? value : null;
}

/** The names in what a person typed, apart by commas or white space. */
export function namesOf(typed: string): string[] {
  return typed.split(/[\s,]+/).filter(Boolean);
}
