//! TypeScript for the window, generated from the API's types.

use ts_rs::{Config, TS};

use super::{
    Activity, Answer, Call, Code, Failure, Keychain, Notifications, Outcome, Panel, PasswordSource, PastRequest, Phase,
    Preferences, Request, SavedApproval, SavedProject, ServerRow, SessionStep, Snapshot, WouldMatch,
};

/// Types of the core that travel to the window. The core knows nothing of TypeScript; a test holds these against
/// what serde makes of the real ones.
const CORE: &str = r#"export type RequestKey = { server: string; request: string };
export type Reply = "once" | "always" | "reject";
export type Decision = { kind: "allow_once" } | { kind: "decline"; reason: string } | { kind: "stop" };
export type Settled =
  | { by: "you"; decision: Decision }
  | { by: "swept" }
  | { by: "another_client"; reply: Reply | null }
  | { by: "unseen" }
  | { by: "run_ended" }
  | { by: "server_gone" };
export type Origin = "settings" | "discovered" | "demo";
export type Link =
  | { state: "connecting" }
  | { state: "online"; version: string }
  | { state: "offline"; reason: string; gone: boolean }
  | { state: "needs_password"; refused: boolean }
  | { state: "not_open_code"; reason: string };
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
        Phase::decl(&config),
        ServerRow::decl(&config),
        PasswordSource::decl(&config),
        Notifications::decl(&config),
        Keychain::decl(&config),
        Preferences::decl(&config),
        Panel::decl(&config),
        Activity::decl(&config),
        Outcome::decl(&config),
        SavedProject::decl(&config),
        SavedApproval::decl(&config),
        WouldMatch::decl(&config),
        PastRequest::decl(&config),
        Call::decl(&config),
        Answer::decl(&config),
        Failure::decl(&config),
        Code::decl(&config),
    ];
    for decl in types {
        file.push_str(&format!("\nexport {decl}\n"));
    }
    file
}
