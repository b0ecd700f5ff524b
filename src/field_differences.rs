//! Differences between versions of a JSON value by field: `strategies[userWithId].parameters.userIds: "7" → "7,8"`. Pure.
//!
//! Items of lists are matched by their names and not by their positions, so that a new item in front of the others is one difference.

use std::collections::BTreeSet;

use serde_json::Value;

/// Properties that identify an item of a list, and the text between them. Items without one of these sets are values.
const IDENTITIES: [(&[&str], &str); 5] = [
    (&["contextName", "operator"], " "),
    (&["contextName"], ""),
    (&["name"], ""),
    (&["feature"], ""),
    (&["type", "value"], ":"),
];
/// Maximum number of characters of a value.
const MAX_VALUE: usize = 120;
/// Maximum number of added and removed items of a long list.
const MAX_ITEMS: usize = 10;
/// Number of equal characters before the difference of two long values.
const CONTEXT: usize = 10;

/// Value of a field that a side does not have.
static ABSENT: Value = Value::Null;

/// A field that differs between the sides.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FieldDifference {
    /// Path of the field. The field of a list with named items contains their names in their order.
    pub(crate) path: String,
    /// Value of each side; null if it does not have the field.
    pub(crate) values: Vec<Value>,
}

/// Returns the fields that differ between versions of a value. An absent side is null. Different values have at least one difference.
pub(crate) fn compare(path: &str, sides: &[&Value]) -> Vec<FieldDifference> {
    let mut differences = Vec::new();
    compare_values(path, sides, &[], &mut differences);
    differences
}

impl FieldDifference {
    /// Describes the difference between two sides in one line that begins with `+`, `~` or `-`.
    pub(crate) fn to_line(&self) -> String {
        let Self { path, values } = self;
        let [before, after] = values.as_slice() else { return path.clone() };
        let mark = match (before, after) {
            (Value::Null, _) => '+',
            (_, Value::Null) => '-',
            _ => '~',
        };
        format!("{mark} {path}: {}", describe_change(path, before, after))
    }
}

fn compare_values(path: &str, sides: &[&Value], identity: &[&str], differences: &mut Vec<FieldDifference>) {
    if are_equal(sides) {
        return;
    }
    let count = differences.len();
    if sides.iter().all(|side| side.is_null() || side.is_object()) {
        let keys: BTreeSet<_> =
            sides.iter().filter_map(|side| side.as_object()).flat_map(|side| side.keys()).collect();
        for key in keys.into_iter().filter(|key| !identity.contains(&key.as_str())) {
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            let sides: Vec<_> = sides.iter().map(|side| side.get(key).unwrap_or(&ABSENT)).collect();
            compare_values(&path, &sides, &[], differences);
        }
    } else if let Some(Items { items, names }) = Items::of_lists(sides) {
        if !are_equal(&names.iter().collect::<Vec<_>>()) {
            differences.push(FieldDifference { path: path.to_owned(), values: names });
        }
        for item in items {
            compare_values(&format!("{path}[{}]", item.label), &item.sides, item.keys, differences);
        }
        return;
    }
    // The identity of a new item is in the field of its list.
    if differences.len() == count && identity.is_empty() {
        let values = sides.iter().map(|side| (*side).clone()).collect();
        differences.push(FieldDifference { path: path.to_owned(), values });
    }
}

fn are_equal<T: PartialEq>(values: &[T]) -> bool {
    values.array_windows().all(|[one, other]| one == other)
}

/// The items of lists.
struct Items<'v> {
    items: Vec<Item<'v>>,
    /// The labels of each list in their order; null for an absent list.
    names: Vec<Value>,
}

/// An item that some of the lists contain.
struct Item<'v> {
    name: String,
    /// The name, with a number from the second item of a name on.
    label: String,
    /// Keys of the properties that are in the name.
    keys: &'static [&'static str],
    /// The item in each list.
    sides: Vec<&'v Value>,
}

impl<'v> Items<'v> {
    /// Matches the items of lists: first equal ones, then those of one name. Returns `None` if a side is no list, or has items
    /// without a name.
    fn of_lists(sides: &[&'v Value]) -> Option<Self> {
        let mut items: Vec<Item<'v>> = Vec::new();
        let mut names = Vec::new();
        for (side, value) in sides.iter().enumerate() {
            let list = if value.is_null() { &[][..] } else { value.as_array()? };
            let mut order = vec![None; list.len()];
            for must_be_equal in [true, false] {
                for (value, place) in list.iter().zip(&mut order).filter(|(_, place)| place.is_none()) {
                    let (name, _) = identify(value)?;
                    let is_version = |item: &Item<'_>| {
                        item.name == name
                            && item.sides.get(side).is_some_and(|side| side.is_null())
                            && (!must_be_equal || item.sides.contains(&value))
                    };
                    *place = items.iter().position(is_version);
                    if let Some(item) = place.and_then(|index| items.get_mut(index)?.sides.get_mut(side)) {
                        *item = value;
                    }
                }
            }
            let mut labels = Vec::new();
            for (value, place) in list.iter().zip(order) {
                let item = if let Some(index) = place {
                    items.get(index)?
                } else {
                    let (name, keys) = identify(value)?;
                    let label = match items.iter().filter(|item| item.name == name).count() {
                        0 => name.clone(),
                        others => format!("{name} #{}", others + 1),
                    };
                    let mut sides = vec![&ABSENT; sides.len()];
                    *sides.get_mut(side)? = value;
                    items.push(Item { name, label, keys, sides });
                    items.last()?
                };
                labels.push(Value::from(item.label.as_str()));
            }
            names.push(if value.is_null() { Value::Null } else { labels.into() });
        }
        Some(Self { items, names })
    }
}

/// Returns the name of an item of a list, and the keys of the properties in it.
fn identify(item: &Value) -> Option<(String, &'static [&'static str])> {
    IDENTITIES.iter().find_map(|(keys, separator)| {
        let parts: Option<Vec<_>> = keys.iter().map(|key| item.get(key)?.as_str()).collect();
        Some((parts?.join(separator), *keys))
    })
}

/// Describes a change: the values, or the added and removed items of a long list.
fn describe_change(path: &str, before: &Value, after: &Value) -> String {
    let values = [before, after].into_iter().filter(|value| !value.is_null());
    let texts: Vec<_> = values.map(Value::to_string).collect();
    if texts.iter().any(|text| text.chars().count() > MAX_VALUE)
        && let (Some(old), Some(new)) = (items_of(path, before), items_of(path, after))
        && old != new
    {
        let missing_in = |items: &BTreeSet<String>, others: &BTreeSet<String>, mark: char| {
            let missing: Vec<_> = items.difference(others).map(|item| format!("{mark} {item}")).collect();
            let shown = missing.get(..MAX_ITEMS).unwrap_or(&missing).join(", ");
            match missing.len().saturating_sub(MAX_ITEMS) {
                0 => shown,
                more => format!("{shown} and {more} more"),
            }
        };
        let mut changes = vec![missing_in(&new, &old, '+'), missing_in(&old, &new, '-')];
        changes.retain(|change| !change.is_empty());
        return changes.join(", ");
    }
    let texts: Vec<_> = texts.iter().map(String::as_str).collect();
    shorten(&texts, MAX_VALUE).join(" → ")
}

/// Returns the items of a list. Parameters of strategies are texts, which can be lists.
fn items_of(path: &str, value: &Value) -> Option<BTreeSet<String>> {
    match value {
        Value::Null => Some(BTreeSet::new()),
        Value::Array(items) => Some(items.iter().map(Value::to_string).collect()),
        Value::String(text) if path.contains(".parameters.") => {
            let entries = text.split([',', '\n']).map(str::trim).filter(|entry| !entry.is_empty());
            Some(entries.map(|entry| Value::from(entry).to_string()).collect())
        }
        _ => None,
    }
}

/// Shortens texts to `max` characters. Long ones start before their first difference.
pub(crate) fn shorten(texts: &[&str], max: usize) -> Vec<String> {
    let is_long = |text: &str| text.chars().count() > max;
    let common = match texts {
        [first, others @ ..] if !others.is_empty() && texts.iter().any(|text| is_long(text)) => {
            let is_common = |(index, letter): &(usize, char)| {
                others.iter().all(|other| other.get(*index..).is_some_and(|rest| rest.starts_with(*letter)))
            };
            first.char_indices().take_while(is_common).count()
        }
        _ => 0,
    };
    let start = if common > CONTEXT * 2 { common - CONTEXT } else { 0 };
    let shorten = |text: &&str| {
        let rest: String = text.chars().skip(start).collect();
        let mark = if start > 0 { "…" } else { "" };
        if is_long(&rest) {
            let shown: String = rest.chars().take(max - 1).collect();
            format!("{mark}{shown}…")
        } else {
            format!("{mark}{rest}")
        }
    };
    texts.iter().map(shorten).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{FieldDifference, compare};

    fn lines(before: &Value, after: &Value) -> Vec<String> {
        compare("", &[before, after]).iter().map(FieldDifference::to_line).collect()
    }

    #[test]
    fn describes_each_field_that_differs() {
        let rollout =
            |rollout: &str| json!({ "name": "flexibleRollout", "parameters": { "rollout": rollout } });
        let users = |users: &str| json!({ "name": "userWithId", "parameters": { "userIds": users } });
        let country = |values: Value| json!({ "contextName": "country", "operator": "IN", "values": values });
        let many = |from: usize, to: usize| (from..to).map(|id| id.to_string()).collect::<Vec<_>>().join(",");
        let text = |word: &str| format!("{} {word} {}", "a".repeat(150), "b".repeat(150));
        for (before, after, expected) in [
            (json!({ "a": [1] }), json!({ "a": [1] }), vec![]),
            (json!({ "enabled": false }), json!({ "enabled": true }), vec!["~ enabled: false → true"]),
            (json!({}), json!({ "stale": true }), vec!["+ stale: true"]),
            (json!({ "description": "a\"b" }), json!({}), vec![r#"- description: "a\"b""#]),
            (json!({ "a": {} }), json!({}), vec!["- a: {}"]),
            (json!({ "a": { "b": 1 } }), json!({ "a": [] }), vec![r#"~ a: {"b":1} → []"#]),
            (
                json!({ "strategies": [rollout("25"), users("7")] }),
                json!({ "strategies": [rollout("50"), users("7,8")] }),
                vec![
                    r#"~ strategies[flexibleRollout].parameters.rollout: "25" → "50""#,
                    r#"~ strategies[userWithId].parameters.userIds: "7" → "7,8""#,
                ],
            ),
            (
                json!({ "strategies": [rollout("25"), rollout("50")] }),
                json!({ "strategies": [users("7"), rollout("50")] }),
                vec![
                    r#"~ strategies: ["flexibleRollout","flexibleRollout #2"] → ["userWithId","flexibleRollout #2"]"#,
                    r#"- strategies[flexibleRollout].parameters.rollout: "25""#,
                    r#"+ strategies[userWithId].parameters.userIds: "7""#,
                ],
            ),
            (
                json!({ "strategies": [rollout("25"), users("7")] }),
                json!({ "strategies": [users("7"), rollout("25")] }),
                vec![r#"~ strategies: ["flexibleRollout","userWithId"] → ["userWithId","flexibleRollout"]"#],
            ),
            (
                json!({ "constraints": [country(json!(["de"])), { "contextName": "plan", "operator": "IN" }] }),
                json!({ "constraints": [country(json!(["de", "fr"]))] }),
                vec![
                    r#"~ constraints: ["country IN","plan IN"] → ["country IN"]"#,
                    r#"~ constraints[country IN].values: ["de"] → ["de","fr"]"#,
                ],
            ),
            (
                json!({}),
                json!({ "dependencies": [{ "feature": "shop", "variants": ["red"] }] }),
                vec![r#"+ dependencies: ["shop"]"#, r#"+ dependencies[shop].variants: ["red"]"#],
            ),
            (
                json!({ "tags": [{ "type": "simple", "value": "a/b" }] }),
                json!({ "tags": [{ "type": "team", "value": "on" }] }),
                vec![r#"~ tags: ["simple:a/b"] → ["team:on"]"#],
            ),
            (
                json!({ "strategies": [users(&many(1000, 1500))] }),
                json!({ "strategies": [users(&many(1001, 1512))] }),
                vec![
                    "~ strategies[userWithId].parameters.userIds: + \"1500\", + \"1501\", + \"1502\", + \"1503\", + \"1504\", + \"1505\", \
                     + \"1506\", + \"1507\", + \"1508\", + \"1509\" and 2 more, - \"1000\"",
                ],
            ),
        ] {
            assert_eq!(lines(&before, &after), expected, "{before} → {after}");
        }
        let difference =
            lines(&json!({ "description": text("old") }), &json!({ "description": text("new") }));
        let (old, new) = difference.first().unwrap().split_once(" → ").unwrap();
        assert!(old.starts_with("~ description: …aaaaaaaaa old b") && old.ends_with("b…"), "{old}");
        assert!(new.starts_with("…aaaaaaaaa new b") && new.chars().count() < 130, "{new}");
    }

    #[test]
    fn compares_any_number_of_sides() {
        let side = |names: &[&str], enabled: bool| {
            let variants: Vec<_> =
                names.iter().map(|name| json!({ "name": name, "weight": name.len() })).collect();
            json!({ "enabled": enabled, "variants": variants })
        };
        let sides = [side(&["red"], true), json!(null), side(&["blue", "red"], true)];
        let differences = compare("", &sides.iter().collect::<Vec<_>>());
        let found: Vec<_> =
            differences.iter().map(|one| (one.path.as_str(), Value::from(one.values.clone()))).collect();
        assert_eq!(
            found,
            [
                ("enabled", json!([true, null, true])),
                ("variants", json!([["red"], null, ["blue", "red"]])),
                ("variants[red].weight", json!([3, null, 3])),
                ("variants[blue].weight", json!([null, null, 4])),
            ]
        );
    }
}
