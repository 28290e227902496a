//! Modes: the session rules, what they mean, and how they get into a session's list.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test says bluntly what it expects")]

mod block;
mod cover;
mod intent;
mod support;
mod tables;
mod unasked;
