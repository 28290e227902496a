export const preferences = {
  title: "Preferences",
  notifications: "Notifications",
  notify: "Notify when an agent wants permission",
  notifyHint: "The inbox and the tray show every request either way.",
  toasts: "Also say in OpenCode’s terminal what the judge is at",
  toastsHint: "Where a terminal shows an OpenCode 1.x server: whether an answer of yours is needed.",
  grace: "Wait before notifying",
  graceUnit: "seconds",
  graceHint: "Requests that something else answers within this time never disturb you. 0 to 60.",
  graceBad: "Type a number of seconds from 0 to 60.",
  paused: "Notifications are paused.",
  pause: "Pause notifications",
  resume: "Resume notifications",

  here: "On this computer",
  shownBy: (server: string) => `Shown by ${server}.`,
  canAct: "You can answer from the notification itself.",
  cannotAct: "They can’t carry buttons here: open Gavel to answer.",
  unavailable: "Notifications can’t be shown here.",

  language: "Language",
  languages: { system: "As the system", english: "English", russian: "Русский" },
  languageHint: "What agents, servers and judges write stays as it is.",

  discovery: "Servers",
  discover: "Look for OpenCode servers on this machine",
  discoverHint: "Finds what listens locally under the name opencode. Nothing outside this machine is contacted.",

  asking: "Being asked",
  rules: "Let commands pass that are known",
  rulesHint:
    "Those that certainly only read within their project, and those you approved three times in a row. Nothing that destroys is ever learned. Activity shows what passed.",

  keychain: "Keychain",
  keychainYes: "Passwords are kept in the operating system’s keychain.",
  keychainNo: "Passwords can’t be kept here.",
  keychainAlternative: "For a protected server, name an environment variable under Servers instead.",

  tray: "Tray",
  trayYes: "The tray shows Gavel’s icon. Closing this window leaves Gavel running there.",
  trayNo: "No tray shows Gavel’s icon. Gavel keeps running after this window is closed; start it again to see it.",
  trayUnknown: "Not known yet whether a tray shows Gavel’s icon.",
  panel: "The icon is drawn for a panel that is",
  panelDark: "dark",
  panelLight: "light",
  panelHint: "Desktops don’t tell. If the icon is hard to see, choose the other one.",

  shortcut: "Keys that bring the inbox up from anywhere",
  shortcutNone: "None",
  shortcutOff: "Use none",
  shortcutOn: "Use Ctrl+Alt+G",
  shortcutHint:
    "They show what has waited longest. Press others in the field, with Ctrl, Alt or Super. Where a desktop passes none on, as many do under Wayland, let one of its own shortcuts run gavel --show.",
  shortcutWithheld:
    "These keys are not heard: under Wayland a program hears only the keys that are meant for it. Let one of the desktop’s own shortcuts run gavel --show.",
  shortcutUnheard: "These keys are not heard. Another program may hold them, or the desktop lets none be heard:",

  quit: "Quit Gavel",
  quitHint: "Ends Gavel: nothing is watched until you start it again.",
};
