import { describe, expect, it } from "vitest";

import type { Effect, Rule } from "../bindings/api";
import { asLines, asPermission, asPermissions } from "./rules";

const rule = (line: string): Rule => {
  const [action = "", resource = "", effect = ""] = line.split(" | ");
  return { action, resource, effect: effect as Effect };
};
const rules = (...lines: string[]) => lines.map(rule);

const supervised = rules(
  "* | * | allow",
  "shell | * | ask",
  "edit | * | ask",
  "external_directory | * | ask",
  "external_directory | /data/tool-output/* | allow",
);

describe("rules as text", () => {
  it("are one a line", () => {
    expect(asLines(supervised.slice(0, 2))).toBe("* * allow\nshell * ask");
    expect(asLines([])).toBe("");
  });

  it("are a list in the configuration of 2.x, in their order", () => {
    const read = JSON.parse(asPermissions(supervised)) as { permissions: Rule[] };
    expect(read).toEqual({ permissions: supervised });
    expect(JSON.parse(asPermissions([]))).toEqual({ permissions: [] });
    const odd = rules('shell | echo "a\\b" | allow');
    expect((JSON.parse(asPermissions(odd)) as { permissions: Rule[] }).permissions).toEqual(odd);
  });

  it("are an object by action in that of 1.x, in its words", () => {
    const text = asPermission([...supervised, rule("subagent | * | deny")]) ?? "";
    const { permission } = JSON.parse(text) as { permission: Record<string, unknown> };
    expect(permission).toEqual({
      "*": "allow",
      bash: "ask",
      edit: "ask",
      external_directory: { "*": "ask", "/data/tool-output/*": "allow" },
      task: "deny",
    });
    expect(Object.keys(permission)).toEqual(["*", "bash", "edit", "external_directory", "task"]);
  });

  it("keep in 1.x what comes last at the end, where it counts", () => {
    const text = asPermission(rules("shell | git * | allow", "shell | git push * | ask", "shell | git * | deny")) ?? "";
    const { permission } = JSON.parse(text) as { permission: { bash: Record<string, string> } };
    expect(Object.entries(permission.bash)).toEqual([
      ["git push *", "ask"],
      ["git *", "deny"],
    ]);
  });

  it("drop in 1.x what a later rule for everything makes idle", () => {
    expect(JSON.parse(asPermission(rules("shell | a | allow", "shell | * | ask", "shell | b | deny")) ?? "")).toEqual({
      permission: { bash: { "*": "ask", b: "deny" } },
    });
  });

  it.each([
    ["a rule for all actions that doesn't come first", rules("shell | * | ask", "* | * | allow")],
    ["a rule for some actions", rules("git_* | * | allow")],
    ["a tool of a name that 1.x has for another", rules("bash | * | allow")],
    ["patterns where 1.x takes none", rules("webfetch | https://a.example/* | allow")],
    ["keys that JSON puts first", rules("shell | a | ask", "shell | 7 | allow")],
    ["a key that is none", rules("__proto__ | * | allow")],
  ])("can't be said in 1.x: %s", (_, given) => expect(asPermission(given)).toBeNull());

  it("need not be any", () => expect(JSON.parse(asPermission([]) ?? "")).toEqual({ permission: {} }));
});
