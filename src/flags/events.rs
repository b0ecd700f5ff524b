//! The event history: types of events, functions that record them, handlers and rows.

pub mod diff;
pub(super) mod handlers;
pub(super) mod model;
mod rows;
mod service;

pub use self::rows::{Entity, NewEvent};
pub use self::service::{
    Actor, MAX_DATA_BYTES, MAX_DIFFS_BYTES, MAX_EVENTS, MAX_RESPONSE_BYTES, ToggleEvent, format_time,
    record_event, record_toggle_event, record_toggle_name,
};
