import { screen, waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import { history } from "../host/fake/activity";
import { request } from "../host/fake/requests";
import { inboxOf, stage, to } from "../test/stage";

const open = async () => {
  const one = request(5_000, { text: "make lint" });
  const staged = await stage(inboxOf(one));
  await staged.user.keyboard(to("activity"));
  await screen.findByText("230 entries");
  await staged.user.click(screen.getByRole("button", { name: "Filters and export" }));
  return { ...staged, one };
};

const titles = () => [...document.querySelectorAll("summary .what")].map((title) => title.textContent?.trim());

describe("the activity", () => {
  it("loads the newest, and older ones on demand, to the end", async () => {
    const { user, calls } = await open();
    for (const before of [131, 31]) {
      await user.click(await screen.findByRole("button", { name: "Load older" }));
      await waitFor(() => expect(calls("activity").at(-1)?.before).toBe(before));
    }
    expect(await screen.findByText("That is everything on record.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Load older" })).toBeNull();
    expect(calls("activity").map((call) => call.before)).toEqual([null, 131, 31]);
  });

  it("shows what is settled while it is open, first and once", async () => {
    const { host, one } = await open();
    host.settle(one.key, { by: "you", decision: { kind: "stop" } });
    await screen.findByText("231 entries");
    expect(titles()[0]).toBe("Run make lint");
  });

  it("is looked through by the backend, all of it, by words and by choices", async () => {
    const { user, calls } = await open();
    await user.type(screen.getByLabelText("Filter"), "left-pad api-server");
    await screen.findByText(/^\d+ of 230 entries$/);
    await waitFor(() => expect(titles().every((title) => title?.includes("left-pad"))).toBe(true));
    await user.selectOptions(screen.getByLabelText("Outcome"), "Declined");
    await user.selectOptions(screen.getByLabelText("Who answered"), "You");
    await waitFor(() =>
      expect(calls("activity").at(-1)?.query).toMatchObject({
        text: "left-pad api-server",
        ending: "declined",
        answerer: "you",
      }),
    );
    await waitFor(() => expect(document.querySelectorAll("summary .outcome").length).toBeGreaterThan(0));
    for (const outcome of document.querySelectorAll("summary .outcome")) {
      expect(outcome.textContent).toMatch(/declined|stopped|Declined along/);
    }
    await user.type(screen.getByLabelText("Filter"), " nowhere");
    expect(await screen.findByText("Nothing matches.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    await screen.findByText("230 entries");
  });

  it("asks the backend whether what is settled meanwhile is looked for", async () => {
    const { host, user, one } = await open();
    await user.selectOptions(screen.getByLabelText("Outcome"), "Declined");
    await screen.findByText(/of 230 entries/);
    host.settle(one.key, { by: "you", decision: { kind: "allow_once" } });
    await waitFor(() => expect(screen.getByText(/of 231 entries/)).toBeTruthy());
    expect(titles()).not.toContain("Run make lint");
  });

  it("exports what is looked for, and says where to", async () => {
    const { user, calls } = await open();
    await user.selectOptions(screen.getByLabelText("Project"), "/home/dev/web-shop");
    await screen.findByText(/^\d+ of 230 entries$/);
    await user.click(screen.getByRole("button", { name: "Export as CSV" }));
    expect(await screen.findByText("/home/dev/Downloads/gavel-activity.csv")).toBeTruthy();
    expect(calls("export_activity")[0]?.query.project).toBe("/home/dev/web-shop");
  });

  it("says why nothing was exported", async () => {
    const { host, user } = await open();
    host.refusals.set("export_activity", { code: "failed", message: "the disk is full", hint: "" });
    await user.click(screen.getByRole("button", { name: "Export as JSON Lines" }));
    expect(await screen.findByText("The disk is full.")).toBeTruthy();
  });

  it("draws what is looked for, with a table behind each picture", async () => {
    const { user, calls } = await open();
    await user.click(screen.getByRole("button", { name: "Pictures" }));
    const picture = await screen.findByRole("img", { name: /^Allowed: \d+, Declined: \d+/ });
    expect(picture.querySelectorAll("rect").length).toBeGreaterThan(0);
    const days = calls("pictures").at(-1)?.days ?? [];
    expect([days.length, new Date(days.at(-1) ?? 0).toDateString()]).toEqual([30, new Date().toDateString()]);
    await user.click(screen.getByRole("button", { name: "Show as table: Requests per day, by outcome" }));
    const table = screen.getByRole("table");
    expect(table.querySelectorAll("tbody tr").length).toBe(30);
    const allowed = [...table.querySelectorAll("tbody tr td:nth-child(2)")].map((cell) => Number(cell.textContent));
    const told = Number(/Allowed: (\d+)/.exec(picture.getAttribute("aria-label") ?? "")?.[1]);
    expect(allowed.reduce((sum, count) => sum + count, 0)).toBe(told);
    await user.selectOptions(screen.getByLabelText("When it ended"), "Last 7 days");
    await waitFor(() => expect(calls("pictures").at(-1)?.days.length).toBe(7));
  });

  it("makes a rule of what was approved again and again with one click, and takes it back", async () => {
    const { host, user, calls } = await open();
    await user.click(screen.getByRole("button", { name: "Pictures" }));
    const [pass] = await screen.findAllByRole("button", { name: /^Let this pass from now on: / });
    if (!pass) throw new Error("nothing was asked often enough");
    await user.click(pass);
    expect(await screen.findByText(/^Passes from now on/)).toBeTruthy();
    const [made] = calls("change_rules");
    expect(made?.change).toEqual({ change: "learn", command: expect.any(String) as string });
    expect(made?.directory).toMatch(/^\//);
    // The same button, with the focus still on it.
    expect(document.activeElement).toBe(screen.getByRole("button", { name: /^Undo: let this pass/ }));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.queryByText(/^Passes from now on/)).toBeNull());
    expect(calls("undo_rules")).toHaveLength(1);

    host.refusals.set("change_rules", { code: "failed", message: "the file is broken", hint: "" });
    await user.keyboard("{Enter}");
    expect(await screen.findByText("The file is broken.")).toBeTruthy();
    expect(screen.queryByText(/^Passes from now on/)).toBeNull();
  });

  it("says where somebody was of another opinion, and all of what was said", async () => {
    const { host, user } = await stage(inboxOf());
    const [first] = history(1);
    if (!first) throw new Error("one row");
    host.rows = [
      {
        ...first,
        title: "Run git push",
        outcome: { outcome: "settled", settled: { by: "you", decision: { kind: "allow_once" } } },
        opinions: [
          { judge: null, source: "offline", recommendation: "ask", reason: "talks to `origin`", status: "ok" },
          {
            judge: { provider: "openai", model: "small" },
            source: "model",
            recommendation: "deny",
            reason: "Nobody asked for it.",
            status: "ok",
          },
        ],
      },
    ];
    await user.keyboard(to("activity"));
    const summary = await screen.findByText(/Judge \(small\) would have declined it/);
    await user.click(summary);
    const row = within(summary.closest("details") ?? document.body);
    expect(row.getByText("Analysis").nextElementSibling?.textContent).toMatch(/Left it to you\.\s+Talks to origin\./);
    const judge = row.getByText("Judge (small)").nextElementSibling;
    expect(judge?.textContent).toMatch(/Would have declined it\.\s+Nobody asked for it\./);
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
    expect(await screen.findByText("230 entries")).toBeTruthy();
  });

  it("teaches what it is for when it is empty", async () => {
    const { host, user } = await stage(inboxOf());
    host.rows = [];
    await user.keyboard(to("activity"));
    expect(await screen.findByText("Nothing has been settled yet.")).toBeTruthy();
  });
});
