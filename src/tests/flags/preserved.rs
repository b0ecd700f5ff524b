//! Constraints, segments, dependencies and other properties that the console cannot edit: they are stored, returned,
//! exported and sent to client libraries unchanged.

mod properties;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::moving::{Installation, assert_imported, to_text};
use super::{FEATURES, archive, create, events_of, message, plain, replace};
use crate::support::app::TestApp;
use crate::support::binary::flagdeck;

const CLIENT: &str = "/api/client/features";
const SEGMENTS: &str = "/api/admin/segments";

fn plan(operator: &str, inverted: bool) -> Value {
    json!({ "contextName": "plan", "operator": operator, "values": ["gold"], "inverted": inverted })
}

/// A toggle with every property that an import can contain.
fn full() -> Value {
    json!({
        "name": "full", "description": null, "type": "release", "project": "default", "enabled": true, "stale": false,
        "strategies": [
            { "id": "1", "name": "default", "parameters": {}, "disabled": true, "title": "Later" },
            {
                "id": "2", "name": "default", "parameters": {}, "title": "Not gold", "disabled": false,
                "constraints": [
                    plan("IN", true),
                    { "contextName": "age", "operator": "NUM_GT", "values": [], "value": "17" },
                    { "contextName": "email", "operator": "STR_ENDS_WITH", "values": ["@EXAMPLE.ORG"], "caseInsensitive": true },
                ],
                "segments": [3],
                "variants": [{ "name": "blue", "weight": 1000, "weightType": "variable", "stickiness": "default" }],
            },
        ],
        "variants": [], "dependencies": [{ "feature": "parent", "enabled": true, "variants": [] }],
        "impressionData": true,
    })
}

fn segment() -> Value {
    json!({
        "id": 3, "name": "beta-users", "description": "Beta", "constraints": [
            { "contextName": "userId", "operator": "NOT_IN", "values": ["9"], "inverted": false },
        ], "createdBy": "admin", "createdAt": "2026-11-22T05:30:49.207Z",
    })
}

fn parent() -> Value {
    json!({ "name": "parent", "enabled": true, "strategies": [{ "name": "default" }] })
}

/// Returns a service with the segment, the full toggle and its parent.
async fn installed() -> (Installation, TestApp) {
    let installation = Installation::new();
    let state = json!({ "version": 1, "features": [full(), parent()], "segments": [segment()] });
    assert_imported(&installation.import(&state, &[]), " 3 added, 0 updated, 0 as they were");
    let app = installation.app().await;
    (installation, app)
}

/// Returns a toggle without the times that the service adds.
async fn stored(app: &TestApp, name: &str) -> Value {
    let mut toggle = app.get(&format!("{FEATURES}/{name}")).await.json();
    for key in ["createdAt", "lastSeenAt"] {
        assert!(toggle.as_object_mut().unwrap().remove(key).is_some(), "{key}");
    }
    toggle
}

#[actix_web::test]
async fn imported_toggles_and_segments_are_returned_unchanged() {
    let (installation, app) = installed().await;
    assert_eq!(stored(&app, "full").await, full());
    let list = app.get(FEATURES).await.json();
    assert_eq!(
        (&list["features"][0]["dependencies"], &list["features"][0]["impressionData"]),
        (&full()["dependencies"], &json!(true))
    );
    let absent = ["dependencies", "impressionData"].map(|key| list["features"][1].get(key).cloned());
    assert_eq!(absent, [None, None], "properties that were not written stay absent");
    let mut listed = segment();
    listed["usedInProjects"] = json!(1);
    listed["usedInFeatures"] = json!(1);
    assert_eq!(app.get(SEGMENTS).await.json(), json!({ "segments": [listed] }));
    assert_eq!(events_of(&app, "full").await[0]["data"]["strategies"], full()["strategies"]);
    let exported = installation.export();
    assert_eq!(exported["segments"], json!([segment()]));
    assert_imported(&installation.import(&exported, &[]), " 0 added, 0 updated, 5 as they were");
    assert_imported(&installation.import(&exported, &["--drop-before-import"]), " as they were");
    assert_eq!(installation.export(), exported);
}

#[actix_web::test]
async fn references_to_missing_items_are_refused() {
    let (installation, app) = installed().await;
    create(&app, &plain("gone")).await;
    archive(&app, "gone").await;
    let on = |feature: &str| json!([{ "feature": feature }]);
    for (key, value, expected) in [
        (
            "strategies",
            json!([{ "name": "default", "segments": [3, 4] }]),
            "There is no segment with the id 4; create it first",
        ),
        ("dependencies", on("missing"), "The parent toggle missing does not exist; create it first"),
        ("dependencies", on("gone"), "The parent toggle gone is archived; revive it first"),
        (
            "dependencies",
            on("full"),
            "The toggle full cannot be a parent of child because it has dependencies itself; remove them first",
        ),
    ] {
        let mut child = plain("child");
        child[key] = value;
        let response = app.post(FEATURES, &child).await;
        assert_eq!((response.status, message(&response)), (StatusCode::BAD_REQUEST, expected.to_owned()));
        let output = installation.import(&json!({ "features": [child] }), &[]);
        assert!(to_text(&output.stderr).ends_with(&format!("the toggle child: {expected}\n")), "{output:?}");
    }
    let mut chained = parent();
    chained["dependencies"] = on("other");
    create(&app, &plain("other")).await;
    let response = replace(&app, "parent", &chained).await;
    assert_eq!(
        message(&response),
        "The toggle parent cannot have dependencies because full depends on it; remove that dependency first"
    );
    let refused = archive(&app, "parent").await;
    assert_eq!(
        (refused.status, message(&refused).as_str()),
        (StatusCode::CONFLICT, "The toggle full depends on the toggle parent. Archive it first")
    );
    let output = installation.import(&json!({ "segments": [] }), &["--drop-before-import"]);
    assert!(
        to_text(&output.stderr).contains("the toggle full: There is no segment with the id 3"),
        "{output:?}"
    );
    let nameless = json!({ "segments": [{ "id": 4, "name": "partial" }] });
    let output = installation.import(&nameless, &[]);
    assert!(
        to_text(&output.stderr).ends_with("segments[0], partial: \"constraints\" is required\n"),
        "{output:?}"
    );
}

async fn poll(app: &TestApp, specification: &str) -> (Value, String) {
    let headers = [("unleash-client-spec", specification)];
    let response =
        app.send(Method::GET, CLIENT, if specification.is_empty() { &[] } else { &headers }, "").await;
    let vary: Vec<_> = response.headers.get_all("vary").map(|value| value.to_str().unwrap()).collect();
    assert_eq!(vary, ["Accept-Encoding", "Unleash-Client-Spec"]);
    let tag = response.header("etag").to_owned();
    let known = [("if-none-match", tag.as_str()), headers[0]];
    let again =
        app.send(Method::GET, CLIENT, if specification.is_empty() { &known[..1] } else { &known }, "").await;
    assert_eq!(again.status, StatusCode::NOT_MODIFIED);
    (response.json(), tag)
}

#[actix_web::test]
async fn client_libraries_get_segments_as_they_support_them() {
    let (_installation, app) = installed().await;
    let mut second = full()["strategies"][1].clone();
    for key in ["title", "disabled"] {
        second.as_object_mut().unwrap().remove(key);
    }
    let expected = json!({
        "name": "full", "type": "release", "enabled": true, "stale": false, "strategies": [second.clone()], "variants": [],
        "dependencies": full()["dependencies"], "impressionData": true,
    });
    let (listed, listed_tag) = poll(&app, "4.2.0").await;
    assert_eq!((&listed["version"], &listed["features"][0]), (&json!(2), &expected));
    let sent = json!([{ "id": 3, "name": "beta-users", "constraints": segment()["constraints"] }]);
    assert_eq!(listed["segments"], sent);
    assert_eq!(poll(&app, "5.1.9").await.0, listed);
    second.as_object_mut().unwrap().remove("segments");
    second["constraints"].as_array_mut().unwrap().push(segment()["constraints"][0].clone());
    for specification in ["", "4.1.9", "3.9.0", "x"] {
        let (inline, tag) = poll(&app, specification).await;
        assert_eq!((&inline["version"], inline.get("segments")), (&json!(1), None), "{specification}");
        assert_eq!(inline["features"][0]["strategies"], json!([second.clone()]));
        assert_ne!(tag, listed_tag);
    }
    let one = app.get(&format!("{CLIENT}/full")).await.json();
    assert_eq!(one["strategies"], json!([second]));
}

#[actix_web::test]
async fn toggle_with_disabled_strategies_only_is_off_for_client_libraries() {
    let app = TestApp::embedded().await;
    let strategies = json!([{ "name": "default", "disabled": true }]);
    create(&app, &json!({ "name": "all.off", "enabled": true, "strategies": strategies })).await;
    let sent = &poll(&app, "5.0.0").await.0["features"][0];
    assert_eq!((&sent["enabled"], &sent["strategies"]), (&json!(false), &json!([])));
}

#[actix_web::test]
async fn evaluation_and_why_agree_on_preserved_properties() {
    let (installation, app) = installed().await;
    let context = |plan: &str, user: &str, age: &str| json!({ "userId": user, "plan": plan, "age": age, "email": "anna@example.org" });
    let contexts = [
        (context("silver", "7", "18"), "on"),
        (context("gold", "7", "18"), "off"),
        (context("silver", "9", "18"), "off"),
        (context("silver", "7", "17"), "off"),
    ];
    let sent: Vec<&Value> = contexts.iter().map(|(context, _)| context).collect();
    let body = json!({ "names": ["full"], "contexts": sent, "detail": "reasons" });
    let results = app.post("/-/evaluate", &body).await.json()["toggles"][0]["saved"]["contexts"].take();
    for (index, (context, expected)) in contexts.iter().enumerate() {
        let result = &results[index];
        assert_eq!(result["result"], *expected, "{context}");
        let strategies = result["reasons"]["strategies"].as_array().unwrap();
        assert_eq!(strategies.len(), 2, "the reasons refer to the stored strategies, also to disabled ones");
        let pairs = context.as_object().unwrap().iter();
        let pairs = pairs.map(|(name, value)| format!("{name}={}", value.as_str().unwrap()));
        let output = installation.run(
            &[vec!["why".to_owned(), "full".to_owned()], pairs.collect()]
                .concat()
                .iter()
                .map(String::as_str)
                .collect::<Vec<_>>(),
        );
        assert_eq!(output.status.code(), Some(i32::from(*expected == "off")), "{}", to_text(&output.stdout));
    }
    assert_eq!(results[0]["variant"], "blue");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), installation.export().to_string()).unwrap();
    let why = ["why", "full", "userId=7", "plan=silver", "age=18", "email=b@example.org", "--state"];
    let output = flagdeck().args(why).arg(file.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", to_text(&output.stdout));
}

/// An export of Unleash 5 with two environments.
fn with_environments() -> Value {
    let strategy = |id: &str, environment: &str, order: u8, rollout: &str| {
        json!({
            "id": id, "featureName": "shop.pay", "projectId": "default", "environment": environment, "sortOrder": order,
            "strategyName": "flexibleRollout", "parameters": { "rollout": rollout }, "constraints": [], "title": null,
        })
    };
    json!({
        "version": 4,
        "features": [
            { "name": "shop.pay", "type": "release", "project": "default", "stale": false, "impressionData": true },
            { "name": "shop.plain", "type": "release", "project": "default", "stale": false },
            { "name": "shop.old", "type": "release", "project": "default", "stale": false, "archived": true },
        ],
        "featureStrategies": [
            strategy("b", "production", 2, "20"), strategy("a", "production", 1, "10"), strategy("c", "development", 1, "90"),
        ],
        "featureEnvironments": [
            { "featureName": "shop.pay", "environment": "production", "enabled": true,
              "variants": [{ "name": "blue", "weight": 1000, "weightType": "variable" }] },
            { "featureName": "shop.pay", "environment": "development", "enabled": false },
            { "featureName": "shop.plain", "environment": "production", "enabled": false },
        ],
        "segments": [segment()],
        "featureStrategySegments": [{ "featureStrategyId": "b", "segmentId": 3 }],
        "dependencies": [{ "feature": "shop.plain", "dependencies": [{ "feature": "shop.pay", "enabled": false }] }],
    })
}

#[actix_web::test]
async fn import_of_several_environments_selects_one() {
    let installation = Installation::new();
    let none: &[&str] = &[];
    for (options, expected) in [
        (
            none,
            "the file cannot be read: it has several environments; select one with the option environment: development, production",
        ),
        (
            &["--environment", "test"],
            "the file cannot be read: it has no environment \"test\"; its environments: development, production",
        ),
    ] {
        let output = installation.import(&with_environments(), options);
        assert!(to_text(&output.stderr).ends_with(&format!("{expected}\n")), "{output:?}");
    }
    let output = installation.import(&json!({ "features": [] }), &["--environment", "test"]);
    assert!(to_text(&output.stderr).contains("the file contains no environments"), "{output:?}");
    let selected = ["--environment", "production"];
    assert_imported(
        &installation.import(&with_environments(), &selected),
        " 3 added, 0 updated, 0 as they were",
    );
    let app = installation.app().await;
    let toggle = stored(&app, "shop.pay").await;
    assert_eq!(
        toggle["strategies"],
        json!([
            { "id": "a", "name": "flexibleRollout", "parameters": { "rollout": "10" }, "constraints": [] },
            { "id": "b", "name": "flexibleRollout", "parameters": { "rollout": "20" }, "constraints": [], "segments": [3] },
        ])
    );
    assert_eq!((&toggle["enabled"], &toggle["variants"][0]["name"]), (&json!(true), &json!("blue")));
    let plain = stored(&app, "shop.plain").await;
    assert_eq!((&plain["enabled"], &plain["strategies"]), (&json!(false), &json!([{ "name": "default" }])));
    assert_eq!(plain["dependencies"], json!([{ "feature": "shop.pay", "enabled": false }]));
}
