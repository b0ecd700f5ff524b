//! References of planned toggles to items that plans cannot create: projects, strategies, context fields, segments and, unless the plan
//! contains them, parents. Pure.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::owned::new_toggle;
use super::places::Located;
use super::plan::{Plan, ServerState};
use super::words::{items_of, text_of};
use crate::api::ItemList;

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
            Self::Segment => "segment",
            Self::Parent => "parent toggle",
        }
    }

    /// Returns the list that contains the items; `None` for those that the state of the flag service contains.
    pub(super) fn list(self) -> Option<ItemList> {
        match self {
            Self::Project => Some(ItemList::Projects),
            Self::Strategy => Some(ItemList::Strategies),
            Self::ContextField => Some(ItemList::ContextFields),
            Self::Segment | Self::Parent => None,
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
            Self::Segment => {
                "files do not define segments: create it first, or correct its id, which differs between servers"
            }
            Self::Project => "files do not define projects: create it first, or correct its id",
            Self::Strategy => "files do not define strategies: create it first, or correct its name",
            Self::ContextField => "files do not define context fields: create it first, or correct its name",
        }
    }
}

/// The references that planned changes add. References of stored toggles are kept, also if their item does not exist any more, and each
/// server has the items to which a new toggle refers.
#[derive(Debug)]
pub(super) struct NewReferences(BTreeMap<(ItemKind, String), Vec<Reference>>);

/// A reference, as keys and indices of the value below the toggle.
#[derive(Debug)]
struct Reference {
    toggle: String,
    path: Vec<String>,
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
            for (item, path) in added {
                let path = path.split('/').map(str::to_owned).collect();
                references.entry(item).or_default().push(Reference { toggle: change.name.clone(), path });
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
        let missing = self.0.iter().filter(|((of, name), _)| *of == kind && !existing.contains(name));
        let describe = |((_, name), references): (&(ItemKind, String), &Vec<Reference>)| {
            let [Reference { toggle, path }, others @ ..] = references.as_slice() else { return None };
            let users = match others.len() {
                0 => format!("{toggle} refers"),
                1 => format!("{toggle} and another toggle refer"),
                count => format!("{toggle} and {count} other toggles refer"),
            };
            let message =
                format!("{users} to the {} {name}, which does not exist on {target}; {end}", kind.name());
            Some(Located::new(toggle, path, message))
        };
        missing.filter_map(describe).collect()
    }
}

/// Returns the items to which a toggle refers, each with its first path below the toggle.
fn references_in(toggle: &Value) -> BTreeMap<(ItemKind, String), String> {
    let mut items = BTreeMap::new();
    let mut add = |kind, name: &str, path: String| {
        // An empty name is an error of its own.
        if !name.is_empty() {
            items.entry((kind, name.to_owned())).or_insert(path);
        }
    };
    add(ItemKind::Project, text_of(toggle, "project"), "project".to_owned());
    for (index, parent) in items_of(toggle, "dependencies").iter().enumerate() {
        add(ItemKind::Parent, text_of(parent, "feature"), format!("dependencies/{index}/feature"));
    }
    for (index, strategy) in items_of(toggle, "strategies").iter().enumerate() {
        let path = format!("strategies/{index}");
        add(ItemKind::Strategy, text_of(strategy, "name"), format!("{path}/name"));
        for (index, constraint) in items_of(strategy, "constraints").iter().enumerate() {
            let path = format!("{path}/constraints/{index}/contextName");
            add(ItemKind::ContextField, text_of(constraint, "contextName"), path);
        }
        for (index, segment) in items_of(strategy, "segments").iter().enumerate() {
            add(ItemKind::Segment, &segment.to_string(), format!("{path}/segments/{index}"));
        }
    }
    items
}
