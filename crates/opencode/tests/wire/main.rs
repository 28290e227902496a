//! The wire against servers that behave, misbehave, or are no servers at all.

// Tests say what they expect bluntly; clippy's own exemption covers only functions marked as tests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod agents;
mod asides;
mod at_work;
mod clicks;
mod faults;
mod forms;
mod listing;
mod questions;
mod replies;
mod rules;
mod runs;
mod saved;
mod stream;
mod support;
mod v2;
