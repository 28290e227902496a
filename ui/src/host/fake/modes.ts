/** Modes as they are chosen in practice, and what becomes of them. */
import type { ModeRow, Modes, Rule, Scope, SessionRow, Snapshot, Stance, Trial, UnaskedRow } from "../../bindings/api";
import { asPermission, asPermissions } from "../../state/rules";
import { covers, matches } from "../../state/pattern";
import { nameOf } from "../../state/scope";
import { LAPTOP, LOCAL } from "./requests";

export const stance = (mode: Stance["mode"], change: Partial<Stance> = {}): Stance => ({
  mode,
  plan: false,
  subagents: true,
  ...change,
});

const rule = (action: string, resource: string, effect: Rule["effect"]): Rule => ({ action, resource, effect });

/** What the agents may use whatever the mode. */
const OWN = [rule("external_directory", "/home/dev/.local/share/opencode/tool-output/*", "allow")];

/** The rules that a mode makes. */
export function rulesOf(stance: Stance): Rule[] {
  const rules = [rule("*", "*", "allow")];
  if (stance.mode !== "full_access") {
    const edit = stance.mode === "auto_accept_edits" ? "allow" : "ask";
    rules.push(rule("shell", "*", "ask"), rule("edit", "*", edit), rule("external_directory", "*", "ask"), ...OWN);
  }
  if (stance.plan) rules.push(rule("edit", "*", "deny"), rule("edit", ".opencode/plans/*.md", "allow"));
  if (!stance.subagents) rules.push(rule("subagent", "*", "deny"));
  return rules;
}

/** A project in which nobody is asked. */
export const unasked = (project: string, change: Partial<UnaskedRow> = {}): UnaskedRow => ({
  server: LOCAL,
  server_name: "127.0.0.1:4096",
  directory: `/home/dev/${project}`,
  project,
  place: `/home/dev/${project}`,
  unasked: { commands: true, edits: true, outside: true, fetches: true, anything: true },
  by_choice: false,
  dialect: "v1",
  configuration: asPermission(rulesOf(stance("supervised")).slice(1)) ?? "",
  file: `/home/dev/${project}/opencode.json`,
  put_aside: false,
  ...change,
});

const server = (id: string, name: string, chosen: Stance | null = null): ModeRow => ({
  scope: { scope: "server", server: id },
  name,
  place: id,
  chosen,
});

const project = (name: string, chosen: Stance | null = null): ModeRow => ({
  scope: { scope: "project", directory: `/home/dev/${name}` },
  name,
  place: `/home/dev/${name}`,
  chosen,
});

export const session = (id: string, name: string, change: Partial<SessionRow> = {}): SessionRow => ({
  scope: { scope: "session", server: LOCAL, session: id },
  name,
  server_name: "127.0.0.1:4096",
  project: "api-server",
  directory: "/home/dev/api-server",
  agent: "build",
  is_child: false,
  runs: false,
  chosen: null,
  counts: null,
  counts_by: null,
  state: null,
  rules: [],
  ...change,
});

const onLaptop = (id: string): Partial<SessionRow> => ({
  scope: { scope: "session", server: LAPTOP, session: id },
  server_name: "Build box",
  project: "web-shop",
  directory: "/home/dev/web-shop",
});

/** What is chosen at the beginning. */
export const modes = (): Modes =>
  counted({
    servers: [server(LAPTOP, "Build box", stance("supervised")), server(LOCAL, "127.0.0.1:4096")],
    projects: [project("api-server", stance("auto_accept_edits")), project("dotfiles"), project("web-shop")],
    sessions: [
      session("ses_login", "Rate limit the login route", { runs: true }),
      session("ses_ship", "Ship the checkout fix to production before noon", {
        ...onLaptop("ses_ship"),
        runs: true,
        chosen: stance("full_access", { subagents: false }),
      }),
      session("ses_roll", "Roll out (@deploy subagent)", { ...onLaptop("ses_roll"), agent: "deploy", is_child: true }),
      session("ses_dots", "Tidy the shell’s start-up files", {
        project: "dotfiles",
        directory: "/home/dev/dotfiles",
        agent: null,
      }),
    ],
    unasked: [],
  });

/** Projects in which nobody is asked, in every way there is. */
export const silent = (): Modes => {
  const choice = (modes: Modes, name: string, chosen: Stance | null) =>
    choose(modes, { scope: "project", directory: `/home/dev/${name}` }, chosen);
  return {
    ...choice(choice(modes(), "api-server", null), "web-shop", stance("full_access")),
    unasked: [
      unasked("api-server"),
      unasked("dotfiles", {
        unasked: { commands: true, edits: true, outside: false, fetches: false, anything: false },
        dialect: "v2",
        configuration: asPermissions(rulesOf(stance("supervised")).slice(1, 3)),
      }),
      unasked("scratch", { put_aside: true }),
      unasked("web-shop", { server: LAPTOP, server_name: "Build box", by_choice: true }),
    ],
  };
};

/** As many sessions as nobody looks through. */
export const many = (): Modes => {
  const base = modes();
  const more = Array.from({ length: 30 }, (_, index) => session(`ses_${index}`, `Look into issue ${index + 101}`));
  return counted({ ...base, sessions: [...base.sessions, ...more] });
};

/** Every way in which what was chosen may not hold. */
export const troubled = (): Modes => {
  const base = modes();
  const states: SessionRow["state"][] = [
    { state: "failed", why: "the server did not answer within 10 s" },
    { state: "overruled" },
    { state: "unsupported" },
    { state: "under_way", again: false },
  ];
  const sessions = base.sessions.map((row, index) => ({
    ...row,
    chosen: stance(index % 2 ? "auto" : "supervised", { plan: index === 0 }),
  }));
  const all = counted({ ...base, sessions });
  return { ...all, sessions: all.sessions.map((row, index) => ({ ...row, state: states[index] ?? null })) };
};

/** `modes` with what counts for each session, as the core finds it. */
function counted(modes: Modes): Modes {
  const own = (scope: Scope) =>
    [...modes.servers, ...modes.projects].find((row) => nameOf(row.scope) === nameOf(scope));
  return {
    ...modes,
    sessions: modes.sessions.map((row) => {
      const server = row.scope.scope === "session" ? row.scope.server : "";
      const wider: Scope[] = [
        { scope: "project", directory: row.directory },
        { scope: "server", server },
      ];
      const by = row.chosen ? row.scope : (wider.find((scope) => own(scope)?.chosen) ?? null);
      const counts = row.chosen ?? (by && own(by)?.chosen) ?? null;
      const state = counts ? ({ state: "stands" } as const) : null;
      return { ...row, counts, counts_by: by, state, rules: counts ? rulesOf(counts) : [] };
    }),
  };
}

/** `modes` after something else was chosen for `scope`. */
export function choose(modes: Modes, scope: Scope, chosen: Stance | null): Modes {
  const change = <Row extends ModeRow | SessionRow>(row: Row): Row =>
    nameOf(row.scope) === nameOf(scope) ? { ...row, chosen } : row;
  const isHere = (row: UnaskedRow) => scope.scope === "project" && scope.directory === row.directory;
  return counted({
    // As the core finds it: a project that asks by its mode is none in which nobody is asked.
    unasked: modes.unasked.filter((row) => !(isHere(row) && chosen && chosen.mode !== "full_access")),
    servers: modes.servers.map(change),
    projects: modes.projects.map(change),
    sessions: modes.sessions.map(change),
  });
}

/** What the agents' own rules say where no mode counts. */
const DEFAULTS = [rule("*", "*", "allow"), rule("external_directory", "*", "ask"), rule("read", "*.env", "ask")];

/** What happens in a session when an agent wants to do this. */
export function tried({ modes }: Snapshot, id: string, action: string, resource: string): Trial {
  const row = modes.sessions.find(({ scope }) => scope.scope === "session" && scope.session === id);
  const last = (rules: readonly Rule[]) =>
    [...rules]
      .reverse()
      .find((one) => matches(one.action, action) && (covers(one.resource, "*") || matches(one.resource, resource)));
  const own = last(row?.rules ?? []);
  const deciding = own ?? last(DEFAULTS);
  if (!deciding) return { effect: "ask", rule: null, from: "none" };
  return { effect: deciding.effect, rule: deciding, from: own ? "session" : "agent" };
}
