import type { Activity, Outcome } from "../../bindings/api";
import { LAPTOP, LOCAL } from "./requests";

const MINUTE = 60_000;

const outcomes: Outcome[] = [
  { outcome: "settled", settled: { by: "you", decision: { kind: "allow_once" } } },
  { outcome: "settled", settled: { by: "you", decision: { kind: "decline", reason: "Use pnpm, not npm." } } },
  { outcome: "settled", settled: { by: "swept" } },
  {
    outcome: "settled",
    settled: {
      by: "you",
      decision: {
        kind: "allow_for_session",
        patterns: [{ action: "shell", resource: "npm test *" }],
        includes_children: false,
        lasts: { until: null, uses: null, for_run: false },
      },
    },
  },
  { outcome: "settled", settled: { by: "another_client", reply: "once" } },
  { outcome: "undelivered", why: "the server did not answer within 10 s" },
  { outcome: "settled", settled: { by: "you", decision: { kind: "stop" } } },
  { outcome: "settled", settled: { by: "unseen" } },
  { outcome: "settled", settled: { by: "another_client", reply: "always" } },
  { outcome: "settled", settled: { by: "run_ended" } },
  { outcome: "settled", settled: { by: "another_client", reply: "reject" } },
  { outcome: "settled", settled: { by: "server_gone" } },
  { outcome: "settled", settled: { by: "grant", title: "Run npm test" } },
  { outcome: "settled", settled: { by: "another_client", reply: null } },
];

const asked = [
  ["shell", "Run npm test", "npm test"],
  ["shell", "Run npm run lint", "npm run lint"],
  ["shell", "Run npm install left-pad", "npm install left-pad"],
  ["edit", "Edit src/limits.ts", "/home/dev/api-server/src/limits.ts"],
  ["webfetch", "Fetch https://docs.example.com/rate-limits", "https://docs.example.com/rate-limits"],
  ["shell", "Run git push --force-with-lease origin HEAD", "git push --force-with-lease origin HEAD"],
] as const;

/** What was said of it: all of one kind, as each is the same request again. */
function opinionsOf(text: string): Activity["opinions"] {
  const offline = { judge: null, source: "offline", status: "ok" } as const;
  const model = { judge: { provider: "openai", model: "qwen3-30b" }, source: "model", status: "ok" } as const;
  if (text === "npm test") return [{ ...offline, recommendation: "ask", reason: "runs the script `test`" }];
  if (!text.startsWith("git push")) return [];
  return [
    { ...offline, recommendation: "ask", reason: "overwrites `HEAD` at `origin`" },
    { ...model, recommendation: "deny", reason: "Nobody asked for a push." },
  ];
}

/** `count` rows over the last days, oldest first. */
export function history(count: number): Activity[] {
  const now = Date.now();
  return Array.from({ length: count }, (_, index) => {
    const back = count - 1 - index;
    const [action, title, text] = asked[back % asked.length] ?? asked[0];
    return {
      number: index + 1,
      at: now - back * 37 * MINUTE - MINUTE,
      title,
      action,
      text,
      project: back % 3 ? "api-server" : "web-shop",
      directory: back % 3 ? "/home/dev/api-server" : "/home/dev/web-shop",
      session: back % 4 ? "Rate limit the login route" : null,
      server: back % 5 ? LOCAL : LAPTOP,
      waited: ((back * 7919) % 240) * 1_000,
      opinions: opinionsOf(text),
      // One of them is always approved, as it is in life.
      outcome: outcomes[text === "npm run lint" ? 0 : back % outcomes.length] ?? {
        outcome: "settled",
        settled: { by: "unseen" },
      },
    };
  });
}
