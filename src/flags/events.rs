//! Events: their kinds and authors, functions that record and list them, and rows.

pub(in crate::flags) mod rows;
mod service;

pub use self::service::{
    Actor, Entity, HISTORY_LIMITS, HistoryLimits, NewEvent, ToggleEvent, find, format_time, list_json,
    list_toggle_json, record_event, record_toggle_event, record_toggle_name,
};
