//! Reading, creating and validating toggles.

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use super::{FEATURES, archive, create, edited_probe, events_of, message, names, plain, probe, switch};
use crate::support::app::TestApp;

#[actix_web::test]
async fn new_service_has_no_toggles() {
    let app = TestApp::embedded().await;
    let response = app.get(FEATURES).await;
    assert_eq!(response.status, StatusCode::OK);
    assert_eq!(response.json(), json!({ "version": 1, "features": [] }));
}

#[actix_web::test]
async fn created_toggle_is_returned_and_listed() {
    let app = TestApp::embedded().await;
    // proves S7-006: creating takes a toggle with its name, strategies and other fields
    let created = create(&app, &probe()).await.json();
    let mut expected = probe();
    expected["lastSeenAt"] = Value::Null;
    expected["createdAt"] = created["createdAt"].clone();
    assert_eq!(created, expected);
    let time = created["createdAt"].as_str().unwrap();
    assert!(time.len() == 24 && time.ends_with('Z') && time.parse::<jiff::Timestamp>().is_ok(), "{time}");
    // proves S7-005, S7-004: one toggle, and the list of them
    assert_eq!(app.get("/api/admin/features/probe.one").await.json(), created);
    assert_eq!(app.get(FEATURES).await.json(), json!({ "version": 1, "features": [created] }));
}

#[actix_web::test]
async fn variants_are_stored_completely() {
    let app = TestApp::embedded().await;
    // proves S3-007, S3-008, S3-009, S3-010, S3-011, S3-012: the fields of a variant
    create(&app, &edited_probe()).await;
    let found = app.get("/api/admin/features/probe.one").await.json();
    assert_eq!(found["variants"], edited_probe()["variants"]);
}

#[actix_web::test]
async fn missing_properties_get_defaults() {
    let app = TestApp::embedded().await;
    let created = create(&app, &plain("bare")).await.json();
    // proves S3-001: the default type of a new toggle is release
    for (key, value) in [
        ("description", Value::Null),
        ("type", json!("release")),
        ("project", json!("default")),
        ("enabled", json!(false)),
        ("stale", json!(false)),
        ("variants", json!([])),
        ("lastSeenAt", Value::Null),
    ] {
        assert_eq!(created[key], value, "{key}");
    }
}

#[actix_web::test]
async fn toggle_list_is_sorted_by_name() {
    let app = TestApp::embedded().await;
    for name in ["beta", "alpha", "gamma"] {
        create(&app, &plain(name)).await;
    }
    assert_eq!(names(&app, FEATURES).await, ["alpha", "beta", "gamma"]);
}

#[actix_web::test]
async fn missing_toggle_returns_404() {
    let app = TestApp::embedded().await;
    let response = app.get("/api/admin/features/none.such").await;
    assert_eq!(response.status, StatusCode::NOT_FOUND);
    assert_eq!(response.json()["error"], "Could not find feature");
}

#[actix_web::test]
async fn rejects_names_of_active_and_archived_toggles() {
    let app = TestApp::embedded().await;
    let wanted = json!({ "name": "probe.one" });
    // proves S7-007: validation takes only a name
    let free = app.post("/api/admin/features/validate", &wanted).await;
    assert_eq!((free.status, free.body.as_str()), (StatusCode::OK, ""));

    create(&app, &probe()).await;
    let live = "A toggle with that name already exists";
    let archived = "An archived toggle with that name already exists";
    for words in [live, archived] {
        for response in [
            app.post("/api/admin/features/validate", &wanted).await,
            app.post(FEATURES, &plain("probe.one")).await,
        ] {
            assert_eq!(response.status, StatusCode::CONFLICT);
            assert_eq!(response.json()["name"], "NameExistsError");
            assert_eq!(response.json()["isJoi"], true);
            assert_eq!(message(&response), words);
        }
        archive(&app, "probe.one").await;
    }
}

#[actix_web::test]
async fn validation_errors_contain_the_path() {
    let app = TestApp::embedded().await;
    let response = app.post("/api/admin/features/validate", &json!({ "name": "bad name/%" })).await;
    assert_eq!(response.status, StatusCode::BAD_REQUEST);
    let body = response.json();
    assert_eq!(body["isJoi"], true);
    assert_eq!(
        body["details"],
        json!([{ "message": "\"name\" must be URL friendly", "path": ["name"], "type": "isUrlFriendly.base" }])
    );

    let response = app.post(FEATURES, &json!({ "strategies": [] })).await;
    let said: Vec<Value> = response.json()["details"]
        .as_array()
        .unwrap()
        .iter()
        .map(|detail| detail["message"].clone())
        .collect();
    assert_eq!(said, ["\"name\" is required", "\"strategies\" must contain at least 1 items"]);
    assert_eq!(names(&app, FEATURES).await, [""; 0]);
}

#[actix_web::test]
async fn toggle_names_can_equal_path_segments() {
    let app = TestApp::embedded().await;
    create(&app, &plain("validate")).await;
    let response = app.get("/api/admin/features/validate").await;
    assert_eq!((response.status, &response.json()["name"]), (StatusCode::OK, &json!("validate")));
}

#[actix_web::test]
async fn toggle_can_be_flipped() {
    let app = TestApp::embedded().await;
    create(&app, &plain("probe")).await;
    for enabled in [true, false] {
        let response = switch(&app, "probe", "toggle").await;
        assert_eq!((response.status, &response.json()["enabled"]), (StatusCode::OK, &json!(enabled)));
        assert_eq!(app.get(&format!("{FEATURES}/probe")).await.json()["enabled"], enabled);
    }
    assert_eq!(events_of(&app, "probe").await.len(), 3);
    assert_eq!(switch(&app, "none", "toggle").await.status, StatusCode::NOT_FOUND);
}
