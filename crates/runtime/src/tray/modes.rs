//! The mode menu of the tray.

use gavel_core::modes::{Mode, Stance};
use gavel_core::term;
use gavel_core::text::{Language, Template};

use super::{Action, Item};
use crate::api::{Call, ModeRow, Scope, Snapshot};

/// The modes in the order in which they are offered, from what asks most to what asks nothing.
const OFFERED: [(Mode, Template); 4] = [
    (Mode::Supervised, term!("Supervised")),
    (Mode::AutoAcceptEdits, term!("Auto-accept edits")),
    (Mode::Auto, term!("Auto")),
    (Mode::FullAccess, term!("Full access: asks nothing")),
];

/// The mode of each server, to be chosen. Projects and sessions have theirs in the window.
pub(super) fn menu(snapshot: &Snapshot) -> Item {
    let language = snapshot.language;
    let mut items = match &snapshot.modes.servers[..] {
        [] => vec![Item::Text(term!("No server is watched").in_language(language))],
        [only] => choices(only, language),
        many => many.iter().map(|server| Item::Menu(server.name.clone(), choices(server, language))).collect(),
    };
    items.push(Item::Line);
    items.push(Item::Action(term!("Projects and sessions…").in_language(language), Action::Modes));
    Item::Menu(term!("Mode").in_language(language), items)
}

fn choices(server: &ModeRow, language: Language) -> Vec<Item> {
    let choose = |stance| Action::Call(Call::SetMode { scope: server.scope.clone(), stance });
    let chosen = server.chosen;
    let mut items: Vec<Item> = OFFERED
        .into_iter()
        .map(|(mode, name)| {
            let stance = Stance { mode, ..chosen.unwrap_or(Stance::from(mode)) };
            Item::Choice(
                name.in_language(language),
                chosen.is_some_and(|chosen| chosen.mode == mode),
                choose(Some(stance)),
            )
        })
        .collect();
    items.push(Item::Choice(term!("As OpenCode is configured").in_language(language), chosen.is_none(), choose(None)));
    if let Some(chosen) = chosen {
        items.push(Item::Line);
        let toggled = Stance { plan: !chosen.plan, ..chosen };
        items.push(Item::Choice(
            term!("Plan only: no file is changed").in_language(language),
            chosen.plan,
            choose(Some(toggled)),
        ));
    }
    items
}

/// The name of the mode that was chosen for a server, if one was.
pub(super) fn chosen(snapshot: &Snapshot, server: &str) -> Option<String> {
    let here = |row: &&ModeRow| matches!(&row.scope, Scope::Server { server: id } if id == server);
    let stance = snapshot.modes.servers.iter().find(here)?.chosen?;
    let (_, name) = OFFERED.iter().find(|(mode, _)| *mode == stance.mode)?;
    let name = name.in_language(snapshot.language);
    Some(name.split(':').next().unwrap_or(&name).to_owned())
}
