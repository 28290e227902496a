//! The driver between the flow machine and the world, and the API that hosts call.
//!
//! A host (the desktop shell, the headless program, a test) calls [`start`] with a [`Setup`] and talks to Gavel through
//! the [`Handle`] it gets.

mod activity;
mod advice;
pub mod api;
mod asides;
mod calls;
pub mod cli;
mod context;
mod demo;
mod drafts;
mod driver;
pub mod explain;
mod failure;
mod forgotten;
mod handle;
mod headless;
pub mod judge;
mod judge_calls;
mod judge_setup;
mod judge_state;
mod judge_test;
mod judging;
pub mod language;
mod message;
mod modes;
mod picture;
mod questions;
mod removed;
mod rules;
mod saved;
mod secrets;
mod servers;
mod session_model;
mod settings;
mod setup;
pub mod signals;
mod start;
mod toasts;
pub mod tray;
mod waiting;

pub use asides::{KeepMarks, Marks};
pub use demo::Demo;
pub use drafts::{Drafts, KeepDrafts};
pub use driver::start;
pub use handle::{Handle, Wish};
pub use headless::run as run_headless;
pub use judge_setup::{Chosen, JudgeSetup};
pub use secrets::Secrets;
pub use settings::{JudgeKey, JudgeSettings, PasswordSetting, ServerSetting, Settings, Who};
pub use setup::{Keep, KeepGrants, KeepTold, MakeNotifier, Setup};
pub use start::Home;
pub use toasts::ToastTimes;
pub use waiting::KeepAway;
