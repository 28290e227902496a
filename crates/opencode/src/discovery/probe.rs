//! Asks an address whether OpenCode answers there.
