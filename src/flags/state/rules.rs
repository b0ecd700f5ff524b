//! Request body of an import: its validation and schema. Each item follows the rules of the request that would create it.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::environment::select;
use crate::api::state::STATE_VERSION;
use crate::api::{Project, Segment, StrategyDefinition, Tag, TagType, ToggleDraft};
use crate::error::{ApiError, Detail};
use crate::flags::events::format_time;
use crate::flags::validation::{Field, NameCheck, RequestBody};
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
    parse_with(state, environment, ImportedState::parse)
}

/// Parses the state of a flag service to serve it as it is: values have no limits.
///
/// # Errors
/// As for [`parse_import`].
pub(crate) fn parse_trusted(state: &Value, environment: Option<&str>) -> Result<Import, ImportError> {
    parse_with(state, environment, ImportedState::parse_trusted)
}

fn parse_with(
    state: &Value,
    environment: Option<&str>,
    parse: fn(&Value) -> Result<ImportedState, ApiError>,
) -> Result<Import, ImportError> {
    let file_error = |cause| ImportError { location: "the file".to_owned(), cause };
    let read = |state: &Value| parse(state).map_err(file_error)?.0;
    if !state.is_object() {
        let problem = "an export is an object with sections, such as features";
        return Err(file_error(ApiError::invalid("value", problem.to_owned())));
    }
    if has_environments(state) {
        return read(&select(state, environment).map_err(file_error)?);
    }
    let version = state.get("version").unwrap_or(&Value::Null);
    let problem = if !version.is_null() && *version != STATE_VERSION {
        format!("the export format has version {version}, but it contains no featureEnvironments")
    } else if environment.is_some() {
        "the file contains no environments; import it without the option environment".to_owned()
    } else {
        return read(state);
    };
    Err(file_error(ApiError::invalid("version", problem)))
}

/// An exported state. The import validates each item like the request that creates it.
pub(super) struct ImportedState(Result<Import, ImportError>);

impl RequestBody for ImportedState {
    const NAME: &'static str = "ImportedState";

    fn read(state: &Field<'_>) -> Self {
        state.describe(|| {
            json!({
                "description": "The response of an export. A missing section remains as it is.",
                "examples": [{ "version": 1, "tagTypes": [{ "name": "team" }], "tags": [{ "type": "team", "value": "web" }] }],
            })
        });
        Self(read_sections(state))
    }
}

fn read_sections(state: &Field<'_>) -> Result<Import, ImportError> {
    Ok(Import {
        features: read_section(state, "features", "name", |item| {
            Ok(DatedToggle { draft: parse_item(state, item)?, created_at: parse_created_at(item)? })
        })?,
        strategies: read_section(state, "strategies", "name", |item| {
            let deprecated = item.get("deprecated").and_then(Value::as_bool).unwrap_or(false);
            Ok(StrategyDefinition { deprecated, ..parse_item(state, item)? })
        })?,
        projects: read_section(state, "projects", "id", |item| {
            Ok(Project { created_at: parse_created_at(item)?, ..parse_item(state, item)? })
        })?,
        tag_types: read_section(state, "tagTypes", "name", |item| parse_item(state, item))?,
        tags: read_section(state, "tags", "value", |item| parse_item(state, item))?,
        feature_tags: read_section(state, "featureTags", "featureName", |item| {
            let name: NameCheck = parse_item(state, &json!({ "name": item.get("featureName") }))?;
            let tag = json!({ "type": item.get("tagType"), "value": item.get("tagValue") });
            Ok((name.0, parse_item(state, &tag)?))
        })?,
        segments: read_section(state, "segments", "name", |item| {
            let created_at = parse_created_at(item)?.unwrap_or_default();
            Ok(Segment { created_at, ..parse_item(state, item)? })
        })?,
    })
}

/// Parses an item as the whole state is parsed.
fn parse_item<T: RequestBody>(state: &Field<'_>, item: &Value) -> Result<T, ApiError> {
    if state.trusts_values() { T::parse_trusted(item) } else { T::parse_imported(item) }
}

fn read_section<T>(
    state: &Field<'_>,
    key: &'static str,
    name: &str,
    read: impl Fn(&Value) -> Result<T, ApiError>,
) -> Result<Option<Vec<ImportItem<T>>>, ImportError> {
    let field = state.get(key);
    field.describe(|| json!({ "type": ["array", "null"], "items": { "type": "object" } }));
    let items = match field.value() {
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
