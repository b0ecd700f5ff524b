//! Plans: the changes that bring a flag service to the state of files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::document::{Document, FileToggle};
use super::owned::{PROPERTIES, apply, complete, new_toggle, normalize, state_of};
use super::owned_tags::is_tag_property;
use super::words::{Names, describe_changes};
use crate::api::{ChangeStatus, Diff, PlanSignature, diff};
use crate::evaluation::effect::{ChangedToggles, Effect};
use crate::evaluation::{Definitions, SegmentDefinition, Stopped, ToggleDefinition, Work};
use crate::terminal::Escaped;

pub use crate::api::PlannedAction;

/// Version of the format of plans.
const VERSION: u32 = 1;

/// The state of a flag service, as far as a plan needs it: the toggles of the files, their parents and the toggles that depend on them.
#[derive(Debug, Default)]
pub struct ServerState {
    /// Toggles by name, in the JSON of the API. Toggles whose files own tags have them as `tags`, those whose files have a name have
    /// the stored one as `managedBy`, and the others do not.
    pub toggles: BTreeMap<String, Value>,
    /// Names of archived toggles.
    pub archived: Vec<String>,
    /// Segments.
    pub segments: Vec<SegmentDefinition>,
    /// Definitions of strategies that are not built in, for the words of changes.
    pub strategies: Vec<Value>,
}

impl ServerState {
    /// Returns the definitions that the words of changes use.
    pub(crate) fn names(&self) -> Names<'_> {
        Names { segments: &self.segments, strategies: &self.strategies }
    }
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
    /// Changes, in the order in which they are applied: new parents of other toggles come first. Then those that narrow come before
    /// those that widen, and parents before toggles that depend on them. Toggles are archived last, when no other depends on them.
    pub changes: Vec<PlannedChange>,
    /// Confirms who made the plan. Only a Flagdeck with `apply-needs-another-person` signs plans.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<PlanSignature>,
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
    /// Properties of the toggle after the change; of a revived toggle, those that the file owns; null for an archived toggle.
    pub state: Value,
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
        Self::with_archived(target, files, server, &BTreeSet::new())
    }

    /// Compares files with the state of a target, and archives the toggles with these names.
    ///
    /// # Errors
    /// If a toggle is not in the format of the API.
    pub fn with_archived(
        target: &str,
        files: &Document,
        server: &ServerState,
        archived: &BTreeSet<String>,
    ) -> Result<Self, serde_json::Error> {
        let mut plan = Self::compare(target, files, server, archived)?;
        // Work without a bound is never stopped.
        let _never = plan.rate(server, &mut Work::unlimited())?;
        Ok(plan)
    }

    /// Returns the changes without their effects, and in no order.
    pub(super) fn compare(
        target: &str,
        files: &Document,
        server: &ServerState,
        archived: &BTreeSet<String>,
    ) -> Result<Self, serde_json::Error> {
        let mut changes = Vec::new();
        for (name, file) in &files.toggles {
            let stored = server.toggles.get(name);
            let (action, before) = match stored {
                Some(stored) => (PlannedAction::Change, state_of(stored)),
                // Lists of archived toggles do not contain their state: the change keeps the properties that the file does not own.
                None if server.archived.contains(name) => (PlannedAction::Revive, json!({})),
                None => (PlannedAction::Create, new_toggle()),
            };
            let state = apply(file, &before)?;
            if action == PlannedAction::Change && normalize(&before) == normalize(&state) {
                continue;
            }
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
        changes.extend(archived.iter().filter_map(|name| {
            let stored = server.toggles.get(name)?;
            Some(PlannedChange {
                name: name.clone(),
                action: PlannedAction::Archive,
                effect: Effect::Neither,
                digest: Some(digest_of(stored)),
                diffs: Vec::new(),
                state: Value::Null,
            })
        }));
        Ok(Self { version: VERSION, target: target.to_owned(), changes, signature: None })
    }

    /// Computes the effects of the changes on the state of the target, and the order in which they are applied.
    pub(super) fn rate(
        &mut self,
        server: &ServerState,
        work: &mut Work,
    ) -> Result<Result<(), Stopped>, serde_json::Error> {
        let mut after = server.toggles.clone();
        for PlannedChange { name, action, state, .. } in &self.changes {
            if *action == PlannedAction::Archive {
                after.remove(name);
                continue;
            }
            let mut toggle = state.clone();
            if let Some(toggle) = toggle.as_object_mut() {
                toggle.insert("name".to_owned(), name.as_str().into());
            }
            after.insert(name.clone(), toggle);
        }
        let comparison = ChangedToggles::new(
            &definitions(&server.toggles, &server.segments)?,
            &definitions(&after, &server.segments)?,
        );
        for change in &mut self.changes {
            if let Err(stopped) = work.check() {
                return Ok(Err(stopped));
            }
            change.effect = comparison.effect(&change.name);
        }
        let has_parents = |toggle: &Value| !parents_in(toggle).is_empty();
        let parents: BTreeSet<String> =
            self.changes.iter().flat_map(|change| parents_in(&change.state)).collect();
        self.changes.sort_by_cached_key(|change| {
            let is_archived = change.action == PlannedAction::Archive;
            // Only toggles without dependent toggles can be archived.
            let is_later = if is_archived {
                !server.toggles.get(&change.name).is_some_and(has_parents)
            } else {
                has_parents(&change.state)
            };
            // Servers refuse toggles whose parent does not exist.
            let is_first = parents.contains(&change.name)
                && matches!(change.action, PlannedAction::Create | PlannedAction::Revive);
            let effect = (!is_archived).then_some(change.effect);
            (is_archived, !is_first, effect, is_later, change.name.clone())
        });
        Ok(Ok(()))
    }

    /// Returns the changes that write the properties of a toggle, each with the stored toggle. Changes that are already applied, or that
    /// cannot be applied any more, write nothing.
    pub(super) fn written_changes<'a>(
        &'a self,
        server: &'a ServerState,
    ) -> impl Iterator<Item = (&'a PlannedChange, Option<&'a Value>)> {
        let with_stored = self.changes.iter().map(|change| (change, server.toggles.get(&change.name)));
        with_stored.filter(|(change, stored)| {
            change.action != PlannedAction::Archive && change.status(*stored) == ChangeStatus::Ready
        })
    }

    /// Returns the SHA-256 of the content that a signature confirms, in hexadecimal. Effects and the order of the changes are not part
    /// of it, because they are computed again for each review.
    #[must_use]
    pub fn content_digest(&self) -> String {
        let Self { version, target, changes, signature: _ } = self;
        let content = |change: &PlannedChange| {
            let PlannedChange { name, action, effect: _, digest, diffs, state } = change;
            // The keys of JSON objects are sorted.
            json!([name, { "action": action, "digest": digest, "diffs": diffs, "state": state }]).to_string()
        };
        let mut changes: Vec<_> = changes.iter().map(content).collect();
        changes.sort_unstable();
        let content = json!({ "version": version, "target": target, "changes": changes });
        HEXLOWER.encode(&Sha256::digest(content.to_string()))
    }

    /// Returns the first line of the text.
    #[must_use]
    pub fn summary(&self) -> String {
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
        let archived = changes.iter().filter(|change| change.action == PlannedAction::Archive).count();
        if archived > 0 {
            let objects = if archived == 1 { "archives a toggle" } else { "archive toggles" };
            // Writing to a string cannot fail.
            let _infallible = write!(text, ", {archived} of which {objects} that no file names");
        }
        text
    }

    /// Returns the plan as text, with the words of the console. `server` is the state that the plan compares.
    #[must_use]
    pub fn to_text(&self, server: &ServerState) -> String {
        let mut text = self.summary();
        for change in &self.changes {
            let (mark, verb) = match change.action {
                PlannedAction::Create => ('+', "create"),
                PlannedAction::Revive => ('+', "revive"),
                PlannedAction::Change => ('~', "change"),
                PlannedAction::Archive => ('-', "archive"),
            };
            let _infallible = write!(text, "\n{mark} {verb} {}: {}", change.name, words_of(change.effect));
            text.push_str(&change.words(server.toggles.get(&change.name), server.names()));
        }
        text
    }
}

impl PlannedChange {
    /// Returns the toggle before and after the change, with all properties of the API. The state of an archived or new toggle is
    /// empty before; a revived toggle keeps the properties that the file does not own.
    pub(crate) fn sides(&self, stored: Option<&Value>) -> (Value, Value) {
        let stored = stored.unwrap_or(&Value::Null);
        (complete(&self.name, stored, &Value::Null), complete(&self.name, stored, &self.state))
    }

    /// Describes the change as lines, each after a line feed and indented.
    pub(crate) fn words(&self, stored: Option<&Value>, names: Names<'_>) -> String {
        let (before, after) = self.sides(stored);
        let mut text = String::new();
        for group in describe_changes(&before, &after, names) {
            for line in &group.lines {
                let line = format!("{}: {line}", group.subject);
                // Texts of the server must not add lines. Writing to a string cannot fail.
                let _infallible = write!(text, "\n    {}", Escaped::line(&line));
            }
        }
        text
    }

    /// Compares the change with the stored toggle; `None` if it does not exist or is archived.
    pub(crate) fn status(&self, stored: Option<&Value>) -> ChangeStatus {
        let Some(stored) = stored else {
            return match self.action {
                PlannedAction::Create | PlannedAction::Revive => ChangeStatus::Ready,
                PlannedAction::Archive => ChangeStatus::Applied,
                PlannedAction::Change => ChangeStatus::Outdated,
            };
        };
        let is_as_planned = match self.action {
            // The plan does not know what the file does not own.
            PlannedAction::Revive => missing_properties(&self.state, stored)
                .iter()
                .all(|property| self.state.get(*property).is_none()),
            PlannedAction::Create | PlannedAction::Change => digest_of(stored) == digest_of(&self.state),
            PlannedAction::Archive => false,
        };
        if is_as_planned {
            ChangeStatus::Applied
        } else if self.digest.as_ref() == Some(&digest_of(stored)) {
            ChangeStatus::Ready
        } else {
            ChangeStatus::Outdated
        }
    }
}

/// Returns the names of the toggles that a toggle depends on.
pub(crate) fn parents_in(toggle: &Value) -> Vec<String> {
    names_in(toggle, "dependencies", Some("feature"))
}

/// Returns the names in a list of a toggle, or those in a property of its items.
fn names_in(toggle: &Value, list: &str, property: Option<&str>) -> Vec<String> {
    let items = toggle.get(list).and_then(Value::as_array).into_iter().flatten();
    let name = |item: &Value| {
        property.map_or(Some(item), |property| item.get(property))?.as_str().map(ToOwned::to_owned)
    };
    items.filter_map(name).collect()
}

/// Returns the toggles of files, with the names of the toggles that they depend on after the change.
pub(crate) fn planned_toggles(files: &Document) -> Vec<(&str, Vec<String>)> {
    let parents = |toggle: &FileToggle| {
        toggle.dependencies.iter().flatten().map(|parent| parent.feature.clone()).collect()
    };
    files.toggles.iter().map(|(name, toggle)| (name.as_str(), parents(toggle))).collect()
}

/// Returns the names of the toggles that must be read next, so that the effects of a plan can be computed: those of the plan, those
/// that depend on them, and the parents of all. There are none after some rounds.
///
/// `planned` contains the toggles of the plan with their parents after the change, `existing` all toggles of the target with their
/// parents, as far as its list contains them, and `toggles` those that were read.
pub(crate) fn missing_toggles(
    planned: &[(&str, Vec<String>)],
    existing: &BTreeMap<String, Vec<String>>,
    toggles: &BTreeMap<String, Value>,
) -> BTreeSet<String> {
    let is_planned: BTreeSet<&str> = planned.iter().map(|(name, _)| *name).collect();
    let mut names: BTreeSet<String> = BTreeSet::new();
    for (name, parents) in planned {
        names.insert((*name).to_owned());
        names.extend(parents.iter().cloned());
    }
    let depends = |parents: &[String]| parents.iter().any(|parent| is_planned.contains(parent.as_str()));
    names.extend(existing.iter().filter(|(_, parents)| depends(parents)).map(|(name, _)| name.clone()));
    for (name, toggle) in toggles {
        names.extend(parents_in(toggle));
        // Servers with environments list the toggles that depend on a toggle.
        if is_planned.contains(name.as_str()) {
            names.extend(names_in(toggle, "children", None));
        }
    }
    names.retain(|name| existing.contains_key(name) && !toggles.contains_key(name));
    names
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

/// Returns a toggle that remains and depends on an archived one, with the name of that one.
#[must_use]
pub fn find_dependent(
    files: &Document,
    server: &ServerState,
    archived: &BTreeSet<String>,
) -> Option<(String, String)> {
    let mut remaining = server.toggles.iter().filter(|(name, _)| !archived.contains(*name));
    remaining.find_map(|(name, toggle)| {
        let file = files.toggles.get(name).and_then(|file| file.dependencies.as_ref());
        let parents = match file {
            Some(parents) => parents.iter().map(|parent| parent.feature.clone()).collect(),
            None => parents_in(toggle),
        };
        let parent = parents.into_iter().find(|parent| archived.contains(parent))?;
        Some((name.clone(), parent))
    })
}

/// Returns the body with which a server replaces the state of a toggle. Tags, also the mark of files, have an endpoint of their own.
#[must_use]
pub fn body_of(name: &str, state: &Value) -> Value {
    let keys = PROPERTIES.iter().filter(|key| !is_tag_property(key));
    let mut body: serde_json::Map<_, _> =
        keys.filter_map(|key| Some(((*key).to_owned(), state.get(*key)?.clone()))).collect();
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
