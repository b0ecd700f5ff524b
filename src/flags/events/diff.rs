//! What is different between two values: pure.

use serde_json::{Map, Value};

use crate::flags::model::{ArrayChange, Diff, PathStep};

/// Every change that leads from one value to the other; none where they are the same.
#[must_use]
pub fn between(before: &Value, after: &Value) -> Vec<Diff> {
    let mut changes = Vec::new();
    compare(before, after, &mut Vec::new(), &mut changes);
    changes
}

fn compare(before: &Value, after: &Value, path: &mut Vec<PathStep>, changes: &mut Vec<Diff>) {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => compare_objects(before, after, path, changes),
        (Value::Array(before), Value::Array(after)) => compare_lists(before, after, path, changes),
        _ if before == after => {}
        _ => changes.push(Diff::E { path: path.clone(), lhs: before.clone(), rhs: after.clone() }),
    }
}

fn compare_objects(
    before: &Map<String, Value>,
    after: &Map<String, Value>,
    path: &mut Vec<PathStep>,
    changes: &mut Vec<Diff>,
) {
    for (key, old) in before {
        path.push(PathStep::Key(key.clone()));
        match after.get(key) {
            Some(new) => compare(old, new, path, changes),
            None => changes.push(Diff::D { path: path.clone(), lhs: old.clone() }),
        }
        path.pop();
    }
    for (key, new) in after.iter().filter(|(key, _)| !before.contains_key(*key)) {
        path.push(PathStep::Key(key.clone()));
        changes.push(Diff::N { path: path.clone(), rhs: new.clone() });
        path.pop();
    }
}

/// By place, not by likeness, and from the end: read top to bottom, the changes can be taken back one after another.
fn compare_lists(before: &[Value], after: &[Value], path: &mut Vec<PathStep>, changes: &mut Vec<Diff>) {
    for (index, new) in after.iter().enumerate().skip(before.len()).rev() {
        changes.push(Diff::A { path: path.clone(), index, item: ArrayChange::N { rhs: new.clone() } });
    }
    for (index, old) in before.iter().enumerate().skip(after.len()).rev() {
        changes.push(Diff::A { path: path.clone(), index, item: ArrayChange::D { lhs: old.clone() } });
    }
    for (index, (old, new)) in before.iter().zip(after).enumerate() {
        path.push(PathStep::Index(index));
        compare(old, new, path, changes);
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::between;

    /// Each case: before, after, the changes as they go over the wire.
    #[test]
    fn each_kind_of_change_is_told() {
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
            let told: Value = serde_json::to_value(between(&before, &after)).unwrap();
            assert_eq!(told, changes, "from {before} to {after}");
        }
    }
}
