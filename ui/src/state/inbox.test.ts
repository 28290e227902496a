import { beforeEach, describe, expect, it } from "vitest";

import type { Decision, Request } from "../bindings/api";
import { request } from "../host/fake/requests";
import { GUARD, Inbox } from "./inbox.svelte";
import { idOf } from "./selection";

const APPROVE: Decision = { kind: "allow_once" };
const STOP: Decision = { kind: "stop" };

let now: number;
let inbox: Inbox;
let one: Request;
let two: Request;

beforeEach(() => {
  now = 0;
  inbox = new Inbox(() => now);
  one = request(2_000);
  two = request(1_000);
  inbox.take([one, two]);
  now += GUARD;
});

describe("an answer on its way", () => {
  it("is shown before any snapshot tells of it, and can't be given twice", () => {
    expect(inbox.decide(APPROVE)).toEqual({ done: "send", key: one.key, edition: one.edition, reply: APPROVE });
    expect(inbox.phaseOf(one)).toEqual({ phase: "replying", decision: APPROVE });
    expect(inbox.decide(STOP)).toEqual({ done: "nothing" });
    expect(inbox.beginDecline()).toBe("nothing");
  });

  it("is not forgotten over a snapshot that was taken before it arrived", () => {
    inbox.decide(APPROVE);
    inbox.take([one, two]);
    expect(inbox.phaseOf(one).phase).toBe("replying");
  });

  it("gives way to what snapshots say once it has arrived", () => {
    inbox.decide(APPROVE);
    inbox.arrived(one.key);
    expect(inbox.phaseOf(one).phase).toBe("replying");
    inbox.take([one, two]);
    expect(inbox.phaseOf(one).phase).toBe("waiting");
  });

  it("hides that an earlier one was not delivered, until that is said again", () => {
    const lost: Request = { ...one, phase: { phase: "undelivered", decision: STOP, why: "no route" } };
    inbox.take([lost, two]);
    expect(inbox.retry()).toEqual({ done: "send", key: one.key, edition: one.edition, reply: STOP });
    expect(inbox.phaseOf(lost)).toEqual({ phase: "replying", decision: STOP });
    inbox.take([{ ...one, phase: { phase: "replying", decision: STOP } }, two]);
    inbox.take([lost, two]);
    expect(inbox.phaseOf(lost).phase).toBe("undelivered");
  });

  it("can be given again if the backend did not take it", () => {
    inbox.decide(APPROVE);
    inbox.failed(one.key);
    expect(inbox.decide(STOP).done).toBe("send");
  });

  it("keeps nobody from answering another request", () => {
    inbox.decide(APPROVE);
    inbox.move(1);
    expect(inbox.decide(STOP)).toEqual({ done: "send", key: two.key, edition: two.edition, reply: STOP });
  });
});

describe("there is nothing to answer", () => {
  it("in an empty inbox", () => {
    inbox.take([]);
    now += GUARD;
    expect(inbox.decide(APPROVE)).toEqual({ done: "nothing" });
    expect(inbox.retry()).toEqual({ done: "nothing" });
  });

  it("about a request that was not answered yet, for a retry", () => {
    expect(inbox.retry()).toEqual({ done: "nothing" });
  });
});

describe("a request that the backend wants on screen", () => {
  it("can't be answered at once", () => {
    inbox.want(two.key);
    expect(inbox.selected).toBe(idOf(two.key));
    expect(inbox.decide(APPROVE)).toEqual({ done: "guarded" });
    now += GUARD;
    expect(inbox.decide(APPROVE).done).toBe("send");
  });

  it("waits for its snapshot, but not past a choice of the user", () => {
    const three = request(0);
    inbox.want(three.key);
    inbox.move(1);
    inbox.take([one, two, three]);
    expect(inbox.selected).toBe(idOf(two.key));
  });

  it("does not take away the one whose reason is being written", () => {
    inbox.beginDecline();
    inbox.want(two.key);
    expect(inbox.selected).toBe(idOf(one.key));
    expect(inbox.declining).toBe(true);
  });

  it("is on screen from the first snapshot on", () => {
    const fresh = new Inbox(() => now);
    fresh.want(two.key);
    fresh.take([one, two]);
    expect(fresh.selected).toBe(idOf(two.key));
  });
});

describe("a request that was settled while its reason was being written", () => {
  beforeEach(() => {
    inbox.beginDecline();
    inbox.take([two]);
    now += GUARD;
  });

  it("stays, and can't be answered", () => {
    expect(inbox.current).toBe(one);
    expect(inbox.decide({ kind: "decline", reason: "" })).toEqual({ done: "nothing" });
  });

  it("is let go of by hand, and then the next one is guarded", () => {
    inbox.release();
    expect(inbox.current).toBe(two);
    expect(inbox.decide(APPROVE)).toEqual({ done: "guarded" });
  });

  it("is let go of for one that the user picks", () => {
    inbox.select(idOf(two.key));
    expect(inbox.current).toBe(two);
    expect(inbox.declining).toBe(false);
  });

  it("is let go of into an empty inbox", () => {
    inbox.take([]);
    inbox.release();
    expect(inbox.current).toBeNull();
  });
});
