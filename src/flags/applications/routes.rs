//! Endpoints of applications.

use std::collections::BTreeMap;

use serde_json::json;

use super::rules::ApplicationTexts;
use super::transactions::MAX_LISTED_INSTANCES;
use super::{handlers, seen_apps};
use crate::api::{Application, ApplicationToggles, ApplicationsResponse, SeenApp};
use crate::flags::auth::Permission::UpdateApplication;
use crate::flags::endpoint::{Endpoint, delete, get, post};
use crate::flags::usage::history::HOURS;

pub(in crate::flags) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/metrics/applications", handlers::list)
            .summary("List applications")
            .query(
                "strategyName",
                "Only applications that implement this strategy",
                || json!({ "type": "string" }),
            )
            .returns::<ApplicationsResponse>(200),
        get("/metrics/applications/{name}", handlers::show)
            .summary("Get an application")
            .note(format!("`instances` contains the newest {MAX_LISTED_INSTANCES}."))
            .returns::<Application>(200)
            .fails_with(&[404]),
        post("/metrics/applications/{name}", UpdateApplication, handlers::describe)
            .summary("Set the icon, URL and description of an application")
            .body::<ApplicationTexts>()
            .returns_empty(202)
            .fails_with(&[404]),
        delete("/metrics/applications/{name}", UpdateApplication, handlers::delete)
            .summary("Delete an application, if it exists")
            .returns_empty(200),
        get("/metrics/seen-toggles", handlers::seen_toggles)
            .summary("List the applications that reported evaluations, with the names of their toggles")
            .note(format!(
                "`metricsCount` is the number of evaluations in the last {HOURS} hours. It does not include toggles in \
                 which the application is not counted separately."
            ))
            .returns::<Vec<ApplicationToggles>>(200),
        get("/metrics/seen-apps", handlers::seen_apps)
            .summary("List the applications of each toggle")
            .note(format!(
                "A response of more than {} MiB is shortened: first `strategies`, `description` and `url` are empty, \
                 then applications are left out, beginning with applications of toggles that do not exist.",
                seen_apps::MAX_BYTES >> 20
            ))
            .returns::<BTreeMap<String, Vec<SeenApp>>>(200),
    ]
}
