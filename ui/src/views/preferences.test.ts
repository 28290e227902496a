import { screen, waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import { scenes } from "../host/fake/scenes";
import { stage, to } from "../test/stage";

async function preferences(snapshot = scenes.empty()) {
  const staged = await stage(snapshot);
  await staged.user.keyboard(to("preferences"));
  return { ...staged, chosen: snapshot.preferences };
}

describe("the preferences", () => {
  it("are sent whole, with one of them changed", async () => {
    const { user, calls, chosen } = await preferences();
    await user.click(screen.getByLabelText(/Notify when/));
    await user.click(screen.getByLabelText(/Look for OpenCode servers/));
    await user.click(screen.getByLabelText("light"));
    await user.click(screen.getByLabelText(/Let commands pass/));
    expect(calls("set_preferences").map((call) => call.preferences)).toEqual([
      { ...chosen, notify: false },
      { ...chosen, notify: false, discover: false },
      { ...chosen, notify: false, discover: false, panel: "light" },
      { ...chosen, notify: false, discover: false, panel: "light", rules: false },
    ]);
  });

  it("keep the change before, also where it is not on screen yet", async () => {
    const { host, user, calls, chosen } = await preferences();
    host.publish = () => {};
    const field = screen.getByLabelText<HTMLInputElement>(/Wait before notifying/);
    await user.clear(field);
    await user.type(field, "2");
    // Leaving the field is what changes it.
    await user.click(screen.getByLabelText(/Notify when/));
    expect(calls("set_preferences").map((call) => call.preferences)).toEqual([
      { ...chosen, grace: 2_000 },
      { ...chosen, grace: 2_000, notify: false },
    ]);
  });

  it("change the language of the whole window, and back", async () => {
    const { user, calls } = await preferences();
    await user.click(screen.getByLabelText("Русский"));
    const heading = await screen.findByRole("heading", { name: "Настройки" });
    expect(document.documentElement.lang).toBe("ru");
    expect(within(screen.getByRole("navigation")).getByRole("button", { name: /^Входящие/ })).toBeTruthy();
    expect(heading.isConnected).toBe(true);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Русский")));
    await user.click(screen.getByLabelText("English"));
    await screen.findByRole("heading", { name: "Preferences" });
    expect(calls("set_preferences").map((call) => call.preferences.language)).toEqual(["russian", "english"]);
  });

  it("keep the language when it can't be kept", async () => {
    const { host, user } = await preferences();
    host.refusals.set("set_preferences", { code: "failed", message: "the disk is full", hint: "" });
    const russian = screen.getByLabelText<HTMLInputElement>("Русский");
    await user.click(russian);
    expect(await screen.findByText("The disk is full.")).toBeTruthy();
    await waitFor(() => expect(russian.checked).toBe(false));
    expect(screen.getByLabelText<HTMLInputElement>("As the system").checked).toBe(true);
  });

  it("leave what is being typed alone, whatever else happens", async () => {
    const { host, user } = await preferences();
    const field = screen.getByLabelText<HTMLInputElement>(/Wait before notifying/);
    await user.clear(field);
    await user.type(field, "2.5");
    host.publish({ paused: true, preferences: { ...host.snapshot.preferences } });
    await waitFor(() => expect(screen.getByRole("button", { name: "Paused" })).toBeTruthy());
    expect(field.value).toBe("2.5");
  });

  it("take the grace delay in seconds", async () => {
    const { user, calls } = await preferences();
    const field = screen.getByLabelText(/Wait before notifying/);
    await user.clear(field);
    await user.type(field, "2.5{Tab}");
    expect(calls("set_preferences").map((call) => call.preferences.grace)).toEqual([2_500]);
    await user.clear(field);
    await user.type(field, "61{Tab}");
    await waitFor(() => expect(field.getAttribute("aria-invalid")).toBe("true"));
    expect(calls("set_preferences")).toHaveLength(1);
  });

  it("stay as they were when the change fails", async () => {
    const { host, user } = await preferences();
    host.refusals.set("set_preferences", { code: "failed", message: "the disk is full", hint: "" });
    const box = screen.getByLabelText<HTMLInputElement>(/Notify when/);
    const radio = screen.getByLabelText<HTMLInputElement>("dark");
    await user.click(box);
    await user.click(screen.getByLabelText("light"));
    expect(await screen.findByText("The disk is full.")).toBeTruthy();
    await waitFor(() => expect(box.checked).toBe(true));
    await waitFor(() => expect(radio.checked).toBe(true));
  });

  it("take the keys that bring the inbox up, and none again", async () => {
    const { user, calls } = await preferences();
    await user.click(screen.getByRole("button", { name: "Use Ctrl+Alt+G" }));
    const field = screen.getByLabelText<HTMLInputElement>(/^Keys that bring/);
    expect(field.value).toBe("Ctrl+Alt+G");
    await user.click(field);
    await user.keyboard("x{Control>}{Shift>}k{/Shift}{/Control}");
    await user.keyboard("{Control>}1{/Control}");
    expect(screen.getByRole("heading", { name: "Preferences" })).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Use none" }));
    const chosen = calls("set_preferences").map((call) => call.preferences.shortcut);
    expect(chosen).toEqual(["Ctrl+Alt+G", "Ctrl+Shift+K", "Ctrl+1", ""]);
  });

  it("say when the keys are not heard, and why", async () => {
    const bare = scenes.bare();
    await preferences({ ...bare, preferences: { ...bare.preferences, shortcut: "Ctrl+Alt+G" } });
    expect(screen.getByText(/These keys are not heard/)).toBeTruthy();
    expect(screen.getByText("Another program holds these keys.").lang).toBe("en");
  });

  it("say what to do where a desktop passes no keys on", async () => {
    const scene = scenes.empty();
    const preferred = { ...scene.preferences, shortcut: "Ctrl+Alt+G" };
    await preferences({ ...scene, preferences: preferred, shortcut: { state: "withheld" } });
    expect(screen.getByText(/under Wayland a program hears only/).textContent).toMatch(/run gavel --show/);
  });

  it("pause, resume and quit", async () => {
    const { user, calls } = await preferences();
    const main = () => screen.getByRole("main");
    const named = (name: string) =>
      [...main().querySelectorAll("button")].find((button) => button.textContent?.trim() === name);
    await user.click(named("Pause notifications") as HTMLElement);
    await waitFor(() => expect(named("Resume notifications")).toBeTruthy());
    await user.click(named("Resume notifications") as HTMLElement);
    expect(calls("pause").map((call) => call.paused)).toEqual([true, false]);
    await user.click(named("Quit Gavel") as HTMLElement);
    expect(calls("quit")).toHaveLength(1);
  });

  it("say what works here and what doesn't", async () => {
    await preferences();
    expect(screen.getByText(/Shown by dunst 1\.9\.0\. You can answer from the notification/)).toBeTruthy();
    expect(screen.getByText(/Passwords are kept in the operating system’s keychain/)).toBeTruthy();
    expect(screen.getByText(/The tray shows Gavel’s icon/)).toBeTruthy();
  });

  it("say what is missing and what to do about it", async () => {
    await preferences(scenes.bare());
    expect(screen.getByText("No program on this desktop shows notifications.")).toBeTruthy();
    expect(screen.getByText(/Install and start one/)).toBeTruthy();
    expect(screen.getByText(/No secret service answers on the session bus\./)).toBeTruthy();
    const panel = within(screen.getByRole("region", { name: "Tray" }));
    expect(panel.getByText(/No tray shows Gavel’s icon/)).toBeTruthy();
  });
});
