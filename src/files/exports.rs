//! Reads toggles from exports of servers: state exports of 3.x to 5.x, exports of `features-batch/export` (5.x to 8.x), and responses
//! of `/api/client/features`. Pure.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;

use super::document::{Document, FileDependency, FileStrategy, FileTag, FileToggle, FileVariant};
use super::managed::split_tags;
use super::segments::{SegmentError, SegmentNames};
use crate::api::{Dependency, Strategy, Tag, Variant};
use crate::evaluation::SegmentDefinition;
use crate::state_export::{EnvironmentState, SelectError, has_environments, rows, text};

/// Sections that only exports contain, and not the responses for client libraries.
const SECTIONS: [&str; 6] =
    ["featureEnvironments", "strategies", "projects", "tagTypes", "tags", "featureTags"];

/// The toggles of an export, in the JSON of the API.
#[derive(Debug)]
pub struct Export {
    /// Toggles that are not archived.
    pub toggles: Vec<Value>,
    /// Segments, as far as the export contains their constraints.
    pub segments: Vec<SegmentDefinition>,
    /// Names of all segments by their ids.
    segment_names: BTreeMap<String, String>,
    /// True for the format of client libraries, which omits properties and disabled strategies.
    pub is_client_format: bool,
}

/// The reasons why an export cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// No environment is selected.
    #[error(transparent)]
    Select(#[from] SelectError),
    /// An environment is selected, and toggles have none.
    #[error("its toggles have no environments; remove --environment")]
    NoEnvironments,
    /// A toggle is not in the format of the API.
    #[error("the toggle {name} is not understood: {cause}")]
    Toggle {
        /// Name of the toggle.
        name: String,
        /// The cause.
        cause: serde_json::Error,
    },
    /// A toggle has a segment without a name.
    #[error("toggle {name}: {cause}")]
    Segment {
        /// Name of the toggle.
        name: String,
        /// The cause.
        cause: SegmentError,
    },
}

/// Returns true for exports, and false for files with toggles.
#[must_use]
pub fn is_export(json: &Value) -> bool {
    json.get("features").is_some_and(Value::is_array) && json.get("toggles").is_none()
}

/// Returns true for the format of a server's export, and false for that of client libraries.
pub(super) fn has_sections(json: &Value) -> bool {
    SECTIONS.iter().any(|name| json.get(*name).is_some())
}

impl Export {
    /// Reads the toggles with their state in an environment. Without a name, the only environment is selected.
    ///
    /// # Errors
    /// If the environment does not exist, or if there are several and none is named.
    pub fn read(json: &Value, environment: Option<&str>) -> Result<Self, ExportError> {
        let mut toggles: Vec<Value> = if has_environments(json) {
            with_state(json, &EnvironmentState::select(json, environment)?)
        } else if environment.is_some() {
            return Err(ExportError::NoEnvironments);
        } else {
            rows(json, "features").cloned().collect()
        };
        toggles.retain(|toggle| toggle.get("archived") != Some(&true.into()));
        if json.get("featureTags").is_some_and(Value::is_array) {
            add_tags(&mut toggles, json);
        }
        let named = rows(json, "segments").filter_map(|segment| {
            let id = segment.get("id")?;
            let id = id.as_str().map_or_else(|| id.to_string(), ToOwned::to_owned);
            Some((id, text(segment, "name")?.to_owned()))
        });
        let segment_names = named.collect();
        let segments = rows(json, "segments").filter(|segment| segment.get("constraints").is_some());
        let segments = segments.filter_map(|segment| serde_json::from_value(segment.clone()).ok());
        Ok(Self {
            toggles,
            segments: segments.collect(),
            segment_names,
            is_client_format: !has_sections(json),
        })
    }

    /// Returns the toggles as a file, which owns all properties that the export contains.
    ///
    /// # Errors
    /// If a toggle is not in the format of the API.
    pub fn to_document(&self) -> Result<Document, ExportError> {
        let names =
            SegmentNames::new(self.segment_names.iter().map(|(id, name)| (id.as_str(), name.as_str())));
        let entry = |toggle: &Value| {
            let name = text(toggle, "name").unwrap_or_default().to_owned();
            let exported = serde_json::from_value::<ExportedToggle>(with_texts(toggle));
            let exported = exported.map_err(|cause| ExportError::Toggle { name: name.clone(), cause })?;
            let file = exported.into_file(&names);
            let file = file.map_err(|cause| ExportError::Segment { name: name.clone(), cause })?;
            Ok::<_, ExportError>((name, file))
        };
        let toggles = self.toggles.iter().map(entry).collect::<Result<BTreeMap<_, _>, ExportError>>()?;
        Ok(Document::new(toggles))
    }
}

/// A toggle of an export, whose other properties are ignored.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExportedToggle {
    description: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    project: Option<String>,
    enabled: Option<bool>,
    stale: Option<bool>,
    impression_data: Option<bool>,
    strategies: Option<Vec<Strategy>>,
    variants: Option<Vec<Variant>>,
    dependencies: Option<Vec<Dependency>>,
    tags: Option<BTreeSet<Tag>>,
}

impl ExportedToggle {
    fn into_file(self, segments: &SegmentNames<'_>) -> Result<FileToggle, SegmentError> {
        // Servers without environments need a strategy, which a new toggle has.
        let strategies = self.strategies.filter(|strategies| !strategies.is_empty());
        let convert = |strategy| FileStrategy::from_strategy(strategy, segments);
        let strategies = strategies.map(|all| all.into_iter().map(convert).collect::<Result<_, _>>());
        let own_tags = |tags: BTreeSet<Tag>| {
            // Files manage the toggles of the server that was exported.
            split_tags(tags).0.into_iter().map(FileTag::from).collect()
        };
        Ok(FileToggle {
            description: self.description,
            kind: self.kind,
            project: self.project,
            enabled: self.enabled,
            stale: self.stale,
            impression_data: self.impression_data,
            strategies: strategies.transpose()?,
            variants: self.variants.map(|all| all.into_iter().map(FileVariant::from).collect()),
            dependencies: self.dependencies.map(|all| all.into_iter().map(FileDependency::from).collect()),
            tags: self.tags.map(own_tags),
            managed_by: None,
        })
    }
}

/// Returns the toggles of an export with their state in one environment.
fn with_state(json: &Value, environment: &EnvironmentState<'_>) -> Vec<Value> {
    let complete = |row: &Value| {
        let state = environment.toggle(text(row, "name").unwrap_or_default());
        let mut toggle = row.as_object().cloned().unwrap_or_default();
        toggle.insert("enabled".to_owned(), state.is_enabled.into());
        toggle.insert("strategies".to_owned(), state.strategies.to_vec().into());
        let more = [("variants", state.variants), ("dependencies", state.dependencies)];
        toggle.extend(more.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?.clone()))));
        toggle.into()
    };
    rows(json, "features").map(complete).collect()
}

/// Adds the tags, which exports list separately.
fn add_tags(toggles: &mut [Value], json: &Value) {
    let mut tags: BTreeMap<&str, BTreeSet<Tag>> = BTreeMap::new();
    for row in rows(json, "featureTags") {
        // 3.10 has other names.
        let property = |name: &str, other: &str| text(row, name).or_else(|| text(row, other));
        let (kind, value) = (property("tagType", "type"), property("tagValue", "value"));
        if let (Some(name), Some(kind), Some(value)) = (text(row, "featureName"), kind, value) {
            tags.entry(name).or_default().insert(Tag { kind: kind.to_owned(), value: value.to_owned() });
        }
    }
    for toggle in toggles {
        let own = tags.remove(text(toggle, "name").unwrap_or_default()).unwrap_or_default();
        if let Some(toggle) = toggle.as_object_mut() {
            toggle.insert("tags".to_owned(), serde_json::json!(own));
        }
    }
}

/// Returns a toggle whose parameters are texts: 3.x stores some numbers as numbers.
fn with_texts(toggle: &Value) -> Value {
    let mut toggle = toggle.clone();
    let strategies = toggle.get_mut("strategies").and_then(Value::as_array_mut);
    for strategy in strategies.into_iter().flatten() {
        let Some(parameters) = strategy.get_mut("parameters").and_then(Value::as_object_mut) else {
            continue;
        };
        parameters.retain(|_, value| !value.is_null());
        for value in parameters.values_mut().filter(|value| !value.is_string()) {
            *value = value.to_string().into();
        }
    }
    toggle
}
