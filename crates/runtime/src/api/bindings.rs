//! TypeScript for the window, generated from the API's types.

use ts_rs::{Config, TS};

use super::{
    Activity, Advice, Always, Answer, Answerer, AskedOften, AutoCase, AutoRule, Call, Case, Choice, Code, Day, Ending,
    ExportFormat, Facet, Facets, Failure, FailureCount, Field, FieldKind, GrantRow, JudgeCard, JudgeChoice,
    JudgeFailure, JudgeRound, JudgeRow, JudgeTest, Keychain, Language, ModeRow, Modes, Notifications, Offer, Opinion,
    Outcome, Panel, Part, PasswordSource, PastRequest, PausedThread, Phase, Pictures, Preferences, Problem, Query,
    Question, QuestionPhase, Quick, RemovedServer, ReportCard, Request, SavedApproval, SavedProject, Scope, ServerRow,
    SessionRow, SessionStep, Shortcut, Snapshot, Trial, TrialSource, UnaskedRow, Verdict, When, WouldMatch,
};

/// Types of the core and of the judge that travel to the window. Neither knows anything of TypeScript; a test holds these
/// against what serde makes of the real ones.
const CORE: &str = r#"export type RequestKey = { server: string; request: string };
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
"#;

/// The whole bindings file.
#[must_use]
pub fn typescript() -> String {
    let config = Config::default();
    let mut file = String::from("// Generated from crates/runtime/src/api by its test `bindings`. Do not edit.\n\n");
    file.push_str(CORE);
    let types = [
        Snapshot::decl(&config),
        Request::decl(&config),
        SessionStep::decl(&config),
        Question::decl(&config),
        Field::decl(&config),
        When::decl(&config),
        FieldKind::decl(&config),
        Choice::decl(&config),
        QuestionPhase::decl(&config),
        Quick::decl(&config),
        Problem::decl(&config),
        Verdict::decl(&config),
        Part::decl(&config),
        Advice::decl(&config),
        Phase::decl(&config),
        ServerRow::decl(&config),
        RemovedServer::decl(&config),
        PasswordSource::decl(&config),
        Notifications::decl(&config),
        Keychain::decl(&config),
        Preferences::decl(&config),
        Panel::decl(&config),
        Language::decl(&config),
        Shortcut::decl(&config),
        Activity::decl(&config),
        Outcome::decl(&config),
        Opinion::decl(&config),
        Query::decl(&config),
        Ending::decl(&config),
        Answerer::decl(&config),
        Facets::decl(&config),
        Facet::decl(&config),
        Pictures::decl(&config),
        Day::decl(&config),
        AskedOften::decl(&config),
        ReportCard::decl(&config),
        JudgeCard::decl(&config),
        FailureCount::decl(&config),
        Case::decl(&config),
        AutoRule::decl(&config),
        AutoCase::decl(&config),
        ExportFormat::decl(&config),
        SavedProject::decl(&config),
        SavedApproval::decl(&config),
        WouldMatch::decl(&config),
        PastRequest::decl(&config),
        Offer::decl(&config),
        Always::decl(&config),
        Modes::decl(&config),
        ModeRow::decl(&config),
        SessionRow::decl(&config),
        UnaskedRow::decl(&config),
        Scope::decl(&config),
        GrantRow::decl(&config),
        JudgeRow::decl(&config),
        JudgeChoice::decl(&config),
        JudgeFailure::decl(&config),
        PausedThread::decl(&config),
        JudgeTest::decl(&config),
        JudgeRound::decl(&config),
        Trial::decl(&config),
        TrialSource::decl(&config),
        Call::decl(&config),
        Answer::decl(&config),
        Failure::decl(&config),
        Code::decl(&config),
    ];
    for decl in types.into_iter().chain(super::rules::decls(&config)) {
        file.push_str(&format!("\nexport {decl}\n"));
    }
    file
}
