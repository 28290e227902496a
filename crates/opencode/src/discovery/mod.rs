//! Finds OpenCode servers that run on this machine.

mod address;
pub mod probe;
pub mod procfs;
mod search;

pub use address::server_id;
pub use search::{Discovery, Found, PERIOD, Places, Sighting, scan};
