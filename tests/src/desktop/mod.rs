//! A desktop of one's own.
