//! Endpoints of the event history.

use super::handlers;
use crate::api::{EventsResponse, ToggleEventsResponse};
use crate::flags::endpoint::{Endpoint, get};
use crate::flags::events::HISTORY_LIMITS;

pub(in crate::flags) fn endpoints() -> Vec<Endpoint> {
    let limit =
        format!("at most {}, and at most {} MiB", HISTORY_LIMITS.events, HISTORY_LIMITS.response_bytes >> 20);
    vec![
        get("/events", handlers::list)
            .summary(format!("List the newest events: {limit}"))
            .returns::<EventsResponse>(200),
        get("/events/{name}", handlers::list_by_toggle)
            .summary(format!("List the newest events of a toggle: {limit}"))
            .returns::<ToggleEventsResponse>(200),
    ]
}
