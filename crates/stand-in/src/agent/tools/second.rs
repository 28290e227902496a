//! The tools of 2.x: other names, other requests, and other words for the model.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::{Done, Effect, Prepared, absolute, inquiry, shell_done, wish};
use crate::diff::{self, FileDiff};
use crate::form::write_field;
use crate::script::Call;
use crate::shell;
use crate::world::agents;
use crate::world::ask::Wish;
use crate::world::message::INTERRUPTED;
use crate::world::places::{below, is_inside};

/// What the model is told of a call that was declined: with the user's reason, except of commands.
pub(in crate::agent) fn declined(prepared: &Prepared, reason: Option<&str>) -> String {
    match (&prepared.effect, reason) {
        (_, None) => INTERRUPTED.to_owned(),
        (Effect::Run(command, _), Some(_)) if prepared.tool == "shell" => {
            format!("Unable to execute command: {command}")
        }
        (_, Some(reason)) => reason.to_owned(),
    }
}

/// What the model is told of a call that a rule denies.
pub(in crate::agent) fn forbidden(prepared: &Prepared) -> String {
    format!("Permission denied: {}", prepared.tool)
}

impl Prepared {
    /// As those versions ask that do not say what `always` would save.
    pub(super) fn without_save(mut self) -> Prepared {
        self.wishes.iter_mut().for_each(|wish| wish.always.clear());
        self
    }

    /// As those versions ask that do not show what an edit would change.
    pub(super) fn without_previews(mut self) -> Prepared {
        let edits = self.wishes.iter_mut().filter(|wish| wish.permission == "edit");
        edits.for_each(|wish| wish.metadata = Value::Null);
        self
    }
}

/// Works out what `call` asks for in `directory`.
pub(super) fn prepare(directory: &str, call: &Call, raw: bool) -> Prepared {
    match call {
        Call::Shell { command, about, workdir, outside, output, exit } => {
            let mut input = json!({ "command": command, "description": about });
            let mut directories = outside.clone();
            directories.extend(shell::directories(command).into_iter().filter(|one| one.starts_with('/')));
            if let (Some(workdir), Some(fields)) = (workdir, input.as_object_mut()) {
                fields.insert("workdir".to_owned(), json!(workdir));
                directories.push(workdir.clone());
            }
            let mut wishes = VecDeque::new();
            let mut patterns: Vec<String> = Vec::new();
            for one in directories.iter().filter(|one| !is_inside(directory, one)) {
                let pattern = format!("{one}/*");
                if !patterns.contains(&pattern) {
                    patterns.push(pattern);
                }
            }
            if !patterns.is_empty() {
                wishes.push_back(wish("external_directory", patterns.clone(), Value::Null, patterns));
            }
            wishes.extend(command_wish(command, raw));
            Prepared::run("shell", command, input, wishes, shell_done(command, output, *exit))
        }
        Call::Write { path, content } => {
            let change = diff::creation(&absolute(directory, path), content);
            let input = json!({ "path": path, "content": content });
            changed("write", directory, path, input, change, "Wrote file successfully.")
        }
        Call::Edit { path, hunks } => {
            let file = absolute(directory, path);
            // The script was refused if its hunks made no diff, so the other case is none.
            let change = diff::edit(&file, hunks).unwrap_or_else(|_| diff::creation(&file, ""));
            let input = json!({ "path": path, "oldString": change.old, "newString": change.new });
            changed("edit", directory, path, input, change, "Edit applied successfully.")
        }
        Call::Fetch { url, format, output } => {
            let input = json!({ "url": url, "format": format });
            let wishes = [wish("webfetch", vec![url.clone()], input.clone(), everything())];
            let done = Done { output: output.clone(), title: url.clone(), metadata: json!({}), ..Done::default() };
            Prepared::run("webfetch", url, input, wishes, done)
        }
        Call::Read { path, output } => {
            let mut wishes = external(directory, path);
            wishes.push_back(wish("read", vec![shown(directory, path)], Value::Null, everything()));
            let done = Done { output: output.clone(), title: path.clone(), metadata: json!({}), ..Done::default() };
            Prepared::run("read", path, json!({ "path": path }), wishes, done)
        }
        Call::Agent { title, kind, prompt } => {
            let input = json!({ "description": title, "agent": kind, "prompt": prompt });
            // A script that starts agents says by that that its agent may, so only the session can forbid it.
            let wishes = [Wish {
                agent: Some(agents::DEFAULT.to_owned()),
                ..wish("subagent", vec![kind.clone()], Value::Null, vec![kind.clone()])
            }];
            let effect = Effect::Agent { title: title.clone(), kind: kind.clone(), prompt: prompt.clone() };
            Prepared { effect, ..Prepared::run("subagent", title, input, wishes, Done::default()) }
        }
        Call::Question(inquiries) => {
            let input = json!({ "questions": inquiries.iter().map(inquiry).collect::<Vec<_>>() });
            let wishes = [Wish {
                agent: Some(agents::DEFAULT.to_owned()),
                ..wish("question", everything(), Value::Null, Vec::new())
            }];
            let effect = Effect::Question(inquiries.clone());
            Prepared { effect, ..Prepared::run("question", "", input, wishes, Done::default()) }
        }
        Call::Form { title, kind, fields } => {
            let input = json!({ "title": title, "fields": fields.iter().map(write_field).collect::<Vec<_>>() });
            let effect = Effect::Form { title: title.clone(), kind: kind.clone(), fields: fields.clone() };
            Prepared { effect, ..Prepared::run("form", "", input, [], Done::default()) }
        }
        Call::Other { kind, patterns, always, metadata, message } => {
            let wishes = [Wish {
                insists: true,
                message: message.clone(),
                ..wish(kind, patterns.clone(), metadata.clone(), always.clone())
            }];
            let done = Done { output: "OK".to_owned(), title: kind.clone(), metadata: json!({}), ..Done::default() };
            Prepared::run(kind, kind, metadata.clone(), wishes, done)
        }
    }
}

fn everything() -> Vec<String> {
    vec!["*".to_owned()]
}

/// What a command line asks for; nothing if all it does is to go somewhere else.
fn command_wish(line: &str, raw: bool) -> Option<Wish> {
    let commands = shell::commands_but(line, &shell::GOING);
    if commands.is_empty() && !shell::directories(line).is_empty() {
        return None;
    }
    let always = shell::always(&commands);
    let resources = if raw || commands.is_empty() { vec![line.to_owned()] } else { commands };
    Some(wish("shell", resources, Value::Null, always))
}

/// A path as requests show it: relative to the directory, or absolute if it is outside.
fn shown(directory: &str, path: &str) -> String {
    let file = absolute(directory, path);
    if file == directory { ".".to_owned() } else { below(directory, &file).unwrap_or(file) }
}

fn external(directory: &str, path: &str) -> VecDeque<Wish> {
    let file = absolute(directory, path);
    if is_inside(directory, &file) {
        return VecDeque::new();
    }
    let parent = file.rsplit_once('/').map_or("", |(parent, _)| parent);
    let patterns = vec![format!("{parent}/*")];
    VecDeque::from([wish("external_directory", patterns.clone(), Value::Null, patterns)])
}

fn changed(tool: &str, directory: &str, path: &str, input: Value, change: FileDiff, output: &str) -> Prepared {
    let FileDiff { patch, additions, deletions, created, .. } = &change;
    let shown = shown(directory, path);
    let files = json!([{
        "file": shown,
        // Under the name it is shown by, not the absolute one.
        "patch": patch.replace(&change.file, &shown),
        "additions": additions,
        "deletions": deletions,
        "status": if *created { "added" } else { "modified" },
    }]);
    let mut wishes = external(directory, path);
    wishes.push_back(wish("edit", vec![shown], json!({ "files": files }), everything()));
    let done = Done {
        output: output.to_owned(),
        title: path.to_owned(),
        metadata: json!({ "files": files }),
        meanwhile: Vec::new(),
        diff: Some(change),
    };
    Prepared::run(tool, path, input, wishes, done)
}
