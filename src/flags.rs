//! The embedded flag service: its URL table.

pub mod model;
