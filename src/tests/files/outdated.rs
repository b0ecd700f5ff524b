//! Stored plans whose effects were computed from segments and toggles that have changed since, or that were edited.

use std::fs;
use std::path::PathBuf;

use actix_web::http::Method;
use serde_json::{Value, json};

use super::Files;
use crate::support::app::TestApp;

const JSON: [(&str, &str); 1] = [("content-type", "application/json")];

async fn put(app: &TestApp, path: &str, change: impl FnOnce(&mut Value)) {
    let mut item = app.get(path).await.json();
    change(&mut item);
    let updated = app.send(Method::PUT, path, &JSON, &item.to_string()).await;
    assert!(updated.status.is_success(), "{path}: {}", updated.body);
}

async fn create(app: &TestApp, path: &str, body: &Value) {
    let created = app.post(&format!("/api/admin/{path}"), body).await;
    assert_eq!(created.status, 201, "{path}: {}", created.body);
}

fn countries(values: &[&str]) -> Value {
    json!([{ "contextName": "country", "operator": "IN", "values": values }])
}

/// Segments, a toggle with one of them, a parent with another, and a toggle that depends on the parent.
async fn create_toggles(app: &TestApp) {
    for name in ["EU", "Beta", "Unused"] {
        create(app, "segments", &json!({ "name": name, "constraints": countries(&["de"]) })).await;
    }
    let of_segment = |segment: u32| json!([{ "name": "default", "segments": [segment] }]);
    let everyone = json!([{ "name": "default" }]);
    for (name, enabled, strategies, parents) in [
        ("own", false, of_segment(1), json!([])),
        ("parent", true, of_segment(2), json!([])),
        ("child", false, everyone.clone(), json!([{ "feature": "parent" }])),
        ("second", true, everyone.clone(), json!([])),
        ("grown-up", true, everyone, json!([{ "feature": "second" }])),
    ] {
        let toggle =
            json!({ "name": name, "enabled": enabled, "strategies": strategies, "dependencies": parents });
        create(app, "features", &toggle).await;
    }
}

/// Makes a plan of this file.
async fn plan(files: &Files, toggles: &str) -> PathBuf {
    let file = files.write("all.yaml", &format!("version: 1\ntoggles:\n{toggles}"));
    let plan = files.folder.path().join("plan");
    let arguments = ["plan", file.to_str().unwrap(), "-o", plan.to_str().unwrap()];
    assert_eq!(files.run("--to", &arguments).await.0, Some(2));
    plan
}

#[actix_web::test]
async fn a_plan_is_outdated_if_a_segment_or_another_toggle_of_its_effect_has_changed() {
    // Each case: file, and the change of the server after the plan; the reason.
    type Case = (&'static str, &'static str, fn(&mut Value), &'static str);
    let cases: [Case; 5] = [
        (
            "  own: { enabled: true }\n",
            "segments/1",
            |segment| segment["constraints"] = json!([]),
            "own: the segment EU has changed since the plan",
        ),
        (
            "  child: { enabled: true }\n",
            "segments/2",
            |segment| segment["constraints"] = countries(&["de", "fr"]),
            "child: the segment Beta has changed since the plan",
        ),
        (
            "  child: { enabled: true }\n",
            "features/parent",
            |toggle| toggle["strategies"] = json!([{ "name": "default" }]),
            "child: the toggle parent has changed since the plan",
        ),
        (
            "  second: { enabled: false }\n",
            "features/grown-up",
            |toggle| toggle["dependencies"][0]["enabled"] = false.into(),
            "second: the toggle grown-up has changed since the plan",
        ),
        (
            "  second: { enabled: false }\n",
            "features/own",
            |toggle| toggle["dependencies"] = json!([{ "feature": "second" }]),
            "second: the toggle own has changed since the plan",
        ),
    ];
    for (file, path, change, reason) in cases {
        let app = TestApp::embedded().await;
        create_toggles(&app).await;
        let files = Files::new(&[&app.url("")]);
        let plan = plan(&files, file).await;
        put(&app, &format!("/api/admin/{path}"), change).await;
        let before = app.get("/api/admin/features").await.json();
        let (code, said) = files.apply(&plan, &[]).await;
        assert!(code == Some(1) && said.contains(reason), "{path}: {said}");
        assert!(said.contains("nothing was changed; make a new plan"), "{path}: {said}");
        assert_eq!(app.get("/api/admin/features").await.json(), before, "{path}");
        let (code, said) = files.apply(&plan, &["--partial"]).await;
        assert!(code == Some(1) && said.contains(reason), "{path}: {said}");
        assert_eq!(app.get("/api/admin/features").await.json(), before, "{path}");
    }
}

#[actix_web::test]
async fn a_plan_is_not_outdated_by_other_changes() {
    let app = TestApp::embedded().await;
    create_toggles(&app).await;
    let files = Files::new(&[&app.url("")]);
    let plan = plan(&files, "  own: { enabled: true }\n  child: { enabled: true }\n").await;
    let changes: [(_, fn(&mut Value)); _] = [
        ("segments/3", |segment| segment["constraints"] = json!([])),
        ("features/second", |toggle| toggle["enabled"] = false.into()),
        // These properties have no effect.
        ("features/parent", |toggle| {
            toggle["description"] = "other".into();
            toggle["stale"] = true.into();
        }),
    ];
    for (path, change) in changes {
        put(&app, &format!("/api/admin/{path}"), change).await;
    }
    let (code, said) = files.apply(&plan, &[]).await;
    assert_eq!(code, Some(0), "{said}");
    // Its own changes do not outdate it either.
    let (code, said) = files.apply(&plan, &[]).await;
    assert!(code == Some(0) && said.contains("own is already as planned"), "{said}");
}

/// The change of a toggle is not applied if the effect was computed with a change of another toggle that cannot be applied any more.
#[actix_web::test]
async fn a_partial_apply_leaves_out_toggles_that_depend_on_outdated_ones() {
    let app = TestApp::embedded().await;
    create_toggles(&app).await;
    let files = Files::new(&[&app.url("")]);
    let plan = plan(
        &files,
        "  parent: { enabled: false }\n  child: { enabled: true }\n  own: { description: other }\n",
    )
    .await;
    put(&app, "/api/admin/features/parent", |toggle| toggle["strategies"] = json!([{ "name": "default" }]))
        .await;
    let (code, said) = files.apply(&plan, &["--partial"]).await;
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("child: the toggle parent has changed since the plan"), "{said}");
    assert_eq!(app.get("/api/admin/features/child").await.json()["enabled"], false);
    assert_eq!(app.get("/api/admin/features/own").await.json()["description"], "other");
}

#[actix_web::test]
async fn the_effect_of_an_edited_plan_is_computed_again() {
    let app = TestApp::embedded().await;
    create_toggles(&app).await;
    let files = Files::new(&[&app.url("")]);
    let plan = plan(&files, "  own: { enabled: true }\n").await;
    let text = fs::read_to_string(&plan).unwrap();
    assert!(text.contains("\"effect\": \"widens\""), "{text}");
    let edited = files.write("edited", &text.replace("\"widens\"", "\"neither\""));
    let (code, said) = files.apply(&edited, &[]).await;
    assert!(code == Some(0) && said.contains("own is changed: widens who gets the feature"), "{said}");
}
