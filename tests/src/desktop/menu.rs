//! A menu as a tray host sees it.

use std::{collections::HashMap, fmt};

use zbus::{OwnedVariant, Variant};

/// An entry with what is below it; the root is one too, without a label.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Menu {
    /// The number that the menu's owner knows it by; it changes whenever the menu is built anew.
    pub id: i32,
    /// What it says, without the marks for access keys.
    pub label: String,
    /// Whether it is only a line.
    pub separator: bool,
    /// Whether it can be chosen.
    pub enabled: bool,
    /// Whether it is shown.
    pub visible: bool,
    /// Whether it is ticked, for entries that can be.
    pub checked: Option<bool>,
    /// The entries below it.
    pub children: Vec<Menu>,
}

impl Menu {
    /// The entry with these labels from the root down.
    pub fn find(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |menu, label| menu.children.iter().find(|child| child.label == *label))
    }

    /// Whether there is an entry with these labels from the root down.
    pub fn has(&self, path: &[&str]) -> bool {
        self.find(path).is_some()
    }

    /// The labels of the entries directly below, without lines.
    pub fn labels(&self) -> Vec<&str> {
        self.children.iter().filter(|child| !child.separator).map(|child| child.label.as_str()).collect()
    }

    /// The reply of `GetLayout`: `(ia{sv}av)`, where each of the last is again such a triple.
    pub(super) fn from_layout(
        id: i32,
        properties: &HashMap<String, OwnedVariant>,
        children: &[OwnedVariant],
    ) -> Option<Self> {
        let properties = properties.iter().map(|(name, value)| (name.as_str(), plain(value))).collect();
        let children = children.iter().map(|child| Self::from_variant(child)).collect::<Option<_>>()?;
        Some(Self::new(id, &properties, children))
    }

    fn from_variant(value: &Variant<'_>) -> Option<Self> {
        let Variant::Structure(layout) = plain(value) else { return None };
        let [Variant::I32(id), Variant::Dict(properties), Variant::Array(children)] = layout.fields() else {
            return None;
        };
        let name = |name: &'_ Variant<'_>| if let Variant::Str(name) = name { Some(name.to_string()) } else { None };
        let named: Vec<_> = properties.iter().filter_map(|(key, value)| Some((name(key)?, plain(value)))).collect();
        let properties = named.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let children = children.inner().iter().map(Self::from_variant).collect::<Option<_>>()?;
        Some(Self::new(*id, &properties, children))
    }

    fn new(id: i32, properties: &HashMap<&str, &Variant<'_>>, children: Vec<Self>) -> Self {
        let text = |name| if let Some(Variant::Str(text)) = properties.get(name) { text.as_str() } else { "" };
        // Absent means yes.
        let yes = |name| !matches!(properties.get(name), Some(Variant::Bool(false)));
        let checked = match properties.get("toggle-state") {
            Some(Variant::I32(state)) if !text("toggle-type").is_empty() => Some(*state == 1),
            _ => None,
        };
        Self {
            id,
            label: without_marks(text("label")),
            separator: text("type") == "separator",
            enabled: yes("enabled"),
            visible: yes("visible"),
            checked,
            children,
        }
    }

    fn draw(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        for child in &self.children {
            let tick = match child.checked {
                Some(true) => "[x] ",
                Some(false) => "[ ] ",
                None => "",
            };
            let label = if child.separator { "----" } else { &child.label };
            let off = if child.enabled { "" } else { " (off)" };
            let hidden = if child.visible { "" } else { " (hidden)" };
            writeln!(f, "{}{tick}{label}{off}{hidden}", "  ".repeat(depth))?;
            child.draw(f, depth + 1)?;
        }
        Ok(())
    }
}

/// Drawn as a tree, so that a failure message and a comparison with text are easy to read.
impl fmt::Display for Menu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.draw(f, 0)
    }
}

fn plain<'a, 'v>(value: &'a Variant<'v>) -> &'a Variant<'v> {
    if let Variant::Variant(inner) = value { plain(inner) } else { value }
}

/// A single underscore marks the access key; two are one.
fn without_marks(label: &str) -> String {
    let mut out = String::new();
    let mut chars = label.chars();
    while let Some(c) = chars.next() {
        match c {
            '_' => out.extend(chars.next()),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_for_access_keys_are_no_part_of_a_label() {
        assert_eq!(without_marks("_Open a__b"), "Open a_b");
    }

    #[test]
    fn entries_are_found_by_their_labels() {
        let leaf = Menu { label: "a/b".into(), enabled: true, visible: true, ..Menu::default() };
        let branch =
            Menu { label: "Sub".into(), enabled: true, visible: true, children: vec![leaf], ..Menu::default() };
        let root = Menu { children: vec![branch], ..Menu::default() };
        assert!(root.has(&["Sub", "a/b"]) && !root.has(&["a/b"]));
        assert_eq!(root.to_string(), "Sub\n  a/b\n");
    }
}
