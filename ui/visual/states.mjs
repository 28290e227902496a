/** Every picture of the window: which scene of the stand-in, which view, and what is done to get there. */

/** Goes to a view, by what it is called in English, in any language. */
const view = (name) => (page) => page.locator(`nav [data-view="${name.toLowerCase()}"]`).click();
const press = (key) => (page) => page.keyboard.press(key);

/** Opens the saved approvals of a server, and brings them into view. */
const saved = (place) => async (page) => {
  await page.getByRole("button", { name: "Saved approvals" }).nth(place).click();
  await page.getByRole("heading", { name: "Saved approvals" }).scrollIntoViewIfNeeded();
};

const button = (name) => (page) => page.getByRole("button", { name, exact: true }).click();
/** Opens what else can be allowed with the request on screen, once it has been read. */
const allow = async (page) => {
  // What is not on screen is brought up first, a text and a change each at their turn.
  await page.waitForFunction(() => {
    if (document.querySelector("dialog[open]")) return true;
    document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: "g", bubbles: true }));
    return false;
  });
  await page.waitForFunction(() => !document.querySelector("dialog")?.textContent.match(/Looking at|Смотрим, что/));
};
/** Brings a place of a page into view. */
const to = (role, name) => (page) => page.getByRole(role, { name }).first().scrollIntoViewIfNeeded();
const make = (call) => (page) => page.evaluate((call) => window.fake.call(call), call);

/** A state of a whole view: looked at in every language. All others are looked at in English. */
const everywhere = (state) => ({ ...state, languages: ["english", "russian"] });

export const states = [
  everywhere({ name: "inbox-five", scene: "five" }),
  { name: "inbox-empty", scene: "empty" },
  everywhere({ name: "inbox-first", scene: "first" }),
  { name: "inbox-deceptive", scene: "deceptive" },
  { name: "inbox-safe", scene: "safe" },
  { name: "inbox-catastrophe", scene: "catastrophe" },
  { name: "inbox-advised", scene: "unchosen" },
  { name: "inbox-declined-too-often", scene: "advised", act: [press("j")] },
  { name: "inbox-script", scene: "script" },
  { name: "inbox-diff", scene: "diff" },
  { name: "inbox-long", scene: "long" },
  { name: "inbox-replying", scene: "replying" },
  { name: "inbox-undelivered", scene: "undelivered" },
  { name: "inbox-offline", scene: "offline" },
  { name: "inbox-paused", scene: "paused" },
  { name: "inbox-declining", scene: "script", act: [press("d")] },
  {
    name: "inbox-settled-while-declining",
    scene: "undelivered",
    act: [
      press("d"),
      (page) => page.evaluate(() => window.fake.settle(window.fake.snapshot.requests[0].key, { by: "unseen" })),
    ],
  },
  {
    name: "inbox-raw",
    scene: "deceptive",
    act: [(page) => page.getByText("Everything the server sent").click()],
  },
  { name: "inbox-identical", scene: "identical" },
  everywhere({ name: "question", scene: "questions" }),
  { name: "question-many", scene: "questions", act: [press("j")] },
  everywhere({
    name: "question-faults",
    scene: "form",
    act: [
      (page) => page.getByRole("textbox", { name: "Who gets the alarms?" }).fill("nobody"),
      (page) => page.getByRole("radio", { name: /^(?:Yes|Да)/ }).check(),
      (page) => page.getByRole("button", { name: /^(?:Send the answer|Отправить ответ)/ }).click(),
      (page) => page.getByText(/Expected email for form field|Нужен адрес почты в поле/).waitFor(),
    ],
  }),
  { name: "question-end", scene: "form", act: [to("button", /^Open in the browser/)] },
  { name: "question-unknown", scene: "oddForm", act: [press("d")] },
  {
    name: "question-settled",
    scene: "questions",
    act: [
      (page) => page.getByRole("textbox", { name: "Another answer" }).fill("Orange, as in the logo"),
      (page) =>
        page.evaluate(() =>
          window.fake.settleQuestion(window.fake.snapshot.questions[0].key, { by: "cancelled_elsewhere" }),
        ),
    ],
  },
  { name: "inbox-offered", scene: "offered" },
  everywhere({ name: "allow", scene: "offered", act: [allow] }),
  { name: "allow-whole-lines", scene: "whole", act: [allow] },
  {
    name: "allow-told",
    scene: "offered",
    act: [
      allow,
      (page) => page.getByRole("button", { name: "Only rm -rf *" }).click(),
      (page) => page.getByText("What would still be asked, for example").click(),
    ],
  },
  {
    name: "allow-narrowing",
    scene: "offered",
    act: [
      allow,
      button("Narrow shell npm run build *"),
      (page) => page.getByLabel("Pattern", { exact: true }).fill("npm *"),
      (page) => page.getByText(/not certain to be narrower/).scrollIntoViewIfNeeded(),
    ],
  },
  {
    name: "allow-uses",
    scene: "broad",
    act: [
      allow,
      (page) => page.getByLabel("A number of times").check(),
      (page) => page.getByLabel("How often").fill("many"),
      to("button", "Allow this pattern"),
    ],
  },
  { name: "allow-always", scene: "offered", act: [allow, button(/^Always in this project/)] },
  { name: "allow-always-end", scene: "offered", act: [allow, button(/^Always in this project/), to("button", "Back")] },
  { name: "allow-always-until", scene: "broad", act: [allow, button(/^Always, until OpenCode restarts/)] },
  {
    name: "allow-settled",
    scene: "offered",
    act: [
      allow,
      (page) => page.evaluate(() => window.fake.settle(window.fake.snapshot.requests[0].key, { by: "unseen" })),
    ],
  },
  everywhere({ name: "modes", scene: "five", act: [view("Modes")] }),
  { name: "modes-none", scene: "first", act: [view("Modes")] },
  {
    name: "modes-many",
    scene: "many",
    act: [view("Modes"), (page) => page.getByLabel("Filter sessions").fill("issue 112")],
  },
  { name: "modes-unasked", scene: "silent", act: [view("Modes")] },
  {
    name: "modes-unasked-open",
    scene: "silent",
    act: [view("Modes"), button("Show"), button("Configuration for api-server"), button("Configuration for dotfiles")],
  },
  {
    name: "modes-unasked-aside",
    scene: "silent",
    act: [view("Modes"), button("Show"), to("button", "Bring back scratch")],
  },
  { name: "modes-troubled", scene: "troubled", act: [view("Modes")] },
  {
    name: "modes-changing",
    scene: "five",
    act: [
      view("Modes"),
      button("Change the mode of Rate limit the login route"),
      (page) => page.getByLabel("Full access").check(),
    ],
  },
  {
    name: "modes-preview",
    scene: "five",
    act: [
      view("Modes"),
      button("Change the mode of dotfiles"),
      (page) => page.getByLabel("Supervised").check(),
      (page) => page.getByRole("group").getByText("Rules", { exact: true }).click(),
      to("button", "Copy rules"),
    ],
  },
  {
    name: "modes-rules",
    scene: "five",
    act: [view("Modes"), button("Rules of Rate limit the login route")],
  },
  {
    name: "modes-tried",
    scene: "five",
    act: [
      view("Modes"),
      (page) => page.getByLabel("Command, path or address").fill("npm test"),
      button("Try"),
      (page) => page.getByText(/rule that decides/).scrollIntoViewIfNeeded(),
    ],
  },
  everywhere({
    name: "rules",
    scene: "five",
    act: [view("Rules"), (page) => page.locator("#r-learned").scrollIntoViewIfNeeded()],
  }),
  {
    name: "rules-preset",
    scene: "five",
    act: [
      view("Rules"),
      button("Delete pwd *"),
      button("Add a line"),
      (page) => page.getByLabel("New line").fill("git *"),
      (page) => page.getByText("Would pass, for example").waitFor(),
      to("button", "Cancel"),
    ],
  },
  {
    name: "rules-broken",
    scene: "five",
    act: [
      (page) => page.evaluate(() => window.fake.breakRules()),
      view("Rules"),
      (page) => page.locator("#r-command").fill("ls src && rm -rf build"),
      button("Look up"),
      to("heading", "Which rule matches"),
    ],
  },
  {
    name: "rules-exchange",
    scene: "five",
    act: [view("Rules"), button("Export"), to("button", "As at the beginning")],
  },
  everywhere({ name: "grants", scene: "five", act: [view("Grants")] }),
  { name: "grants-none", scene: "first", act: [view("Grants")] },
  { name: "grants-taken-back", scene: "five", act: [view("Grants"), make({ call: "take_grant_back", id: 5 })] },
  everywhere({ name: "judge", scene: "judged", act: [view("Judge")] }),
  { name: "judge-unchosen", scene: "empty", act: [view("Judge")] },
  {
    name: "judge-tried",
    scene: "judged",
    act: [
      view("Judge"),
      (page) => page.getByLabel("Command", { exact: true }).fill("rm -rf build"),
      button("Ask the judge"),
      (page) => page.getByText("All that was said").click(),
      (page) => page.getByText("Advanced").click(),
      to("region", "Try it"),
    ],
  },
  everywhere({ name: "keys", scene: "five", act: [press("?")] }),
  { name: "stuck", scene: "stuck" },
  everywhere({ name: "activity", scene: "five", act: [view("Activity")] }),
  {
    name: "activity-open",
    scene: "five",
    act: [
      view("Activity"),
      // In a small window with large text the first row is below, and not drawn before it is scrolled to.
      (page) =>
        page
          .getByText(/^\d+ entries$|^Записей|запис/)
          .first()
          .waitFor(),
      (page) =>
        page.evaluate(() => document.querySelector("summary") ?? document.querySelector(".page").scrollTo(0, 240)),
      (page) => page.locator("summary").first().click(),
    ],
  },
  {
    name: "activity-filter",
    scene: "five",
    act: [
      view("Activity"),
      (page) => page.getByRole("button", { name: "Filters and export" }).click(),
      (page) => page.getByRole("searchbox").fill("nothing like that"),
      (page) => page.getByText("Nothing matches.").waitFor(),
    ],
  },
  everywhere({
    name: "activity-pictures",
    scene: "five",
    act: [view("Activity"), (page) => page.getByRole("button", { name: /^(?:Pictures|Графики)/ }).click()],
  }),
  {
    name: "activity-tables",
    scene: "five",
    act: [
      view("Activity"),
      button("Pictures"),
      (page) => page.getByRole("button", { name: "Show as table: Requests per day, by outcome" }).click(),
      to("heading", "What you were asked most"),
    ],
  },
  { name: "report-card", scene: "five", act: [view("Judge"), to("heading", "Analysis on this machine")] },
  everywhere({ name: "servers", scene: "offline", act: [view("Servers")] }),
  { name: "servers-unasked", scene: "silent", act: [view("Servers")] },
  { name: "servers-none", scene: "first", act: [view("Servers")] },
  { name: "servers-password", scene: "password", act: [view("Servers")] },
  { name: "servers-no-keychain", scene: "bare", act: [view("Servers")] },
  {
    name: "servers-removed",
    scene: "five",
    act: [view("Servers"), (page) => page.getByRole("button", { name: /^Remove/ }).click()],
  },
  {
    name: "servers-bad-address",
    scene: "five",
    act: [
      view("Servers"),
      (page) => page.getByLabel("Address").fill("nonsense"),
      (page) => page.getByRole("button", { name: "Add", exact: true }).click(),
    ],
  },
  { name: "saved", scene: "five", act: [view("Servers"), saved(0)] },
  {
    name: "saved-matched",
    scene: "five",
    act: [view("Servers"), saved(0), (page) => page.getByText(/^Would have matched 14/).click()],
  },
  {
    name: "saved-removing",
    scene: "five",
    act: [view("Servers"), saved(0), (page) => page.getByRole("button", { name: "Remove shell git *" }).click()],
  },
  {
    name: "saved-changing",
    scene: "five",
    act: [
      view("Servers"),
      saved(0),
      (page) => page.getByRole("button", { name: "Change shell git *" }).click(),
      (page) => page.getByLabel("New pattern").fill("npm run build *"),
      press("Enter"),
      (page) => page.getByText(/another approval with this pattern/).waitFor(),
    ],
  },
  {
    name: "saved-none",
    scene: "five",
    act: [view("Servers"), (page) => page.evaluate(() => (window.fake.saved.projects = [])), saved(0)],
  },
  everywhere({ name: "preferences", scene: "five", act: [view("Preferences")] }),
  { name: "preferences-bare", scene: "bare", act: [view("Preferences")] },
];

export const sizes = [
  { name: "wide", width: 920, height: 640 },
  // As small as the window can be made.
  { name: "narrow", width: 480, height: 400 },
];

/** Colours: the usual ones, those of people who want more contrast, and those that a desktop forces upon every page. */
export const schemes = ["light", "dark", "more-light", "more-dark", "forced-light", "forced-dark"];

/** Size of the text, in percent. */
export const zooms = [100, 200];
