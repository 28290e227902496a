//! The model judge: a language model's second opinion on a request.
//!
//! What it is told is made in [`prompt`], after [`mask`] has taken the secrets out; what it answers is read in [`answer`].
//! Both are pure, and so are the two ways of asking over HTTP. A [`Judge`] carries the question out: it remembers
//! verdicts, lets equal questions share one call, and ends the call when nobody waits for it any more.
//!
//! Whatever goes wrong is a [`Fault`], and every fault is a verdict that leaves the request with the human.

mod access;
pub mod answer;
mod anthropic;
mod backend;
mod brief;
mod cache;
mod exchange;
mod fault;
mod http;
mod judge;
pub mod mask;
mod openai;
mod options;
pub mod prompt;

pub use access::{Access, Headers, Key};
pub use backend::{Backend, Endpoint, Kind, ServerJudge};
pub use brief::Brief;
pub use exchange::{Exchange, Judged, Round, Usage};
pub use fault::{Fault, fault_said};
pub use judge::Judge;
pub use options::{Bounds, Options};
