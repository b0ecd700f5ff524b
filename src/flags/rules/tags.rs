//! Validation of tag types and tags, and of the query of a toggle list.

use serde_json::Value;

use super::fields::{Field, ValidationErrors};
use super::limits::MAX_FILTER_VALUES;
use crate::error::ApiError;
use crate::flags::model::{Tag, TagType};
use crate::flags::store::ToggleFilter;

/// Default type of a tag.
pub const DEFAULT_TAG_TYPE: &str = "simple";
/// Minimum and maximum length of a tag type's name and of a tag's value, in characters.
pub(in crate::flags) const TAG_LENGTH: (usize, usize) = (2, 50);

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

/// Parses the filter of a toggle list from the query of a URL. Ignores unknown parameters.
///
/// # Errors
/// [`ApiError::Invalid`] for a tag that is not `type:value`, and for too many tags or projects.
pub fn parse_toggle_filter(query: &str) -> Result<ToggleFilter, ApiError> {
    let mut filter = ToggleFilter::default();
    for (key, value) in url::form_urlencoded::parse(query.as_bytes()) {
        match key.as_ref() {
            "tag" => filter.tags.push(parse_tag_parameter(&value)?),
            "project" => filter.projects.push(value.into_owned()),
            "namePrefix" => filter.name_prefix = value.into_owned(),
            _ => {}
        }
    }
    check_occurrences("tag", filter.tags.len())?;
    check_occurrences("project", filter.projects.len())?;
    Ok(filter)
}

/// Limits the number of values because the database compares each with all toggles.
fn check_occurrences(parameter: &str, number: usize) -> Result<(), ApiError> {
    if number <= MAX_FILTER_VALUES {
        return Ok(());
    }
    let message =
        format!("\"{parameter}\" must occur less than or equal to {MAX_FILTER_VALUES} times in the query");
    Err(ApiError::invalid(parameter, message))
}

fn parse_tag_parameter(text: &str) -> Result<Tag, ApiError> {
    let (kind, value) = text
        .split_once(':')
        .ok_or_else(|| ApiError::invalid("tag", "\"tag\" must have the format type:value".to_owned()))?;
    Ok(Tag { kind: kind.to_owned(), value: value.to_owned() })
}

fn parse_tag_type(name: String, body: &Field<'_>, mut errors: ValidationErrors) -> Result<TagType, ApiError> {
    let tag_type = TagType {
        name,
        description: body.get("description").nullable_text(&mut errors),
        icon: body.get("icon").nullable_text(&mut errors),
    };
    errors.into_result(tag_type)
}
