/** The real host: one command, three events. */
import { invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";

import type { Activity, Answer, Snapshot } from "../bindings/api";
import type { Host, Show } from ".";

export const tauriHost: Host = {
  call: (call) => invoke<Answer>("call", { call }),
  async listen(listener) {
    const ends = await Promise.all([
      listen<Snapshot>("snapshot", (event) => listener.snapshot(event.payload)),
      listen<Activity>("activity", (event) => listener.activity(event.payload)),
      listen<Show>("show", (event) => listener.show(event.payload)),
    ]);
    return () => ends.forEach((end) => end());
  },
};
