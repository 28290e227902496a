//! The language of scripts: what a user message tells the model to do, one step per line.
//!
//! | line | the model's turn |
//! |---|---|
//! | `run: COMMAND` | one shell call |
//! | `together: COMMAND ;; COMMAND` | several shell calls in one turn |
//! | `write: PATH => CONTENT` | writes a file |
//! | `edit: PATH => OLD => NEW` | edits a file |
//! | `read: PATH` | reads a file, perhaps outside the project |
//! | `fetch: URL` | fetches a page |
//! | `task: SCRIPT` | a sub-agent; the lines of its script are joined with `¶`, those of its sub-agent with `¶¶`, … |
//! | `question: TEXT \| OPTION \| OPTION` | one single-choice question |
//! | `questions` | three: single choice, several answers, no free text |
//! | `doom: COMMAND` | the same shell call three times in one turn |
//! | `say: TEXT` | plain text, which ends the turn |
//! | `stream: COUNT PAUSE_MS` | COUNT chunks of text with a pause before each |
//! | `tool: NAME JSON` | any tool call |
//! | `tools: [["NAME", {…}], …]` | any tool calls in one turn |
//! | `fail: STATUS` | the model's server answers with this HTTP status |
//!
//! Lines that are no step are ignored: agents add reminders of their own to a message. `\n` stands for a line break in
//! the pieces of `write` and `edit`.

use std::fmt;

use serde_json::{Value, json};

/// Joins the lines of a nested script. Deeper levels use a longer run of it.
const BREAK: char = '¶';

/// What the model does in one turn.
#[derive(Debug, Clone, PartialEq)]
pub enum Turn {
    /// Calls tools: names and arguments.
    Calls(Vec<(String, Value)>),
    /// Says something and is done.
    Say(String),
    /// Says `count` words with a pause before each.
    Stream {
        /// How many chunks.
        count: usize,
        /// Milliseconds before each chunk.
        pause: u64,
    },
    /// Answers with an HTTP status instead of a turn.
    Fail(u16),
}

/// The turns that `text` asks for; empty if it is no script.
///
/// # Panics
/// When a line begins like a step but can't be read as one: a test with a typing error should not go on quietly.
pub fn parse(text: &str) -> Vec<Turn> {
    // A message may come back in quotes, as from `opencode run "…"`.
    text.lines().filter_map(|line| turn(line.trim().trim_matches('"').trim())).collect()
}

fn turn(line: &str) -> Option<Turn> {
    let (verb, rest) = line.split_once(':').unwrap_or((line, ""));
    let rest = rest.trim();
    let calls = match verb {
        "run" => vec![shell(rest)],
        "together" => rest.split(";;").map(|command| shell(command.trim())).collect(),
        "doom" => vec![shell(rest); 3],
        "write" => {
            let [path, content] = pieces(line, rest);
            vec![call("write", json!({"filePath": path, "content": content}))]
        }
        "edit" => {
            let [path, old, new] = pieces(line, rest);
            vec![call("edit", json!({"filePath": path, "oldString": old, "newString": new}))]
        }
        "read" => vec![call("read", json!({"filePath": rest}))],
        "fetch" => vec![call("webfetch", json!({"url": rest, "format": "text"}))],
        "task" => vec![call(
            "task",
            json!({"description": "Nested work", "subagent_type": "general", "prompt": unnest(rest)}),
        )],
        "question" => vec![call("question", json!({"questions": [question(line, rest)]}))],
        "questions" if rest.is_empty() => vec![call("question", json!({"questions": three_questions()}))],
        "tool" => {
            let (name, arguments) = rest.split_once(' ').unwrap_or((rest, "{}"));
            vec![call(name, from_json(line, arguments))]
        }
        "tools" => serde_json::from_value(from_json(line, rest)).unwrap_or_else(|e| panic!("{e} in `{line}`")),
        "say" => return Some(Turn::Say(rest.into())),
        "stream" => {
            let mut numbers = rest.split_whitespace().map(|n| n.parse().unwrap_or_else(|e| panic!("{e} in `{line}`")));
            let count = numbers.next().unwrap_or(1);
            return Some(Turn::Stream { count: count as usize, pause: numbers.next().unwrap_or(0) });
        }
        "fail" => return Some(Turn::Fail(rest.parse().unwrap_or_else(|e| panic!("{e} in `{line}`")))),
        _ => return None,
    };
    Some(Turn::Calls(calls))
}

fn call(name: &str, arguments: Value) -> (String, Value) {
    (name.to_owned(), arguments)
}

fn shell(command: &str) -> (String, Value) {
    call("bash", json!({"command": command, "description": format!("Scripted: {command}")}))
}

fn pieces<const N: usize>(line: &str, rest: &str) -> [String; N] {
    let pieces: Vec<_> = rest.splitn(N, " => ").map(|piece| piece.replace("\\n", "\n")).collect();
    pieces.try_into().unwrap_or_else(|_| panic!("`{line}` needs {N} pieces with ` => ` between"))
}

fn from_json(line: &str, text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e} in `{line}`"))
}

fn question(line: &str, rest: &str) -> Value {
    let mut pieces = rest.split(" | ").map(str::trim);
    let text = pieces.next().unwrap_or_default();
    let options: Vec<_> = pieces.map(|label| json!({"label": label, "description": format!("Take {label}")})).collect();
    assert!(!options.is_empty(), "`{line}` needs options after ` | `");
    json!({"question": text, "header": "Choice", "options": options})
}

fn three_questions() -> Value {
    let option = |label: &str, description: &str| json!({"label": label, "description": description});
    json!([
        {"question": "Where should it be stored?", "header": "Storage",
         "options": [option("File", "One file on disk"), option("Server", "A database server")]},
        {"question": "Which parts are wanted?", "header": "Parts", "multiple": true,
         "options": [option("Login", "Accounts"), option("Search", "Full text"), option("Export", "Spreadsheets")]},
        {"question": "Begin now?", "header": "Begin", "custom": false,
         "options": [option("Yes", "At once"), option("No", "Not yet")]},
    ])
}

/// Takes one level of nesting away: a single break becomes a new line, a longer run becomes one shorter.
fn unnest(script: &str) -> String {
    let mut out = String::new();
    let mut chars = script.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            BREAK if chars.peek() == Some(&BREAK) => {
                while chars.next_if_eq(&BREAK).is_some() {
                    out.push(BREAK);
                }
            }
            BREAK => out.push('\n'),
            c => out.push(c),
        }
    }
    out
}

fn nest(script: &str) -> String {
    let mut out = String::new();
    let mut previous = None;
    for c in script.chars() {
        if c == BREAK && previous != Some(BREAK) {
            out.push(BREAK);
        }
        out.push(if c == '\n' { BREAK } else { c });
        previous = Some(c);
    }
    out
}

/// Builds a script step by step, so that no test has to think about separators.
///
/// Its `Display` form is the text to send to the session as the user's message.
#[derive(Debug, Clone, Default)]
pub struct Script(Vec<String>);

impl Script {
    /// An empty script.
    pub fn new() -> Self {
        Self::default()
    }

    /// Any line of the language.
    #[must_use]
    pub fn step(mut self, line: impl Into<String>) -> Self {
        let line = line.into();
        assert!(!line.contains('\n') && turn(&line).is_some(), "`{line}` is not one step");
        self.0.push(line);
        self
    }

    /// A shell call; the command may have several lines.
    #[must_use]
    pub fn run(self, command: &str) -> Self {
        self.tools([shell(command)])
    }

    /// Several shell calls in one turn.
    #[must_use]
    pub fn together<'a>(self, commands: impl IntoIterator<Item = &'a str>) -> Self {
        self.tools(commands.into_iter().map(shell))
    }

    /// Any tool calls in one turn.
    #[must_use]
    pub fn tools(self, calls: impl IntoIterator<Item = (String, Value)>) -> Self {
        let calls: Vec<_> = calls.into_iter().collect();
        self.step(format!("tools: {}", json!(calls)))
    }

    /// A sub-agent that plays `script`.
    #[must_use]
    pub fn task(self, script: &Script) -> Self {
        self.step(format!("task: {}", nest(&script.to_string())))
    }

    /// Writes `content` to the file at `path`.
    #[must_use]
    pub fn write(self, path: &str, content: &str) -> Self {
        self.tools([call("write", json!({"filePath": path, "content": content}))])
    }

    /// Plain text, which ends the turn.
    #[must_use]
    pub fn say(self, text: &str) -> Self {
        self.step(format!("say: {text}"))
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl From<Script> for String {
    fn from(script: Script) -> Self {
        script.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only_call(script: &str) -> (String, Value) {
        match parse(script).as_slice() {
            [Turn::Calls(calls)] if calls.len() == 1 => calls[0].clone(),
            other => panic!("not one call: {other:?}"),
        }
    }

    #[test]
    fn prose_is_no_script() {
        assert_eq!(parse("Please look at this: it fails.\n<reminder>\nrunning: yes"), []);
    }

    #[test]
    fn steps_stand_between_other_lines() {
        let turns = parse("hello\n  run: touch a\n<note>\n\"say: good bye\"");
        assert_eq!(turns.len(), 2);
        assert_eq!(turns[1], Turn::Say("good bye".into()));
    }

    #[test]
    fn pieces_may_have_line_breaks() {
        let (_, arguments) = only_call(r"edit: a.txt => one\ntwo => three");
        assert_eq!(arguments, json!({"filePath": "a.txt", "oldString": "one\ntwo", "newString": "three"}));
    }

    #[test]
    fn a_command_with_lines_survives_the_builder() {
        let (name, arguments) = only_call(&Script::new().run("cat <<X\na: \"b\"\nX").to_string());
        assert_eq!((name.as_str(), &arguments["command"]), ("bash", &json!("cat <<X\na: \"b\"\nX")));
    }

    #[test]
    fn scripts_nest_as_deep_as_you_like() {
        let inner = Script::new().run("echo ¶ pilcrow").say("inner");
        let middle = Script::new().run("touch m").task(&inner).say("middle");
        let outer = Script::new().task(&middle).say("outer").to_string();
        assert_eq!(outer.lines().count(), 2);
        let prompt = |text: &str| only_call(text.lines().find(|l| l.starts_with("task:")).unwrap()).1["prompt"].clone();
        let middle_again = prompt(&outer);
        assert_eq!(middle_again, middle.to_string());
        assert_eq!(prompt(middle_again.as_str().unwrap()), inner.to_string());
    }

    #[test]
    #[should_panic(expected = "needs 2 pieces")]
    fn a_typing_error_is_not_ignored() {
        parse("write: a.txt");
    }
}
