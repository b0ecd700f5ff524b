//! No data loss: for generated toggles, a change of one property leaves all others unchanged, and an import of an export
//! changes nothing.

use std::cell::Cell;

use actix_web::http::StatusCode;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};

use super::{FEATURES, Installation, assert_imported, create, parent, replace, segment, stored};

const PAYLOAD_TYPES: [&str; 4] = ["string", "json", "csv", "number"];

fn text() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9 äß'\"%/]{1,8}"
}

/// Adds a property or leaves it absent.
fn maybe<V: Into<Value>>(object: &mut Value, key: &str, value: Option<V>) {
    if let Some(value) = value {
        object[key] = value.into();
    }
}

fn constraint() -> impl Strategy<Value = Value> {
    let list = proptest::option::of(proptest::collection::vec(text(), 0..3));
    let flags = (proptest::option::of(any::<bool>()), proptest::option::of(any::<bool>()));
    ("[A-Z][A-Z0-9_]{1,11}", text(), list, proptest::option::of(text()), flags).prop_map(
        |(operator, field, values, value, (inverted, ignores_case))| {
            let mut constraint = json!({ "contextName": field, "operator": operator });
            maybe(&mut constraint, "values", values);
            maybe(&mut constraint, "value", value);
            maybe(&mut constraint, "inverted", inverted);
            maybe(&mut constraint, "caseInsensitive", ignores_case);
            constraint
        },
    )
}

fn variants() -> impl Strategy<Value = Value> {
    let one = (0..=1000_u32, any::<bool>(), proptest::option::of(0..4_usize));
    proptest::collection::vec(one, 0..3).prop_map(|list| {
        let variants = list.into_iter().enumerate().map(|(index, (weight, is_fixed, payload))| {
            let kind = if is_fixed { "fix" } else { "variable" };
            let mut variant =
                json!({ "name": format!("variant {index}"), "weight": weight, "weightType": kind, "stickiness": "default" });
            let payload = payload.map(|kind| json!({ "type": PAYLOAD_TYPES[kind], "value": "1" }));
            maybe(&mut variant, "payload", payload);
            variant
        });
        variants.collect()
    })
}

fn strategy() -> impl Strategy<Value = Value> {
    let lists = (
        proptest::option::of(proptest::collection::vec(constraint(), 0..3)),
        proptest::option::of(variants()),
        proptest::option::of(Just(json!([3]))),
    );
    let scalars =
        (proptest::option::of(text()), proptest::option::of(any::<bool>()), proptest::option::of(text()));
    (lists, scalars).prop_map(|((constraints, variants, segments), (title, disabled, parameter))| {
        let mut strategy = json!({ "name": "byRegion" });
        maybe(&mut strategy, "constraints", constraints);
        maybe(&mut strategy, "variants", variants);
        maybe(&mut strategy, "segments", segments);
        maybe(&mut strategy, "title", title);
        maybe(&mut strategy, "disabled", disabled);
        maybe(&mut strategy, "parameters", parameter.map(|value| json!({ "region": value })));
        strategy
    })
}

fn toggle() -> impl Strategy<Value = Value> {
    let strategies = proptest::collection::vec(strategy(), 1..4);
    let condition = proptest::option::of((proptest::option::of(any::<bool>()), proptest::option::of(text())));
    let flags = (any::<bool>(), any::<bool>(), proptest::option::of(any::<bool>()));
    (strategies, variants(), condition, flags).prop_map(|(strategies, variants, condition, flags)| {
        let (enabled, stale, impression_data) = flags;
        let mut toggle = json!({
            "name": "generated", "description": null, "type": "release", "project": "default", "enabled": enabled,
            "stale": stale, "strategies": strategies, "variants": variants,
        });
        maybe(&mut toggle, "impressionData", impression_data);
        if let Some((enabled, variant)) = condition {
            let mut dependency = json!({ "feature": "parent" });
            maybe(&mut dependency, "enabled", enabled);
            maybe(&mut dependency, "variants", variant.map(|name| json!([name])));
            toggle["dependencies"] = json!([dependency]);
        }
        toggle
    })
}

/// A change that the console sends as a replacement of the whole toggle.
fn edit() -> impl Strategy<Value = (&'static str, Value)> {
    prop_oneof![
        Just(("description", json!("edited"))),
        Just(("enabled", json!(true))),
        Just(("type", json!("kill-switch"))),
        variants().prop_map(|variants| ("variants", variants)),
        proptest::collection::vec(strategy(), 1..3).prop_map(|strategies| ("strategies", json!(strategies))),
    ]
}

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() })
}

#[test]
fn a_change_of_one_property_keeps_all_others() {
    let system = actix_web::rt::System::new();
    let installation = Installation::new();
    let state = json!({ "segments": [segment()], "features": [parent()] });
    assert_imported(&installation.import(&state, &[]), " 2 added, 0 updated, 0 as they were");
    let app = system.block_on(installation.app());
    let number = Cell::new(0);
    let result = runner(96).run(&(toggle(), edit()), |(mut toggle, (key, value))| {
        number.set(number.get() + 1);
        let name = format!("toggle.{}", number.get());
        toggle["name"] = json!(name);
        system.block_on(async {
            create(&app, &toggle).await;
            let read = stored(&app, &name).await;
            assert_eq!(read, toggle);
            let mut edited: Map<String, Value> = serde_json::from_value(read).unwrap();
            edited.insert(key.to_owned(), value);
            let edited = Value::from(edited);
            assert_eq!(replace(&app, &name, &edited).await.status, StatusCode::OK);
            assert_eq!(stored(&app, &name).await, edited);
            let listed = app.get(&format!("{FEATURES}?namePrefix={name}")).await.json()["features"][0].take();
            assert_eq!(listed["strategies"], edited["strategies"]);
        });
        Ok(())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn import_of_an_export_is_the_identity() {
    let toggles = proptest::collection::vec(toggle(), 1..20);
    let segments = proptest::collection::vec(proptest::collection::vec(constraint(), 0..3), 0..3);
    let result = runner(6).run(&(toggles, segments), |(mut toggles, segments)| {
        for (index, toggle) in toggles.iter_mut().enumerate() {
            toggle["name"] = json!(format!("toggle.{index:02}"));
        }
        let mut list = vec![segment()];
        for (id, constraints) in (10..).zip(segments) {
            let mut segment = segment();
            segment["id"] = json!(id);
            segment["constraints"] = json!(constraints);
            list.push(segment);
        }
        let (from, to) = (Installation::new(), Installation::new());
        let count = toggles.len() + 1 + list.len();
        toggles.push(parent());
        let state = json!({ "features": toggles, "segments": list });
        assert_imported(&from.import(&state, &[]), &format!(" {count} added, 0 updated, 0 as they were"));
        let exported = from.export();
        assert_eq!(exported["segments"], state["segments"]);
        for (exported, imported) in
            exported["features"].as_array().unwrap()[1..].iter().zip(state["features"].as_array().unwrap())
        {
            let mut exported = exported.clone();
            exported
                .as_object_mut()
                .unwrap()
                .retain(|key, _| !matches!(key.as_str(), "createdAt" | "lastSeenAt"));
            assert_eq!(exported, *imported);
        }
        assert_imported(&to.import(&exported, &["--drop-before-import"]), "");
        let mut imported = to.export();
        // Each installation creates the project `default` itself.
        imported["projects"][0]["createdAt"] = exported["projects"][0]["createdAt"].clone();
        assert_eq!(imported, exported);
        Ok(())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
}
