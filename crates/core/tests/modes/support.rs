//! The default agents of OpenCode 2.x, and short ways to write rules.

use gavel_core::rules::{Effect, Rule, Saved};

/// `action resource effect`, as the tables write rules.
pub fn rule(text: &str) -> Rule {
    let (rest, effect) = text.rsplit_once(' ').unwrap();
    let (action, resource) = rest.split_once(' ').unwrap();
    let effect = match effect {
        "allow" => Effect::Allow,
        "ask" => Effect::Ask,
        "deny" => Effect::Deny,
        other => panic!("no such effect: {other}"),
    };
    Rule { action: action.into(), resource: resource.into(), effect }
}

pub fn rules(lines: &[&str]) -> Vec<Rule> {
    lines.iter().map(|line| rule(line)).collect()
}

pub fn text(rules: &[Rule]) -> Vec<String> {
    let effect = |effect| serde_json::to_value(effect).unwrap().as_str().unwrap().to_owned();
    rules.iter().map(|rule| format!("{} {} {}", rule.action, rule.resource, effect(rule.effect))).collect()
}

pub fn saved(action: &str, resource: &str) -> Saved {
    Saved { action: action.into(), resource: resource.into() }
}

pub const DATA: &str = "/home/dev/.local/share/opencode";
pub const CONFIG: &str = "/home/dev/.config/opencode";
pub const PLANS: &str = "/home/dev/.opencode/plan";
pub const TMP: &str = "/tmp/opencode";

/// What every agent begins with.
fn common() -> Vec<Rule> {
    let mut common = rules(&[
        "* * allow",
        "external_directory * ask",
        "read *.env ask",
        "read *.env.* ask",
        "read *.env.example allow",
    ]);
    common.extend(managed());
    common
}

/// The directories OpenCode itself writes to.
pub fn managed() -> Vec<Rule> {
    let places =
        [format!("{DATA}/shell/*/*"), format!("{DATA}/tool-output/*"), format!("{TMP}/*"), format!("{CONFIG}/*")];
    places.iter().map(|place| rule(&format!("external_directory {place} allow"))).collect()
}

/// The default agents, by name.
pub fn agents() -> Vec<(&'static str, Vec<Rule>)> {
    let plan_places =
        [format!("external_directory {PLANS}/* allow"), "edit * deny".into(), format!("edit {PLANS}/* allow")];
    let plan: Vec<&str> = ["question * allow"].into_iter().chain(plan_places.iter().map(String::as_str)).collect();
    let explore = [
        "* * deny",
        "shell * allow",
        "grep * allow",
        "glob * allow",
        "webfetch * allow",
        "websearch * allow",
        "read * allow",
        "read *.env ask",
        "read *.env.* ask",
        "read *.env.example allow",
        "subagent * deny",
        "external_directory * allow",
    ];
    let more: [(&str, &[&str]); 7] = [
        ("build", &["question * allow"]),
        ("plan", &plan),
        ("general", &["question * deny", "subagent * deny"]),
        ("explore", &explore),
        ("title", &["* * deny"]),
        ("summary", &["* * deny"]),
        ("compaction", &[]),
    ];
    more.into_iter().map(|(name, more)| (name, [common(), rules(more)].concat())).collect()
}

pub fn agent(name: &str) -> Vec<Rule> {
    agents().into_iter().find(|(known, _)| *known == name).unwrap().1
}
