//! The rig's tray, tried with an item that is made of nothing but answers.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use gavel_tests::{
    desktop::{
        Session, TrayHost,
        bus::{self, Serve},
    },
    wait::eventually,
};
use zbus::{Connection, Variant, message::Message};

const DEADLINE: Duration = Duration::from_secs(60);

/// An item with a menu, as small as it can be.
struct Tiny {
    clicks: Arc<Mutex<Vec<i32>>>,
}

impl Serve for Tiny {
    async fn take(&mut self, bus: &Connection, message: &Message) -> zbus::Result<()> {
        let header = message.header();
        let (_, member) = bus::names(message);
        match member.as_str() {
            "GetAll" => {
                let icon = Variant::from("/nowhere/icon");
                let menu = Variant::from(zbus::ObjectPath::try_from("/Menu").unwrap());
                let label = Variant::from("2");
                let properties = [
                    ("Title", Variant::from("tiny")),
                    ("Status", Variant::from("Active")),
                    ("IconName", icon),
                    ("XAyatanaLabel", label),
                    ("Menu", menu),
                ];
                bus.reply(&header, &HashMap::from(properties)).await
            }
            "AboutToShow" => bus.reply(&header, &false).await,
            "GetLayout" => bus.reply(&header, &(1_u32, layout())).await,
            "Event" => {
                let (id, kind, _, _): (i32, String, zbus::OwnedVariant, u32) = message.body().deserialize()?;
                assert_eq!(kind, "clicked");
                self.clicks.lock().unwrap().push(id);
                bus.reply(&header, &()).await
            }
            _ => Ok(()),
        }
    }
}

type Layout<'a> = (i32, HashMap<&'a str, Variant<'a>>, Vec<Variant<'a>>);

fn entry<'a>(id: i32, properties: &[(&'a str, Variant<'a>)], children: Vec<Variant<'a>>) -> Layout<'a> {
    let properties = properties.iter().map(|(name, value)| (*name, value.try_clone().unwrap())).collect();
    (id, properties, children)
}

fn layout() -> Layout<'static> {
    let approve = entry(4, &[("label", "_Approve".into())], Vec::new());
    let off = entry(5, &[("label", "Open a/b".into()), ("enabled", false.into())], Vec::new());
    let run = entry(2, &[("label", "Run npm__test".into())], vec![Variant::new(approve), Variant::new(off)]);
    let line = entry(3, &[("type", "separator".into())], Vec::new());
    let pause = entry(
        6,
        &[("label", "Pause".into()), ("toggle-type", "checkmark".into()), ("toggle-state", 1_i32.into())],
        Vec::new(),
    );
    entry(
        0,
        &[("children-display", "submenu".into())],
        vec![Variant::new(run), Variant::new(line), Variant::new(pause)],
    )
}

#[tokio::test]
async fn an_item_is_read_and_its_menu_clicked() {
    let session = Session::start().await;
    let mut host = TrayHost::start(&session).await;
    let clicks = Arc::default();
    let tiny = bus::serve(&session.bus_address(), "org.test.Tiny", &[], Tiny { clicks: Arc::clone(&clicks) }).await;
    let register = async |named: &str| {
        let watcher = ("org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher", "RegisterStatusNotifierItem");
        tiny.bus().call_method(Some(watcher.0), watcher.1, Some(watcher.0), watcher.2, &named).await
    };
    register("/org/ayatana/NotificationItem/tiny").await.unwrap();
    let place = host.wait_for_item(DEADLINE).await;
    assert_eq!(place.path, "/org/ayatana/NotificationItem/tiny");
    let item = host.wait_for("its label", DEADLINE, |item| item.label == "2").await;
    assert_eq!((item.title.as_str(), item.status.as_str(), item.icon_file()), ("tiny", "Active", None));

    let menu = host.wait_for_menu("all of it", DEADLINE, |menu| menu.has(&["Run npm_test", "Approve"])).await;
    assert_eq!(menu.to_string(), "Run npm_test\n  Approve\n  Open a/b (off)\n----\n[x] Pause\n");
    assert_eq!(menu.labels(), ["Run npm_test", "Pause"]);
    host.click(&["Run npm_test", "Approve"]).await;
    assert_eq!(*clicks.lock().unwrap(), [4]);

    host.stop().await;
    host.start_again().await;
    assert!(host.items().is_empty());
    register("org.test.Tiny").await.unwrap();
    assert_eq!(host.wait_for_item(DEADLINE).await.path, "/StatusNotifierItem");
    let signal = ("/StatusNotifierItem", "org.kde.StatusNotifierItem", "NewIcon");
    tiny.bus().emit_signal(None::<&str>, signal.0, signal.1, signal.2, &()).await.unwrap();
    eventually("the signal", DEADLINE, async || host.signals() == ["NewIcon"]).await;
    tiny.stop().await;
    eventually("the item to be gone", DEADLINE, async || host.items().is_empty()).await;
}
