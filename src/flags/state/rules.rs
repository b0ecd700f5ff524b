//! Validation of an exported state. Each item follows the rules of the request that would create it.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::environment::select;
use crate::api::state::STATE_VERSION;
use crate::api::{Project, Segment, StrategyDefinition, Tag, TagType, ToggleDraft};
use crate::error::{ApiError, Detail};
use crate::flags::events::format_time;
use crate::flags::projects::rules::parse_new_project;
use crate::flags::segments::rules::parse_imported_segment;
use crate::flags::strategies::rules::parse_imported_strategy;
use crate::flags::tags::rules::{parse_new_tag_type, parse_tag};
use crate::flags::toggles::rules::parse_imported_toggle;
use crate::flags::validation::fields::Field;
use crate::flags::validation::parse_name;
use crate::state_export::has_environments;

/// The content of an export file. A section that the file does not contain is `None`.
#[derive(Debug, Default)]
pub struct Import {
    /// Toggles.
    pub features: Option<Vec<ImportItem<DatedToggle>>>,
    /// Strategy definitions.
    pub strategies: Option<Vec<ImportItem<StrategyDefinition>>>,
    /// Projects.
    pub projects: Option<Vec<ImportItem<Project>>>,
    /// Tag types.
    pub tag_types: Option<Vec<ImportItem<TagType>>>,
    /// Tags.
    pub tags: Option<Vec<ImportItem<Tag>>>,
    /// Pairs of a toggle name and a tag of that toggle.
    pub feature_tags: Option<Vec<ImportItem<(String, Tag)>>>,
    /// Segments. A missing creation time is empty.
    pub segments: Option<Vec<ImportItem<Segment>>>,
}

/// An item of an export file and its location.
#[derive(Debug)]
pub struct ImportItem<T> {
    /// Location in the file, such as `features[3], probe`.
    pub location: String,
    /// The parsed item.
    pub value: T,
}

/// A toggle with its original creation time.
#[derive(Debug)]
pub struct DatedToggle {
    /// The toggle.
    pub draft: ToggleDraft,
    /// Creation time if the file contains it: RFC 3339 in UTC.
    pub created_at: Option<String>,
}

/// Error of an import: an item of the file is invalid or cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{location}: {cause}")]
pub struct ImportError {
    /// Location in the file, such as `features[3], probe`.
    pub location: String,
    /// The validation error or the error of the write.
    pub cause: ApiError,
}

impl From<ImportError> for ApiError {
    /// Returns the cause, with the location in its message.
    fn from(ImportError { location, cause }: ImportError) -> Self {
        match cause {
            Self::Invalid(details) => {
                let locate =
                    |detail: Detail| Detail { message: format!("{location}: {}", detail.message), ..detail };
                Self::Invalid(details.into_iter().map(locate).collect())
            }
            Self::BadBody(message) => Self::BadBody(format!("{location}: {message}")),
            cause => cause,
        }
    }
}

/// Parses an export file. `environment` selects the environment of an export that contains several.
///
/// # Errors
/// [`ImportError`] for the first invalid item.
pub fn parse_import(state: &Value, environment: Option<&str>) -> Result<Import, ImportError> {
    let file_error = |cause| ImportError { location: "the file".to_owned(), cause };
    Field::root(state).map_err(file_error)?;
    if has_environments(state) {
        return parse_sections(&select(state, environment).map_err(file_error)?);
    }
    let version = state.get("version").unwrap_or(&Value::Null);
    let problem = if !version.is_null() && *version != STATE_VERSION {
        format!("the export format has version {version}, but it contains no featureEnvironments")
    } else if environment.is_some() {
        "the file contains no environments; import it without the option environment".to_owned()
    } else {
        return parse_sections(state);
    };
    Err(file_error(ApiError::invalid("version", problem)))
}

fn parse_sections(state: &Value) -> Result<Import, ImportError> {
    Ok(Import {
        features: parse_section(state, "features", "name", |item| {
            Ok(DatedToggle { draft: parse_imported_toggle(item)?, created_at: parse_created_at(item)? })
        })?,
        strategies: parse_section(state, "strategies", "name", |item| {
            let deprecated = item.get("deprecated").and_then(Value::as_bool).unwrap_or(false);
            Ok(StrategyDefinition { deprecated, ..parse_imported_strategy(item)? })
        })?,
        projects: parse_section(state, "projects", "id", |item| {
            Ok(Project { created_at: parse_created_at(item)?, ..parse_new_project(item)? })
        })?,
        tag_types: parse_section(state, "tagTypes", "name", parse_new_tag_type)?,
        tags: parse_section(state, "tags", "value", parse_tag)?,
        feature_tags: parse_section(state, "featureTags", "featureName", |item| {
            let name = parse_name(&json!({ "name": item.get("featureName") }))?;
            let tag = json!({ "type": item.get("tagType"), "value": item.get("tagValue") });
            Ok((name, parse_tag(&tag)?))
        })?,
        segments: parse_section(state, "segments", "name", |item| {
            let created_at = parse_created_at(item)?.unwrap_or_default();
            Ok(Segment { created_at, ..parse_imported_segment(item)? })
        })?,
    })
}

fn parse_section<T>(
    state: &Value,
    key: &str,
    name: &str,
    read: impl Fn(&Value) -> Result<T, ApiError>,
) -> Result<Option<Vec<ImportItem<T>>>, ImportError> {
    let items = match state.get(key) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Array(items)) => items,
        Some(_) => {
            let cause = ApiError::invalid(key, "must be an array".to_owned());
            return Err(ImportError { location: key.to_owned(), cause });
        }
    };
    let read_item = |(index, item): (usize, &Value)| {
        let name = item.get(name).and_then(Value::as_str).map(|name| format!(", {name}"));
        let location = format!("{key}[{index}]{}", name.unwrap_or_default());
        match read(item) {
            Ok(value) => Ok(ImportItem { location, value }),
            Err(cause) => Err(ImportError { location, cause }),
        }
    };
    items.iter().enumerate().map(read_item).collect::<Result<_, _>>().map(Some)
}

fn parse_created_at(item: &Value) -> Result<Option<String>, ApiError> {
    match item.get("createdAt") {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match value.as_str().and_then(|text| text.parse::<Timestamp>().ok()) {
            Some(moment) => Ok(Some(format_time(moment))),
            None => Err(ApiError::invalid(
                "createdAt",
                "\"createdAt\" must be a time such as 2026-01-31T12:00:00Z".to_owned(),
            )),
        },
    }
}
