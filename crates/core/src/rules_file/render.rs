//! Writing a rules file: what was not changed and what is not understood stays as it is, byte for byte.

use serde_json::Value;

use super::lines::{Learned, Pending};
use super::object::Object;
use super::{Content, parse};

/// Keys with the texts of their values.
type Entries<'a> = Vec<(&'a str, String)>;

impl Content {
    /// The text of the file.
    #[must_use]
    pub fn render(&self) -> String {
        let lines = &self.lines;
        let same = |key: &str, raw: &str| match key {
            "preset" => parse::preset(raw, &mut Vec::new()) == lines.preset,
            "learned" => same_learned(&parse::learned(raw, &mut Vec::new()), &lines.learned),
            "pending" => same_pending(&parse::pending(raw, &mut Vec::new()), &lines.pending),
            "gavel" => false,
            _ => true,
        };
        let known = |key: &str| match key {
            "version" => Some("1".to_owned()),
            "preset" => Some(list(lines.preset.iter().map(|line| quoted(line)))),
            "learned" => Some(list(lines.learned.iter().map(learned))),
            "pending" => Some(object(pending(&lines.pending), 1)),
            "gavel" => Some(self.own(self.document.get("gavel"))),
            _ => None,
        };
        let mut entries: Entries = Vec::new();
        for (key, raw) in self.document.entries() {
            let text = if same(key, raw) { None } else { known(key) };
            entries.push((key, text.unwrap_or_else(|| raw.to_owned())));
        }
        for key in ["version", "preset", "learned", "pending", "gavel"] {
            if self.document.get(key).is_none() {
                entries.extend(known(key).map(|text| (key, text)));
            }
        }
        object(entries, 0) + "\n"
    }

    /// What Gavel keeps for itself; `raw` is what was there, perhaps by a later version.
    fn own(&self, raw: Option<&str>) -> String {
        let before: Object = raw.and_then(|raw| serde_json::from_str(raw).ok()).unwrap_or_default();
        let human = |command, by_human: u64| (by_human > 0).then_some((command, by_human.to_string()));
        let learned = self.lines.learned.iter().filter_map(|one| human(one.command.as_str(), one.by_human));
        let pending = self.lines.pending.iter().filter_map(|one| human(one.command.as_str(), one.by_human));
        let human: Entries = learned.chain(pending).collect();
        let mut entries: Entries = Vec::new();
        entries.extend(self.own.project.as_ref().map(|project| ("project", quoted(project))));
        entries.extend(self.own.write.as_ref().map(|write| ("write", quoted(write))));
        if !human.is_empty() {
            entries.push(("human", object(human, 2)));
        }
        let ours = ["project", "write", "human"];
        let others = before.entries().filter(|(key, _)| !ours.contains(key));
        entries.extend(others.map(|(key, raw)| (key, raw.to_owned())));
        object(entries, 1)
    }
}

fn same_learned(before: &[Learned], now: &[Learned]) -> bool {
    let is = |learned: &Learned| (learned.command.clone(), learned.approvals, learned.last_seen.clone());
    before.iter().map(is).eq(now.iter().map(is))
}

fn same_pending(before: &[Pending], now: &[Pending]) -> bool {
    before.iter().map(|one| (&one.command, one.count)).eq(now.iter().map(|one| (&one.command, one.count)))
}

fn learned(learned: &Learned) -> String {
    let known = [
        ("command", Some(quoted(&learned.command))),
        ("approvals", Some(learned.approvals.to_string())),
        ("lastSeen", learned.last_seen.as_deref().map(quoted)),
    ];
    let now = |key: &str| known.iter().find(|(own, _)| *own == key).and_then(|(_, text)| text.clone());
    let mut entries: Entries = Vec::new();
    for (key, raw) in learned.entry.entries() {
        entries.push((key, now(key).unwrap_or_else(|| raw.to_owned())));
    }
    for (key, text) in &known {
        if learned.entry.get(key).is_none() {
            entries.extend(text.clone().map(|text| (*key, text)));
        }
    }
    object(entries, 2)
}

fn pending(pending: &[Pending]) -> Entries<'_> {
    pending.iter().map(|one| (one.command.as_str(), one.count.to_string())).collect()
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// The list of `items`, one a line, in the first level.
fn list(items: impl Iterator<Item = String>) -> String {
    enclosed(items.collect(), 1, ['[', ']'])
}

/// The object of `entries`, one a line, in level `depth`.
fn object(entries: Entries<'_>, depth: usize) -> String {
    let items = entries.into_iter().map(|(key, text)| format!("{}: {text}", quoted(key)));
    enclosed(items.collect(), depth, ['{', '}'])
}

fn enclosed(items: Vec<String>, depth: usize, [open, close]: [char; 2]) -> String {
    if items.is_empty() {
        return format!("{open}{close}");
    }
    let indent = "  ".repeat(depth);
    let line = format!("\n{indent}  ");
    format!("{open}{line}{}\n{indent}{close}", items.join(&format!(",{line}")))
}
