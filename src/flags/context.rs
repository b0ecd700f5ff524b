//! Context fields: handlers, validation, operations and rows.

pub(super) mod handlers;
pub(super) mod routes;
mod rows;
pub mod rules;
pub mod transactions;
