//! The fake behaves like recordings of real servers.

use serde_json::{Value, json};

use crate::support::newer_server::{Model, VERSIONS, Version};

const STATE: [&str; 6] = ["projects", "default", "features", "search", "environments", "development"];

fn request(model: &mut Model, method: &str, rest: &[&str], body: &Value) -> (u16, Value) {
    model.handle(method, &[&STATE[..], rest].concat(), "", body)
}

fn model(version: Version) -> Model {
    let mut model = Model::new(version);
    model.add("search", json!({}));
    model
}

/// The strategy that was recorded, without its ids.
fn recorded() -> Value {
    json!({
        "name": "flexibleRollout", "title": "Beta people", "disabled": true, "constraints": [], "segments": [1],
        "parameters": { "rollout": "50", "stickiness": "userId", "groupId": "g" },
        "variants": [{ "name": "blue", "weight": 1000, "weightType": "variable", "stickiness": "userId" }],
    })
}

#[test]
fn a_replacement_resets_missing_variants_constraints_and_parameters() {
    for version in [Version::V5_12, Version::V6_10, Version::V8_2] {
        let mut model = model(version);
        let (_, added) = request(&mut model, "POST", &["strategies"], &recorded());
        for (key, value) in recorded().as_object().unwrap() {
            assert_eq!(&added[key], value, "{version:?} {key}");
        }
        let id = added["id"].as_str().unwrap();
        let parameters = json!({ "rollout": "55", "stickiness": "userId", "groupId": "g" });
        let body = json!({ "name": "flexibleRollout", "parameters": parameters });
        let (_, replaced) = request(&mut model, "PUT", &["strategies", id], &body);
        let mut expected = recorded();
        expected["parameters"] = parameters;
        expected["variants"] = json!([]);
        expected["id"] = json!(id);
        expected["sortOrder"] = json!(0);
        assert_eq!(replaced, expected, "{version:?}");
        let (_, reset) =
            request(&mut model, "PUT", &["strategies", id], &json!({ "name": "flexibleRollout" }));
        let is_reset = reset["parameters"]["rollout"] == "100";
        assert_eq!(is_reset, version == Version::V8_2, "{version:?}");
    }
}

#[test]
fn switching_on_without_enabled_strategies_adds_a_rollout() {
    for version in VERSIONS {
        let mut model = model(version);
        request(&mut model, "POST", &["on"], &Value::Null);
        assert_eq!(model.strategies("search")[0]["parameters"]["rollout"], "100", "{version:?}");
    }
}

#[test]
fn the_toggle_is_off_without_enabled_strategies() {
    for version in VERSIONS {
        let mut model = model(version);
        let (_, added) = request(&mut model, "POST", &["strategies"], &json!({ "name": "default" }));
        request(&mut model, "POST", &["on"], &Value::Null);
        assert_eq!(model.strategies("search").len(), 1);
        request(&mut model, "DELETE", &["strategies", added["id"].as_str().unwrap()], &Value::Null);
        assert_eq!(model.state("search", "development")["enabled"], false, "{version:?}");
    }
}

#[test]
fn first_variants_are_refused_from_6_10_on() {
    for version in VERSIONS {
        let variants = json!([{ "name": "blue", "weight": 1000 }]);
        let (status, _) = request(&mut model(version), "PUT", &["variants"], &variants);
        assert_eq!(status, if version >= Version::V6_10 { 403 } else { 200 }, "{version:?}");
    }
}
