//! Applications that reported usage: handlers, validation, operations and rows.

pub(super) mod handlers;
pub(super) mod model;
mod rows;
pub mod rules;
pub mod seen_apps;
pub mod service;
