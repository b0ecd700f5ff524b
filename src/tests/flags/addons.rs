//! Addons: configuration, validation, and encryption of secrets.

use std::fs;
use std::path::{Path, PathBuf};

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{JSON, assert_empty, message};
use crate::support::app::{Response, TestApp};
use crate::support::engine::skips_file_tests;

const ADDONS: &str = "/api/admin/addons";
const HOOK: &str = "http://127.0.0.1:9/hook?token=hunter2";

fn webhook() -> Value {
    json!({
        "provider": "webhook", "description": "hook", "enabled": true, "events": ["feature-created"],
        "parameters": { "url": HOOK, "contentType": "text/plain" },
    })
}

fn jira() -> Value {
    json!({
        "provider": "jira-comment", "events": ["feature-archived"],
        "parameters": { "baseUrl": "https://jira.test/a", "user": "ann", "apiKey": "hunter2" },
    })
}

/// Returns the addon with another value at `pointer`.
fn with(mut addon: Value, pointer: &str, value: Value) -> Value {
    *addon.pointer_mut(pointer).unwrap() = value;
    addon
}

async fn put(app: &TestApp, id: u64, addon: &Value) -> Response {
    app.send(Method::PUT, &format!("{ADDONS}/{id}"), &[JSON], &addon.to_string()).await
}

async fn delete(app: &TestApp, id: &str) -> Response {
    app.send(Method::DELETE, &format!("{ADDONS}/{id}"), &[], "").await
}

async fn create(app: &TestApp, addon: &Value) -> u64 {
    let response = app.post(ADDONS, addon).await;
    assert_eq!(response.status, StatusCode::CREATED, "{}", response.body);
    response.json()["id"].as_u64().unwrap()
}

#[actix_web::test]
async fn addons_can_be_created_changed_and_deleted() {
    let app = TestApp::embedded().await;
    // proves S7-057: the addons and the providers
    let list = app.get(ADDONS).await.json();
    assert_eq!(list["addons"], json!([]));
    let names: Vec<_> = list["providers"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["webhook", "slack", "jira-comment"]);
    // proves S3-029: the definition of each parameter
    let url = &list["providers"][0]["parameters"][0];
    assert_eq!(
        json!([url["name"], url["type"], url["required"], url["sensitive"]]),
        json!(["url", "url", true, true])
    );
    // proves S7-058 S3-027: the created addon is returned without its secret
    let created = app.post(ADDONS, &webhook()).await;
    let mut shown = with(webhook(), "/parameters/url", json!("*****"));
    shown["id"] = json!(1);
    assert_eq!((created.status, created.json()), (StatusCode::CREATED, shown.clone()));
    assert_eq!(app.get(&format!("{ADDONS}/1")).await.json(), shown);
    assert_eq!(app.get(ADDONS).await.json()["addons"], json!([shown]));
    // proves S7-059: update and delete
    let edited = with(with(webhook(), "/enabled", json!(false)), "/parameters", json!({ "url": "*****" }));
    assert_empty(&put(&app, 1, &edited).await);
    let response = app.get(ADDONS).await.json()["addons"][0].take();
    assert_eq!((&response["enabled"], &response["parameters"]), (&json!(false), &json!({ "url": "*****" })));
    assert_empty(&delete(&app, "1").await);
    assert_eq!(app.get(ADDONS).await.json()["addons"], json!([]));
    assert_eq!(create(&app, &webhook()).await, 2, "ids are never reused");
    let events = app.get("/api/admin/events").await.json()["events"].take();
    let summaries: Vec<_> =
        events.as_array().unwrap().iter().map(|event| json!([event["type"], event["diffs"]])).collect();
    assert_eq!(summaries[3], json!(["addon-config-created", null]));
    assert_eq!(
        summaries[2],
        json!(["addon-config-updated", [
            { "kind": "E", "path": ["enabled"], "lhs": true, "rhs": false },
            { "kind": "D", "path": ["parameters", "contentType"], "lhs": "text/plain" },
        ]])
    );
    assert_eq!(events[1]["type"], "addon-config-deleted");
    assert!(!events.to_string().contains("hunter2"), "{events}");
}

#[actix_web::test]
async fn rejects_invalid_addons_with_a_reason() {
    let app = TestApp::embedded().await;
    let id = create(&app, &jira()).await;
    let lines = json!("{\n{{#event.data}}\n}");
    for (addon, path, said) in [
        (json!({}), json!(["provider"]), "\"provider\" is required"),
        (
            json!({ "provider": "nosuch" }),
            json!(["provider"]),
            "\"provider\" must be one of [webhook, slack, jira-comment]",
        ),
        // proves S5-032 S5-033
        (
            with(webhook(), "/events", json!([])),
            json!(["events"]),
            "\"events\" must contain at least one event type",
        ),
        (
            with(webhook(), "/events", json!(["feature-created", "addon-delivered"])),
            json!(["events", 1]),
            "\"events[1]\" must be one of [feature-created, feature-updated, feature-archived, feature-revived, feature-stale-on, feature-stale-off, journal-checkpoint-created, hold-started, hold-ended]",
        ),
        (
            with(webhook(), "/parameters", json!({})),
            json!(["parameters", "url"]),
            "\"parameters.url\" is required",
        ),
        (
            with(webhook(), "/parameters/url", json!(" ")),
            json!(["parameters", "url"]),
            "\"parameters.url\" is required",
        ),
        (
            with(webhook(), "/parameters/url", json!("ftp://x/")),
            json!(["parameters", "url"]),
            "\"parameters.url\" must be a URL that starts with http:// or https://",
        ),
        (
            with(jira(), "/parameters/baseUrl", json!("https://ann:secret@jira.test")),
            json!(["parameters", "baseUrl"]),
            "\"parameters.baseUrl\" must not contain a user name or password, because every user can read this URL",
        ),
        (
            with(webhook(), "/parameters/contentType", json!("a\r\nb: c")),
            json!(["parameters", "contentType"]),
            "\"parameters.contentType\" must be a media type such as application/json",
        ),
        (
            with(webhook(), "/parameters", json!({ "url": HOOK, "bodyTemplate": lines })),
            json!(["parameters", "bodyTemplate"]),
            "\"parameters.bodyTemplate\" does not close the section event.data (line 2)",
        ),
        (
            with(webhook(), "/parameters/url", json!(["x"])),
            json!(["parameters", "url"]),
            "\"parameters.url\" must be a string",
        ),
        (
            with(webhook(), "/parameters/contentType", json!("x".repeat(10_001))),
            json!(["parameters", "contentType"]),
            "\"parameters.contentType\" length must be less than or equal to 10000 characters long",
        ),
        (
            with(webhook(), "/parameters/url", json!("*****")),
            json!(["parameters", "url"]),
            "\"parameters.url\" must be entered: ***** stands for a stored secret",
        ),
    ] {
        let response = app.post(ADDONS, &addon).await;
        let body = response.json();
        assert_eq!((response.status, message(&response).as_str()), (StatusCode::BAD_REQUEST, said));
        assert_eq!((&body["details"][0]["path"], &body["isJoi"]), (&path, &json!(true)), "{said}");
    }
    let response = put(&app, id, &webhook()).await;
    assert_eq!(
        message(&response),
        "\"provider\" cannot be changed from jira-comment: create another addon instead"
    );
    for id in ["99", "-1", "x", "99999999999999999999"] {
        let said = format!("There is no addon with the id {id}");
        let path = format!("{ADDONS}/{id}");
        for response in [
            app.get(&path).await,
            app.send(Method::PUT, &path, &[JSON], &webhook().to_string()).await,
            delete(&app, id).await,
        ] {
            assert_eq!((response.status, message(&response)), (StatusCode::NOT_FOUND, said.clone()));
        }
    }
    assert_eq!(app.get(ADDONS).await.json()["addons"].as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn changing_the_server_requires_the_secret_again() {
    let app = TestApp::embedded().await;
    let id = create(&app, &jira()).await;
    let masked = with(jira(), "/parameters/apiKey", json!("*****"));
    let elsewhere = with(masked.clone(), "/parameters/baseUrl", json!("https://elsewhere.test/a"));
    let response = put(&app, id, &elsewhere).await;
    assert_eq!(
        (response.status, message(&response).as_str()),
        (
            StatusCode::BAD_REQUEST,
            "\"parameters.apiKey\" must be entered again because baseUrl now points to another server"
        )
    );
    assert_empty(&put(&app, id, &with(masked, "/parameters/baseUrl", json!("https://jira.test/b"))).await);
    assert_empty(&put(&app, id, &with(elsewhere, "/parameters/apiKey", json!("new"))).await);
}

#[actix_web::test]
async fn first_addon_creates_its_tag_type() {
    let app = TestApp::embedded().await;
    let slack = json!({
        "provider": "slack", "events": ["feature-created"],
        "parameters": { "url": HOOK, "defaultChannel": "general" },
    });
    for addon in [&slack, &jira(), &slack, &webhook()] {
        create(&app, addon).await;
    }
    let types = app.get("/api/admin/tag-types").await.json()["tagTypes"].take();
    let names: Vec<_> = types.as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["jira", "simple", "slack"]);
}

/// Returns all bytes of the database files.
fn read_database(data: &Path) -> Vec<u8> {
    let files = ["", "-wal", "-shm"].map(|end| PathBuf::from(format!("{}{end}", data.display())));
    files.iter().filter_map(|file| fs::read(file).ok()).flatten().collect()
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[actix_web::test]
async fn database_contains_only_encrypted_secrets() {
    if skips_file_tests() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (data, key) = (folder.path().join("flags.db"), folder.path().join("flags.db.key"));
    let app = TestApp::with(&["--data", data.to_str().unwrap()]).await;
    assert!(!key.exists(), "no key file before the first secret");
    create(&app, &jira()).await;
    let bytes = read_database(&data);
    assert!(holds(&bytes, "jira.test") && !holds(&bytes, "hunter2"));
    let first = fs::read(&key).unwrap();
    create(&app, &webhook()).await;
    assert_eq!(fs::read(&key).unwrap(), first);
    assert!(!holds(&read_database(&data), "hunter2"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[actix_web::test]
async fn error_names_an_unusable_key_file() {
    let folder = tempfile::tempdir().unwrap();
    let (data, key) = (folder.path().join("flags.db"), folder.path().join("flags.db.key"));
    let app = TestApp::with(&["--data", data.to_str().unwrap()]).await;
    fs::write(&key, "short").unwrap();
    let response = app.post(ADDONS, &webhook()).await;
    assert_eq!(
        (response.status, &response.json()["code"]),
        (StatusCode::INTERNAL_SERVER_ERROR, &json!("key_file"))
    );
    assert!(message(&response).starts_with("The key file flags.db.key is damaged"), "{}", message(&response));
    assert_eq!(fs::read(&key).unwrap(), b"short", "a damaged key file is not overwritten");
    assert_eq!(app.get(ADDONS).await.json()["addons"], json!([]));
    fs::remove_file(&key).unwrap();
    create(&app, &webhook()).await;
}
