import { cleanup, screen } from "@testing-library/svelte";
import { beforeEach, describe, expect, it } from "vitest";

import { scenes } from "../host/fake/scenes";
import { stage } from "../test/stage";

const words = /No tray shows Gavel/;

describe("where there is no tray", () => {
  beforeEach(() => localStorage.clear());

  it("is said once, until it is put away", async () => {
    const { user } = await stage({ ...scenes.empty(), tray: false });
    expect(screen.getByText(words)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Dismiss" }));
    expect(screen.queryByText(words)).toBeNull();
    cleanup();
    await stage({ ...scenes.empty(), tray: false });
    expect(screen.queryByText(words)).toBeNull();
  });

  it("is not said while it isn't known, nor where there is one", async () => {
    for (const tray of [null, true]) {
      await stage({ ...scenes.empty(), tray });
      expect(screen.queryByText(words)).toBeNull();
      cleanup();
    }
  });
});
