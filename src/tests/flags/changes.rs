//! Changing toggles: updates, on and off, stale and active.

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use super::{FEATURES, assert_empty, create, edited_probe, events_of, plain, probe, replace, switch};
use crate::support::app::TestApp;

#[actix_web::test]
async fn update_replaces_everything_except_name_and_times() {
    let app = TestApp::embedded().await;
    let created = create(&app, &probe()).await.json();
    let mut edit = edited_probe();
    edit["name"] = json!("another.name");
    edit["createdAt"] = json!("1999-01-01T00:00:00.000Z");
    // proves S7-008: an update takes the toggle with its variants
    assert_empty(&replace(&app, "probe.one", &edit).await);
    let mut expected = edited_probe();
    expected["createdAt"] = created["createdAt"].clone();
    expected["lastSeenAt"] = Value::Null;
    assert_eq!(app.get("/api/admin/features/probe.one").await.json(), expected);
    assert_eq!(app.get("/api/admin/features/another.name").await.status, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn invalid_update_changes_nothing() {
    let app = TestApp::embedded().await;
    let created = create(&app, &probe()).await.json();
    let edit = json!({
        "name": "probe.one", "strategies": [{ "name": "default", "parameters": {} }],
        "variants": [{ "name": "blue", "weight": 5000, "weightType": "huh" }],
    });
    let response = replace(&app, "probe.one", &edit).await;
    assert_eq!(response.status, StatusCode::BAD_REQUEST);
    let said: Vec<Value> = response.json()["details"]
        .as_array()
        .unwrap()
        .iter()
        .map(|detail| detail["message"].clone())
        .collect();
    assert_eq!(
        said,
        [
            "\"variants[0].weight\" must be less than or equal to 1000",
            "\"variants[0].weightType\" must be one of [variable, fix]",
        ]
    );
    assert_eq!(app.get("/api/admin/features/probe.one").await.json(), created);
    assert_eq!(events_of(&app, "probe.one").await.len(), 1);
}

#[actix_web::test]
async fn switching_returns_the_changed_toggle() {
    let app = TestApp::embedded().await;
    let mut toggle = create(&app, &probe()).await.json();
    // proves S7-009: switching on and off takes no body
    for (action, enabled) in [("toggle/off", false), ("toggle/on", true), ("toggle/on", true)] {
        let response = switch(&app, "probe.one", action).await;
        toggle["enabled"] = json!(enabled);
        assert_eq!((response.status, response.json()), (StatusCode::OK, toggle.clone()), "{action}");
        assert_eq!(app.get("/api/admin/features/probe.one").await.json(), toggle);
    }
}

#[actix_web::test]
async fn marking_as_stale_returns_the_changed_toggle() {
    let app = TestApp::embedded().await;
    let mut toggle = create(&app, &probe()).await.json();
    // proves S7-010: marking as stale or active returns JSON
    for (action, stale) in [("stale/on", true), ("stale/off", false)] {
        let response = switch(&app, "probe.one", action).await;
        toggle["stale"] = json!(stale);
        assert_eq!((response.status, response.json()), (StatusCode::OK, toggle.clone()), "{action}");
    }
}

#[actix_web::test]
async fn changing_a_missing_toggle_returns_404() {
    let app = TestApp::embedded().await;
    let mut responses = vec![replace(&app, "none.such", &plain("none.such")).await];
    for action in ["toggle/on", "toggle/off", "stale/on", "stale/off"] {
        responses.push(switch(&app, "none.such", action).await);
    }
    for response in responses {
        assert_eq!(response.status, StatusCode::NOT_FOUND);
        assert_eq!(response.json()["error"], "Could not find feature");
    }
    assert_eq!(app.get("/api/admin/events").await.json()["events"], json!([]));
}

#[actix_web::test]
async fn concurrent_writes_are_all_kept() {
    let app = TestApp::embedded().await;
    let toggles: Vec<Value> = (0..20).map(|number| plain(&format!("toggle-{number}"))).collect();
    let created =
        futures_util::future::join_all(toggles.iter().map(|toggle| app.post(FEATURES, toggle))).await;
    assert!(created.iter().all(|response| response.status == StatusCode::CREATED));
    let on = (0..20).map(|number| {
        let app = &app;
        async move { switch(app, &format!("toggle-{number}"), "toggle/on").await.status }
    });
    assert!(futures_util::future::join_all(on).await.iter().all(|status| *status == StatusCode::OK));
    let list = app.get(FEATURES).await.json();
    let on = list["features"].as_array().unwrap().iter().filter(|toggle| toggle["enabled"] == true).count();
    assert_eq!(on, 20);
    assert_eq!(app.get("/api/admin/events").await.json()["events"].as_array().unwrap().len(), 40);
}

#[actix_web::test]
async fn only_one_of_concurrent_creates_of_a_name_succeeds() {
    let app = TestApp::embedded().await;
    let toggle = plain("contested");
    let responses = futures_util::future::join_all((0..10).map(|_| app.post(FEATURES, &toggle))).await;
    let count = |status| responses.iter().filter(|response| response.status == status).count();
    assert_eq!((count(StatusCode::CREATED), count(StatusCode::CONFLICT)), (1, 9));
    assert_eq!(events_of(&app, "contested").await.len(), 1);
}
