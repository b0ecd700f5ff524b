//! Plans: the changes that bring a flag service to the state of files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::basis::{Basis, Relations};
use super::document::{Document, FileToggle};
use super::half_written::{is_between, is_part_of_new, undo};
use super::managed::MANAGED_BY;
use super::order::{Order, Sides, order};
use super::owned::{PROPERTIES, apply, apply_to_archived, complete, new_toggle, normalize, state_of};
use super::owned_tags::{OwnedTags, is_tag_property};
use super::segments::name_segments;
use crate::api::{ChangeStatus, Diff, diff};
use crate::evaluation::effect::{ChangedToggles, Effect};
use crate::evaluation::{Definitions, SegmentDefinition, Stopped, ToggleDefinition, Work};
use crate::field_differences;
use crate::terminal::Escaped;

pub use super::basis::{children_in, parents_in};
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
    /// Changes, in the order in which they are applied: servers accept each dependency, and nobody gets a feature meanwhile who gets it
    /// neither before nor after. Otherwise, those that narrow come before those that widen, and archived toggles last.
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
    /// Everything else from which the effect was computed, and that the plan does not change.
    #[serde(default, skip_serializing_if = "Basis::is_empty")]
    pub basis: Basis,
    /// Differences of the properties. Those of a new toggle are compared with its defaults.
    #[cfg_attr(test, schemars(with = "Vec<Value>"))]
    pub diffs: Vec<Diff>,
    /// Properties of the toggle after the change; of a revived toggle, those that the file owns; of an archived one, only
    /// the name of the files that managed it.
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
        plan.sort(server)?;
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
            let state = match action {
                PlannedAction::Revive => apply_to_archived(file, &server.segments)?,
                _ => apply(file, &before, &server.segments)?,
            };
            if action == PlannedAction::Change && normalize(&before) == normalize(&state) {
                continue;
            }
            let diffs = json!(diff::compute(&normalize(&before), &normalize(&state)));
            changes.push(PlannedChange {
                name: name.clone(),
                action,
                effect: Effect::Neither,
                digest: stored.map(digest_of),
                basis: Basis::default(),
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
                basis: Basis::default(),
                diffs: Vec::new(),
                state: stored.get(MANAGED_BY).map_or(Value::Null, |name| json!({ MANAGED_BY: name })),
            })
        }));
        let relations = relate(&changes, server);
        let bases: Vec<_> = changes.iter().map(|change| relations.basis_of(&change.name)).collect();
        for (change, basis) in changes.iter_mut().zip(bases) {
            change.basis = basis;
        }
        Ok(Self { version: VERSION, target: target.to_owned(), changes })
    }

    /// Returns the toggles of the plan, with the toggles that must be read for them: parents after the change, and toggles from which
    /// effects were computed.
    #[must_use]
    pub(crate) fn planned_toggles(&self) -> Vec<(&str, Vec<String>)> {
        let related = |change: &PlannedChange| {
            parents_in(&change.state).into_iter().chain(change.basis.toggles.keys().cloned()).collect()
        };
        self.changes.iter().map(|change| (change.name.as_str(), related(change))).collect()
    }

    /// Returns the owned tags of toggles whose tags are needed, by the names of the toggles.
    #[must_use]
    pub(crate) fn owned_tags(&self) -> BTreeMap<&str, OwnedTags> {
        let owned = |change: &PlannedChange| OwnedTags::of_state(&change.state);
        let owned = self.changes.iter().map(|change| (change.name.as_str(), owned(change)));
        owned.filter(|(_, owned)| owned.is_any()).collect()
    }

    /// Returns the toggles whose planned effect may be another one now, each with the reason: a segment or another toggle of the effect
    /// has changed since the plan. Changes that are already applied are left out, and also those whose toggle itself has changed.
    #[must_use]
    pub fn find_outdated_effects(&self, server: &ServerState) -> BTreeMap<String, String> {
        let relations = relate(&self.changes, server);
        let changes: BTreeMap<&str, &PlannedChange> =
            self.changes.iter().map(|change| (change.name.as_str(), change)).collect();
        let status = |change: &PlannedChange| change.status(server.toggles.get(&change.name));
        let describe = |change: &PlannedChange| {
            if status(change) != ChangeStatus::Ready {
                return None;
            }
            let has_changed =
                |name: &&str| changes.get(name).is_some_and(|other| status(other) == ChangeStatus::Outdated);
            let related = relations.related_to(&change.name);
            let other = related.iter().copied().find(has_changed).map(|name| format!("toggle {name}"));
            let item = other.or_else(|| change.basis.find_change(&relations, &change.name))?;
            let name = change.name.clone();
            Some((name, format!("the {item} has changed since the plan, and the effect depends on it")))
        };
        self.changes.iter().filter_map(describe).collect()
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
        self.sort_rated(server);
        Ok(Ok(()))
    }

    /// Computes the effects of the changes on the state of the target again, and orders them.
    ///
    /// # Errors
    /// If a toggle is not in the format of the API.
    pub fn sort(&mut self, server: &ServerState) -> Result<(), serde_json::Error> {
        // Work without a bound is never stopped.
        self.rate(server, &mut Work::unlimited()).map(drop)
    }

    /// Orders changes with their effects.
    fn sort_rated(&mut self, server: &ServerState) {
        let has_parents = |toggle: &Value| !parents_in(toggle).is_empty();
        let key = |change: &PlannedChange| {
            let is_archived = change.action == PlannedAction::Archive;
            let is_later = !is_archived && has_parents(&change.state);
            (is_archived, (!is_archived).then_some(change.effect), is_later, change.name.clone())
        };
        let keys = self.changes.iter().map(key).collect();
        let Order { indices, .. } = order(&self.sides(server), &server.segments, keys);
        let mut changes: Vec<_> = self.changes.drain(..).map(Some).collect();
        self.changes = indices.iter().filter_map(|index| changes.get_mut(*index)?.take()).collect();
    }

    /// Returns the toggles of the changes before and after them.
    fn sides<'a>(&'a self, server: &'a ServerState) -> Vec<Sides<'a>> {
        let sides = |change: &'a PlannedChange| Sides {
            name: &change.name,
            before: server.toggles.get(&change.name),
            after: (change.action != PlannedAction::Archive).then_some(&change.state),
        };
        self.changes.iter().map(sides).collect()
    }

    /// Returns the names of the toggles that are on before and after the plan, and must be off while it is applied: with any order of the
    /// writes, they would meanwhile be on for users who get them neither before nor after it. `is_atomic` is true if the server stores a
    /// toggle with one request.
    #[must_use]
    pub fn find_off_meanwhile(&self, server: &ServerState, is_atomic: bool) -> BTreeSet<String> {
        let sides: Vec<_> = self.sides(server);
        let Order { mut off_meanwhile, .. } = order(&sides, &server.segments, vec![(); sides.len()]);
        let replaced = sides.iter().filter(|side| !is_atomic && side.replaces_parent_and_strategies());
        off_meanwhile.extend(replaced.map(|side| side.name.to_owned()));
        off_meanwhile
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

    /// Returns the first line of the text.
    #[must_use]
    pub fn summary(&self) -> String {
        let Self { target, changes, .. } = self;
        if changes.is_empty() {
            return format!("{target}: nothing to do, it is as in the files");
        }
        let widening = changes.iter().filter(|change| change.effect.may_widen()).count();
        let plural = if changes.len() == 1 { "" } else { "s" };
        let mut text = format!(
            "{target}: {} change{plural}, {widening} of which may widen who gets the feature",
            changes.len()
        );
        let archived = changes.iter().filter(|change| change.action == PlannedAction::Archive).count();
        if archived > 0 {
            let objects = if archived == 1 { "archives a toggle" } else { "archive toggles" };
            // Writing to a string cannot fail.
            let _infallible = write!(text, ", {archived} of which {objects} that the files name no more");
        }
        text
    }

    /// Returns the plan as text, with a line for each field that differs. `server` is the state that the plan compares, and
    /// `off_meanwhile` are the toggles that are off while the plan is applied.
    #[must_use]
    pub fn to_text(&self, server: &ServerState, off_meanwhile: &BTreeSet<String>) -> String {
        let mut text = self.summary();
        for change in &self.changes {
            let (mark, verb) = match change.action {
                PlannedAction::Create => ('+', "create"),
                PlannedAction::Revive => ('+', "revive"),
                PlannedAction::Change => ('~', "change"),
                PlannedAction::Archive => ('-', "archive"),
            };
            let _infallible = write!(text, "\n{mark} {verb} {}: {}", change.name, words_of(change.effect));
            text.push_str(&change.describe(server.toggles.get(&change.name), &server.segments));
            if off_meanwhile.contains(&change.name) {
                text.push_str("\n    It is off for everyone while the plan is applied");
            }
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

    /// Describes the fields that differ as lines, each after a line feed and indented.
    pub(crate) fn describe(&self, stored: Option<&Value>, segments: &[SegmentDefinition]) -> String {
        let (before, after) = self.sides(stored);
        let [before, after] = [before, after].map(|side| name_segments(normalize(&side), segments));
        let mut text = String::new();
        for difference in field_differences::compare("", &[&before, &after]) {
            // Texts of the server must not add lines. Writing to a string cannot fail.
            let _infallible = write!(text, "\n    {}", Escaped::line(&difference.to_line()));
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
        } else if self.digest.as_ref() == Some(&digest_of(stored)) || self.is_half_written(stored) {
            ChangeStatus::Ready
        } else {
            ChangeStatus::Outdated
        }
    }
}

impl PlannedChange {
    /// Returns true if the change could be applied if the stored toggle were not off: an interrupted command or somebody has switched it
    /// off.
    pub(crate) fn is_outdated_by_off(&self, stored: &Value) -> bool {
        let mut on = stored.clone();
        if let Some(on) = on.as_object_mut() {
            on.insert("enabled".to_owned(), true.into());
        }
        stored.get("enabled") == Some(&Value::Bool(false))
            && self.status(Some(stored)) == ChangeStatus::Outdated
            && self.status(Some(&on)) != ChangeStatus::Outdated
    }

    /// Returns true if an interrupted command has written a part of the change, and nobody has changed the toggle otherwise. A toggle
    /// that is off although it is on before and after the change was switched off by somebody.
    fn is_half_written(&self, stored: &Value) -> bool {
        let mut missing = missing_properties(&self.state, stored).into_iter();
        let misses_only_tags = missing.all(|key| is_tag_property(key) || self.state.get(key).is_none());
        let (stored, after) = (normalize(&state_of(stored)), normalize(&self.state));
        match self.action {
            PlannedAction::Create => misses_only_tags || is_part_of_new(&stored, &after),
            // Its state before is not known. It is off after its revival.
            PlannedAction::Revive => misses_only_tags || stored.get("enabled") == Some(&Value::Bool(false)),
            PlannedAction::Change => undo(&after, &self.diffs).is_some_and(|before| {
                self.digest.as_ref() == Some(&digest_of(&before)) && is_between(&stored, &before, &after)
            }),
            PlannedAction::Archive => false,
        }
    }
}

fn relate<'p>(changes: &'p [PlannedChange], server: &'p ServerState) -> Relations<'p> {
    let planned = changes.iter().map(|change| (change.name.as_str(), &change.state));
    Relations::new(planned, &server.toggles, &server.segments)
}

/// Returns the toggles of files, with the names of the toggles that they depend on after the change.
pub(crate) fn planned_toggles(files: &Document) -> Vec<(&str, Vec<String>)> {
    let parents = |toggle: &FileToggle| {
        toggle.dependencies.iter().flatten().map(|parent| parent.feature.clone()).collect()
    };
    files.toggles.iter().map(|(name, toggle)| (name.as_str(), parents(toggle))).collect()
}

impl Document {
    /// Returns the owned tags of toggles whose tags are needed, by the names of the toggles.
    #[must_use]
    pub(crate) fn owned_tags(&self) -> BTreeMap<&str, OwnedTags> {
        let owned = self.toggles.iter().map(|(name, toggle)| (name.as_str(), OwnedTags::of_file(toggle)));
        owned.filter(|(_, owned)| owned.is_any()).collect()
    }
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
            names.extend(children_in(toggle));
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
        Effect::MayWiden => "may widen who gets the feature",
        Effect::Changes => "changes who gets the feature or a variant",
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
