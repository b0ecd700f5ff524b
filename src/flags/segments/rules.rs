//! Validation of segments.

use serde_json::Value;

use crate::api::Segment;
use crate::api::limits::MAX_SHORT_TEXT_LENGTH;
use crate::error::ApiError;
use crate::flags::toggles::rules::constraints;
use crate::flags::validation::fields::{Field, ValidationErrors};

/// Parses a segment of an exported state. Limits on list lengths do not apply. The caller sets the creation time.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_imported_segment(body: &Value) -> Result<Segment, ApiError> {
    let body = Field::root(body)?;
    let mut errors = ValidationErrors::for_import();
    let (name, list) = (body.get("name"), body.get("constraints"));
    // Exports of single toggles contain segments without constraints, which would match everyone.
    list.require(&mut errors);
    let segment = Segment {
        id: body.get("id").id(&mut errors),
        name: name.required_text(&mut errors),
        description: body.get("description").nullable_short_text(MAX_SHORT_TEXT_LENGTH, &mut errors),
        constraints: constraints::parse(&list, &mut errors).unwrap_or_default(),
        created_by: body.get("createdBy").nullable_short_text(MAX_SHORT_TEXT_LENGTH, &mut errors),
        created_at: String::new(),
    };
    name.check_bounds(&segment.name, (0, MAX_SHORT_TEXT_LENGTH), &mut errors);
    errors.into_result(segment)
}
