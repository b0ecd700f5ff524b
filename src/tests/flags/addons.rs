//! Addons: what can be configured, what is refused, and what becomes of their secrets.

use std::fs;
use std::path::{Path, PathBuf};

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{JSON, assert_empty, message};
use crate::support::app::{Answer, TestApp};

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

/// This addon with another value somewhere.
fn with(mut addon: Value, pointer: &str, value: Value) -> Value {
    *addon.pointer_mut(pointer).unwrap() = value;
    addon
}

async fn put(app: &TestApp, id: u64, addon: &Value) -> Answer {
    app.send(Method::PUT, &format!("{ADDONS}/{id}"), &[JSON], &addon.to_string()).await
}

async fn delete(app: &TestApp, id: &str) -> Answer {
    app.send(Method::DELETE, &format!("{ADDONS}/{id}"), &[], "").await
}

async fn create(app: &TestApp, addon: &Value) -> u64 {
    let answer = app.post(ADDONS, addon).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
    answer.json()["id"].as_u64().unwrap()
}

#[actix_web::test]
async fn addons_come_change_and_go() {
    let app = TestApp::embedded().await;
    // proves S7-057: what there is, and what there could be
    let list = app.get(ADDONS).await.json();
    assert_eq!(list["addons"], json!([]));
    let names: Vec<_> = list["providers"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["webhook", "slack", "jira-comment"]);
    // proves S3-029: what a form needs to know of each parameter
    let url = &list["providers"][0]["parameters"][0];
    assert_eq!(
        json!([url["name"], url["type"], url["required"], url["sensitive"]]),
        json!(["url", "url", true, true])
    );
    // proves S7-058 S3-027: the addon that was created is answered, without its secret
    let created = app.post(ADDONS, &webhook()).await;
    let mut shown = with(webhook(), "/parameters/url", json!("*****"));
    shown["id"] = json!(1);
    assert_eq!((created.status, created.json()), (StatusCode::CREATED, shown.clone()));
    assert_eq!(app.get(&format!("{ADDONS}/1")).await.json(), shown);
    assert_eq!(app.get(ADDONS).await.json()["addons"], json!([shown]));
    // proves S7-059: update and delete
    let edited = with(with(webhook(), "/enabled", json!(false)), "/parameters", json!({ "url": "*****" }));
    assert_empty(&put(&app, 1, &edited).await);
    let answer = app.get(ADDONS).await.json()["addons"][0].take();
    assert_eq!((&answer["enabled"], &answer["parameters"]), (&json!(false), &json!({ "url": "*****" })));
    assert_empty(&delete(&app, "1").await);
    assert_eq!(app.get(ADDONS).await.json()["addons"], json!([]));
    assert_eq!(create(&app, &webhook()).await, 2, "an id is never given twice");
    let events = app.get("/api/admin/events").await.json()["events"].take();
    let told: Vec<_> =
        events.as_array().unwrap().iter().map(|event| json!([event["type"], event["diffs"]])).collect();
    assert_eq!(told[3], json!(["addon-config-created", null]));
    assert_eq!(
        told[2],
        json!(["addon-config-updated", [
            { "kind": "E", "path": ["enabled"], "lhs": true, "rhs": false },
            { "kind": "D", "path": ["parameters", "contentType"], "lhs": "text/plain" },
        ]])
    );
    assert_eq!(events[1]["type"], "addon-config-deleted");
    assert!(!events.to_string().contains("hunter2"), "{events}");
}

#[actix_web::test]
async fn what_an_addon_may_not_be_is_told() {
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
            "\"events[1]\" must be one of [feature-created, feature-updated, feature-archived, feature-revived, feature-stale-on, feature-stale-off]",
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
        let answer = app.post(ADDONS, &addon).await;
        let body = answer.json();
        assert_eq!((answer.status, message(&answer).as_str()), (StatusCode::BAD_REQUEST, said));
        assert_eq!((&body["details"][0]["path"], &body["isJoi"]), (&path, &json!(true)), "{said}");
    }
    let answer = put(&app, id, &webhook()).await;
    assert_eq!(
        message(&answer),
        "\"provider\" cannot be changed from jira-comment: create another addon instead"
    );
    for id in ["99", "-1", "x", "99999999999999999999"] {
        let said = format!("There is no addon with the id {id}");
        let path = format!("{ADDONS}/{id}");
        for answer in [
            app.get(&path).await,
            app.send(Method::PUT, &path, &[JSON], &webhook().to_string()).await,
            delete(&app, id).await,
        ] {
            assert_eq!((answer.status, message(&answer)), (StatusCode::NOT_FOUND, said.clone()));
        }
    }
    assert_eq!(app.get(ADDONS).await.json()["addons"].as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn a_secret_is_not_sent_to_a_server_it_was_not_entered_for() {
    let app = TestApp::embedded().await;
    let id = create(&app, &jira()).await;
    let masked = with(jira(), "/parameters/apiKey", json!("*****"));
    let elsewhere = with(masked.clone(), "/parameters/baseUrl", json!("https://elsewhere.test/a"));
    let answer = put(&app, id, &elsewhere).await;
    assert_eq!(
        (answer.status, message(&answer).as_str()),
        (
            StatusCode::BAD_REQUEST,
            "\"parameters.apiKey\" must be entered again because baseUrl now points to another server"
        )
    );
    assert_empty(&put(&app, id, &with(masked, "/parameters/baseUrl", json!("https://jira.test/b"))).await);
    assert_empty(&put(&app, id, &with(elsewhere, "/parameters/apiKey", json!("new"))).await);
}

#[actix_web::test]
async fn tag_types_come_with_the_first_addon_that_reads_them() {
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

/// Every byte that the database keeps on disk.
fn kept(data: &Path) -> Vec<u8> {
    let files = ["", "-wal", "-shm"].map(|end| PathBuf::from(format!("{}{end}", data.display())));
    files.iter().filter_map(|file| fs::read(file).ok()).flatten().collect()
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[actix_web::test]
async fn the_database_does_not_hold_a_secret_that_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let (data, key) = (folder.path().join("flags.db"), folder.path().join("flags.db.key"));
    let app = TestApp::with(&["--data", data.to_str().unwrap()]).await;
    assert!(!key.exists(), "there is no secret yet");
    create(&app, &jira()).await;
    let bytes = kept(&data);
    assert!(holds(&bytes, "jira.test") && !holds(&bytes, "hunter2"));
    let first = fs::read(&key).unwrap();
    create(&app, &webhook()).await;
    assert_eq!(fs::read(&key).unwrap(), first);
    assert!(!holds(&kept(&data), "hunter2"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[actix_web::test]
async fn a_key_file_that_cannot_be_used_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (data, key) = (folder.path().join("flags.db"), folder.path().join("flags.db.key"));
    let app = TestApp::with(&["--data", data.to_str().unwrap()]).await;
    fs::write(&key, "short").unwrap();
    let answer = app.post(ADDONS, &webhook()).await;
    assert_eq!(
        (answer.status, &answer.json()["code"]),
        (StatusCode::INTERNAL_SERVER_ERROR, &json!("key_file"))
    );
    assert!(message(&answer).starts_with("The key file flags.db.key is damaged"), "{}", message(&answer));
    assert_eq!(fs::read(&key).unwrap(), b"short", "it may be the only trace of the right one");
    assert_eq!(app.get(ADDONS).await.json()["addons"], json!([]));
    fs::remove_file(&key).unwrap();
    create(&app, &webhook()).await;
}
