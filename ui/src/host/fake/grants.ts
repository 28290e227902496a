/** Grants as they are given in practice. */
import type { Decision, GrantRow, Request } from "../../bindings/api";
import { visible } from "../../state/visible";
import { LAPTOP, LOCAL } from "./requests";

const MINUTE = 60_000;

export const grant = (id: number, change: Partial<GrantRow> = {}): GrantRow => ({
  id,
  server: LOCAL,
  server_name: "127.0.0.1:4096",
  session: "Rate limit the login route",
  project: "api-server",
  patterns: [{ action: "shell", resource: "npm test *" }],
  includes_children: false,
  title: "Run npm test",
  given: Date.now() - 12 * MINUTE,
  lasts: { until: null, uses: null, for_run: false },
  used: 3,
  back_until: null,
  ...change,
});

/** The latest first, every kind of end among them. */
export const grants = (): GrantRow[] => [
  grant(5, { lasts: { until: Date.now() + 8 * MINUTE + 30_500, uses: null, for_run: false }, used: 0 }),
  grant(4, {
    patterns: [
      { action: "shell", resource: "git add *" },
      { action: "shell", resource: "git commit *" },
    ],
    title: "Run git add -A && git commit -m wip",
    lasts: { until: null, uses: 4, for_run: true },
    includes_children: true,
    used: 1,
  }),
  grant(3, {
    server: LAPTOP,
    server_name: "Build box",
    session: "Ship the checkout fix to production before noon",
    project: "web-shop",
    patterns: [{ action: "external_directory", resource: "/srv/images⟨U+200B⟩/*" }],
    title: "Go outside the project: /srv/images⟨U+200B⟩/*",
    given: Date.now() - 95 * MINUTE,
    used: null,
  }),
  grant(2, {
    patterns: [{ action: "edit", resource: "*" }],
    title: "Edit src/limits.ts",
    back_until: Date.now() + 7_500,
    used: 12,
  }),
];

/** What the decision gives, if it gives something. */
export function granted(id: number, request: Request, decision: Decision): GrantRow[] {
  if (decision.kind !== "allow_for_session") return [];
  const { patterns, includes_children, lasts } = decision;
  return [
    grant(id, {
      server: request.key.server,
      server_name: request.server_name,
      session: request.chain[0]?.title ?? "",
      project: request.project,
      patterns: patterns.map(({ action, resource }) => ({ action, resource: visible(resource) })),
      includes_children,
      title: request.headline,
      given: Date.now(),
      lasts,
      used: 0,
    }),
  ];
}
