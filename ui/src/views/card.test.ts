import { screen, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import { emptyCard, reportCard } from "../host/fake/card";
import { inboxOf, stage } from "../test/stage";

async function open(card = reportCard()) {
  const staged = await stage(inboxOf());
  staged.host.card = card;
  staged.gavel.view = "judge";
  const region = await screen.findByRole("region", { name: "Report card" });
  return { ...staged, region };
}

describe("the report card", () => {
  it("begins with what a judge would have allowed and the user declined", async () => {
    const { region } = await open();
    const model = await within(region).findByRole("article", { name: "gpt-5-mini" });
    const [first] = model.querySelectorAll("p");
    expect(first?.textContent).toBe("It would have allowed 2 requests that you declined (of 148 compared).");
    expect(within(model).getByText("Run git push --force origin main")).toBeTruthy();
    expect(within(model).getByText("You wrote: Never force main.")).toBeTruthy();
    expect(within(model).getByText("141 of 148 (95 %)")).toBeTruthy();
    expect(within(model).getByText("median 1.2 s, 95 of 100 within 4.8 s")).toBeTruthy();
    expect(within(model).getByText("HTTP error 429: 6 times")).toBeTruthy();
  });

  it("rounds agreement down: all but one is not all", async () => {
    const { region } = await open();
    const analysis = await within(region).findByRole("article", { name: "Analysis on this machine" });
    expect(within(analysis).getByText("235 of 236 (99 %)")).toBeTruthy();
  });

  it("says by which rule Auto looks safe, what is missing elsewhere, and switches nothing", async () => {
    const { region, user, gavel, host } = await open();
    await within(region).findByText(/within 30 days, you decided 50 requests/);
    expect(within(region).getByText(/api-server: Auto looks safe here, after 84 answers of yours\./)).toBeTruthy();
    const notYet = (project: string) => within(region).getByText(new RegExp(`${project}: not yet`)).textContent;
    expect(notYet("web-shop")).toContain("It would have allowed a request that you declined.");
    expect(notYet("dotfiles")).toContain("38 more answers of yours are needed. 16 more that both of you allow.");
    await user.click(within(region).getByRole("button", { name: "Choose a mode …" }));
    expect(gavel.view).toBe("modes");
    expect(host.calls.filter(({ call }) => call === "set_mode")).toEqual([]);
  });

  it("names the mode in which a judge is only compared", async () => {
    const { region } = await open();
    expect(await within(region).findByText("Shadow mode:")).toBeTruthy();
  });

  it("has nothing to say before anything was judged", async () => {
    const { region } = await open(emptyCard());
    expect(await within(region).findByText("No judge has said anything yet.")).toBeTruthy();
    expect(within(region).queryByText("Shadow mode:")).toBeNull();
  });
});
