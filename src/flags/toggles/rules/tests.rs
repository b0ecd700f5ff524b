//! Table tests: a body and the expected value or errors.

use serde_json::{Value, json};

use crate::api::{StrategyDefinition, ToggleDraft};
use crate::error::{ApiError, Detail};
use crate::flags::validation::{NameCheck, RequestBody as _};

fn details<T>(outcome: Result<T, ApiError>) -> Vec<Detail> {
    match outcome {
        Ok(_) => Vec::new(),
        Err(ApiError::Invalid(details)) => details,
        Err(other) => panic!("{other}"),
    }
}

fn messages<T>(outcome: Result<T, ApiError>) -> Vec<String> {
    details(outcome).into_iter().map(|detail| detail.message).collect()
}

/// Returns a valid toggle with one property replaced.
fn with(key: &str, value: Value) -> Value {
    let mut toggle = json!({ "name": "a.toggle", "strategies": [{ "name": "default" }] });
    toggle[key] = value;
    toggle
}

fn with_strategy(strategy: &Value) -> Value {
    with("strategies", json!([strategy]))
}

fn with_variant(variant: &Value) -> Value {
    with("variants", json!([variant]))
}

#[test]
fn names_must_be_url_friendly() {
    let longest = "x".repeat(100);
    for good in ["ab", "my.flag.js", "A-b_c.!~*'()", "123", "...", longest.as_str()] {
        assert_eq!(NameCheck::parse(&json!({ "name": good })).unwrap().0, good);
    }
    let too_long = "x".repeat(101);
    for (bad, complaint) in [
        (json!("a"), "length must be at least 2 characters long"),
        (json!(too_long), "length must be less than or equal to 100 characters long"),
        (json!(""), "is not allowed to be empty"),
        (json!(null), "must be a string"),
        (json!(12), "must be a string"),
        (json!("a b"), "must be URL friendly"),
        (json!(" ab"), "must be URL friendly"),
        (json!("a/b"), "must be URL friendly"),
        (json!("a%2fb"), "must be URL friendly"),
        (json!("a?b"), "must be URL friendly"),
        (json!("a#b"), "must be URL friendly"),
        (json!("ab\n"), "must be URL friendly"),
        (json!("ab\u{0}"), "must be URL friendly"),
        (json!("für"), "must be URL friendly"),
        (json!("🦀🦀"), "must be URL friendly"),
        (json!(".."), "must be URL friendly"),
        (json!("<script>"), "must be URL friendly"),
    ] {
        assert_eq!(messages(NameCheck::parse(&json!({ "name": bad }))), [format!("\"name\" {complaint}")]);
    }
    assert_eq!(messages(NameCheck::parse(&json!({}))), ["\"name\" is required"]);
    assert_eq!(messages(NameCheck::parse(&json!([]))), ["\"value\" must be of type object"]);
}

#[test]
fn missing_properties_get_defaults_and_unknown_properties_are_ignored() {
    let draft = ToggleDraft::parse(&json!({
        "name": "a.toggle", "createdAt": "yesterday", "archived": true, "colour": "red",
        "strategies": [{ "name": "default", "parameters": {}, "sortOrder": 1 }],
        "variants": [{ "name": "blue", "weight": 1000, "size": 3 }],
    }))
    .unwrap();
    assert_eq!(
        serde_json::to_value(draft).unwrap(),
        json!({
            "name": "a.toggle", "type": "release", "project": "default", "enabled": false, "stale": false,
            "strategies": [{ "name": "default", "parameters": {} }],
            "variants": [{ "name": "blue", "weight": 1000, "weightType": "variable", "stickiness": "default" }],
        })
    );
}

#[test]
fn valid_properties_are_unchanged() {
    let toggle = json!({
        "name": "a.toggle", "description": "", "type": "experiment", "project": "web", "enabled": true, "stale": true,
        "strategies": [{
            "id": "7", "name": "flexibleRollout", "parameters": { "rollout": "40", "groupId": "" },
            "constraints": [
                { "contextName": "environment", "operator": "IN", "values": ["dev"] },
                { "contextName": "userId", "operator": "NOT_IN" },
                { "contextName": "age", "operator": "NUM_GT", "values": [], "value": "18", "inverted": true },
                { "contextName": "plan", "operator": "FUZZY_2", "values": ["a"], "caseInsensitive": false },
            ],
            "segments": [7, 4_294_967_295_u32], "title": "Beta", "disabled": true,
            "variants": [{ "name": "blue", "weight": 1000, "weightType": "variable", "stickiness": "default",
                           "payload": { "type": "number", "value": "1" } }],
        }],
        "impressionData": true,
        "dependencies": [{ "feature": "parent", "enabled": false, "variants": [] }, { "feature": "other" }],
        "variants": [{
            "name": "a variant / with signs", "weight": 0, "weightType": "fix", "stickiness": "userId",
            "payload": { "type": "json", "value": "" }, "overrides": [{ "contextName": "userId", "values": ["1"] }],
        }],
    });
    assert_eq!(serde_json::to_value(ToggleDraft::parse(&toggle).unwrap()).unwrap(), toggle);
}

#[test]
fn nothing_is_as_good_as_left_out_where_servers_say_so() {
    for key in ["description", "variants", "dependencies", "impressionData"] {
        assert_eq!(messages(ToggleDraft::parse(&with(key, Value::Null))), [""; 0]);
    }
    assert_eq!(
        messages(ToggleDraft::parse(&with_strategy(&json!({ "name": "default", "constraints": null })))),
        [""; 0]
    );
}

#[test]
fn numbers_in_parameters_become_text() {
    let body = with_strategy(&json!({ "name": "default", "parameters": { "rollout": 55, "on": true } }));
    let draft = ToggleDraft::parse(&body).unwrap();
    assert_eq!(
        serde_json::to_value(&draft.strategies[0].parameters).unwrap(),
        json!({ "rollout": "55", "on": "true" })
    );
}

#[test]
fn reports_each_invalid_property_of_a_toggle() {
    for (body, message) in [
        (json!("text"), "\"value\" must be of type object"),
        (json!({ "name": "a.toggle" }), "\"strategies\" is required"),
        (with("strategies", json!([])), "\"strategies\" must contain at least 1 items"),
        (with("strategies", json!({})), "\"strategies\" must be an array"),
        (with("strategies", Value::Null), "\"strategies\" must be an array"),
        (with("enabled", json!("yes")), "\"enabled\" must be a boolean"),
        (with("stale", json!(1)), "\"stale\" must be a boolean"),
        (with("type", json!("")), "\"type\" is not allowed to be empty"),
        (with("project", json!(5)), "\"project\" must be a string"),
        (with("description", json!(["x"])), "\"description\" must be a string"),
        (with("variants", json!("x")), "\"variants\" must be an array"),
    ] {
        assert_eq!(messages(ToggleDraft::parse(&body)), [message], "for {body}");
    }
}

#[test]
fn reports_each_invalid_property_of_a_strategy() {
    for (strategy, message) in [
        (json!({ "parameters": {} }), "\"strategies[0].name\" is required"),
        (json!({ "name": "by region" }), "\"strategies[0].name\" must be URL friendly"),
        (json!({ "name": "default", "id": 5 }), "\"strategies[0].id\" must be a string"),
        (
            json!({ "name": "default", "parameters": [] }),
            "\"strategies[0].parameters\" must be of type object",
        ),
        (
            json!({ "name": "default", "parameters": { "ids": ["1"] } }),
            "\"strategies[0].parameters.ids\" must be a string",
        ),
        (json!({ "name": "default", "constraints": {} }), "\"strategies[0].constraints\" must be an array"),
        (
            json!({ "name": "default", "constraints": [{ "operator": "IN" }] }),
            "\"strategies[0].constraints[0].contextName\" is required",
        ),
        (
            json!({ "name": "default", "constraints": [{ "contextName": "userId" }] }),
            "\"strategies[0].constraints[0].operator\" is required",
        ),
        (
            json!({ "name": "default", "constraints": [{ "contextName": "userId", "operator": "not in" }] }),
            "\"strategies[0].constraints[0].operator\" must be the name of an operator, such as NOT_IN",
        ),
        (
            json!({ "name": "default", "constraints": [
                { "contextName": "userId", "operator": "IN", "values": ["a", ""] },
            ] }),
            "\"strategies[0].constraints[0].values[1]\" is not allowed to be empty",
        ),
        (json!({ "name": "default", "title": 5 }), "\"strategies[0].title\" must be a string"),
        (
            json!({ "name": "default", "title": "x".repeat(1001) }),
            "\"strategies[0].title\" length must be less than or equal to 1000 characters long",
        ),
        (json!({ "name": "default", "disabled": "no" }), "\"strategies[0].disabled\" must be a boolean"),
        (json!({ "name": "default", "segments": 1 }), "\"strategies[0].segments\" must be an array"),
        (
            json!({ "name": "default", "segments": [1, 0] }),
            "\"strategies[0].segments[1]\" must be an integer of at least 1",
        ),
        (
            json!({ "name": "default", "segments": vec![1; 201] }),
            "\"strategies[0].segments\" must contain less than or equal to 200 items",
        ),
        (
            json!({ "name": "default", "variants": [{ "name": "blue" }] }),
            "\"strategies[0].variants[0].weight\" is required",
        ),
    ] {
        assert_eq!(messages(ToggleDraft::parse(&with_strategy(&strategy))), [message], "for {strategy}");
    }
}

#[test]
fn reports_each_invalid_property_of_a_constraint() {
    for (key, value, problem) in [
        ("operator", json!("X".repeat(51)), "length must be less than or equal to 50 characters long"),
        ("value", json!(["1"]), "must be a string"),
        ("value", json!("x".repeat(1001)), "length must be less than or equal to 1000 characters long"),
        ("inverted", json!("yes"), "must be a boolean"),
        ("caseInsensitive", json!(1), "must be a boolean"),
        ("values", json!("7"), "must be an array"),
        ("negated", json!(true), "is not allowed"),
    ] {
        let mut constraint = json!({ "contextName": "userId", "operator": "IN" });
        constraint[key] = value;
        let body = with_strategy(&json!({ "name": "default", "constraints": [constraint] }));
        let expected = format!("\"strategies[0].constraints[0].{key}\" {problem}");
        assert_eq!(messages(ToggleDraft::parse(&body)), [expected]);
    }
}

#[test]
fn values_of_constraints_fit_their_operators() {
    const TIME: &str = "must be a date with time and time zone, such as 2026-12-31T12:00:00Z";
    const VERSION: &str = "must be a semantic version, such as 1.2.3";
    for (operator, key, value, problem) in [
        ("NUM_GT", "value", json!("7,5"), "must be a number, such as 1.5"),
        ("NUM_EQ", "value", json!("NaN"), "must be a number, such as 1.5"),
        ("NUM_LTE", "value", json!(null), "is required"),
        ("NUM_LTE", "value", json!(" "), "is required"),
        ("NUM_LTE", "value", json!(true), "must be a string"),
        ("DATE_AFTER", "value", json!("2026-12-31"), TIME),
        ("DATE_BEFORE", "value", json!("2026-12-31T12:00:00"), TIME),
        ("SEMVER_GTE", "value", json!("1.2"), VERSION),
        ("SEMVER_EQ", "value", json!("v1.2.3"), VERSION),
        ("REGEX", "value", json!("("), PATTERN),
        ("REGEX", "value", json!("(?=a)"), PATTERN),
        ("REGEX", "value", json!("a{999}{999}"), PATTERN),
        ("REGEX", "value", json!(null), "is required"),
        ("IN_CIDR", "values", json!(["10.0.0.0/33"]), NETWORK),
        ("IN_CIDR", "values", json!(["10.0.0.1/8/", "x"]), NETWORK),
    ] {
        let mut constraint = json!({ "contextName": "field", "operator": operator });
        constraint[key] = value;
        let body = with_strategy(&json!({ "name": "default", "constraints": [constraint] }));
        let item = if key == "values" { "[0]" } else { "" };
        let expected = format!("\"strategies[0].constraints[0].{key}{item}\" {problem}");
        assert_eq!(messages(ToggleDraft::parse(&body)).first(), Some(&expected), "{constraint}");
    }
    for (operator, value) in [
        ("NUM_GT", json!(7)),
        ("NUM_LT", json!(" -1.5e3 ")),
        ("DATE_AFTER", json!("2026-12-31T12:00:00+01:00")),
        ("SEMVER_LT", json!("1.2.3-beta.1+build")),
        ("REGEX", json!("^[a-z]+\\d{2,}$")),
        ("IN_CIDR", json!("ignored")),
        ("NEWER", json!("not checked")),
    ] {
        let values = if operator == "IN_CIDR" { json!(["10.0.0.0/8", "::1"]) } else { json!([]) };
        let constraint = json!({
            "contextName": "field", "operator": operator, "value": value, "values": values, "inverted": true,
            "caseInsensitive": true,
        });
        let body = with_strategy(&json!({ "name": "default", "constraints": [constraint] }));
        assert_eq!(messages(ToggleDraft::parse(&body)), Vec::<String>::new(), "{constraint}");
    }
}

const PATTERN: &str = "must be a regular expression without look-around and back references, of at most 1000 bytes and of limited complexity";
const NETWORK: &str = "must be an IP address or a network, such as 10.0.0.0/8";

#[test]
fn reports_each_invalid_property_of_a_dependency() {
    for (dependency, message) in [
        (json!("parent"), "\"dependencies[0]\" must be of type object"),
        (json!({ "feature": "a b" }), "\"dependencies[0].feature\" must be URL friendly"),
        (json!({ "feature": "parent", "enabled": "on" }), "\"dependencies[0].enabled\" must be a boolean"),
        (
            json!({ "feature": "parent", "variants": [""] }),
            "\"dependencies[0].variants[0]\" is not allowed to be empty",
        ),
    ] {
        let errors = messages(ToggleDraft::parse(&with("dependencies", json!([dependency]))));
        assert_eq!(errors.first().map(String::as_str), Some(message));
    }
}

#[test]
fn reports_each_invalid_property_of_a_variant() {
    for (variant, message) in [
        (json!({ "weight": 1 }), "\"variants[0].name\" is required"),
        (
            json!({ "name": "x", "weight": 1 }),
            "\"variants[0].name\" length must be at least 2 characters long",
        ),
        (json!({ "name": "blue" }), "\"variants[0].weight\" is required"),
        (json!({ "name": "blue", "weight": "1" }), "\"variants[0].weight\" must be a number"),
        (json!({ "name": "blue", "weight": 1.5 }), "\"variants[0].weight\" must be an integer"),
        (
            json!({ "name": "blue", "weight": -1 }),
            "\"variants[0].weight\" must be greater than or equal to 0",
        ),
        (
            json!({ "name": "blue", "weight": 1001 }),
            "\"variants[0].weight\" must be less than or equal to 1000",
        ),
        (
            json!({ "name": "blue", "weight": u64::MAX }),
            "\"variants[0].weight\" must be less than or equal to 1000",
        ),
        (
            json!({ "name": "blue", "weight": 1, "weightType": "huh" }),
            "\"variants[0].weightType\" must be one of [variable, fix]",
        ),
        (
            json!({ "name": "blue", "weight": 1, "payload": { "type": "xml", "value": "" } }),
            "\"variants[0].payload.type\" must be one of [string, json, csv, number]",
        ),
        (
            json!({ "name": "blue", "weight": 1, "payload": { "type": "csv" } }),
            "\"variants[0].payload.value\" is required",
        ),
        (
            json!({ "name": "blue", "weight": 1, "overrides": [{ "values": [] }] }),
            "\"variants[0].overrides[0].contextName\" is required",
        ),
        (
            json!({ "name": "blue", "weight": 1, "overrides": [{ "contextName": "userId" }] }),
            "\"variants[0].overrides[0].values\" is required",
        ),
    ] {
        assert_eq!(messages(ToggleDraft::parse(&with_variant(&variant))), [message], "for {variant}");
    }
    let twins = json!([{ "name": "blue", "weight": 1 }, { "name": "blue", "weight": 2 }]);
    assert_eq!(
        messages(ToggleDraft::parse(&with("variants", twins))),
        ["\"variants[1]\" contains a duplicate value"]
    );
}

#[test]
fn reports_all_errors_with_their_paths() {
    let body = json!({ "variants": [{ "name": "blue", "weight": 5000, "weightType": "huh" }] });
    let errors = details(ToggleDraft::parse_replacement("a.toggle", &body));
    let errors: Vec<Value> = errors.iter().map(|detail| serde_json::to_value(detail).unwrap()).collect();
    assert_eq!(
        errors,
        [
            json!({ "message": "\"strategies\" is required", "path": ["strategies"], "type": "any.required" }),
            json!({
                "message": "\"variants[0].weight\" must be less than or equal to 1000",
                "path": ["variants", 0, "weight"], "type": "number.max",
            }),
            json!({
                "message": "\"variants[0].weightType\" must be one of [variable, fix]",
                "path": ["variants", 0, "weightType"], "type": "any.only",
            }),
        ]
    );
}

#[test]
fn errors_beyond_the_limit_are_counted() {
    for (count, listed, last) in
        [(20, 20, "\"strategies[19].name\" must be a string"), (25, 21, "5 more errors are not listed")]
    {
        let errors =
            messages(ToggleDraft::parse(&with("strategies", json!(vec![json!({ "name": 1 }); count]))));
        assert_eq!((errors.len(), errors.last().map(String::as_str)), (listed, Some(last)));
    }
}

#[test]
fn errors_truncate_long_property_names() {
    let key = "ä".repeat(500_000);
    let strategy = json!({ "name": "default", "parameters": { key: [] } });
    let errors = details(ToggleDraft::parse(&with_strategy(&strategy)));
    let shown = "ä".repeat(100) + "…";
    assert_eq!(errors[0].message, format!("\"strategies[0].parameters.{shown}\" must be a string"));
    assert_eq!(errors[0].path, [json!("strategies"), json!(0), json!("parameters"), json!(shown)]);
}

#[test]
fn list_limits_do_not_apply_to_imports() {
    let strategies = json!(vec![json!({ "name": "default" }); 1000]);
    assert_eq!(messages(ToggleDraft::parse_imported(&with("strategies", strategies))), [""; 0]);
    let parameters = vec![json!({ "name": "region" }); 1000];
    assert_eq!(
        messages(StrategyDefinition::parse_imported(
            &json!({ "name": "byRegion", "parameters": parameters })
        )),
        [""; 0]
    );
}

#[test]
fn the_name_in_the_url_replaces_the_name_in_the_body() {
    let draft = ToggleDraft::parse_replacement("old.name", &with("name", json!("new/name"))).unwrap();
    assert_eq!(draft.name, "old.name");
}
