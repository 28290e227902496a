//! The calls a host can make.

use gavel_core::modes::Stance;
use gavel_core::question;
use gavel_core::reach::Lines;
use gavel_core::rules::{Rule, Saved};
use gavel_core::{Decision, RequestKey};
use gavel_judge::model::Kind;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::activity::{ExportFormat, Facets, Pictures, Query, ReportCard};
use super::judge::{JudgeChoice, JudgeTest};
use super::modes::{Scope, Trial};
use super::question::Problem;
use super::rules::{CommandTrial, PresetCheck, ProjectRules, RulesChange, RulesExport, RulesImport, RulesProject};
use super::saved::{SavedProject, WouldMatch};
use super::snapshot::{Activity, Preferences, Snapshot};

/// Something a host asks of Gavel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "call", rename_all = "snake_case")]
pub enum Call {
    /// Everything that is shown now. Answered with [`Answer::Snapshot`].
    Snapshot,
    /// Decides about a request. A request that is settled or being answered already is left as it is.
    Decide {
        /// The request.
        #[ts(type = "RequestKey")]
        key: RequestKey,
        /// What to do.
        #[ts(type = "Decision")]
        decision: Decision,
        /// The edition of the request that was displayed: an approval of an older one is not taken.
        edition: u32,
    },
    /// Answers a question. Hidden fields need not be given: their defaults are sent, and nothing is sent for fields that
    /// are not asked. Answered with [`Answer::Checked`] if the server would refuse it: then nothing is sent. A question
    /// that is settled or being answered already is left as it is.
    AnswerQuestion {
        /// The question.
        #[ts(type = "RequestKey")]
        key: RequestKey,
        /// What is given, by the fields' keys. Fields that are skipped are left out.
        #[ts(type = "Record<string, Given>")]
        answer: question::Answer,
        /// The edition of the question that was displayed: an answer to an older one is not taken.
        edition: u32,
    },
    /// Cancels a question.
    CancelQuestion {
        /// The question.
        #[ts(type = "RequestKey")]
        key: RequestKey,
        /// What the agent is told, where [`super::Question::passes_reason`]; `null` to end its run.
        reason: Option<String>,
    },
    /// What would come of an answer, without sending it. Answered with [`Answer::Checked`].
    CheckAnswer {
        /// The question.
        #[ts(type = "RequestKey")]
        key: RequestKey,
        /// What is given so far, by the fields' keys.
        #[ts(type = "Record<string, Given>")]
        answer: question::Answer,
    },
    /// Keeps what is half typed for a question, until that is settled. It survives the end of Gavel.
    KeepDraft {
        /// The question.
        #[ts(type = "RequestKey")]
        key: RequestKey,
        /// Whatever the window makes of it, at most 65,536 bytes; `null` to forget it.
        draft: Option<String>,
    },
    /// Opens the address of an external field in the user's browser. Only `http` and `https`.
    OpenLink {
        /// The question.
        #[ts(type = "RequestKey")]
        key: RequestKey,
        /// The field's key.
        field: String,
    },
    /// Sends an undelivered answer again.
    Retry {
        /// The request or question.
        #[ts(type = "RequestKey")]
        key: RequestKey,
    },
    /// What was settled, newest first. Answered with [`Answer::Activity`].
    Activity {
        /// Only rows older than the row with this number; `null` for the newest.
        #[ts(type = "number | null")]
        before: Option<u64>,
        /// At most this many rows (1 to 500).
        #[ts(type = "number")]
        limit: usize,
        /// What is looked for.
        #[serde(default)]
        query: Query,
    },
    /// The activity in numbers. Answered with [`Answer::Pictures`].
    Pictures {
        /// What is looked for.
        query: Query,
        /// When the days begin in the user's time zone, in milliseconds since the Unix epoch (at most 400).
        #[ts(type = "Array<number>")]
        days: Vec<u64>,
    },
    /// How the judges did. Answered with [`Answer::ReportCard`].
    ReportCard,
    /// Writes what is looked for in the activity to a new file. Answered with [`Answer::Exported`].
    ExportActivity {
        /// What is looked for.
        query: Query,
        /// What kind of file.
        format: ExportFormat,
    },
    /// Watches another server from now on.
    AddServer {
        /// Its base URL, `http` or `https`.
        url: String,
        /// What to call it; empty for host and port.
        name: String,
    },
    /// Stops watching a server that was added. For ten seconds it can be had again.
    RemoveServer {
        /// Its id.
        server: String,
    },
    /// Watches a server again that was just removed, with its name and its password.
    WatchAgain {
        /// Its id.
        server: String,
    },
    /// Keeps a server's password in the keychain and uses it.
    SetPassword {
        /// The server's id.
        server: String,
        /// User name; empty for `opencode`.
        username: String,
        /// The password.
        password: String,
    },
    /// Takes a server's password from an environment variable instead of the keychain.
    SetPasswordVariable {
        /// The server's id.
        server: String,
        /// The variable's name.
        variable: String,
    },
    /// Forgets a server's password, or the variable it is taken from. For ten seconds it can be had again.
    ForgetPassword {
        /// The server's id.
        server: String,
    },
    /// Has a server's password again that was just forgotten.
    KeepForgottenPassword {
        /// The server's id.
        server: String,
    },
    /// Holds notifications back, or lets them through again.
    Pause {
        /// Whether to hold them back.
        paused: bool,
    },
    /// Changes the preferences.
    SetPreferences {
        /// All of them.
        preferences: Preferences,
    },
    /// What the projects of a server have saved for good. Answered with [`Answer::SavedApprovals`].
    SavedApprovals {
        /// The server's id.
        server: String,
    },
    /// What patterns, taken together, would have matched of the requests on record. Answered with
    /// [`Answer::WouldMatch`].
    WouldMatch {
        /// The directories whose requests count.
        directories: Vec<String>,
        /// The patterns, for actions in 2.x words.
        #[ts(type = "Array<Saved>")]
        patterns: Vec<Saved>,
        /// What their server asks about when a line of several commands is to run.
        #[ts(type = "Lines")]
        lines: Lines,
    },
    /// Lets a saved approval match another resource from now on.
    ChangeSavedApproval {
        /// The server's id.
        server: String,
        /// A directory of the project that has saved it.
        directory: String,
        /// The approval's id.
        id: String,
        /// The new pattern.
        resource: String,
    },
    /// Takes a saved approval back, unless it is kept in time. Answered with [`Answer::Removed`] once that is decided,
    /// whatever becomes of the window meanwhile. One that is gone already counts as taken back.
    RemoveSavedApproval {
        /// The server's id.
        server: String,
        /// A directory of the project that has saved it.
        directory: String,
        /// The approval's id.
        id: String,
        /// For how long it can still be kept, in milliseconds (0 to 60,000). Zero: it is taken back at once, also if
        /// that was to happen later.
        #[ts(type = "number")]
        hold: u64,
    },
    /// Keeps a saved approval that was about to be taken back. Too late, it does nothing.
    KeepSavedApproval {
        /// The server's id.
        server: String,
        /// The approval's id.
        id: String,
    },
    /// Chooses a mode from now on.
    SetMode {
        /// For what.
        scope: Scope,
        /// The mode; `null` to leave it to what is wider, and in the end to OpenCode.
        #[ts(type = "Stance | null")]
        stance: Option<Stance>,
    },
    /// The rules that a mode stands for in a session. Answered with [`Answer::Rules`].
    RulesOf {
        /// The server's id.
        server: String,
        /// The project's absolute directory.
        directory: String,
        /// The agent; `null` for the server's default one.
        agent: Option<String>,
        /// The mode.
        #[ts(type = "Stance")]
        stance: Stance,
    },
    /// What happens in a session when an agent wants to do this. Answered with [`Answer::Trial`].
    Try {
        /// The server's id.
        server: String,
        /// The session's id.
        session: String,
        /// The action, in 2.x words.
        action: String,
        /// The command, path or address.
        resource: String,
    },
    /// Looks for projects in which nobody is asked, where that is not known yet. What is found is in the next snapshots.
    FindUnasked,
    /// Lets a project in which nobody is asked be, or speaks of it again.
    PutAside {
        /// Its absolute directory.
        directory: String,
        /// Whether the user wants to hear no more of it.
        aside: bool,
    },
    /// Takes a grant back. For ten seconds it can be had again.
    TakeGrantBack {
        /// Its number.
        #[ts(type = "number")]
        id: u64,
    },
    /// Gives a grant again that was just taken back.
    GiveGrantAgain {
        /// Its number.
        #[ts(type = "number")]
        id: u64,
    },
    /// Chooses who judges from now on, and how. Numbers out of bounds are brought within them.
    SetJudge {
        /// All of it.
        choice: JudgeChoice,
    },
    /// Keeps the key of a judge in the keychain, under its address; no other address ever gets it.
    KeepJudgeKey {
        /// The API of the judge.
        #[ts(type = "\"openai\" | \"anthropic\"")]
        provider: Kind,
        /// Its address; empty for the vendor's own.
        base_url: String,
        /// The key.
        key: String,
    },
    /// Takes the judge's key out of the keychain. For ten seconds it can be had again.
    ForgetJudgeKey,
    /// Puts a key back that was just forgotten.
    KeepForgottenJudgeKey,
    /// Asks the judge about a command that is not run. Answered with [`Answer::JudgeTest`].
    TestJudge {
        /// The command; empty for a harmless one.
        command: String,
    },
    /// Gives up a test that is under way: it is answered as a failure.
    StopJudgeTest,
    /// Lets the judge answer again in a thread in which it refused too much, also what waits there.
    JudgeAgain {
        /// The server's id.
        server: String,
        /// The root session's id.
        session: String,
    },
    /// The projects of this machine, with what their rules files are like. Answered with [`Answer::RulesProjects`].
    RulesProjects,
    /// The rules of a project. Answered with [`Answer::ProjectRules`]; when they change, the snapshot's `rules` does.
    ProjectRules {
        /// Its absolute directory.
        directory: String,
    },
    /// Changes the rules of a project, in its file or not at all. Answered with [`Answer::RulesChanged`].
    ChangeRules {
        /// Its absolute directory.
        directory: String,
        /// What is changed.
        change: RulesChange,
    },
    /// Takes a change of rules back. Answered with [`Answer::RulesChanged`].
    UndoRules {
        /// The number that the change was answered with.
        #[ts(type = "number")]
        undo: u64,
    },
    /// What the strict checks make of a preset line. Answered with [`Answer::PresetCheck`].
    CheckPreset {
        /// The project's absolute directory.
        directory: String,
        /// The line.
        line: String,
    },
    /// What becomes of a command by the rules of its project. Answered with [`Answer::CommandTrial`].
    TryCommand {
        /// The project's absolute directory.
        directory: String,
        /// The command.
        command: String,
    },
    /// The rules of a project as a configuration of OpenCode. Answered with [`Answer::RulesExport`].
    ExportRules {
        /// The project's absolute directory.
        directory: String,
        /// The rules in the user's order; `null` for those of the file, with exceptions behind them.
        #[ts(type = "Array<Rule> | null")]
        rules: Option<Vec<Rule>>,
    },
    /// What a configuration of OpenCode says about commands. Nothing is taken by that. Answered with
    /// [`Answer::RulesImport`].
    ImportRules {
        /// The project's absolute directory.
        directory: String,
        /// The configuration, as JSON or JSONC; `null` to read the project's own.
        text: Option<String>,
    },
    /// Ends Gavel.
    Quit,
}

/// What a host is answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum Answer {
    /// It is done, or under way; the next snapshot shows it.
    Done,
    /// To [`Call::Snapshot`].
    Snapshot {
        /// What is shown now.
        snapshot: Box<Snapshot>,
    },
    /// To [`Call::CheckAnswer`], and to [`Call::AnswerQuestion`] if the server would refuse the answer.
    Checked {
        /// Everything that is wrong with it, at most one thing for each field; empty if the server would take it.
        problems: Vec<Problem>,
        /// The keys of the fields that are asked with this much given, in their order.
        active: Vec<String>,
    },
    /// To [`Call::RulesOf`].
    Rules {
        /// The rules, in their order, in 2.x words.
        #[ts(type = "Array<Rule>")]
        rules: Vec<Rule>,
        /// Whether the places that the agent may use of its own are among them: they are read from the server.
        complete: bool,
    },
    /// To [`Call::Try`].
    Trial {
        /// What the rules decide.
        trial: Trial,
    },
    /// To [`Call::Activity`].
    Activity {
        /// Rows, newest first.
        rows: Vec<Activity>,
        /// Whether there are older ones.
        more: bool,
        /// How many there are of what is looked for.
        #[ts(type = "number")]
        found: usize,
        /// How many there are.
        #[ts(type = "number")]
        total: usize,
        /// What there is to filter by; only with the newest rows.
        facets: Option<Facets>,
    },
    /// To [`Call::Pictures`].
    Pictures {
        /// The numbers.
        pictures: Pictures,
    },
    /// To [`Call::ReportCard`].
    ReportCard {
        /// The card.
        card: ReportCard,
    },
    /// To [`Call::ExportActivity`].
    Exported {
        /// The file's absolute path.
        path: String,
        /// How many requests it holds.
        #[ts(type = "number")]
        lines: usize,
    },
    /// To [`Call::SavedApprovals`].
    SavedApprovals {
        /// Whether the server keeps such approvals at all.
        supported: bool,
        /// Whether they can be changed there.
        can_change: bool,
        /// The projects that have saved any, in the order of their places.
        projects: Vec<SavedProject>,
        /// How many requests on record they were held against.
        #[ts(type = "number")]
        recorded: usize,
        /// Directories whose list could not be had, and why.
        unlisted: Vec<String>,
    },
    /// To [`Call::TestJudge`].
    JudgeTest {
        /// What came of it.
        test: JudgeTest,
    },
    /// To [`Call::RemoveSavedApproval`].
    Removed {
        /// Whether it was taken back, and not kept.
        removed: bool,
    },
    /// To [`Call::RulesProjects`].
    RulesProjects {
        /// The projects, those in trouble first, then by name.
        projects: Vec<RulesProject>,
        /// Where their files are, every character visible; empty if no rules are kept.
        folder: String,
        /// Whether rules are heeded.
        in_force: bool,
    },
    /// To [`Call::ProjectRules`].
    ProjectRules {
        /// Its rules.
        rules: Box<ProjectRules>,
    },
    /// To [`Call::ChangeRules`] and [`Call::UndoRules`].
    RulesChanged {
        /// By which number it can be taken back; `null` if it changed nothing.
        #[ts(type = "number | null")]
        undo: Option<u64>,
    },
    /// To [`Call::CheckPreset`].
    PresetCheck {
        /// What they make of it.
        check: PresetCheck,
    },
    /// To [`Call::TryCommand`].
    CommandTrial {
        /// What becomes of it.
        trial: Box<CommandTrial>,
    },
    /// To [`Call::ExportRules`].
    RulesExport {
        /// The configuration.
        export: RulesExport,
    },
    /// To [`Call::ImportRules`].
    RulesImport {
        /// What it says.
        import: RulesImport,
    },
    /// To [`Call::WouldMatch`].
    WouldMatch {
        /// How far they reach.
        reach: WouldMatch,
    },
}

/// Why a call could not be carried out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// What kind of failure it is. A code exists only where the window acts on it.
    pub code: Code,
    /// What went wrong, in plain prose.
    pub message: String,
    /// What the user can do about it.
    pub hint: String,
}

/// The failures a window acts on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The address typed in can't be used: shown at its field.
    BadUrl,
    /// There is no keychain: the window offers the environment variable.
    NoKeychain,
    /// The name typed in is not that of a variable: shown at its field.
    BadVariable,
    /// The model's name can't be used: shown at its field.
    BadModel,
    /// The key typed in can't be used: shown at its field.
    BadKey,
    /// The pattern typed in can't be used: shown at its field.
    BadPattern,
    /// The saved approval is no longer there: the window lists them again.
    ApprovalGone,
    /// Saved approvals can't be changed on this server: the window no longer offers it.
    NotChangeable,
    /// The question is no longer there: it was answered, or its run ended.
    QuestionGone,
    /// Anything else: shown as it is.
    Failed,
}
