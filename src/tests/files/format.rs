//! The format of files: unknown keys, and the JSON Schema for editors, which must accept the same files as the program.

use flagdeck::files::document::Document;
use serde_json::{Value, json};

/// A toggle with all parts of the format.
fn complete() -> Value {
    json!({
        "description": "One page", "type": "release", "project": "default", "enabled": true, "stale": false,
        "impressionData": false,
        "strategies": [{
            "name": "flexibleRollout", "title": "Half", "disabled": false,
            "parameters": { "rollout": "50", "invert": "a parameter has any name" },
            "constraints": [{
                "contextName": "userId", "operator": "IN", "values": ["a"], "inverted": true, "caseInsensitive": false
            }],
            "segments": ["EU"],
            "variants": [{ "name": "blue", "weight": 1000 }],
        }],
        "variants": [{
            "name": "blue", "weight": 1000, "weightType": "fix", "stickiness": "default",
            "payload": { "type": "string", "value": "b" },
            "overrides": [{ "contextName": "userId", "values": ["7"] }],
        }],
        "dependencies": [{ "feature": "parent", "enabled": true, "variants": ["blue"] }],
        "tags": [{ "type": "team", "value": "pay" }],
    })
}

/// Objects of a toggle, by JSON pointers.
const OBJECTS: [&str; 10] = [
    "",
    "/strategies/0",
    "/strategies/0/constraints/0",
    "/strategies/0/variants/0",
    "/variants/0",
    "/variants/0/payload",
    "/variants/0/overrides/0",
    "/dependencies/0",
    "/tags/0",
    "/strategies/0/parameters",
];

#[test]
fn unknown_keys_are_refused_with_their_place_at_every_level() {
    let schema: Value = serde_json::from_str(include_str!("../../files/files.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let check = |toggle: Value, is_valid: bool, place: &str| {
        let document = json!({ "version": 1, "toggles": { "shop.pay": toggle } });
        let text = serde_json::to_string_pretty(&document).unwrap();
        assert_eq!(validator.is_valid(&document), is_valid, "the schema: {place}: {text}");
        let Err(fault) = Document::parse(&text) else {
            assert!(is_valid, "the parser accepts {place}: {text}");
            return;
        };
        assert!(!is_valid, "{place}: {fault}");
        let line = usize::try_from(fault.line).unwrap();
        let line = text.lines().nth(line - 1).unwrap();
        let column = usize::try_from(fault.column).unwrap();
        assert!(line[column - 1..].starts_with("\"invert\""), "{place}: {fault}: {line}");
        assert!(fault.reason.starts_with("invert is no property "), "{place}: {fault}");
    };
    check(complete(), true, "complete");
    for pointer in OBJECTS {
        let mut toggle = complete();
        toggle.pointer_mut(pointer).unwrap()["invert"] = json!("true");
        check(toggle, pointer.ends_with("parameters"), pointer);
    }
}

#[test]
fn a_misspelt_key_is_refused_with_the_nearest_one() {
    let text = "version: 1\ntoggles:\n  shop.pay:\n    strategies:\n    - name: default\n      constraints:\n      - contextName: userId\n        operator: IN\n        values: [a]\n        invert: true\n";
    let fault = Document::parse(text).unwrap_err();
    assert_eq!((fault.line, fault.column), (10, 9));
    assert_eq!(
        fault.reason,
        "invert is no property of the format here; did you mean inverted? The properties are contextName, operator, values, value, inverted, caseInsensitive"
    );
}

#[test]
fn the_weight_of_a_variant_is_variable_by_default() {
    let text = "version: 1\ntoggles:\n  shop.pay:\n    variants: [{ name: blue, weight: 1000 }]\n";
    let document = Document::parse(text).unwrap();
    let written: Value = serde_saphyr::from_str(&document.to_yaml().unwrap()).unwrap();
    assert_eq!(written["toggles"]["shop.pay"]["variants"][0]["weightType"], "variable");
}
