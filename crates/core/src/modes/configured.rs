//! What a configuration of OpenCode says is allowed, asked and refused: the opposite of [`super::configuration`].

use serde_json::{Map, Value};

use super::newer_word;
use crate::rules::{Effect, Rule};

/// The rules that a configuration holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Configured {
    /// Those for every agent, in 2.x words, in their order: of those that match, the last one counts.
    pub rules: Vec<Rule>,
    /// The agents that have rules of their own.
    pub agents: Vec<String>,
}

/// Reads the configuration of either version. What is not understood is never read as an allowance.
#[must_use]
pub fn configured(configuration: &Value) -> Configured {
    let Value::Object(whole) = configuration else { return Configured::default() };
    let mut rules = older(whole.get("permission"));
    rules.extend(newer(whole.get("permissions")));
    let has_rules = |agent: &Value| ["permission", "permissions"].iter().any(|key| agent.get(key).is_some());
    let named = ["agent", "agents", "mode"].iter().filter_map(|key| whole.get(*key)?.as_object()).flatten();
    let mut agents: Vec<String> = named.filter(|(_, agent)| has_rules(agent)).map(|(name, _)| name.clone()).collect();
    agents.dedup();
    Configured { rules, agents }
}

/// `"allow"`, or an object by tool, each with one effect or with one for every pattern.
fn older(permission: Option<&Value>) -> Vec<Rule> {
    match permission {
        Some(Value::Object(tools)) => tools.iter().flat_map(|(tool, said)| of_tool(tool, said)).collect(),
        Some(said @ Value::String(_)) => vec![rule("*", "*", said)],
        _ => Vec::new(),
    }
}

fn of_tool(tool: &str, said: &Value) -> Vec<Rule> {
    let action = newer_word(tool);
    match said {
        Value::Object(patterns) => patterns.iter().map(|(pattern, said)| rule(action, pattern, said)).collect(),
        said => vec![rule(action, "*", said)],
    }
}

fn newer(permissions: Option<&Value>) -> Vec<Rule> {
    let text = |rule: &Map<String, Value>, key: &str| rule.get(key).and_then(Value::as_str).map(str::to_owned);
    let one = |value: &Value| {
        let given = value.as_object()?;
        let action = text(given, "action")?;
        let resource = text(given, "resource").unwrap_or_else(|| "*".to_owned());
        Some(rule(newer_word(&action), &resource, given.get("effect").unwrap_or(&Value::Null)))
    };
    permissions.and_then(Value::as_array).into_iter().flatten().filter_map(one).collect()
}

fn rule(action: &str, resource: &str, effect: &Value) -> Rule {
    let effect = match effect.as_str() {
        Some("allow") => Effect::Allow,
        Some("deny") => Effect::Deny,
        // A word that isn't known must not allow.
        _ => Effect::Ask,
    };
    Rule { action: action.to_owned(), resource: resource.to_owned(), effect }
}
