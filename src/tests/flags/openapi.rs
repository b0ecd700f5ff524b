//! The OpenAPI document: it matches the behaviour of the service.

use std::collections::BTreeSet;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{JSON, contract};
use crate::support::app::TestApp;
use crate::support::document::Document;
use crate::support::events::EventReader;
use crate::support::stub::{Reply, Stub};

const ADDRESS: &str = "/-/openapi.json";
/// The auth modes with their sign-in paths.
const SIGN_IN: [(&str, &str); 2] = [("unsecure", "/api/admin/login"), ("password", "/auth/simple/login")];
/// Starts of the paths for sessions and users, which belong to the mode `password`, too.
const OF_USERS: [&str; 2] = ["/api/admin/sessions", "/api/admin/users"];

/// Returns the auth mode in which a path exists.
fn auth_of(path: &str) -> &'static str {
    let sign_in = SIGN_IN.iter().find(|(_, address)| *address == path);
    let other = if is_of_users(path) { "password" } else { "none" };
    sign_in.map_or(other, |(auth, _)| auth)
}

/// Returns true if the endpoints of a path exist only where users sign in with proof of their identity.
pub(super) fn is_of_users(path: &str) -> bool {
    OF_USERS.iter().any(|start| path.starts_with(start))
}

/// Starts a service with the auth mode in which the path exists. Also returns the folder of its database.
pub(super) async fn with_address(path: &str) -> (TestApp, TempDir) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("flags.db");
    let auth = auth_of(path);
    let data = if auth == "password" { file.to_str().unwrap() } else { ":memory:" };
    (TestApp::with(&["--data", data, "--auth", auth]).await, folder)
}

#[actix_web::test]
async fn document_is_valid_openapi() {
    let document = Document::of(&TestApp::embedded().await).await;
    oas3::from_json(document.json.to_string()).unwrap();
    for (name, schema) in document.json["components"]["schemas"].as_object().unwrap() {
        jsonschema::meta::validate(schema).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let ids: BTreeSet<&str> =
        document.operations().map(|one| one.described["operationId"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), document.operations().count());
    for operation in document.operations() {
        let described = operation.described;
        let in_path = described["parameters"].as_array().unwrap().iter().filter(|one| one["in"] == "path");
        let names: Vec<String> =
            in_path.map(|one| format!("{{{}}}", one["name"].as_str().unwrap())).collect();
        let braced: Vec<&str> = operation.path.split('/').filter(|part| part.starts_with('{')).collect();
        assert_eq!(names, braced, "{}", operation.path);
        let responses = described["responses"].as_object().unwrap().values();
        let schemas = responses.map(|response| &response["content"]["application/json"]["schema"]);
        for schema in schemas.chain([operation.body()]).filter(|schema| !schema.is_null()) {
            // Fails if a reference has no target.
            document.validator(schema, false);
        }
    }
}

#[actix_web::test]
async fn every_operation_of_the_document_is_routed() {
    let embedded = TestApp::embedded().await;
    let document = Document::of(&embedded).await;
    for operation in document.operations() {
        let path = operation.path.replace(['{', '}'], "");
        let has_default_auth = auth_of(operation.path) == "none";
        let other = if has_default_auth { None } else { Some(with_address(operation.path).await) };
        let app = other.as_ref().map_or(&embedded, |(app, _folder)| app);
        if operation.is_stream() {
            let head = EventReader::open(app, &path, "").await.head;
            assert!(!head.contains(" 404 "), "{path}: {head}");
        } else {
            let response = app.send(operation.method.clone(), &path, &[JSON], "{}").await;
            assert!(!response.body.contains("unknown_path"), "{} {path}", operation.method);
        }
        // Without a session, the mode `password` refuses other methods first.
        if path.starts_with("/api/") && !is_of_users(&path) {
            let response = app.send(Method::PATCH, &path, &[JSON], "{}").await;
            assert!(response.body.contains("unknown_path"), "PATCH {path}: {}", response.body);
        }
    }
}

/// Requests that the recording does not contain: method, path, body.
fn more_calls() -> Vec<(Method, &'static str, Value)> {
    let toggle = json!({ "name": "probe.more", "strategies": [{ "name": "default" }] });
    vec![
        (Method::POST, "/api/admin/features", toggle.clone()),
        (Method::GET, "/api/client/features/probe.more", Value::Null),
        (Method::GET, "/api/admin/projects/default", Value::Null),
        (Method::GET, "/api/admin/events?before=2", Value::Null),
        (Method::GET, "/api/admin/events/probe.more?before=2", Value::Null),
        (Method::GET, "/api/admin", Value::Null),
        (Method::GET, "/api/client", Value::Null),
        (Method::GET, "/api/admin/segments", Value::Null),
        (Method::POST, "/api/admin/segments/validate", json!({ "name": "testers" })),
        (Method::POST, "/api/admin/segments", json!({ "name": "testers", "constraints": [] })),
        (Method::GET, "/api/admin/segments/1", Value::Null),
        (Method::GET, "/api/admin/segments/1/strategies", Value::Null),
        (Method::PUT, "/api/admin/segments/1", json!({ "name": "beta", "constraints": [] })),
        (Method::DELETE, "/api/admin/segments/1", Value::Null),
        (Method::GET, "/api/admin/metrics/feature-toggles/probe.more", Value::Null),
        (Method::GET, "/api/admin/metrics/seen-toggles", Value::Null),
        (Method::GET, "/api/admin/client-metrics/features/probe.more/minutes", Value::Null),
        (Method::GET, "/api/admin/client-metrics/features/probe.more/raw?hoursBack=2", Value::Null),
        (Method::PUT, "/api/admin/features/probe.more", toggle),
        (Method::POST, "/-/evaluate", json!({ "contexts": [{ "userId": "7" }], "detail": "reasons" })),
        (Method::POST, "/api/admin/features/probe.more/toggle", Value::Null),
        (Method::POST, "/api/admin/tag-types", json!({ "name": "kind" })),
        (Method::POST, "/api/admin/tags/validate", json!({ "type": "kind", "value": "red" })),
        (Method::POST, "/api/admin/tags", json!({ "type": "kind", "value": "red" })),
        (Method::GET, "/api/admin/tags/kind/red", Value::Null),
        (Method::GET, "/api/admin/state/export", Value::Null),
        (Method::GET, "/api/admin/state/export?format=yaml", Value::Null),
        (Method::POST, "/api/admin/state/import", json!({ "tags": [{ "type": "kind", "value": "blue" }] })),
        (Method::POST, "/api/admin/api-tokens", json!({ "name": "shop", "kind": "frontend" })),
        (Method::GET, "/api/admin/api-tokens", Value::Null),
        (Method::DELETE, "/api/admin/api-tokens/shop", Value::Null),
        (Method::GET, "/-/recorder", Value::Null),
        (Method::GET, "/-/state", Value::Null),
        (Method::GET, "/-/changes", Value::Null),
        (Method::POST, "/-/holds", json!({ "toggle": "probe.more", "reason": "INC-42" })),
        (Method::GET, "/-/holds", Value::Null),
        (Method::GET, "/-/holds/probe.more", Value::Null),
        (Method::DELETE, "/-/holds/probe.more", Value::Null),
        (Method::POST, "/-/files", json!({ "toggles": [] })),
        (Method::GET, "/-/files.schema.json", Value::Null),
        (Method::POST, "/-/plans", plan_request()),
    ]
}

/// A request for the plan of a file with one new toggle.
fn plan_request() -> Value {
    let file = json!({ "name": "shop.yaml", "text": "version: 1\ntoggles:\n  shop.new: {}\n" });
    json!({ "files": [file], "target": "prod", "existing": {}, "archived": [], "toggles": [], "segments": [], "items": {} })
}

/// Requests of browsers and OpenFeature clients, which send a frontend token.
fn frontend_calls() -> Vec<(Method, &'static str, Value)> {
    vec![
        (Method::GET, "/api/frontend?userId=7", Value::Null),
        (Method::POST, "/api/frontend", json!({ "context": { "userId": "7" } })),
        (Method::GET, "/api/frontend/features/probe.more", Value::Null),
        (Method::POST, "/api/frontend/features/probe.more", json!({ "userId": "7" })),
        (
            Method::POST,
            "/api/frontend/client/metrics",
            json!({ "appName": "web", "instanceId": "browser", "bucket": { "toggles": {} } }),
        ),
        (
            Method::POST,
            "/api/client/metrics/bulk",
            json!({ "applications": [{ "appName": "edge", "instanceId": "1" }], "metrics": [] }),
        ),
        (Method::POST, "/api/frontend/client/register", json!({ "appName": "web", "instanceId": "browser" })),
        (Method::POST, "/ofrep/v1/evaluate/flags", json!({ "context": { "targetingKey": "7" } })),
        (Method::POST, "/ofrep/v1/evaluate/flags/probe.more", json!({})),
        (Method::POST, "/ofrep/v1/evaluate/flags/probe.more", json!({ "context": 1 })),
        (Method::POST, "/ofrep/v1/evaluate/flags/probe.none", json!({})),
    ]
}

#[actix_web::test]
async fn responses_match_the_openapi_document() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("flags.db");
    let app = TestApp::with(&["--data", data.to_str().unwrap(), "--recorder"]).await;
    let document = Document::of(&app).await;
    let web = app.post("/api/admin/api-tokens", &json!({ "name": "web", "kind": "frontend" })).await.json();
    let key = ("x-api-key", web["secret"].as_str().unwrap());
    let (mut unlike, mut done) = (Vec::new(), BTreeSet::new());
    let mut check = |method: &Method, path: &str, response: &crate::support::app::Response| {
        let Some(operation) = document.operation(method, path) else { return };
        let name = format!("{method} {}", operation.path);
        let differences = document.differences(&operation, response);
        unlike.extend(differences.iter().map(|difference| format!("{name} ({path}): {difference}")));
        if response.status.is_success() || response.status.is_redirection() {
            done.insert(name);
        }
    };
    for (method, path, response) in contract::replay().await {
        check(&method, &path, &response);
    }
    for (method, path, body) in more_calls().into_iter().chain(frontend_calls()) {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let headers = if path.starts_with("/api/frontend") || path.starts_with("/ofrep") {
            &[JSON, key][..]
        } else {
            &[JSON]
        };
        let response = app.send(method.clone(), path, headers, &body).await;
        check(&method, path, &response);
    }
    let (missing, too_long) =
        ("/api/admin/tag-types/missing", format!("/api/frontend?userId={}", "7".repeat(40_000)));
    for (method, path, header, status) in [
        (Method::DELETE, missing, ("if-match", "*"), StatusCode::NOT_FOUND),
        (Method::GET, &too_long, key, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE),
    ] {
        let response = app.send(method.clone(), path, &[header], "").await;
        assert_eq!(response.status, status, "{path}");
        check(&method, path, &response);
    }
    assert!(unlike.is_empty(), "{}", unlike.join("\n"));
    // Streams: see `sdk/streaming`.
    let all = document
        .operations()
        .filter(|operation| !operation.is_stream())
        .map(|operation| format!("{} {}", operation.method, operation.path));
    // Sign-in by password and sessions need a user, which only the command line can add: see `access`.
    let needs_user = |name: &String| {
        name.ends_with("/auth/simple/login") || OF_USERS.iter().any(|start| name.contains(start))
    };
    let never: Vec<String> = all.filter(|name| !done.contains(name) && !needs_user(name)).collect();
    assert_eq!(never, Vec::<String>::new(), "operations without a successful request");
}

#[actix_web::test]
async fn largest_event_id_is_documented() {
    let app = TestApp::embedded().await;
    let document = Document::of(&app).await;
    let operation = document.operation(&Method::GET, "/api/admin/events").unwrap();
    let schema = document.validator(&operation.described["parameters"][0]["schema"], false);
    for (id, is_valid) in [(9_223_372_036_854_775_807_u64, true), (9_223_372_036_854_775_808, false)] {
        assert_eq!(schema.is_valid(&json!(id)), is_valid, "{id}");
        assert_eq!(app.get(&format!("/api/admin/events?before={id}")).await.status.is_success(), is_valid);
    }
}

#[actix_web::test]
async fn document_urls_include_the_base_path() {
    for (base_path, server) in [("/", "/"), ("/flags", "/flags")] {
        let app = TestApp::with(&["--data", ":memory:", "--base-path", base_path]).await;
        let address = format!("{}{ADDRESS}", base_path.trim_end_matches('/'));
        assert_eq!(app.get(&address).await.json()["servers"], json!([{ "url": server }]));
    }
}

#[actix_web::test]
async fn document_does_not_exist_with_an_upstream() {
    let stub = Stub::start(Reply::Silence).await;
    let response = TestApp::beside(&stub.url).await.get(ADDRESS).await;
    assert_eq!((response.status, &response.json()["code"]), (StatusCode::NOT_FOUND, &json!("unknown_path")));
    assert_eq!(stub.requests(), Vec::<String>::new());
}
