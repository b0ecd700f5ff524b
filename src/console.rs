//! The console's own endpoints: what no flag service answers.

pub mod model;
