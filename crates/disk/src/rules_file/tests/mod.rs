//! Rules files on a real disk, and others who write them.
