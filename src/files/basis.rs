//! Basis of the effect of a planned change, besides the toggle itself: segments, and the toggles on which it depends or that depend on it.
//! A plan contains hashes of them, so that a change of one of them outdates the plan. Pure.

use std::collections::{BTreeMap, BTreeSet};

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::json::{items_of, text_of};
use super::owned::normalize;
use crate::evaluation::SegmentDefinition;

/// Properties that decide who gets the feature of a toggle.
const EFFECTIVE: [&str; 4] = ["enabled", "strategies", "variants", "dependencies"];

/// Hashes of the items from which the effect of a change was computed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Basis {
    /// Segments of the toggle and of related toggles, by their ids.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub segments: BTreeMap<String, String>,
    /// Toggles on which the toggle depends, or that depend on it, by their names. Toggles that the plan changes are left out.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub toggles: BTreeMap<String, String>,
}

impl Basis {
    /// Returns true if the effect was computed from the toggle alone.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty() && self.toggles.is_empty()
    }

    /// Returns an item that has changed, such as `segment EU`.
    ///
    /// A change that is already applied can remove relations of the others. So each recorded item is compared, also if it is not related
    /// any more, and an item that was not recorded is a change.
    pub(super) fn find_change(&self, relations: &Relations<'_>, toggle: &str) -> Option<String> {
        let now = relations.basis_of(toggle);
        let mut toggles = self.toggles.keys().chain(now.toggles.keys());
        let toggle = toggles.find(|name| {
            let stored = relations.stored.get(*name).map(hash_toggle);
            self.toggles.get(*name) != stored.as_ref()
        });
        // A toggle that is new among them also has segments that were not recorded.
        if let Some(name) = toggle {
            return Some(format!("toggle {name}"));
        }
        let mut segments = self.segments.keys().chain(now.segments.keys());
        let id = segments.find(|id| {
            let stored = relations.find_segment(id).map(hash_segment);
            self.segments.get(*id) != stored.as_ref()
        })?;
        let name = relations.find_segment(id).and_then(|segment| segment.name.as_deref());
        Some(format!("segment {}", name.unwrap_or(id)))
    }
}

/// The dependencies of toggles before and after a plan.
pub(super) struct Relations<'p> {
    stored: &'p BTreeMap<String, Value>,
    segments: &'p [SegmentDefinition],
    /// States of the toggles after the plan, by their names; null for archived ones.
    planned: BTreeMap<&'p str, &'p Value>,
    /// Names of the toggles on which each toggle depends, before or after the plan.
    parents: BTreeMap<&'p str, BTreeSet<String>>,
}

impl<'p> Relations<'p> {
    /// `planned` are the states of toggles after the plan, and `stored` the toggles of the server.
    pub(super) fn new(
        planned: impl IntoIterator<Item = (&'p str, &'p Value)>,
        stored: &'p BTreeMap<String, Value>,
        segments: &'p [SegmentDefinition],
    ) -> Self {
        let planned: BTreeMap<_, _> = planned.into_iter().collect();
        let mut parents: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        let all = stored.iter().map(|(name, toggle)| (name.as_str(), toggle));
        for (name, toggle) in all.chain(planned.iter().map(|(name, state)| (*name, *state))) {
            parents.entry(name).or_default().extend(parents_in(toggle));
        }
        Self { stored, segments, planned, parents }
    }

    /// Returns the names of the other toggles from which the effect of a change is computed: parents, children, and their parents.
    pub(super) fn related_to<'r>(&'r self, toggle: &'r str) -> BTreeSet<&'r str> {
        let children = self.parents.iter().filter(|(_, parents)| parents.contains(toggle));
        let mut related: BTreeSet<&str> = children.map(|(name, _)| *name).collect();
        let decided: Vec<&str> = related.iter().copied().chain([toggle]).collect();
        for name in decided {
            related.extend(self.parents.get(name).into_iter().flatten().map(String::as_str));
        }
        related.remove(toggle);
        related
    }

    /// Returns the hashes of the items from which the effect of a change is computed.
    pub(super) fn basis_of(&self, toggle: &str) -> Basis {
        let related = self.related_to(toggle);
        let mut segments = BTreeMap::new();
        for name in related.iter().copied().chain([toggle]) {
            let states = [self.stored.get(name), self.planned.get(name).copied()];
            for id in states.into_iter().flatten().flat_map(segments_in) {
                if let Some(segment) = self.find_segment(&id) {
                    segments.insert(id, hash_segment(segment));
                }
            }
        }
        let others = related.iter().filter(|name| !self.planned.contains_key(*name));
        let hash = |name: &&str| Some(((*name).to_owned(), hash_toggle(self.stored.get(*name)?)));
        Basis { segments, toggles: others.filter_map(hash).collect() }
    }

    fn find_segment(&self, id: &str) -> Option<&'p SegmentDefinition> {
        self.segments.iter().find(|segment| segment.id.as_deref() == Some(id))
    }
}

/// Returns the names of the toggles that a toggle depends on.
#[must_use]
pub fn parents_in(toggle: &Value) -> Vec<String> {
    let parents = items_of(toggle, "dependencies").iter().map(|parent| text_of(parent, "feature"));
    parents.filter(|name| !name.is_empty()).map(ToOwned::to_owned).collect()
}

/// Returns the names of the toggles that depend on a toggle, which servers with environments list.
#[must_use]
pub fn children_in(toggle: &Value) -> Vec<String> {
    items_of(toggle, "children").iter().filter_map(Value::as_str).map(ToOwned::to_owned).collect()
}

/// Returns the ids of the segments of a toggle.
fn segments_in(toggle: &Value) -> Vec<String> {
    let segments = items_of(toggle, "strategies").iter().flat_map(|strategy| items_of(strategy, "segments"));
    segments.map(|id| id.as_str().map_or_else(|| id.to_string(), ToOwned::to_owned)).collect()
}

fn hash_toggle(toggle: &Value) -> String {
    let properties = EFFECTIVE.iter().filter_map(|key| Some((*key, toggle.get(*key)?)));
    let properties: serde_json::Map<_, _> =
        properties.map(|(key, value)| (key.to_owned(), value.clone())).collect();
    hash(&normalize(&properties.into()))
}

/// Returns the hash of a segment. Its name counts because files name it.
fn hash_segment(segment: &SegmentDefinition) -> String {
    hash(&json!([segment.name, super::drift::constraints_of(segment)]))
}

fn hash(value: &Value) -> String {
    HEXLOWER.encode(&Sha256::digest(value.to_string()))
}
