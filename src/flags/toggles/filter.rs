//! The filter of a toggle list, and its validation.

use crate::api::Tag;
use crate::api::limits::MAX_FILTER_VALUES;
use crate::error::ApiError;

/// A filter of a toggle list. A toggle must match every field that is not empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct ToggleFilter {
    /// The toggle has any of these tags, which are sorted.
    pub tags: Vec<Tag>,
    /// The toggle belongs to any of these projects, which are sorted.
    pub projects: Vec<String>,
    /// The name of the toggle starts with this text.
    pub name_prefix: String,
}

/// The properties of a toggle that a filter compares.
#[derive(Debug)]
pub struct FilterProperties {
    /// Name of the toggle.
    pub name: String,
    /// Id of its project.
    pub project: String,
    /// Its tags.
    pub tags: Vec<Tag>,
}

impl ToggleFilter {
    /// Returns true if every toggle matches.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.projects.is_empty() && self.name_prefix.is_empty()
    }

    /// Returns true if a toggle with these properties matches.
    #[must_use]
    pub fn matches(&self, toggle: &FilterProperties) -> bool {
        toggle.name.starts_with(&self.name_prefix)
            && (self.projects.is_empty() || self.projects.contains(&toggle.project))
            && (self.tags.is_empty() || toggle.tags.iter().any(|tag| self.tags.contains(tag)))
    }
}

/// Parses the filter of a toggle list from the query of a URL. Ignores unknown parameters, and a parameter with one empty
/// value. `tag[]` and `tag[0]` are the same parameter as `tag`, as in other servers of this API.
///
/// # Errors
/// [`ApiError::Invalid`] for a tag that is not `type:value`, for an empty value among others, for several name prefixes, and
/// for too many tags or projects.
pub(crate) fn parse_toggle_filter(query: &str) -> Result<ToggleFilter, ApiError> {
    let mut tags = parameter_values(query, "tag")?
        .iter()
        .map(|value| parse_tag_parameter(value))
        .collect::<Result<Vec<_>, _>>()?;
    tags.sort_unstable();
    tags.dedup();
    let mut projects = parameter_values(query, "project")?;
    if projects.iter().any(String::is_empty) {
        return Err(ApiError::invalid("project", "\"project\" is not allowed to be empty".to_owned()));
    }
    projects.sort_unstable();
    projects.dedup();
    let mut prefixes = parameter_values(query, "namePrefix")?;
    if prefixes.len() > 1 {
        let message = "\"namePrefix\" must occur once in the query".to_owned();
        return Err(ApiError::invalid("namePrefix", message));
    }
    Ok(ToggleFilter { tags, projects, name_prefix: prefixes.pop().unwrap_or_default() })
}

/// Returns the values of a parameter; none if its only value is empty. Their number is limited because each is compared
/// with all toggles.
fn parameter_values(query: &str, parameter: &str) -> Result<Vec<String>, ApiError> {
    let pairs = url::form_urlencoded::parse(query.as_bytes());
    let values = pairs.filter(|(name, _)| name.split('[').next() == Some(parameter));
    let values: Vec<_> = values.map(|(_, value)| value.into_owned()).collect();
    if values.len() > MAX_FILTER_VALUES {
        let message = format!(
            "\"{parameter}\" must occur less than or equal to {MAX_FILTER_VALUES} times in the query"
        );
        return Err(ApiError::invalid(parameter, message));
    }
    Ok(if values == [""] { Vec::new() } else { values })
}

fn parse_tag_parameter(text: &str) -> Result<Tag, ApiError> {
    match text.split_once(':') {
        Some((kind, value)) if !kind.is_empty() && !value.is_empty() => {
            Ok(Tag { kind: kind.to_owned(), value: value.to_owned() })
        }
        _ => Err(ApiError::invalid("tag", "\"tag\" must have the format type:value".to_owned())),
    }
}
