import { expect, it } from "vitest";

import type { Call } from "../bindings/api";
import type { Gavel } from "./gavel.svelte";
import { RulesBook } from "./project_rules.svelte";

it("shows no deleted line of a project in the list of one that was chosen meanwhile", async () => {
  let answer = (): void => undefined;
  const changed = new Promise<void>((resolve) => (answer = resolve));
  const call = async ({ call }: Call) => {
    if (call !== "change_rules") return { answer: "project_rules", rules: {} };
    await changed;
    return { answer: "rules_changed", undo: 1 };
  };
  const book = new RulesBook({ project: "/one", call } as unknown as Gavel);
  const removed = book.remove("learned", 0, "make", { change: "remove_learned", command: "make" });
  await book.choose("/two");
  answer();
  await removed;
  expect(book.rows("learned", [])).toEqual([]);
});
