//! Toggles: handlers, validation, operations and rows.

pub(super) mod archive;
pub mod filter;
pub(super) mod handlers;
pub(super) mod list;
pub(super) mod model;
mod rows;
pub mod rules;
pub mod service;
pub mod types;
