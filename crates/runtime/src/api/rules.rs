//! The rules files of projects, as they are shown and changed.

use gavel_core::Source;
use gavel_core::reach::Hazard;
use gavel_core::rules::{Effect, Rule};
use serde::{Deserialize, Serialize};
use ts_rs::{Config, TS};

use super::verdict::Verdict;

/// A project of this machine, and what its rules file is like.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RulesProject {
    /// Its absolute directory, exactly as it is called: to be given back in calls. Empty for a file of which it can't be
    /// told whose it is.
    pub directory: String,
    /// The same with every character visible; for such a file, its path.
    pub place: String,
    /// The project's name: the last part of its directory.
    pub name: String,
    /// What its file is like.
    pub state: RulesState,
    /// How many preset lines it has.
    #[ts(type = "number")]
    pub preset: usize,
    /// How many learned lines it has.
    #[ts(type = "number")]
    pub learned: usize,
    /// How many commands are counted, but not learned yet.
    #[ts(type = "number")]
    pub pending: usize,
}

/// What a rules file is like.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum RulesState {
    /// There is none yet; it will begin with the built-in lines.
    None,
    /// It is sound, and counts.
    Fine,
    /// It is broken: nothing in it counts, and it is left alone.
    Broken {
        /// What is wrong, each as the end of a sentence that begins with the file.
        faults: Vec<String>,
        /// Whether it merely is of a version that isn't known.
        version: bool,
    },
    /// It can't be used at all, or nobody can tell whose it is.
    Unusable {
        /// Why, for a person.
        why: String,
    },
}

/// The rules of one project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProjectRules {
    /// Its absolute directory, exactly as it is called.
    pub directory: String,
    /// Where the file is, or will be, exactly as it is called: to be copied.
    pub path: String,
    /// The same with every character visible.
    pub place: String,
    /// What the file is like. Of a broken one, the lines are those that can be read all the same; they don't count.
    pub state: RulesState,
    /// How many changes wait for a file that can't be written.
    #[ts(type = "number")]
    pub waiting: usize,
    /// What went wrong with the file the last time; empty if nothing did.
    pub trouble: String,
    /// After how many approvals in a row a command is learned.
    #[ts(type = "number")]
    pub learn_after: u64,
    /// Patterns for commands that only read, in the order of the file.
    pub preset: Vec<PresetLine>,
    /// Commands that pass because they were allowed often enough, in the order of the file.
    pub learned: Vec<LearnedLine>,
    /// Commands that were allowed, but not often enough yet, in the order of the file.
    pub pending: Vec<PendingLine>,
    /// Commands that the user approved by hand and that may be learned at once, the most frequent first.
    pub suggestions: Vec<Suggestion>,
    /// Whether the project has a configuration of OpenCode of its own that could be read.
    pub has_config: bool,
}

/// A preset line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PresetLine {
    /// The line, exactly as it is: to be given back in calls.
    pub line: String,
    /// The same with every character visible.
    pub shown: String,
    /// Whether it came with the file.
    pub built_in: bool,
    /// Why it never counts; `null` if it may.
    pub never: Option<PresetProblem>,
    /// Whether it covers every command.
    pub everything: bool,
    /// How many requests on record passed by it.
    #[ts(type = "number")]
    pub passed: usize,
    /// When the last of these did, in milliseconds since the Unix epoch.
    #[ts(type = "number | null")]
    pub last: Option<u64>,
}

/// A learned command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LearnedLine {
    /// The command, exactly as it stands in the file: to be given back in calls.
    pub command: String,
    /// The same with every character visible.
    pub shown: String,
    /// How often it was allowed; zero if it was put there by hand.
    #[ts(type = "number")]
    pub approvals: u64,
    /// How often of these by the human; the rest are a judge's, or the plugin's.
    #[ts(type = "number")]
    pub by_human: u64,
    /// When it was last allowed or let through, in milliseconds since the Unix epoch; `null` if the file doesn't say.
    #[ts(type = "number | null")]
    pub last_seen: Option<u64>,
    /// Whether it destroys something: then it is asked about all the same.
    pub destructive: bool,
    /// How many requests on record passed by it.
    #[ts(type = "number")]
    pub passed: usize,
    /// The requests on record that were answered before it was learned, the latest first.
    pub evidence: Vec<Evidence>,
}

/// A command that is counted, but not learned yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PendingLine {
    /// The command, exactly as it stands in the file: to be given back in calls.
    pub command: String,
    /// The same with every character visible.
    pub shown: String,
    /// How often it was allowed in a row.
    #[ts(type = "number")]
    pub count: u64,
    /// How often of these by the human.
    #[ts(type = "number")]
    pub by_human: u64,
    /// Why it can't be learned by hand; `null` if it can.
    pub refused: Option<LearnProblem>,
    /// The requests on record that were answered, the latest first.
    pub evidence: Vec<Evidence>,
}

/// A command that may be learned at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Suggestion {
    /// The command, exactly as it is: to be given back in calls.
    pub command: String,
    /// The same with every character visible.
    pub shown: String,
    /// How often the user approved it by hand.
    #[ts(type = "number")]
    pub times: usize,
    /// When they last did, in milliseconds since the Unix epoch.
    #[ts(type = "number")]
    pub last: u64,
    /// What the analysis on this machine says of it.
    pub verdict: Verdict,
}

/// A request on record that bears on a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Evidence {
    /// The number of its row in the activity.
    #[ts(type = "number")]
    pub number: u64,
    /// When it ended, in milliseconds since the Unix epoch.
    #[ts(type = "number")]
    pub at: u64,
    /// Who answered.
    pub by: EvidenceBy,
    /// Whether it was allowed.
    pub allowed: bool,
    /// Title of the root session, when known, every character visible.
    pub session: Option<String>,
    /// What was recommended then, in one sentence, if anything was.
    pub verdict: Option<String>,
}

/// Who answered a request on record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceBy {
    /// The user.
    Human,
    /// A judge.
    Judge,
}

/// What the user changes in a rules file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum RulesChange {
    /// Adds a preset line at the end.
    AddPreset {
        /// The line.
        line: String,
    },
    /// Writes a preset line anew, in its place.
    EditPreset {
        /// As it was.
        from: String,
        /// As it shall be.
        to: String,
    },
    /// Takes a preset line out.
    RemovePreset {
        /// The line.
        line: String,
    },
    /// Lets a command pass from now on, whether it was counted or not.
    Learn {
        /// The command.
        command: String,
    },
    /// Takes a learned command out.
    RemoveLearned {
        /// The command, as it stands in the file.
        command: String,
    },
    /// Has a command counted from the beginning.
    ForgetPending {
        /// The command, as it stands in the file.
        command: String,
    },
}

/// What the strict checks make of a preset line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PresetCheck {
    /// Why no command passes by it; `null` if some may.
    pub never: Option<PresetProblem>,
    /// Whether the file has it already.
    pub present: bool,
    /// Whether it covers every command.
    pub everything: bool,
    /// Commands that would pass by it, every character visible.
    pub passes: Vec<String>,
    /// Commands that it covers and that are asked about all the same, every character visible, with the reason.
    pub held: Vec<HeldExample>,
    /// What programs with weaker checks would let pass by it. The file is shared with such a program.
    #[ts(type = "Hazard | null")]
    pub hazard: Option<Hazard>,
}

/// A command that a preset line covers, and why it doesn't pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HeldExample {
    /// The command, every character visible.
    pub command: String,
    /// What the analysis says of it, in one sentence that begins with a verb.
    pub why: String,
}

/// Why a preset line never counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "problem", rename_all = "snake_case")]
pub enum PresetProblem {
    /// There is nothing in it.
    Empty,
    /// All that it covers has a character that means something to the shell, or that can't be seen.
    Character {
        /// The character, visible.
        what: String,
    },
    /// All that it covers has an absolute path for an argument.
    Absolute {
        /// The argument.
        what: String,
    },
    /// All that it covers may lead out of the project.
    Upwards {
        /// The argument.
        what: String,
    },
    /// All that it covers destroys, writes or runs something by an option.
    Flag {
        /// The option.
        what: String,
    },
    /// Nothing like it can be proven to only read within the project.
    Unproven {
        /// A command that it covers.
        example: String,
        /// What the analysis says of that, in one sentence that begins with a verb.
        why: String,
    },
}

/// Why a command can't be learned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "problem", rename_all = "snake_case")]
pub enum LearnProblem {
    /// It isn't one line, it is empty, or it is too long.
    NoLine,
    /// It destroys something.
    Destructive {
        /// What it does, in one sentence that begins with a verb.
        why: String,
    },
}

/// What becomes of a command by the rules of its project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CommandTrial {
    /// The command, every character visible.
    pub text: String,
    /// What the analysis on this machine says of it.
    pub verdict: Verdict,
    /// What becomes of it.
    pub outcome: TrialOutcome,
    /// Whether rules are heeded at all: the user may have chosen otherwise.
    pub in_force: bool,
}

/// Whether a command passes by a line, and why not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum TrialOutcome {
    /// It passes.
    Passes {
        /// The line, every character visible.
        line: String,
        /// `preset` or `learned`.
        #[ts(type = "Source")]
        source: Source,
    },
    /// A preset line covers it, and one of the strict checks holds it back.
    Held {
        /// The line, every character visible.
        line: String,
        /// Which check.
        check: HeldCheck,
        /// What it found: a character, an argument, or a sentence that begins with a verb.
        what: String,
    },
    /// A learned line is the very command, but it destroys something: it is asked about all the same.
    Destructive {
        /// The line, every character visible.
        line: String,
    },
    /// No line covers it.
    Uncovered,
    /// It isn't one line, it is empty, or it is too long: no line can cover it.
    NoLine,
    /// Nothing passes, because the file is broken or can't be used.
    NoRules,
}

/// A strict check of preset lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum HeldCheck {
    /// No character means anything to the shell.
    Character,
    /// No argument is an absolute path.
    Absolute,
    /// No argument leads out of the project.
    Upwards,
    /// No option destroys, writes or runs.
    Flag,
    /// The analysis proves that it only reads within the project.
    Proven,
    /// The disk bears out what the proof rests on.
    Disk,
}

/// The rules of a project as a configuration of OpenCode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RulesExport {
    /// The rules in their order: of those that match, the last one counts.
    pub rules: Vec<ExportedRule>,
    /// The text for OpenCode 1.
    pub v1: String,
    /// The text for OpenCode 2.
    pub v2: String,
    /// Learned commands that are left out, every character visible: as patterns they would cover more.
    pub left_out: Vec<String>,
    /// Preset lines that are left out, every character visible: patterns can't keep out what they would let pass.
    pub too_wide: Vec<String>,
}

/// A rule that is exported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ExportedRule {
    /// The rule, in 2.x words.
    #[ts(type = "Rule")]
    pub rule: Rule,
    /// What it comes from.
    pub from: ExportedFrom,
    /// What is the matter with it in OpenCode, where the pattern alone decides.
    #[ts(type = "Hazard | null")]
    pub hazard: Option<Hazard>,
    /// Whether a later rule decides wherever this one would: then it does nothing.
    pub idle: bool,
}

/// What an exported rule comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ExportedFrom {
    /// That all else is asked about.
    Floor,
    /// A preset line.
    Preset,
    /// A learned command.
    Learned,
    /// An exception that makes the patterns narrower again, as far as patterns can.
    Exception,
}

/// What a configuration of OpenCode says about commands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RulesImport {
    /// Where it was read from, every character visible; empty if it was pasted.
    pub place: String,
    /// Its rules about commands, in their order.
    pub lines: Vec<ImportedLine>,
    /// Agents that have rules of their own there, which are not taken.
    pub agents: Vec<String>,
}

/// A rule of a configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ImportedLine {
    /// The pattern, exactly as it is: to be given back in calls.
    pub pattern: String,
    /// The same with every character visible.
    pub shown: String,
    /// What it says.
    #[ts(type = "Effect")]
    pub effect: Effect,
    /// What can become of it.
    pub fate: ImportFate,
}

/// What can become of a rule of a configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "fate", rename_all = "snake_case")]
pub enum ImportFate {
    /// It can become a preset line.
    Preset,
    /// It can become a learned command: it is one exact line.
    Learned,
    /// The file has it already.
    Present,
    /// It doesn't allow, and rules files can only allow.
    NoAllowance,
    /// It never counts as a preset line.
    Never {
        /// Why.
        why: PresetProblem,
    },
    /// It can't be learned.
    NotLearned {
        /// Why.
        why: LearnProblem,
    },
    /// A later rule there asks or refuses where this one would let pass.
    TakenBack {
        /// The pattern of the later one, every character visible.
        by: String,
    },
    /// It lets every command pass. That is a mode, not a rule.
    Everything,
}

/// These types in TypeScript.
pub(super) fn decls(config: &Config) -> Vec<String> {
    vec![
        RulesProject::decl(config),
        RulesState::decl(config),
        ProjectRules::decl(config),
        PresetLine::decl(config),
        LearnedLine::decl(config),
        PendingLine::decl(config),
        Suggestion::decl(config),
        Evidence::decl(config),
        EvidenceBy::decl(config),
        RulesChange::decl(config),
        PresetCheck::decl(config),
        HeldExample::decl(config),
        PresetProblem::decl(config),
        LearnProblem::decl(config),
        CommandTrial::decl(config),
        TrialOutcome::decl(config),
        HeldCheck::decl(config),
        RulesExport::decl(config),
        ExportedRule::decl(config),
        ExportedFrom::decl(config),
        RulesImport::decl(config),
        ImportedLine::decl(config),
        ImportFate::decl(config),
    ]
}
