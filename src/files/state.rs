//! The toggles of a file in the format that the embedded flag service imports. Pure.

use std::collections::BTreeSet;

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
    let json = serde_json::from_str::<Value>(content).ok().filter(is_export);
    match json {
        Some(export) if has_sections(&export) => Ok(export),
        Some(response) => Ok(from_client_format(&response)),
        None => {
            let document = read_document(name, content)?;
            from_document(&document).map_err(|fault| format!("{name}: {fault}"))
        }
    }
}

/// Converts a response of `/api/client/features`.
fn from_client_format(response: &Value) -> Value {
    let features: Vec<_> = rows(response, "features").map(complete).collect();
    let segments: Vec<_> = rows(response, "segments").map(with_name).collect();
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
    fn faults_name_the_file_and_the_place() {
        let segment =
            "version: 1\ntoggles:\n  a:\n    strategies:\n      - name: default\n        segments: [beta]\n";
        for (name, text, fault) in [
            ("x.json", "{", "x.json, line 1, column 1: it is not JSON"),
            ("x.yaml", "version: 1\ntoggles:\n  a:\n    enabled: yes\n", "x.yaml, line 4, column 14"),
            ("x.yaml", segment, "x.yaml: the toggle a uses the segment \"beta\""),
        ] {
            let found = read_state(name, text).unwrap_err();
            assert!(found.starts_with(fault), "{found}");
        }
    }
}
