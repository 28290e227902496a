import { screen, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import type { Request } from "../bindings/api";
import { advised, catastrophe, offered, request, safe, script, verdict } from "../host/fake/requests";
import { inboxOf, stage } from "../test/stage";

const recommended = () => screen.queryByRole("group", { name: "What is recommended" });
const block = () => screen.getByRole("region", { name: "Full text" });
const parts = () => screen.queryByRole("list", { name: "What each part does" });
/** What is marked in the text, with what is said of it. */
const marked = () =>
  [...block().querySelectorAll("[title]")].map((piece) => [piece.textContent, piece.getAttribute("title")]);

describe("what is recommended", () => {
  it("is said before the text, with whoever says so", async () => {
    await stage(inboxOf(safe(1_000)));
    expect(recommended()?.textContent).toMatch(/Looks safe\.\s*Searches src for limit\.\s*checked on this computer/);
    expect([...(recommended()?.querySelectorAll("code") ?? [])].map((name) => name.textContent)).toEqual([
      "src",
      "limit",
    ]);
    expect(recommended()?.compareDocumentPosition(block())).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it.each([
    [safe(1_000), "Looks safe."],
    [request(1_000, { verdict: verdict("ask", "writes", "changes `a`") }), "Up to you."],
    [request(1_000, { verdict: verdict("ask", "destructive", "deletes `a`") }), "Take care."],
    [catastrophe(1_000), "Dangerous."],
  ])("has a word for each", async (asked, word) => {
    await stage(inboxOf(asked));
    expect(within(recommended() as HTMLElement).getByText(word)).toBeTruthy();
  });

  it("is left out while nobody has looked", async () => {
    await stage(inboxOf(request(1_000)));
    expect(recommended()).toBeNull();
    expect(parts()).toBeNull();
  });

  it("spells out hidden characters like everything else", async () => {
    await stage(inboxOf(request(1_000, { verdict: verdict("ask", "reads", "reads `a⟨U+200B⟩b`") })));
    expect(recommended()?.querySelector("code mark")?.textContent).toBe("⟨U+200B⟩");
  });
});

describe("the parts of a command", () => {
  it("are marked where they stand, and explained below", async () => {
    await stage(inboxOf(offered(1_000)));
    expect(marked()).toEqual([
      ["git add -A", "marks what is there for the next commit"],
      ["npm run build", "runs the project's script `build`"],
      ["rm -rf dist/old", "deletes `dist/old` and everything under it"],
    ]);
    const rows = within(parts() as HTMLElement).getAllByRole("listitem");
    expect(rows.map((row) => row.querySelector(".kind")?.textContent)).toEqual([
      "changes files",
      "runs code",
      "destroys",
    ]);
  });

  it("leave the text as it is, line by line", async () => {
    const asked = script(1_000);
    await stage(inboxOf(asked));
    expect([...block().querySelectorAll("li")].map((line) => line.textContent)).toEqual(asked.text.split("\n"));
    expect(marked().map(([piece]) => piece)).toEqual(
      [2, 3, 5, 6].map((line) => asked.text.split("\n")[line]?.trimStart()),
    );
  });

  it("need no marks where they may pass", async () => {
    await stage(inboxOf(safe(1_000)));
    expect(marked()).toEqual([]);
  });

  it("are not listed where there is but one", async () => {
    await stage(inboxOf(catastrophe(1_000)));
    expect(parts()).toBeNull();
    expect(marked()).toEqual([["rm -rf ~/", "deletes the home directory and everything in it"]]);
  });
});

describe("what the judge says", () => {
  const judge = () =>
    screen.queryByRole("status", { name: "What the judge says" })?.textContent.replace(/\s+/g, " ").trim();
  const [allowed, declined, awaited, failed] = advised(1_000);

  it.each([
    [allowed, /^The judge would allow it\. You asked to bring the database up to date.* 1 s$/],
    [declined, /^The judge would decline it\. It sends secrets to a stranger\./],
    [awaited, /^The judge is being asked …$/],
    [failed, /^No verdict: timed out after 60000 ms/],
    [request(1_000), undefined],
  ])("is quoted as its own words", async (asked, said) => {
    await stage(inboxOf(asked as Request));
    if (said) expect(judge()).toMatch(said);
    else expect(judge()).toBeUndefined();
  });

  it("is told to be over where it declined too often", async () => {
    await stage(inboxOf(declined as Request));
    expect(screen.getByText(/answers nothing here any more/)).toBeTruthy();
  });
});
