/**
 * What is behind the window: the app itself, or, while developing and testing, a stand-in within the page.
 */
import type { Activity, Answer, Call, RequestKey, Snapshot } from "../bindings/api";

export type View = "inbox" | "activity" | "rules" | "grants" | "modes" | "judge" | "servers" | "preferences";

/** A wish of the backend: bring this view, and perhaps this request, up. */
export interface Show {
  view: View;
  request?: RequestKey | null;
}

/** What the backend tells of its own accord. */
export interface Listener {
  snapshot(snapshot: Snapshot): void;
  activity(row: Activity): void;
  show(wish: Show): void;
}

export interface Host {
  /** Rejects with a `Failure` or, when the call never got through, with whatever stopped it. */
  call(call: Call): Promise<Answer>;
  /** Resolves once nothing can be missed any more; the result ends it. */
  listen(listener: Listener): Promise<() => void>;
}

/** The host of this page. The stand-in is left out of the app's build. */
export async function pickHost(): Promise<Host> {
  const stand = import.meta.env.DEV || import.meta.env.MODE === "fake";
  if (stand && !("__TAURI_INTERNALS__" in window)) {
    const { fakeHost } = await import("./fake");
    const asked = new URLSearchParams(location.search);
    return fakeHost(asked.get("fake") ?? "demo", asked.get("language"));
  }
  const { tauriHost } = await import("./tauri");
  return tauriHost;
}
