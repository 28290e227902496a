//! The tools of 1.x.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::{Done, Effect, Prepared, absolute, inquiry, shell_done, wish};
use crate::diff::{self, FileDiff};
use crate::script::{Call, Inquiry};
use crate::shell;
use crate::world::World;
use crate::world::ask::Wish;
use crate::world::customs::Kit;
use crate::world::places::is_inside;

/// Each tool, and what it needs leave for.
const TOOLS: [(&str, &str); 8] = [
    ("bash", "bash"),
    ("edit", "edit"),
    ("question", "question"),
    ("read", "read"),
    ("task", "task"),
    ("todowrite", "todowrite"),
    ("webfetch", "webfetch"),
    ("write", "edit"),
];

/// Works out what `call` asks for in the directory of its session, unless a rule took the tool away.
pub(super) fn prepare(world: &World, session: &str, call: &Call) -> Prepared {
    let prepared = asked(&world.directory_of(session), call);
    let permission = |tool: &str| TOOLS.iter().find(|(name, _)| *name == tool).map(|(_, permission)| *permission);
    match permission(&prepared.tool) {
        Some(needed) if world.is_tool_absent(session, needed) => {
            let there = TOOLS.iter().filter(|(_, needed)| !world.is_tool_absent(session, needed));
            let names: Vec<&str> = there.map(|(name, _)| *name).collect();
            absent(&prepared.tool, &names)
        }
        _ => prepared,
    }
}

fn absent(tool: &str, there: &[&str]) -> Prepared {
    let error = format!("Model tried to call unavailable tool '{tool}'. Available tools: {}.", there.join(", "));
    let output = format!("The arguments provided to the tool are invalid: {error}");
    let metadata = json!({ "truncated": false });
    let done = Done { output, title: "Invalid Tool".to_owned(), metadata, ..Done::default() };
    Prepared {
        kit: Kit::First,
        asked_for: tool.to_owned(),
        tool: "invalid".to_owned(),
        input: json!({ "tool": tool, "error": error }),
        wishes: VecDeque::new(),
        effect: Effect::Nothing(done),
    }
}

fn asked(directory: &str, call: &Call) -> Prepared {
    match call {
        Call::Shell { command, about, workdir, outside, output, exit } => {
            let mut input = json!({ "command": command, "description": about });
            let mut directories = outside.clone();
            if let (Some(workdir), Some(fields)) = (workdir, input.as_object_mut()) {
                fields.insert("workdir".to_owned(), json!(workdir));
                if !is_inside(directory, workdir) {
                    directories.push(workdir.clone());
                }
            }
            let mut wishes = VecDeque::new();
            if !directories.is_empty() {
                let patterns: Vec<String> = directories.iter().map(|one| format!("{one}/*")).collect();
                let metadata = json!({ "command": command, "directories": directories, "patterns": patterns });
                wishes.push_back(wish("external_directory", patterns.clone(), metadata, patterns));
            }
            let commands = shell::commands(command);
            let always = shell::always(&commands);
            wishes.push_back(wish("bash", commands, json!({ "command": command }), always));
            Prepared::run("bash", command, input, wishes, shell_done(command, output, *exit))
        }
        Call::Write { path, content } => {
            let file = absolute(directory, path);
            let change = diff::creation(&file, content);
            let input = json!({ "filePath": path, "content": content });
            let metadata = json!({ "diagnostics": {}, "filepath": file, "exists": false, "truncated": false });
            let output = "Wrote file successfully.".to_owned();
            let wishes = edit_wishes(directory, path, &change);
            let done = Done { output, title: path.clone(), metadata, meanwhile: Vec::new(), diff: Some(change) };
            Prepared::run("write", path, input, wishes, done)
        }
        Call::Edit { path, hunks } => edit(directory, path, hunks),
        Call::Fetch { url, format, output } => {
            let input = json!({ "url": url, "format": format });
            let wishes = [wish("webfetch", vec![url.clone()], input.clone(), vec!["*".to_owned()])];
            let title = format!("{url} (text/plain)");
            let metadata = json!({ "truncated": false });
            let done = Done { output: output.clone(), title, metadata, ..Done::default() };
            Prepared::run("webfetch", url, input, wishes, done)
        }
        Call::Read { path, output } => read(directory, path, output),
        Call::Agent { title, kind, prompt } => {
            let input = json!({ "description": title, "subagent_type": kind, "prompt": prompt });
            let metadata = json!({ "description": title, "subagent_type": kind });
            let wishes = [wish("task", vec![kind.clone()], metadata, vec!["*".to_owned()])];
            let effect = Effect::Agent { title: title.clone(), kind: kind.clone(), prompt: prompt.clone() };
            Prepared { effect, ..Prepared::run("task", title, input, wishes, Done::default()) }
        }
        Call::Question(inquiries) => {
            let input = json!({ "questions": inquiries.iter().map(wanted).collect::<Vec<_>>() });
            let effect = Effect::Question(inquiries.clone());
            Prepared { effect, ..Prepared::run("question", "", input, [], Done::default()) }
        }
        Call::Form { .. } => {
            let names = TOOLS.map(|(name, _)| name);
            absent("form", &names)
        }
        Call::Other { kind, patterns, always, metadata, .. } => {
            let wishes = [wish(kind, patterns.clone(), metadata.clone(), always.clone())];
            let done = Done {
                output: "OK".to_owned(),
                title: kind.clone(),
                metadata: json!({ "truncated": false }),
                ..Done::default()
            };
            Prepared::run(kind, kind, metadata.clone(), wishes, done)
        }
    }
}

/// A question as the model wants it asked.
fn wanted(one: &Inquiry) -> Value {
    let mut whole = inquiry(one);
    if let (true, Some(fields)) = (one.closed, whole.as_object_mut()) {
        fields.insert("custom".to_owned(), json!(false));
    }
    whole
}

fn edit(directory: &str, path: &str, hunks: &[String]) -> Prepared {
    let file = absolute(directory, path);
    // The script was refused if its hunks made no diff, so the other case is none.
    let change = diff::edit(&file, hunks).unwrap_or_else(|_| diff::creation(&file, ""));
    let input = json!({ "filePath": path, "oldString": change.old, "newString": change.new });
    let FileDiff { patch, additions, deletions, .. } = &change;
    let filediff = json!({ "file": file, "patch": patch, "additions": additions, "deletions": deletions });
    let meanwhile = json!({ "diff": patch, "filediff": filediff, "diagnostics": {} });
    let metadata = json!({ "diagnostics": {}, "diff": patch, "filediff": filediff, "truncated": false });
    let output = "Edit applied successfully.".to_owned();
    let wishes = edit_wishes(directory, path, &change);
    let done = Done { output, title: path.to_owned(), metadata, meanwhile: vec![meanwhile], diff: Some(change) };
    Prepared::run("edit", path, input, wishes, done)
}

fn read(directory: &str, path: &str, output: &str) -> Prepared {
    let file = absolute(directory, path);
    let wishes = outside_wish(directory, &file).into_iter().collect::<VecDeque<_>>();
    let numbered: String = (1..).zip(output.lines()).map(|(number, line)| format!("{number}: {line}\n")).collect();
    let lines = output.lines().count();
    let shown = format!(
        "<path>{file}</path>\n<type>file</type>\n<content>\n{numbered}\n(End of file - total {lines} lines)\n</content>"
    );
    let text = output.trim_end();
    let metadata = json!({
        "preview": text, "truncated": false, "loaded": [],
        "display": {
            "type": "file", "path": file, "text": text,
            "lineStart": 1, "lineEnd": lines, "totalLines": lines, "truncated": false,
        },
    });
    let done = Done { output: shown, title: path.to_owned(), metadata, ..Done::default() };
    Prepared::run("read", path, json!({ "filePath": path }), wishes, done)
}

fn edit_wishes(directory: &str, path: &str, change: &FileDiff) -> VecDeque<Wish> {
    let mut wishes: VecDeque<Wish> = outside_wish(directory, &change.file).into_iter().collect();
    let metadata = json!({ "filepath": change.file, "diff": change.patch });
    wishes.push_back(wish("edit", vec![path.to_owned()], metadata, vec!["*".to_owned()]));
    wishes
}

fn outside_wish(directory: &str, file: &str) -> Option<Wish> {
    if is_inside(directory, file) {
        return None;
    }
    let parent = file.rsplit_once('/').map_or("/", |(parent, _)| parent);
    let patterns = vec![format!("{parent}/*")];
    let metadata = json!({ "filepath": file, "parentDir": parent });
    Some(wish("external_directory", patterns.clone(), metadata, patterns))
}
