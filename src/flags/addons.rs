//! Addons and their deliveries: handlers, validation, operations and rows.
//!
//! `outbox` queues the deliveries of an event in the transaction that records it. `delivery_worker` sends them, and
//! [`RetryPolicy::decide`](crate::config::RetryPolicy::decide) decides about retries.

pub(super) mod delivery_worker;
pub(super) mod handlers;
pub(super) mod outbox;
pub mod outgoing_request;
pub mod providers;
pub(super) mod routes;
mod rows;
pub mod rules;
pub mod secrets;
pub mod template;
pub mod transactions;
