//! The toggles of a file in the format that the embedded flag service imports. Pure.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};

use super::document::Document;
use super::exports::{has_sections, is_export};
use super::source::read_document;
use crate::api::state::STATE_VERSION;
use crate::config::DEFAULT_PROJECT;
use crate::state_export::{rows, text};

/// Reads a file: an export, a response of `/api/client/features`, or a file with toggles in YAML or JSON. `name` is for messages.
///
/// # Errors
/// A sentence about the first fault.
pub fn read_state(name: &str, content: &str) -> Result<Value, String> {
    let json = serde_json::from_str::<Value>(content).ok();
    if let Some(json) = json.as_ref().filter(|json| !is_export(json) && json.get("toggles").is_none()) {
        let kind = if json.is_object() { "an object without the property features" } else { "no object" };
        return Err(format!(
            "{name} is {kind}; use a response of /api/client/features, an export, or a file of flagdeck pull"
        ));
    }
    if json.is_some() {
        check_keys(content).map_err(|fault| format!("{name}: {fault}"))?;
    }
    let Some(export) = json.filter(is_export) else {
        let document = read_document(name, content)?;
        return from_document(&document).map_err(|fault| format!("{name}: {fault}"));
    };
    check_items(&export).map_err(|fault| format!("{name}: {fault}"))?;
    Ok(if has_sections(&export) { export } else { from_client_format(&export) })
}

/// Refuses an object with a key that occurs twice, of which parsers use one.
fn check_keys(content: &str) -> Result<(), serde_json::Error> {
    serde_json::from_str::<UniqueKeys>(content).map(|UniqueKeys| ())
}

/// Refuses two toggles with a name, two segments with an id, and an export whose strategies have no order that matters: the variant of a
/// toggle comes from the first strategy that matches.
fn check_items(export: &Value) -> Result<(), String> {
    for (list, key) in [("features", "name"), ("segments", "id")] {
        let mut known = BTreeSet::new();
        for item in rows(export, list).filter_map(|row| row.get(key)) {
            if !known.insert(item.to_string()) {
                return Err(format!("{list} contains two items with the {key} {item}; remove one of them"));
            }
        }
    }
    let mut strategies = BTreeMap::<_, Vec<_>>::new();
    for row in rows(export, "featureStrategies").filter(|row| row.get("sortOrder").is_none()) {
        strategies.entry((text(row, "environment"), text(row, "featureName"))).or_default().push(row);
    }
    let has_variants =
        |row: &&Value| row.get("variants").and_then(Value::as_array).is_some_and(|all| !all.is_empty());
    let ambiguous = strategies.iter().find(|(_, rows)| rows.len() > 1 && rows.iter().any(has_variants));
    let Some(((_, Some(toggle)), _)) = ambiguous else { return Ok(()) };
    Err(format!(
        "the toggle {toggle} has several strategies with variants, and this export does not contain their order, which decides about \
         the variant; use a response of /api/client/features"
    ))
}

/// Any JSON whose objects have each key once.
struct UniqueKeys;

impl<'de> Deserialize<'de> for UniqueKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for UniqueKeys {
    type Value = Self;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
        while items.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self, A::Error> {
        let mut known = BTreeSet::new();
        while let Some(key) = entries.next_key::<String>()? {
            if known.contains(&key) {
                return Err(A::Error::custom(format!("the key {key:?} occurs twice in an object")));
            }
            entries.next_value::<Self>()?;
            known.insert(key);
        }
        Ok(self)
    }
}

/// Converts a response of `/api/client/features`. A property that is null counts as missing, as for SDKs.
fn from_client_format(response: &Value) -> Value {
    let features: Vec<_> =
        rows(response, "features").map(without_null).map(|toggle| complete(&toggle)).collect();
    let segments: Vec<_> =
        rows(response, "segments").map(without_null).map(|segment| with_name(&segment)).collect();
    state_of(&features, &segments).into()
}

/// Converts a file with toggles. A property that the file does not own has the value of a new toggle.
fn from_document(document: &Document) -> Result<Value, String> {
    let (mut features, mut tags) = (Vec::new(), Vec::new());
    for (name, toggle) in &document.toggles {
        let mut strategies = toggle.strategies.iter().flatten();
        if let Some(segment) = strategies.find_map(|strategy| strategy.segments.first()) {
            return Err(format!(
                "the toggle {name} uses the segment {segment:?}, whose constraints a file of flagdeck pull does not contain; use \
                 a response of /api/client/features"
            ));
        }
        let mut properties = toggle.to_properties().map_err(|fault| fault.to_string())?;
        properties.insert("name".to_owned(), name.clone().into());
        for tag in toggle.tags.iter().flatten() {
            tags.push(json!({ "featureName": name, "tagType": tag.kind, "tagValue": tag.value }));
        }
        features.push(complete(&properties.into()));
    }
    let types: BTreeSet<_> = tags.iter().filter_map(|tag| text(tag, "tagType")).collect();
    let types: Vec<_> = types.iter().map(|name| json!({ "name": name })).collect();
    let mut state = state_of(&features, &[]);
    state.extend([("tagTypes".to_owned(), types.into()), ("featureTags".to_owned(), tags.into())]);
    Ok(state.into())
}

/// Returns a state with these toggles, their projects and segments.
fn state_of(features: &[Value], segments: &[Value]) -> Map<String, Value> {
    let projects: BTreeSet<_> = features.iter().filter_map(|toggle| text(toggle, "project")).collect();
    let projects: Vec<_> = projects
        .into_iter()
        .filter(|id| *id != DEFAULT_PROJECT)
        .map(|id| json!({ "id": id, "name": id }))
        .collect();
    let sections = [
        ("version", STATE_VERSION.into()),
        ("projects", projects.into()),
        ("segments", segments.into()),
        ("features", features.into()),
    ];
    sections.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// Returns the value without properties that are null.
fn without_null(value: &Value) -> Value {
    match value {
        Value::Object(properties) => {
            let kept = properties.iter().filter(|(_, value)| !value.is_null());
            kept.map(|(key, value)| (key.clone(), without_null(value))).collect()
        }
        Value::Array(items) => items.iter().map(without_null).collect(),
        other => other.clone(),
    }
}

/// Returns a toggle with at least one strategy. SDKs evaluate a toggle without strategies as on for everyone.
fn complete(toggle: &Value) -> Value {
    let mut toggle = toggle.as_object().cloned().unwrap_or_default();
    let has_strategies =
        toggle.get("strategies").and_then(Value::as_array).is_some_and(|all| !all.is_empty());
    if !has_strategies {
        toggle.insert("strategies".to_owned(), json!([{ "name": "default" }]));
    }
    toggle.into()
}

/// Returns a segment with a name, which responses for SDKs may omit.
fn with_name(segment: &Value) -> Value {
    let mut segment: Map<_, _> = segment.as_object().cloned().unwrap_or_default();
    if text(&Value::Object(segment.clone()), "name").is_none() {
        let name = format!("segment {}", segment.get("id").unwrap_or(&Value::Null));
        segment.insert("name".to_owned(), name.into());
    }
    segment.into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::read_state;

    #[test]
    fn response_for_sdks_gets_projects_strategies_and_names_of_segments() {
        let response = json!({
            "version": 2,
            "features": [
                { "name": "one", "project": "shop", "enabled": true, "strategies": [] },
                { "name": "two", "project": "default", "strategies": [{ "name": "flexibleRollout" }] },
            ],
            "segments": [{ "id": 7, "constraints": [] }, { "id": 8, "name": "beta", "constraints": [] }],
            "query": { "environment": "production" },
        });
        let state = json!({
            "version": 1,
            "features": [
                { "name": "one", "project": "shop", "enabled": true, "strategies": [{ "name": "default" }] },
                { "name": "two", "project": "default", "strategies": [{ "name": "flexibleRollout" }] },
            ],
            "projects": [{ "id": "shop", "name": "shop" }],
            "segments": [
                { "id": 7, "name": "segment 7", "constraints": [] },
                { "id": 8, "name": "beta", "constraints": [] },
            ],
        });
        assert_eq!(read_state("features.json", &response.to_string()), Ok(state));
    }

    #[test]
    fn export_stays_as_it_is() {
        let export = json!({ "version": 1, "features": [{ "name": "one" }], "projects": [] });
        assert_eq!(read_state("export.json", &export.to_string()), Ok(export));
    }

    #[test]
    fn file_of_pull_has_the_defaults_of_new_toggles_and_its_tags() {
        let text = "version: 1\ntoggles:\n  shop.pay:\n    enabled: true\n    project: shop\n    tags:\n      - type: team\n        value: web\n";
        let state = json!({
            "version": 1,
            "features": [{
                "name": "shop.pay", "enabled": true, "project": "shop", "strategies": [{ "name": "default" }],
                "tags": [{ "type": "team", "value": "web" }],
            }],
            "projects": [{ "id": "shop", "name": "shop" }],
            "segments": [],
            "tagTypes": [{ "name": "team" }],
            "featureTags": [{ "featureName": "shop.pay", "tagType": "team", "tagValue": "web" }],
        });
        assert_eq!(read_state("flags.yaml", text), Ok(state));
    }

    #[test]
    fn properties_that_are_null_count_as_missing() {
        let text =
            r#"{"features":[{"name":"a","type":null,"strategies":[{"name":"default","parameters":null}]}]}"#;
        let features = json!([{ "name": "a", "strategies": [{ "name": "default" }] }]);
        assert_eq!(read_state("x.json", text).unwrap()["features"], features);
    }

    /// Exports of Unleash 8 do not contain the order of strategies.
    const UNORDERED: &str = r#"{"features":[{"name":"a"}],"featureEnvironments":[],"featureStrategies":[
        {"name":"default","featureName":"a"},{"name":"default","featureName":"a","variants":[{"name":"x"}]}]}"#;

    #[test]
    fn faults_name_the_file_and_the_place() {
        let segment =
            "version: 1\ntoggles:\n  a:\n    strategies:\n      - name: default\n        segments: [beta]\n";
        for (name, text, fault) in [
            ("x.json", "{", "x.json, line 1, column 1: it is not JSON"),
            ("x.json", "{}", "x.json is an object without the property features; use a response"),
            ("x.json", "[]", "x.json is no object; use a response"),
            (
                "x.json",
                r#"{"features":[{"name":"a"}],"features":[]}"#,
                "x.json: the key \"features\" occurs twice",
            ),
            (
                "x.json",
                r#"{"features":[{"name":"a","enabled":true,"enabled":false}]}"#,
                "x.json: the key \"enabled\"",
            ),
            (
                "x.json",
                r#"{"features":[{"name":"a"},{"name":"a"}]}"#,
                "x.json: features contains two items with the name \"a\"",
            ),
            (
                "x.json",
                r#"{"features":[],"segments":[{"id":1},{"id":1}]}"#,
                "x.json: segments contains two items with the id 1",
            ),
            ("x.json", UNORDERED, "x.json: the toggle a has several strategies with variants"),
            ("x.yaml", "version: 1\ntoggles:\n  a:\n    enabled: yes\n", "x.yaml, line 4, column 14"),
            ("x.yaml", segment, "x.yaml: the toggle a uses the segment \"beta\""),
        ] {
            let found = read_state(name, text).unwrap_err();
            assert!(found.starts_with(fault), "{found}");
        }
    }
}
