//! Verdicts on requests: what a judge recommends and why.
//!
//! There is no judge yet: only the words in which one speaks. Whatever goes wrong with a judge leaves the request with
//! the human, which is why every verdict says whether its judge could do its work.

pub use gavel_core::{Recommendation, Source, Status, Verdict};
