//! The APIs for SDKs: results for browsers and OpenFeature clients, and the replica.

mod access;
mod collected_reports;
mod database;
mod definitions;
mod edge;
mod edge_server;
mod frontend;
mod gitlab;
pub(crate) mod hold;
mod hold_webhook;
mod learned_tokens;
mod ofrep;
mod replica;
mod reports;
mod sidecar;
mod streaming;
mod toggle_usage;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::app::{Response, TestApp};

const JSON: (&str, &str) = ("content-type", "application/json");
const FRONTEND: &str = "/api/frontend";
pub(crate) const FLAGS: &str = "/ofrep/v1/evaluate/flags";

/// Starts the embedded service in memory.
async fn start(more: &[&str]) -> TestApp {
    TestApp::with(&[&["--data", ":memory:"], more].concat()).await
}

/// Creates a toggle that is on with these strategies and other properties.
async fn create(app: &TestApp, name: &str, strategies: Value, more: Value) {
    let mut toggle = json!({ "name": name, "enabled": true, "strategies": strategies });
    toggle.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let response = app.post("/api/admin/features", &toggle).await;
    assert_eq!(response.status, StatusCode::CREATED, "{}", response.body);
}

fn everyone() -> Value {
    json!([{ "name": "default" }])
}

fn users(users: &str) -> Value {
    json!([{ "name": "userWithId", "parameters": { "userIds": users } }])
}

/// Creates a token of this kind, and returns it. The service reads the tokens with its first request of an SDK, and again
/// after half a second.
async fn token(app: &TestApp, name: &str, kind: &str, mut scope: Value) -> String {
    scope["name"] = name.into();
    scope["kind"] = kind.into();
    let response = app.post("/api/admin/api-tokens", &scope).await;
    assert_eq!(response.status, StatusCode::CREATED, "{}", response.body);
    response.json()["secret"].as_str().unwrap().to_owned()
}

/// Creates a frontend token without limits.
pub(crate) async fn frontend_token(app: &TestApp) -> String {
    token(app, "web", "frontend", json!({ "origins": ["https://shop.example"] })).await
}

/// Sends a request with a token.
async fn get(app: &TestApp, token: &str, path: &str) -> Response {
    app.send(Method::GET, path, &[("authorization", token)], "").await
}

async fn post(app: &TestApp, token: &str, path: &str, body: &Value) -> Response {
    app.send(Method::POST, path, &[JSON, ("authorization", token)], &body.to_string()).await
}

/// Returns the names of the toggles that are on, in a response of the browser API.
fn names(response: &Response) -> Vec<String> {
    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    let toggles = response.json()["toggles"].take();
    toggles.as_array().unwrap().iter().map(|toggle| toggle["name"].as_str().unwrap().to_owned()).collect()
}
