//! What the stand-in promises as a 2.x server, driven over HTTP like any server. Whatever it sends is held against the
//! schema on the way.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may say bluntly what it expects"
)]

mod agents;
mod answers;
mod cases;
mod client;
mod endings;
mod events;
mod everything;
mod fields;
mod forms;
mod notes;
mod registration;
mod requests;
mod rules;
mod saved;
mod schema;
mod server;
mod sessions;
mod switches;
