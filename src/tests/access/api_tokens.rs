//! Kinds and scopes of tokens, and their admin API.

use std::fs::{self, File};
use std::time::{Duration, Instant};

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{Installation, JSON, get, send_as, signed_in};
use crate::sdk::hold::until;
use crate::support::app::{Response, TestApp};
use crate::support::binary::Binary;
use crate::support::engine::{random_token, skips_file_tests};

const TOKENS: &str = "/api/admin/api-tokens";
const FEATURES: &str = "/api/client/features";

async fn read_with(app: &TestApp, token: &str) -> Response {
    app.send(Method::GET, FEATURES, &[("authorization", token)], "").await
}

/// Creates a token, and returns the response.
async fn create(app: &TestApp, body: &Value) -> Value {
    let response = app.post(TOKENS, body).await;
    assert_eq!(response.status, StatusCode::CREATED, "{}", response.body);
    response.json()
}

async fn delete(app: &TestApp, name: &str) -> Response {
    app.send(Method::DELETE, &format!("{TOKENS}/{name}"), &[JSON], "").await
}

/// Repeats a read until it fulfils the condition. The time is a reserve for a busy machine.
async fn wait_until<F: Future<Output = bool>>(condition: impl Fn() -> F) {
    let start = Instant::now();
    while !condition().await {
        assert!(start.elapsed() < Duration::from_secs(20), "it never became true");
    }
}

#[actix_web::test]
async fn frontend_token_never_reads_definitions_and_closes_nothing() {
    let app = TestApp::embedded().await;
    let web = create(&app, &json!({ "name": "web", "kind": "frontend", "origins": ["*"] })).await;
    let web = web["secret"].as_str().unwrap();
    let is_refused = |response: &Response| {
        assert_eq!(response.json()["code"], "frontend_token", "{}", response.body);
        assert!(response.json()["message"].as_str().unwrap().contains("client token"), "{}", response.body);
        response.status == StatusCode::FORBIDDEN
    };
    wait_until(|| async { read_with(&app, web).await.status != StatusCode::OK }).await;
    assert!(is_refused(&read_with(&app, web).await));
    for path in ["/api/client/register", "/api/client/metrics"] {
        let response = app.send(Method::POST, path, &[JSON, ("authorization", web)], "{}").await;
        assert!(is_refused(&response), "{path}: {}", response.status);
    }
    assert_eq!(app.get(FEATURES).await.status, StatusCode::OK, "no client token exists");

    let server = create(&app, &json!({ "name": "server" })).await;
    assert_eq!((&server["kind"], &server["origins"]), (&json!("client"), &json!([])));
    let server = server["secret"].as_str().unwrap();
    wait_until(|| async { app.get(FEATURES).await.status == StatusCode::UNAUTHORIZED }).await;
    assert!(is_refused(&read_with(&app, web).await));
    assert_eq!(read_with(&app, server).await.status, StatusCode::OK);
    let by_key = app.send(Method::GET, FEATURES, &[("x-api-key", server)], "").await;
    assert_eq!(by_key.status, StatusCode::OK, "{}", by_key.body);

    let deleted = delete(&app, "server").await;
    assert_eq!(
        (deleted.status, deleted.json()),
        (StatusCode::OK, json!({ "name": "server", "isClientApiPublic": true }))
    );
    wait_until(|| async { app.get(FEATURES).await.status == StatusCode::OK }).await;
}

#[actix_web::test]
async fn deletion_reports_whether_requests_without_a_token_are_accepted() {
    for (arguments, is_public) in [(&[][..], true), (&["--require-client-tokens"], false)] {
        let app = TestApp::with(&[&["--data", ":memory:"], arguments].concat()).await;
        for name in ["one", "two"] {
            create(&app, &json!({ "name": name })).await;
        }
        create(&app, &json!({ "name": "web", "kind": "frontend" })).await;
        for (name, is_public) in [("one", false), ("two", is_public), ("web", is_public)] {
            let deleted = delete(&app, name).await.json();
            assert_eq!(deleted, json!({ "name": name, "isClientApiPublic": is_public }), "{arguments:?}");
        }
    }
}

#[actix_web::test]
async fn secret_is_in_one_response_only() {
    if skips_file_tests() {
        return;
    }
    let installation = Installation::new();
    installation.add("anna", &["--permission", "CREATE_API_TOKEN,DELETE_API_TOKEN"]);
    let log = installation.0.path().join("log");
    let mut command = installation.command(&["--listen", "127.0.0.1:0", "--auth", "password"]);
    command.args(["--log-level", "trace"]).stderr(File::create(&log).unwrap());
    let mut binary = Binary::started(&mut command);
    let app = TestApp::at(binary.port);
    let anna = signed_in(&app, "anna").await;
    let body = json!({
        "name": "shop/web", "kind": "frontend", "origins": ["https://Shop.example:443"],
        "projects": ["default"], "tags": ["simple:shop"],
    });
    let created = send_as(&app, &anna, Method::POST, TOKENS, &body).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
    let created = created.json();
    let secret = created["secret"].as_str().unwrap();
    assert_eq!(secret.len(), 64, "{secret}");
    let listed = get(&app, &anna, TOKENS).await;
    let expected = json!({
        "name": "shop/web", "kind": "frontend", "origins": ["https://shop.example"], "projects": ["default"],
        "tags": ["simple:shop"], "createdAt": created["createdAt"], "createdBy": "anna", "lastUsedAt": null,
    });
    assert_eq!(listed.json(), json!({ "tokens": [expected] }));
    let deleted = send_as(&app, &anna, Method::DELETE, &format!("{TOKENS}/shop%2Fweb"), &Value::Null).await;
    assert_eq!(deleted.status, StatusCode::OK, "{}", deleted.body);
    assert_eq!(get(&app, &anna, TOKENS).await.json(), json!({ "tokens": [] }));

    let history = get(&app, &anna, "/api/admin/events").await;
    let events: Vec<Value> = history.json()["events"].as_array().unwrap().clone();
    let [removed, added] = &events[..] else { panic!("{}", history.body) };
    assert_eq!(
        (&removed["type"], &removed["data"]),
        (&json!("api-token-deleted"), &json!({ "name": "shop/web" }))
    );
    assert_eq!((&added["type"], &added["createdBy"]), (&json!("api-token-created"), &json!("anna")));
    assert_eq!(added["data"]["origins"], json!(["https://shop.example"]));
    assert!(!history.body.contains(secret) && !listed.body.contains(secret));

    binary.kill();
    let log = fs::read_to_string(&log).unwrap();
    assert!(log.contains(TOKENS) && log.contains("TRACE") && !log.contains(secret));
    let bytes = fs::read(installation.data()).unwrap();
    assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()));
}

#[actix_web::test]
async fn rejects_tokens_that_could_not_work() {
    let installation = Installation::new();
    let app = installation.start(&[]).await;
    let web = |key: &str, value: Value| json!({ "name": "web", "kind": "frontend", key: value });
    for (body, status, message) in [
        (json!({ "name": "web", "origins": ["*"] }), 400, "only allowed for frontend tokens"),
        (web("origins", json!(["https://shop.example/path"])), 400, "such as https://shop.example"),
        (web("projects", json!(["shpo"])), 400, "There is no project with the id shpo"),
        (web("tags", json!(["shpo:web"])), 400, "There is no tag type called shpo"),
        (web("projects", json!(vec!["default"; 101])), 400, "less than or equal to 100 items"),
        (web("name", json!("x".repeat(101))), 400, "less than or equal to 100 characters"),
        (json!({ "name": "web" }), 201, "secret"),
        (json!({ "name": "web", "kind": "frontend" }), 409, "already exists"),
    ] {
        let response = app.post(TOKENS, &body).await;
        assert_eq!(response.status.as_u16(), status, "{body}: {}", response.body);
        assert!(response.body.contains(message), "{body}: {}", response.body);
    }
    assert_eq!(delete(&app, "none").await.status, StatusCode::NOT_FOUND);

    let random = random_token();
    installation.run_sql(&format!(
        "WITH RECURSIVE numbers(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)
         INSERT INTO api_tokens (name, token_hash, created_at)
         SELECT 'token' || n, {random}, '2026-01-01T00:00:00.000Z' FROM numbers"
    ));
    let response = app.post(TOKENS, &json!({ "name": "one too many" })).await;
    assert_eq!(response.status, StatusCode::CONFLICT, "{}", response.body);
    assert_eq!(delete(&app, "token2").await.status, StatusCode::OK);
    create(&app, &json!({ "name": "the last one" })).await;
}

#[actix_web::test]
async fn last_use_is_stored_at_the_latest_when_the_server_stops() {
    let installation = Installation::new();
    let add = |name: &str| installation.run_ok(&["token", "add", "--name", name], "").trim_end().to_owned();
    let (first, second) = (add("first"), add("second"));
    add("unused");
    let app = installation.start(&[]).await;
    assert_eq!(read_with(&app, &first).await.status, StatusCode::OK);
    let used = || async {
        let tokens = app.get(TOKENS).await.json()["tokens"].as_array().unwrap().clone();
        tokens.iter().map(|token| token["lastUsedAt"].is_string()).collect::<Vec<_>>()
    };
    wait_until(|| async { used().await == [true, false, false] }).await;
    assert_eq!(read_with(&app, &second).await.status, StatusCode::OK);
    assert_eq!(used().await, [true, false, false], "there is one write per minute");
    app.stop().await;
    let list = installation.run_ok(&["token", "list"], "");
    let lines: Vec<&str> = list.lines().collect();
    assert!(lines[0].starts_with("first, client, added 20") && lines[0].contains(", last used 20"), "{list}");
    assert!(lines[1].starts_with("second, client") && lines[1].contains(", last used 20"), "{list}");
    assert!(lines[2].starts_with("unused, client") && lines[2].ends_with(", never used"), "{list}");
}

#[actix_web::test]
async fn last_use_before_the_clock_was_set_back_is_replaced() {
    let installation = Installation::new();
    let secret = installation.run_ok(&["token", "add", "--name", "first"], "").trim_end().to_owned();
    installation.run_sql("UPDATE api_tokens SET last_used_at = '2090-01-01T00:00:00.000Z' RETURNING 1");
    let app = installation.start(&[]).await;
    assert_eq!(read_with(&app, &secret).await.status, StatusCode::OK);
    let last_use = || installation.run_sql("SELECT last_used_at FROM api_tokens");
    until(async || (last_use().as_str() < "2089").then_some(())).await;
}

#[test]
fn command_line_adds_frontend_tokens() {
    let installation = Installation::new();
    let shop = ["token", "add", "--name", "shop-web", "--kind", "frontend"];
    let scope = ["--origin", "https://shop.example", "--project", "default", "--tag", "simple:shop"];
    let added = installation.run(&[&shop[..], &scope].concat(), "");
    assert_eq!(added.stdout.len(), 65, "the token alone");
    let notice = String::from_utf8(added.stderr).unwrap();
    assert!(notice.contains("It is public") && !notice.contains("refused"), "{notice}");
    let list = installation.run_ok(&["token", "list"], "");
    let scope =
        "shop-web, frontend, origins https://shop.example, projects default, tags simple:shop, added 20";
    assert!(list.starts_with(scope) && list.ends_with(", never used\n"), "{list}");
    for (more, reason) in [
        (&["--kind", "frontend", "--origin", "https://shop.example/"][..], "such as https://shop.example"),
        (&["--kind", "frontend", "--project", "shpo"], "There is no project with the id shpo"),
        (&["--origin", "*"], "only allowed for frontend tokens"),
        (&["--kind", "server"], "client, frontend"),
    ] {
        let output = installation.run(&[&["token", "add", "--name", "x"], more].concat(), "");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains(reason), "{more:?}: {said}");
    }
    let removed = installation.run_ok(&["token", "remove", "shop-web"], "");
    assert!(!removed.contains("last client token"), "{removed}");
    let actors = installation.run_sql("SELECT type || ' by ' || created_by FROM events ORDER BY id");
    assert_eq!(actors, "api-token-created by flagdeck token\napi-token-deleted by flagdeck token");
}
