//! Converts the legal values of context fields: texts in the console, objects with a description on newer servers. Pure.

use serde_json::{Value, json};

/// Property of a context field with its legal values.
const KEY: &str = "legalValues";
/// Maximum number of values that are added and removed one by one. Each needs a request.
const MAX_SINGLE_CHANGES: usize = 10;

/// A change of one legal value.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::compat) enum ValueChange<'a> {
    /// Appends a value without a description.
    Add(&'a str),
    /// Removes a value.
    Remove(&'a str),
}

/// Converts the legal values of a field into texts. An empty list means that all values are allowed, and is removed.
pub(in crate::compat) fn to_texts(field: &mut Value) {
    let Some(field) = field.as_object_mut() else { return };
    let texts: Vec<Value> = values_of(field.get(KEY)).map(Value::from).collect();
    if texts.is_empty() {
        field.remove(KEY);
    } else {
        field.insert(KEY.to_owned(), texts.into());
    }
}

/// Converts the legal values of a field into objects, with the descriptions of `stored`.
pub(in crate::compat) fn to_objects(field: &mut Value, stored: &Value) {
    let Some(values) = field.get_mut(KEY).and_then(Value::as_array_mut) else { return };
    let stored = stored.get(KEY).and_then(Value::as_array);
    for value in values.iter_mut().filter(|value| value.is_string()) {
        let known = stored.and_then(|stored| stored.iter().find(|one| one.get("value") == Some(value)));
        *value = known.cloned().unwrap_or_else(|| json!({ "value": value }));
    }
}

/// Returns the changes of single values that turn `stored` into `desired`; `None` if they differ in anything else, or in
/// too many values.
pub(in crate::compat) fn single_changes<'a>(
    stored: &'a Value,
    desired: &'a Value,
) -> Option<Vec<ValueChange<'a>>> {
    let is_same = |(key, value): (&String, &Value)| key == KEY || stored.get(key) == Some(value);
    if !desired.as_object()?.iter().all(is_same) {
        return None;
    }
    let before: Vec<&str> = values_of(stored.get(KEY)).collect();
    let after: Vec<&str> = values_of(desired.get(KEY)).collect();
    let removed = before.iter().filter(|value| !after.contains(value));
    let added = after.iter().filter(|value| !before.contains(value));
    let kept = before.iter().filter(|value| after.contains(value));
    // Servers append new values.
    if !kept.chain(added.clone()).eq(after.iter()) {
        return None;
    }
    let removed = removed.map(|value| ValueChange::Remove(value));
    let changes: Vec<_> = removed.chain(added.map(|value| ValueChange::Add(value))).collect();
    (changes.len() <= MAX_SINGLE_CHANGES).then_some(changes)
}

/// Returns the values of a list of texts or of objects.
fn values_of(list: Option<&Value>) -> impl Iterator<Item = &str> {
    let values = list.and_then(Value::as_array).into_iter().flatten();
    values.filter_map(|value| value.as_str().or_else(|| value.get("value")?.as_str()))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::ValueChange::{Add, Remove};
    use super::{single_changes, to_objects, to_texts};

    fn stored() -> Value {
        json!({ "name": "region", "description": "R", "stickiness": true, "sortOrder": 5, "usedInProjects": 0,
                "legalValues": [{ "value": "eu", "description": "Europe" }, { "value": "us" }] })
    }

    fn desired(values: &[&str]) -> Value {
        json!({ "name": "region", "description": "R", "stickiness": true, "sortOrder": 5, "legalValues": values })
    }

    #[test]
    fn shows_values_as_texts() {
        for (values, expected) in [
            (json!([{ "value": "eu", "description": "Europe" }, { "value": "us" }]), json!(["eu", "us"])),
            (json!(["eu"]), json!(["eu"])),
            (json!([]), Value::Null),
            (json!(null), Value::Null),
        ] {
            let mut field = json!({ "name": "region", "legalValues": values });
            to_texts(&mut field);
            assert_eq!(field.get("legalValues").cloned().unwrap_or_default(), expected, "{values}");
        }
    }

    #[test]
    fn keeps_the_descriptions_of_remaining_values() {
        let mut field = desired(&["asia", "eu"]);
        to_objects(&mut field, &stored());
        let expected = json!([{ "value": "asia" }, { "value": "eu", "description": "Europe" }]);
        assert_eq!(field["legalValues"], expected);
        let mut without = json!({ "name": "region" });
        to_objects(&mut without, &stored());
        assert_eq!(without, json!({ "name": "region" }));
    }

    #[test]
    fn changes_single_values_only_if_nothing_else_changes() {
        let many: Vec<String> = (0..9).map(|number| number.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        for (values, expected) in [
            (&["eu", "us"][..], Some(vec![])),
            (&["eu", "us", "asia"], Some(vec![Add("asia")])),
            (&["us", "asia"], Some(vec![Remove("eu"), Add("asia")])),
            (&[], Some(vec![Remove("eu"), Remove("us")])),
            // The order changes, or too many values.
            (&["us", "eu"], None),
            (&["asia", "eu", "us"], None),
            (&many, None),
        ] {
            assert_eq!(single_changes(&stored(), &desired(values)), expected, "{values:?}");
        }
        let mut other = desired(&["eu", "us"]);
        other["description"] = json!("Region");
        assert_eq!(single_changes(&stored(), &other), None);
    }
}
