//! Addons and their deliveries: handlers, validation, operations and rows.
//!
//! `rows/deliveries` puts an event into the outbox in the transaction that records it. `delivery_worker` sends it,
//! and `retry_policy` decides about retries.

pub(super) mod delivery_worker;
pub(super) mod handlers;
pub mod message;
pub(super) mod model;
pub mod outgoing_request;
pub mod providers;
pub mod retry_policy;
pub(super) mod rows;
pub mod rules;
pub mod secrets;
pub mod service;
pub mod template;
