//! Endpoints of segments.

use super::handlers;
use super::rules::SegmentName;
use crate::api::{Segment, SegmentDraft, SegmentUsesResponse, SegmentsResponse};
use crate::flags::auth::Permission::{CreateSegment, DeleteSegment, UpdateSegment};
use crate::flags::endpoint::{Endpoint, delete, get, post, post_only, put};

pub(in crate::flags) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/segments", handlers::list).summary("List segments").returns::<SegmentsResponse>(200),
        post("/segments", CreateSegment, handlers::create)
            .summary("Create a segment")
            .tagged()
            .body::<SegmentDraft>()
            .returns::<Segment>(201)
            .fails_with(&[409]),
        post_only("/segments/validate", CreateSegment, handlers::validate)
            .summary("Check that a segment name is valid and free")
            .body::<SegmentName>()
            .returns_empty(204)
            .fails_with(&[409]),
        get("/segments/{id}", handlers::show)
            .summary("Get a segment")
            .tagged()
            .returns::<Segment>(200)
            .fails_with(&[404]),
        get("/segments/{id}/strategies", handlers::list_uses)
            .summary("List the strategies that use a segment")
            .returns::<SegmentUsesResponse>(200)
            .fails_with(&[404]),
        put("/segments/{id}", UpdateSegment, handlers::replace)
            .summary("Replace a segment, for all toggles that use it")
            .conditional()
            .body::<SegmentDraft>()
            .returns_empty(204)
            .fails_with(&[404, 409]),
        delete("/segments/{id}", DeleteSegment, handlers::delete)
            .summary("Delete a segment that no toggle uses")
            .note("Archived toggles count, because they can be revived.")
            .conditional()
            .returns_empty(204)
            .fails_with(&[404, 409]),
    ]
}
