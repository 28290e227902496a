//! A desktop of one's own: a bus, a screen, a window manager, and the parts of a person who clicks.

pub mod bus;
pub mod dunst;
pub mod hand;
pub mod menu;
pub mod notifications;
pub mod picture;
pub mod session;
pub mod tray;
mod watcher;
pub mod web_driver;

pub use dunst::Dunst;
pub use hand::{BOTH, By, Hand};
pub use menu::Menu;
pub use notifications::NotificationServer;
pub use picture::Picture;
pub use session::Session;
pub use tray::TrayHost;
pub use web_driver::WebDriver;
