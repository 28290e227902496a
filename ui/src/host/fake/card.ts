/** A report card as a few weeks of work bring it about. */
import type { Case, JudgeCard, ReportCard } from "../../bindings/api";

const DAY = 24 * 60 * 60 * 1_000;

const disagreed = (number: number, command: string, project: string, reason: string, words: string): Case => ({
  number,
  at: Date.now() - number * DAY,
  title: `Run ${command}`,
  text: command,
  project,
  reason,
  words,
});

const small: JudgeCard = {
  judge: { provider: "openai", model: "gpt-5-mini" },
  offline: false,
  asked: 214,
  compared: 148,
  agreed: 141,
  undecided: 39,
  too_lenient: 2,
  lenient: [
    disagreed(
      2,
      "git push --force origin main",
      "web-shop",
      "the user asked to publish the branch",
      "Never force main.",
    ),
    disagreed(6, "npm install left-pad@latest", "api-server", "adds the dependency that the task needs", ""),
  ],
  too_strict: 5,
  strict: [
    disagreed(1, "rm -rf node_modules", "web-shop", "deletes a folder that the user did not speak of", ""),
    disagreed(3, "docker compose down -v", "api-server", "removes the volumes and the data in them", ""),
  ],
  median: 1_240,
  p95: 4_810,
  failures: [
    { status: "http_error", detail: "429", count: 6 },
    { status: "timed_out", detail: null, count: 2 },
  ],
  tokens_prompt: 412_300,
  tokens_completion: 38_950,
};

const offline: JudgeCard = {
  ...small,
  judge: null,
  offline: true,
  asked: 640,
  compared: 236,
  agreed: 235,
  undecided: 301,
  too_lenient: 0,
  lenient: [],
  too_strict: 1,
  strict: [disagreed(9, "rm -rf /tmp/build", "api-server", "deletes `/tmp/build` and everything under it", "")],
  median: null,
  p95: null,
  failures: [],
  tokens_prompt: 0,
  tokens_completion: 0,
};

export const reportCard = (): ReportCard => ({
  asked: small.judge,
  judges: [small, offline],
  auto: [
    {
      directory: "/home/dev/api-server",
      project: "api-server",
      server: "http://127.0.0.1:4096",
      ...{ answers: 84, allowed: 61, too_lenient: 0, safe: true },
    },
    {
      directory: "/home/dev/web-shop",
      project: "web-shop",
      server: "http://127.0.0.1:4096",
      ...{ answers: 58, allowed: 40, too_lenient: 1, safe: false },
    },
    {
      directory: "/home/dev/dotfiles",
      project: "dotfiles",
      server: "http://127.0.0.1:4096",
      ...{ answers: 12, allowed: 4, too_lenient: 0, safe: false },
    },
  ],
  rule: { answers: 50, allowed: 20, days: 30 },
});

/** Nothing has been judged yet. */
export const emptyCard = (): ReportCard => ({ ...reportCard(), asked: null, judges: [], auto: [] });
