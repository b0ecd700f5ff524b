//! The filter of the toggle list, and its validation.

use crate::error::ApiError;
use crate::flags::model::Tag;
use crate::flags::validation::limits::MAX_FILTER_VALUES;

/// A filter of the toggle list. A toggle must match every field that is not empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToggleFilter {
    /// The toggle has any of these tags.
    pub tags: Vec<Tag>,
    /// The toggle belongs to any of these projects.
    pub projects: Vec<String>,
    /// The name of the toggle starts with this text.
    pub name_prefix: String,
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
