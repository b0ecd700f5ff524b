//! Flagdeck: a feature-flag console in one binary.

pub mod console;
pub mod error;
pub mod flags;
