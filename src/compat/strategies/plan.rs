//! Plans a save of a toggle's strategies: the requests that turn the stored list into the wanted list. Pure.
//!
//! Servers from 4.19 on store each strategy with an id and change one strategy per request. A save compares three lists:
//! the list that the editor was opened with (*base*), the list that is stored now (*current*), and the list of the editor
//! (*desired*). Strategies are matched by id, never by position or content, because a strategy that is created again
//! loses everything that is attached to its id.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// A strategy with all properties that the server returns.
pub(in crate::compat) type Strategy = Map<String, Value>;

/// The properties that a save writes. Every request contains all of them, because servers reset some that are missing.
const SAVED: [&str; 7] = ["name", "title", "disabled", "parameters", "constraints", "segments", "variants"];

/// A request for the strategies of one toggle in one environment.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::compat) enum Call {
    /// Replaces a strategy.
    Put {
        /// Id of the strategy.
        id: String,
        /// The saved properties.
        body: Strategy,
    },
    /// Creates a strategy.
    Post {
        /// The saved properties.
        body: Strategy,
    },
    /// Deletes a strategy.
    Delete {
        /// Id of the strategy.
        id: String,
    },
}

/// A strategy in the final order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::compat) enum Position {
    /// A stored strategy with this id.
    Stored(String),
    /// The strategy that the n-th [`Call::Post`] creates.
    Created(usize),
}

/// The requests of a save, to be sent one after the other.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::compat) struct Plan {
    /// Creations and replacements before deletions: servers switch a toggle off when its last strategy is deleted.
    pub(in crate::compat) calls: Vec<Call>,
    /// The final order of all strategies.
    pub(in crate::compat) order: Vec<Position>,
    /// True if no enabled strategy remains although there was one: servers then switch the toggle off.
    pub(in crate::compat) disables_toggle: bool,
}

/// Plans a save. `limit` is the maximum number of strategies that the server allows at any time.
///
/// # Errors
/// The ids of the strategies that the user changed or removed and somebody else changed or, for changes, removed since.
/// No request may be sent then.
pub(in crate::compat) fn plan(
    base: &[Strategy],
    current: &[Strategy],
    desired: &[Strategy],
    limit: usize,
) -> Result<Plan, Vec<String>> {
    let (opened, stored, wanted) = (by_id(base), by_id(current), by_id(desired));
    let edits: Vec<Edit<'_>> = desired.iter().map(|strategy| edit(strategy, &opened, &stored)).collect();
    let removed = || opened.keys().filter(|id| !wanted.contains_key(**id) && stored.contains_key(**id));
    let mut conflicts: Vec<String> = removed()
        .filter(|id| stored.get(**id).map(|now| saved(now)) != opened.get(**id).map(|then| saved(then)))
        .chain(edits.iter().filter_map(|edit| if let Edit::Conflict(id) = edit { Some(id) } else { None }))
        .map(|id| (*id).to_owned())
        .collect();
    if !conflicts.is_empty() {
        conflicts.sort();
        return Err(conflicts);
    }
    let (mut puts, mut posts, mut remaining) = (Vec::new(), Vec::new(), Vec::new());
    for (edit, strategy) in edits.iter().zip(desired) {
        match edit {
            Edit::Removed | Edit::Conflict(_) => continue,
            Edit::None(_) => {}
            Edit::Changed(id) => puts.push(Call::Put { id: (*id).to_owned(), body: saved(strategy) }),
            Edit::New => posts.push(Call::Post { body: saved(strategy) }),
        }
        remaining.push(strategy);
    }
    let added_by_others = current.iter().filter(|strategy| !contains(&opened, strategy));
    remaining.extend(added_by_others.clone());
    let deletes: Vec<Call> = removed().map(|id| Call::Delete { id: (*id).to_owned() }).collect();
    let order = final_order(&edits, base, current, &added_by_others.filter_map(id_of).collect::<Vec<_>>());
    let disables_toggle = current.iter().any(is_enabled) && !remaining.into_iter().any(is_enabled);
    // The server counts the strategies after each request, so that some deletions must come first.
    let early = (current.len() + posts.len()).saturating_sub(limit).min(deletes.len());
    let mut deletes = deletes.into_iter();
    let first: Vec<Call> = deletes.by_ref().take(early).collect();
    let calls = first.into_iter().chain(puts).chain(posts).chain(deletes).collect();
    Ok(Plan { calls, order, disables_toggle })
}

/// The difference between a strategy of the desired list and its base.
enum Edit<'a> {
    /// The user created it.
    New,
    /// No difference.
    None(&'a str),
    /// The user changed it.
    Changed(&'a str),
    /// The user did not change it, and somebody else removed it.
    Removed,
    /// The user changed it, and somebody else changed or removed it.
    Conflict(&'a str),
}

fn edit<'a>(strategy: &'a Strategy, opened: &ById<'_>, stored: &ById<'_>) -> Edit<'a> {
    let Some((id, before)) = id_of(strategy).and_then(|id| Some((id, opened.get(id)?))) else {
        return Edit::New;
    };
    match (saved(strategy) != saved(before), stored.get(id)) {
        (false, None) => Edit::Removed,
        (false, Some(_)) => Edit::None(id),
        (true, Some(now)) if saved(now) == saved(before) => Edit::Changed(id),
        (true, _) => Edit::Conflict(id),
    }
}

/// Returns the final order. The stored order stays unless the user moved a strategy; new strategies follow the strategy
/// that precedes them in the editor.
fn final_order(edits: &[Edit<'_>], base: &[Strategy], current: &[Strategy], added: &[&str]) -> Vec<Position> {
    let kept = edits.iter().filter_map(Edit::kept_id).collect::<Vec<_>>();
    let before = base.iter().filter_map(id_of).filter(|id| kept.contains(id)).collect::<Vec<_>>();
    let stored: Vec<&str> = if kept == before {
        current.iter().filter_map(id_of).filter(|id| kept.contains(id) || added.contains(id)).collect()
    } else {
        kept.iter().chain(added).copied().collect()
    };
    let mut order: Vec<Position> = stored.into_iter().map(|id| Position::Stored(id.to_owned())).collect();
    let (mut previous, mut created) = (None, 0);
    for edit in edits {
        if let Some(id) = edit.kept_id() {
            previous = order.iter().position(|position| *position == Position::Stored(id.to_owned()));
        } else if matches!(edit, Edit::New) {
            let at = previous.map_or(0, |index| index + 1);
            order.insert(at, Position::Created(created));
            (previous, created) = (Some(at), created + 1);
        }
    }
    order
}

impl<'a> Edit<'a> {
    /// Returns the id of a strategy that stays; `None` for a new or removed one.
    fn kept_id(&self) -> Option<&'a str> {
        match self {
            Self::None(id) | Self::Changed(id) => Some(id),
            Self::New | Self::Removed | Self::Conflict(_) => None,
        }
    }
}

type ById<'a> = BTreeMap<&'a str, &'a Strategy>;

/// Returns the saved properties. A property that is missing, null or empty has the value that servers store for it, so that
/// both forms are equal.
fn saved(strategy: &Strategy) -> Strategy {
    SAVED.iter().filter_map(|key| Some(((*key).to_owned(), normalized(key, strategy.get(*key))?))).collect()
}

/// Returns the value to send; `None` for a title that is not set, because servers reject null.
fn normalized(key: &str, value: Option<&Value>) -> Option<Value> {
    match value {
        Some(value) if !value.is_null() => Some(value.clone()),
        _ => match key {
            "disabled" => Some(Value::Bool(false)),
            "parameters" => Some(Value::Object(Map::new())),
            "constraints" | "segments" | "variants" => Some(Value::Array(Vec::new())),
            _ => None,
        },
    }
}

fn is_enabled(strategy: &Strategy) -> bool {
    strategy.get("disabled") != Some(&Value::Bool(true))
}

fn id_of(strategy: &Strategy) -> Option<&str> {
    strategy.get("id")?.as_str()
}

fn contains(strategies: &ById<'_>, strategy: &Strategy) -> bool {
    id_of(strategy).is_some_and(|id| strategies.contains_key(id))
}

fn by_id(strategies: &[Strategy]) -> ById<'_> {
    strategies.iter().filter_map(|strategy| Some((id_of(strategy)?, strategy))).collect()
}

#[cfg(test)]
mod tests;
