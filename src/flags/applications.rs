//! Applications that reported usage: handlers, validation, operations and rows.

pub(super) mod handlers;
pub(super) mod routes;
mod rows;
pub mod rules;
pub mod seen_apps;
pub mod transactions;
