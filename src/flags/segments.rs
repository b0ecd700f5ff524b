//! Segments, which are named lists of constraints: handlers, validation, operations and rows.

mod handlers;
pub(super) mod routes;
mod rows;
pub mod rules;
mod transactions;
