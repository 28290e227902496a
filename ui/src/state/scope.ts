import type { Modes, Scope, ServerRow, SessionRow } from "../bindings/api";

/** One word for a scope, to compare and to index by. */
export function nameOf(scope: Scope): string {
  switch (scope.scope) {
    case "server":
      return `server\n${scope.server}`;
    case "project":
      return `project\n${scope.directory}`;
    case "session":
      return `session\n${scope.server}\n${scope.session}`;
  }
}

/** Where a mode for `scope` would be put to use, so that a server can be asked what it would mean there. */
export function placeOf(
  scope: Scope,
  modes: Modes,
  servers: readonly ServerRow[],
): { server: string; directory: string; agent: string | null } | null {
  const isHere = (session: SessionRow) => {
    switch (scope.scope) {
      case "server":
        return serverOf(session) === scope.server;
      case "project":
        return session.directory === scope.directory;
      case "session":
        return nameOf(session.scope) === nameOf(scope);
    }
  };
  const session = modes.sessions.find(isHere);
  if (session) {
    const agent = scope.scope === "session" ? session.agent : null;
    return { server: serverOf(session), directory: session.directory, agent };
  }
  const server = servers.find(({ link }) => link.state === "online");
  return scope.scope === "project" && server ? { server: server.id, directory: scope.directory, agent: null } : null;
}

/** The server of a session. */
export function serverOf({ scope }: SessionRow): string {
  return scope.scope === "session" ? scope.server : "";
}

/** The sessions in which every word of `filter` occurs somewhere. */
export function found(sessions: readonly SessionRow[], filter: string): readonly SessionRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return sessions;
  return sessions.filter(({ name, project, directory, server_name, agent }) => {
    const haystack = [name, project, directory, server_name, agent ?? ""].join("\n").toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
}
