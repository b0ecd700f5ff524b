//! Endpoints of applications.

use serde_json::json;

use super::bodies::ApplicationTexts;
use super::handlers;
use super::service::MAX_LISTED_INSTANCES;
use crate::api::{Application, ApplicationsResponse};
use crate::flags::auth::Permission::UpdateApplication;
use crate::flags::endpoint::{Endpoint, delete, get, post};

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
    ]
}
