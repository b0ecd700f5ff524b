//! Operators of constraints: the service validates their values, evaluates them, and sends them to SDKs unchanged.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{FEATURES, create, message};
use crate::support::app::TestApp;

/// A constraint with one value: operator, value, and a context that matches.
const SINGLE: [(&str, &str, &str); 13] = [
    ("NUM_EQ", "7", "7.0"),
    ("NUM_GT", "7", "8"),
    ("NUM_GTE", "7", "7"),
    ("NUM_LT", "7.5", "7"),
    ("NUM_LTE", "7", "7"),
    ("DATE_AFTER", "2026-12-31T12:00:00Z", "2027-01-01T00:00:00Z"),
    ("DATE_BEFORE", "2026-12-31T12:00:00+01:00", "2026-12-31T10:59:59Z"),
    ("SEMVER_EQ", "1.2.3", "1.2.3"),
    ("SEMVER_GT", "1.2.3", "1.3.0"),
    ("SEMVER_GTE", "1.2.3", "1.2.3"),
    ("SEMVER_LT", "1.2.3", "1.2.3-beta"),
    ("SEMVER_LTE", "1.2.3", "1.2.3"),
    ("REGEX", "^A\\d+$", "a42"),
];
/// A constraint with a list: operator, value, and a context that matches.
const LISTED: [(&str, &str, &str); 6] = [
    ("IN", "7", "7"),
    ("NOT_IN", "7", "8"),
    ("STR_STARTS_WITH", "AN", "anna"),
    ("STR_ENDS_WITH", "NA", "anna"),
    ("STR_CONTAINS", "NN", "anna"),
    ("IN_CIDR", "10.0.0.0/8", "10.1.2.3"),
];

/// Returns the context field for an operator. Client libraries compare the current time with times.
fn field_of(operator: &str) -> &'static str {
    if operator.starts_with("DATE_") { "currentTime" } else { "field" }
}

/// Returns each operator with a context value that matches, plain and inverted.
fn constraints() -> Vec<(Value, &'static str)> {
    let single = SINGLE.map(|(operator, value, matching)| {
        let field = field_of(operator);
        (json!({ "contextName": field, "operator": operator, "values": [], "value": value }), matching)
    });
    let listed = LISTED.map(|(operator, value, matching)| {
        (json!({ "contextName": "field", "operator": operator, "values": [value] }), matching)
    });
    let plain = single.into_iter().chain(listed).map(|(mut constraint, matching)| {
        let ignores_case = constraint["operator"]
            .as_str()
            .is_some_and(|operator| operator.starts_with("STR_") || operator == "REGEX");
        if ignores_case {
            constraint["caseInsensitive"] = json!(true);
        }
        (constraint, matching)
    });
    plain
        .flat_map(|(constraint, matching)| {
            let mut inverted = constraint.clone();
            inverted["inverted"] = json!(true);
            [(constraint, matching), (inverted, matching)]
        })
        .collect()
}

#[actix_web::test]
async fn every_operator_is_stored_evaluated_and_sent_to_sdks() {
    let app = TestApp::embedded().await;
    for (number, (constraint, _)) in constraints().iter().enumerate() {
        let strategies = json!([{ "name": "default", "parameters": {}, "constraints": [constraint] }]);
        create(&app, &json!({ "name": format!("t.{number:02}"), "enabled": true, "strategies": strategies }))
            .await;
    }
    let sent = app.get("/api/client/features").await.json()["features"].take();
    for (number, (constraint, matching)) in constraints().iter().enumerate() {
        assert_eq!(sent[number]["strategies"][0]["constraints"], json!([constraint]));
        let name = format!("t.{number:02}");
        let field = field_of(constraint["operator"].as_str().unwrap());
        let body = json!({ "names": [name], "contexts": [{ field: matching }] });
        let on = app.post("/-/evaluate", &body).await.json()["toggles"][0]["saved"]["counts"]["on"].take();
        assert_eq!(on, u32::from(constraint.get("inverted").is_none()), "{constraint}");
        let body = json!({ "context": { field: matching } });
        let flag = app.post(&format!("/ofrep/v1/evaluate/flags/{name}"), &body).await;
        assert_eq!(flag.json()["value"], constraint.get("inverted").is_none(), "{constraint} {}", flag.body);
    }
}

#[actix_web::test]
async fn values_that_do_not_fit_the_operator_are_refused_in_toggles_segments_and_imports() {
    let app = TestApp::embedded().await;
    let constraints = json!([{ "contextName": "age", "operator": "NUM_GT", "value": "many" }]);
    let toggle =
        json!({ "name": "probe", "strategies": [{ "name": "default", "constraints": constraints }] });
    let segment = json!({ "id": 1, "name": "adults", "constraints": constraints });
    let requirement = "must be a number, such as 1.5";
    let import = "/api/admin/state/import";
    for (path, body, field) in [
        (FEATURES, toggle.clone(), "\"strategies[0].constraints[0].value\""),
        ("/api/admin/segments", segment.clone(), "\"constraints[0].value\""),
        (
            import,
            json!({ "features": [toggle] }),
            "features[0], probe: \"strategies[0].constraints[0].value\"",
        ),
        (import, json!({ "segments": [segment] }), "segments[0], adults: \"constraints[0].value\""),
    ] {
        let refused = app.post(path, &body).await;
        assert_eq!(
            (refused.status, message(&refused)),
            (StatusCode::BAD_REQUEST, format!("{field} {requirement}")),
            "{path}"
        );
    }
    let stored = app.send(Method::GET, "/api/admin/segments", &[], "").await.json();
    assert_eq!(stored, json!({ "segments": [] }));
}
