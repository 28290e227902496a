//! The flow machine: what happens to a request, from the moment it is asked to the moment it is settled.

mod answering;
mod arriving;
mod effect;
mod ending;
mod entry;
mod event;
mod machine;
mod server;
mod tombstones;

pub use effect::{Effect, Happened, Record};
pub use entry::{Entry, Phase};
pub use event::{Event, Outcome, Scope, Timer, WireEvent};
pub use machine::{Flow, GRACE};
pub use server::Server;
