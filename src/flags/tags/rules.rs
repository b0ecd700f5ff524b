//! Validation of tag types and tags.

use serde_json::Value;

use crate::api::limits::TAG_LENGTH;
use crate::api::{Tag, TagType};
use crate::error::ApiError;
use crate::flags::validation::fields::{Field, ValidationErrors};

/// Default type of a tag.
pub const DEFAULT_TAG_TYPE: &str = "simple";

/// Parses the tag type to create.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_new_tag_type(body: &Value) -> Result<TagType, ApiError> {
    let body = Field::root(body)?;
    let mut errors = ValidationErrors::default();
    let name = body.get("name").name_with_length(TAG_LENGTH, &mut errors);
    parse_tag_type(name, &body, errors)
}

/// Parses the new version of the tag type `name`. A name in the body is ignored.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_tag_type_replacement(name: String, body: &Value) -> Result<TagType, ApiError> {
    parse_tag_type(name, &Field::root(body)?, ValidationErrors::default())
}

/// Parses a tag. A missing or empty type becomes the default type.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_tag(body: &Value) -> Result<Tag, ApiError> {
    let body = Field::root(body)?;
    let mut errors = ValidationErrors::default();
    let kind = body.get("type");
    let has_type = kind.value().is_some_and(|kind| kind != "");
    let kind =
        if has_type { kind.name_with_length(TAG_LENGTH, &mut errors) } else { DEFAULT_TAG_TYPE.to_owned() };
    let field = body.get("value");
    let value = field.required_text(&mut errors);
    if !value.is_empty() {
        field.check_bounds(&value, TAG_LENGTH, &mut errors);
    }
    errors.into_result(Tag { kind, value })
}

fn parse_tag_type(name: String, body: &Field<'_>, mut errors: ValidationErrors) -> Result<TagType, ApiError> {
    let tag_type = TagType {
        name,
        description: body.get("description").nullable_text(&mut errors),
        icon: body.get("icon").nullable_text(&mut errors),
    };
    errors.into_result(tag_type)
}
