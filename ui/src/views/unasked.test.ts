import { screen, waitFor, within } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";

import type { Modes } from "../bindings/api";
import type { View } from "../host";
import { modes, stance, unasked } from "../host/fake/modes";
import { scenes } from "../host/fake/scenes";
import { stage, to } from "../test/stage";

async function opened(change: Partial<Modes> = {}, view: View = "modes") {
  const snapshot = scenes.silent();
  const staged = await stage({ ...snapshot, modes: { ...snapshot.modes, ...change } });
  await staged.user.keyboard(to(view));
  return staged;
}

const section = () => within(screen.getByRole("region", { name: "Nobody is asked" }));
const items = () => within(section().getByRole("list", { name: "Nobody is asked" })).getAllByRole("listitem");

describe("where nobody is asked", () => {
  it("is looked for when the modes are opened, and again only when another server is there", async () => {
    const { calls, host } = await opened();
    await waitFor(() => expect(calls("find_unasked")).toHaveLength(1));
    host.publish({});
    const [first, ...rest] = host.snapshot.servers;
    if (first) host.publish({ servers: [first, ...rest, { ...first, id: "http://127.0.0.1:4200" }] });
    await waitFor(() => expect(calls("find_unasked")).toHaveLength(2));
  });

  it("is told once for each, with what that means", async () => {
    await opened();
    expect(items()).toHaveLength(2);
    expect(items()[0]?.textContent).toMatch(
      /OpenCode never asks in api-server: Gavel will not be called\..*\/home\/dev\/api-server\s*on 127\.0\.0\.1:4096/s,
    );
    expect(items()[1]?.textContent).toMatch(/does not ask about commands or edits in dotfiles: Gavel will hardly/);
    expect(screen.getAllByText(/OpenCode never asks in api-server/)).toHaveLength(1);
  });

  it("says when nothing outside the project is asked about either", async () => {
    const some = { commands: true, edits: true, outside: true, fetches: false, anything: false };
    await opened({ unasked: [unasked("api-server", { unasked: some })] });
    expect(items()[0]?.textContent).toMatch(/about commands, edits or anything outside the project in api-server/);
  });

  it("is a fact where the user chose it, and told once whatever the servers", async () => {
    const row = unasked("web-shop", { by_choice: true });
    await opened({ unasked: [row, { ...row, server: "http://127.0.0.1:4200" }] });
    expect(screen.queryByRole("region", { name: "Nobody is asked" })).toBeNull();
    expect(screen.getAllByText("Nobody is asked in web-shop, as you chose: Full access.")).toHaveLength(1);
  });

  it("is not spoken of where somebody is", async () => {
    await opened({ unasked: [] });
    expect(screen.queryByText(/Nobody is asked/)).toBeNull();
  });

  it("is mended with one click by a mode", async () => {
    const { user, calls, gavel } = await opened();
    await user.click(section().getByRole("button", { name: "Set Supervised for api-server" }));
    expect(calls("set_mode")).toEqual([
      {
        call: "set_mode",
        scope: { scope: "project", directory: "/home/dev/api-server" },
        stance: stance("supervised"),
      },
    ]);
    await waitFor(() => expect(items()).toHaveLength(1));
    expect(gavel.announcement).toBe("Supervised is set for api-server.");
    expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 }));
  });

  it("says why the mode could not be set, and stays", async () => {
    const { host, user } = await opened();
    host.refusals.set("set_mode", { code: "failed", message: "the settings can’t be written", hint: "" });
    await user.click(section().getByRole("button", { name: "Set Supervised for api-server" }));
    expect(await section().findByText("The settings can’t be written.")).toBeTruthy();
    expect(items()).toHaveLength(2);
  });

  it.each([
    ["api-server", "permission", /If the file has a “permission” already/],
    ["dotfiles", "permissions", /If the file has “permissions” already/],
  ])("is mended by what is copied for the OpenCode of %s", async (project, key, hint) => {
    const { user } = await opened();
    const item = within(items()[project === "api-server" ? 0 : 1] ?? document.body);
    await user.click(item.getByRole("button", { name: `Configuration for ${project}` }));
    expect(item.getByText(`/home/dev/${project}/opencode.json`)).toBeTruthy();
    expect(item.getByText(hint)).toBeTruthy();
    await user.click(item.getByRole("button", { name: "Copy" }));
    expect(await item.findByText("Copied.")).toBeTruthy();
    const copied = await navigator.clipboard.readText();
    expect(item.getByRole("region").textContent).toBe(copied);
    expect(JSON.parse(copied)).toHaveProperty(key);
  });

  it("says when it could not be copied", async () => {
    const { user } = await opened();
    await user.click(section().getByRole("button", { name: "Configuration for api-server" }));
    const failing = vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("no"));
    await user.click(section().getByRole("button", { name: "Copy" }));
    expect(await section().findByText(/could not be copied/)).toBeTruthy();
    failing.mockRestore();
  });

  it("shows every character of what is to be pasted", async () => {
    const { user } = await opened({ unasked: [unasked("api-server", { configuration: '{ "/a\u202e": "ask" }' })] });
    await user.click(section().getByRole("button", { name: "Configuration for api-server" }));
    expect(section().getByText("⟨U+202E⟩").tagName).toBe("MARK");
  });

  it("can be put aside, and brought back", async () => {
    const { user, calls } = await opened();
    expect(screen.getByText(/1 project is put aside/)).toBeTruthy();
    await user.click(section().getByRole("button", { name: "Put aside api-server" }));
    await waitFor(() => expect(items()).toHaveLength(1));
    await user.click(await screen.findByRole("button", { name: "Show" }));
    const aside = within(screen.getByRole("list", { name: "2 projects are put aside" }));
    await user.click(aside.getByRole("button", { name: "Bring back api-server" }));
    await waitFor(() => expect(items()).toHaveLength(2));
    expect(calls("put_aside")).toEqual([
      { call: "put_aside", directory: "/home/dev/api-server", aside: true },
      { call: "put_aside", directory: "/home/dev/api-server", aside: false },
    ]);
  });
});

describe("a server's card", () => {
  const card = (name: string) => within(screen.getByRole("article", { name }));

  it("names the projects in one line, and leads to the modes", async () => {
    const { user } = await opened({}, "servers");
    expect(card("127.0.0.1:4096").getByText(/Nobody is asked in api-server, dotfiles\./)).toBeTruthy();
    expect(card("Build box").queryByText(/Nobody is asked/)).toBeNull();
    await user.click(card("127.0.0.1:4096").getByRole("button", { name: /^See Modes/ }));
    expect(screen.getByRole("heading", { level: 1, name: "Modes" })).toBeTruthy();
  });

  it("says nothing where somebody is asked", async () => {
    await opened({ unasked: modes().unasked }, "servers");
    expect(screen.queryByText(/Nobody is asked/)).toBeNull();
  });
});
