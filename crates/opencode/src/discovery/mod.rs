//! Finds OpenCode servers that run on this machine.

mod address;
pub mod probe;
pub mod procfs;

pub use address::server_id;
