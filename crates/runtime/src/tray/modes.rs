//! The mode menu of the tray.

use gavel_core::modes::{Mode, Stance};

use super::{Action, Item};
use crate::api::{Call, ModeRow, Scope, Snapshot};

/// The modes in the order in which they are offered, from what asks most to what asks nothing.
const OFFERED: [(Mode, &str); 4] = [
    (Mode::Supervised, "Supervised"),
    (Mode::AutoAcceptEdits, "Auto-accept edits"),
    (Mode::Auto, "Auto"),
    (Mode::FullAccess, "Full access: asks nothing"),
];

/// The mode of each server, to be chosen. Projects and sessions have theirs in the window.
pub(super) fn menu(snapshot: &Snapshot) -> Item {
    let mut items = match &snapshot.modes.servers[..] {
        [] => vec![Item::Text("No server is watched".to_owned())],
        [only] => choices(only),
        many => many.iter().map(|server| Item::Menu(server.name.clone(), choices(server))).collect(),
    };
    items.push(Item::Line);
    items.push(Item::Action("Projects and sessions…".to_owned(), Action::Modes));
    Item::Menu("Mode".to_owned(), items)
}

fn choices(server: &ModeRow) -> Vec<Item> {
    let choose = |stance| Action::Call(Call::SetMode { scope: server.scope.clone(), stance });
    let chosen = server.chosen;
    let mut items: Vec<Item> = OFFERED
        .into_iter()
        .map(|(mode, name)| {
            let stance = Stance { mode, ..chosen.unwrap_or(Stance::from(mode)) };
            Item::Choice(name.to_owned(), chosen.is_some_and(|chosen| chosen.mode == mode), choose(Some(stance)))
        })
        .collect();
    items.push(Item::Choice("As OpenCode is configured".to_owned(), chosen.is_none(), choose(None)));
    if let Some(chosen) = chosen {
        items.push(Item::Line);
        let toggled = Stance { plan: !chosen.plan, ..chosen };
        items.push(Item::Choice("Plan only: no file is changed".to_owned(), chosen.plan, choose(Some(toggled))));
    }
    items
}

/// The name of the mode that was chosen for a server, if one was.
pub(super) fn chosen(snapshot: &Snapshot, server: &str) -> Option<&'static str> {
    let here = |row: &&ModeRow| matches!(&row.scope, Scope::Server { server: id } if id == server);
    let stance = snapshot.modes.servers.iter().find(here)?.chosen?;
    OFFERED.iter().find(|(mode, _)| *mode == stance.mode).map(|(_, name)| name.split(':').next().unwrap_or(name))
}
