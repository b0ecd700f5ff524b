//! The rules of tag types and tags, and of asking for toggles by them.

use serde_json::Value;

use super::fields::{Faults, Field};
use super::limits::MAX_FILTER_VALUES;
use crate::error::ApiError;
use crate::flags::model::{Tag, TagType};
use crate::flags::store::ToggleFilter;

/// Type of a tag that names none.
pub const DEFAULT_TAG_TYPE: &str = "simple";
/// The bounds of a tag type's name and of a tag's value, in characters.
const LENGTH: (usize, usize) = (2, 50);

/// Reads a tag type to be created.
///
/// # Errors
/// [`ApiError::Invalid`] with every broken rule.
pub fn new_tag_type(body: &Value) -> Result<TagType, ApiError> {
    let body = Field::root(body)?;
    let mut faults = Faults::default();
    let name = body.get("name").name_within(LENGTH, &mut faults);
    tag_type(name, &body, faults)
}

/// Reads a tag type to replace the one called `name`; a name inside the body does not count.
///
/// # Errors
/// [`ApiError::Invalid`] with every broken rule.
pub fn replaced_tag_type(name: String, body: &Value) -> Result<TagType, ApiError> {
    tag_type(name, &Field::root(body)?, Faults::default())
}

/// Reads a tag. A missing or empty type is the default type.
///
/// # Errors
/// [`ApiError::Invalid`] with every broken rule.
pub fn tag(body: &Value) -> Result<Tag, ApiError> {
    let body = Field::root(body)?;
    let mut faults = Faults::default();
    let kind = body.get("type");
    let has_type = kind.value().is_some_and(|kind| kind != "");
    let kind = if has_type { kind.name_within(LENGTH, &mut faults) } else { DEFAULT_TAG_TYPE.to_owned() };
    let field = body.get("value");
    let value = field.required_text(&mut faults);
    if !value.is_empty() {
        field.check_bounds(&value, LENGTH, &mut faults);
    }
    faults.into_result(Tag { kind, value })
}

/// Reads which toggles to list from the query of a URL; what it does not know does not count.
///
/// # Errors
/// [`ApiError::Invalid`] for a tag that is not `type:value`, and for too many tags or projects.
pub fn toggle_filter(query: &str) -> Result<ToggleFilter, ApiError> {
    let mut filter = ToggleFilter::default();
    for (key, value) in url::form_urlencoded::parse(query.as_bytes()) {
        match key.as_ref() {
            "tag" => filter.tags.push(tag_in_url(&value)?),
            "project" => filter.projects.push(value.into_owned()),
            "namePrefix" => filter.name_prefix = value.into_owned(),
            _ => {}
        }
    }
    check_number("tag", filter.tags.len())?;
    check_number("project", filter.projects.len())?;
    Ok(filter)
}

/// The database compares every requested tag with the tags of all toggles.
fn check_number(parameter: &str, number: usize) -> Result<(), ApiError> {
    if number <= MAX_FILTER_VALUES {
        return Ok(());
    }
    let message =
        format!("\"{parameter}\" must occur less than or equal to {MAX_FILTER_VALUES} times in the query");
    Err(ApiError::invalid(parameter, message))
}

fn tag_in_url(text: &str) -> Result<Tag, ApiError> {
    let (kind, value) = text.split_once(':').ok_or_else(|| {
        ApiError::invalid("tag", "\"tag\" must be a type and a value: type:value".to_owned())
    })?;
    Ok(Tag { kind: kind.to_owned(), value: value.to_owned() })
}

fn tag_type(name: String, body: &Field<'_>, mut faults: Faults) -> Result<TagType, ApiError> {
    let tag_type = TagType {
        name,
        description: body.get("description").nullable_text(&mut faults),
        icon: body.get("icon").nullable_text(&mut faults),
    };
    faults.into_result(tag_type)
}
