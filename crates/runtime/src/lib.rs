//! The driver between the flow machine and the world, and the API that hosts call.

pub mod api;
