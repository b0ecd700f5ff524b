//! Endpoints of the event history.

use super::MAX_EVENTS;
use crate::flags::admin::events as handlers;
use crate::flags::endpoint::{Endpoint, get};
use crate::flags::model::{EventsResponse, ToggleEventsResponse};

pub(in crate::flags) fn endpoints() -> Vec<Endpoint> {
    let limit = format!("at most {MAX_EVENTS}, and at most 5 MiB");
    vec![
        get("/events", handlers::list)
            .summary(format!("List the newest events: {limit}"))
            .returns::<EventsResponse>(200),
        get("/events/{name}", handlers::list_by_toggle)
            .summary(format!("List the newest events of a toggle: {limit}"))
            .returns::<ToggleEventsResponse>(200),
    ]
}
