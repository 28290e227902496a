//! How the words are spelled on the wire. Nothing outside this module knows a field name.

pub mod v1;
