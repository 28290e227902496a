import { describe, expect, it } from "vitest";

import { history } from "../host/fake/activity";
import { merge } from "./rows";

const rows = history(24);

describe("merge", () => {
  it("puts the newest first and every row once", () => {
    expect(merge(rows.slice(0, 3), rows.slice(1, 5)).map((row) => row.number)).toEqual([5, 4, 3, 2, 1]);
  });
});
