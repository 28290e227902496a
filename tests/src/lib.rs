//! What the scenarios and the desktop tests are made of.
//!
//! Everything here is real: the OpenCode servers come from npm, the bus is a bus, the window is drawn by an X server.
//! Only the model and the person at the desk are scripted. Whatever is started here ends with its guard, and every
//! wait has a deadline and says what it waited for. A rig that can't go on panics: there is nobody to hand an error to.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod app;
pub mod asking;
pub mod desktop;
pub mod gavel;
pub mod host;
pub mod opencode;
pub mod process;
pub mod raw;
pub mod scenarios;
pub mod scripted_model;
pub mod wait;
