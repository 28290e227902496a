//! The rig's desktop.
