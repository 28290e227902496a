//! What the stand-in promises, driven over HTTP like any server.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may say bluntly what it expects"
)]

mod auth;
mod client;
mod demo;
mod faults;
mod kinds;
mod questions;
mod replies;
mod rules;
mod sessions;
mod shapes;
mod streams;
mod subagents;
mod zombies;
