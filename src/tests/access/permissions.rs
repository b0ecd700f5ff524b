//! Permissions of each request (section 6).

use std::collections::BTreeSet;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{Installation, JSON, get, send_as, signed_in};
use crate::support::app::TestApp;
use crate::support::document::Document;

/// Returns every write of the admin API: method, path, a valid body, and the permission. [`create_probes`] creates the
/// items that they change.
fn changes() -> Vec<(Method, &'static str, Value, &'static str)> {
    let toggle = json!({ "name": "new.toggle", "strategies": [{ "name": "default" }] });
    let field = json!({ "name": "region", "legalValues": [] });
    let strategy = json!({ "name": "mine", "parameters": [] });
    let kind = json!({ "name": "team", "description": "", "icon": "" });
    let tag = json!({ "type": "simple", "value": "red" });
    let project = json!({ "id": "shop", "name": "Shop" });
    let addon = addon();
    let none = Value::Null;
    let on = |path, permission| (Method::POST, path, Value::Null, permission);
    vec![
        (Method::POST, "/features", toggle.clone(), "CREATE_FEATURE"),
        (Method::POST, "/features/validate", json!({ "name": "free.name" }), "CREATE_FEATURE"),
        (Method::PUT, "/features/probe", toggle, "UPDATE_FEATURE"),
        on("/features/probe/toggle", "UPDATE_FEATURE"),
        on("/features/probe/toggle/on", "UPDATE_FEATURE"),
        on("/features/probe/toggle/off", "UPDATE_FEATURE"),
        on("/features/probe/stale/on", "UPDATE_FEATURE"),
        on("/features/probe/stale/off", "UPDATE_FEATURE"),
        (Method::POST, "/features/probe/tags", tag.clone(), "UPDATE_FEATURE"),
        (Method::DELETE, "/features/probe/tags/simple/probe", none.clone(), "UPDATE_FEATURE"),
        (Method::DELETE, "/features/probe", none.clone(), "DELETE_FEATURE"),
        on("/archive/revive/probe", "UPDATE_FEATURE"),
        (Method::POST, "/strategies", strategy.clone(), "CREATE_STRATEGY"),
        (Method::PUT, "/strategies/probe", strategy, "UPDATE_STRATEGY"),
        on("/strategies/probe/deprecate", "UPDATE_STRATEGY"),
        on("/strategies/probe/reactivate", "UPDATE_STRATEGY"),
        (Method::DELETE, "/strategies/probe", none.clone(), "DELETE_STRATEGY"),
        (Method::POST, "/context", field.clone(), "CREATE_CONTEXT_FIELD"),
        (Method::POST, "/context/validate", json!({ "name": "free" }), "CREATE_CONTEXT_FIELD"),
        (Method::PUT, "/context/probe", field, "UPDATE_CONTEXT_FIELD"),
        (Method::DELETE, "/context/probe", none.clone(), "DELETE_CONTEXT_FIELD"),
        (Method::POST, "/segments", segment("new"), "CREATE_SEGMENT"),
        (Method::POST, "/segments/validate", json!({ "name": "free" }), "CREATE_SEGMENT"),
        (Method::PUT, "/segments/1", segment("edited"), "UPDATE_SEGMENT"),
        (Method::DELETE, "/segments/1", none.clone(), "DELETE_SEGMENT"),
        (Method::POST, "/tag-types", kind.clone(), "CREATE_TAG_TYPE"),
        (Method::POST, "/tag-types/validate", json!({ "name": "free" }), "CREATE_TAG_TYPE"),
        (Method::PUT, "/tag-types/probe", kind, "UPDATE_TAG_TYPE"),
        (Method::DELETE, "/tag-types/probe", none.clone(), "DELETE_TAG_TYPE"),
        (Method::POST, "/tags", tag, "CREATE_TAG"),
        (Method::POST, "/tags/validate", json!({ "type": "simple", "value": "free" }), "CREATE_TAG"),
        (Method::DELETE, "/tags/simple/probe", none.clone(), "DELETE_TAG"),
        (Method::POST, "/projects", project.clone(), "CREATE_PROJECT"),
        (Method::POST, "/projects/validate", json!({ "id": "free" }), "CREATE_PROJECT"),
        (Method::PUT, "/projects/probe", project, "UPDATE_PROJECT"),
        (Method::DELETE, "/projects/probe", none.clone(), "DELETE_PROJECT"),
        (Method::POST, "/addons", addon.clone(), "CREATE_ADDON"),
        (Method::PUT, "/addons/1", addon, "UPDATE_ADDON"),
        (Method::DELETE, "/addons/1", none.clone(), "DELETE_ADDON"),
        (Method::POST, "/state/import", json!({ "tags": [] }), "ADMIN"),
        (Method::POST, "/api-tokens", json!({ "name": "new" }), "CREATE_API_TOKEN"),
        (Method::DELETE, "/api-tokens/probe", none.clone(), "DELETE_API_TOKEN"),
        (Method::POST, "/metrics/applications/probe", json!({ "icon": "apps" }), "UPDATE_APPLICATION"),
        (Method::DELETE, "/metrics/applications/probe", none.clone(), "UPDATE_APPLICATION"),
        (Method::DELETE, "/sessions?username=nobody", none.clone(), "ADMIN"),
        (Method::DELETE, "/sessions/unknown", none.clone(), "ADMIN"),
        (Method::POST, "/users", json!({ "username": "colleague" }), "ADMIN"),
        (Method::POST, "/users/colleague/permissions", json!({ "granted": ["CREATE_TAG"] }), "ADMIN"),
        (Method::POST, "/users/colleague/password", none.clone(), "ADMIN"),
        (Method::POST, "/users/colleague/disable", none.clone(), "ADMIN"),
        (Method::POST, "/users/colleague/enable", none.clone(), "ADMIN"),
        (Method::DELETE, "/users/colleague", none, "ADMIN"),
    ]
}

/// A disabled addon, which gets no events.
fn addon() -> Value {
    let parameters = json!({ "url": "http://127.0.0.1:9/" });
    json!({ "provider": "webhook", "enabled": false, "events": ["feature-created"], "parameters": parameters })
}

fn segment(name: &str) -> Value {
    json!({ "name": name, "constraints": [] })
}

/// Paths of all lists, to compare their responses before and after.
const READS: [&str; 12] = [
    "/features",
    "/archive/features",
    "/strategies",
    "/context",
    "/segments",
    "/tag-types",
    "/tags",
    "/projects",
    "/addons",
    "/api-tokens",
    "/metrics/applications",
    "/events",
];

/// Creates the items that [`changes`] change.
async fn create_probes(app: &TestApp, admin: &str) {
    for (path, body) in [
        ("features", json!({ "name": "probe", "strategies": [{ "name": "default" }] })),
        ("features/probe/tags", json!({ "type": "simple", "value": "probe" })),
        ("strategies", json!({ "name": "probe", "parameters": [] })),
        ("context", json!({ "name": "probe", "legalValues": [] })),
        ("segments", segment("probe")),
        ("tag-types", json!({ "name": "probe" })),
        ("projects", json!({ "id": "probe", "name": "Probe" })),
        ("addons", addon()),
        // A client token would close the API of client libraries.
        ("api-tokens", json!({ "name": "probe", "kind": "frontend" })),
    ] {
        let response = send_as(app, admin, Method::POST, &format!("/api/admin/{path}"), &body).await;
        assert!(response.status.is_success(), "{path}: {}", response.body);
    }
    let probe = json!({ "appName": "probe", "instanceId": "1", "strategies": [], "started": "2026-01-01T00:00:00Z", "interval": 10 });
    assert_eq!(app.post("/api/client/register", &probe).await.status, StatusCode::ACCEPTED);
}

async fn read_all(app: &TestApp, session: &str) -> Vec<String> {
    let mut read = Vec::new();
    for path in READS {
        let response = get(app, session, &format!("/api/admin{path}")).await;
        assert_eq!(response.status, StatusCode::OK, "{path}: {}", response.body);
        read.push(response.body);
    }
    read
}

#[actix_web::test]
async fn user_without_permissions_can_read_everything_and_change_nothing() {
    // proves S6-002 S6-018
    let installation = Installation::new();
    installation.add("admin", &["--admin"]);
    installation.add("reader", &[]);
    let app = installation.start_with_passwords().await;
    let (admin, reader) = (signed_in(&app, "admin").await, signed_in(&app, "reader").await);
    create_probes(&app, &admin).await;
    let before = read_all(&app, &reader).await;
    for (method, path, body, permission) in changes() {
        let response = send_as(&app, &reader, method.clone(), &format!("/api/admin{path}"), &body).await;
        assert_eq!(response.status, StatusCode::FORBIDDEN, "{method} {path}: {}", response.body);
        assert_eq!(response.json()["permission"], permission, "{method} {path}");
        assert!(response.json()["message"].as_str().unwrap().contains(permission), "{method} {path}");
    }
    let export = get(&app, &reader, "/api/admin/state/export").await;
    assert_eq!((export.status, &export.json()["permission"]), (StatusCode::FORBIDDEN, &json!("ADMIN")));
    let examples = send_as(&app, &reader, Method::POST, "/-/examples", &Value::Null).await;
    assert_eq!(examples.status, StatusCode::FORBIDDEN, "{}", examples.body);
    assert_eq!(app.post("/-/examples", &Value::Null).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(read_all(&app, &reader).await, before);
    assert_eq!(get(&app, &reader, "/api/admin/features/probe/tags").await.status, StatusCode::OK);
}

/// The committed table of endpoints names the right that each of them requires. The body is not valid.
#[actix_web::test]
async fn endpoints_of_the_console_confirm_the_right_of_a_user_before_the_body() {
    let installation = Installation::new();
    installation.add("reader", &[]);
    let journal = installation.data() + ".journal";
    let app = installation.start(&["--auth", "password", "--journal", &journal]).await;
    let reader = signed_in(&app, "reader").await;
    let mut requirements = BTreeSet::new();
    for line in include_str!("../../routes/endpoints.txt").lines() {
        let [method, path, part, requirement] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        if matches!(part, "Provider" | "Replica") {
            continue;
        }
        requirements.insert(requirement);
        let method: Method = method.parse().unwrap();
        let path = format!("/-{}", path.replace("{name}", "probe").replace("{file}", "x"));
        let send = async |headers: &[(&str, &str)]| {
            app.send(method.clone(), &path, &[&[JSON], headers].concat(), "{").await.status
        };
        let is_public = requirement == "Nothing";
        assert_eq!(send(&[]).await == StatusCode::UNAUTHORIZED, !is_public, "{line}");
        let is_forbidden = !matches!(requirement, "Nothing" | "Session" | "OwnSession" | "Reader");
        // A sign-out would end the session.
        if !is_public {
            let status = send(&[("cookie", &reader)]).await;
            assert_eq!(status == StatusCode::FORBIDDEN, is_forbidden, "{line}: {status}");
            assert_ne!(status, StatusCode::UNAUTHORIZED, "{line}");
        }
    }
    assert!(requirements.len() > 5, "{requirements:?}");
}

#[actix_web::test]
async fn each_change_needs_exactly_one_permission() {
    // proves S6-002 S6-015
    let installation = Installation::new();
    installation.add("admin", &["--admin"]);
    installation.add("one", &[]);
    let app = installation.start_with_passwords().await;
    let (admin, one) = (signed_in(&app, "admin").await, signed_in(&app, "one").await);
    create_probes(&app, &admin).await;
    let mut last = "";
    for (method, path, body, permission) in changes() {
        if permission != last {
            // No new sign-in: changed permissions apply to the next request.
            let fewer: &[&str] = if last.is_empty() { &[] } else { &["user", "revoke", "one", last] };
            if !fewer.is_empty() {
                installation.run_ok(fewer, "");
            }
            installation.run_ok(&["user", "grant", "one", permission], "");
            last = permission;
        }
        let response = send_as(&app, &one, method.clone(), &format!("/api/admin{path}"), &body).await;
        assert!(
            !matches!(response.status, StatusCode::FORBIDDEN | StatusCode::UNAUTHORIZED)
                && !response.status.is_server_error(),
            "{method} {path}: {} {}",
            response.status,
            response.body
        );
    }
    installation.run_ok(&["user", "grant", "one", "CREATE_FEATURE"], "");
    let examples = send_as(&app, &one, Method::POST, "/-/examples", &Value::Null).await;
    assert_eq!(examples.status, StatusCode::CREATED, "{}", examples.body);
}

#[actix_web::test]
async fn every_change_in_the_openapi_document_requires_its_permission() {
    // proves S6-002
    let installation = Installation::new();
    installation.add("reader", &[]);
    let app = installation.start_with_passwords().await;
    let reader = signed_in(&app, "reader").await;
    let document = Document::of(&app).await;
    let mut declared = BTreeSet::new();
    for operation in document.operations() {
        let Some(path) = operation.path.strip_prefix("/api/admin") else { continue };
        if operation.method == Method::GET || path == "/login" {
            continue;
        }
        let address = operation.path.replace(['{', '}'], "");
        let response = send_as(&app, &reader, operation.method.clone(), &address, &json!({})).await;
        let permission = &operation.described["x-permission"];
        assert_eq!(response.status, StatusCode::FORBIDDEN, "{} {path}: {}", operation.method, response.body);
        assert_eq!(&response.json()["permission"], permission, "{} {path}", operation.method);
        declared.insert((operation.method.to_string(), operation.path, permission.as_str().unwrap()));
    }
    // The other tests of this file send a valid request for each of these changes.
    let changes = changes();
    let tested = changes.iter().map(|(method, path, _, permission)| {
        let operation = document.operation(method, &format!("/api/admin{path}")).unwrap();
        (method.to_string(), operation.path, *permission)
    });
    assert_eq!(tested.collect::<BTreeSet<_>>(), declared);
}
