//! The event history: types of events, functions that record and list them, handlers and rows.

pub(super) mod handlers;
pub(super) mod routes;
pub(in crate::flags) mod rows;
mod service;

pub use self::service::{
    Actor, Entity, HistoryLimits, NewEvent, ToggleEvent, find, format_time, list_json, list_toggle_json,
    record_event, record_toggle_event, record_toggle_name,
};
