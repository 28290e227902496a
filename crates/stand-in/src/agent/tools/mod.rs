//! What each tool asks for before it runs, and what it says when it has run.

mod first;
pub(super) mod second;

use std::collections::VecDeque;

use serde_json::{Value, json};

use crate::diff::FileDiff;
use crate::form::Field;
use crate::script::{Call, Inquiry};
use crate::world::World;
use crate::world::ask::Wish;
use crate::world::customs::Kit;

/// A call that is about to be made.
#[derive(Debug, Clone)]
pub(super) struct Prepared {
    pub(super) kit: Kit,
    /// What the model called.
    pub(super) asked_for: String,
    /// What is called for it: the same, unless a rule took that tool away.
    pub(super) tool: String,
    pub(super) input: Value,
    /// What it needs leave for, one after the other.
    pub(super) wishes: VecDeque<Wish>,
    pub(super) effect: Effect,
}

/// What a call does once it may.
#[derive(Debug, Clone)]
pub(super) enum Effect {
    /// Only gives something back.
    Nothing(Done),
    /// "Runs": recorded as executed, under these words.
    Run(String, Done),
    Agent {
        title: String,
        kind: String,
        prompt: String,
    },
    Question(Vec<Inquiry>),
    Form {
        title: String,
        kind: String,
        fields: Vec<Field>,
    },
}

/// What a tool gave back.
#[derive(Debug, Clone, Default)]
pub(super) struct Done {
    pub(super) output: String,
    pub(super) title: String,
    pub(super) metadata: Value,
    /// What it told of itself while it ran.
    pub(super) meanwhile: Vec<Value>,
    pub(super) diff: Option<FileDiff>,
}

/// Why a call came to nothing.
#[derive(Debug, Clone)]
pub(super) struct Refused {
    pub(super) text: String,
    pub(super) why: Refusal,
    pub(super) metadata: Option<Value>,
}

#[derive(Debug, Clone)]
pub(super) enum Refusal {
    /// By the user, with a reason or without.
    Declined(Option<String>),
    /// The question was dismissed.
    Dismissed,
    /// By a rule, or because a sub-agent failed. The agent goes on.
    Failed,
}

impl Prepared {
    /// Works out what `call` asks for in the directory of its session.
    pub(super) fn new(world: &World, session: &str, call: &Call) -> Prepared {
        if let kit @ Kit::Second { raw, save, previews } = world.customs.kit {
            let mut prepared = second::prepare(&world.directory_of(session), call, raw);
            if !save {
                prepared = prepared.without_save();
            }
            if !previews {
                prepared = prepared.without_previews();
            }
            return Prepared { kit, ..prepared };
        }
        first::prepare(world, session, call)
    }

    fn run(tool: &str, what: &str, input: Value, wishes: impl Into<VecDeque<Wish>>, done: Done) -> Prepared {
        let effect = Effect::Run(what.to_owned(), done);
        Prepared {
            kit: Kit::First,
            asked_for: tool.to_owned(),
            tool: tool.to_owned(),
            input,
            wishes: wishes.into(),
            effect,
        }
    }
}

/// A question as tools and clients write it.
pub(crate) fn inquiry(inquiry: &Inquiry) -> Value {
    let options: Vec<Value> = inquiry
        .options
        .iter()
        .map(|(label, description)| json!({ "label": label, "description": description }))
        .collect();
    let mut whole = json!({ "question": inquiry.question, "header": inquiry.header, "options": options });
    if let (true, Some(fields)) = (inquiry.multiple, whole.as_object_mut()) {
        fields.insert("multiple".to_owned(), json!(true));
    }
    whole
}

fn shell_done(command: &str, output: &str, exit: i64) -> Done {
    let mut meanwhile = vec![json!({ "output": "" })];
    let shown = if output.is_empty() {
        "(no output)"
    } else {
        meanwhile.push(json!({ "output": output }));
        output
    };
    let metadata = json!({ "output": shown, "exit": exit, "truncated": false });
    Done { output: shown.to_owned(), title: command.to_owned(), metadata, meanwhile, diff: None }
}

fn wish(permission: &str, patterns: Vec<String>, metadata: Value, always: Vec<String>) -> Wish {
    Wish { permission: permission.to_owned(), patterns, metadata, always, ..Wish::default() }
}

fn absolute(directory: &str, path: &str) -> String {
    if path.starts_with('/') { path.to_owned() } else { format!("{directory}/{path}") }
}
