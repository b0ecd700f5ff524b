//! Tokens with which SDKs authenticate: handlers, validation, operations and rows. `auth` checks the tokens of requests.

pub(super) mod handlers;
pub(super) mod routes;
mod rows;
pub mod rules;
pub mod transactions;
