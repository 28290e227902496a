//! Serves OpenCode 2.x on a given port of this machine, for whatever client shall be tried against it:
//!
//! ```text
//! cargo run -p gavel-stand-in --example serve_v2 -- 4096 /some/directory
//! curl -N http://127.0.0.1:4096/api/event
//! curl -d '{"location":{"directory":"/some/directory"}}' http://127.0.0.1:4096/api/session
//! curl -d '{"text":"shell ls"}' http://127.0.0.1:4096/api/session/ses_…/prompt
//! ```
//!
//! `OPENCODE_PASSWORD` sets a password. Words behind the directory change what it does: `reply` (the key of answers),
//! `post-cancel`, `post-rules`, `no-rules`, `raw`, `no-save`, `no-saved-update`, `agents-after=3`, `channel=beta`,
//! `state=/some/state/home`.

use gavel_stand_in::{FormCancel, Options, ReplyKey, SessionRules, ShellResources, StandIn, Switches};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let port = arguments.next().map(|port| port.parse()).transpose()?;
    let mut options = Options::default();
    if let Some(directory) = arguments.next() {
        options.directory = directory;
    }
    let mut switches = Switches::default();
    for word in arguments {
        let (key, value) = word.split_once('=').unwrap_or((word.as_str(), ""));
        match key {
            "reply" => switches.reply_key = ReplyKey::Reply,
            "post-cancel" => switches.form_cancel = FormCancel::Post,
            "post-rules" => switches.session_rules = SessionRules::Post,
            "no-rules" => switches.session_rules = SessionRules::Neither,
            "raw" => switches.shell = ShellResources::Raw,
            "no-save" => switches.save = false,
            "no-saved-update" => switches.saved_update = false,
            "agents-after" => switches.agents_after = value.parse()?,
            "channel" => switches.channel = Some(value.to_owned()),
            "state" => switches.state_home = Some(value.into()),
            _ => return Err(format!("there is no switch `{word}`").into()),
        }
    }
    let password = std::env::var("OPENCODE_PASSWORD").ok();
    let directory = options.directory;
    let stand_in = StandIn::start(Options { port, password, directory, ..Options::v2(switches) }).await?;
    println!("server listening on {}", stand_in.url());
    tokio::signal::ctrl_c().await?;
    stand_in.stop().await;
    Ok(())
}
