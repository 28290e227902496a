//! Which processes listen where, on Linux.
