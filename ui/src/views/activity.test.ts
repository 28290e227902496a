import { screen, waitFor } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import { request } from "../host/fake/requests";
import { inboxOf, stage, to } from "../test/stage";

const open = async () => {
  const one = request(5_000, { text: "make lint" });
  const staged = await stage(inboxOf(one));
  await staged.user.keyboard(to("activity"));
  await screen.findByText("100 entries");
  return { ...staged, one };
};

const titles = () => [...document.querySelectorAll("summary .what")].map((title) => title.textContent?.trim());

describe("the activity", () => {
  it("loads the newest, and older ones on demand, to the end", async () => {
    const { user, calls } = await open();
    await user.click(screen.getByRole("button", { name: "Load older" }));
    await screen.findByText("200 entries");
    await user.click(screen.getByRole("button", { name: "Load older" }));
    await screen.findByText("230 entries");
    expect(screen.queryByRole("button", { name: "Load older" })).toBeNull();
    expect(screen.getByText("That is everything on record.")).toBeTruthy();
    expect(calls("activity").map((call) => call.before)).toEqual([null, 131, 31]);
  });

  it("shows what is settled while it is open, first and once", async () => {
    const { host, one } = await open();
    host.settle(one.key, { by: "you", decision: { kind: "stop" } });
    await screen.findByText("101 entries");
    expect(titles()[0]).toBe("Run make lint");
  });

  it("is filtered by what was asked and by how it ended", async () => {
    const { user } = await open();
    await user.type(screen.getByLabelText("Filter"), "could not be delivered");
    await waitFor(() => expect(titles().length).toBeLessThan(100));
    expect(titles().length).toBeGreaterThan(0);
    expect(screen.getByText(/of 100 entries/)).toBeTruthy();
    await user.type(screen.getByLabelText("Filter"), " nowhere");
    expect(await screen.findByText("Nothing matches.")).toBeTruthy();
  });

  it("opens a row to its full text", async () => {
    const { user } = await open();
    expect(screen.queryByRole("region")).toBeNull();
    const [first] = document.querySelectorAll("summary");
    if (first) await user.click(first);
    expect(await screen.findByRole("region", { name: "Full text of what was asked" })).toBeTruthy();
  });

  it("says why it could not be loaded, and tries again", async () => {
    const { host, user } = await stage(inboxOf());
    host.refusals.set("activity", { code: "failed", message: "the log can't be read", hint: "" });
    await user.keyboard(to("activity"));
    expect(await screen.findByText("The log can't be read.")).toBeTruthy();
    host.refusals.clear();
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("100 entries")).toBeTruthy();
  });

  it("teaches what it is for when it is empty", async () => {
    const { host, user } = await stage(inboxOf());
    host.rows = [];
    await user.keyboard(to("activity"));
    expect(await screen.findByText("Nothing has been settled yet.")).toBeTruthy();
  });
});
