import { describe, expect, it } from "vitest";

import type { Activity, Decision, Opinion } from "../bindings/api";
import { history } from "../host/fake/activity";
import { contrary } from "./opinions";

const opinion = (recommendation: Opinion["recommendation"], change: Partial<Opinion> = {}): Opinion => ({
  judge: null,
  source: "offline",
  recommendation,
  reason: "",
  status: "ok",
  ...change,
});

function row(outcome: Activity["outcome"], opinions: Opinion[]): Activity {
  const [first] = history(1);
  if (!first) throw new Error("one row");
  return { ...first, outcome, opinions };
}

const you = (decision: Decision): Activity["outcome"] => ({ outcome: "settled", settled: { by: "you", decision } });
const allowed = you({ kind: "allow_once" });
const declined = you({ kind: "decline", reason: "" });

describe("an opinion that was contrary to what the user did", () => {
  it.each<[string, Activity["outcome"], Opinion[], number | null]>([
    ["allowed what it would have declined", allowed, [opinion("deny")], 0],
    ["declined what it would have allowed", declined, [opinion("allow")], 0],
    ["ended the run where it would have allowed", you({ kind: "stop" }), [opinion("allow")], 0],
    ["did as it said", allowed, [opinion("allow")], null],
    ["decided what it had left open", allowed, [opinion("ask")], null],
    ["only one of two was contrary", declined, [opinion("ask"), opinion("allow", { source: "model" })], 1],
    ["it had failed", declined, [opinion("allow", { status: "timed_out" })], null],
    ["somebody else answered", { outcome: "settled", settled: { by: "unseen" } }, [opinion("deny")], null],
    ["it was not delivered", { outcome: "undelivered", why: "x" }, [opinion("deny")], null],
    ["nothing was said", allowed, [], null],
  ])("%s", (_, outcome, opinions, place) => {
    expect(contrary(row(outcome, opinions))).toBe(place === null ? null : opinions[place]);
  });
});
