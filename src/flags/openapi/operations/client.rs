//! Operations for client libraries.

use super::super::operation::{Operation, get, post};
use crate::flags::model::{ClientFeature, ClientFeaturesResponse};

pub(super) fn operations() -> Vec<Operation> {
    vec![
        get(
            "/api/client/features",
            "List toggles for evaluation; returns 304 if If-None-Match contains the current ETag",
        )
        .returns::<ClientFeaturesResponse>(200)
        .returns_empty(304),
        get("/api/client/features/{name}", "Get a toggle for evaluation")
            .returns::<ClientFeature>(200)
            .fails_with(&[404]),
        post("/api/client/register", "Register an application instance")
            .with_body("Registration")
            .returns_empty(202),
        post("/api/client/metrics", "Report evaluation counts of an instance")
            .with_body("Report")
            .returns_empty(202),
    ]
}
