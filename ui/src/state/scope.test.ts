import { describe, expect, it } from "vitest";

import { modes } from "../host/fake/modes";
import { LAPTOP, LOCAL } from "../host/fake/requests";
import { scenes } from "../host/fake/scenes";
import { found, placeOf } from "./scope";

const { servers } = scenes.empty();

describe("where a mode would be put to use", () => {
  it.each([
    [
      { scope: "session", server: LOCAL, session: "ses_login" },
      { server: LOCAL, directory: "/home/dev/api-server", agent: "build" },
    ],
    [
      { scope: "project", directory: "/home/dev/web-shop" },
      { server: LAPTOP, directory: "/home/dev/web-shop", agent: null },
    ],
    [
      { scope: "server", server: LOCAL },
      { server: LOCAL, directory: "/home/dev/api-server", agent: null },
    ],
    [
      { scope: "project", directory: "/home/dev/other" },
      { server: LAPTOP, directory: "/home/dev/other", agent: null },
    ],
    [{ scope: "server", server: "http://127.0.0.1:9" }, null],
  ] as const)("%j: %j", (scope, place) => expect(placeOf(scope, modes(), servers)).toEqual(place));

  it("is nowhere while nothing can be reached", () => {
    const none = { servers: [], projects: [], sessions: [], unasked: [] };
    expect(placeOf({ scope: "project", directory: "/x" }, none, scenes.password().servers)).toBeNull();
  });
});

describe("finding a session", () => {
  it.each([
    ["", 4],
    ["login", 1],
    ["WEB-shop  box", 2],
    ["nowhere", 0],
  ])("%j finds %i", (filter, count) => expect(found(modes().sessions, filter)).toHaveLength(count));
});
