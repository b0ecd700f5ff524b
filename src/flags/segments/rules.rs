//! Validation of segments.

use crate::api::Segment;
use crate::api::limits::MAX_SHORT_TEXT_LENGTH;
use crate::flags::toggles::rules::constraints;
use crate::flags::validation::{Field, RequestBody};

/// A segment of an exported state. The import sets its creation time.
impl RequestBody for Segment {
    const NAME: &'static str = "ImportedSegment";

    fn read(body: &Field<'_>) -> Self {
        let list = body.get("constraints");
        // Exports of single toggles contain segments without constraints, which would match everyone.
        list.require();
        Self {
            id: body.get("id").id(),
            name: body.get("name").required_text_within((0, MAX_SHORT_TEXT_LENGTH)),
            description: body.get("description").nullable(|text| text.short_text(MAX_SHORT_TEXT_LENGTH)),
            constraints: constraints::read(&list).unwrap_or_default(),
            created_by: body.get("createdBy").nullable(|text| text.short_text(MAX_SHORT_TEXT_LENGTH)),
            created_at: String::new(),
        }
    }
}
