//! What the scenarios and the desktop tests are made of.
