//! Responses of the flag service that all users share.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{LIST, beside_newer, newer_server, request_lines};
use crate::support::app::TestApp;
use crate::support::stub::{Reply, Stub, ok};

const UNAUTHORIZED: &str = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\n{}";

/// Counts the received requests whose line starts with a text.
fn count(stub: &Stub, start: &str) -> usize {
    request_lines(stub).iter().filter(|line| line.starts_with(start)).count()
}

async fn first_row(app: &TestApp, query: &str) -> Value {
    let response = app.get(&format!("/api/admin/features{query}")).await;
    response.json()["features"][0].clone()
}

#[actix_web::test]
async fn counts_are_read_once_per_minute_and_each_poll_verifies_its_user() {
    let page =
        r#"{"total":1,"features":[{"name":"one","environments":[{"name":"production","yes":3,"no":1}]}]}"#;
    let (stub, app) = beside_newer(vec![("GET /api/admin/search/features?", ok("", page))], &[]).await;
    for polls in 1..=3 {
        let counts = app.get("/api/admin/metrics/feature-toggles").await;
        assert_eq!(counts.json(), json!({ "lastHour": { "one": { "yes": 3, "no": 1 } }, "lastMinute": {} }));
        assert_eq!(counts.header("vary"), "Flagdeck-Environment");
        assert_eq!(count(&stub, "GET /api/admin/search/features?lastSeenAt=IS_ON_OR_AFTER%3A"), 1);
        assert_eq!(count(&stub, "GET /api/admin/user"), polls);
    }
}

/// 8.2 allows 15 searches per minute, and says so in a header.
#[actix_web::test]
async fn search_respects_the_limit_of_the_server() {
    let page = r#"{"total":1200,"features":[]}"#;
    for (header, pages) in [("RateLimit-Policy: 15;w=60\r\n", 10), ("", 12)] {
        let (stub, app) =
            beside_newer(vec![("GET /api/admin/search/features?", ok(header, page))], &[]).await;
        assert_eq!(app.get("/api/admin/metrics/feature-toggles").await.status, StatusCode::OK);
        assert_eq!(count(&stub, "GET /api/admin/search/features?"), pages, "{header}");
    }
}

#[actix_web::test]
async fn servers_without_a_search_report_no_usage_of_all_toggles() {
    let (_stub, app) = beside_newer(vec![], &[]).await;
    let counts = app.get("/api/admin/metrics/feature-toggles").await;
    assert_eq!((counts.status, &counts.json()["code"]), (StatusCode::GONE, &json!("not_reported")));
}

#[actix_web::test]
async fn full_event_log_may_require_an_administrator() {
    let refused = || Reply::Bytes("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\n{}".to_owned());
    let (_stub, app) = beside_newer(vec![("POST /api/admin/events/search ", refused())], &[]).await;
    let response = app.get("/api/admin/events").await;
    assert_eq!(response.status, StatusCode::FORBIDDEN);
    assert_eq!(response.json()["message"], "Only admins can view the full event log on this server.");
    assert_eq!(response.json()["code"], "admin_only");
}

#[actix_web::test]
async fn strategies_are_loaded_on_demand_and_again_after_a_write() {
    let playground = r#"{"features":[{"name":"one","strategies":{"data":[{"id":"s","name":"default"}]}}]}"#;
    let (stub, app) = beside_newer(vec![("POST /api/admin/playground ", ok("", playground))], &[]).await;
    assert_eq!(first_row(&app, "").await["strategiesKnown"], false);
    assert_eq!(count(&stub, "POST /api/admin/playground"), 0);
    for _ in 0..2 {
        let row = first_row(&app, "?strategies=true").await;
        assert_eq!(
            (&row["strategiesKnown"], &row["strategies"]),
            (&json!(true), &json!([{ "id": "s", "name": "default" }]))
        );
    }
    assert_eq!(count(&stub, "POST /api/admin/playground"), 1);
    // Forwarded and converted writes.
    for (method, path) in [(Method::POST, "tags"), (Method::PUT, "context/userId")] {
        let before = count(&stub, "POST /api/admin/playground");
        app.send(method, &format!("/api/admin/{path}"), &[("content-type", "application/json")], "{}").await;
        first_row(&app, "?strategies=true").await;
        assert_eq!(count(&stub, "POST /api/admin/playground"), before + 1, "{path}");
    }
}

#[actix_web::test]
async fn strategies_are_loaded_with_the_client_token_and_without_the_session() {
    let mut token = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut token, b"*:production.0123\n").unwrap();
    let file = format!("@{}", token.path().display());
    let features = r#"{"features":[{"name":"one","strategies":[{"name":"default"}]}],"query":{"environment":"production"}}"#;
    let replies = vec![("GET /api/client/features ", ok("ETag: \"7\"\r\n", features))];
    let (stub, app) = beside_newer(replies, &["--upstream-token", &file]).await;
    for _ in 0..2 {
        let list = app.send(Method::GET, "/api/admin/features", &[("cookie", "session=s3cret")], "").await;
        let row = &list.json()["features"][0];
        // They are not complete.
        assert_eq!(
            (&row["strategiesKnown"], &row["strategies"]),
            (&json!(false), &json!([{ "name": "default" }]))
        );
    }
    let all = stub.requests();
    let [first, second] = all
        .iter()
        .filter(|request| request.starts_with("GET /api/client/"))
        .collect::<Vec<_>>()
        .try_into()
        .unwrap();
    let (first, second): (&String, &String) = (first, second);
    for request in [first, second] {
        assert!(
            request.contains("uthorization: *:production.0123\r\n") && !request.contains("s3cret"),
            "{request}"
        );
    }
    assert!(!first.contains("f-none-match") && second.contains("f-none-match: \"7\""), "{second}");
}

/// The settings of a sidecar for SDKs, browsers and the console.
#[actix_web::test]
async fn three_settings_serve_sdks_browsers_and_the_list() {
    let files = [
        "*:production.0123\n*:development.4567\n",
        "[live]\nsecret = \"live-0123456789abcdef\"\nenvironment = \"production\"\n\
         [test]\nsecret = \"test-0123456789abcdef\"\nenvironment = \"development\"\n",
    ]
    .map(|content| {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        std::io::Write::write_all(&mut file, content.as_bytes()).unwrap();
        file
    });
    let [tokens, frontend_tokens] = files.each_ref().map(|file| format!("@{}", file.path().display()));
    let newer = newer_server();
    let definitions = |environment: &str, strategy: &Value| {
        let toggle = json!({ "name": "one", "enabled": true, "strategies": [strategy] });
        let query = json!({ "environment": environment });
        json!({ "version": 2, "features": [toggle], "query": query }).to_string()
    };
    let (everyone, nobody) =
        (json!({ "name": "default" }), json!({ "name": "userWithId", "parameters": {} }));
    let bodies = [
        ("*:production.0123", definitions("production", &everyone)),
        ("*:development.4567", definitions("development", &nobody)),
    ];
    let reply = move |request: &str| {
        let found = if request.starts_with("GET /api/client/features ") {
            let known =
                bodies.iter().find(|(token, _)| request.contains(&format!("uthorization: {token}\r\n")));
            known.map(|(_, body)| ok("Content-Type: application/json\r\n", body))
        } else {
            newer.iter().find(|(start, _)| request.starts_with(start)).map(|(_, reply)| reply.clone())
        };
        found.unwrap_or_else(|| Reply::Bytes(UNAUTHORIZED.to_owned()))
    };
    let stub = Stub::start(Reply::Computed(std::sync::Arc::new(reply))).await;
    let settings =
        ["--upstream", &stub.url, "--upstream-token", &tokens, "--frontend-tokens", &frontend_tokens];
    let app = TestApp::with(&settings).await;
    for (environment, client_token, frontend_token, strategy, is_on) in [
        ("production", "*:production.0123", "live-0123456789abcdef", &everyone, true),
        ("development", "*:development.4567", "test-0123456789abcdef", &nobody, false),
    ] {
        let headers = [("authorization", client_token), ("unleash-client-spec", "5.2.0")];
        for _ in 0..2 {
            let poll = app.send(Method::GET, "/api/client/features", &headers, "").await;
            assert_eq!(&poll.json()["features"][0]["strategies"][0], strategy, "{environment}");
        }
        let browser = app.send(Method::GET, "/api/frontend", &[("authorization", frontend_token)], "").await;
        assert_eq!(browser.json()["toggles"].as_array().map(|toggles| !toggles.is_empty()), Some(is_on));
        let list =
            app.send(Method::GET, "/api/admin/features", &[("flagdeck-environment", environment)], "").await;
        let row = &list.json()["features"][0];
        assert_eq!((&row["name"], &row["strategies"][0]["name"]), (&json!("one"), &strategy["name"]));
    }
    // The replica and the list have read each environment once. Polls and browsers cause no requests.
    assert_eq!(count(&stub, "GET /api/client/features"), 4);
    assert_eq!(count(&stub, "GET /api/frontend"), 0);
}

/// Only these have ids and titles, and contain disabled strategies.
#[actix_web::test]
async fn strategies_on_demand_are_complete_also_with_a_client_token() {
    let mut token = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut token, b"*:production.0123\n").unwrap();
    let file = format!("@{}", token.path().display());
    let features = r#"{"features":[{"name":"one","strategies":[]}],"query":{"environment":"production"}}"#;
    let complete = r#"{"features":[{"name":"one","strategies":{"data":[{"id":"s","name":"default","disabled":true}]}}]}"#;
    let replies = vec![
        ("GET /api/client/features ", ok("", features)),
        ("POST /api/admin/playground ", ok("", complete)),
    ];
    let (_stub, app) = beside_newer(replies, &["--upstream-token", &file]).await;
    let row = first_row(&app, "?strategies=true").await;
    let expected = json!([{ "id": "s", "name": "default", "disabled": true }]);
    assert_eq!((&row["strategiesKnown"], &row["strategies"]), (&json!(true), &expected));
}

/// A server that ignores the token responds for another environment.
#[actix_web::test]
async fn strategies_of_another_environment_are_not_shown() {
    let mut token = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut token, b"*:production.0123\n").unwrap();
    let file = format!("@{}", token.path().display());
    let features = r#"{"features":[{"name":"one","strategies":[]}],"query":{"environment":"default"}}"#;
    let replies = vec![("GET /api/client/features ", ok("", features))];
    let (stub, app) = beside_newer(replies, &["--upstream-token", &file]).await;
    for _ in 0..2 {
        assert_eq!(first_row(&app, "").await["strategiesKnown"], false);
    }
    assert_eq!(count(&stub, "GET /api/client/features"), 1);
}

#[actix_web::test]
async fn loaded_strategies_are_only_for_users_who_may_read_the_list() {
    let [environments, projects, overview, ui_config] = newer_server()
        .into_iter()
        .take(4)
        .map(|(_, reply)| reply)
        .collect::<Vec<_>>()
        .try_into()
        .ok()
        .unwrap();
    let playground = r#"{"features":[{"name":"one","strategies":{"data":[]}}]}"#;
    let replies = vec![
        environments,
        projects,
        ui_config,
        overview,
        ok("", r#"{"user":{"email":"a@example.com"}}"#),
        ok("", LIST),
        ok("", playground),
        Reply::Bytes(UNAUTHORIZED.to_owned()),
    ];
    let stub = Stub::start(Reply::InTurn(replies)).await;
    let app = TestApp::with(&["--upstream", &stub.url, "--upstream-environment", "production"]).await;
    assert_eq!(first_row(&app, "?strategies=true").await["strategiesKnown"], true);
    assert_eq!(app.get("/api/admin/features?strategies=true").await.status, StatusCode::UNAUTHORIZED);
}
