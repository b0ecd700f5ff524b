//! Toggles: handlers, validation, operations and rows.

pub(super) mod archive;
pub mod filter;
pub(super) mod handlers;
pub mod list;
pub(super) mod routes;
mod rows;
pub mod rules;
pub mod transactions;
pub mod types;
