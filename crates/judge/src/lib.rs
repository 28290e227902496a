//! Verdicts on requests: what a judge recommends and why.
//!
//! The first judge needs nothing but the request itself: [`offline`]. Whatever goes wrong with a judge leaves the request
//! with the human, which is why every verdict says whether its judge could do its work.

pub mod benchmark;
pub mod model;
pub mod offline;

pub use gavel_core::{Recommendation, Source, Status, Verdict};
