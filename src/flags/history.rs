//! The event history: its endpoints, and the deletion of old events. `events` records it.

mod handlers;
mod pruning;
pub(super) mod routes;

pub(crate) use self::pruning::delete_old_events;
