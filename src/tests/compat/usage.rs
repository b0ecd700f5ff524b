//! Counts and applications of toggles.

use actix_web::http::{Method, StatusCode};
use serde_json::json;

use crate::support::app::{Response, TestApp};
use crate::support::newer_server::{NewerServer, Version};

const COUNTS: &str = "/api/admin/metrics/feature-toggles";
const APPLICATIONS: &str = "/api/admin/metrics/seen-apps";

/// Starts the app in front of a server with these toggles.
async fn start(version: Version, names: &[&str]) -> (NewerServer, TestApp) {
    let server = NewerServer::start(version);
    server.model(|model| {
        for name in names {
            model.add(name, json!({}));
        }
    });
    let app = TestApp::with(&["--upstream", &server.url]).await;
    (server, app)
}

async fn read(app: &TestApp, path: &str) -> Response {
    app.send(Method::GET, path, &[("flagdeck-environment", "development")], "").await
}

#[actix_web::test]
async fn applications_of_a_toggle_are_those_of_the_selected_environment() {
    let (server, app) = start(Version::V8_2, &["one"]).await;
    let usage = [
        ("development", "shop", 1, 0),
        ("development", "cart", 0, 1),
        ("development", "shop", 2, 0),
        ("production", "till", 1, 0),
    ];
    server.model(|model| model.usage.insert("one".to_owned(), usage.to_vec()));
    let applications = read(&app, &format!("{APPLICATIONS}?toggle=one")).await;
    assert_eq!(applications.json(), json!({ "one": [{ "appName": "cart" }, { "appName": "shop" }] }));
    // There is no list of the applications of all toggles.
    let all = read(&app, APPLICATIONS).await;
    assert_eq!((all.status, &all.json()["code"]), (StatusCode::GONE, &json!("not_reported")));
}

#[actix_web::test]
async fn counts_are_those_of_the_selected_environment() {
    let (server, app) = start(Version::V8_2, &["one", "unused"]).await;
    server.model(|model| {
        let usage =
            vec![("development", "shop", 3, 1), ("development", "cart", 2, 0), ("production", "shop", 7, 7)];
        model.usage.insert("one".to_owned(), usage)
    });
    let expected = json!({ "lastHour": { "one": { "yes": 5, "no": 1 } }, "lastMinute": {} });
    assert_eq!(read(&app, COUNTS).await.json(), expected);
}
