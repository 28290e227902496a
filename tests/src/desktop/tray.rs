//! A tray: it takes items, reads them, opens their menus and clicks.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use zbus::{Connection, OwnedVariant, Proxy, Variant, message::Message};

pub use super::watcher::Place;
use super::{
    Menu, Session, bus,
    watcher::{ITEM, PROPERTIES, State, WATCHER, Watcher},
};
use crate::wait::eventually;

const MENU: &str = "com.canonical.dbusmenu";

/// What an item says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// `Active`, `Passive` or `NeedsAttention`.
    pub status: String,
    /// Its title, which with libayatana is the program's name.
    pub title: String,
    /// The icon: a name, or the path of a file without or with its ending.
    pub icon: String,
    /// A directory to look for the icon in, if there is one.
    pub icon_theme_path: String,
    /// The text beside the icon.
    pub label: String,
    /// The object that has the menu.
    pub menu: String,
}

impl Item {
    /// The icon's file, where the icon is one.
    pub fn icon_file(&self) -> Option<PathBuf> {
        let named = PathBuf::from(&self.icon);
        let named = if named.is_absolute() { named } else { PathBuf::from(&self.icon_theme_path).join(named) };
        let with_ending = PathBuf::from(format!("{}.png", named.display()));
        [named, with_ending].into_iter().find(|path| path.is_file())
    }
}

/// The tray. It owns the watcher's name until it is stopped or dropped.
#[derive(Debug)]
pub struct TrayHost {
    address: String,
    state: Arc<Mutex<State>>,
    served: Option<bus::Served>,
    calls: Connection,
}

impl TrayHost {
    /// Starts a tray, and returns when it owns the name.
    pub async fn start(session: &Session) -> Self {
        let address = session.bus_address();
        let calls = bus::connect(&address).await;
        let mut host = Self { address, state: Arc::default(), served: None, calls };
        host.start_again().await;
        host
    }

    /// Ends the tray, as a desktop shell does that crashes.
    pub async fn stop(&mut self) {
        if let Some(served) = self.served.take() {
            served.stop().await;
        }
    }

    /// Starts it again; items are expected to come by themselves.
    pub async fn start_again(&mut self) {
        *self.state.lock().unwrap() = State::default();
        let rules = [
            "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged'",
            "type='signal',interface='org.kde.StatusNotifierItem'",
        ];
        let watcher = Watcher { state: self.state.clone() };
        self.served = Some(bus::serve(&self.address, WATCHER, &rules, watcher).await);
    }

    /// The items there are, oldest first.
    pub fn items(&self) -> Vec<Place> {
        self.state.lock().unwrap().items.clone()
    }

    /// The names of the signals that items have sent, oldest first: `NewIcon`, `XAyatanaNewLabel`, …
    pub fn signals(&self) -> Vec<String> {
        self.state.lock().unwrap().signals.clone()
    }

    /// Waits for an item, and returns the newest.
    ///
    /// # Panics
    /// When there is none by the deadline.
    pub async fn wait_for_item(&self, deadline: Duration) -> Place {
        eventually("an item in the tray", deadline, async || self.items().pop()).await
    }

    /// What the newest item says of itself now.
    ///
    /// # Errors
    /// Why it can't be read.
    pub async fn item(&self) -> Result<Item, String> {
        let place = self.items().pop().ok_or("no item in the tray")?;
        let properties = self.call(&place, &place.path, PROPERTIES, "GetAll", &(ITEM,)).await?;
        let properties: HashMap<String, OwnedVariant> = properties.body().deserialize().map_err(|e| e.to_string())?;
        let text = |name: &str| match properties.get(name).map(std::ops::Deref::deref) {
            Some(Variant::Str(text)) => text.to_string(),
            Some(Variant::ObjectPath(path)) => path.to_string(),
            _ => String::new(),
        };
        Ok(Item {
            status: text("Status"),
            title: text("Title"),
            icon: text("IconName"),
            icon_theme_path: text("IconThemePath"),
            label: text("XAyatanaLabel"),
            menu: text("Menu"),
        })
    }

    /// Waits until the newest item is as wanted, and returns it.
    ///
    /// # Panics
    /// When it is not by the deadline; the message has the item.
    pub async fn wait_for(&self, what: &str, deadline: Duration, fits: impl Fn(&Item) -> bool) -> Item {
        eventually(format!("the tray item: {what}"), deadline, async || {
            let item = self.item().await?;
            if fits(&item) { Ok(item) } else { Err(format!("{item:#?}")) }
        })
        .await
    }

    /// The newest item's menu, as it is when a person opens it.
    ///
    /// # Errors
    /// Why it can't be read.
    pub async fn menu(&self) -> Result<Menu, String> {
        let (place, path) = self.menu_place().await?;
        // The owner may build the menu only now.
        self.call(&place, &path, MENU, "AboutToShow", &(0_i32,)).await?;
        let layout = self.call(&place, &path, MENU, "GetLayout", &(0_i32, -1_i32, Vec::<String>::new())).await?;
        type Layout = (u32, (i32, HashMap<String, OwnedVariant>, Vec<OwnedVariant>));
        let body = layout.body();
        let (_, (id, properties, children)) = body.deserialize::<Layout>().map_err(|e| e.to_string())?;
        Menu::from_layout(id, &properties, &children).ok_or_else(|| "the layout is no menu".into())
    }

    /// Waits until the menu is as wanted, and returns it.
    ///
    /// # Panics
    /// When it is not by the deadline; the message has the menu, drawn as a tree.
    pub async fn wait_for_menu(&self, what: &str, deadline: Duration, fits: impl Fn(&Menu) -> bool) -> Menu {
        eventually(format!("the tray menu: {what}"), deadline, async || {
            let menu = self.menu().await?;
            if fits(&menu) { Ok(menu) } else { Err(format!("\n{menu}")) }
        })
        .await
    }

    /// Opens the menu, waits for an enabled entry with these labels from the root down, and clicks it.
    ///
    /// # Panics
    /// When there is none within 20 s.
    pub async fn click(&self, path: &[&str]) {
        let can_click = |menu: &Menu| menu.find(path).is_some_and(|entry| entry.enabled && entry.visible);
        let menu = self.wait_for_menu(&format!("{path:?}"), Duration::from_secs(20), can_click).await;
        let entry = menu.find(path).expect("it was just there");
        let (place, menu) = self.menu_place().await.expect("the menu was just there");
        let event = (entry.id, "clicked", Variant::from(""), 0_u32);
        self.call(&place, &menu, MENU, "Event", &event).await.unwrap_or_else(|e| panic!("clicking {path:?}: {e}"));
    }

    async fn menu_place(&self) -> Result<(Place, String), String> {
        let place = self.items().pop().ok_or("no item in the tray")?;
        let menu = self.item().await?.menu;
        if menu.is_empty() { Err("the item has no menu".into()) } else { Ok((place, menu)) }
    }

    async fn call<B>(
        &self,
        place: &Place,
        path: &str,
        interface: &str,
        member: &str,
        body: &B,
    ) -> Result<Message, String>
    where
        B: serde::Serialize + zbus::DynamicType,
    {
        let proxy = Proxy::new(&self.calls, place.owner.as_str(), path, interface).await.map_err(|e| e.to_string())?;
        proxy.call_method(member, body).await.map_err(|e| format!("{member} of {place:?}: {e}"))
    }
}
