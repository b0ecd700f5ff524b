//! Malformed requests: content types, bodies, paths and names.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{FEATURES, JSON, create, events_of, names, plain, probe};
use crate::support::app::TestApp;
use crate::support::engine::is_postgres;

#[actix_web::test]
async fn writes_require_a_json_content_type() {
    let app = TestApp::embedded().await;
    create(&app, &plain("probe")).await;
    let body = plain("new").to_string();
    let foreign: [&[(&str, &str)]; 5] = [
        &[],
        &[("content-type", "application/json; charset=utf-8")],
        &[("content-type", "Application/JSON")],
        &[("content-type", "text/plain")],
        &[("content-type", "application/x-www-form-urlencoded")],
    ];
    for headers in foreign {
        for (method, path) in [
            (Method::POST, "/api/admin/features"),
            (Method::POST, "/api/admin/features/validate"),
            (Method::PUT, "/api/admin/features/probe"),
            (Method::POST, "/api/admin/features/probe/toggle/on"),
            (Method::POST, "/api/admin/features/probe/toggle/off"),
            (Method::POST, "/api/admin/features/probe/stale/on"),
            (Method::POST, "/api/admin/features/probe/stale/off"),
            (Method::POST, "/api/admin/archive/revive/probe"),
        ] {
            let response = app.send(method, path, headers, &body).await;
            assert_eq!(response.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{path} {headers:?}");
            assert_eq!(response.json()["code"], "unsupported_media_type");
        }
    }
    assert_eq!(names(&app, FEATURES).await, ["probe"]);
    assert_eq!(events_of(&app, "probe").await.len(), 1);
}

#[actix_web::test]
async fn rejects_malformed_json() {
    let app = TestApp::embedded().await;
    let deep = "[".repeat(100_000);
    for body in ["", "{", "nonsense", "{\"name\": \"x\"} trailing", "{\"name\": \"\\ud800\"}", deep.as_str()]
    {
        let response = app.send(Method::POST, FEATURES, &[JSON], body).await;
        assert_eq!(response.status, StatusCode::BAD_REQUEST);
        assert_eq!(response.json()["code"], "bad_body");
    }
    for body in ["null", "[]", "\"text\"", "7", "true"] {
        let response = app.send(Method::POST, FEATURES, &[JSON], body).await;
        assert_eq!(response.status, StatusCode::BAD_REQUEST);
        assert_eq!(response.json()["details"][0]["message"], "\"value\" must be of type object");
    }
    assert_eq!(names(&app, FEATURES).await, [""; 0]);
}

#[actix_web::test]
async fn rejects_bodies_over_one_mebibyte() {
    let app = TestApp::embedded().await;
    let mut toggle = plain("large");
    toggle["description"] = json!("x".repeat(1 << 20));
    let response = app.post(FEATURES, &toggle).await;
    assert_eq!(response.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(response.json()["code"], "body_too_large");
    toggle["description"] = json!("x".repeat((1 << 20) - 200));
    create(&app, &toggle).await;
}

#[actix_web::test]
async fn unknown_paths_return_404_in_json() {
    let app = TestApp::embedded().await;
    create(&app, &plain("probe")).await;
    for (method, path) in [
        (Method::GET, "/api"),
        (Method::GET, "/api/none"),
        (Method::GET, "/api/admin/none"),
        (Method::POST, "/api/admin/none"),
        (Method::GET, "/api/admin/features/"),
        (Method::GET, "/api/admin/features/probe/none"),
        (Method::GET, "/api/admin/features/probe/toggle/on"),
        (Method::PATCH, "/api/admin/features/probe"),
        (Method::DELETE, "/api/admin/archive/probe"),
    ] {
        let response = app.send(method.clone(), path, &[("accept", "text/html")], "").await;
        assert_eq!(response.status, StatusCode::NOT_FOUND, "{method} {path}");
        assert_eq!(response.header("content-type"), "application/json", "{method} {path}");
        assert_eq!(response.json()["code"], "unknown_path", "{method} {path}");
    }
}

#[actix_web::test]
async fn hostile_names_return_404() {
    let app = TestApp::embedded().await;
    create(&app, &probe()).await;
    for name in [
        "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "%00",
        "%ff%fe",
        "probe.one'--",
        "probe.one%27%20OR%201=1",
        "%3Cscript%3E",
        "%25",
        "100%25",
        "%F0%9F%A6%80",
    ] {
        let response = app.get(&format!("/api/admin/features/{name}")).await;
        // PostgreSQL has no U+0000 in texts.
        let refused =
            if name == "%00" && is_postgres() { StatusCode::BAD_REQUEST } else { StatusCode::NOT_FOUND };
        assert_eq!(response.status, refused, "{name}");
        assert!(response.json()["message"].is_string(), "{name}");
        let events = app.get(&format!("/api/admin/events/{name}")).await;
        assert!(events.status == StatusCode::OK || events.status == refused, "{name}");
        events.json();
    }
    assert_eq!(names(&app, FEATURES).await, ["probe.one"]);
}

#[actix_web::test]
async fn texts_are_returned_unchanged() {
    let app = TestApp::embedded().await;
    let mut text =
        "</script><img src=x onerror=alert(1)> '; DROP TABLE toggles; -- \u{0} \u{202e} 🦀 \"\\".to_owned();
    if is_postgres() {
        text = text.replace('\0', "");
    }
    let mut toggle = plain("texts");
    toggle["description"] = json!(text);
    toggle["strategies"][0]["parameters"] = json!({ "a \" key": text });
    let created = create(&app, &toggle).await.json();
    assert_eq!(created["description"], text);
    assert_eq!(created["strategies"][0]["parameters"]["a \" key"], text);
    assert_eq!(app.get("/api/admin/features/texts").await.json(), created);
}

#[actix_web::test]
async fn head_has_the_status_of_get_and_no_body() {
    let app = TestApp::embedded().await;
    let response = app.send(Method::HEAD, FEATURES, &[], "").await;
    assert_eq!((response.status, response.body.as_str()), (StatusCode::OK, ""));
    assert_ne!(Value::Null, app.get(FEATURES).await.json());
}

/// Returns a value that is not valid in its place.
fn invalid() -> Value {
    json!({ "invalid": true })
}

#[actix_web::test]
async fn used_names_and_missing_items_precede_an_invalid_body() {
    let app = TestApp::embedded().await;
    create(&app, &plain("probe")).await;
    for (method, path, body, status) in [
        (Method::POST, "features", json!({ "name": "probe", "strategies": invalid() }), 409),
        (Method::POST, "features", json!({ "name": "free", "strategies": invalid() }), 400),
        (Method::POST, "features", json!({ "name": invalid() }), 400),
        (Method::PUT, "features/none", json!({ "strategies": invalid() }), 404),
        (Method::PUT, "features/none", json!([]), 404),
        (Method::PUT, "features/probe", json!({ "strategies": invalid() }), 400),
        (Method::POST, "context", json!({ "name": "userId", "legalValues": invalid() }), 409),
        (Method::POST, "context", json!({ "name": "free", "legalValues": invalid() }), 400),
        (Method::PUT, "context/none", json!({ "legalValues": invalid() }), 404),
        (Method::PUT, "context/userId", json!({ "legalValues": invalid() }), 400),
        (Method::PUT, "projects/none", json!({}), 404),
        (Method::PUT, "projects/default", json!({}), 400),
        // Unleash 3.17 reads the bodies of these first.
        (Method::POST, "strategies", json!({ "name": "default", "parameters": invalid() }), 400),
        (Method::PUT, "strategies/none", json!({ "parameters": invalid() }), 400),
        (Method::POST, "tag-types", json!({ "name": "simple", "icon": invalid() }), 400),
        (Method::POST, "projects", json!({ "id": "default", "name": invalid() }), 400),
        (Method::PUT, "addons/9", json!({ "provider": "webhook", "events": invalid() }), 400),
    ] {
        let response =
            app.send(method.clone(), &format!("/api/admin/{path}"), &[JSON], &body.to_string()).await;
        assert_eq!(response.status.as_u16(), status, "{method} {path} {body}: {}", response.body);
    }
}
