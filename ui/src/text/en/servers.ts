import type { Link, Origin } from "../../bindings/api";
import { pluralOf } from "../plural";

const plural = pluralOf("en");

/** The state of a connection in words. */
function state(link: Link): string {
  switch (link.state) {
    case "connecting":
      return "Connecting …";
    case "online":
      return "Online";
    case "offline":
      return link.gone ? "Gone" : "Offline";
    case "needs_password":
      return link.refused ? "Password refused" : "Needs a password";
    case "not_open_code":
      return "Not an OpenCode server";
  }
}

/** More about that state; empty if there is nothing to add. `sentence` makes one of the backend's words. */
function detail(link: Link, sentence: (message: string) => string): string {
  switch (link.state) {
    case "connecting":
      return "";
    case "online":
      return link.version ? `OpenCode ${link.version}` : "";
    case "offline":
      return `${sentence(link.reason)} ${
        link.gone ? "Nothing listens at this address any more." : "Gavel keeps trying."
      }`;
    case "needs_password":
      return link.refused
        ? "The server refuses the password Gavel has."
        : "The server is protected. Nothing of it can be seen until Gavel knows the password.";
    case "not_open_code":
      return `${sentence(link.reason)} ${
        link.gone ? "Another program has taken this address." : "Nothing is sent to it."
      }`;
  }
}

function origin(how: Origin): string {
  switch (how) {
    case "settings":
      return "added by you";
    case "discovered":
      return "found on this machine";
    case "demo":
      return "built-in demo";
  }
}

export const servers = {
  title: "Servers",
  list: "Watched servers",
  state,
  detail,
  origin,
  waiting: (count: number) =>
    count === 0 ? "Nothing waits" : plural(count, { one: "# request waits", other: "# requests wait" }),
  synced: (ago: string) => `in sync ${ago}`,
  neverSynced: "not in sync yet",
  heard: (ago: string) => `last heard ${ago}`,
  lastError: (error: string) => `Last error: ${error}`,

  add: "Add a server",
  address: "Address",
  addressHint: "http://127.0.0.1:4096",
  name: "Name",
  nameHint: "Optional",
  addButton: "Add",
  adding: "Adding …",
  remove: "Remove",
  removeNamed: (name: string) => `Remove ${name}`,
  removed: (name: string) => `Removed: ${name}`,
  leaving: (seconds: number) => `no longer watched; can be undone for ${seconds} s`,
  undo: "Undo",
  undoNamed: (name: string) => `Undo removing ${name}`,

  password: "Password",
  passwordFrom: {
    nowhere: "No password",
    keychain: "Password in the keychain",
    variable: (name: string) => `Password from $${name}`,
  },
  variableUnset: (name: string) =>
    `The environment variable ${name} has no value in Gavel’s environment. Set it and start Gavel again.`,
  setPassword: "Set password",
  changePassword: "Change password",
  passwordForgotten: (seconds: number) => `The password is forgotten; that can be undone for ${seconds} s.`,
  undoForgetting: (name: string) => `Undo forgetting the password of ${name}`,
  forget: "Forget password",
  username: "User name",
  usernameHint: "opencode",
  keepInKeychain: "Keep in the keychain",
  whereToKeep: "Where the password comes from",
  inKeychain: "Keychain",
  inVariable: "Environment variable",
  keychainNote: "Kept by the operating system, never in a file of Gavel’s.",
  noKeychain: "There is no keychain here, so Gavel can’t keep a password.",
  noKeychainAlternative:
    "Put it in an environment variable instead and say which one. Gavel stores only the variable’s name.",
  variable: "Name of the variable",
  variableHint: "OPENCODE_SERVER_PASSWORD",
  useVariable: "Use this variable",
  cancel: "Cancel",
  saving: "Saving …",

  emptyTitle: "No server is watched.",
  emptyDiscover:
    "Start opencode serve in a project: it is found by itself. A server elsewhere is added by its address.",
  emptyNoDiscover:
    "Looking for servers on this machine is off. Add one by its address, or turn it on in the preferences.",
};
