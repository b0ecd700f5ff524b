//! Endpoints of client libraries.

use super::handlers;
use crate::api::{ClientFeature, ClientFeaturesResponse};
use crate::flags::endpoint::{Endpoint, client_events, client_get, client_post};
use crate::flags::usage::report::{BulkReport, Registration, UsageReport};

pub(in crate::flags) fn endpoints() -> Vec<Endpoint> {
    vec![
        client_get("/features", handlers::features)
            .summary("List toggles for evaluation; returns 304 if If-None-Match contains the current ETag")
            .toggle_filter()
            .note("The response contains the filter as `query`, and its ETag depends on the filter. Segments are not filtered.")
            .returns::<ClientFeaturesResponse>(200)
            .returns_empty(304)
            .fails_with(&[400]),
        client_events("/streaming", handlers::streaming)
            .summary("Receive all toggles, then each change, as server-sent events")
            .note("The data of an event is `{\"events\":[…]}`, with changes of the types `hydration` (all toggles), `feature-updated`, `feature-removed`, `segment-updated` and `segment-removed`.")
            .toggle_filter()
            .fails_with(&[400, 429]),
        client_get("/features/{name}", handlers::feature)
            .compressed()
            .summary("Get a toggle for evaluation")
            .returns::<ClientFeature>(200)
            .fails_with(&[404]),
        client_post("/register", handlers::register)
            .summary("Register an application instance")
            .body::<Registration>()
            .returns_empty(202),
        client_post("/metrics", handlers::metrics)
            .summary("Report evaluation counts of an instance")
            .body::<UsageReport>()
            .returns_empty(202),
        client_post("/metrics/bulk", handlers::bulk_metrics)
            .summary("Register application instances and report their evaluation counts, as Unleash Edge does")
            .body::<BulkReport>()
            .returns_empty(202),
    ]
}
