//! The OpenAPI document: what it says is what the service does.

use std::collections::BTreeSet;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{JSON, contract};
use crate::support::app::TestApp;
use crate::support::document::Document;
use crate::support::stub::{Reply, Stub};

const ADDRESS: &str = "/-/openapi.json";
/// How people sign in, and where.
const SIGN_IN: [(&str, &str); 2] = [("unsecure", "/api/admin/login"), ("password", "/auth/simple/login")];

/// A service with the way to sign in that an address needs to be there, and the folder of its database.
pub(super) async fn with_address(path: &str) -> (TestApp, TempDir) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("flags.db");
    let auth = SIGN_IN.iter().find(|(_, address)| *address == path).map_or("none", |(auth, _)| auth);
    let data = if auth == "password" { file.to_str().unwrap() } else { ":memory:" };
    (TestApp::with(&["--data", data, "--auth", auth]).await, folder)
}

#[actix_web::test]
async fn the_document_is_openapi() {
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
        let answers = described["responses"].as_object().unwrap().values();
        let schemas = answers.map(|response| &response["content"]["application/json"]["schema"]);
        for schema in schemas.chain([operation.body()]).filter(|schema| !schema.is_null()) {
            // Fails where a reference leads nowhere.
            document.validator(schema, false);
        }
    }
}

/// Method, path and permission of every address in the source of the URL table.
fn url_table() -> BTreeSet<(String, String, String)> {
    let source: String = include_str!("../../flags.rs").split_whitespace().collect();
    // The two that the table puts up only where people sign in there.
    let mut table =
        BTreeSet::from(SIGN_IN.map(|(_, path)| ("post".to_owned(), path.to_owned(), String::new())));
    for entry in source.split("endpoint(\"").skip(1) {
        let (path, routes) = entry.split_once('"').unwrap();
        let scope = if path.starts_with("/api/") || ["/health", "/logout"].contains(&path) {
            ""
        } else if routes.contains("client::") {
            "/api/client"
        } else {
            "/api/admin"
        };
        for route in routes.split('.').filter(|route| !route.is_empty()) {
            let (name, arguments) = route.split_once('(').unwrap_or((route, ""));
            let method = match (name, arguments.split('(').next()) {
                ("get", _) | ("route", Some("get_or_head" | "web::get")) => "get",
                ("post" | "post_only", _) | ("route", Some("web::post")) => "post",
                ("put", _) => "put",
                ("delete", _) => "delete",
                _ => continue,
            };
            let permission = arguments.split_once(',').map_or("", |(permission, _)| permission);
            let permission = if name == "route" { "" } else { permission };
            table.insert((method.to_owned(), format!("{scope}{path}"), permission.to_uppercase()));
        }
    }
    table
}

#[actix_web::test]
async fn the_document_holds_the_url_table_and_nothing_else() {
    let app = TestApp::embedded().await;
    let document = Document::of(&app).await;
    let described: BTreeSet<(String, String, String)> = document
        .operations()
        .map(|operation| {
            let permission = operation.described["x-permission"].as_str().unwrap_or_default();
            let method = operation.method.as_str().to_lowercase();
            (method, operation.path.to_owned(), permission.replace('_', ""))
        })
        .collect();
    let table = url_table();
    assert_eq!(
        described.difference(&table).collect::<Vec<_>>(),
        Vec::<&(_, _, _)>::new(),
        "not in the table"
    );
    assert_eq!(table.difference(&described).collect::<Vec<_>>(), Vec::<&(_, _, _)>::new(), "not described");
    for operation in document.operations() {
        let path = operation.path.replace(['{', '}'], "");
        let (app, _folder) = with_address(operation.path).await;
        let answer = app.send(operation.method.clone(), &path, &[JSON], "{}").await;
        assert!(!answer.body.contains("unknown_path"), "{} {path}", operation.method);
    }
}

/// Calls that the recording lacks: method, path, body.
fn more_calls() -> Vec<(Method, &'static str, Value)> {
    let toggle = json!({ "name": "probe.more", "strategies": [{ "name": "default" }] });
    vec![
        (Method::POST, "/api/admin/features", toggle.clone()),
        (Method::GET, "/api/client/features/probe.more", Value::Null),
        (Method::PUT, "/api/admin/features/probe.more", toggle),
        (Method::POST, "/api/admin/tag-types", json!({ "name": "kind" })),
    ]
}

#[actix_web::test]
async fn every_answer_is_as_the_document_says() {
    let app = TestApp::embedded().await;
    let document = Document::of(&app).await;
    let (mut unlike, mut done) = (Vec::new(), BTreeSet::new());
    let mut check = |method: &Method, path: &str, answer: &crate::support::app::Answer| {
        let Some(operation) = document.operation(method, path) else { return };
        let name = format!("{method} {}", operation.path);
        let complaints = document.complaints(&operation, answer);
        unlike.extend(complaints.iter().map(|complaint| format!("{name} ({path}): {complaint}")));
        if answer.status.is_success() || answer.status.is_redirection() {
            done.insert(name);
        }
    };
    for (method, path, answer) in contract::replay().await {
        check(&method, &path, &answer);
    }
    for (method, path, body) in more_calls() {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let answer = app.send(method.clone(), path, &[JSON], &body).await;
        check(&method, path, &answer);
    }
    assert!(unlike.is_empty(), "{}", unlike.join("\n"));
    let all = document.operations().map(|operation| format!("{} {}", operation.method, operation.path));
    // Passwords take a user, whom only the command line adds: `access` does.
    let never: Vec<String> =
        all.filter(|name| !done.contains(name) && !name.ends_with("/auth/simple/login")).collect();
    assert_eq!(never, Vec::<String>::new(), "never seen to succeed");
}

#[actix_web::test]
async fn addresses_in_the_document_are_below_the_base_path() {
    for (base_path, server) in [("/", "/"), ("/flags", "/flags")] {
        let app = TestApp::with(&["--data", ":memory:", "--base-path", base_path]).await;
        let address = format!("{}{ADDRESS}", base_path.trim_end_matches('/'));
        assert_eq!(app.get(&address).await.json()["servers"], json!([{ "url": server }]));
    }
}

#[actix_web::test]
async fn an_upstream_has_no_document_here() {
    let stub = Stub::start(Reply::Silence).await;
    let answer = TestApp::beside(&stub.url).await.get(ADDRESS).await;
    assert_eq!((answer.status, &answer.json()["code"]), (StatusCode::NOT_FOUND, &json!("unknown_path")));
    assert_eq!(stub.requests(), Vec::<String>::new());
}
