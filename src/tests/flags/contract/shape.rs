//! Compares a response with a recorded one: properties, types, literal values, and the order of items. List items are
//! matched by their identifying property, so that an additional item does not shift all others.

use serde_json::Value;

/// Adds the differences: `-` for missing, `+` for additional, `~` for changed.
pub(super) fn compare(recorded: &Value, returned: &Value, path: &str, differences: &mut Vec<String>) {
    match (recorded, returned) {
        (Value::Object(recorded), Value::Object(returned)) => {
            for (key, value) in recorded {
                match returned.get(key) {
                    Some(other) => compare(value, other, &property_path(path, key), differences),
                    None => differences.push(format!("- {}", property_path(path, key))),
                }
            }
            let more = returned.keys().filter(|key| !recorded.contains_key(*key));
            differences.extend(more.map(|key| format!("+ {}", property_path(path, key))));
        }
        (Value::Array(recorded), Value::Array(returned)) => {
            compare_lists(recorded, returned, path, differences);
        }
        _ if matches_value(recorded, returned) => {}
        _ => differences.push(format!("~ {path}: {recorded} → {returned}")),
    }
}

fn compare_lists(recorded: &[Value], returned: &[Value], path: &str, differences: &mut Vec<String>) {
    let (recorded, returned) = (items_by_name(recorded), items_by_name(returned));
    for (name, value) in &recorded {
        match returned.iter().find(|(other, _)| other == name) {
            Some((_, other)) => compare(value, other, &format!("{path}[{name}]"), differences),
            None => differences.push(format!("- {path}[{name}]")),
        }
    }
    let has = |list: &[(String, &Value)], name: &String| list.iter().any(|(other, _)| other == name);
    let more = returned.iter().filter(|(name, _)| !has(&recorded, name));
    differences.extend(more.map(|(name, _)| format!("+ {path}[{name}]")));
    let order = |list: &[(String, &Value)], other: &[(String, &Value)]| -> Vec<String> {
        list.iter().map(|(name, _)| name.clone()).filter(|name| has(other, name)).collect()
    };
    if order(&recorded, &returned) != order(&returned, &recorded) {
        differences.push(format!("~ {path}: order"));
    }
}

/// Returns the items with unique names.
fn items_by_name(items: &[Value]) -> Vec<(String, &Value)> {
    let mut named: Vec<(String, &Value)> = Vec::new();
    for item in items {
        let name = name(item);
        let same = named.iter().filter(|(other, _)| other.split('#').next() == Some(&name)).count();
        named.push((if same == 0 { name } else { format!("{name}#{}", same + 1) }, item));
    }
    named
}

/// Returns the value that identifies an item in its list.
fn name(item: &Value) -> String {
    let text = |key: &str| item[key].as_str().filter(|text| !text.starts_with('<'));
    let of = |inner: &Value| if inner.is_null() { None } else { Some(name(inner)) };
    if let Some(path) = item["path"].as_array() {
        let steps: Vec<String> = path.iter().chain(item.get("index")).map(Value::to_string).collect();
        return format!("{} {}", text("kind").unwrap_or_default(), steps.join("."));
    }
    if let (Some(kind), Some(data)) = (text("type"), of(&item["data"])) {
        return format!("{kind} {data}").trim_end().to_owned();
    }
    if let (Some(kind), Some(value)) = (text("type"), text("value")) {
        return format!("{kind}:{value}");
    }
    let known = ["name", "featureName", "id", "appName", "contextName"].iter().find_map(|key| text(key));
    known
        .map(str::to_owned)
        .or_else(|| of(&item["tag"]))
        .or_else(|| item.as_str().map(str::to_owned))
        .unwrap_or_default()
}

fn matches_value(recorded: &Value, returned: &Value) -> bool {
    match recorded.as_str() {
        Some("<any>") => true,
        Some("<text>") => returned.is_string(),
        Some("<number>") => returned.is_number(),
        Some("<time>") => returned.as_str().is_some_and(|text| text.parse::<jiff::Timestamp>().is_ok()),
        _ => recorded == returned,
    }
}

fn property_path(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
