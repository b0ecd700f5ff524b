//! Endpoints of the event history.

use serde_json::json;

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
            .pages()
            .returns::<EventsResponse>(200),
        get("/events/{name}", handlers::list_by_toggle)
            .summary(format!("List the newest events of a toggle: {limit}"))
            .pages()
            .returns::<ToggleEventsResponse>(200),
    ]
}

impl Endpoint {
    /// Adds the cursor of a page of events.
    fn pages(self) -> Self {
        self.query(
            "before",
            "Only events with a lower id. The `nextBefore` of a response lists the events that follow it.",
            || json!({ "type": "integer", "minimum": 1, "maximum": i64::MAX }),
        )
        .fails_with(&[400])
    }
}
