//! The embedded flag service.

mod addons;
mod amplification;
mod archive;
mod changes;
mod clients;
mod compression;
mod conditions;
mod contract;
mod copies;
mod definitions;
mod deliveries;
mod demo;
mod examples;
mod faults;
mod group_commit;
mod history;
mod history_keep;
mod hostile;
mod instances;
mod keeping;
mod kills;
mod limits;
mod moving;
mod openapi;
mod operators;
mod postgres;
mod preserved;
mod projects;
mod reference;
mod refusals;
mod replaced;
mod reports;
mod segments;
mod state;
mod tags;
mod toggles;
mod transfer;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::app::{Response, TestApp};
use crate::support::binary::flagdeck;
use crate::support::engine::with_engine;

const JSON: (&str, &str) = ("content-type", "application/json");
const FEATURES: &str = "/api/admin/features";

/// A toggle with two strategies and no variants.
fn probe() -> Value {
    json!({
        "name": "probe.one", "description": "first", "type": "release", "enabled": true, "stale": false,
        "project": "default", "variants": [],
        "strategies": [
            { "name": "default", "parameters": {} },
            {
                "name": "flexibleRollout",
                "parameters": { "rollout": "40", "stickiness": "default", "groupId": "probe.one" },
                "constraints": [{ "contextName": "environment", "operator": "IN", "values": ["dev", "test"] }],
            },
        ],
    })
}

/// The toggle of [`probe`] after an edit: other texts, one strategy less, two variants more.
fn edited_probe() -> Value {
    json!({
        "name": "probe.one", "description": "edited", "type": "experiment", "enabled": true, "stale": false,
        "project": "default", "strategies": [{ "name": "default", "parameters": {} }],
        "variants": [
            {
                "name": "blue", "weight": 500, "weightType": "variable", "stickiness": "default",
                "payload": { "type": "string", "value": "x" },
                "overrides": [{ "contextName": "userId", "values": ["1", "2"] }],
            },
            { "name": "green", "weight": 500, "weightType": "variable", "stickiness": "default" },
        ],
    })
}

/// A toggle with only the required properties.
pub fn plain(name: &str) -> Value {
    json!({ "name": name, "strategies": [{ "name": "default", "parameters": {} }] })
}

/// A registration with the largest list of strategies: 200 names of 255 characters of 4 bytes each.
fn largest_registration(name: &str) -> Value {
    let strategies: Vec<_> = (100..300).map(|number| format!("{number}{}", "🦀".repeat(252))).collect();
    json!({ "appName": name, "instanceId": "i", "strategies": strategies })
}

async fn create(app: &TestApp, toggle: &Value) -> Response {
    let response = app.post(FEATURES, toggle).await;
    assert_eq!(response.status, StatusCode::CREATED, "{}", response.body);
    response
}

async fn replace(app: &TestApp, name: &str, toggle: &Value) -> Response {
    app.send(Method::PUT, &format!("{FEATURES}/{name}"), &[JSON], &toggle.to_string()).await
}

async fn archive(app: &TestApp, name: &str) -> Response {
    app.send(Method::DELETE, &format!("{FEATURES}/{name}"), &[], "").await
}

async fn revive(app: &TestApp, name: &str) -> Response {
    app.post(&format!("/api/admin/archive/revive/{name}"), &Value::Null).await
}

/// Posts an action of a toggle, such as `toggle/on`.
async fn switch(app: &TestApp, name: &str, action: &str) -> Response {
    app.post(&format!("{FEATURES}/{name}/{action}"), &Value::Null).await
}

/// Returns the names of the toggles in a list, in its order.
async fn names(app: &TestApp, path: &str) -> Vec<String> {
    let features = app.get(path).await.json()["features"].take();
    features.as_array().unwrap().iter().map(|toggle| toggle["name"].as_str().unwrap().to_owned()).collect()
}

/// Returns the events of a toggle, newest first.
async fn events_of(app: &TestApp, name: &str) -> Vec<Value> {
    let mut response = app.get(&format!("/api/admin/events/{name}")).await.json();
    assert_eq!(response["toggleName"], name);
    serde_json::from_value(response["events"].take()).unwrap()
}

/// Asserts status 200 without a body.
fn assert_empty(response: &Response) {
    assert_eq!((response.status, response.body.as_str()), (StatusCode::OK, ""));
}

/// Returns the error message that the console shows.
fn message(response: &Response) -> String {
    let body = response.json();
    body["details"][0]["message"].as_str().or(body["message"].as_str()).unwrap_or_default().to_owned()
}

/// Imports toggles into `flags.db` in a folder with a command, like another process.
pub fn import_as_other_process(folder: &TempDir, toggles: &[&Value]) {
    let [data, state] = ["flags.db", "import.json"].map(|name| folder.path().join(name));
    std::fs::write(&state, json!({ "version": 1, "features": toggles }).to_string()).unwrap();
    let import = ["import", state.to_str().unwrap(), "--data", data.to_str().unwrap()];
    let output = flagdeck().args(with_engine(&import)).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
