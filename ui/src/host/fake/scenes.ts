/** Every state the window can be in, by the name that `?fake=` takes. */
import type { Request, ServerRow, Snapshot } from "../../bindings/api";
import { grants } from "./grants";
import { itself, judging, nobody } from "./judge";
import { many, modes, silent, troubled } from "./modes";
import { form, questions, unknown } from "./questions";
import {
  LAPTOP,
  LOCAL,
  advised,
  broad,
  catastrophe,
  crowd,
  deceptive,
  edit,
  five,
  long,
  offered,
  outside,
  request,
  safe,
  script,
  whole,
} from "./requests";

const KEYCHAIN_PROBLEM = "no secret service answers on the session bus";

function server(change: Partial<ServerRow> = {}): ServerRow {
  return {
    id: LOCAL,
    name: "127.0.0.1:4096",
    origin: "discovered",
    link: { state: "online", version: "1.18.33", dialect: "v1" },
    heard: Date.now() - 2_000,
    synced: Date.now() - 3_000,
    last_error: null,
    waiting: 0,
    password: { from: "nowhere" },
    password_back_until: null,
    ...change,
  };
}

const buildBox = (change: Partial<ServerRow> = {}) =>
  server({ id: LAPTOP, name: "Build box", origin: "settings", password: { from: "keychain" }, ...change });

const gone = () =>
  buildBox({
    link: { state: "offline", reason: "connection refused", gone: false },
    heard: Date.now() - 95_000,
    synced: Date.now() - 96_000,
    last_error: "the stream ended without a word",
  });

function snapshot(requests: Request[], change: Partial<Snapshot> = {}): Snapshot {
  const servers = change.servers ?? [buildBox(), server()];
  return {
    revision: 1,
    language: "english",
    now: Date.now(),
    paused: false,
    requests,
    questions: [],
    removed: [],
    notifications: { available: true, actions: true, server: "dunst 1.9.0", problem: "", hint: "" },
    keychain: { available: true, problem: "" },
    tray: true,
    shortcut: { state: "off" },
    preferences: {
      notify: true,
      grace: 300,
      discover: true,
      toasts: true,
      rules: true,
      panel: "dark",
      language: "system",
      shortcut: "",
    },
    modes: modes(),
    grants: grants(),
    judge: nobody(),
    rules: 0,
    ...change,
    servers: servers.map((row) => ({
      ...row,
      waiting: [...requests, ...(change.questions ?? [])].filter(({ key }) => key.server === row.id).length,
    })),
  };
}

export const scenes = {
  demo: () => snapshot(five(), { questions: questions() }),
  questions: () => snapshot([request(9_000)], { questions: questions() }),
  form: () => snapshot([], { questions: [form(20_000)] }),
  oddForm: () => snapshot([], { questions: [unknown(20_000)] }),
  empty: () => snapshot([], { judge: itself() }),
  first: () =>
    snapshot([], { servers: [], modes: { servers: [], projects: [], sessions: [], unasked: [] }, grants: [] }),
  five: () => snapshot(five()),
  deceptive: () => snapshot([deceptive(65_000), request(9_000)]),
  safe: () => snapshot([safe(4_000), request(2_000)]),
  advised: () => snapshot(advised(80_000)),
  catastrophe: () => snapshot([catastrophe(7_000)]),
  diff: () => snapshot([edit(20_000)]),
  offered: () => snapshot([offered(20_000), request(3_000)]),
  broad: () => snapshot([broad(20_000)]),
  whole: () => snapshot([whole(20_000)]),
  many: () => snapshot([], { modes: many() }),
  silent: () => snapshot([], { modes: silent() }),
  troubled: () => snapshot([], { modes: troubled() }),
  script: () => snapshot([script(372_000)]),
  long: () => snapshot([long(20_000), request(3_000)]),
  replying: () => snapshot([request(9_000, { phase: { phase: "replying", decision: { kind: "allow_once" } } })]),
  undelivered: () =>
    snapshot([
      request(80_000, {
        text: "git push origin main",
        phase: {
          phase: "undelivered",
          decision: { kind: "allow_once" },
          why: "the server did not answer within 10 s",
        },
      }),
      request(3_000),
    ]),
  offline: () => snapshot([{ ...outside(140_000), online: false }, request(3_000)], { servers: [gone(), server()] }),
  /** More of everything than anybody has. */
  crowd: () => snapshot(crowd(200)),
  judged: () => snapshot([], { judge: judging() }),
  unchosen: () => snapshot(advised(80_000), { judge: itself() }),
  identical: () =>
    snapshot(
      ["Login", "Search", "Checkout"].map((title, at) => request(9_000 - at, { chain: [{ title, agent: null }] })),
    ),
  paused: () => snapshot([request(9_000)], { paused: true }),
  password: () =>
    snapshot([], {
      servers: [
        buildBox({ link: { state: "needs_password", refused: true }, synced: null, heard: null }),
        server({ link: { state: "needs_password", refused: false }, synced: null, heard: null }),
      ],
    }),
  bare: () =>
    snapshot([], {
      servers: [
        buildBox({
          link: { state: "needs_password", refused: false },
          password: { from: "variable", name: "BUILD_BOX_PASSWORD", set: false },
          synced: null,
        }),
        server({
          id: "http://127.0.0.1:8080",
          name: "127.0.0.1:8080",
          origin: "settings",
          link: { state: "not_open_code", reason: "It answers with a web page.", gone: false },
          synced: null,
        }),
        server({
          id: "http://127.0.0.1:4200",
          name: "127.0.0.1:4200",
          link: { state: "connecting" },
          synced: null,
          heard: null,
        }),
      ],
      keychain: { available: false, problem: KEYCHAIN_PROBLEM },
      notifications: {
        available: false,
        actions: false,
        server: "",
        problem: "no program on this desktop shows notifications",
        hint: "Install and start one, for example dunst. Until then the tray and this window show what waits.",
      },
      tray: false,
      shortcut: { state: "unheard", why: "another program holds these keys" },
      preferences: {
        notify: true,
        grace: 1_500,
        discover: false,
        toasts: true,
        rules: true,
        panel: "dark",
        language: "system",
        shortcut: "",
      },
    }),
  /** The core answers nothing at all. */
  stuck: () => snapshot([]),
} satisfies Record<string, () => Snapshot>;

export type Scene = keyof typeof scenes;

export function isScene(name: string): name is Scene {
  return Object.hasOwn(scenes, name);
}
