//! Model judges: what they are told, what comes of their answers, and how they are asked.

// Tests say what they expect bluntly; clippy's own exemption covers only functions marked as tests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod blocks;
mod calls;
mod failures;
mod keys;
mod server;
mod wire;
