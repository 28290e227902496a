//! Finds OpenCode servers that run on this machine.

mod address;
mod places;
pub mod probe;
pub mod procfs;
mod search;
mod service;

pub use address::server_id;
pub use places::Places;
pub use search::{Discovery, Found, PERIOD, Sighting};
