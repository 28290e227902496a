//! An OpenCode server of our own, for the demo and the tests.
