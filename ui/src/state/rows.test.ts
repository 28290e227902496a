import { describe, expect, it } from "vitest";

import { history } from "../host/fake/activity";
import { text } from "../text";
import { matching, merge } from "./rows";

const describeRow = (row: (typeof rows)[number]) => text.activity.outcome(row.outcome);
const rows = history(24);

describe("merge", () => {
  it("puts the newest first and every row once", () => {
    expect(merge(rows.slice(0, 3), rows.slice(1, 5)).map((row) => row.number)).toEqual([5, 4, 3, 2, 1]);
  });
});

describe("matching", () => {
  it("gives every row for no words", () => {
    expect(matching(rows, "  ", describeRow)).toHaveLength(rows.length);
  });

  it("finds by what was asked, where, and how it ended, all words at once", () => {
    const found = matching(rows, "PNPM left-pad api-server", describeRow);
    expect(found.length).toBeGreaterThan(0);
    for (const row of found) {
      expect(row.title).toContain("left-pad");
      expect(describeRow(row)).toContain("pnpm");
    }
    expect(matching(rows, "left-pad nowhere", describeRow)).toEqual([]);
  });
});
