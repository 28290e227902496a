/** The whole window over the stand-in, with a clock that only the test moves. */
import { render } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { tick } from "svelte";

import App from "../App.svelte";
import type { Call, Request, Snapshot } from "../bindings/api";
import { FakeHost } from "../host/fake";
import { scenes } from "../host/fake/scenes";
import { Gavel } from "../state/gavel.svelte";
import type { View } from "../host";
import { GUARD } from "../state/inbox.svelte";
import { VIEWS } from "../state/keys";

export interface Stage {
  host: FakeHost;
  gavel: Gavel;
  user: ReturnType<typeof userEvent.setup>;
  /** Lets that many milliseconds pass for the guard. */
  pass(millis: number): void;
  /** The calls of a kind that reached the backend. */
  calls<Kind extends Call["call"]>(kind: Kind): Extract<Call, { call: Kind }>[];
}

/** Opens the window; the first request on screen has been there for long. */
export async function stage(snapshot: Snapshot): Promise<Stage> {
  let now = 0;
  const host = new FakeHost(snapshot);
  const gavel = new Gavel(host, () => now);
  render(App, { gavel });
  await gavel.start();
  now += GUARD;
  await tick();
  return {
    host,
    gavel,
    user: userEvent.setup(),
    pass: (millis) => (now += millis),
    calls: (kind) => host.calls.filter((call) => call.call === kind) as never,
  };
}

/** The keys that open a view. */
export const to = (view: View) => `{Control>}${VIEWS.indexOf(view) + 1}{/Control}`;

/** A snapshot with just these requests. */
export function inboxOf(...requests: Request[]): Snapshot {
  return { ...scenes.empty(), requests };
}
