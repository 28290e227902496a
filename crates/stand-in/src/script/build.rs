//! Second reading of a script: what each step means.

use std::time::Duration;

use serde_json::Value;

use super::lines::Step;
use super::{Call, Inquiry, Saying, Script, Turn};
use crate::{StandInError, diff, form};

/// Puts the steps into turns.
pub(super) fn script(steps: Vec<Step>) -> Result<Script, StandInError> {
    let mut turns: Vec<Turn> = Vec::new();
    let mut open = Turn::default();
    for step in steps {
        match step.verb.as_str() {
            "say" | "wait" | "stream" | "retry" => {
                // Words after a call begin the next message.
                if !open.calls.is_empty() && !step.joined {
                    turns.push(std::mem::take(&mut open));
                }
                open.words.push(saying(&step)?);
            }
            "instead" => {
                if open.calls.is_empty() {
                    return Err(step.wrong("`instead` follows a step that can be declined"));
                }
                let nested: Vec<&str> = step.nested.iter().map(String::as_str).collect();
                open.instead = Some(Script::read(&nested)?);
            }
            "fail" => {
                let (status, text) = step.rest.split_once(' ').unwrap_or((step.rest.as_str(), "the model refused"));
                let status = status.parse().map_err(|_| step.wrong(format!("`{status}` is no status code")))?;
                if !open.calls.is_empty() {
                    turns.push(std::mem::take(&mut open));
                }
                open.failure = Some((status, text.to_owned()));
                turns.push(std::mem::take(&mut open));
            }
            _ => {
                let calls = calls(&step)?;
                if !step.joined && !open.calls.is_empty() {
                    turns.push(std::mem::take(&mut open));
                }
                open.calls.extend(calls);
            }
        }
    }
    if !open.calls.is_empty() || !open.words.is_empty() {
        turns.push(open);
    }
    Ok(Script { turns })
}

fn saying(step: &Step) -> Result<Saying, StandInError> {
    let number = |text: &str| text.parse::<usize>().map_err(|_| step.wrong(format!("`{text}` is no number")));
    Ok(match step.verb.as_str() {
        "wait" => Saying::Wait(Duration::from_millis(number(&step.rest)? as u64)),
        "retry" => {
            let (after, why) = step.rest.split_once(' ').unwrap_or((step.rest.as_str(), "overloaded"));
            Saying::Retry { after: Duration::from_millis(number(after)? as u64), why: why.to_owned() }
        }
        "stream" => {
            let (pieces, bytes) = step.rest.split_once(' ').unwrap_or((step.rest.as_str(), "8"));
            Saying::Stream { pieces: number(pieces)?, bytes: number(bytes)? }
        }
        _ => Saying::Text(with_body(step)),
    })
}

fn calls(step: &Step) -> Result<Vec<Call>, StandInError> {
    if step.rest.is_empty() {
        return Err(step.wrong(format!("`{}` needs to say what", step.verb)));
    }
    let known: &[&str] = match step.verb.as_str() {
        "shell" | "loop" => &["about", "in", "outside", "output", "exit"],
        "fetch" => &["format", "output"],
        "read" => &["output"],
        "agent" => &["kind"],
        "ask" => &["pattern", "always", "message"],
        "question" => &["header", "option", "multiple", "closed", "and"],
        "form" => &["kind"],
        "write" | "edit" => &[],
        unknown => return Err(step.wrong(format!("`{unknown}` is no step"))),
    };
    if let Some((key, _)) = step.notes.iter().find(|(key, _)| !known.contains(&key.as_str())) {
        return Err(step.wrong(format!("`{}` has no note `{key}`", step.verb)));
    }
    Ok(match step.verb.as_str() {
        "shell" => vec![shell(step)?],
        "loop" => vec![shell(step)?; 3],
        "write" => vec![Call::Write { path: step.rest.clone(), content: text(&step.body) }],
        "edit" => {
            // An empty line stands for an unchanged empty line, as in mails that lost their trailing blanks.
            let blank = |line: &String| if line.is_empty() { " ".to_owned() } else { line.clone() };
            let hunks: Vec<String> = step.body.iter().map(blank).collect();
            // Built once here only so that a wrong diff is the script's error, not the agent's.
            diff::edit(&step.rest, &hunks).map_err(|why| step.wrong(why))?;
            vec![Call::Edit { path: step.rest.clone(), hunks }]
        }
        "fetch" => vec![Call::Fetch {
            url: step.rest.clone(),
            format: last(step, "format").unwrap_or("text").to_owned(),
            output: text(&all(step, "output")),
        }],
        "read" => vec![Call::Read { path: step.rest.clone(), output: text(&all(step, "output")) }],
        "agent" => {
            let prompt = step.nested.join("\n");
            super::Prompt::read(&prompt).map_err(|why| step.wrong(format!("its own script: {why}")))?;
            let kind = last(step, "kind").unwrap_or("general").to_owned();
            vec![Call::Agent { title: step.rest.clone(), kind, prompt }]
        }
        "question" => vec![Call::Question(inquiries(step)?)],
        "form" => vec![form(step)?],
        _ => vec![other(step)?],
    })
}

fn shell(step: &Step) -> Result<Call, StandInError> {
    let command = with_body(step);
    let exit = last(step, "exit").unwrap_or("0");
    let exit = exit.parse().map_err(|_| step.wrong(format!("`{exit}` is no exit code")))?;
    Ok(Call::Shell {
        about: last(step, "about").map_or_else(|| format!("Runs {}", step.rest), str::to_owned),
        workdir: last(step, "in").map(str::to_owned),
        outside: all(step, "outside"),
        output: text(&all(step, "output")),
        command,
        exit,
    })
}

fn inquiries(step: &Step) -> Result<Vec<Inquiry>, StandInError> {
    let asked = |question: &str| Inquiry { question: question.to_owned(), ..Inquiry::default() };
    let mut done = Vec::new();
    let mut open = asked(&step.rest);
    for (key, value) in &step.notes {
        match key.as_str() {
            "header" => open.header.clone_from(value),
            "multiple" => open.multiple = true,
            "closed" => open.closed = true,
            "and" => done.push(std::mem::replace(&mut open, asked(value))),
            _ => {
                let (label, description) = value.split_once(" | ").unwrap_or((value.as_str(), ""));
                open.options.push((label.to_owned(), description.to_owned()));
            }
        }
    }
    done.push(open);
    match done.iter().find(|inquiry| inquiry.options.is_empty()) {
        Some(bare) => Err(step.wrong(format!("the question `{}` offers no option", bare.question))),
        None => Ok(done),
    }
}

/// One field a line, each in the JSON of the wire.
fn form(step: &Step) -> Result<Call, StandInError> {
    let read = |line: &String| {
        let value = serde_json::from_str(line).map_err(|why| step.wrong(format!("a field is no JSON: {why}")))?;
        form::read_field(&value).map_err(|wrong| step.wrong(format!("a field is wrong{}: {}", wrong.place, wrong.why)))
    };
    let fields = step.body.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    form::consistent(&fields).map_err(|wrong| step.wrong(format!("{}{}", wrong.why, wrong.place)))?;
    let kind = last(step, "kind").unwrap_or("form").to_owned();
    Ok(Call::Form { title: step.rest.clone(), kind, fields })
}

fn other(step: &Step) -> Result<Call, StandInError> {
    let metadata = match step.body.join("\n").as_str() {
        "" => Value::Object(serde_json::Map::new()),
        json => serde_json::from_str(json).map_err(|why| step.wrong(format!("its metadata is no JSON: {why}")))?,
    };
    let (patterns, always) = (all(step, "pattern"), all(step, "always"));
    let message = last(step, "message").map(str::to_owned);
    Ok(Call::Other { kind: step.rest.clone(), patterns, always, metadata, message })
}

fn last<'step>(step: &'step Step, key: &str) -> Option<&'step str> {
    step.notes.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
}

fn all(step: &Step, key: &str) -> Vec<String> {
    step.notes.iter().filter(|(name, _)| name == key).map(|(_, value)| value.clone()).collect()
}

/// Lines as the text of a file: each ends in a line break.
fn text(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The rest of the step's line and its body as one text: commands and words of several lines.
fn with_body(step: &Step) -> String {
    let mut whole = step.rest.clone();
    for line in &step.body {
        whole.push('\n');
        whole.push_str(line);
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::super::Prompt;
    use super::*;

    fn read(text: &str) -> Script {
        Prompt::read(text).expect("a fine script").script
    }

    #[test]
    fn steps_are_messages_and_a_plus_joins_them() {
        let script = read("say first\nshell a\n+ shell b\nshell c\nsay last");
        let shape: Vec<_> = script.turns.iter().map(|turn| (turn.words.len(), turn.calls.len())).collect();
        assert_eq!(shape, [(1, 2), (0, 1), (1, 0)]);
    }

    #[test]
    fn what_the_user_says_stands_above_the_line() {
        let prompt = Prompt::read("Fix it,\nplease.\n---\nshell a").expect("a fine prompt");
        assert_eq!(prompt.words, "Fix it,\nplease.");
        assert_eq!(prompt.script.turns.len(), 1);
        assert_eq!(Prompt::read("shell a").expect("a fine prompt").words, "shell a");
    }

    #[test]
    fn agents_nest_to_any_depth() {
        let script = read("agent One\n> agent Two\n> > shell deep\n> shell shallow");
        let Some(Call::Agent { prompt, .. }) = script.turns.first().and_then(|turn| turn.calls.first()) else {
            panic!("an agent")
        };
        assert_eq!(prompt, "agent Two\n> shell deep\nshell shallow");
        assert!(script.has_agents() && read(prompt).has_agents());
    }

    #[test]
    fn commands_may_have_several_lines() {
        let script = read("shell cat <<END\n| one\n| END\n: about Show\n: exit 3");
        let Some(Call::Shell { command, about, exit, .. }) = script.turns.first().and_then(|turn| turn.calls.first())
        else {
            panic!("a command")
        };
        assert_eq!((command.as_str(), about.as_str(), *exit), ("cat <<END\none\nEND", "Show", 3));
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_its_line() {
        for (text, line) in [
            ("shell a\ndance", 2),
            ("| body", 1),
            ("shell", 1),
            ("shell a\n: colour red", 1),
            ("# fine\nedit x\n| neither", 2),
            ("say a\ninstead\n> shell b", 2),
            ("shell a\n: exit soon", 1),
            ("ask gate\n| {broken", 1),
            ("question Why?", 1),
            ("agent A\n> dance", 1),
            ("wait long", 1),
            ("retry soon", 1),
            ("form Empty", 1),
            ("form Odd\n| {\"key\": \"a\", \"type\": \"colour\"}", 1),
            ("form Odd\n| {\"key\": \"a\", \"type\": \"boolean\", \"when\": [{\"key\": \"b\"}]}", 1),
        ] {
            match Prompt::read(text) {
                Err(StandInError::Script { line: found, .. }) => assert_eq!(found, line, "{text}"),
                other => panic!("{text} gave {other:?}"),
            }
        }
    }
}
