//! The format of files with toggles: YAML or JSON.
//!
//! ```
//! use flagdeck::files::document::Document;
//!
//! let text = "version: 1\ntoggles:\n  shop.pay:\n    description: One page\n    enabled: true\n";
//! let document = Document::parse(text)?;
//! assert_eq!(document.toggles["shop.pay"].enabled, Some(true));
//! assert_eq!(document.to_yaml()?, text);
//!
//! let fault = Document::parse("version: 1\ntoggles:\n  shop.pay:\n    enabled: yes\n").unwrap_err();
//! assert_eq!((fault.line, fault.column), (4, 14));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! YAML has forms that its versions and parsers read differently: `yes` as a text or a boolean, `010` as 8 or 10, keys that occur
//! twice, anchors, merge keys and tags. They are refused with their line and column. Texts that look like a number or a boolean need
//! quotes.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::notation;
pub use super::notation::DocumentFault;
pub use super::parts::{FileConstraint, FileDependency, FileOverride, FilePayload, FileTag, FileVariant};
use super::segments::{SegmentError, SegmentNames};
use super::{faults, managed};
use crate::api::{Strategy, Toggle};

/// Maximum number of values in a file, and its maximum depth.
const MAX_VALUES: usize = 5_000_000;
const MAX_DEPTH: usize = 32;

/// A file with toggles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "FlagdeckFile"))]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Version of the format: 1.
    #[cfg_attr(test, schemars(range(min = 1, max = 1)))]
    pub version: u32,
    /// Name of the files, such as their repository. The toggles get the tag `managed-by` with this value, which replaces other tags of
    /// this type. Absent: the toggles keep these tags.
    #[serde(
        rename = "managedBy",
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "managed::deserialize_name"
    )]
    #[cfg_attr(test, schemars(with = "String", length(min = 2, max = 50)))]
    pub managed_by: Option<String>,
    /// Toggles by name. Toggles that no file contains are left unchanged.
    pub toggles: BTreeMap<String, FileToggle>,
    /// Names in `managedBy` of joined files that contain no toggles.
    #[serde(skip)]
    pub empty_managers: BTreeSet<String>,
}

/// A toggle in a file. Properties that are absent keep their value, or have their default in a new toggle.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FileToggle {
    /// Free text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Id of a toggle type. A new toggle: `release`.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Id of the project. A new toggle: `default`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Whether the toggle is on. A new toggle: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Whether the toggle should be removed from the code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stale: Option<bool>,
    /// Whether applications report each evaluation as an event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impression_data: Option<bool>,
    /// All strategies. A new toggle: one for everyone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategies: Option<Vec<FileStrategy>>,
    /// All variants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variants: Option<Vec<FileVariant>>,
    /// All conditions on other toggles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dependencies: Option<Vec<FileDependency>>,
    /// All tags, except those of the type `managed-by`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<BTreeSet<FileTag>>,
    /// Name of the files that manage the toggle, from the document.
    #[serde(skip)]
    pub managed_by: Option<String>,
}

/// A strategy in a file. It has no id, because ids differ between servers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FileStrategy {
    /// Name of a strategy definition.
    pub name: String,
    /// Display name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// If true, the strategy is ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled: Option<bool>,
    /// Parameters, which are all texts. An absent percentage keeps its value; a new strategy then has 0 %.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, String>,
    /// Constraints, which must all match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<FileConstraint>,
    /// Names of segments, because ids differ between servers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<String>,
    /// Variants of this strategy.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<FileVariant>,
}

/// The parameter that contains the percentage of a strategy.
#[must_use]
pub fn percentage_parameter(strategy: &str) -> Option<&'static str> {
    match strategy {
        "flexibleRollout" => Some("rollout"),
        "gradualRolloutUserId" | "gradualRolloutSessionId" | "gradualRolloutRandom" => Some("percentage"),
        _ => None,
    }
}

impl Document {
    /// Creates the content of a file without `managedBy`.
    #[must_use]
    pub fn new(toggles: BTreeMap<String, FileToggle>) -> Self {
        Self { version: 1, managed_by: None, toggles, empty_managers: BTreeSet::new() }
    }

    /// Parses YAML or JSON, which is also YAML.
    ///
    /// # Errors
    /// [`DocumentFault`] for the first fault.
    pub fn parse(text: &str) -> Result<Self, DocumentFault> {
        let text = notation::YamlText::new(text);
        notation::check(&text)?;
        let options = serde_saphyr::options! {
            budget: serde_saphyr::budget! {
                max_documents: 1,
                max_depth: MAX_DEPTH,
                flow_nesting_limit: MAX_DEPTH,
                max_nodes: MAX_VALUES,
                max_events: 2 * MAX_VALUES,
                max_anchors: 0,
                max_aliases: 0,
            },
            merge_keys: serde_saphyr::options::MergeKeyPolicy::Error,
            strict_booleans: true,
            no_schema: true,
            with_snippet: false,
        };
        let document: Self =
            serde_saphyr::from_str_with_options(text.as_str(), options).map_err(|cause| {
                let place = cause.location().map_or((1, 1), |place| (place.line(), place.column()));
                fault(text.original_place(place), faults::describe(&cause))
            })?;
        if document.version == 1 {
            Ok(document)
        } else {
            Err(fault(
                (1, 1),
                format!("the version of the format is {}, and this program reads 1", document.version),
            ))
        }
    }

    /// Returns the toggles as YAML.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn to_yaml(&self) -> Result<String, serde_saphyr::ser::Error> {
        serde_saphyr::to_string(self)
    }

    /// Lets the files with this name manage all toggles of the document.
    #[must_use]
    pub fn managed_by(self, name: &str) -> Self {
        let manage = |toggle| FileToggle { managed_by: Some(name.to_owned()), ..toggle };
        let toggles = self.toggles.into_iter().map(|(toggle, file)| (toggle, manage(file))).collect();
        Self { toggles, empty_managers: BTreeSet::new(), ..self }
    }

    /// Returns the names of the files that manage the toggles. The other toggles that they managed can be archived.
    ///
    /// # Errors
    /// The reason why no toggles can be archived: all toggles of a name would be, or the files have no name.
    pub fn managers(&self) -> Result<BTreeSet<&str>, String> {
        if self.toggles.is_empty() {
            return Err(
                "the files name no toggles, and all toggles that they managed would be archived; name the toggles to keep"
                    .to_owned(),
            );
        }
        let managers: BTreeSet<&str> =
            self.toggles.values().filter_map(|toggle| toggle.managed_by.as_deref()).collect();
        if let Some(empty) = self.empty_managers.iter().find(|name| !managers.contains(name.as_str())) {
            return Err(format!(
                "the files of {empty} name no toggles, and all toggles that they managed would be archived; name the toggles to keep, or archive them in the console"
            ));
        }
        if managers.is_empty() {
            return Err(
                "only toggles that the same files managed can be archived; write managedBy at the top of the files, or add --managed-by NAME to the command"
                    .to_owned(),
            );
        }
        Ok(managers)
    }

    /// Returns a toggle whose list of tags contains a mark, which only `managedBy` sets.
    pub(super) fn find_mark_in_tags(&self) -> Option<&str> {
        let is_marked = |tags: &BTreeSet<FileTag>| tags.iter().any(|tag| tag.kind == managed::TAG_TYPE);
        let marked = self.toggles.iter().find(|(_, toggle)| toggle.tags.as_ref().is_some_and(is_marked));
        marked.map(|(name, _)| name.as_str())
    }
}

fn fault((line, column): (u64, u64), reason: String) -> DocumentFault {
    DocumentFault { line, column, reason }
}

impl FileToggle {
    /// Creates the entry of a toggle. Without `has_state`, the file does not own whether it is on or stale, and percentages. Tags have
    /// an endpoint of their own.
    ///
    /// # Errors
    /// If a segment has no name that identifies it.
    pub fn from_toggle(
        toggle: Toggle,
        segments: &SegmentNames<'_>,
        has_state: bool,
    ) -> Result<Self, SegmentError> {
        let strategies = toggle.strategies.into_iter();
        let strategies: Result<Vec<_>, _> =
            strategies.map(|strategy| FileStrategy::from_strategy(strategy, segments)).collect();
        let mut strategies = strategies?;
        for strategy in strategies.iter_mut().filter(|_| !has_state) {
            if let Some(percentage) = percentage_parameter(&strategy.name) {
                strategy.parameters.remove(percentage);
            }
        }
        let variants = toggle.variants.unwrap_or_default();
        let dependencies = toggle.dependencies;
        Ok(Self {
            description: Some(toggle.description.unwrap_or_default()),
            kind: Some(toggle.kind),
            project: Some(toggle.project),
            enabled: has_state.then_some(toggle.enabled),
            stale: has_state.then_some(toggle.stale),
            impression_data: toggle.impression_data,
            strategies: Some(strategies),
            variants: Some(variants.into_iter().map(FileVariant::from).collect()),
            dependencies: dependencies.map(|parents| parents.into_iter().map(FileDependency::from).collect()),
            tags: None,
            managed_by: None,
        })
    }

    /// Returns the properties that the file owns, in the format of the API.
    pub(super) fn to_properties(&self) -> Result<serde_json::Map<String, Value>, serde_json::Error> {
        let mut properties = match serde_json::to_value(self)? {
            Value::Object(properties) => properties,
            _ => serde_json::Map::new(),
        };
        properties.extend(self.managed_by.clone().map(|name| (managed::MANAGED_BY.to_owned(), name.into())));
        Ok(properties)
    }
}

impl FileStrategy {
    /// Creates the entry of a strategy, with all its parameters.
    ///
    /// # Errors
    /// If a segment has no name that identifies it.
    pub fn from_strategy(strategy: Strategy, segments: &SegmentNames<'_>) -> Result<Self, SegmentError> {
        let ids = strategy.segments.unwrap_or_default();
        let names: Result<Vec<_>, _> = ids.iter().map(|id| segments.name_of(*id)).collect();
        let (constraints, variants) =
            (strategy.constraints.unwrap_or_default(), strategy.variants.unwrap_or_default());
        Ok(Self {
            name: strategy.name,
            title: strategy.title.filter(|title| !title.is_empty()),
            disabled: strategy.disabled.filter(|is_disabled| *is_disabled),
            parameters: strategy.parameters.unwrap_or_default(),
            constraints: constraints.into_iter().map(FileConstraint::from).collect(),
            segments: names?,
            variants: variants.into_iter().map(FileVariant::from).collect(),
        })
    }
}
