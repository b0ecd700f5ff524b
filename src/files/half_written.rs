//! Toggles that an interrupted command has written in part, so that the same plan can be applied again. Pure.

use serde_json::Value;

use super::json::items_of;
use super::owned::{PROPERTIES, TAGS, new_toggle, normalize};
use crate::api::{ArrayChange, Diff, PathStep};

/// Properties that several requests store: their items are those before or after the change meanwhile.
const LISTS: [&str; 2] = ["strategies", TAGS];

/// Returns true if each property of a stored toggle has its value before or after a change. All states are normalized.
#[must_use]
pub(super) fn is_between(stored: &Value, before: &Value, after: &Value) -> bool {
    PROPERTIES.iter().all(|&key| {
        let (stored_value, old, new) = (stored.get(key), before.get(key), after.get(key));
        if !LISTS.contains(&key) {
            return stored_value == old || stored_value == new;
        }
        let (items, old, new) = (items_of(stored, key), items_of(before, key), items_of(after, key));
        let is_known = items.iter().all(|item| old.contains(item) || new.contains(item));
        let has_all = |wanted: &[Value]| wanted.iter().all(|item| items.contains(item));
        // Items that stay are never removed, and tags are added before others are removed.
        is_known
            && old.iter().all(|item| !new.contains(item) || items.contains(item))
            && (key != TAGS || has_all(old) || has_all(new))
    })
}

/// Returns true if a stored toggle is a part of a new one: it is off, and its properties are those of a new toggle or planned.
#[must_use]
pub(super) fn is_part_of_new(stored: &Value, after: &Value) -> bool {
    let mut before = normalize(&new_toggle());
    if let Some(before) = before.as_object_mut() {
        before.remove("strategies");
    }
    stored.get("enabled") == Some(&Value::Bool(false)) && is_between(stored, &before, after)
}

/// Returns the state before a change from the state after it; `None` if the changes do not fit.
#[must_use]
pub(super) fn undo(after: &Value, changes: &[Diff]) -> Option<Value> {
    let mut state = after.clone();
    let mut removed: Vec<(&Vec<PathStep>, usize)> = Vec::new();
    for change in changes {
        match change {
            Diff::N { path, .. } => {
                let (last, parents) = path.split_last()?;
                let PathStep::Key(key) = last else { return None };
                find(&mut state, parents)?.as_object_mut()?.remove(key)?;
            }
            Diff::D { path, lhs } => {
                let (last, parents) = path.split_last()?;
                let PathStep::Key(key) = last else { return None };
                find(&mut state, parents)?.as_object_mut()?.insert(key.clone(), lhs.clone());
            }
            Diff::E { path, lhs, .. } => *find(&mut state, path)? = lhs.clone(),
            Diff::A { path, index, item } => {
                let list = find(&mut state, path)?.as_array_mut()?;
                match item {
                    ArrayChange::N { .. } if *index < list.len() => drop(list.remove(*index)),
                    ArrayChange::N { .. } => return None,
                    // Removed items come from the end, so that each is before those that are inserted already.
                    ArrayChange::D { lhs } => {
                        let inserted =
                            removed.iter().filter(|(other, at)| *other == path && at > index).count();
                        let start = list.len().checked_sub(inserted)?;
                        list.insert(start, lhs.clone());
                        removed.push((path, *index));
                    }
                }
            }
        }
    }
    Some(state)
}

fn find<'v>(value: &'v mut Value, path: &[PathStep]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, step| match step {
        PathStep::Key(key) => value.get_mut(key),
        PathStep::Index(index) => value.get_mut(index),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{is_between, undo};
    use crate::api::diff;

    #[test]
    fn undo_returns_the_state_before_a_change() {
        let (a, b, c) =
            (json!({ "name": "a" }), json!({ "name": "b" }), json!({ "name": "c", "title": "x" }));
        let states = [
            json!({ "enabled": true, "strategies": [c, c, b, a, a], "tags": [1, 2, 3, 4] }),
            json!({ "enabled": true, "strategies": [a, b, c], "tags": [] }),
            json!({ "enabled": false, "description": "d", "strategies": [c] }),
            json!({ "enabled": true, "strategies": [b, a, c, a, b], "variants": [1, 2] }),
        ];
        for before in &states {
            for after in &states {
                let changes = serde_json::to_value(diff::compute(before, after)).unwrap();
                let changes: Vec<_> = serde_json::from_value(changes).unwrap();
                assert_eq!(undo(after, &changes).as_ref(), Some(before));
            }
        }
    }

    #[test]
    fn a_half_written_toggle_has_properties_of_both_states() {
        let before = json!({ "enabled": true, "description": "old", "strategies": ["a", "b"] });
        let after = json!({ "enabled": true, "description": "new", "strategies": ["b", "c"] });
        let with = |changes: Value| {
            let mut toggle = before.clone();
            toggle.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
            toggle
        };
        for (changes, expected) in [
            (json!({ "description": "new" }), true),
            (json!({ "description": "other" }), false),
            (json!({ "strategies": ["a", "b", "c"] }), true),
            (json!({ "strategies": ["b"] }), true),
            (json!({ "strategies": ["a", "c"] }), false),
            (json!({ "strategies": ["b", "d"] }), false),
            // A switch in an incident.
            (json!({ "enabled": false, "description": "new" }), false),
        ] {
            assert_eq!(is_between(&with(changes.clone()), &before, &after), expected, "{changes}");
        }
    }
}
