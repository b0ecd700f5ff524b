//! Operations for events, metrics and applications.

use std::collections::BTreeMap;

use serde_json::json;

use super::super::operation::{Operation, delete, get, post};
use crate::flags::auth::Permission::UpdateApplication;
use crate::flags::model::{
    Application, ApplicationsResponse, EventsResponse, SeenApp, ToggleEventsResponse, ToggleMetrics,
};

pub(super) fn operations() -> Vec<Operation> {
    vec![
        get("/api/admin/events", "List the newest events: at most 100, and at most 5 MiB")
            .returns::<EventsResponse>(200),
        get("/api/admin/events/{name}", "List the newest events of a toggle: at most 100, and at most 5 MiB")
            .returns::<ToggleEventsResponse>(200),
        get("/api/admin/metrics/feature-toggles", "Get evaluation counts of the last hour and minute")
            .note("Includes up to 1,000 names of toggles that do not exist.")
            .returns::<ToggleMetrics>(200),
        get("/api/admin/metrics/seen-apps", "List the applications of each toggle")
            .note(
                "A response of more than 16 MiB is shortened: first `strategies`, `description` and `url` are empty, \
                 then applications are left out, beginning with those of toggles that do not exist.",
            )
            .returns::<BTreeMap<String, Vec<SeenApp>>>(200),
        get("/api/admin/metrics/applications", "List applications")
            .query("strategyName", "Only applications that implement this strategy", &json!({ "type": "string" }))
            .returns::<ApplicationsResponse>(200),
        get("/api/admin/metrics/applications/{name}", "Get an application")
            .note("`instances` contains the newest 2,000.")
            .returns::<Application>(200)
            .fails_with(&[404]),
        post("/api/admin/metrics/applications/{name}", "Set the icon, URL and description of an application")
            .requires(UpdateApplication)
            .with_body("ApplicationTexts")
            .returns_empty(202)
            .fails_with(&[404]),
        delete("/api/admin/metrics/applications/{name}", "Delete an application, if it exists")
            .requires(UpdateApplication)
            .returns_empty(200),
    ]
}
