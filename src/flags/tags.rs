//! Tag types, tags, and tags of toggles: handlers, validation, operations and rows.

pub(super) mod handlers;
pub(super) mod model;
mod rows;
pub mod rules;
pub mod service;
