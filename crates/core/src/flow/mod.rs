//! The flow machine: what happens to a request, from the moment it is asked to the moment it is settled.

mod advising;
mod answering;
mod arriving;
mod asking;
mod away;
mod breaker;
mod deputy;
mod effect;
mod ending;
mod entry;
mod event;
mod fate;
mod granting;
mod judging;
mod machine;
mod question_entry;
mod ruling;
mod server;
mod told;
mod tombstones;

pub use away::Away;
pub use effect::{Effect, Happened, Record};
pub use entry::{Advice, Entry, Phase};
pub use event::{Event, Outcome, RuleOutcome, Scope, Timer, WireEvent};
pub use machine::{Flow, GRACE};
pub use question_entry::{Ending, QuestionEntry, QuestionPhase};
pub use ruling::{RuleState, Ruled};
pub use server::Server;
pub use told::Told;
