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
        get("/api/admin/events", "The newest events: at most 100, and at most 5 MiB")
            .answers::<EventsAnswer>(200),
        get("/api/admin/events/{name}", "The newest events of a toggle: at most 100, and at most 5 MiB")
            .answers::<ToggleEventsAnswer>(200),
        get("/api/admin/metrics/feature-toggles", "How often toggles were asked for lately")
            .remark("Names that no toggle has are counted too, up to 1,000 of them.")
            .answers::<ToggleMetrics>(200),
        get("/api/admin/metrics/seen-apps", "The applications of each toggle")
            .remark(
                "A response of more than 16 MiB is shortened: first `strategies`, `description` and `url` are empty, \
                 then applications are left out, beginning with those of toggles that do not exist.",
            )
            .answers::<BTreeMap<String, Vec<SeenApp>>>(200),
        get("/api/admin/metrics/applications", "The applications that reported")
            .query("strategyName", "Those that implement this strategy", &json!({ "type": "string" }))
            .answers::<ApplicationsAnswer>(200),
        get("/api/admin/metrics/applications/{name}", "One application")
            .remark("`instances` has the newest 2,000.")
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
