// Generated from crates/runtime/src/api by its test `bindings`. Do not edit.

export type RequestKey = { server: string; request: string };
export type Reply = "once" | "always" | "reject";
export type Given = boolean | number | string | Array<string>;
export type Response =
  | { response: "answer"; answer: Record<string, Given> }
  | { response: "cancel"; reason: string | null };
export type Said = { question: string; answer: string };
export type Format = "email" | "uri" | "date" | "date-time";
export type Effect = "allow" | "ask" | "deny";
export type Rule = { action: string; resource: string; effect: Effect };
export type Saved = { action: string; resource: string };
export type Lines = "split" | "whole" | "unknown";
export type Hazard =
  | { hazard: "everything" }
  | { hazard: "broad" }
  | { hazard: "deletes"; example: string }
  | { hazard: "runs_anything"; program: string }
  | { hazard: "chained"; example: string };
export type Lasts = { until: number | null; uses: number | null; for_run: boolean };
export type Mode = "full_access" | "supervised" | "auto" | "auto_accept_edits";
export type Stance = { mode: Mode; plan: boolean; subagents: boolean };
export type Unasked = { commands: boolean; edits: boolean; outside: boolean; fetches: boolean; anything: boolean };
export type RuleState =
  | { state: "stands" }
  | { state: "under_way"; again: boolean }
  | { state: "failed"; why: string }
  | { state: "unsupported" }
  | { state: "overruled" };
export type Decision =
  | { kind: "allow_once" }
  | { kind: "allow_for_session"; patterns: Array<Saved>; includes_children: boolean; lasts: Lasts }
  | { kind: "allow_always" }
  | { kind: "decline"; reason: string }
  | { kind: "stop" };
export type Settled =
  | { by: "you"; decision: Decision }
  | { by: "you_stopped"; reason: string }
  | { by: "grant"; title: string }
  | { by: "rule"; line: string; source: Source }
  | { by: "judge"; allowed: boolean; reason: string }
  | { by: "swept" }
  | { by: "another_client"; reply: Reply | null }
  | { by: "you_answered"; answers: Array<Said> }
  | { by: "you_cancelled"; reason: string | null }
  | { by: "answered_elsewhere"; answers: Array<Said> }
  | { by: "cancelled_elsewhere" }
  | { by: "unseen" }
  | { by: "while_away" }
  | { by: "run_ended" }
  | { by: "server_gone" };
export type Recommendation = "allow" | "deny" | "ask";
export type Source = "preset" | "learned" | "grant" | "cache" | "offline" | "model";
export type Status = "ok" | "no_key" | "http_error" | "network_error" | "timed_out" | "truncated" | "unparsed";
export type JudgeName = { provider: string; model: string };
export type Class = "reads" | "writes" | "unknown" | "outside" | "network" | "runs_code" | "destructive";
export type Origin = "settings" | "discovered" | "demo";
export type Dialect = "v1" | "v2";
export type Link =
  | { state: "connecting" }
  | { state: "online"; version: string; dialect: Dialect }
  | { state: "offline"; reason: string; gone: boolean }
  | { state: "needs_password"; refused: boolean }
  | { state: "not_open_code"; reason: string; gone: boolean };
export type JudgeOptions = {
  tools: Array<string> | null;
  skipTools: Array<string>;
  timeoutMs: number;
  maxMetadataChars: number;
  sessionContext: boolean;
  maxContextChars: number;
  maxDecisionTokens: number;
  systemPrompt: string | null;
  cache: boolean;
  cacheMax: number;
  learnAfter: number;
};
export type JudgeBounds = {
  timeoutMs: [number, number];
  maxMetadataChars: [number, number];
  maxContextChars: [number, number];
  maxDecisionTokens: [number, number];
  systemPrompt: [number, number];
  cacheMax: [number, number];
  learnAfter: [number, number];
};

export type Snapshot = { 
/**
 * Grows with every change: an older snapshot that arrives late is dropped.
 */
revision: number, 
/**
 * When it was taken, in milliseconds since the Unix epoch.
 */
now: number, 
/**
 * The language of everything in it that is not somebody else's words.
 */
language: Exclude<Language, "system">, 
/**
 * Whether notifications are held back.
 */
paused: boolean, 
/**
 * Requests that are not settled, longest waiting first.
 */
requests: Array<Request>, 
/**
 * Questions that are not settled, longest waiting first.
 */
questions: Array<Question>, 
/**
 * The watched servers: those of the settings first, then those found.
 */
servers: Array<ServerRow>, 
/**
 * Servers that were just removed and can be watched again, in the order in which they were removed.
 */
removed: Array<RemovedServer>, 
/**
 * Whether and how notifications work here.
 */
notifications: Notifications, 
/**
 * Whether passwords can be kept in a keychain.
 */
keychain: Keychain, 
/**
 * Whether a tray shows Gavel's icon; `null` while that isn't known.
 */
tray: boolean | null, 
/**
 * Whether the keys that bring the inbox up are heard everywhere.
 */
shortcut: Shortcut, 
/**
 * What the user has chosen.
 */
preferences: Preferences, 
/**
 * Which modes are chosen for what, and what counts where.
 */
modes: Modes, 
/**
 * What the user allowed for sessions, the latest first.
 */
grants: Array<GrantRow>, 
/**
 * Who judges.
 */
judge: JudgeRow, 
/**
 * Grows when a rules file may have changed, once somebody has looked at one.
 */
rules: number, };

export type Request = { 
/**
 * Its key, to be given back in calls.
 */
key: RequestKey, 
/**
 * Name of the server that asks.
 */
server_name: string, 
/**
 * Whether the server can be reached now.
 */
online: boolean, 
/**
 * The action in 2.x words: `shell`, `edit`, `webfetch`, … or the server's own word if it isn't known.
 */
action: string, 
/**
 * What is asked in one line, every character visible: `Run npm test`.
 */
headline: string, 
/**
 * The full text of what is asked, every character visible.
 */
text: string, 
/**
 * Whether the text holds characters that had to be made visible (`⟨U+202E⟩`).
 */
deceptive: boolean, 
/**
 * The single resources the server checked, every character visible.
 */
resources: Array<string>, 
/**
 * What the user last asked for where this comes from, every character visible; the cut is stated. `null` while
 * that isn't known, or where it isn't to be had.
 */
serves: string | null, 
/**
 * What the agent says it is for. The agent's own words.
 */
purpose: string | null, 
/**
 * What a plugin of the server says about why this is asked. The plugin's own words.
 */
note: string | null, 
/**
 * Absolute directory the command runs in, if not the project's.
 */
workdir: string | null, 
/**
 * Unified diff of the change, every character visible.
 */
diff: string | null, 
/**
 * Everything the server sent about the action, as indented JSON, every character visible.
 */
raw: string, 
/**
 * The project's name: the last part of its directory.
 */
project: string, 
/**
 * The project's absolute directory.
 */
directory: string, 
/**
 * From the root session down to the one that asks; the first title says what the user is working on.
 */
chain: Array<SessionStep>, 
/**
 * Since when it waits, in milliseconds since the Unix epoch.
 */
since: number, 
/**
 * How far its answer has come.
 */
phase: Phase, 
/**
 * How many other waiting requests of the same session a decline would sweep away as well.
 */
siblings: number, 
/**
 * Grows whenever what would run turns out to be more than was known. To be given back with a decision.
 */
edition: number, 
/**
 * What is recommended, and why; `null` for the moment in which nobody has looked yet.
 */
verdict: Verdict | null, 
/**
 * What a judge makes of it; `null` where none is asked.
 */
advice: Advice | null, 
/**
 * Whether the judge refused so much in this thread that it answers nothing there any more.
 */
judge_paused: boolean, 
/**
 * The patterns that the server proposes to allow: for the session, or always.
 */
offers: Array<Offer>, 
/**
 * What the server asks about when a line of several commands is to run.
 */
lines: Lines, 
/**
 * How long "always" lasts on this server.
 */
always: Always, };

export type SessionStep = { 
/**
 * Its title, every character visible.
 */
title: string, 
/**
 * The agent that runs in it, when known.
 */
agent: string | null, };

export type Question = { 
/**
 * Its key, to be given back in calls.
 */
key: RequestKey, 
/**
 * Name of the server that asks.
 */
server_name: string, 
/**
 * Whether the server can be reached now.
 */
online: boolean, 
/**
 * What it is called, every character visible. Often no more than `Questions`.
 */
title: string, 
/**
 * What is asked, in one line, every character visible.
 */
headline: string, 
/**
 * What is asked, in the server's order.
 */
fields: Array<Field>, 
/**
 * The answers that can be given with one click: the options of a single choice, if there are at most three, or yes
 * and no. Otherwise empty.
 */
quick: Array<Quick>, 
/**
 * Whether any of its words hold characters that had to be made visible (`⟨U+202E⟩`).
 */
deceptive: boolean, 
/**
 * Whether it can be answered at all: a required field of an unknown kind stands in the way.
 */
answerable: boolean, 
/**
 * Whether the agent is told why it is cancelled, and goes on. Where it isn't, or no reason is given, its run ends.
 */
passes_reason: boolean, 
/**
 * Everything the server sent about where it comes from, as indented JSON, every character visible.
 */
raw: string, 
/**
 * The project's name: the last part of its directory.
 */
project: string, 
/**
 * The project's absolute directory; empty if it belongs to none.
 */
directory: string, 
/**
 * From the root session down to the one that asks; empty if it belongs to no session.
 */
chain: Array<SessionStep>, 
/**
 * What the user had last said in the root session, every character visible; `null` if that isn't known.
 */
serves: string | null, 
/**
 * Since when it waits, in milliseconds since the Unix epoch.
 */
since: number, 
/**
 * How far its answer has come.
 */
phase: QuestionPhase, 
/**
 * Grows when something else comes to be asked under the same key. To be given back with an answer.
 */
edition: number, 
/**
 * Why the server refused the last answer; it is still to be answered then.
 */
refused: Problem | null, 
/**
 * What was half typed, as the window last kept it, and of this edition.
 */
draft: string | null, };

export type Field = { 
/**
 * By what name the answer goes, exactly as it is.
 */
key: string, 
/**
 * A short heading, every character visible.
 */
title: string | null, 
/**
 * The question itself, every character visible.
 */
description: string | null, 
/**
 * Whether it must be answered while it is asked.
 */
required: boolean, 
/**
 * Not to be shown: its default is sent for it.
 */
hidden: boolean, 
/**
 * It is asked only while all of these hold.
 */
when: Array<When>, 
/**
 * What is suggested; to be put into the field before anything is typed.
 */
default: Given | null, 
/**
 * What kind of answer it takes.
 */
kind: FieldKind, };

export type When = { 
/**
 * The earlier field.
 */
key: string, 
/**
 * Whether it must be this value, or must not.
 */
equal: boolean, 
/**
 * The value.
 */
value: Given, };

export type FieldKind = { "kind": "text", 
/**
 * What the text must be.
 */
format: Format | null, 
/**
 * The shortest, in UTF-16 code units (`text.length`).
 */
min_length: number | null, 
/**
 * The longest, in UTF-16 code units.
 */
max_length: number | null, 
/**
 * A regular expression of JavaScript, without flags, to be found anywhere in it.
 */
pattern: string | null, 
/**
 * What stands in the empty field, every character visible.
 */
placeholder: string | null, 
/**
 * What is offered; `null` for a plain text.
 */
options: Array<Choice> | null, 
/**
 * Whether other answers than the options are taken.
 */
custom: boolean, } | { "kind": "number", 
/**
 * Whether it must be a whole one.
 */
whole: boolean, 
/**
 * The smallest.
 */
minimum: number | null, 
/**
 * The largest.
 */
maximum: number | null, } | { "kind": "boolean" } | { "kind": "multiselect", 
/**
 * What is offered.
 */
options: Array<Choice>, 
/**
 * The fewest.
 */
min_items: number | null, 
/**
 * The most.
 */
max_items: number | null, 
/**
 * Whether other answers than the options are taken.
 */
custom: boolean, } | { "kind": "external", 
/**
 * Where, every character visible.
 */
url: string, 
/**
 * Whether it can be opened with [`super::Call::OpenLink`]: only plain `http` and `https` can.
 */
opens: boolean, } | { "kind": "unknown", 
/**
 * The field as indented JSON, every character visible.
 */
raw: string, };

export type Choice = { 
/**
 * What is sent, exactly as it is.
 */
value: string, 
/**
 * What is shown, every character visible.
 */
label: string, 
/**
 * What it means, every character visible.
 */
description: string | null, };

export type QuestionPhase = { "phase": "waiting" } | { "phase": "replying", 
/**
 * The answer.
 */
response: Response, } | { "phase": "undelivered", 
/**
 * The answer.
 */
response: Response, 
/**
 * Why not.
 */
why: string, };

export type Quick = { 
/**
 * What is shown, every character visible.
 */
label: string, 
/**
 * The whole answer.
 */
answer: Record<string, Given>, };

export type Problem = { 
/**
 * The key of the field it is about; `null` if it can't be told.
 */
field: string | null, 
/**
 * What is wrong, in the server's words.
 */
message: string, };

export type Verdict = { 
/**
 * What it would do.
 */
recommendation: Recommendation, 
/**
 * Why, in one sentence that begins with a verb; names stand in backticks. Every character is visible.
 */
reason: string, 
/**
 * Who says so.
 */
source: Source, 
/**
 * Whether the judge could do its work.
 */
status: Status, 
/**
 * How far the request reaches, where the analysis on this machine says so.
 */
class: Class | null, 
/**
 * The parts of a command line, in the order of the text.
 */
parts: Array<Part>, };

export type Part = { 
/**
 * Where it begins in the request's `text`, in UTF-16 units.
 */
start: number, 
/**
 * Where it ends there, exclusive.
 */
end: number, 
/**
 * How far it reaches.
 */
class: Class, 
/**
 * What would be recommended if it stood alone.
 */
recommendation: Recommendation, 
/**
 * What it does, beginning with a verb.
 */
why: string, };

export type Advice = { "state": "awaited" } | { "state": "given", 
/**
 * What it would do; `ask` after every failure.
 */
recommendation: Recommendation, 
/**
 * Why, or what went wrong. Its own words, every character visible.
 */
reason: string, 
/**
 * Whether it could do its work.
 */
status: Status, 
/**
 * How long it took, in milliseconds.
 */
took: number, };

export type Phase = { "phase": "waiting" } | { "phase": "replying", 
/**
 * The answer.
 */
decision: Decision, } | { "phase": "undelivered", 
/**
 * The answer.
 */
decision: Decision, 
/**
 * Why not.
 */
why: string, };

export type ServerRow = { 
/**
 * Its id: the base URL.
 */
id: string, 
/**
 * What it is called.
 */
name: string, 
/**
 * How Gavel came to know it.
 */
origin: Origin, 
/**
 * State of the connection.
 */
link: Link, 
/**
 * When it was last heard, in milliseconds since the Unix epoch.
 */
heard: number | null, 
/**
 * When a listing last confirmed what is pending, in milliseconds since the Unix epoch.
 */
synced: number | null, 
/**
 * The last error of the connection, kept after it recovers.
 */
last_error: string | null, 
/**
 * How many requests and questions of it wait.
 */
waiting: number, 
/**
 * Where its password comes from.
 */
password: PasswordSource, 
/**
 * Until when a password that was just forgotten can be had again, in milliseconds since the Unix epoch.
 */
password_back_until: number | null, };

export type RemovedServer = { 
/**
 * Its id: the base URL.
 */
id: string, 
/**
 * What it was called.
 */
name: string, 
/**
 * Until when it can be watched again, in milliseconds since the Unix epoch.
 */
back_until: number, };

export type PasswordSource = { "from": "nowhere" } | { "from": "keychain" } | { "from": "variable", 
/**
 * Its name.
 */
name: string, 
/**
 * Whether it has a value in Gavel's environment.
 */
set: boolean, };

export type Notifications = { 
/**
 * Whether notifications can be shown.
 */
available: boolean, 
/**
 * Whether they can carry buttons.
 */
actions: boolean, 
/**
 * Who shows them, e.g. `dunst 1.9.0`; empty if nobody does.
 */
server: string, 
/**
 * What is missing, in plain prose; empty if nothing is.
 */
problem: string, 
/**
 * What the user can do about it.
 */
hint: string, };

export type Keychain = { 
/**
 * Whether it can be used.
 */
available: boolean, 
/**
 * What is missing, in plain prose; empty if nothing is.
 */
problem: string, };

export type Preferences = { 
/**
 * Whether to notify at all.
 */
notify: boolean, 
/**
 * How long a request may wait before it is notified, in milliseconds (0 to 60,000).
 */
grace: number, 
/**
 * Whether to say in the terminals of 1.x servers what a judge is at, and what is for the user.
 */
toasts: boolean, 
/**
 * Whether to look for servers on this machine.
 */
discover: boolean, 
/**
 * Whether commands pass by the rules file of their project, and new ones are learned.
 */
rules: boolean, 
/**
 * What the tray icon is drawn for. Panels don't tell, and many are dark whatever the theme of the windows is.
 */
panel: Panel, 
/**
 * In which language the window speaks.
 */
language: Language, 
/**
 * The keys that bring the inbox up wherever the user is, such as `Ctrl+Alt+G`; empty for none.
 */
shortcut: string, };

export type Panel = "dark" | "light";

export type Language = "system" | "english" | "russian";

export type Shortcut = { "state": "off" } | { "state": "heard" } | { "state": "withheld" } | { "state": "unheard", 
/**
 * Why not, in plain prose.
 */
why: string, };

export type Activity = { 
/**
 * Grows with every row.
 */
number: number, 
/**
 * When it ended, in milliseconds since the Unix epoch.
 */
at: number, 
/**
 * What was asked, in one line.
 */
title: string, 
/**
 * The action in 2.x words.
 */
action: string, 
/**
 * The full text of what was asked.
 */
text: string, 
/**
 * The project's name.
 */
project: string, 
/**
 * The project's absolute directory.
 */
directory: string, 
/**
 * Title of the root session, when known.
 */
session: string | null, 
/**
 * The server's id.
 */
server: string, 
/**
 * How long it had waited, in milliseconds.
 */
waited: number, 
/**
 * What happened.
 */
outcome: Outcome, 
/**
 * What the judges had said by then; the analysis on this machine comes last.
 */
opinions: Array<Opinion>, };

export type Outcome = { "outcome": "settled", 
/**
 * How, and by whom.
 */
settled: Settled, } | { "outcome": "undelivered", 
/**
 * Why not.
 */
why: string, };

export type Opinion = { 
/**
 * Which judge; `null` for the analysis on this machine, or where that isn't known.
 */
judge: JudgeName | null, 
/**
 * By what means.
 */
source: Source, 
/**
 * What it would have done.
 */
recommendation: Recommendation, 
/**
 * Why, every character visible.
 */
reason: string, 
/**
 * Whether it could do its work.
 */
status: Status, };

export type Query = { 
/**
 * Words that occur, in whatever case, in what was asked, its project, session or server.
 */
text: string, 
/**
 * The server's id.
 */
server: string | null, 
/**
 * The project's absolute directory.
 */
project: string | null, 
/**
 * The action, in 2.x words.
 */
action: string | null, 
/**
 * What became of it.
 */
ending: Ending | null, 
/**
 * Who answered.
 */
answerer: Answerer | null, 
/**
 * Not before this moment, in milliseconds since the Unix epoch.
 */
from: number | null, 
/**
 * Before this moment, in milliseconds since the Unix epoch.
 */
until: number | null, };

export type Ending = "allowed" | "declined" | "answered" | "unknown" | "over" | "undelivered";

export type Answerer = "you" | "grant" | "rule" | "judge" | "elsewhere" | "nobody";

export type Facets = { 
/**
 * Servers, by id.
 */
servers: Array<Facet>, 
/**
 * Projects, by directory.
 */
projects: Array<Facet>, 
/**
 * Actions.
 */
actions: Array<Facet>, };

export type Facet = { 
/**
 * What stands in a [`Query`] for it.
 */
value: string, 
/**
 * What it is called.
 */
name: string, 
/**
 * How many rows there are of it.
 */
count: number, };

export type Pictures = { 
/**
 * How many requests ended in these days.
 */
total: number, 
/**
 * Day by day, oldest first.
 */
days: Array<Day>, 
/**
 * The median time that what a person answered had waited, in milliseconds.
 */
waited: number | null, 
/**
 * What the user was asked most, the most frequent first.
 */
asked: Array<AskedOften>, };

export type Day = { 
/**
 * When the day began, in milliseconds since the Unix epoch.
 */
from: number, 
/**
 * How many were allowed.
 */
allowed: number, 
/**
 * How many were declined.
 */
declined: number, 
/**
 * How many questions were answered.
 */
answered: number, 
/**
 * Of how many it isn't known what became of them.
 */
unknown: number, 
/**
 * How many were over before anybody answered.
 */
over: number, 
/**
 * How many the user answered here.
 */
you: number, 
/**
 * How many a grant answered.
 */
grant: number, 
/**
 * How many a rule answered.
 */
rule: number, 
/**
 * How many a judge answered.
 */
judge: number, 
/**
 * How many were answered elsewhere.
 */
elsewhere: number, 
/**
 * How many nobody answered, as far as is known.
 */
nobody: number, 
/**
 * The median time that what a person answered had waited, in milliseconds.
 */
waited: number | null, };

export type AskedOften = { 
/**
 * The action, in 2.x words.
 */
action: string, 
/**
 * What was asked, in one line.
 */
title: string, 
/**
 * The full text of what was asked.
 */
text: string, 
/**
 * The project's absolute directory.
 */
directory: string, 
/**
 * The project's name.
 */
project: string, 
/**
 * The server that asked last.
 */
server: string, 
/**
 * How often it was asked.
 */
times: number, 
/**
 * How often the user allowed it by hand.
 */
allowed: number, 
/**
 * How often the user declined it by hand.
 */
declined: number, 
/**
 * Whether a rule could let it pass: a command that the user never declined and that isn't known to do harm.
 */
candidate: boolean, };

export type ReportCard = { 
/**
 * The judge that is asked now, if one is.
 */
asked: JudgeName | null, 
/**
 * Every judge on record; the analysis on this machine comes last.
 */
judges: Array<JudgeCard>, 
/**
 * Whether the judge that is asked now could be left to answer, project by project.
 */
auto: Array<AutoCase>, 
/**
 * The rule by which that is said.
 */
rule: AutoRule, };

export type JudgeCard = { 
/**
 * Whether it is the analysis on this machine.
 */
offline: boolean, 
/**
 * Which model; `null` for the analysis on this machine, and where no record says.
 */
judge: JudgeName | null, 
/**
 * How many requests it spoke about, or failed to.
 */
asked: number, 
/**
 * About how many of those the user decided by hand while it had a plain opinion.
 */
compared: number, 
/**
 * In how many of these both said the same.
 */
agreed: number, 
/**
 * How often it left to the user what they decided by hand.
 */
undecided: number, 
/**
 * How often it would have allowed what the user declined.
 */
too_lenient: number, 
/**
 * The last of these.
 */
lenient: Array<Case>, 
/**
 * How often it would have declined what the user allowed.
 */
too_strict: number, 
/**
 * The last of these.
 */
strict: Array<Case>, 
/**
 * The median of how long it took, in milliseconds; what was remembered counts as nothing here.
 */
median: number | null, 
/**
 * Nineteen of twenty were quicker than this, in milliseconds.
 */
p95: number | null, 
/**
 * Its failures, the most frequent first.
 */
failures: Array<FailureCount>, 
/**
 * How many tokens its questions took, where it says so.
 */
tokens_prompt: number, 
/**
 * How many tokens its answers took, where it says so.
 */
tokens_completion: number, };

export type FailureCount = { 
/**
 * In which way.
 */
status: Status, 
/**
 * The particulars, if they are all alike: the number of an HTTP status.
 */
detail: string | null, 
/**
 * How often.
 */
count: number, };

export type Case = { 
/**
 * Its number in the activity.
 */
number: number, 
/**
 * When it ended, in milliseconds since the Unix epoch.
 */
at: number, 
/**
 * What was asked, in one line.
 */
title: string, 
/**
 * The full text of what was asked.
 */
text: string, 
/**
 * The project's name.
 */
project: string, 
/**
 * Why the judge recommended what it did.
 */
reason: string, 
/**
 * What the user wrote when they declined; empty if nothing.
 */
words: string, };

export type AutoRule = { 
/**
 * So many requests were decided by hand while this judge had an opinion on them.
 */
answers: number, 
/**
 * So many of them it would have allowed, and the user did.
 */
allowed: number, 
/**
 * Within so many days.
 */
days: number, };

export type AutoCase = { 
/**
 * The project's absolute directory.
 */
directory: string, 
/**
 * Its name.
 */
project: string, 
/**
 * The server that asked last.
 */
server: string, 
/**
 * How many requests the user decided by hand while the judge had an opinion on them.
 */
answers: number, 
/**
 * How many of them it would have allowed, and the user did.
 */
allowed: number, 
/**
 * How many of them it would have allowed, and the user declined.
 */
too_lenient: number, 
/**
 * Whether the evidence is there.
 */
safe: boolean, };

export type ExportFormat = "jsonl" | "csv";

export type SavedProject = { 
/**
 * Its id on its server.
 */
id: string, 
/**
 * Its name: the last part of its place. Empty for what lies in no repository, which is one project together.
 */
name: string, 
/**
 * The absolute path of where it lies, every character visible.
 */
place: string, 
/**
 * The directories by which it is known, exactly as they are called: to be given back in calls.
 */
directories: Array<string>, 
/**
 * What it has saved.
 */
approvals: Array<SavedApproval>, };

export type SavedApproval = { 
/**
 * Its id.
 */
id: string, 
/**
 * Pattern for the action, in 2.x words, every character visible.
 */
action: string, 
/**
 * Pattern for the resource, exactly as it is: what is changed.
 */
resource: string, 
/**
 * The same with every character visible: what is shown.
 */
shown: string, 
/**
 * When it was saved, in milliseconds since the Unix epoch, if the server says so.
 */
created: number | null, 
/**
 * When it will be taken back, in milliseconds since the Unix epoch, if that is about to happen.
 */
leaving: number | null, 
/**
 * How far it reaches.
 */
reach: WouldMatch, };

export type WouldMatch = { 
/**
 * How many requests there are on record to be matched.
 */
total: number, 
/**
 * How many of them match.
 */
count: number, 
/**
 * How many of those match in part only: they would have been asked all the same.
 */
partly: number, 
/**
 * How many of those that would have passed delete files.
 */
deletes: number, 
/**
 * How many of those that would have passed were declined.
 */
declined: number, 
/**
 * Some of those that match: what deletes first, then what was declined, then the latest.
 */
examples: Array<PastRequest>, 
/**
 * Some that ask for the same kind of thing and don't match, the latest first.
 */
others: Array<PastRequest>, 
/**
 * Whether a pattern matches everything that its action could ever ask for.
 */
everything: boolean, 
/**
 * A line with a second command that they match, should the server ask about whole lines. `null` where it is known
 * whether it does: then it is among the hazards, or there is none.
 */
chained: string | null, 
/**
 * For each pattern, what is the matter with it.
 */
hazards: Array<Hazard | null>, };

export type PastRequest = { 
/**
 * The number of its row in the activity; of several, the latest one's.
 */
number: number, 
/**
 * When it ended, in milliseconds since the Unix epoch.
 */
at: number, 
/**
 * How many of them there are.
 */
times: number, 
/**
 * What was asked, in one line, every character visible.
 */
title: string, 
/**
 * Whether only a part of it matches.
 */
partly: boolean, 
/**
 * Whether it deletes files.
 */
deletes: boolean, 
/**
 * Whether it was declined.
 */
declined: boolean, };

export type Offer = { 
/**
 * The pattern, exactly as it is.
 */
pattern: Saved, 
/**
 * The resource it matches, every character visible.
 */
shown: string, 
/**
 * Why it is not to be allowed without a second thought, if there is a reason.
 */
hazard: Hazard | null, 
/**
 * Patterns for what is asked that match less, the narrowest first. They hide nothing.
 */
narrower: Array<string>, };

export type Always = "project" | "until_restart";

export type Modes = { 
/**
 * Every watched server.
 */
servers: Array<ModeRow>, 
/**
 * Every project that is known, or that something was chosen for.
 */
projects: Array<ModeRow>, 
/**
 * The sessions that run or were used lately, those that run first.
 */
sessions: Array<SessionRow>, 
/**
 * The projects in which nobody is asked, as far as that is certain.
 */
unasked: Array<UnaskedRow>, };

export type ModeRow = { 
/**
 * What it is chosen for.
 */
scope: Scope, 
/**
 * What that is called, every character visible.
 */
name: string, 
/**
 * The same in full: an address, or a directory. Every character visible.
 */
place: string, 
/**
 * What was chosen; `null` if nothing was.
 */
chosen: Stance | null, };

export type SessionRow = { 
/**
 * The session.
 */
scope: Scope, 
/**
 * Its title, every character visible.
 */
name: string, 
/**
 * What its server is called.
 */
server_name: string, 
/**
 * Its project's name.
 */
project: string, 
/**
 * Its project's absolute directory, exactly as it is called.
 */
directory: string, 
/**
 * The agent that runs in it, if that is known.
 */
agent: string | null, 
/**
 * Whether it is one of a sub-agent.
 */
is_child: boolean, 
/**
 * Whether an agent is at work in it.
 */
runs: boolean, 
/**
 * What was chosen for it itself; `null` if nothing was.
 */
chosen: Stance | null, 
/**
 * What counts for it; `null` if Gavel leaves it to OpenCode.
 */
counts: Stance | null, 
/**
 * What was chosen for this makes it count: the session itself, the one above it, its project or its server.
 */
counts_by: Scope | null, 
/**
 * How far the server knows of it; `null` if it was told nothing.
 */
state: RuleState | null, 
/**
 * The rules that Gavel has set for it.
 */
rules: Array<Rule>, };

export type UnaskedRow = { 
/**
 * The server's id.
 */
server: string, 
/**
 * What the server is called, every character visible.
 */
server_name: string, 
/**
 * The project's absolute directory, exactly as it is called.
 */
directory: string, 
/**
 * The project's name, every character visible.
 */
project: string, 
/**
 * Its directory, every character visible.
 */
place: string, 
/**
 * What OpenCode's own rules never ask about.
 */
unasked: Unasked, 
/**
 * Whether the user chose for the project, or its server, that nobody is asked.
 */
by_choice: boolean, 
/**
 * Which OpenCode the configuration is for.
 */
dialect: Dialect, 
/**
 * What to put into its configuration so that it asks: JSON.
 */
configuration: string, 
/**
 * The file that is for, every character visible.
 */
file: string, 
/**
 * Whether the user wants to hear no more of it.
 */
put_aside: boolean, };

export type Scope = { "scope": "server", 
/**
 * Its id.
 */
server: string, } | { "scope": "project", 
/**
 * Its absolute directory, exactly as it is called.
 */
directory: string, } | { "scope": "session", 
/**
 * The server's id.
 */
server: string, 
/**
 * The session's id.
 */
session: string, };

export type GrantRow = { 
/**
 * Its number.
 */
id: number, 
/**
 * The server's id.
 */
server: string, 
/**
 * What the server is called.
 */
server_name: string, 
/**
 * The title of the session, every character visible; empty while it is not known.
 */
session: string, 
/**
 * The project's name; empty while it is not known.
 */
project: string, 
/**
 * What is allowed, every character visible.
 */
patterns: Array<Saved>, 
/**
 * Whether sessions of sub-agents are included.
 */
includes_children: boolean, 
/**
 * The request it was given for, in one line, every character visible.
 */
title: string, 
/**
 * When it was given, in milliseconds since the Unix epoch.
 */
given: number, 
/**
 * How long it lasts.
 */
lasts: Lasts, 
/**
 * How often it has let something pass; `null` where the server itself lets it pass and tells nobody.
 */
used: number | null, 
/**
 * Until when it can be had back, in milliseconds since the Unix epoch; `null` unless it was taken back.
 */
back_until: number | null, };

export type JudgeRow = { 
/**
 * What is chosen. Where the environment decides, what that says.
 */
choice: JudgeChoice, 
/**
 * Whether nobody has chosen: it is so until they do.
 */
by_default: boolean, 
/**
 * The environment variable that decides who judges, if one does: then nothing but the options can be chosen.
 */
fixed: string | null, 
/**
 * Whether the judge can be asked already: its key may have to be fetched first.
 */
ready: boolean, 
/**
 * What is wrong with the setup, in plain prose.
 */
problem: string | null, 
/**
 * Until when a key that was just forgotten can be had again, in milliseconds since the Unix epoch.
 */
key_back_until: number | null, 
/**
 * How many requests it was asked about since it was set up.
 */
asked: number, 
/**
 * About how many of them it had something to say.
 */
answered: number, 
/**
 * How it failed last, if it did since it was set up.
 */
failed: JudgeFailure | null, 
/**
 * The threads in which it answers nothing any more, because it refused too much there.
 */
paused: Array<PausedThread>, 
/**
 * What the options are unless something else is chosen.
 */
defaults: JudgeOptions, 
/**
 * What the numbers among the options must be within.
 */
bounds: JudgeBounds, };

export type JudgeChoice = { 
/**
 * Who is asked.
 */
who: "off" | "session_model" | "endpoint", 
/**
 * The API of the model that is named.
 */
provider: "openai" | "anthropic", 
/**
 * Where it is; empty for the vendor's own address.
 */
base_url: string, 
/**
 * The model's name there.
 */
model: string, 
/**
 * Where its key comes from.
 */
key: { from: "nowhere" } | { from: "keychain" } | { from: "variable"; name: string }, 
/**
 * What about, and with what patience.
 */
options: JudgeOptions, };

export type JudgeFailure = { 
/**
 * When, in milliseconds since the Unix epoch.
 */
at: number, 
/**
 * What went wrong, in plain prose, every character visible.
 */
why: string, };

export type PausedThread = { 
/**
 * The server's id.
 */
server: string, 
/**
 * The root session's id.
 */
session: string, 
/**
 * The root session's title, every character visible; empty if it is not known.
 */
title: string, 
/**
 * The project's name; empty if it is not known.
 */
project: string, };

export type JudgeTest = { 
/**
 * The command it was asked about, every character visible.
 */
command: string, 
/**
 * Who was asked: the API and the model.
 */
who: string, 
/**
 * What it would do; `ask` after every failure.
 */
recommendation: Recommendation, 
/**
 * Why, or what went wrong. Its own words, every character visible.
 */
reason: string, 
/**
 * Whether it could do its work.
 */
status: Status, 
/**
 * How long it took, in milliseconds.
 */
took: number, 
/**
 * How many tokens the question took, if it says.
 */
asked_tokens: number | null, 
/**
 * How many tokens the answer took, thinking included, if it says.
 */
answered_tokens: number | null, 
/**
 * All that was sent and all that came back, in order.
 */
rounds: Array<JudgeRound>, };

export type JudgeRound = { 
/**
 * The request: its address and headers, an empty line, and its body.
 */
request: string, 
/**
 * The HTTP status; `null` if nothing came back, or for a judge that isn't asked over HTTP.
 */
status: number | null, 
/**
 * The body that came back, as far as it was read.
 */
answer: string, };

export type Trial = { 
/**
 * What happens.
 */
effect: Effect, 
/**
 * The rule that decides; `null` if none matches.
 */
rule: Rule | null, 
/**
 * Where that rule comes from.
 */
from: TrialSource, };

export type TrialSource = "agent" | "session" | "none";

export type Call = { "call": "snapshot" } | { "call": "decide", 
/**
 * The request.
 */
key: RequestKey, 
/**
 * What to do.
 */
decision: Decision, 
/**
 * The edition of the request that was displayed: an approval of an older one is not taken.
 */
edition: number, } | { "call": "answer_question", 
/**
 * The question.
 */
key: RequestKey, 
/**
 * What is given, by the fields' keys. Fields that are skipped are left out.
 */
answer: Record<string, Given>, 
/**
 * The edition of the question that was displayed: an answer to an older one is not taken.
 */
edition: number, } | { "call": "cancel_question", 
/**
 * The question.
 */
key: RequestKey, 
/**
 * What the agent is told, where [`super::Question::passes_reason`]; `null` to end its run.
 */
reason: string | null, } | { "call": "check_answer", 
/**
 * The question.
 */
key: RequestKey, 
/**
 * What is given so far, by the fields' keys.
 */
answer: Record<string, Given>, } | { "call": "keep_draft", 
/**
 * The question.
 */
key: RequestKey, 
/**
 * Whatever the window makes of it, at most 65,536 bytes; `null` to forget it.
 */
draft: string | null, } | { "call": "open_link", 
/**
 * The question.
 */
key: RequestKey, 
/**
 * The field's key.
 */
field: string, } | { "call": "retry", 
/**
 * The request or question.
 */
key: RequestKey, } | { "call": "activity", 
/**
 * Only rows older than the row with this number; `null` for the newest.
 */
before: number | null, 
/**
 * At most this many rows (1 to 500).
 */
limit: number, 
/**
 * What is looked for.
 */
query: Query, } | { "call": "pictures", 
/**
 * What is looked for.
 */
query: Query, 
/**
 * When the days begin in the user's time zone, in milliseconds since the Unix epoch (at most 400).
 */
days: Array<number>, } | { "call": "report_card" } | { "call": "export_activity", 
/**
 * What is looked for.
 */
query: Query, 
/**
 * What kind of file.
 */
format: ExportFormat, } | { "call": "add_server", 
/**
 * Its base URL, `http` or `https`.
 */
url: string, 
/**
 * What to call it; empty for host and port.
 */
name: string, } | { "call": "remove_server", 
/**
 * Its id.
 */
server: string, } | { "call": "watch_again", 
/**
 * Its id.
 */
server: string, } | { "call": "set_password", 
/**
 * The server's id.
 */
server: string, 
/**
 * User name; empty for `opencode`.
 */
username: string, 
/**
 * The password.
 */
password: string, } | { "call": "set_password_variable", 
/**
 * The server's id.
 */
server: string, 
/**
 * The variable's name.
 */
variable: string, } | { "call": "forget_password", 
/**
 * The server's id.
 */
server: string, } | { "call": "keep_forgotten_password", 
/**
 * The server's id.
 */
server: string, } | { "call": "pause", 
/**
 * Whether to hold them back.
 */
paused: boolean, } | { "call": "set_preferences", 
/**
 * All of them.
 */
preferences: Preferences, } | { "call": "saved_approvals", 
/**
 * The server's id.
 */
server: string, } | { "call": "would_match", 
/**
 * The directories whose requests count.
 */
directories: Array<string>, 
/**
 * The patterns, for actions in 2.x words.
 */
patterns: Array<Saved>, 
/**
 * What their server asks about when a line of several commands is to run.
 */
lines: Lines, } | { "call": "change_saved_approval", 
/**
 * The server's id.
 */
server: string, 
/**
 * A directory of the project that has saved it.
 */
directory: string, 
/**
 * The approval's id.
 */
id: string, 
/**
 * The new pattern.
 */
resource: string, } | { "call": "remove_saved_approval", 
/**
 * The server's id.
 */
server: string, 
/**
 * A directory of the project that has saved it.
 */
directory: string, 
/**
 * The approval's id.
 */
id: string, 
/**
 * For how long it can still be kept, in milliseconds (0 to 60,000). Zero: it is taken back at once, also if
 * that was to happen later.
 */
hold: number, } | { "call": "keep_saved_approval", 
/**
 * The server's id.
 */
server: string, 
/**
 * The approval's id.
 */
id: string, } | { "call": "set_mode", 
/**
 * For what.
 */
scope: Scope, 
/**
 * The mode; `null` to leave it to what is wider, and in the end to OpenCode.
 */
stance: Stance | null, } | { "call": "rules_of", 
/**
 * The server's id.
 */
server: string, 
/**
 * The project's absolute directory.
 */
directory: string, 
/**
 * The agent; `null` for the server's default one.
 */
agent: string | null, 
/**
 * The mode.
 */
stance: Stance, } | { "call": "try", 
/**
 * The server's id.
 */
server: string, 
/**
 * The session's id.
 */
session: string, 
/**
 * The action, in 2.x words.
 */
action: string, 
/**
 * The command, path or address.
 */
resource: string, } | { "call": "find_unasked" } | { "call": "put_aside", 
/**
 * Its absolute directory.
 */
directory: string, 
/**
 * Whether the user wants to hear no more of it.
 */
aside: boolean, } | { "call": "take_grant_back", 
/**
 * Its number.
 */
id: number, } | { "call": "give_grant_again", 
/**
 * Its number.
 */
id: number, } | { "call": "set_judge", 
/**
 * All of it.
 */
choice: JudgeChoice, } | { "call": "keep_judge_key", 
/**
 * The API of the judge.
 */
provider: "openai" | "anthropic", 
/**
 * Its address; empty for the vendor's own.
 */
base_url: string, 
/**
 * The key.
 */
key: string, } | { "call": "forget_judge_key" } | { "call": "keep_forgotten_judge_key" } | { "call": "test_judge", 
/**
 * The command; empty for a harmless one.
 */
command: string, } | { "call": "stop_judge_test" } | { "call": "judge_again", 
/**
 * The server's id.
 */
server: string, 
/**
 * The root session's id.
 */
session: string, } | { "call": "rules_projects" } | { "call": "project_rules", 
/**
 * Its absolute directory.
 */
directory: string, } | { "call": "change_rules", 
/**
 * Its absolute directory.
 */
directory: string, 
/**
 * What is changed.
 */
change: RulesChange, } | { "call": "undo_rules", 
/**
 * The number that the change was answered with.
 */
undo: number, } | { "call": "check_preset", 
/**
 * The project's absolute directory.
 */
directory: string, 
/**
 * The line.
 */
line: string, } | { "call": "try_command", 
/**
 * The project's absolute directory.
 */
directory: string, 
/**
 * The command.
 */
command: string, } | { "call": "export_rules", 
/**
 * The project's absolute directory.
 */
directory: string, 
/**
 * The rules in the user's order; `null` for those of the file, with exceptions behind them.
 */
rules: Array<Rule> | null, } | { "call": "import_rules", 
/**
 * The project's absolute directory.
 */
directory: string, 
/**
 * The configuration, as JSON or JSONC; `null` to read the project's own.
 */
text: string | null, } | { "call": "quit" };

export type Answer = { "answer": "done" } | { "answer": "snapshot", 
/**
 * What is shown now.
 */
snapshot: Snapshot, } | { "answer": "checked", 
/**
 * Everything that is wrong with it, at most one thing for each field; empty if the server would take it.
 */
problems: Array<Problem>, 
/**
 * The keys of the fields that are asked with this much given, in their order.
 */
active: Array<string>, } | { "answer": "rules", 
/**
 * The rules, in their order, in 2.x words.
 */
rules: Array<Rule>, 
/**
 * Whether the places that the agent may use of its own are among them: they are read from the server.
 */
complete: boolean, } | { "answer": "trial", 
/**
 * What the rules decide.
 */
trial: Trial, } | { "answer": "activity", 
/**
 * Rows, newest first.
 */
rows: Array<Activity>, 
/**
 * Whether there are older ones.
 */
more: boolean, 
/**
 * How many there are of what is looked for.
 */
found: number, 
/**
 * How many there are.
 */
total: number, 
/**
 * What there is to filter by; only with the newest rows.
 */
facets: Facets | null, } | { "answer": "pictures", 
/**
 * The numbers.
 */
pictures: Pictures, } | { "answer": "report_card", 
/**
 * The card.
 */
card: ReportCard, } | { "answer": "exported", 
/**
 * The file's absolute path.
 */
path: string, 
/**
 * How many requests it holds.
 */
lines: number, } | { "answer": "saved_approvals", 
/**
 * Whether the server keeps such approvals at all.
 */
supported: boolean, 
/**
 * Whether they can be changed there.
 */
can_change: boolean, 
/**
 * The projects that have saved any, in the order of their places.
 */
projects: Array<SavedProject>, 
/**
 * How many requests on record they were held against.
 */
recorded: number, 
/**
 * Directories whose list could not be had, and why.
 */
unlisted: Array<string>, } | { "answer": "judge_test", 
/**
 * What came of it.
 */
test: JudgeTest, } | { "answer": "removed", 
/**
 * Whether it was taken back, and not kept.
 */
removed: boolean, } | { "answer": "rules_projects", 
/**
 * The projects, those in trouble first, then by name.
 */
projects: Array<RulesProject>, 
/**
 * Where their files are, every character visible; empty if no rules are kept.
 */
folder: string, 
/**
 * Whether rules are heeded.
 */
in_force: boolean, } | { "answer": "project_rules", 
/**
 * Its rules.
 */
rules: ProjectRules, } | { "answer": "rules_changed", 
/**
 * By which number it can be taken back; `null` if it changed nothing.
 */
undo: number | null, } | { "answer": "preset_check", 
/**
 * What they make of it.
 */
check: PresetCheck, } | { "answer": "command_trial", 
/**
 * What becomes of it.
 */
trial: CommandTrial, } | { "answer": "rules_export", 
/**
 * The configuration.
 */
export: RulesExport, } | { "answer": "rules_import", 
/**
 * What it says.
 */
import: RulesImport, } | { "answer": "would_match", 
/**
 * How far they reach.
 */
reach: WouldMatch, };

export type Failure = { 
/**
 * What kind of failure it is. A code exists only where the window acts on it.
 */
code: Code, 
/**
 * What went wrong, in plain prose.
 */
message: string, 
/**
 * What the user can do about it.
 */
hint: string, };

export type Code = "bad_url" | "no_keychain" | "bad_variable" | "bad_model" | "bad_key" | "bad_pattern" | "approval_gone" | "not_changeable" | "question_gone" | "failed";

export type RulesProject = { 
/**
 * Its absolute directory, exactly as it is called: to be given back in calls. Empty for a file of which it can't be
 * told whose it is.
 */
directory: string, 
/**
 * The same with every character visible; for such a file, its path.
 */
place: string, 
/**
 * The project's name: the last part of its directory.
 */
name: string, 
/**
 * What its file is like.
 */
state: RulesState, 
/**
 * How many preset lines it has.
 */
preset: number, 
/**
 * How many learned lines it has.
 */
learned: number, 
/**
 * How many commands are counted, but not learned yet.
 */
pending: number, };

export type RulesState = { "state": "none" } | { "state": "fine" } | { "state": "broken", 
/**
 * What is wrong, each as the end of a sentence that begins with the file.
 */
faults: Array<string>, 
/**
 * Whether it merely is of a version that isn't known.
 */
version: boolean, } | { "state": "unusable", 
/**
 * Why, for a person.
 */
why: string, };

export type ProjectRules = { 
/**
 * Its absolute directory, exactly as it is called.
 */
directory: string, 
/**
 * Where the file is, or will be, exactly as it is called: to be copied.
 */
path: string, 
/**
 * The same with every character visible.
 */
place: string, 
/**
 * What the file is like. Of a broken one, the lines are those that can be read all the same; they don't count.
 */
state: RulesState, 
/**
 * How many changes wait for a file that can't be written.
 */
waiting: number, 
/**
 * What went wrong with the file the last time; empty if nothing did.
 */
trouble: string, 
/**
 * After how many approvals in a row a command is learned.
 */
learn_after: number, 
/**
 * Patterns for commands that only read, in the order of the file.
 */
preset: Array<PresetLine>, 
/**
 * Commands that pass because they were allowed often enough, in the order of the file.
 */
learned: Array<LearnedLine>, 
/**
 * Commands that were allowed, but not often enough yet, in the order of the file.
 */
pending: Array<PendingLine>, 
/**
 * Commands that the user approved by hand and that may be learned at once, the most frequent first.
 */
suggestions: Array<Suggestion>, 
/**
 * Whether the project has a configuration of OpenCode of its own that could be read.
 */
has_config: boolean, };

export type PresetLine = { 
/**
 * The line, exactly as it is: to be given back in calls.
 */
line: string, 
/**
 * The same with every character visible.
 */
shown: string, 
/**
 * Whether it came with the file.
 */
built_in: boolean, 
/**
 * Why it never counts; `null` if it may.
 */
never: PresetProblem | null, 
/**
 * Whether it covers every command.
 */
everything: boolean, 
/**
 * How many requests on record passed by it.
 */
passed: number, 
/**
 * When the last of these did, in milliseconds since the Unix epoch.
 */
last: number | null, };

export type LearnedLine = { 
/**
 * The command, exactly as it stands in the file: to be given back in calls.
 */
command: string, 
/**
 * The same with every character visible.
 */
shown: string, 
/**
 * How often it was allowed; zero if it was put there by hand.
 */
approvals: number, 
/**
 * How often of these by the human; the rest are a judge's, or the plugin's.
 */
by_human: number, 
/**
 * When it was last allowed or let through, in milliseconds since the Unix epoch; `null` if the file doesn't say.
 */
last_seen: number | null, 
/**
 * Whether it destroys something: then it is asked about all the same.
 */
destructive: boolean, 
/**
 * How many requests on record passed by it.
 */
passed: number, 
/**
 * The requests on record that were answered before it was learned, the latest first.
 */
evidence: Array<Evidence>, };

export type PendingLine = { 
/**
 * The command, exactly as it stands in the file: to be given back in calls.
 */
command: string, 
/**
 * The same with every character visible.
 */
shown: string, 
/**
 * How often it was allowed in a row.
 */
count: number, 
/**
 * How often of these by the human.
 */
by_human: number, 
/**
 * Why it can't be learned by hand; `null` if it can.
 */
refused: LearnProblem | null, 
/**
 * The requests on record that were answered, the latest first.
 */
evidence: Array<Evidence>, };

export type Suggestion = { 
/**
 * The command, exactly as it is: to be given back in calls.
 */
command: string, 
/**
 * The same with every character visible.
 */
shown: string, 
/**
 * How often the user approved it by hand.
 */
times: number, 
/**
 * When they last did, in milliseconds since the Unix epoch.
 */
last: number, 
/**
 * What the analysis on this machine says of it.
 */
verdict: Verdict, };

export type Evidence = { 
/**
 * The number of its row in the activity.
 */
number: number, 
/**
 * When it ended, in milliseconds since the Unix epoch.
 */
at: number, 
/**
 * Who answered.
 */
by: EvidenceBy, 
/**
 * Whether it was allowed.
 */
allowed: boolean, 
/**
 * Title of the root session, when known, every character visible.
 */
session: string | null, 
/**
 * What was recommended then, in one sentence, if anything was.
 */
verdict: string | null, };

export type EvidenceBy = "human" | "judge";

export type RulesChange = { "change": "add_preset", 
/**
 * The line.
 */
line: string, } | { "change": "edit_preset", 
/**
 * As it was.
 */
from: string, 
/**
 * As it shall be.
 */
to: string, } | { "change": "remove_preset", 
/**
 * The line.
 */
line: string, } | { "change": "learn", 
/**
 * The command.
 */
command: string, } | { "change": "remove_learned", 
/**
 * The command, as it stands in the file.
 */
command: string, } | { "change": "forget_pending", 
/**
 * The command, as it stands in the file.
 */
command: string, };

export type PresetCheck = { 
/**
 * Why no command passes by it; `null` if some may.
 */
never: PresetProblem | null, 
/**
 * Whether the file has it already.
 */
present: boolean, 
/**
 * Whether it covers every command.
 */
everything: boolean, 
/**
 * Commands that would pass by it, every character visible.
 */
passes: Array<string>, 
/**
 * Commands that it covers and that are asked about all the same, every character visible, with the reason.
 */
held: Array<HeldExample>, 
/**
 * What programs with weaker checks would let pass by it. The file is shared with such a program.
 */
hazard: Hazard | null, };

export type HeldExample = { 
/**
 * The command, every character visible.
 */
command: string, 
/**
 * What the analysis says of it, in one sentence that begins with a verb.
 */
why: string, };

export type PresetProblem = { "problem": "empty" } | { "problem": "character", 
/**
 * The character, visible.
 */
what: string, } | { "problem": "absolute", 
/**
 * The argument.
 */
what: string, } | { "problem": "upwards", 
/**
 * The argument.
 */
what: string, } | { "problem": "flag", 
/**
 * The option.
 */
what: string, } | { "problem": "unproven", 
/**
 * A command that it covers.
 */
example: string, 
/**
 * What the analysis says of that, in one sentence that begins with a verb.
 */
why: string, };

export type LearnProblem = { "problem": "no_line" } | { "problem": "destructive", 
/**
 * What it does, in one sentence that begins with a verb.
 */
why: string, };

export type CommandTrial = { 
/**
 * The command, every character visible.
 */
text: string, 
/**
 * What the analysis on this machine says of it.
 */
verdict: Verdict, 
/**
 * What becomes of it.
 */
outcome: TrialOutcome, 
/**
 * Whether rules are heeded at all: the user may have chosen otherwise.
 */
in_force: boolean, };

export type TrialOutcome = { "outcome": "passes", 
/**
 * The line, every character visible.
 */
line: string, 
/**
 * `preset` or `learned`.
 */
source: Source, } | { "outcome": "held", 
/**
 * The line, every character visible.
 */
line: string, 
/**
 * Which check.
 */
check: HeldCheck, 
/**
 * What it found: a character, an argument, or a sentence that begins with a verb.
 */
what: string, } | { "outcome": "destructive", 
/**
 * The line, every character visible.
 */
line: string, } | { "outcome": "uncovered" } | { "outcome": "no_line" } | { "outcome": "no_rules" };

export type HeldCheck = "character" | "absolute" | "upwards" | "flag" | "proven" | "disk";

export type RulesExport = { 
/**
 * The rules in their order: of those that match, the last one counts.
 */
rules: Array<ExportedRule>, 
/**
 * The text for OpenCode 1.
 */
v1: string, 
/**
 * The text for OpenCode 2.
 */
v2: string, 
/**
 * Learned commands that are left out, every character visible: as patterns they would cover more.
 */
left_out: Array<string>, 
/**
 * Preset lines that are left out, every character visible: patterns can't keep out what they would let pass.
 */
too_wide: Array<string>, };

export type ExportedRule = { 
/**
 * The rule, in 2.x words.
 */
rule: Rule, 
/**
 * What it comes from.
 */
from: ExportedFrom, 
/**
 * What is the matter with it in OpenCode, where the pattern alone decides.
 */
hazard: Hazard | null, 
/**
 * Whether a later rule decides wherever this one would: then it does nothing.
 */
idle: boolean, };

export type ExportedFrom = "floor" | "preset" | "learned" | "exception";

export type RulesImport = { 
/**
 * Where it was read from, every character visible; empty if it was pasted.
 */
place: string, 
/**
 * Its rules about commands, in their order.
 */
lines: Array<ImportedLine>, 
/**
 * Agents that have rules of their own there, which are not taken.
 */
agents: Array<string>, };

export type ImportedLine = { 
/**
 * The pattern, exactly as it is: to be given back in calls.
 */
pattern: string, 
/**
 * The same with every character visible.
 */
shown: string, 
/**
 * What it says.
 */
effect: Effect, 
/**
 * What can become of it.
 */
fate: ImportFate, };

export type ImportFate = { "fate": "preset" } | { "fate": "learned" } | { "fate": "present" } | { "fate": "no_allowance" } | { "fate": "never", 
/**
 * Why.
 */
why: PresetProblem, } | { "fate": "not_learned", 
/**
 * Why.
 */
why: LearnProblem, } | { "fate": "taken_back", 
/**
 * The pattern of the later one, every character visible.
 */
by: string, } | { "fate": "everything" };
