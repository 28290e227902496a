import { describe, expect, it } from "vitest";

import type { Request } from "../bindings/api";
import { request, verdict } from "../host/fake/requests";
import { identicalTo } from "./identical";

const one = () => request(9_000, { text: "npm test" });

describe("requests that are answered together", () => {
  it.each<[string, Partial<Request>]>([
    ["of another session", { chain: [{ title: "Another", agent: "plan" }] }],
    ["of another project", { project: "web-shop", directory: "/home/dev/web-shop" }],
    ["for another purpose", { purpose: "To be sure" }],
  ])("are the same %s", (_, change) => {
    const [first, other] = [one(), { ...one(), ...change }];
    expect(identicalTo(first, [first, other])).toEqual([first, other]);
  });

  it.each<[string, Partial<Request>]>([
    ["another text", { text: "npm test " }],
    ["another action", { action: "edit" }],
    ["other resources", { resources: ["npm test", "rm *"] }],
    ["a directory of its own", { workdir: "/srv" }],
    ["another change", { diff: "+a" }],
    ["hidden characters", { deceptive: true }],
    ["another verdict", { verdict: verdict("deny", "destructive", "it deletes") }],
    ["a server that can't be reached", { online: false }],
    ["an answer under way", { phase: { phase: "replying", decision: { kind: "stop" } } }],
  ])("are never those with %s", (_, change) => {
    const first = one();
    expect(identicalTo(first, [first, { ...one(), ...change }])).toEqual([first]);
  });
});
