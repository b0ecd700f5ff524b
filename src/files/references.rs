//! References of planned toggles to items that plans cannot create: projects, strategies, context fields, segments and, unless the plan
//! contains them, parents. Pure.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::json::{items_of, text_of};
use super::owned::new_toggle;
use super::places::{Located, describe_place, steps_of};
use super::plan::{Plan, ServerState};
use crate::api::ItemList;
use crate::evaluation::SegmentDefinition;

/// A kind of item to which toggles refer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ItemKind {
    /// A project, by its id.
    Project,
    /// A strategy definition, by its name.
    Strategy,
    /// The context field of a constraint, by its name.
    ContextField,
    /// A segment, by its id.
    Segment,
    /// The name of a segment in a file, which no segment has.
    SegmentName,
    /// The name of a segment in a file, which several segments have.
    AmbiguousSegment,
    /// A toggle on which another depends, by its name.
    Parent,
}

impl ItemKind {
    /// Returns the name of the kind in a sentence.
    fn name(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::Strategy => "strategy",
            Self::ContextField => "context field",
            Self::Segment | Self::SegmentName | Self::AmbiguousSegment => "segment",
            Self::Parent => "parent toggle",
        }
    }

    /// Returns the list that contains the items; `None` for those that the state of the flag service contains.
    pub(super) fn list(self) -> Option<ItemList> {
        match self {
            Self::Project => Some(ItemList::Projects),
            Self::Strategy => Some(ItemList::Strategies),
            Self::ContextField => Some(ItemList::ContextFields),
            Self::Segment | Self::SegmentName | Self::AmbiguousSegment | Self::Parent => None,
        }
    }

    /// Returns the effect of a missing item, if the server accepts the toggle.
    fn consequence(self) -> &'static str {
        match self {
            Self::ContextField => "the constraint sees no value unless applications send the property",
            _ => "it is never on unless applications implement it",
        }
    }

    /// Returns the remedies for a missing item.
    fn remedy(self) -> &'static str {
        match self {
            Self::Parent => "add it to the files, create it first, or correct its name",
            Self::Segment => "create it first, or make a new plan",
            Self::SegmentName => "files do not define segments: create it first, or correct its name",
            Self::AmbiguousSegment => "rename all but one of them",
            Self::Project => "files do not define projects: create it first, or correct its id",
            Self::Strategy => "files do not define strategies: create it first, or correct its name",
            Self::ContextField => "files do not define context fields: create it first, or correct its name",
        }
    }
}

/// The references that planned changes add. References of stored toggles are kept, also if their item does not exist any more, and each
/// server has the items to which a new toggle refers.
#[derive(Debug, Default)]
pub(super) struct NewReferences(BTreeMap<(ItemKind, String), Vec<Reference>>);

/// A reference.
#[derive(Debug)]
struct Reference {
    toggle: String,
    /// The place of the reference in words.
    place: String,
    /// Keys and indices of the value below the toggle.
    path: Vec<Value>,
}

impl NewReferences {
    /// Collects the references of the changes that a plan writes.
    pub(super) fn collect(plan: &Plan, server: &ServerState) -> Self {
        let mut references: BTreeMap<_, Vec<_>> = BTreeMap::new();
        let of_new_toggle: BTreeSet<_> = references_in(&new_toggle()).into_keys().collect();
        for (change, stored) in plan.written_changes(server) {
            let known = stored
                .map_or_else(|| of_new_toggle.clone(), |stored| references_in(stored).into_keys().collect());
            let added = references_in(&change.state).into_iter().filter(|(item, _)| !known.contains(item));
            for ((kind, name), path) in added {
                let has_name = |segment: &&SegmentDefinition| segment.name.as_ref() == Some(&name);
                let kind = match kind {
                    ItemKind::SegmentName if server.segments.iter().filter(has_name).count() > 1 => {
                        ItemKind::AmbiguousSegment
                    }
                    kind => kind,
                };
                let (place, _) = describe_place(&change.name, &change.state, &path);
                let toggle = change.name.clone();
                references.entry((kind, name)).or_default().push(Reference { toggle, place, path });
            }
        }
        Self(references)
    }

    /// Returns the kinds of the items.
    pub(super) fn kinds(&self) -> BTreeSet<ItemKind> {
        self.0.keys().map(|(kind, _)| *kind).collect()
    }

    /// Describes each item of a kind that does not exist, at its first place, with the toggles that refer to it. `is_refused` is true
    /// if the server refuses them.
    pub(super) fn describe_missing(
        &self,
        kind: ItemKind,
        existing: &BTreeSet<String>,
        target: &str,
        is_refused: bool,
    ) -> Vec<Located> {
        let end = if is_refused { kind.remedy() } else { kind.consequence() };
        let is_ambiguous = kind == ItemKind::AmbiguousSegment;
        let missing = self.0.iter().filter(|((of, name), _)| *of == kind && !existing.contains(name));
        let describe = |((_, name), references): (&(ItemKind, String), &Vec<Reference>)| {
            let [Reference { toggle, place, path }, others @ ..] = references.as_slice() else { return None };
            let others = match others.len() {
                0 => String::new(),
                1 => ", and another toggle refers to it".to_owned(),
                count => format!(", and {count} other toggles refer to it"),
            };
            let kind = kind.name();
            let problem = if is_ambiguous {
                format!("several segments of {target} have the name {name}")
            } else {
                format!("the {kind} {name} does not exist on {target}")
            };
            let message = format!("{place}: {problem}{others}; {end}");
            Some(Located::new(toggle, path, message))
        };
        missing.filter_map(describe).collect()
    }
}

/// Returns the items to which a toggle refers, each with its first path below the toggle.
fn references_in(toggle: &Value) -> BTreeMap<(ItemKind, String), Vec<Value>> {
    let mut items = BTreeMap::new();
    let mut add = |kind, name: &str, path: Value| {
        // An empty name is an error of its own.
        if !name.is_empty() {
            items.entry((kind, name.to_owned())).or_insert_with(|| steps_of(path));
        }
    };
    add(ItemKind::Project, text_of(toggle, "project"), json!(["project"]));
    for (index, parent) in items_of(toggle, "dependencies").iter().enumerate() {
        add(ItemKind::Parent, text_of(parent, "feature"), json!(["dependencies", index, "feature"]));
    }
    for (at, strategy) in items_of(toggle, "strategies").iter().enumerate() {
        add(ItemKind::Strategy, text_of(strategy, "name"), json!(["strategies", at, "name"]));
        for (index, constraint) in items_of(strategy, "constraints").iter().enumerate() {
            let path = json!(["strategies", at, "constraints", index, "contextName"]);
            add(ItemKind::ContextField, text_of(constraint, "contextName"), path);
        }
        for (index, segment) in items_of(strategy, "segments").iter().enumerate() {
            let path = json!(["strategies", at, "segments", index]);
            match segment.as_str() {
                Some(name) => add(ItemKind::SegmentName, name, path),
                None => add(ItemKind::Segment, &segment.to_string(), path),
            }
        }
    }
    items
}
