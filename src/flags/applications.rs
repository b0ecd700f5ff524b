//! Applications that reported usage: handlers, operations and rows.

pub(super) mod handlers;
pub(super) mod model;
pub(super) mod rows;
pub mod seen_apps;
pub mod service;
