//! Reading, creating and validating toggles.

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use super::{FEATURES, archive, create, edited_probe, message, names, plain, probe};
use crate::support::app::TestApp;

#[actix_web::test]
async fn an_empty_service_has_an_empty_list() {
    let app = TestApp::embedded().await;
    let answer = app.get(FEATURES).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.json(), json!({ "version": 1, "features": [] }));
}

#[actix_web::test]
async fn a_new_toggle_is_answered_and_found() {
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
async fn variants_survive_with_all_they_hold() {
    let app = TestApp::embedded().await;
    // proves S3-007, S3-008, S3-009, S3-010, S3-011, S3-012: the fields of a variant
    create(&app, &edited_probe()).await;
    let found = app.get("/api/admin/features/probe.one").await.json();
    assert_eq!(found["variants"], edited_probe()["variants"]);
}

#[actix_web::test]
async fn a_toggle_of_nothing_but_name_and_strategy_gets_the_defaults() {
    let app = TestApp::embedded().await;
    let created = create(&app, &plain("bare")).await.json();
    // proves S3-001: the type of a new toggle is release unless it says otherwise
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
async fn the_list_is_sorted_by_name() {
    let app = TestApp::embedded().await;
    for name in ["beta", "alpha", "gamma"] {
        create(&app, &plain(name)).await;
    }
    assert_eq!(names(&app, FEATURES).await, ["alpha", "beta", "gamma"]);
}

#[actix_web::test]
async fn a_toggle_that_is_not_there_is_a_404_that_says_so() {
    let app = TestApp::embedded().await;
    let answer = app.get("/api/admin/features/none.such").await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert_eq!(answer.json()["error"], "Could not find feature");
}

#[actix_web::test]
async fn a_name_is_taken_by_live_and_archived_toggles() {
    let app = TestApp::embedded().await;
    let wanted = json!({ "name": "probe.one" });
    // proves S7-007: validating takes a name alone
    let free = app.post("/api/admin/features/validate", &wanted).await;
    assert_eq!((free.status, free.body.as_str()), (StatusCode::OK, ""));

    create(&app, &probe()).await;
    let live = "A toggle with that name already exists";
    let archived = "An archived toggle with that name already exists";
    for words in [live, archived] {
        for answer in [
            app.post("/api/admin/features/validate", &wanted).await,
            app.post(FEATURES, &plain("probe.one")).await,
        ] {
            assert_eq!(answer.status, StatusCode::CONFLICT);
            assert_eq!(answer.json()["name"], "NameExistsError");
            assert_eq!(answer.json()["isJoi"], true);
            assert_eq!(message(&answer), words);
        }
        archive(&app, "probe.one").await;
    }
}

#[actix_web::test]
async fn broken_rules_are_told_with_their_places() {
    let app = TestApp::embedded().await;
    let answer = app.post("/api/admin/features/validate", &json!({ "name": "bad name/%" })).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    let body = answer.json();
    assert_eq!(body["isJoi"], true);
    assert_eq!(
        body["details"],
        json!([{ "message": "\"name\" must be URL friendly", "path": ["name"], "type": "isUrlFriendly.base" }])
    );

    let answer = app.post(FEATURES, &json!({ "strategies": [] })).await;
    let said: Vec<Value> =
        answer.json()["details"].as_array().unwrap().iter().map(|detail| detail["message"].clone()).collect();
    assert_eq!(said, ["\"name\" is required", "\"strategies\" must contain at least 1 items"]);
    assert_eq!(names(&app, FEATURES).await, [""; 0]);
}

#[actix_web::test]
async fn a_toggle_may_be_called_like_a_call() {
    let app = TestApp::embedded().await;
    create(&app, &plain("validate")).await;
    let answer = app.get("/api/admin/features/validate").await;
    assert_eq!((answer.status, &answer.json()["name"]), (StatusCode::OK, &json!("validate")));
}
