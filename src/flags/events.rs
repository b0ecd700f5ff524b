//! Events: their kinds and authors, functions that record and list them, and rows.

pub mod message;
mod recording;
pub(in crate::flags) mod rows;

pub(in crate::flags) use self::recording::latest_after;
pub use self::recording::{Actor, Entity, HISTORY_LIMITS, HistoryLimits, NewEvent, ToggleEvent, format_time};
pub(crate) use self::recording::{
    find, list, list_by_toggle, record_event, record_toggle_event, record_toggle_name,
};
pub use self::rows::EventPage;
