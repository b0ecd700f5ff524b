//! Plans: the changes that bring a flag service to the state of files.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::document::Document;
use super::owned::{PROPERTIES, apply, new_toggle, normalize, state_of};
use crate::api::{ArrayChange, Diff, PathStep, diff};
use crate::evaluation::effect::{ChangedToggles, Effect};
use crate::evaluation::{Definitions, SegmentDefinition, ToggleDefinition};

/// Version of the format of plans.
const VERSION: u32 = 1;

/// The state of a flag service, as far as a plan needs it: the toggles of the files, their parents and the toggles that depend on them.
#[derive(Debug, Default)]
pub struct ServerState {
    /// Toggles by name, in the JSON of the API.
    pub toggles: BTreeMap<String, Value>,
    /// Names of archived toggles.
    pub archived: Vec<String>,
    /// Segments.
    pub segments: Vec<SegmentDefinition>,
}

/// The changes that bring a target to the state of files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// Version of the format: 1.
    pub version: u32,
    /// Name of the target.
    pub target: String,
    /// Changes, in the order in which they are applied: those that narrow come before those that widen, and parents before toggles
    /// that depend on them.
    pub changes: Vec<PlannedChange>,
}

/// A change of a toggle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PlannedChange {
    /// Name of the toggle.
    pub name: String,
    /// Kind of the change.
    pub action: PlannedAction,
    /// Effect on who gets the feature, together with all other changes of the plan.
    pub effect: Effect,
    /// Hash of the state that the plan saw; absent for a new toggle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Differences of the properties. Those of a new toggle are compared with its defaults.
    #[cfg_attr(test, schemars(with = "Vec<Value>"))]
    pub diffs: Vec<Diff>,
    /// Properties of the toggle after the change; of a revived toggle, those that the file owns.
    pub state: Value,
}

/// The kind of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum PlannedAction {
    /// The toggle is created.
    Create,
    /// The archived toggle is revived and changed.
    Revive,
    /// The toggle is changed.
    Change,
}

/// Returns the hash of the state of a toggle. States that mean the same have the same hash.
#[must_use]
pub fn digest_of(toggle: &Value) -> String {
    HEXLOWER.encode(&Sha256::digest(normalize(&state_of(toggle)).to_string()))
}

impl Plan {
    /// Compares files with the state of a target.
    ///
    /// # Errors
    /// If a toggle is not in the format of the API.
    pub fn new(target: &str, files: &Document, server: &ServerState) -> Result<Self, serde_json::Error> {
        let mut after = server.toggles.clone();
        let mut changes = Vec::new();
        for (name, file) in &files.toggles {
            let stored = server.toggles.get(name);
            let (action, before) = match stored {
                Some(stored) => (PlannedAction::Change, state_of(stored)),
                // Lists of archived toggles do not contain their state: the change keeps what the file does not own.
                None if server.archived.contains(name) => (PlannedAction::Revive, json!({})),
                None => (PlannedAction::Create, new_toggle()),
            };
            let state = apply(file, &before)?;
            if action == PlannedAction::Change && normalize(&before) == normalize(&state) {
                continue;
            }
            let mut toggle = state.clone();
            if let Some(toggle) = toggle.as_object_mut() {
                toggle.insert("name".to_owned(), name.as_str().into());
            }
            after.insert(name.clone(), toggle);
            let diffs = json!(diff::compute(&normalize(&before), &normalize(&state)));
            changes.push(PlannedChange {
                name: name.clone(),
                action,
                effect: Effect::Neither,
                digest: stored.map(digest_of),
                diffs: serde_json::from_value(diffs)?,
                state,
            });
        }
        let comparison = ChangedToggles::new(
            &definitions(&server.toggles, &server.segments)?,
            &definitions(&after, &server.segments)?,
        );
        for change in &mut changes {
            change.effect = comparison.effect(&change.name);
        }
        let has_parents = |change: &PlannedChange| {
            let parents = change.state.get("dependencies").and_then(Value::as_array);
            parents.is_some_and(|parents| !parents.is_empty())
        };
        changes.sort_by_key(|change| (change.effect, has_parents(change), change.name.clone()));
        Ok(Self { version: VERSION, target: target.to_owned(), changes })
    }

    /// Returns the plan as text, with the words of the console.
    #[must_use]
    pub fn to_text(&self) -> String {
        let Self { target, changes, .. } = self;
        if changes.is_empty() {
            return format!("{target}: nothing to do, it is as in the files");
        }
        let widening = changes.iter().filter(|change| change.effect == Effect::Widens).count();
        let plural = if changes.len() == 1 { "" } else { "s" };
        let mut text = format!(
            "{target}: {} change{plural}, {widening} of which may widen who gets the feature",
            changes.len()
        );
        for change in changes {
            let (mark, verb) = match change.action {
                PlannedAction::Create => ('+', "create"),
                PlannedAction::Revive => ('+', "revive"),
                PlannedAction::Change => ('~', "change"),
            };
            // Writing to a string cannot fail.
            let _infallible = write!(text, "\n{mark} {verb} {}: {}", change.name, words_of(change.effect));
            for difference in &change.diffs {
                let _infallible = write!(text, "\n    {}", describe_diff(difference));
            }
        }
        text
    }
}

/// Returns the effect in the words of the console: the predicate of a sentence about a change.
#[must_use]
pub fn words_of(effect: Effect) -> &'static str {
    match effect {
        Effect::Widens => "widens who gets the feature",
        Effect::Narrows => "narrows who gets the feature",
        Effect::Neither => "does not change who gets the feature",
    }
}

/// Returns the body with which a server replaces the state of a toggle.
#[must_use]
pub fn body_of(name: &str, state: &Value) -> Value {
    let mut body: serde_json::Map<_, _> =
        PROPERTIES.iter().filter_map(|key| Some(((*key).to_owned(), state.get(*key)?.clone()))).collect();
    body.insert("name".to_owned(), name.into());
    body.into()
}

/// Returns the properties of a state that a stored toggle does not have.
#[must_use]
pub fn missing_properties(state: &Value, stored: &Value) -> Vec<&'static str> {
    let (state, stored) = (normalize(state), normalize(stored));
    PROPERTIES.into_iter().filter(|key| state.get(*key) != stored.get(*key)).collect()
}

fn definitions(
    toggles: &BTreeMap<String, Value>,
    segments: &[SegmentDefinition],
) -> Result<Definitions, serde_json::Error> {
    let features = toggles.values().cloned().map(serde_json::from_value::<ToggleDefinition>);
    Ok(Definitions { features: features.collect::<Result<_, _>>()?, segments: segments.to_vec() })
}

fn describe_diff(difference: &Diff) -> String {
    match difference {
        Diff::N { path, rhs } => format!("{}: {rhs} (new)", describe_path(path)),
        Diff::D { path, lhs } => format!("{}: {lhs} (removed)", describe_path(path)),
        Diff::E { path, lhs, rhs } => format!("{}: {lhs} → {rhs}", describe_path(path)),
        Diff::A { path, index, item } => {
            let (value, verb) = match item {
                ArrayChange::N { rhs } => (rhs, "new"),
                ArrayChange::D { lhs } => (lhs, "removed"),
            };
            format!("{}[{index}]: {value} ({verb})", describe_path(path))
        }
    }
}

fn describe_path(path: &[PathStep]) -> String {
    let mut text = String::new();
    for step in path {
        let _infallible = match step {
            PathStep::Index(index) => write!(text, "[{index}]"),
            PathStep::Key(key) if text.is_empty() => write!(text, "{key}"),
            PathStep::Key(key) => write!(text, ".{key}"),
        };
    }
    text
}
