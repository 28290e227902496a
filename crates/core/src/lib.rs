//! The pure heart of Gavel: requests, decisions and the flow machine.
