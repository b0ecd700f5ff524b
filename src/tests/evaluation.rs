//! The evaluation: the public client specification, and rules of its own.

mod allocation;
mod audiences;
mod effects;
mod exports;
mod generator;
mod http;
mod libraries;
mod oracle;
mod why;

use std::fs;
use std::path::Path;

use flagdeck::evaluation::{Context, Definitions, Outcome, Toggles, VARIANT_SEED, properties};
use serde::Deserialize;
use serde_json::{Value, json};

/// Installed by `npm --prefix frontend/e2e/sdk ci`, which `make test` runs.
const SPECIFICATIONS: &str = "frontend/e2e/sdk/node_modules/@unleash/client-specification/specifications";

/// A file of the specification.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Specification {
    state: Definitions,
    #[serde(default)]
    tests: Vec<Case>,
    #[serde(default)]
    variant_tests: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    description: String,
    #[serde(default)]
    context: Context,
    toggle_name: String,
    expected_result: Value,
}

fn read_specifications() -> Vec<Specification> {
    let folder = Path::new(SPECIFICATIONS);
    let list = fs::read_to_string(folder.join("../package.json")).unwrap_or_else(|cause| {
        panic!("{SPECIFICATIONS} is missing ({cause}); run: npm --prefix frontend/e2e/sdk ci")
    });
    assert!(list.contains("\"version\": \"6.1.0\""), "another version is installed");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|file| file.extension().is_some_and(|extension| extension == "json"));
    let files = files.filter(|file| file.file_name().is_some_and(|name| name != "index.json"));
    files.map(|file| serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap()).collect()
}

/// Returns the variant in the format of the specification.
fn variant_of(toggles: &Toggles, name: &str, context: &Context) -> Value {
    let evaluation = toggles.find(name).map(|toggle| toggles.evaluate(toggle, context));
    let is_on = evaluation.is_some_and(|evaluation| evaluation.outcome.is_on());
    let Some(variant) = evaluation.and_then(|evaluation| evaluation.variant.certain()) else {
        return json!({ "name": "disabled", "enabled": false, "feature_enabled": is_on });
    };
    let mut json = json!({ "name": variant.name(), "enabled": true, "feature_enabled": is_on });
    if let Some(payload) = variant.payload() {
        json["payload"] = json!({ "type": payload.kind, "value": payload.value });
    }
    json
}

#[test]
fn all_279_cases_of_the_client_specification_pass() {
    let (mut passed, mut failed) = (0, Vec::new());
    for Specification { state, tests, variant_tests } in read_specifications() {
        let toggles = Toggles::compile(&state, VARIANT_SEED);
        let result = |case: &Case| {
            let toggle = toggles.find(&case.toggle_name);
            toggle.is_some_and(|toggle| toggles.evaluate(toggle, &case.context).outcome.is_on()).into()
        };
        let cases = tests.iter().map(|case| (case, result(case)));
        let variants = variant_tests.iter().map(|case| {
            let result = variant_of(&toggles, &case.toggle_name, &case.context);
            (case, result)
        });
        for (case, result) in cases.chain(variants) {
            properties::check_agreement(&toggles, &case.context);
            if result == case.expected_result {
                passed += 1;
            } else {
                failed.push(format!("{}: {result}", case.description));
            }
        }
    }
    assert!(failed.is_empty(), "{passed} passed, {} failed:\n{}", failed.len(), failed.join("\n"));
    assert_eq!(passed, 279);
}

/// Returns the outcome of a toggle with these strategies.
fn outcome(strategies: &Value, context: &Value) -> Outcome {
    let toggle = json!({ "name": "shop.pay", "enabled": true, "strategies": strategies });
    let definitions = serde_json::from_value(json!({ "features": [toggle] })).unwrap();
    let toggles = Toggles::compile(&definitions, VARIANT_SEED);
    let context = serde_json::from_value(context.clone()).unwrap();
    properties::check_agreement(&toggles, &context);
    toggles.evaluate(toggles.find("shop.pay").unwrap(), &context).outcome
}

#[test]
fn application_and_chance_are_results_of_their_own() {
    let hostname = json!({ "name": "applicationHostname", "parameters": { "hostNames": "a" } });
    let custom = json!({ "name": "beta-group" });
    let half = json!({ "name": "gradualRolloutRandom", "parameters": { "percentage": 50 } });
    let everyone = json!({ "name": "default" });
    let nobody = json!({ "name": "userWithId", "parameters": { "userIds": "" } });
    for (strategies, expected) in [
        (json!([hostname]), Outcome::Application),
        (json!([nobody, custom]), Outcome::Application),
        (json!([custom, everyone]), Outcome::On),
        (json!([half]), Outcome::Random(0.5)),
        (json!([half, half]), Outcome::Random(0.75)),
        (json!([half, custom]), Outcome::Application),
        (json!([nobody]), Outcome::Off),
        (json!([]), Outcome::On),
    ] {
        assert_eq!(outcome(&strategies, &json!({})), expected, "{strategies}");
    }
}

#[test]
fn invalid_values_do_not_match_and_unknown_operators_never_match() {
    let value_operators = ["NUM_EQ", "NUM_GTE", "DATE_AFTER", "SEMVER_GTE", "REGEX"];
    for operator in value_operators.into_iter().chain(["IN_CIDR", "SOUNDS_LIKE"]) {
        for inverted in [false, true] {
            let constraint = json!({
                "contextName": "userId", "operator": operator, "value": "(", "values": ["("], "inverted": inverted,
            });
            let strategies = json!([{ "name": "default", "constraints": [constraint] }]);
            let expected = Outcome::from(inverted && operator != "SOUNDS_LIKE");
            assert_eq!(outcome(&strategies, &json!({ "userId": "7" })), expected, "{constraint}");
        }
    }
}

#[test]
fn large_patterns_are_refused() {
    for pattern in ["((a{1,100}){1,100}){1,100}".to_owned(), "a?".repeat(600)] {
        let constraint =
            json!({ "contextName": "userId", "operator": "REGEX", "value": pattern, "inverted": true });
        let strategies = json!([{ "name": "default", "constraints": [constraint] }]);
        assert_eq!(outcome(&strategies, &json!({ "userId": "a" })), Outcome::On);
    }
}

#[test]
fn percentages_can_have_decimals() {
    let rollout = |percentage: &str| json!([{ "name": "flexibleRollout", "parameters": { "rollout": percentage, "groupId": "g" } }]);
    let on = |percentage: &str| {
        let users = (0..1000).map(|user| json!({ "userId": user.to_string() }));
        users.filter(|user| outcome(&rollout(percentage), user).is_on()).count()
    };
    assert_eq!(on("33.3"), on("33"));
    assert!(on("33.3") < on("34"));
    assert_eq!((on("0.9"), on("x"), on("100")), (0, 0, 1000));
}

#[test]
fn disabled_strategies_are_ignored() {
    let disabled = json!({ "name": "default", "disabled": true });
    assert_eq!(outcome(&json!([disabled]), &json!({})), Outcome::Off);
    assert_eq!(outcome(&json!([disabled, { "name": "default" }]), &json!({})), Outcome::On);
}
