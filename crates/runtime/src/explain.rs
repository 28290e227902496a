//! `gavel explain`: what would the rules say, and which of them?

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use gavel_core::rules::{Case, Effect, Origin, Pattern, Rule, Rules, Ruling, evaluate};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Says what rules decide about a request, and which rule it is that decides.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
#[command(arg_required_else_help = true)]
pub struct Explain {
    /// A JSON file with the rules: a list of them, or an object with `agent`, `session`, `saved` and `directory`.
    #[arg(long, value_name = "FILE", requires = "action", requires = "resource", conflicts_with = "cases")]
    rules: Option<PathBuf>,
    /// The action asked for, in the words of OpenCode 2: `shell`, `edit`, `read`, …
    #[arg(long, requires = "rules")]
    action: Option<String>,
    /// A resource asked for: a command, a path, an address. May be given more than once.
    #[arg(long, requires = "rules")]
    resource: Vec<String>,
    /// A JSON file with cases: each is decided and compared with what it expects, one line of JSON for each.
    #[arg(long, value_name = "FILE")]
    cases: Option<PathBuf>,
}

impl Explain {
    /// Writes the explanation to `out`. Whether everything is as it was expected.
    ///
    /// # Errors
    /// A file that can't be read or understood, in words for the user.
    pub fn run(&self, out: &mut impl Write) -> Result<bool, String> {
        if let Some(path) = &self.cases {
            return cases(read(path)?, out);
        }
        let (Some(path), Some(action)) = (&self.rules, &self.action) else {
            return Err("either `--cases` or `--rules` with `--action` and `--resource` is needed".to_owned());
        };
        let rules = match read(path)? {
            Given::List(rules) => Rules { agent: Some(rules), ..Rules::default() },
            Given::Whole(rules) => rules,
        };
        let ruling = evaluate(&rules, action, &self.resource, CASE);
        write!(out, "{}", for_people(&rules, action, &ruling)).map_err(|error| error.to_string())?;
        Ok(true)
    }
}

/// On Windows, OpenCode takes capital and small letters for the same.
const CASE: Case = if cfg!(windows) { Case::Folded } else { Case::Sensitive };

#[derive(Deserialize)]
#[serde(untagged)]
enum Given {
    List(Vec<Rule>),
    Whole(Rules),
}

fn read<T: for<'de> Deserialize<'de>>(path: &PathBuf) -> Result<T, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("`{}` can't be read: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("`{}` can't be understood: {error}", path.display()))
}

fn for_people(rules: &Rules, action: &str, ruling: &Ruling) -> String {
    let word = |effect: Effect| match effect {
        Effect::Allow => "allowed",
        Effect::Ask => "asked about",
        Effect::Deny => "denied",
    };
    let mut text = String::new();
    for one in &ruling.decided {
        let resource = gavel_core::display::visible(&one.resource);
        text.push_str(&format!("{action} `{resource}` is {}: {}\n", word(one.effect), why(rules, one.by)));
    }
    if ruling.decided.len() != 1 {
        text.push_str(&format!("The request as a whole is {}.\n", word(ruling.effect)));
    }
    text
}

fn why(rules: &Rules, by: Origin) -> String {
    let rule = |rules: &[Rule], place: usize| {
        rules.get(place).map_or_else(String::new, |rule| format!(", `{} {}`", rule.action, rule.resource))
    };
    match by {
        Origin::Agent(place) => {
            let rules = rules.agent.as_deref().unwrap_or_default();
            format!("rule {} of the agent{}", place + 1, rule(rules, place))
        }
        Origin::Session(place) => format!("rule {} of the session{}", place + 1, rule(&rules.session, place)),
        Origin::Saved(place) => {
            let saved = rules.saved.get(place);
            let what = saved.map_or_else(String::new, |saved| format!(", `{} {}`", saved.action, saved.resource));
            format!("saved approval {}{what}", place + 1)
        }
        Origin::NoAgent => "there is no such agent".to_owned(),
        Origin::Nothing => "no rule matches".to_owned(),
    }
}

/// A file of cases. Each is either about a pattern or about rules.
#[derive(Deserialize)]
struct Cases {
    cases: Vec<OneCase>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneCase {
    Pattern {
        pattern: String,
        value: String,
        expected: bool,
    },
    Request {
        #[serde(default)]
        name: String,
        #[serde(flatten)]
        rules: Rules,
        request: Request,
        expected: Effect,
    },
}

#[derive(Deserialize)]
struct Request {
    action: String,
    resources: Vec<String>,
}

#[derive(Serialize)]
struct Line<'a, T> {
    name: &'a str,
    expected: T,
    actual: T,
    decided_by: serde_json::Value,
}

fn cases(file: Cases, out: &mut impl Write) -> Result<bool, String> {
    let mut as_expected = true;
    for case in &file.cases {
        let line = match case {
            OneCase::Pattern { pattern, value, expected } => {
                let actual = Pattern::new(pattern, CASE).matches(value);
                as_expected &= actual == *expected;
                serde_json::to_string(&Line { name: pattern, expected: *expected, actual, decided_by: json!(pattern) })
            }
            OneCase::Request { name, rules, request, expected } => {
                let ruling = evaluate(rules, &request.action, &request.resources, CASE);
                as_expected &= ruling.effect == *expected;
                let decided_by = json!(ruling.decided);
                serde_json::to_string(&Line { name, expected: *expected, actual: ruling.effect, decided_by })
            }
        };
        let line = line.map_err(|error| error.to_string())?;
        writeln!(out, "{line}").map_err(|error| error.to_string())?;
    }
    Ok(as_expected)
}
