//! `flagdeck why --state` with exports of servers with environments. Each recording contains an export and the responses
//! of `/api/client/features` of the same server.

use std::fs;

use flagdeck::evaluation::{Context, Definitions, Toggles, VARIANT_SEED};
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use super::why::run;
use crate::support::binary::flagdeck;

const RECORDINGS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/evaluation/exports");

fn read(version: &str) -> (NamedTempFile, Value) {
    let text = fs::read_to_string(format!("{RECORDINGS}/unleash-{version}.json")).unwrap();
    let recording: Value = serde_json::from_str(&text).unwrap();
    let file = NamedTempFile::new().unwrap();
    fs::write(&file, recording["export"].to_string()).unwrap();
    (file, recording)
}

/// Runs `flagdeck why --json`. Returns the exit code, standard output and standard error.
fn why(file: &NamedTempFile, arguments: &[&str]) -> (Option<i32>, String, String) {
    run(flagdeck().args(["why", "--json", "--state"]).arg(file.path()).args(arguments))
}

/// Returns the result and the variant that client libraries compute from the response of the server.
fn expected(response: &Value, toggle: &str, context: &[(&str, &str)]) -> Value {
    let definitions: Definitions = serde_json::from_value(response.clone()).unwrap();
    let toggles = Toggles::compile(&definitions, VARIANT_SEED);
    let context = Context::from_pairs(context.iter().copied());
    let evaluation = toggles.evaluate(toggles.find(toggle).unwrap(), &context);
    let result = if evaluation.outcome.is_on() { "on" } else { "off" };
    json!([result, evaluation.variant.certain().map(flagdeck::evaluation::Variant::name)])
}

#[test]
fn exports_have_the_results_of_their_server() {
    for (version, toggles) in [
        ("4.19.5", &["shop.segment", "shop.empty"][..]),
        ("5.12.8", &["shop.pay", "shop.segment", "shop.empty"]),
        ("6.10.1", &["shop.pay", "shop.empty"]),
        ("8.2.0", &["shop.pay", "shop.parent"]),
    ] {
        let (file, mut recording) = read(version);
        let is_complete = recording["export"].get("dependencies").is_some();
        let environments = recording["clients"].as_object_mut().unwrap();
        let mut on = 0;
        for (environment, response) in environments {
            if !is_complete {
                // State exports do not contain them.
                response["features"][0]["dependencies"] = json!([]);
            }
            for (toggle, user) in
                toggles.iter().flat_map(|toggle| ["1", "8", "20"].map(|user| (*toggle, user)))
            {
                let expected = expected(response, toggle, &[("userId", user), ("appName", "6")]);
                let arguments =
                    [toggle, &format!("userId={user}"), "appName=6", "--environment", environment];
                let (code, output, error) = why(&file, &arguments);
                let found: Value = serde_json::from_str(&output).unwrap_or_else(|_| panic!("{error}"));
                assert_eq!(json!([found["result"], found["variant"]]), expected, "{version} {arguments:?}");
                assert_eq!(code, Some(i32::from(expected[0] != "on")));
                on += i32::from(expected[0] == "on");
            }
        }
        assert!(on > 0 || version == "8.2.0", "{version}: all toggles are off");
    }
}

#[test]
fn exports_of_one_environment_need_no_selection() {
    let (file, _) = read("6.10.1");
    let (code, _, error) = why(&file, &["shop.pay", "userId=20"]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
}

#[test]
fn ambiguous_and_incomplete_exports_are_refused_with_the_remedy() {
    for (version, arguments, cause) in [
        ("5.12.8", &["shop.pay"][..], "select one with the option environment: development, production"),
        (
            "5.12.8",
            &["shop.pay", "--environment", "test"],
            "no environment \"test\"; its environments: development, production",
        ),
        ("8.2.0", &["shop.pay", "--environment", "development"], "its environments: production"),
        ("6.10.1", &["shop.segment"], "no constraints of segment \"eu\", which shop.segment uses; read"),
    ] {
        let (code, _, error) = why(&read(version).0, arguments);
        assert_eq!(code, Some(2), "{error}");
        assert!(error.contains(cause), "{error}");
    }
    let file = NamedTempFile::new().unwrap();
    fs::write(&file, r#"{ "features": [{ "name": "a" }] }"#).unwrap();
    let (code, _, error) = why(&file, &["a", "--environment", "production"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("have no environments; remove --environment"), "{error}");
}
