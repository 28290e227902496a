//! Every way in which releases of 2.x differ, and all of them together.

use gavel_stand_in::{FormCancel, ReplyKey, SessionRules, ShellResources, Switches};

/// Sixteen releases: every combination of what requests and answers differ in, each with the routes of then and of now.
/// Half of them can't change saved approvals, and half list their agents late.
pub fn all() -> Vec<Switches> {
    let mut all = Vec::new();
    for reply_key in [ReplyKey::Decision, ReplyKey::Reply] {
        for shell in [ShellResources::Split, ShellResources::Raw] {
            for save in [true, false] {
                for newer in [true, false] {
                    let older_rules = if save { SessionRules::Post } else { SessionRules::Neither };
                    all.push(Switches {
                        reply_key,
                        form_cancel: if newer { FormCancel::Delete } else { FormCancel::Post },
                        session_rules: if newer { SessionRules::Patch } else { older_rules },
                        shell,
                        save,
                        saved_update: newer,
                        agents_after: if newer { 0 } else { 2 },
                        // Whether the requests of a run that is interrupted are announced as refused isn't known.
                        tells_endings: newer == save,
                        ..Switches::default()
                    });
                }
            }
        }
    }
    all
}

/// What sets these switches apart, for the message of a test that fails.
pub fn describe(switches: &Switches) -> String {
    let Switches { reply_key, form_cancel, session_rules, shell, save, .. } = switches;
    format!(
        "reply by {reply_key:?}, cancel by {form_cancel:?}, rules by {session_rules:?}, shell {shell:?}, save {save}"
    )
}
