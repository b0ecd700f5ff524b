//! Compares an answer with a recorded one: the same properties of the same types, the same facts, items in the same
//! order. Items of lists are matched by what names them, so that one too many does not shift all others.

use serde_json::Value;

/// Notes what differs: `-` is missing, `+` is more, `~` is other.
pub(super) fn compare(recorded: &Value, answered: &Value, path: &str, differences: &mut Vec<String>) {
    match (recorded, answered) {
        (Value::Object(recorded), Value::Object(answered)) => {
            for (key, value) in recorded {
                match answered.get(key) {
                    Some(other) => compare(value, other, &inside(path, key), differences),
                    None => differences.push(format!("- {}", inside(path, key))),
                }
            }
            let more = answered.keys().filter(|key| !recorded.contains_key(*key));
            differences.extend(more.map(|key| format!("+ {}", inside(path, key))));
        }
        (Value::Array(recorded), Value::Array(answered)) => {
            compare_lists(recorded, answered, path, differences);
        }
        _ if fits(recorded, answered) => {}
        _ => differences.push(format!("~ {path}: {recorded} → {answered}")),
    }
}

fn compare_lists(recorded: &[Value], answered: &[Value], path: &str, differences: &mut Vec<String>) {
    let (recorded, answered) = (named(recorded), named(answered));
    for (name, value) in &recorded {
        match answered.iter().find(|(other, _)| other == name) {
            Some((_, other)) => compare(value, other, &format!("{path}[{name}]"), differences),
            None => differences.push(format!("- {path}[{name}]")),
        }
    }
    let has = |list: &[(String, &Value)], name: &String| list.iter().any(|(other, _)| other == name);
    let more = answered.iter().filter(|(name, _)| !has(&recorded, name));
    differences.extend(more.map(|(name, _)| format!("+ {path}[{name}]")));
    let order = |list: &[(String, &Value)], other: &[(String, &Value)]| -> Vec<String> {
        list.iter().map(|(name, _)| name.clone()).filter(|name| has(other, name)).collect()
    };
    if order(&recorded, &answered) != order(&answered, &recorded) {
        differences.push(format!("~ {path}: order"));
    }
}

/// Each item with a name of its own.
fn named(items: &[Value]) -> Vec<(String, &Value)> {
    let mut named: Vec<(String, &Value)> = Vec::new();
    for item in items {
        let name = name(item);
        let same = named.iter().filter(|(other, _)| other.split('#').next() == Some(&name)).count();
        named.push((if same == 0 { name } else { format!("{name}#{}", same + 1) }, item));
    }
    named
}

/// What tells an item from the others in its list.
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

fn fits(recorded: &Value, answered: &Value) -> bool {
    match recorded.as_str() {
        Some("<any>") => true,
        Some("<text>") => answered.is_string(),
        Some("<number>") => answered.is_number(),
        Some("<time>") => answered.as_str().is_some_and(|text| text.parse::<jiff::Timestamp>().is_ok()),
        _ => recorded == answered,
    }
}

fn inside(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
