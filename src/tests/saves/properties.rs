//! No data loss: for generated toggles and edits, a save changes the edited properties and nothing else.

use std::collections::BTreeSet;

use actix_web::http::{Method, StatusCode};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};

use super::{SEARCH, Setup};
use crate::support::newer_server::VERSIONS;

/// Confirms all questions.
const CONFIRM: &str =
    "confirm=would_disable_toggle&confirm=would_add_rollout&confirm=would_enable_strategies";

const OPERATORS: [&str; 18] = [
    "IN",
    "NOT_IN",
    "STR_ENDS_WITH",
    "STR_STARTS_WITH",
    "STR_CONTAINS",
    "NUM_EQ",
    "NUM_GT",
    "NUM_GTE",
    "NUM_LT",
    "NUM_LTE",
    "DATE_AFTER",
    "DATE_BEFORE",
    "SEMVER_EQ",
    "SEMVER_GT",
    "SEMVER_LT",
    "SEMVER_GTE",
    "REGEX",
    "FUTURE",
];

/// A change that a user makes in the console.
#[derive(Debug, Clone)]
enum Edit {
    Set(Index, &'static str, Value),
    Add(Index, Value),
    Remove(Index),
    Move(Index, Index),
    Metadata(&'static str, Value),
}

fn constraints() -> impl Strategy<Value = Value> {
    let one = (0..OPERATORS.len(), any::<bool>(), proptest::option::of(any::<bool>()), "[a-c]{0,2}");
    let one = one.prop_map(|(operator, is_single, inverted, text)| {
        let mut constraint =
            json!({ "contextName": "userId", "operator": OPERATORS[operator], "values": [] });
        if is_single {
            constraint["value"] = json!(text);
        } else {
            constraint["values"] = json!([text, "x"]);
        }
        if let Some(inverted) = inverted {
            constraint["inverted"] = json!(inverted);
            constraint["caseInsensitive"] = json!(!inverted);
        }
        constraint
    });
    proptest::collection::vec(one, 0..3).prop_map(Value::from)
}

fn parameters() -> impl Strategy<Value = Value> {
    (0..=100_u8).prop_map(
        |rollout| json!({ "rollout": rollout.to_string(), "stickiness": "default", "groupId": "g" }),
    )
}

fn strategy() -> impl Strategy<Value = Value> {
    let others = (proptest::option::of("[A-C]{1,3}"), any::<bool>(), any::<bool>(), 0..3_u8);
    (parameters(), constraints(), others).prop_map(
        |(parameters, constraints, (title, disabled, has_variants, segments))| {
            let blue = json!({ "name": "blue", "weight": 1000, "payload": { "type": "json" } });
            json!({
                "name": "flexibleRollout", "parameters": parameters, "constraints": constraints,
                "title": title, "disabled": disabled, "segments": (0..segments).collect::<Value>(),
                "variants": if has_variants { vec![blue] } else { vec![] },
            })
        },
    )
}

fn edit() -> impl Strategy<Value = Edit> {
    let at = any::<Index>;
    prop_oneof![
        (at(), parameters()).prop_map(|(at, value)| Edit::Set(at, "parameters", value)),
        (at(), constraints()).prop_map(|(at, value)| Edit::Set(at, "constraints", value)),
        (at(), strategy()).prop_map(|(at, added)| Edit::Add(at, added)),
        at().prop_map(Edit::Remove),
        (at(), at()).prop_map(|(from, to)| Edit::Move(from, to)),
        "[a-c]{1,3}".prop_map(|text| Edit::Metadata("description", json!(text))),
        any::<bool>().prop_map(|value| Edit::Metadata("stale", json!(value))),
        any::<bool>().prop_map(|value| Edit::Metadata("enabled", json!(value))),
        (at(), "[A-C]{1,3}").prop_map(|(at, title)| Edit::Set(at, "title", json!(title))),
        (at(), any::<bool>()).prop_map(|(at, value)| Edit::Set(at, "disabled", json!(value))),
    ]
}

/// Applies an edit. Adds the edited properties to the properties of the ids.
fn apply(edit: &Edit, toggle: &mut Value, edited: &mut BTreeSet<(String, &'static str)>) {
    if let Edit::Metadata(key, value) = edit {
        toggle[*key] = value.clone();
        return;
    }
    let strategies = toggle["strategies"].as_array_mut().unwrap();
    let count = strategies.len();
    match edit {
        Edit::Add(at, strategy) => strategies.insert(at.index(count + 1), strategy.clone()),
        _ if count == 0 => {}
        Edit::Set(at, key, value) => {
            let strategy = &mut strategies[at.index(count)];
            edited.insert((strategy["id"].to_string(), *key));
            strategy[*key] = value.clone();
        }
        Edit::Remove(at) => drop(strategies.remove(at.index(count))),
        Edit::Move(from, to) => {
            let strategy = strategies.remove(from.index(count));
            strategies.insert(to.index(count), strategy);
        }
        Edit::Metadata(..) => {}
    }
}

/// Stores a toggle with properties that the console does not know.
fn store(setup: &Setup, strategies: &[Value], is_on: bool) -> Value {
    setup.server.model(|model| {
        model.toggles.clear();
        let metadata = json!({
            "impressionData": is_on, "description": "stored", "unknown": { "of": "the server" },
            "dependencies": [{ "feature": "parent", "enabled": true, "variants": ["blue"] }], "children": ["child"],
        });
        model.add("search", metadata);
        for strategy in strategies {
            assert_eq!(model.add_strategy("search", "development", strategy).0, 200);
            assert_eq!(model.add_strategy("search", "production", strategy).0, 200);
        }
        let state = model.state("search", "development");
        state["enabled"] = json!(is_on && strategies.iter().any(is_enabled));
        for strategy in state["strategies"].as_array_mut().unwrap() {
            strategy["milestoneId"] = strategy["id"].clone();
        }
        state["variants"] = json!([{ "name": "red", "weight": 1000, "overrides": [] }]);
        model.toggles["search"].clone()
    })
}

fn is_enabled(strategy: &Value) -> bool {
    strategy["disabled"] != json!(true)
}

/// Removes the position, which follows from the order, and of new strategies the properties that the server adds.
fn comparable(strategy: &Value, is_new: bool) -> Map<String, Value> {
    let mut strategy = strategy.as_object().unwrap().clone();
    strategy.remove("sortOrder");
    if is_new {
        strategy.retain(|key, value| {
            key != "id" && *value != json!(null) && *value != json!([]) && *value != json!(false)
        });
    }
    strategy
}

async fn check(setup: &Setup, strategies: &[Value], is_on: bool, edits: &[Edit], is_complete: bool) {
    let before = store(setup, strategies, is_on);
    let (mut wanted, tag) = setup.read().await;
    let mut edited = BTreeSet::new();
    let mut expected = before["environments"][0].clone();
    let mut metadata = before.clone();
    for edit in edits {
        apply(edit, &mut wanted, &mut edited);
        match edit {
            Edit::Metadata(key @ ("description" | "stale"), value) => metadata[*key] = value.clone(),
            edit => apply(edit, &mut expected, &mut BTreeSet::new()),
        }
    }
    if !is_complete {
        // A client that sends only the id and the edited properties.
        for strategy in
            wanted["strategies"].as_array_mut().unwrap().iter_mut().filter(|one| one["id"].is_string())
        {
            let id = strategy["id"].to_string();
            let strategy = strategy.as_object_mut().unwrap();
            strategy.retain(|key, _| key == "id" || edited.iter().any(|(of, name)| *of == id && name == key));
        }
    }
    let path = format!("{SEARCH}?{CONFIRM}");
    let saved = setup.send(Method::PUT, &path, &[("if-match", &tag)], &wanted).await;
    assert_eq!(saved.status, StatusCode::OK, "{}", saved.body);
    let mut after = setup.server.model(|model| model.toggles["search"].clone());
    let (stored, expected_list) = (&after["environments"][0], expected["strategies"].as_array().unwrap());
    let stored_list = stored["strategies"].as_array().unwrap();
    let adds_rollout = expected["enabled"] == json!(true)
        && before["environments"][0]["enabled"] == json!(false)
        && expected_list.is_empty();
    assert_eq!(stored_list.len(), expected_list.len() + usize::from(adds_rollout));
    let enables = stored["enabled"] == json!(true) && !expected_list.iter().any(is_enabled);
    for (stored, expected) in stored_list.iter().zip(expected_list) {
        let is_new = expected["id"].is_null();
        let mut expected = expected.clone();
        if enables {
            expected["disabled"] = json!(false);
        }
        assert_eq!(comparable(stored, is_new), comparable(&expected, is_new));
    }
    let had_enabled = before["environments"][0]["strategies"].as_array().unwrap().iter().any(is_enabled);
    let is_switched_off = before["environments"][0]["enabled"] == json!(true)
        && had_enabled
        && !expected_list.iter().any(is_enabled);
    assert_eq!(stored["enabled"], json!(expected["enabled"] == json!(true) && !is_switched_off));
    assert_eq!(stored["variants"], before["environments"][0]["variants"]);
    // Everything else, with the other environment.
    after["environments"][0] = before["environments"][0].clone();
    assert_eq!(after, metadata);
}

#[test]
fn a_save_changes_only_what_was_edited() {
    let system = actix_web::rt::System::new();
    for version in VERSIONS {
        let setup = system.block_on(Setup::start(version, &[]));
        let strategies = proptest::collection::vec(strategy(), 0..5);
        let edits = proptest::collection::vec(edit(), 0..6);
        let inputs = (strategies, any::<bool>(), edits, any::<bool>());
        let mut runner =
            TestRunner::new(Config { cases: 64, failure_persistence: None, ..Config::default() });
        let result = runner.run(&inputs, |(strategies, is_on, edits, is_complete)| {
            system.block_on(check(&setup, &strategies, is_on, &edits, is_complete));
            Ok(())
        });
        result.unwrap_or_else(|failure| panic!("{version:?}: {failure}"));
    }
}
