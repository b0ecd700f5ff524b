//! The differences between two JSON values, such as the states of an item before and after an event, and their computation.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Maximum number of changes within a property of the compared values. More changes become one: the replacement of
/// the innermost object or list that holds them all.
const MAX_CHANGES: usize = 300;

/// A change. `lhs` is the value before, `rhs` the value after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind")]
pub enum Diff {
    /// A new property.
    N {
        /// Path of the property.
        path: Vec<PathStep>,
        /// Value.
        rhs: Value,
    },
    /// A removed property.
    D {
        /// Path of the property.
        path: Vec<PathStep>,
        /// Value before.
        lhs: Value,
    },
    /// A property with a new value.
    E {
        /// Path of the property.
        path: Vec<PathStep>,
        /// Value before.
        lhs: Value,
        /// Value after.
        rhs: Value,
    },
    /// An item that was added to or removed from a list.
    A {
        /// Path of the list.
        path: Vec<PathStep>,
        /// Index of the item.
        index: usize,
        /// The added or removed item.
        item: ArrayChange,
    },
}

/// An added or removed list item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind")]
pub enum ArrayChange {
    /// An added item.
    N {
        /// The item.
        rhs: Value,
    },
    /// A removed item.
    D {
        /// The item.
        lhs: Value,
    },
}

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum PathStep {
    /// Property of an object.
    Key(String),
    /// Index in a list.
    Index(usize),
}

/// A [`Diff`] that borrows its values: a copy of a large toggle takes many times its JSON.
#[derive(Debug, Serialize)]
#[serde(tag = "kind")]
pub(crate) enum BorrowedDiff<'a> {
    /// A new property.
    N { path: Vec<PathStep>, rhs: &'a Value },
    /// A removed property.
    D { path: Vec<PathStep>, lhs: &'a Value },
    /// A property with a new value.
    E { path: Vec<PathStep>, lhs: &'a Value, rhs: &'a Value },
    /// An item that was added to or removed from a list.
    A { path: Vec<PathStep>, index: usize, item: ItemChange<'a> },
}

/// An [`ArrayChange`] that borrows its value.
#[derive(Debug, Serialize)]
#[serde(tag = "kind")]
pub(crate) enum ItemChange<'a> {
    /// A new item.
    N { rhs: &'a Value },
    /// A removed item.
    D { lhs: &'a Value },
}

/// Returns the changes that turn `before` into `after`; an empty list if they are equal.
#[must_use]
pub(crate) fn compute<'a>(before: &'a Value, after: &'a Value) -> Vec<BorrowedDiff<'a>> {
    let mut changes = Vec::new();
    compare(before, after, &mut Vec::new(), &mut changes);
    changes
}

fn compare<'a>(
    before: &'a Value,
    after: &'a Value,
    path: &mut Vec<PathStep>,
    changes: &mut Vec<BorrowedDiff<'a>>,
) {
    let first = changes.len();
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => compare_objects(before, after, path, changes),
        (Value::Array(before), Value::Array(after)) => compare_lists(before, after, path, changes),
        _ if before == after => {}
        _ => changes.push(replacement(before, after, path)),
    }
    if has_too_many(path, changes, first) {
        changes.truncate(first);
        changes.push(replacement(before, after, path));
    }
}

fn replacement<'a>(before: &'a Value, after: &'a Value, path: &[PathStep]) -> BorrowedDiff<'a> {
    BorrowedDiff::E { path: path.to_vec(), lhs: before, rhs: after }
}

/// Returns true if a property has more than [`MAX_CHANGES`] changes. The root has no limit because its properties are
/// few.
fn has_too_many(path: &[PathStep], changes: &[BorrowedDiff<'_>], first: usize) -> bool {
    !path.is_empty() && changes.len().saturating_sub(first) > MAX_CHANGES
}

fn compare_objects<'a>(
    before: &'a Map<String, Value>,
    after: &'a Map<String, Value>,
    path: &mut Vec<PathStep>,
    changes: &mut Vec<BorrowedDiff<'a>>,
) {
    let first = changes.len();
    for (key, old) in before {
        if has_too_many(path, changes, first) {
            return;
        }
        path.push(PathStep::Key(key.clone()));
        match after.get(key) {
            Some(new) => compare(old, new, path, changes),
            None => changes.push(BorrowedDiff::D { path: path.clone(), lhs: old }),
        }
        path.pop();
    }
    for (key, new) in after.iter().filter(|(key, _)| !before.contains_key(*key)) {
        if has_too_many(path, changes, first) {
            return;
        }
        path.push(PathStep::Key(key.clone()));
        changes.push(BorrowedDiff::N { path: path.clone(), rhs: new });
        path.pop();
    }
}

/// Compares lists by index, not by similarity. Added and removed items come from the end, so that the changes can be
/// undone in order.
fn compare_lists<'a>(
    before: &'a [Value],
    after: &'a [Value],
    path: &mut Vec<PathStep>,
    changes: &mut Vec<BorrowedDiff<'a>>,
) {
    let first = changes.len();
    for (index, new) in after.iter().enumerate().skip(before.len()).rev() {
        if has_too_many(path, changes, first) {
            return;
        }
        changes.push(BorrowedDiff::A { path: path.clone(), index, item: ItemChange::N { rhs: new } });
    }
    for (index, old) in before.iter().enumerate().skip(after.len()).rev() {
        if has_too_many(path, changes, first) {
            return;
        }
        changes.push(BorrowedDiff::A { path: path.clone(), index, item: ItemChange::D { lhs: old } });
    }
    for (index, (old, new)) in before.iter().zip(after).enumerate() {
        if has_too_many(path, changes, first) {
            return;
        }
        path.push(PathStep::Index(index));
        compare(old, new, path, changes);
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::compute;

    /// Each case: before, after, and the changes as JSON.
    #[test]
    fn returns_each_kind_of_change() {
        for (before, after, changes) in [
            (json!({ "a": 1 }), json!({ "a": 1 }), json!([])),
            (json!({}), json!({ "a": null }), json!([{ "kind": "N", "path": ["a"], "rhs": null }])),
            (json!({ "a": false }), json!({}), json!([{ "kind": "D", "path": ["a"], "lhs": false }])),
            (
                json!({ "a": 0 }),
                json!({ "a": "" }),
                json!([{ "kind": "E", "path": ["a"], "lhs": 0, "rhs": "" }]),
            ),
            (
                json!({ "a": [] }),
                json!({ "a": {} }),
                json!([{ "kind": "E", "path": ["a"], "lhs": [], "rhs": {} }]),
            ),
            (
                json!({ "a": [1] }),
                json!({ "a": [1, 2, 3] }),
                json!([
                    { "kind": "A", "path": ["a"], "index": 2, "item": { "kind": "N", "rhs": 3 } },
                    { "kind": "A", "path": ["a"], "index": 1, "item": { "kind": "N", "rhs": 2 } },
                ]),
            ),
            (
                json!({ "a": [1, 2] }),
                json!({ "a": [3] }),
                json!([
                    { "kind": "A", "path": ["a"], "index": 1, "item": { "kind": "D", "lhs": 2 } },
                    { "kind": "E", "path": ["a", 0], "lhs": 1, "rhs": 3 },
                ]),
            ),
            (
                json!({ "a": [{ "b": { "c": "x" } }] }),
                json!({ "a": [{ "b": { "c": "y" } }] }),
                json!([{ "kind": "E", "path": ["a", 0, "b", "c"], "lhs": "x", "rhs": "y" }]),
            ),
        ] {
            let actual: Value = serde_json::to_value(compute(&before, &after)).unwrap();
            assert_eq!(actual, changes, "from {before} to {after}");
        }
    }

    fn numbers(range: std::ops::Range<usize>) -> Value {
        range.collect()
    }

    /// Each case: a value, another one, the number of changes, and the path of the only change if there is one.
    #[test]
    fn many_changes_become_one_replacement() {
        let list =
            |values: Value| json!({ "variants": [{ "name": "a" }, { "overrides": [{ "values": values }] }] });
        let values = json!(["variants", 1, "overrides", 0, "values"]);
        let pairs = |count: usize, value: u64| -> Value {
            let lists: Vec<_> = (0..count).map(|_| json!([value, value])).collect();
            json!({ "a": lists })
        };
        let keys = |range: std::ops::Range<usize>| -> Value {
            let keys: serde_json::Map<_, _> = range.map(|key| (key.to_string(), json!(key))).collect();
            json!({ "a": keys })
        };
        for (before, after, count, path) in [
            (list(numbers(0..300)), list(numbers(1000..1300)), 300, Value::Null),
            (list(numbers(0..301)), list(numbers(1000..1301)), 1, values.clone()),
            (list(json!([])), list(numbers(0..300)), 300, Value::Null),
            (list(json!([])), list(numbers(0..100_000)), 1, values.clone()),
            (list(numbers(0..100_000)), list(json!([])), 1, values),
            (pairs(150, 1), pairs(150, 2), 300, Value::Null),
            (pairs(151, 1), pairs(151, 2), 1, json!(["a"])),
            (keys(0..301), keys(301..301), 1, json!(["a"])),
            (keys(0..0), keys(0..301), 1, json!(["a"])),
            (numbers(0..301), numbers(1000..1301), 301, Value::Null),
        ] {
            let changes: Value = serde_json::to_value(compute(&before, &after)).unwrap();
            let changes = changes.as_array().unwrap();
            assert_eq!(changes.len(), count, "{path}");
            if let [change] = changes.as_slice() {
                let at = |value: &Value| {
                    let steps = path.as_array().unwrap().iter();
                    let pointer = steps.map(|step| {
                        format!("/{}", step.as_str().map_or_else(|| step.to_string(), str::to_owned))
                    });
                    value.pointer(&pointer.collect::<String>()).unwrap().clone()
                };
                let replaced = json!({ "kind": "E", "path": path, "lhs": at(&before), "rhs": at(&after) });
                assert_eq!(*change, replaced);
            }
        }
    }
}
