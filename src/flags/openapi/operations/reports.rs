//! What happened, and what applications reported.

use std::collections::BTreeMap;

use serde_json::json;

use super::super::operation::{Operation, delete, get, post};
use crate::flags::auth::Permission::UpdateApplication;
use crate::flags::model::{
    Application, ApplicationsAnswer, EventsAnswer, SeenApp, ToggleEventsAnswer, ToggleMetrics,
};

pub(super) fn operations() -> Vec<Operation> {
    vec![
        get("/api/admin/events", "The newest events").answers::<EventsAnswer>(200),
        get("/api/admin/events/{name}", "The newest events of a toggle").answers::<ToggleEventsAnswer>(200),
        get("/api/admin/metrics/feature-toggles", "How often toggles were asked for lately")
            .answers::<ToggleMetrics>(200),
        get("/api/admin/metrics/seen-apps", "The applications of each toggle")
            .answers::<BTreeMap<String, Vec<SeenApp>>>(200),
        get("/api/admin/metrics/applications", "The applications that reported")
            .query("strategyName", "Those that implement this strategy", &json!({ "type": "string" }))
            .answers::<ApplicationsAnswer>(200),
        get("/api/admin/metrics/applications/{name}", "One application")
            .answers::<Application>(200)
            .fails(&[404]),
        post("/api/admin/metrics/applications/{name}", "Say what an application is")
            .needs(UpdateApplication)
            .takes("ApplicationTexts")
            .answers_nothing(202)
            .fails(&[404]),
        delete("/api/admin/metrics/applications/{name}", "Forget an application, if it is there")
            .needs(UpdateApplication)
            .answers_nothing(200),
    ]
}
