//! Validation of segments.

use serde_json::{Value, json};

use crate::api::limits::MAX_SHORT_TEXT_LENGTH;
use crate::api::{Segment, SegmentDraft};
use crate::flags::toggles::rules::constraints;
use crate::flags::validation::{Field, RequestBody};

/// A segment of an exported state. The import sets its creation time.
impl RequestBody for Segment {
    const NAME: &'static str = "ImportedSegment";

    fn read(body: &Field<'_>) -> Self {
        let id = body.get("id").id();
        let SegmentDraft { name, description, constraints } = read_draft(body);
        let created_by = body.get("createdBy").nullable(|text| text.short_text(MAX_SHORT_TEXT_LENGTH));
        Self { id, name, description, constraints, created_by, created_at: String::new() }
    }
}

impl RequestBody for SegmentDraft {
    const NAME: &'static str = "NewSegment";

    fn read(body: &Field<'_>) -> Self {
        body.describe(|| json!({ "examples": [example()] }));
        let project = body.get("project");
        project.describe(|| json!({ "type": "null", "description": "Segments belong to all projects." }));
        if project.value().is_some_and(|id| !id.is_null()) {
            project.add_error("any.only", "must be null: segments belong to all projects");
        }
        read_draft(body)
    }
}

fn read_draft(body: &Field<'_>) -> SegmentDraft {
    let list = body.get("constraints");
    // Exports of single toggles contain segments without constraints, which would match everyone.
    list.require();
    SegmentDraft {
        name: read_name(body),
        description: body.get("description").nullable(|text| text.short_text(MAX_SHORT_TEXT_LENGTH)),
        constraints: constraints::read(&list).unwrap_or_default(),
    }
}

fn example() -> Value {
    let constraint = json!({ "contextName": "userId", "operator": "IN", "values": ["7", "8"] });
    json!({ "name": "beta-users", "description": "Testers", "constraints": [constraint] })
}

/// A request that checks whether a name is valid and free.
pub(super) struct SegmentName(pub(super) String);

impl RequestBody for SegmentName {
    const NAME: &'static str = "SegmentNameCheck";

    fn read(body: &Field<'_>) -> Self {
        body.describe(|| json!({ "examples": [{ "name": "beta-users" }] }));
        Self(read_name(body))
    }
}

fn read_name(body: &Field<'_>) -> String {
    let field = body.get("name");
    let name = field.required_text_within((0, MAX_SHORT_TEXT_LENGTH));
    field.describe(
        || json!({ "pattern": r"^[^\x00-\x1f\x7f-\x9f]+$", "description": "No control characters." }),
    );
    if name.chars().any(char::is_control) {
        field.add_error("string.name", "must not have control characters");
    }
    name
}
