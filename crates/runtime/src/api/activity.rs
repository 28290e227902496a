//! The activity: what is looked for in it, the pictures of it, and how the judges did.

use gavel_core::{JudgeName, Recommendation, Source, Status};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What is looked for in the activity. What is `null` or empty asks for nothing; the rest must hold together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Query {
    /// Words that occur, in whatever case, in what was asked, its project, session or server.
    pub text: String,
    /// The server's id.
    pub server: Option<String>,
    /// The project's absolute directory.
    pub project: Option<String>,
    /// The action, in 2.x words.
    pub action: Option<String>,
    /// What became of it.
    pub ending: Option<Ending>,
    /// Who answered.
    pub answerer: Option<Answerer>,
    /// Not before this moment, in milliseconds since the Unix epoch.
    #[ts(type = "number | null")]
    pub from: Option<u64>,
    /// Before this moment, in milliseconds since the Unix epoch.
    #[ts(type = "number | null")]
    pub until: Option<u64>,
}

/// What became of a request, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The server was told yes, by whomever.
    Allowed,
    /// The server was told no, by whomever; a question was cancelled.
    Declined,
    /// It was a question, and got an answer.
    Answered,
    /// It ended, and nobody said how.
    Unknown,
    /// Its run or its server ended before anybody answered.
    Over,
    /// An answer did not arrive. The request has not ended then.
    Undelivered,
}

/// Who answered a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Answerer {
    /// The user, here.
    You,
    /// What the user allowed for a session.
    Grant,
    /// A line of a rules file.
    Rule,
    /// A judge, in the mode Auto.
    Judge,
    /// Another client: a terminal, another program.
    Elsewhere,
    /// Nobody, as far as is known.
    Nobody,
}

/// What a request is filtered by, with what there is of it on record, the most frequent first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Facets {
    /// Servers, by id.
    pub servers: Vec<Facet>,
    /// Projects, by directory.
    pub projects: Vec<Facet>,
    /// Actions.
    pub actions: Vec<Facet>,
}

/// Something to filter by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Facet {
    /// What stands in a [`Query`] for it.
    pub value: String,
    /// What it is called.
    pub name: String,
    /// How many rows there are of it.
    #[ts(type = "number")]
    pub count: usize,
}

/// What one judge said about a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Opinion {
    /// Which judge; `null` for the analysis on this machine, or where that isn't known.
    #[ts(type = "JudgeName | null")]
    pub judge: Option<JudgeName>,
    /// By what means.
    #[ts(type = "Source")]
    pub source: Source,
    /// What it would have done.
    #[ts(type = "Recommendation")]
    pub recommendation: Recommendation,
    /// Why, every character visible.
    pub reason: String,
    /// Whether it could do its work.
    #[ts(type = "Status")]
    pub status: Status,
}

/// The activity in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Pictures {
    /// How many requests ended in these days.
    #[ts(type = "number")]
    pub total: usize,
    /// Day by day, oldest first.
    pub days: Vec<Day>,
    /// The median time that what a person answered had waited, in milliseconds.
    #[ts(type = "number | null")]
    pub waited: Option<u64>,
    /// What the user was asked most, the most frequent first.
    pub asked: Vec<AskedOften>,
}

/// What ended on one day. Requests that never ended count nowhere.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Day {
    /// When the day began, in milliseconds since the Unix epoch.
    #[ts(type = "number")]
    pub from: u64,
    /// How many were allowed.
    #[ts(type = "number")]
    pub allowed: usize,
    /// How many were declined.
    #[ts(type = "number")]
    pub declined: usize,
    /// How many questions were answered.
    #[ts(type = "number")]
    pub answered: usize,
    /// Of how many it isn't known what became of them.
    #[ts(type = "number")]
    pub unknown: usize,
    /// How many were over before anybody answered.
    #[ts(type = "number")]
    pub over: usize,
    /// How many the user answered here.
    #[ts(type = "number")]
    pub you: usize,
    /// How many a grant answered.
    #[ts(type = "number")]
    pub grant: usize,
    /// How many a rule answered.
    #[ts(type = "number")]
    pub rule: usize,
    /// How many a judge answered.
    #[ts(type = "number")]
    pub judge: usize,
    /// How many were answered elsewhere.
    #[ts(type = "number")]
    pub elsewhere: usize,
    /// How many nobody answered, as far as is known.
    #[ts(type = "number")]
    pub nobody: usize,
    /// The median time that what a person answered had waited, in milliseconds.
    #[ts(type = "number | null")]
    pub waited: Option<u64>,
}

/// Something that was asked again and again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AskedOften {
    /// The action, in 2.x words.
    pub action: String,
    /// What was asked, in one line.
    pub title: String,
    /// The full text of what was asked.
    pub text: String,
    /// The project's absolute directory.
    pub directory: String,
    /// The project's name.
    pub project: String,
    /// The server that asked last.
    pub server: String,
    /// How often it was asked.
    #[ts(type = "number")]
    pub times: usize,
    /// How often the user allowed it by hand.
    #[ts(type = "number")]
    pub allowed: usize,
    /// How often the user declined it by hand.
    #[ts(type = "number")]
    pub declined: usize,
    /// Whether a rule could let it pass: a command that the user never declined and that isn't known to do harm.
    pub candidate: bool,
}

/// How the judges did, held against what the user decided by hand.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReportCard {
    /// The judge that is asked now, if one is.
    #[ts(type = "JudgeName | null")]
    pub asked: Option<JudgeName>,
    /// Every judge on record; the analysis on this machine comes last.
    pub judges: Vec<JudgeCard>,
    /// Whether the judge that is asked now could be left to answer, project by project.
    pub auto: Vec<AutoCase>,
    /// The rule by which that is said.
    pub rule: AutoRule,
}

/// How one judge did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct JudgeCard {
    /// Whether it is the analysis on this machine.
    pub offline: bool,
    /// Which model; `null` for the analysis on this machine, and where no record says.
    #[ts(type = "JudgeName | null")]
    pub judge: Option<JudgeName>,
    /// How many requests it spoke about, or failed to.
    #[ts(type = "number")]
    pub asked: usize,
    /// About how many of those the user decided by hand while it had a plain opinion.
    #[ts(type = "number")]
    pub compared: usize,
    /// In how many of these both said the same.
    #[ts(type = "number")]
    pub agreed: usize,
    /// How often it left to the user what they decided by hand.
    #[ts(type = "number")]
    pub undecided: usize,
    /// How often it would have allowed what the user declined.
    #[ts(type = "number")]
    pub too_lenient: usize,
    /// The last of these.
    pub lenient: Vec<Case>,
    /// How often it would have declined what the user allowed.
    #[ts(type = "number")]
    pub too_strict: usize,
    /// The last of these.
    pub strict: Vec<Case>,
    /// The median of how long it took, in milliseconds; what was remembered counts as nothing here.
    #[ts(type = "number | null")]
    pub median: Option<u64>,
    /// Nineteen of twenty were quicker than this, in milliseconds.
    #[ts(type = "number | null")]
    pub p95: Option<u64>,
    /// Its failures, the most frequent first.
    pub failures: Vec<FailureCount>,
    /// How many tokens its questions took, where it says so.
    #[ts(type = "number")]
    pub tokens_prompt: u64,
    /// How many tokens its answers took, where it says so.
    #[ts(type = "number")]
    pub tokens_completion: u64,
}

/// How often a judge failed in one way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FailureCount {
    /// In which way.
    #[ts(type = "Status")]
    pub status: Status,
    /// The particulars, if they are all alike: the number of an HTTP status.
    pub detail: Option<String>,
    /// How often.
    #[ts(type = "number")]
    pub count: usize,
}

/// A request about which a judge and the user did not agree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Case {
    /// Its number in the activity.
    #[ts(type = "number")]
    pub number: u64,
    /// When it ended, in milliseconds since the Unix epoch.
    #[ts(type = "number")]
    pub at: u64,
    /// What was asked, in one line.
    pub title: String,
    /// The full text of what was asked.
    pub text: String,
    /// The project's name.
    pub project: String,
    /// Why the judge recommended what it did.
    pub reason: String,
    /// What the user wrote when they declined; empty if nothing.
    pub words: String,
}

/// By what evidence it is said that a judge could be left to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AutoRule {
    /// So many requests were decided by hand while this judge had an opinion on them.
    #[ts(type = "number")]
    pub answers: usize,
    /// So many of them it would have allowed, and the user did.
    #[ts(type = "number")]
    pub allowed: usize,
    /// Within so many days.
    #[ts(type = "number")]
    pub days: u64,
}

/// What there is of that evidence in one project. None of what the judge would have allowed may have been declined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AutoCase {
    /// The project's absolute directory.
    pub directory: String,
    /// Its name.
    pub project: String,
    /// The server that asked last.
    pub server: String,
    /// How many requests the user decided by hand while the judge had an opinion on them.
    #[ts(type = "number")]
    pub answers: usize,
    /// How many of them it would have allowed, and the user did.
    #[ts(type = "number")]
    pub allowed: usize,
    /// How many of them it would have allowed, and the user declined.
    #[ts(type = "number")]
    pub too_lenient: usize,
    /// Whether the evidence is there.
    pub safe: bool,
}

/// A kind of file that activity is exported to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ExportFormat {
    /// One JSON object a line, in the format of the audit log.
    Jsonl,
    /// The same as a table for spreadsheets.
    Csv,
}
