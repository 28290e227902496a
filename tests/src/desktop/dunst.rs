//! The real thing: dunst, whose menu is answered by a program instead of a person.

use std::{fs, path::PathBuf, time::Duration};

use zbus::{Connection, Proxy};

use super::{Session, bus};
use crate::{process::Process, wait::eventually};

const NAME: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";
const CONTROL: &str = "org.dunstproject.cmd0";

/// A running dunst.
#[derive(Debug)]
pub struct Dunst {
    process: Process,
    bus: Connection,
    choice: PathBuf,
    offered: PathBuf,
}

impl Dunst {
    /// Starts dunst, and returns when it owns its name. From its menu the entry that contains `wanted` is picked.
    pub async fn start(session: &Session, wanted: &str) -> Self {
        let home = session.root().join("dunst");
        fs::create_dir_all(&home).expect("a writable directory");
        let (choice, offered, config) = (home.join("choice.sed"), home.join("offered"), home.join("dunstrc"));
        // dunst gives the entries to this command and takes the line that comes back. One sed writes down all of them and
        // prints one.
        let settings = format!(
            "[global]\n  dmenu = /usr/bin/sed -n -f {}\n  font = DejaVu Sans 11\n  markup = full\n  width = 420\n  \
             offset = 20x20\n  show_indicators = yes\n  sort = no\n  idle_threshold = 0\n",
            choice.display()
        );
        fs::write(&config, settings).expect("a writable directory");
        let mut command = session.command("dunst");
        command.arg("-config").arg(&config);
        let process = session.spawn("dunst", command);
        let bus = bus::connect(&session.bus_address()).await;
        eventually("dunst to own its name", Duration::from_secs(60), async || {
            if bus::is_owned(&bus, NAME).await { Ok(()) } else { Err(process.tail()) }
        })
        .await;
        let dunst = Self { process, bus, choice, offered };
        dunst.want(wanted);
        dunst
    }

    /// From now on picks the entry that contains `wanted`, taken literally.
    pub fn want(&self, wanted: &str) {
        let literal: String =
            wanted.chars().flat_map(|c| if "/\\.*[]^$".contains(c) { vec!['\\', c] } else { vec![c] }).collect();
        let script = format!("w {}\n/{literal}/p\n", self.offered.display());
        fs::write(&self.choice, script).expect("a writable directory");
    }

    /// Opens the context menu of everything on the screen; one entry is picked, if there is one that is wanted.
    pub async fn open_menu(&self) {
        self.control().await.call_method("ContextMenuCall", &()).await.expect("dunst opens its menu");
    }

    /// The entries that the last menu offered.
    pub fn offered(&self) -> Vec<String> {
        fs::read_to_string(&self.offered).unwrap_or_default().lines().map(str::to_owned).collect()
    }

    /// How many notifications are on the screen.
    pub async fn displayed(&self) -> u32 {
        self.control().await.get_property("displayedLength").await.expect("dunst counts")
    }

    /// Waits until this many notifications are on the screen.
    ///
    /// # Panics
    /// When there is another number at the deadline.
    pub async fn wait_for_displayed(&self, count: u32, deadline: Duration) {
        eventually(format!("{count} notifications of dunst"), deadline, async || {
            let displayed = self.displayed().await;
            if displayed == count { Ok(()) } else { Err(format!("{displayed}\n{}", self.process.tail())) }
        })
        .await;
    }

    /// Closes the newest notification, as a person does with the keyboard.
    pub async fn close_last(&self) {
        self.control().await.call_method("NotificationCloseLast", &()).await.expect("dunst closes");
    }

    /// Ends dunst as a crash does.
    pub fn kill9(&mut self) {
        self.process.kill9();
    }

    async fn control(&self) -> Proxy<'_> {
        let builder = zbus::proxy::Builder::<Proxy<'_>>::new(&self.bus);
        let builder = builder.destination(NAME).path(PATH).interface(CONTROL);
        // A count that is remembered is no count.
        builder.cache_properties(zbus::proxy::CacheProperties::No).build().await.expect("dunst is there")
    }
}
