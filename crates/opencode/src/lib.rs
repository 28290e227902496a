//! The wire to OpenCode servers: event stream, dialects, discovery.
//!
//! A [`Connection`] owns the single event stream of one server and turns it into events of
//! [`gavel_core::flow`]; answers go back through the same handle. [`discovery`] finds servers that run on this
//! machine. Only [`dialect`] knows how the words are spelled on the wire.

pub mod connection;
pub mod dialect;
pub mod discovery;
mod error;
pub mod http;
pub mod sse;

pub use connection::{Connection, Target, Tuning};
pub use dialect::Dialect;
pub use discovery::server_id;
pub use error::Error;
pub use http::Credentials;
