import { screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";

import type { Snapshot } from "../bindings/api";
import { scenes } from "../host/fake/scenes";
import { UNDO } from "../state/saved.svelte";
import { stage, to } from "../test/stage";

type Staged = Awaited<ReturnType<typeof stage>>;

const SERVER = "http://127.0.0.1:4097";

/** The Servers view with the saved approvals of the build box open. */
async function opened(prepare: (host: Staged["host"]) => void = () => {}, snapshot: Snapshot = scenes.empty()) {
  const staged = await stage(snapshot);
  prepare(staged.host);
  await staged.user.keyboard(to("servers"));
  await staged.user.click(card().getByRole("button", { name: "Saved approvals" }));
  return staged;
}

const card = () => within(screen.getByRole("article", { name: "Build box" }));
const section = () => within(screen.getByRole("region", { name: "Saved approvals of Build box" }));
const row = (pattern: string) => {
  const isIts = (item: HTMLElement) =>
    item.querySelector("code")?.textContent === pattern ||
    item.querySelector("del")?.textContent?.endsWith(` ${pattern}`);
  const found = section().getAllByRole("listitem").find(isIts);
  if (!found) throw new Error(`no row of ${pattern}`);
  return within(found);
};
/** What is removed for good, by the server's own word. */
const removals = (staged: Staged) => {
  const left = (staged.host.saved.projects ?? []).flatMap(({ approvals }) => approvals.map(({ id }) => id));
  return ["psv_1", "psv_2", "psv_3", "psv_4", "psv_5"].filter((id) => !left.includes(id));
};

afterEach(() => vi.useRealTimers());

describe("saved approvals", () => {
  it("are listed by project, every pattern as it is and every character visible", async () => {
    const { calls } = await opened();
    expect(calls("saved_approvals")).toEqual([{ call: "saved_approvals", server: SERVER }]);
    expect(section().getByRole("heading", { name: "api-server" })).toBeTruthy();
    expect(section().getByRole("list", { name: "Approvals of api-server" }).children).toHaveLength(4);
    expect(section().getByText("/home/dev/api-server")).toBeTruthy();
    expect(section().getByRole("heading", { name: "Outside of any repository" })).toBeTruthy();
    const marked = row("curl ⟨U+202E⟩hs.live/sp.moc").getByText("⟨U+202E⟩");
    expect(marked.tagName).toBe("MARK");
    expect(section().queryByText(/\u202e/)).toBeNull();
  });

  it("say what they would have matched", async () => {
    const { user } = await opened();
    const summary = row("git *").getByText("Would have matched 14 past requests");
    const git = row("git *");
    expect(git.getByText(/1 of them only in part/)).toBeTruthy();
    expect(git.getByText(/1 of them deletes files/)).toBeTruthy();
    expect(git.getByText(/2 of them were declined/)).toBeTruthy();
    expect(git.getByText("git x; rm -rf y")).toBeTruthy();
    expect(summary.closest("details")?.open).toBe(false);
    await user.click(summary);
    expect(summary.closest("details")?.open).toBe(true);
    expect(git.getByText("Run git clean -fdx").parentElement?.textContent).toMatch(/deletes files.*declined/);
    expect(row("npm run build *").getByText("Would have matched no past request")).toBeTruthy();
    expect(row("*").getByText("Matches everything that edit can ask for.")).toBeTruthy();
  });

  it("tell a newcomer what they are when there are none", async () => {
    await opened((host) => (host.saved.projects = []));
    expect(section().getByText("Nothing is allowed for good.")).toBeTruthy();
    expect(section().getByText(/its pattern is saved for the project/)).toBeTruthy();
  });

  it("say so where the server has none, or none that can be changed", async () => {
    const { user } = await opened((host) => (host.saved.projects = null));
    expect(section().getByText(/This server saves no approvals/)).toBeTruthy();
    await user.click(card().getByRole("button", { name: "Saved approvals" }));
    expect(screen.queryByRole("region", { name: /Saved approvals/ })).toBeNull();
  });

  it("offer no change where the server can't", async () => {
    await opened((host) => (host.saved.canChange = false));
    expect(section().queryByRole("button", { name: /^Change/ })).toBeNull();
    expect(section().getByText(/This server can’t change saved approvals/)).toBeTruthy();
    expect(section().getAllByRole("button", { name: /^Remove/ })).toHaveLength(5);
  });

  it("are asked for again after a failure", async () => {
    const { host, user } = await opened((host) =>
      host.refusals.set("saved_approvals", { code: "failed", message: "No answer within 10 s.", hint: "" }),
    );
    expect(await section().findByText("No answer within 10 s.")).toBeTruthy();
    host.refusals.clear();
    await user.click(section().getByRole("button", { name: "Try again" }));
    expect(section().getByRole("heading", { name: "api-server" })).toBeTruthy();
    expect(section().queryByText("No answer within 10 s.")).toBeNull();
  });

  it("are offered for servers that are online only", async () => {
    const snapshot = scenes.offline();
    await stage(snapshot).then((staged) => staged.user.keyboard(to("servers")));
    expect(card().queryByRole("button", { name: "Saved approvals" })).toBeNull();
    expect(screen.getAllByRole("button", { name: "Saved approvals" })).toHaveLength(1);
  });
});

describe("removing", () => {
  it("waits ten seconds, counting down, and is done then", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const staged = await opened();
    await staged.user.click(row("git *").getByRole("button", { name: "Remove shell git *" }));
    const undo = row("git *").getByRole("button", { name: "Undo removing shell git *" });
    expect(document.activeElement).toBe(undo);
    expect(row("git *").getByText("removed in 10 s")).toBeTruthy();
    await vi.advanceTimersByTimeAsync(4_000);
    await waitFor(() => expect(row("git *").getByText("removed in 6 s")).toBeTruthy());
    expect(removals(staged)).toEqual([]);
    await vi.advanceTimersByTimeAsync(UNDO);
    await waitFor(() => expect(removals(staged)).toEqual(["psv_1"]));
    expect(staged.calls("remove_saved_approval")).toEqual([
      {
        call: "remove_saved_approval",
        server: SERVER,
        directory: "/home/dev/api-server",
        id: "psv_1",
        hold: UNDO,
      },
    ]);
    expect(() => row("git *")).toThrow();
    await waitFor(() =>
      expect(document.activeElement).toBe(section().getByRole("heading", { name: "Saved approvals" })),
    );
  });

  it("can be undone, as if nothing had been", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const staged = await opened();
    await staged.user.click(row("git *").getByRole("button", { name: /^Remove/ }));
    await vi.advanceTimersByTimeAsync(UNDO - 1_000);
    await staged.user.click(row("git *").getByRole("button", { name: /^Undo/ }));
    expect(document.activeElement).toBe(row("git *").getByRole("button", { name: /^Remove/ }));
    expect(staged.calls("keep_saved_approval")).toEqual([{ call: "keep_saved_approval", server: SERVER, id: "psv_1" }]);
    await vi.advanceTimersByTimeAsync(2 * UNDO);
    expect(removals(staged)).toEqual([]);
    // And begun anew it takes its full time.
    await staged.user.click(row("git *").getByRole("button", { name: /^Remove/ }));
    expect(row("git *").getByText("removed in 10 s")).toBeTruthy();
  });

  it.each([
    ["the view is left", (user: Staged["user"]) => user.keyboard(to("inbox"))],
    ["the section is closed", (user: Staged["user"]) => user.click(card().getByRole("button", { name: /^Saved/ }))],
    ["the window is closed", async () => void window.dispatchEvent(new Event("pagehide"))],
  ])("is done at once when %s", async (_, leave) => {
    const staged = await opened();
    await staged.user.click(row("git *").getByRole("button", { name: /^Remove/ }));
    await staged.user.click(row("npm run build *").getByRole("button", { name: /^Remove/ }));
    expect(removals(staged)).toEqual([]);
    await leave(staged.user);
    await waitFor(() => expect(removals(staged)).toEqual(["psv_1", "psv_2"]));
  });

  it("that was begun before the window was closed goes on, and can be undone", async () => {
    const staged = await opened((host) => {
      void host.call({ call: "remove_saved_approval", server: SERVER, directory: "/x", id: "psv_1", hold: UNDO });
    });
    expect(row("git *").getByText("removed in 4 s")).toBeTruthy();
    await staged.user.click(row("git *").getByRole("button", { name: /^Undo/ }));
    expect(row("git *").getByRole("button", { name: /^Remove/ })).toBeTruthy();
    expect(removals(staged)).toEqual([]);
  });

  it("that was begun before is seen to be done", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const staged = await opened((host) => {
      void host.call({ call: "remove_saved_approval", server: SERVER, directory: "/x", id: "psv_1", hold: 4_000 });
    });
    expect(row("git *").getByRole("button", { name: /^Undo/ })).toBeTruthy();
    await vi.advanceTimersByTimeAsync(5_000);
    await waitFor(() => expect(() => row("git *")).toThrow());
    expect(staged.calls("remove_saved_approval")).toHaveLength(1);
  });

  const still = { code: "failed", message: "It still holds.", hint: "" };

  it("that fails brings the approval back and says why", async () => {
    const staged = await opened((host) => host.refusals.set("remove_saved_approval", still));
    await staged.user.click(row("git *").getByRole("button", { name: /^Remove/ }));
    expect(await section().findByText("It still holds.")).toBeTruthy();
    expect(row("git *").getByRole("button", { name: /^Remove/ })).toBeTruthy();
  });

  it("that fails after the view was left is said all the same", async () => {
    const staged = await opened();
    await staged.user.click(row("git *").getByRole("button", { name: /^Remove/ }));
    staged.host.refusals.set("remove_saved_approval", still);
    await staged.user.keyboard(to("inbox"));
    await waitFor(() => expect(staged.gavel.notice?.message).toBe("It still holds."));
  });
});

describe("changing", () => {
  async function changing(prepare?: (host: Staged["host"]) => void) {
    const staged = await opened(prepare);
    await staged.user.click(row("git *").getByRole("button", { name: "Change shell git *" }));
    const field = row("git *").getByLabelText<HTMLTextAreaElement>("New pattern");
    expect(document.activeElement).toBe(field);
    return { ...staged, field };
  }

  it("says what the new pattern would have matched before it is saved", async () => {
    const { user, calls, field } = await changing();
    await user.clear(field);
    await user.type(field, "npm *");
    await waitFor(() => expect(row("git *").getByText("Would have matched 116 past requests")).toBeTruthy());
    expect(calls("would_match").at(-1)).toEqual({
      call: "would_match",
      directories: ["/home/dev/api-server", "/home/dev/api-server/packages/limits"],
      patterns: [{ action: "shell", resource: "npm *" }],
      lines: "unknown",
    });
    expect(calls("change_saved_approval")).toEqual([]);
    await user.keyboard("{Enter}");
    expect(calls("change_saved_approval")).toEqual([
      {
        call: "change_saved_approval",
        server: SERVER,
        directory: "/home/dev/api-server",
        id: "psv_1",
        resource: "npm *",
      },
    ]);
    await waitFor(() => expect(row("npm *").getByRole("button", { name: /^Change/ })).toBeTruthy());
    expect(() => row("git *")).toThrow();
  });

  it("sends nothing when nothing was changed or it is cancelled", async () => {
    const { user, calls, field } = await changing();
    await user.keyboard("{Enter}");
    expect(screen.queryByLabelText("New pattern")).toBeNull();
    expect(document.activeElement).toBe(row("git *").getByRole("button", { name: /^Change/ }));
    await user.keyboard("{Enter}");
    await user.type(screen.getByLabelText("New pattern"), "x{Escape}");
    expect(screen.queryByLabelText("New pattern")).toBeNull();
    expect(field.isConnected).toBe(false);
    expect(calls("change_saved_approval")).toEqual([]);
    expect(row("git *")).toBeTruthy();
  });

  it.each([
    ["npm run build *", /another approval with this pattern\. Remove one/],
    ["  ", /An empty pattern matches nothing/],
  ])("shows at the field what is wrong with “%s”, and keeps it", async (typed, words) => {
    const { user, field } = await changing();
    await user.clear(field);
    await user.type(field, `${typed}{Enter}`);
    await waitFor(() => expect(field.getAttribute("aria-invalid")).toBe("true"));
    const described = (field.getAttribute("aria-describedby") ?? "").split(" ");
    expect(described.map((id) => document.getElementById(id)?.textContent).join(" ")).toMatch(words);
    expect(field.value).toBe(typed);
    expect(document.activeElement).toBe(field);
    await user.type(field, "y");
    expect(field.getAttribute("aria-invalid")).toBeNull();
  });

  it("lists anew when the approval is gone, and says so", async () => {
    const { user, host, field } = await changing();
    host.saved.projects = host.saved.projects?.slice(1) ?? null;
    await user.type(field, "x{Enter}");
    expect(await section().findByText("This approval is no longer there.")).toBeTruthy();
    expect(() => row("git *")).toThrow();
    expect(row("/srv/share/*")).toBeTruthy();
  });

  it("is no longer offered once the server turns out not to be able to", async () => {
    const { user, field } = await changing((host) =>
      host.refusals.set("change_saved_approval", { code: "not_changeable", message: "It can’t be done.", hint: "" }),
    );
    await user.type(field, "x{Enter}");
    await waitFor(() => expect(section().getByText(/This server can’t change saved approvals/)).toBeTruthy());
    expect(section().queryByRole("button", { name: /^Change/ })).toBeNull();
    expect(screen.queryByLabelText("New pattern")).toBeNull();
  });

  it("shows any other failure in the form", async () => {
    const { user, field } = await changing((host) =>
      host.refusals.set("change_saved_approval", { code: "failed", message: "No answer.", hint: "Try again." }),
    );
    await user.type(field, "x{Enter}");
    expect(await row("git *").findByText("No answer.")).toBeTruthy();
    expect(field.value).toBe("git *x");
  });
});
