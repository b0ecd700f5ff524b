//! What client libraries ask for and report.

use super::super::operation::{Operation, get, post};
use crate::flags::model::{ClientFeature, ClientFeaturesAnswer};

pub(super) fn operations() -> Vec<Operation> {
    vec![
        get(
            "/api/client/features",
            "What clients decide by; If-None-Match with the last ETag saves the body",
        )
        .answers::<ClientFeaturesAnswer>(200)
        .answers_nothing(304),
        get("/api/client/features/{name}", "What clients decide one toggle by")
            .answers::<ClientFeature>(200)
            .fails(&[404]),
        post("/api/client/register", "An instance of an application started")
            .takes("Registration")
            .answers_nothing(202),
        post("/api/client/metrics", "How often an instance asked for toggles")
            .takes("Report")
            .answers_nothing(202),
    ]
}
