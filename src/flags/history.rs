//! The event history: its endpoints, and the deletion of old events. `events` records it.

mod handlers;
pub(super) mod routes;
