//! Drawing the tray: what it shows is decided in `gavel_runtime::tray`.

use std::sync::{Mutex, PoisonError};

use gavel_runtime::Handle;
use gavel_runtime::api::{Panel, Snapshot};
use gavel_runtime::tray::{Action, Item, State, View, view};
use tauri::image::Image;
use tauri::menu::{CheckMenuItemBuilder, Menu, MenuBuilder, MenuItemBuilder, Submenu, SubmenuBuilder};
use tauri::tray::{TrayIcon, TrayIconBuilder};
use tauri::{AppHandle, Manager as _, Wry, include_image};

use crate::{bridge, window};

/// The icon and what it shows now.
struct Tray {
    icon: TrayIcon,
    shown: Mutex<Shown>,
}

struct Shown {
    view: View,
    /// What the entries do, by the number in their id.
    actions: Vec<Action>,
}

/// Puts the icon into the tray, unless it is there.
pub(crate) fn create(app: &AppHandle) {
    let app = app.clone();
    let result = app.clone().run_on_main_thread(move || {
        if app.try_state::<Tray>().is_some() {
            return;
        }
        let snapshot = app.state::<Handle>().snapshots().borrow().clone();
        if let Err(error) = build(&app, &snapshot) {
            tracing::error!("the tray icon can't be shown: {error}");
        }
    });
    if let Err(error) = result {
        tracing::error!("the tray icon can't be shown: {error}");
    }
}

fn build(app: &AppHandle, snapshot: &Snapshot) -> tauri::Result<()> {
    let view = view(snapshot);
    let (menu, actions) = draw(app, &view.menu)?;
    let icon = TrayIconBuilder::with_id("gavel")
        .icon(picture(&view))
        .tooltip(&view.summary)
        .title(count(&view))
        .menu(&menu)
        .show_menu_on_left_click(true)
        .on_menu_event(|app, event| chosen(app, event.id().as_ref()))
        .build(app)?;
    app.manage(Tray { icon, shown: Mutex::new(Shown { view, actions }) });
    Ok(())
}

/// Brings the icon and its menu up to date.
pub(crate) fn show(app: &AppHandle, snapshot: &Snapshot) {
    let view = view(snapshot);
    let app = app.clone();
    let result = app.clone().run_on_main_thread(move || {
        if let Some(tray) = app.try_state::<Tray>()
            && let Err(error) = update(&app, &tray, view)
        {
            tracing::error!("the tray can't be brought up to date: {error}");
        }
    });
    if let Err(error) = result {
        tracing::error!("the tray can't be brought up to date: {error}");
    }
}

fn update(app: &AppHandle, tray: &Tray, view: View) -> tauri::Result<()> {
    let mut shown = tray.shown.lock().unwrap_or_else(PoisonError::into_inner);
    // A menu that is open closes when it is replaced: only what has changed is drawn.
    if (shown.view.state, shown.view.panel) != (view.state, view.panel) {
        tray.icon.set_icon(Some(picture(&view)))?;
    }
    if shown.view.waiting != view.waiting {
        tray.icon.set_title(Some(count(&view)))?;
    }
    if shown.view.summary != view.summary {
        tray.icon.set_tooltip(Some(&view.summary))?;
    }
    if shown.view.menu != view.menu {
        let (menu, actions) = draw(app, &view.menu)?;
        tray.icon.set_menu(Some(menu))?;
        shown.actions = actions;
    }
    shown.view = view;
    Ok(())
}

fn count(view: &View) -> String {
    if view.waiting == 0 { String::new() } else { view.waiting.to_string() }
}

fn draw(app: &AppHandle, items: &[Item]) -> tauri::Result<(Menu<Wry>, Vec<Action>)> {
    let mut drawing = Drawing { app, actions: Vec::new() };
    let mut menu = MenuBuilder::new(app);
    for item in items {
        menu = match item {
            Item::Text(text) => menu.item(&drawing.text(text)?),
            Item::Line => menu.separator(),
            Item::Action(label, action) => menu.item(&drawing.action(label, action)?),
            Item::Choice(label, chosen, action) => menu.item(&drawing.choice(label, *chosen, action)?),
            Item::Menu(label, items) => menu.item(&drawing.submenu(label, items)?),
        };
    }
    Ok((menu.build()?, drawing.actions))
}

struct Drawing<'a> {
    app: &'a AppHandle,
    actions: Vec<Action>,
}

impl Drawing<'_> {
    fn text(&self, text: &str) -> tauri::Result<tauri::menu::MenuItem<Wry>> {
        MenuItemBuilder::new(plain(text)).enabled(false).build(self.app)
    }

    fn action(&mut self, label: &str, action: &Action) -> tauri::Result<tauri::menu::MenuItem<Wry>> {
        self.actions.push(action.clone());
        MenuItemBuilder::with_id(id(action), plain(label)).build(self.app)
    }

    fn choice(&mut self, label: &str, chosen: bool, action: &Action) -> tauri::Result<tauri::menu::CheckMenuItem<Wry>> {
        self.actions.push(action.clone());
        CheckMenuItemBuilder::with_id(id(action), plain(label)).checked(chosen).build(self.app)
    }

    fn submenu(&mut self, label: &str, items: &[Item]) -> tauri::Result<Submenu<Wry>> {
        let mut menu = SubmenuBuilder::new(self.app, plain(label));
        for item in items {
            menu = match item {
                Item::Text(text) => menu.item(&self.text(text)?),
                Item::Line => menu.separator(),
                Item::Action(label, action) => menu.item(&self.action(label, action)?),
                Item::Choice(label, chosen, action) => menu.item(&self.choice(label, *chosen, action)?),
                Item::Menu(label, items) => menu.item(&self.submenu(label, items)?),
            };
        }
        menu.build()
    }
}

/// An ampersand would make the next letter an access key.
fn plain(label: &str) -> String {
    label.replace('&', "&&")
}

/// The id says what the entry does, so that a click on an entry of an older menu does just that, or nothing.
fn id(action: &Action) -> String {
    format!("{action:?}")
}

fn chosen(app: &AppHandle, chosen: &str) {
    let Some(tray) = app.try_state::<Tray>() else { return };
    let shown = tray.shown.lock().unwrap_or_else(PoisonError::into_inner);
    let action = shown.actions.iter().find(|action| id(action) == chosen).cloned();
    drop(shown);
    match action {
        Some(Action::Call(call)) => bridge::call_in_background(app, call),
        Some(Action::Open(request)) => window::open(app, window::Place::Inbox { request }),
        Some(Action::Servers) => window::open(app, window::Place::Servers),
        Some(Action::Modes) => window::open(app, window::Place::Modes),
        None => tracing::info!("an entry was chosen that no longer means anything"),
    }
}

fn picture(view: &View) -> Image<'static> {
    match (view.panel, view.state) {
        (Panel::Dark, State::Idle) => include_image!("icons/tray/idle-dark.png"),
        (Panel::Dark, State::Waiting) => include_image!("icons/tray/waiting-dark.png"),
        (Panel::Dark, State::Paused) => include_image!("icons/tray/paused-dark.png"),
        (Panel::Dark, State::Offline) => include_image!("icons/tray/offline-dark.png"),
        (Panel::Dark, State::Error) => include_image!("icons/tray/error-dark.png"),
        (Panel::Light, State::Idle) => include_image!("icons/tray/idle-light.png"),
        (Panel::Light, State::Waiting) => include_image!("icons/tray/waiting-light.png"),
        (Panel::Light, State::Paused) => include_image!("icons/tray/paused-light.png"),
        (Panel::Light, State::Offline) => include_image!("icons/tray/offline-light.png"),
        (Panel::Light, State::Error) => include_image!("icons/tray/error-light.png"),
    }
}
