//! Gavel's rules among those of others in the list of a session.

use super::cover::without_dead;
use crate::rules::Rule;

/// Why Gavel sees to the rules of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// What the user chose changed: it counts more than whatever others have set since.
    Choice,
    /// It did not change, but something else may have: what others appended since then stays in force.
    Upkeep,
}

/// The list of a session's rules with Gavel's own block brought up to date, for servers that take the whole list.
/// `None` if there is nothing to write.
///
/// The own rules are one block at the end. Exactly the block that was written before is removed; whatever others put
/// into the list stays, in its order.
#[must_use]
pub fn merge_own_block(current: &[Rule], previous: &[Rule], wanted: &[Rule]) -> Option<Vec<Rule>> {
    // It may be there already: from before Gavel was started anew, or because an answer was lost on its way back.
    let stands = current.strip_suffix(wanted);
    if stands.is_some() && previous == wanted {
        return None;
    }
    let mut merged = stands.unwrap_or(current).to_vec();
    if let Some(start) = find(&merged, previous) {
        merged.drain(start..start + previous.len());
    }
    merged.extend_from_slice(wanted);
    (merged != current).then_some(merged)
}

/// Where `block` stands in `rules` for the last time. Nothing stands nowhere.
fn find(rules: &[Rule], block: &[Rule]) -> Option<usize> {
    if block.is_empty() {
        return None;
    }
    rules.windows(block.len()).rposition(|window| window == block)
}

/// What is to be appended so that a session's rules decide as if `wanted` stood last, for servers that only append.
/// `None` if they do so already: nothing can ever be taken out of such a list, so it must not grow without need.
#[must_use]
pub fn appended_block(current: &[Rule], wanted: &[Rule]) -> Option<Vec<Rule>> {
    let after: Vec<Rule> = current.iter().chain(wanted).cloned().collect();
    (without_dead(&after) != without_dead(current)).then(|| wanted.to_vec())
}

/// What is to be appended where the user's choice is what it was, and `previous` is the block that said so: behind
/// `wanted`, the rules that others have appended since count as before. `None` if nothing is.
#[must_use]
pub fn upheld_block(current: &[Rule], previous: &[Rule], wanted: &[Rule]) -> Option<Vec<Rule>> {
    let behind = find(current, previous).and_then(|start| current.get(start + previous.len()..));
    appended_block(current, &[wanted, behind.unwrap_or_default()].concat())
}
