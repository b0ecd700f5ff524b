//! Conditional changes of single items: strong entity tags and `If-Match`.

use std::collections::BTreeSet;

use actix_web::http::{Method, StatusCode};
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::openapi::is_of_users;
use super::{FEATURES, JSON, archive, create, message, plain, replace, revive, switch};
use crate::support::app::{Response, TestApp};
use crate::support::document::Document;
use crate::support::engine::assert_postgres;

const TOGGLE: &str = "/api/admin/features/probe";
const WEBHOOK: &str = "/api/admin/addons/1";
const SEGMENT: &str = "/api/admin/segments/1";
const NONSENSE: &str = "\"nonsense\"";

/// An item that can be replaced.
struct Item {
    path: &'static str,
    /// A body that replaces it, without the field `edited`.
    body: Value,
    /// A field whose text an edit changes.
    edited: &'static str,
}

impl Item {
    /// Returns the body of an edit.
    fn with(&self, text: &str) -> String {
        let mut body = self.body.clone();
        body[self.edited] = json!(text);
        body.to_string()
    }
}

fn webhook() -> Value {
    json!({
        "provider": "webhook", "description": "hook", "enabled": true, "events": ["feature-created"],
        "parameters": { "url": "http://127.0.0.1:9/hook" },
    })
}

fn segment(name: &str) -> Value {
    json!({ "name": name, "constraints": [{ "contextName": "userId", "operator": "IN", "values": ["7"] }] })
}

fn items() -> Vec<Item> {
    let parameters = json!({ "parameters": [{ "name": "region", "type": "string" }] });
    vec![
        Item { path: TOGGLE, body: plain("probe"), edited: "description" },
        Item { path: "/api/admin/strategies/regional", body: parameters, edited: "description" },
        Item { path: "/api/admin/context/region", body: json!({ "name": "region" }), edited: "description" },
        Item { path: "/api/admin/projects/web", body: json!({ "name": "Web" }), edited: "description" },
        Item { path: "/api/admin/tag-types/team", body: json!({}), edited: "description" },
        Item { path: SEGMENT, body: segment("testers"), edited: "description" },
        Item { path: WEBHOOK, body: webhook(), edited: "description" },
    ]
}

/// Creates the [`items`].
async fn create_items(app: &TestApp) {
    for (path, body) in [
        (FEATURES, plain("probe")),
        ("/api/admin/strategies", json!({ "name": "regional", "parameters": [] })),
        ("/api/admin/context", json!({ "name": "region" })),
        ("/api/admin/projects", json!({ "id": "web", "name": "Web" })),
        ("/api/admin/tag-types", json!({ "name": "team" })),
        ("/api/admin/segments", segment("testers")),
        ("/api/admin/addons", webhook()),
    ] {
        let response = app.post(path, &body).await;
        assert_eq!(response.status, StatusCode::CREATED, "{path}: {}", response.body);
    }
}

/// Returns the status of a successful change of an item. Servers with segments return 204.
fn success_of(path: &str) -> StatusCode {
    if path == SEGMENT { StatusCode::NO_CONTENT } else { StatusCode::OK }
}

async fn app_with_items() -> TestApp {
    let app = TestApp::embedded().await;
    create_items(&app).await;
    app
}

async fn tag_of(app: &TestApp, path: &str) -> String {
    let response = app.get(path).await;
    assert_eq!(response.status, StatusCode::OK, "{path}: {}", response.body);
    let tag = response.header("etag").to_owned();
    assert!(tag.starts_with('"') && tag.len() > 20, "{path}: {tag}");
    tag
}

async fn put_if(app: &TestApp, path: &str, condition: &str, body: &str) -> Response {
    app.send(Method::PUT, path, &[JSON, ("if-match", condition)], body).await
}

async fn send_if(app: &TestApp, method: Method, path: &str, condition: &str) -> Response {
    app.send(method, path, &[JSON, ("if-match", condition)], "").await
}

fn assert_refused(response: &Response, context: &str) {
    assert_eq!(response.status, StatusCode::PRECONDITION_FAILED, "{context}: {}", response.body);
    assert_eq!(response.header("x-flagdeck-error"), "precondition_failed", "{context}");
    assert_eq!(response.json()["code"], "precondition_failed", "{context}");
}

async fn events(app: &TestApp) -> Value {
    app.get("/api/admin/events").await.json()
}

#[actix_web::test]
async fn second_edit_of_the_same_version_is_refused() {
    let app = app_with_items().await;
    for item in items() {
        let path = item.path;
        let tag = tag_of(&app, path).await;
        let first = put_if(&app, path, &tag, &item.with("first")).await;
        // A client must read the item to know which version its defaults complete.
        assert_eq!((first.status, first.header("etag")), (success_of(path), ""), "{path}: {}", first.body);
        let before = (app.get(path).await.body, events(&app).await);
        assert!(before.0.contains("first"), "{path}: {}", before.0);

        let second = put_if(&app, path, &tag, &item.with("second")).await;
        assert_refused(&second, path);
        assert!(message(&second).ends_with("Read it again, and repeat the change"), "{}", second.body);
        assert_eq!((app.get(path).await.body, events(&app).await), before, "{path}");

        let again = put_if(&app, path, &tag_of(&app, path).await, &item.with("second")).await;
        assert_eq!(again.status, success_of(path), "{path}: {}", again.body);
        // Clients of Unleash 3 send no condition.
        let unconditional = app.send(Method::PUT, path, &[JSON], &item.with("third")).await;
        assert_eq!(unconditional.status, success_of(path), "{path}: {}", unconditional.body);
    }
}

#[actix_web::test]
async fn if_match_is_evaluated_for_each_item() {
    let app = app_with_items().await;
    for item in items() {
        let path = item.path;
        let tag = tag_of(&app, path).await;
        for (condition, text) in [
            (NONSENSE.to_owned(), "does not contain its entity tag"),
            (format!("{NONSENSE}, \"other\""), "does not contain its entity tag"),
            (format!("*, {NONSENSE}"), "does not contain its entity tag"),
            (format!("W/{tag}"), "contains no strong entity tag"),
            (tag.replace('"', ""), "contains no strong entity tag"),
            ("nonsense".to_owned(), "contains no strong entity tag"),
            (String::new(), "contains no strong entity tag"),
        ] {
            let refused = put_if(&app, path, &condition, &item.with("refused")).await;
            assert_refused(&refused, &format!("{path} {condition}"));
            assert!(message(&refused).contains(text), "{condition}: {}", refused.body);
        }
        assert_eq!(tag_of(&app, path).await, tag);
        for (number, condition) in
            ["*", "TAG", "\"other\", TAG", "nonsense,TAG", "W/\"other\" , TAG"].iter().enumerate()
        {
            let condition = condition.replace("TAG", &tag_of(&app, path).await);
            let saved = put_if(&app, path, &condition, &item.with(&format!("edit {number}"))).await;
            assert_eq!(saved.status, success_of(path), "{path} {condition}: {}", saved.body);
        }
        let old = tag_of(&app, path).await;
        let two_fields = [JSON, ("if-match", "\"other\""), ("if-match", old.as_str())];
        let saved = app.send(Method::PUT, path, &two_fields, &item.with("last")).await;
        assert_eq!(saved.status, success_of(path), "{path}: {}", saved.body);

        assert_refused(&send_if(&app, Method::DELETE, path, &old).await, path);
        let deleted = send_if(&app, Method::DELETE, path, &tag_of(&app, path).await).await;
        assert_eq!(deleted.status, success_of(path), "{path}: {}", deleted.body);
        for condition in ["*", &old] {
            let missing = put_if(&app, path, condition, &item.with("missing")).await;
            assert_eq!(missing.status, StatusCode::NOT_FOUND, "{path} {condition}: {}", missing.body);
            let missing = send_if(&app, Method::DELETE, path, condition).await;
            assert_eq!(missing.status, StatusCode::NOT_FOUND, "{path} {condition}: {}", missing.body);
        }
    }
}

#[actix_web::test]
async fn other_errors_precede_a_failed_condition() {
    let app = app_with_items().await;
    let invalid = put_if(&app, TOGGLE, NONSENSE, "{}").await;
    assert_eq!(invalid.status, StatusCode::BAD_REQUEST, "{}", invalid.body);
    let not_json = app.send(Method::PUT, TOGGLE, &[("if-match", NONSENSE)], "{}").await;
    assert_eq!(not_json.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let read_only = TestApp::with(&["--data", ":memory:", "--read-only"]).await;
    assert_eq!(put_if(&read_only, TOGGLE, NONSENSE, "{}").await.status, StatusCode::FORBIDDEN);
}

#[actix_web::test]
async fn tag_of_a_toggle_changes_with_each_edit_and_not_with_usage() {
    let app = app_with_items().await;
    let mut last = tag_of(&app, TOGGLE).await;
    let edits = [
        ("description", json!("edited")),
        ("type", json!("experiment")),
        ("project", json!("web")),
        (
            "strategies",
            json!([{ "name": "default", "parameters": {} }, { "name": "userWithId", "parameters": { "userIds": "1" } }]),
        ),
        (
            "strategies",
            json!([{ "name": "userWithId", "parameters": { "userIds": "1" } }, { "name": "default", "parameters": {} }]),
        ),
        ("strategies", json!([{ "name": "userWithId", "parameters": { "userIds": "2" } }])),
        (
            "variants",
            json!([{ "name": "blue", "weight": 1000, "weightType": "variable", "stickiness": "default" }]),
        ),
        ("impressionData", json!(true)),
        ("enabled", json!(true)),
        ("stale", json!(true)),
    ];
    let mut toggle = plain("probe");
    for (field, value) in edits {
        toggle[field] = value;
        let saved = replace(&app, "probe", &toggle).await;
        assert_eq!(saved.status, StatusCode::OK, "{}", saved.body);
        let tag = tag_of(&app, TOGGLE).await;
        assert_ne!(tag, last, "{field}");
        last = tag;
    }
    for action in ["toggle/off", "stale/off"] {
        let switched = switch(&app, "probe", action).await;
        let tag = tag_of(&app, TOGGLE).await;
        assert_eq!(switched.header("etag"), tag, "{action}");
        assert_ne!(tag, last, "{action}");
        last = tag;
    }
    // The same content again has the same tag: a save of what was read overwrites nothing.
    let before = tag_of(&app, TOGGLE).await;
    switch(&app, "probe", "toggle/on").await;
    assert_ne!(tag_of(&app, TOGGLE).await, before);
    switch(&app, "probe", "toggle/off").await;
    assert_eq!(tag_of(&app, TOGGLE).await, before);
    archive(&app, "probe").await;
    revive(&app, "probe").await;
    assert_eq!(tag_of(&app, TOGGLE).await, before);

    // Tags have their own URL, and are not part of the toggle.
    let tagged = app.post(&format!("{TOGGLE}/tags"), &json!({ "type": "team", "value": "web" })).await;
    assert_eq!(tagged.status, StatusCode::CREATED, "{}", tagged.body);
    assert_eq!(tag_of(&app, TOGGLE).await, before);

    let bucket = json!({
        "start": "2026-01-01T00:00:00Z", "stop": "2026-01-01T00:01:00Z", "toggles": { "probe": { "yes": 1, "no": 0 } },
    });
    let report = json!({ "appName": "shop", "instanceId": "shop-1", "bucket": bucket });
    assert_eq!(app.post("/api/client/metrics", &report).await.status, StatusCode::ACCEPTED);
    // Waits until the report is written.
    app.get("/api/admin/metrics/applications").await;
    let used = app.get(TOGGLE).await;
    assert!(used.json()["lastSeenAt"].is_string(), "{}", used.body);
    assert_eq!(used.header("etag"), before);
    assert_eq!(put_if(&app, TOGGLE, &before, &toggle.to_string()).await.status, StatusCode::OK);
}

#[actix_web::test]
async fn created_items_have_their_tag() {
    let app = TestApp::embedded().await;
    for (collection, path, body) in [
        (FEATURES, TOGGLE, plain("probe")),
        ("/api/admin/projects", "/api/admin/projects/web", json!({ "id": "web", "name": "Web" })),
        ("/api/admin/tag-types", "/api/admin/tag-types/team", json!({ "name": "team" })),
        ("/api/admin/segments", SEGMENT, segment("testers")),
        ("/api/admin/addons", WEBHOOK, webhook()),
    ] {
        let created = app.post(collection, &body).await;
        assert_eq!(created.header("etag"), tag_of(&app, path).await, "{path}");
    }
}

#[actix_web::test]
async fn tag_changes_with_the_state_of_a_strategy_and_the_secret_of_an_addon() {
    let app = app_with_items().await;
    let strategy = "/api/admin/strategies/regional";
    let before = tag_of(&app, strategy).await;
    let deprecate = format!("{strategy}/deprecate");
    assert_refused(&send_if(&app, Method::POST, &deprecate, NONSENSE).await, &deprecate);
    assert_eq!(send_if(&app, Method::POST, &deprecate, &before).await.status, StatusCode::OK);
    assert_ne!(tag_of(&app, strategy).await, before);

    let jira = |secret: &str| {
        json!({
            "provider": "jira-comment", "events": ["feature-archived"], "enabled": true,
            "parameters": { "baseUrl": "https://jira.test/a", "user": "ann", "apiKey": secret },
        })
    };
    let id = app.post("/api/admin/addons", &jira("hunter2")).await.json()["id"].clone();
    let path = format!("/api/admin/addons/{id}");
    let opened = app.get(&path).await;
    assert_eq!(
        put_if(&app, &path, opened.header("etag"), &jira("theirs").to_string()).await.status,
        StatusCode::OK
    );
    assert_eq!(app.get(&path).await.body, opened.body, "secrets are masked");
    assert_refused(&put_if(&app, &path, opened.header("etag"), &jira("mine").to_string()).await, &path);
    let tag = tag_of(&app, &path).await;
    assert_eq!(put_if(&app, &path, &tag, &jira("*****").to_string()).await.status, StatusCode::OK);
    assert_eq!(tag_of(&app, &path).await, tag);
}

/// A change of each kind that is valid without a condition, in this order: method, path below `/api/admin`, body.
fn changes() -> Vec<(Method, &'static str, Value)> {
    let replacements = items().into_iter().map(|item| {
        let path = item.path.strip_prefix("/api/admin").unwrap();
        (Method::PUT, path, item.body)
    });
    let creations = [
        ("/features", plain("other")),
        ("/strategies", json!({ "name": "other" })),
        ("/context", json!({ "name": "plan" })),
        ("/projects", json!({ "id": "app", "name": "App" })),
        ("/tag-types", json!({ "name": "kind" })),
        ("/tags", json!({ "type": "team", "value": "web" })),
        ("/segments", segment("others")),
        ("/addons", webhook()),
        ("/api-tokens", json!({ "name": "shop", "kind": "frontend" })),
        ("/features/probe/tags", json!({ "type": "team", "value": "app" })),
        ("/metrics/applications/shop", json!({ "description": "Shop" })),
        ("/state/import", json!({ "features": [] })),
    ];
    let actions = [
        "/features/probe/toggle",
        "/features/probe/toggle/on",
        "/features/probe/toggle/off",
        "/features/probe/stale/on",
        "/features/probe/stale/off",
        "/strategies/regional/deprecate",
        "/strategies/regional/reactivate",
    ];
    let deletions = [
        "/features/probe/tags/team/app",
        "/tags/team/app",
        "/api-tokens/shop",
        "/metrics/applications/shop",
        "/features/probe",
        "/strategies/regional",
        "/context/region",
        "/projects/web",
        "/tag-types/team",
        "/segments/1",
        "/addons/1",
    ];
    let creations = creations.map(|(path, body)| (Method::POST, path, body));
    let actions = actions.map(|path| (Method::POST, path, Value::Null));
    let deletions = deletions.map(|path| (Method::DELETE, path, Value::Null));
    let revival = (Method::POST, "/archive/revive/probe", Value::Null);
    replacements.chain(creations).chain(actions).chain(deletions).chain([revival]).collect()
}

#[actix_web::test]
async fn no_change_ignores_if_match() {
    let app = app_with_items().await;
    let registration = json!({ "appName": "shop", "instanceId": "shop-1", "strategies": ["default"] });
    assert_eq!(app.post("/api/client/register", &registration).await.status, StatusCode::ACCEPTED);
    let document = Document::of(&app).await;
    let mut tried = BTreeSet::new();
    for (method, path, body) in changes() {
        let path = format!("/api/admin{path}");
        let name = format!("{method} {}", document.operation(&method, &path).unwrap().path);
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let before = events(&app).await;
        let refused = app.send(method.clone(), &path, &[JSON, ("if-match", NONSENSE)], &body).await;
        assert_refused(&refused, &name);
        assert_eq!(events(&app).await, before, "{name}");
        let accepted = app.send(method.clone(), &path, &[JSON], &body).await;
        assert!(accepted.status.is_success(), "{name}: {}", accepted.body);
        tried.insert(name);
    }
    let missing: Vec<_> = document
        .operations()
        .filter(|one| one.described["x-permission"].is_string() && one.method != Method::GET)
        .filter(|one| !one.path.ends_with("/validate"))
        // They exist only if users sign in: src/tests/access/sessions.rs and users.rs.
        .filter(|one| !is_of_users(one.path))
        .map(|one| format!("{} {}", one.method, one.path))
        .filter(|name| !tried.contains(name))
        .collect();
    assert_eq!(missing, Vec::<String>::new());
}

#[actix_web::test]
async fn strong_tags_work_with_compression_and_conditional_reads() {
    let app = app_with_items().await;
    let mut toggle = plain("probe");
    toggle["description"] = json!("Decides who gets part of the checkout while it is built. ".repeat(40));
    assert_eq!(replace(&app, "probe", &toggle).await.status, StatusCode::OK);
    let read = async |headers: &[(&str, &str)]| {
        let mut request = awc::Client::new().get(app.url(TOGGLE)).no_decompress();
        for header in headers {
            request = request.append_header(*header);
        }
        let response = request.send().await.unwrap();
        let text = |name| response.headers().get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
        (response.status(), text("etag"), text("content-encoding"), text("vary"))
    };
    let (_, plain_tag, encoding, vary) = read(&[("accept-encoding", "identity")]).await;
    assert_eq!((encoding.as_str(), vary.as_str()), ("", "Accept-Encoding"));
    let (_, gzip_tag, encoding, vary) = read(&[("accept-encoding", "gzip")]).await;
    assert_eq!((encoding.as_str(), vary.as_str()), ("gzip", "Accept-Encoding"));
    // RFC 9110, section 8.8.3.3: a strong tag identifies the bytes.
    assert_eq!(gzip_tag, format!("{}-gzip\"", plain_tag.trim_end_matches('"')));

    for accepted in ["identity", "gzip"] {
        for tag in [&plain_tag, &gzip_tag] {
            let (status, known, encoding, _) =
                read(&[("accept-encoding", accepted), ("if-none-match", tag)]).await;
            assert_eq!(
                (status, &known, encoding.as_str()),
                (StatusCode::NOT_MODIFIED, tag, ""),
                "{accepted}"
            );
        }
        let (status, ..) = read(&[("accept-encoding", accepted), ("if-none-match", NONSENSE)]).await;
        assert_eq!(status, StatusCode::OK);
    }
    for tag in [&gzip_tag, &plain_tag] {
        assert_eq!(put_if(&app, TOGGLE, tag, &toggle.to_string()).await.status, StatusCode::OK);
    }
    switch(&app, "probe", "toggle/on").await;
    assert_refused(&put_if(&app, TOGGLE, &gzip_tag, &toggle.to_string()).await, "gzip");
    let (status, ..) = read(&[("accept-encoding", "gzip"), ("if-none-match", &gzip_tag)]).await;
    assert_eq!(status, StatusCode::OK);
    // Small bodies, and lists with their weak tags.
    for item in items().iter().skip(1) {
        let tag = tag_of(&app, item.path).await;
        let known = app.send(Method::GET, item.path, &[("if-none-match", &tag)], "").await;
        assert_eq!(
            (known.status, known.header("etag")),
            (StatusCode::NOT_MODIFIED, tag.as_str()),
            "{}",
            item.path
        );
        let head = app.send(Method::HEAD, item.path, &[], "").await;
        assert_eq!((head.status, head.header("etag")), (StatusCode::OK, tag.as_str()), "{}", item.path);
    }
    assert!(app.get(FEATURES).await.header("etag").starts_with("W/"));
}

/// Sends edits with the same tag at the same time to several instances, and checks that one of them is stored.
async fn race(instances: &[&TestApp], item: &Item, round: usize) {
    let path = item.path;
    let tag = tag_of(instances[0], path).await;
    let texts: Vec<String> = (0..6).map(|client| format!("edit {round} of client {client}")).collect();
    let edits = texts.iter().enumerate().map(async |(client, text)| {
        put_if(instances[client % instances.len()], path, &tag, &item.with(text)).await
    });
    let responses = join_all(edits).await;
    let saved: Vec<&String> = responses
        .iter()
        .zip(&texts)
        .filter(|(response, _)| {
            if response.status != success_of(path) {
                assert_refused(response, path);
            }
            response.status == success_of(path)
        })
        .map(|(_, text)| text)
        .collect();
    assert_eq!(saved.len(), 1, "{path}: {saved:?}");
    for app in instances {
        assert!(app.get(path).await.body.contains(saved[0].as_str()), "{path} in round {round}");
    }
}

#[actix_web::test]
async fn one_of_several_simultaneous_edits_is_stored() {
    let app = TestApp::with_workers(4, &["--data", ":memory:"]).await;
    create_items(&app).await;
    for item in items() {
        for round in 0..25 {
            race(&[&app], &item, round).await;
        }
    }
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn one_of_several_simultaneous_edits_on_two_instances_is_stored() {
    assert_postgres();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let data = ["--data", file.to_str().unwrap()];
    let (one, other) = (TestApp::with(&data).await, TestApp::with(&data).await);
    create_items(&one).await;
    for item in items() {
        assert_eq!(tag_of(&one, item.path).await, tag_of(&other, item.path).await);
        for round in 0..10 {
            race(&[&one, &other], &item, round).await;
        }
    }
    // A switch on one instance invalidates what the other has read.
    create(&one, &plain("switched")).await;
    let path = format!("{FEATURES}/switched");
    let tag = tag_of(&other, &path).await;
    switch(&one, "switched", "toggle/on").await;
    assert_refused(&put_if(&other, &path, &tag, &plain("switched").to_string()).await, &path);
}
