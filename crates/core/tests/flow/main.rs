//! The flow machine as a specification: cases as transcripts, and every order in which things can happen.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test says bluntly what it expects")]

mod advising;
mod answering;
mod arriving;
mod asking;
mod away;
mod ending;
mod granting;
mod interleavings;
mod judging;
mod overtaken;
mod places;
mod ruling;
mod stopping;
mod support;
mod told;
mod unruly;
