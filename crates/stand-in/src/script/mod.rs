//! The scripts a scripted agent plays: one step per line. The demo and the tests share this format.
//!
//! ```text
//! Please get the login test to pass.       what the user says, only if a line `---` follows
//! ---
//! # a remark
//! say I will run the tests first.          words; they belong to the message of the step after them
//! wait 300                                 milliseconds
//! stream 500 8                             500 pieces of text of 8 bytes each
//! shell npm test                           a command; asks for `bash`
//! : about Run the unit tests               notes to the step above begin with a colon
//! : in /home/dev/elsewhere                 another working directory; asks for it first if it is outside
//! : outside /home/dev/elsewhere            the command touches this directory; asks for it first
//! : output 12 passed                       what the command prints; may be repeated
//! : exit 1
//! + fetch https://example.com              a plus: in the same message as the step above, at the same time
//! write notes.md                           a new file; its text follows, each line behind `| `
//! | First line
//! edit src/app.ts                          a change; the hunks of a unified diff follow
//! | @@ -1,1 +1,1 @@
//! | -old
//! | +new
//! read /home/dev/elsewhere/file            asks for the outside directory
//! loop npm test                            the same command three times in one message; asks for `doom_loop`
//! agent Look around                        a sub-agent; its own script follows, each line behind `> `
//! : kind general
//! > shell ls
//! instead                                  played only if the step above was declined with a reason
//! > say You said: {reason}
//! ask deploy_gate                          a request of any other kind; its metadata (JSON) follows
//! : pattern production
//! : always production*
//! : message It is Friday                   what the plugin that wants it asked says (2.x only)
//! | {"risk": "high"}
//! question Which colour?                   a question; `+ question` asks another at the same time
//! : header Colour
//! : option Red | A red button
//! : multiple
//! : closed                                 the model wants no free answer; OpenCode does not pass that on
//! : and Which size?                        one more question in the same request; notes after it are its own
//! form Where to deploy                     a form (2.x only); its fields follow, each as the JSON of the wire
//! : kind deploy                            what it is to clients, in its metadata; `form` if nothing is said
//! | {"key": "env", "type": "string", "options": [{"value": "prod", "label": "Production"}], "required": true}
//! | {"key": "sure", "type": "boolean", "when": [{"key": "env", "op": "eq", "value": "prod"}]}
//! retry 300 overloaded                     the model's server fails and is asked again after so many milliseconds
//! fail 401 no credit left                  the model's server answers with this status
//! ```

mod build;
mod lines;

use std::time::Duration;

use serde_json::Value;

use crate::StandInError;
use crate::form::Field;

/// What a user says to an agent, and what the agent does about it.
#[derive(Debug, Clone)]
pub(crate) struct Prompt {
    pub(crate) words: String,
    pub(crate) script: Script,
}

/// The agent's messages, in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Script {
    pub(crate) turns: Vec<Turn>,
}

/// One message of the agent: what it says, then what it does, all at the same time.
#[derive(Debug, Clone, Default)]
pub(crate) struct Turn {
    pub(crate) words: Vec<Saying>,
    pub(crate) calls: Vec<Call>,
    /// The model's server refuses instead: status and text.
    pub(crate) failure: Option<(u16, String)>,
    /// What the agent does if the user declines one of the calls and says why.
    pub(crate) instead: Option<Script>,
}

/// Things an agent does without a tool.
#[derive(Debug, Clone)]
pub(crate) enum Saying {
    Text(String),
    Wait(Duration),
    Stream { pieces: usize, bytes: usize },
    Retry { after: Duration, why: String },
}

/// One tool call.
#[derive(Debug, Clone)]
pub(crate) enum Call {
    Shell { command: String, about: String, workdir: Option<String>, outside: Vec<String>, output: String, exit: i64 },
    Write { path: String, content: String },
    Edit { path: String, hunks: Vec<String> },
    Fetch { url: String, format: String, output: String },
    Read { path: String, output: String },
    Agent { title: String, kind: String, prompt: String },
    Question(Vec<Inquiry>),
    Form { title: String, kind: String, fields: Vec<Field> },
    Other { kind: String, patterns: Vec<String>, always: Vec<String>, metadata: Value, message: Option<String> },
}

/// One question of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inquiry {
    /// The question itself.
    pub question: String,
    /// Its short title.
    pub header: String,
    /// Label and description of each offered answer.
    pub options: Vec<(String, String)>,
    /// Several may be chosen.
    pub multiple: bool,
    /// The model wants no free answer. It stands in the call only: OpenCode does not pass it on to those it asks.
    pub closed: bool,
}

impl Prompt {
    /// Reads what the user says and the script from `text`. Without a line `---` the script itself is what the user says.
    ///
    /// # Errors
    /// [`StandInError::Script`] names the first line that is no step.
    pub(crate) fn read(text: &str) -> Result<Prompt, StandInError> {
        let lines: Vec<&str> = text.lines().collect();
        let (words, script) = match lines.iter().position(|line| line.trim_end() == "---") {
            Some(at) => (
                lines.get(..at).unwrap_or_default().join("\n").trim().to_owned(),
                lines.get(at + 1..).unwrap_or_default().to_vec(),
            ),
            None => (text.to_owned(), lines),
        };
        Ok(Prompt { words, script: Script::read(&script)? })
    }

    /// For text that is no script: an agent that only says that it does not understand.
    pub(crate) fn baffled(text: &str, why: &StandInError) -> Prompt {
        let words = vec![Saying::Text(format!("I can only play scripts, and this is none: {why}"))];
        Prompt { words: text.to_owned(), script: Script { turns: vec![Turn { words, ..Turn::default() }] } }
    }
}

impl Script {
    /// Reads the lines of a script.
    ///
    /// # Errors
    /// [`StandInError::Script`] names the first line that is no step.
    pub(crate) fn read(lines: &[&str]) -> Result<Script, StandInError> {
        build::script(lines::read(lines)?)
    }

    /// The same script with the user's own words put where it says `{reason}`.
    pub(crate) fn knowing(mut self, reason: &str) -> Script {
        for turn in &mut self.turns {
            for saying in &mut turn.words {
                if let Saying::Text(text) = saying {
                    *text = text.replace("{reason}", reason);
                }
            }
        }
        self
    }

    /// Whether the agent of this script starts agents of its own.
    pub(crate) fn has_agents(&self) -> bool {
        self.turns.iter().any(|turn| {
            turn.calls.iter().any(|call| matches!(call, Call::Agent { .. }))
                || turn.instead.as_ref().is_some_and(Script::has_agents)
        })
    }
}
