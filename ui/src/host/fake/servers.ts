/** The servers that are watched, and their passwords. */
import type { Answer, Call, ServerRow } from "../../bindings/api";
import { failure } from "./failure";
import type { Stage } from "./stage";

type ServerCall = Extract<
  Call,
  {
    call:
      | "add_server"
      | "watch_again"
      | "remove_server"
      | "set_password"
      | "set_password_variable"
      | "forget_password"
      | "keep_forgotten_password";
  }
>;

export class FakeServers {
  /** Those that were removed and can still be had again. */
  readonly #removed = new Map<string, { row: ServerRow; timer: ReturnType<typeof setTimeout> }>();
  /** Where passwords came from that were forgotten. */
  readonly #forgotten = new Map<string, ServerRow["password"]>();
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  answer(call: ServerCall): Answer {
    switch (call.call) {
      case "add_server":
        this.#addServer(call.url, call.name);
        return { answer: "done" };
      case "watch_again":
        this.#watchAgain(call.server);
        return { answer: "done" };
      case "remove_server":
        this.#removeServer(call.server);
        return { answer: "done" };
      case "set_password":
        if (!this.#stage.snapshot.keychain.available) {
          throw failure("no_keychain", "there is no keychain here", "Name an environment variable instead.");
        }
        this.#change(call.server, { from: "keychain" });
        return { answer: "done" };
      case "set_password_variable":
        if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(call.variable)) {
          throw failure("bad_variable", `\`${call.variable}\` is not the name of a variable`, "Write it without `$`.");
        }
        this.#change(call.server, { from: "variable", name: call.variable, set: true });
        return { answer: "done" };
      case "forget_password": {
        const from = this.#stage.snapshot.servers.find((server) => server.id === call.server)?.password;
        if (from) this.#forgotten.set(call.server, from);
        this.#change(call.server, { from: "nowhere" }, Date.now() + 10_000);
        return { answer: "done" };
      }
      case "keep_forgotten_password": {
        const from = this.#forgotten.get(call.server);
        if (!from) throw failure("failed", "The password can't be had again any more.", "Type it in anew.");
        this.#change(call.server, from);
        return { answer: "done" };
      }
    }
  }

  #addServer(url: string, name: string): void {
    if (!/^https?:\/\/[^\s/]+/.test(url)) {
      throw failure("bad_url", `\`${url}\` is not an address`, "It looks like http://127.0.0.1:4096.");
    }
    const added: ServerRow = {
      id: url,
      name: name || url.replace(/^https?:\/\//, ""),
      origin: "settings",
      link: { state: "connecting" },
      heard: null,
      synced: null,
      last_error: null,
      waiting: 0,
      password: { from: "nowhere" },
      password_back_until: null,
    };
    this.#stage.publish({ servers: [added, ...this.#stage.snapshot.servers] });
  }

  #change(id: string, password: ServerRow["password"], password_back_until: number | null = null): void {
    const now = Date.now();
    const servers = this.#stage.snapshot.servers.map((server): typeof server => {
      if (server.id !== id) return server;
      const link =
        password.from === "nowhere"
          ? ({ state: "needs_password", refused: false } as const)
          : ({ state: "online", version: "1.18.33", dialect: "v1" } as const);
      return { ...server, password, password_back_until, link, heard: now, synced: now };
    });
    this.#stage.publish({ servers });
  }

  #removeServer(id: string): void {
    const row = this.#stage.snapshot.servers.find((server) => server.id === id);
    if (!row) return;
    this.#removed.set(id, { row, timer: setTimeout(() => this.#forgetRemoved(id), 10_000) });
    this.#stage.publish({
      servers: this.#stage.snapshot.servers.filter((server) => server.id !== id),
      removed: [...this.#stage.snapshot.removed, { id, name: row.name, back_until: Date.now() + 10_000 }],
    });
  }

  #forgetRemoved(id: string): void {
    clearTimeout(this.#removed.get(id)?.timer);
    this.#removed.delete(id);
    this.#stage.publish({ removed: this.#stage.snapshot.removed.filter((server) => server.id !== id) });
  }

  #watchAgain(id: string): void {
    const row = this.#removed.get(id)?.row;
    if (!row) throw failure("failed", "The server can't be had again any more.", "Add it by its address.");
    this.#forgetRemoved(id);
    this.#stage.publish({ servers: [...this.#stage.snapshot.servers, row] });
  }
}
