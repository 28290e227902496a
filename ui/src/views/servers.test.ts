import { screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";

import type { Link } from "../bindings/api";
import { scenes } from "../host/fake/scenes";
import { stage, to } from "../test/stage";

async function servers(snapshot = scenes.empty()) {
  const staged = await stage(snapshot);
  await staged.user.keyboard(to("servers"));
  return staged;
}

const card = (name: string) => within(screen.getByRole("article", { name }));

/** A snapshot with one server, which wants a password. */
const locked = (keychain: boolean) => {
  const snapshot = scenes.password();
  return {
    ...snapshot,
    servers: snapshot.servers.slice(1),
    keychain: { available: keychain, problem: keychain ? "" : "no secret service answers" },
  };
};

afterEach(() => vi.useRealTimers());

describe("a server", () => {
  it.each<[Link, RegExp]>([
    [{ state: "connecting" }, /Connecting/],
    [{ state: "online", version: "1.18.33", dialect: "v1" }, /Online.*OpenCode 1\.18\.33/s],
    [{ state: "offline", reason: "connection refused", gone: false }, /Offline.*Connection refused\. Gavel keeps/s],
    [{ state: "offline", reason: "it ended", gone: true }, /Gone.*It ended\. Nothing listens/s],
    [{ state: "needs_password", refused: false }, /Needs a password/],
    [{ state: "needs_password", refused: true }, /Password refused/],
    [
      { state: "not_open_code", reason: "it is a web page", gone: false },
      /Not an OpenCode server.*It is a web page\. Nothing is sent to it\./s,
    ],
    [
      { state: "not_open_code", reason: "it is a web page", gone: true },
      /Not an OpenCode server.*It is a web page\. Another program has taken this address\./s,
    ],
  ])("says its state in words: %j", async (link, words) => {
    const snapshot = scenes.empty();
    await servers({ ...snapshot, servers: snapshot.servers.slice(1).map((server) => ({ ...server, link })) });
    expect(screen.getByRole("article").textContent).toMatch(words);
  });

  it("counts the seconds since it was in sync", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await servers();
    expect(card("Build box").getByText(/in sync 3 s ago/)).toBeTruthy();
    await vi.advanceTimersByTimeAsync(2_000);
    await waitFor(() => expect(card("Build box").getByText(/in sync 5 s ago/)).toBeTruthy());
  });

  it("can be removed if the user added it, and had again as it was", async () => {
    const { user, calls } = await servers();
    expect(card("127.0.0.1:4096").queryByRole("button", { name: /Remove/ })).toBeNull();
    await user.click(card("Build box").getByRole("button", { name: "Remove Build box" }));
    expect(calls("remove_server")).toEqual([{ call: "remove_server", server: "http://127.0.0.1:4097" }]);
    const gone = within(await screen.findByRole("group", { name: "Removed: Build box" }));
    expect(screen.queryByRole("article", { name: "Build box" })).toBeNull();
    expect(gone.getByText(/can be undone for 10 s/)).toBeTruthy();
    // The focus is where it goes on, and back where it came from.
    const undo = gone.getByRole("button", { name: "Undo removing Build box" });
    await waitFor(() => expect(document.activeElement).toBe(undo));
    await user.keyboard("{Enter}");
    expect(calls("watch_again")).toEqual([{ call: "watch_again", server: "http://127.0.0.1:4097" }]);
    const again = await screen.findByRole("button", { name: "Remove Build box" });
    await waitFor(() => expect(document.activeElement).toBe(again));
    expect(screen.queryByRole("group", { name: "Removed: Build box" })).toBeNull();
  });

  it("stays removed once the time is over", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { user } = await servers();
    await user.click(card("Build box").getByRole("button", { name: "Remove Build box" }));
    await screen.findByRole("group", { name: "Removed: Build box" });
    await vi.advanceTimersByTimeAsync(10_000);
    await waitFor(() => expect(screen.queryByRole("group", { name: "Removed: Build box" })).toBeNull());
    vi.useRealTimers();
  });
});

describe("adding a server", () => {
  it("sends address and name, and empties the fields", async () => {
    const { user, calls } = await servers();
    await user.type(screen.getByLabelText("Address"), " http://127.0.0.1:5000 ");
    await user.type(screen.getByLabelText("Name"), "Laptop{Enter}");
    expect(calls("add_server")).toEqual([{ call: "add_server", url: "http://127.0.0.1:5000", name: "Laptop" }]);
    expect(await screen.findByRole("article", { name: "Laptop" })).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>("Address").value).toBe("");
  });

  it("shows a bad address at its field and keeps what was typed", async () => {
    const { user } = await servers();
    const field = screen.getByLabelText<HTMLInputElement>("Address");
    await user.type(field, "nonsense{Enter}");
    await waitFor(() => expect(field.getAttribute("aria-invalid")).toBe("true"));
    const error = document.getElementById(field.getAttribute("aria-describedby") ?? "");
    expect(error?.textContent).toMatch(/“nonsense” is not an address\. It looks like/);
    expect(field.value).toBe("nonsense");
    expect(document.activeElement).toBe(field);
  });

  it("shows any other failure as it is", async () => {
    const { host, user } = await servers();
    host.refusals.set("add_server", { code: "failed", message: "settings can't be written", hint: "the disk is full" });
    await user.type(screen.getByLabelText("Address"), "http://127.0.0.1:5000{Enter}");
    expect(await screen.findByText("Settings can't be written.")).toBeTruthy();
    expect(screen.getByLabelText("Address").getAttribute("aria-invalid")).toBeNull();
  });
});

describe("a password", () => {
  it("is asked for where it is wanted, and kept in the keychain", async () => {
    const { user, calls } = await servers(locked(true));
    await user.type(screen.getByLabelText("Password"), "s3cret{Enter}");
    expect(calls("set_password")).toEqual([
      { call: "set_password", server: "http://127.0.0.1:4096", username: "", password: "s3cret" },
    ]);
    await waitFor(() => expect(screen.queryByLabelText("Password")).toBeNull());
    expect(screen.getByText("Password in the keychain")).toBeTruthy();
  });

  it("comes from a variable where there is no keychain", async () => {
    const { user, calls } = await servers(locked(false));
    expect(screen.queryByLabelText("Password")).toBeNull();
    expect(screen.getByText("No secret service answers.")).toBeTruthy();
    await user.type(screen.getByLabelText("Name of the variable"), "BOX_PASSWORD{Enter}");
    expect(calls("set_password_variable")).toEqual([
      { call: "set_password_variable", server: "http://127.0.0.1:4096", variable: "BOX_PASSWORD" },
    ]);
    expect(await screen.findByText("Password from $BOX_PASSWORD")).toBeTruthy();
  });

  it("can come from a variable although there is a keychain", async () => {
    const { user, calls } = await servers(locked(true));
    await user.click(screen.getByLabelText("Environment variable"));
    await user.type(screen.getByLabelText("Name of the variable"), "BOX_PASSWORD{Enter}");
    expect(calls("set_password_variable")).toHaveLength(1);
  });

  it("offers the variable when the keychain turns out to be missing, and keeps the password nowhere", async () => {
    const { host, user } = await servers(locked(true));
    host.refusals.set("set_password", { code: "no_keychain", message: "no keychain", hint: "" });
    await user.type(screen.getByLabelText("Password"), "s3cret{Enter}");
    expect(await screen.findByLabelText("Name of the variable")).toBeTruthy();
    expect(screen.getByText(/There is no keychain here/)).toBeTruthy();
    expect(document.body.innerHTML).not.toContain("s3cret");
  });

  it("shows a bad name of a variable at its field", async () => {
    const { user } = await servers(locked(false));
    const field = screen.getByLabelText("Name of the variable");
    await user.type(field, "$BOX{Enter}");
    await waitFor(() => expect(field.getAttribute("aria-invalid")).toBe("true"));
    expect(document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent).toMatch(
      /“\$BOX” is not the name of a variable/,
    );
  });

  it("can be forgotten, and had again", async () => {
    const { user, calls } = await servers();
    await user.click(card("Build box").getByRole("button", { name: "Forget password" }));
    expect(calls("forget_password")).toEqual([{ call: "forget_password", server: "http://127.0.0.1:4097" }]);
    expect(await card("Build box").findByText(/that can be undone for 10 s/)).toBeTruthy();
    const undo = card("Build box").getByRole("button", { name: "Undo forgetting the password of Build box" });
    await waitFor(() => expect(document.activeElement).toBe(undo));
    await user.keyboard("{Enter}");
    expect(calls("keep_forgotten_password")).toEqual([
      { call: "keep_forgotten_password", server: "http://127.0.0.1:4097" },
    ]);
    expect(await card("Build box").findByText("Password in the keychain")).toBeTruthy();
    expect(card("Build box").queryByText(/can be undone/)).toBeNull();
  });

  it("that should be in a variable without a value is said to be missing", async () => {
    await servers(scenes.bare());
    expect(card("Build box").getByText(/BUILD_BOX_PASSWORD has no value/)).toBeTruthy();
  });
});
