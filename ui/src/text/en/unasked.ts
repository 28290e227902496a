import type { Dialect, Unasked } from "../../bindings/api";
import { pluralOf } from "../plural";

const plural = pluralOf("en");

/** What is not asked about, and what that means. */
function never({ anything, outside }: Unasked, project: string): string {
  if (anything) return `OpenCode never asks in ${project}: Gavel will not be called.`;
  const what = outside ? "commands, edits or anything outside the project" : "commands or edits";
  return `OpenCode does not ask about ${what} in ${project}: Gavel will hardly be called.`;
}

/** Where in the file it goes. The last rule that matches counts. */
const paste: Record<Dialect, string> = {
  v1: "If the file has a “permission” already, put these lines at its end; if that says only “allow”, put them in its place.",
  v2: "If the file has “permissions” already, put these lines at the end of that list.",
};

export const unasked = {
  title: "Nobody is asked",
  intro:
    "What OpenCode’s own rules allow there is done at once. To be asked, choose a mode here, or change OpenCode’s configuration.",
  never,
  on: (server: string) => `on ${server}`,
  supervise: "Set Supervised",
  superviseNamed: (project: string) => `Set Supervised for ${project}`,
  supervised: (project: string) => `Supervised is set for ${project}.`,
  configuration: "Configuration",
  configurationNamed: (project: string) => `Configuration for ${project}`,
  file: "Paste it into this file:",
  paste,
  when: "OpenCode reads its configuration when it starts. If nobody is asked even then, another of its files has the last word; a mode comes after all of them.",
  copy: "Copy",
  copied: "Copied.",
  notCopied: "It could not be copied: select it instead.",
  aside: "Put aside",
  asideNamed: (project: string) => `Put aside ${project}`,
  wasPutAside: (project: string) => `${project} is put aside.`,
  asides: (count: number) => plural(count, { one: "# project is put aside", other: "# projects are put aside" }),
  show: "Show",
  hide: "Hide",
  back: "Bring back",
  backNamed: (project: string) => `Bring back ${project}`,
  chosen: (project: string) => `Nobody is asked in ${project}, as you chose: Full access.`,
  brief: (projects: readonly string[]) => `Nobody is asked in ${projects.join(", ")}.`,
  see: "See Modes",
  seeNamed: (server: string) => `See Modes for where nobody is asked on ${server}`,
};
