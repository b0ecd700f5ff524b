//! Endpoints of segments.

use super::handlers;
use crate::api::SegmentsResponse;
use crate::flags::endpoint::{Endpoint, get};

pub(in crate::flags) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/segments", handlers::list)
            .summary("List segments")
            .note("Segments are written by an import.")
            .returns::<SegmentsResponse>(200),
    ]
}
