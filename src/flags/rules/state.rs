//! The rules of an exported state: those of the calls that would create each item, one by one.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::error::ApiError;
use crate::flags::events::time;
use crate::flags::model::state::STATE_VERSION;
use crate::flags::model::{Project, StrategyDefinition, Tag, TagType, ToggleDraft};

/// What an export says, section by section. A section that it leaves out is none.
#[derive(Debug, Default)]
pub struct Import {
    /// Toggles.
    pub features: Option<Vec<Item<DatedToggle>>>,
    /// Strategy definitions.
    pub strategies: Option<Vec<Item<StrategyDefinition>>>,
    /// Projects.
    pub projects: Option<Vec<Item<Project>>>,
    /// Tag types.
    pub tag_types: Option<Vec<Item<TagType>>>,
    /// Tags.
    pub tags: Option<Vec<Item<Tag>>>,
    /// Names of toggles, each with a tag on it.
    pub feature_tags: Option<Vec<Item<(String, Tag)>>>,
}

/// A thing, and where in the file it stands.
#[derive(Debug)]
pub struct Item<T> {
    /// Such as `features[3], probe`.
    pub place: String,
    /// What was read there.
    pub value: T,
}

/// A toggle that may be older than its import.
#[derive(Debug)]
pub struct DatedToggle {
    /// The toggle.
    pub draft: ToggleDraft,
    /// When it was created, if that is known: RFC 3339 in UTC.
    pub created_at: Option<String>,
}

/// An item that breaks a rule.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {cause}")]
pub struct ImportError {
    /// Where in the file, such as `features[3], probe`.
    pub place: String,
    /// Which rule.
    pub cause: ApiError,
}

/// Reads an export.
///
/// # Errors
/// The first item that breaks a rule.
pub fn import(state: &Value) -> Result<Import, ImportError> {
    let at_all = |cause| ImportError { place: "the file".to_owned(), cause };
    super::Field::root(state).map_err(at_all)?;
    let version = state.get("version").unwrap_or(&Value::Null);
    if !version.is_null() && *version != STATE_VERSION {
        let message =
            format!("it is in version {version} of the export format, and only version 1 can be read");
        return Err(at_all(ApiError::invalid("version", message)));
    }
    Ok(Import {
        features: section(state, "features", "name", |item| {
            Ok(DatedToggle { draft: super::imported_toggle(item)?, created_at: created_at(item)? })
        })?,
        strategies: section(state, "strategies", "name", |item| {
            let deprecated = item.get("deprecated").and_then(Value::as_bool).unwrap_or(false);
            Ok(StrategyDefinition { deprecated, ..super::imported_strategy(item)? })
        })?,
        projects: section(state, "projects", "id", |item| {
            Ok(Project { created_at: created_at(item)?, ..super::new_project(item)? })
        })?,
        tag_types: section(state, "tagTypes", "name", super::new_tag_type)?,
        tags: section(state, "tags", "value", super::tag)?,
        feature_tags: section(state, "featureTags", "featureName", |item| {
            let name = super::wanted_name(&json!({ "name": item.get("featureName") }))?;
            let tag = json!({ "type": item.get("tagType"), "value": item.get("tagValue") });
            Ok((name, super::tag(&tag)?))
        })?,
    })
}

fn section<T>(
    state: &Value,
    key: &str,
    name: &str,
    read: impl Fn(&Value) -> Result<T, ApiError>,
) -> Result<Option<Vec<Item<T>>>, ImportError> {
    let items = match state.get(key) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Array(items)) => items,
        Some(_) => {
            let cause = ApiError::invalid(key, "must be an array".to_owned());
            return Err(ImportError { place: key.to_owned(), cause });
        }
    };
    let read_item = |(index, item): (usize, &Value)| {
        let name = item.get(name).and_then(Value::as_str).map(|name| format!(", {name}"));
        let place = format!("{key}[{index}]{}", name.unwrap_or_default());
        match read(item) {
            Ok(value) => Ok(Item { place, value }),
            Err(cause) => Err(ImportError { place, cause }),
        }
    };
    items.iter().enumerate().map(read_item).collect::<Result<_, _>>().map(Some)
}

fn created_at(item: &Value) -> Result<Option<String>, ApiError> {
    match item.get("createdAt") {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match value.as_str().and_then(|text| text.parse::<Timestamp>().ok()) {
            Some(moment) => Ok(Some(time(moment))),
            None => Err(ApiError::invalid(
                "createdAt",
                "\"createdAt\" must be a time such as 2026-01-31T12:00:00Z".to_owned(),
            )),
        },
    }
}
