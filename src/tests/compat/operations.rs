//! The checks of all requests apply to each converted request: read-only mode, other sites, limits, circuit breaker, request
//! ids and log.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::time::{Duration, Instant};

use actix_web::http::StatusCode;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::app::{Response, TestApp, upstream_of};
use crate::support::binary::{Binary, flagdeck};
use crate::support::newer_server::{NewerServer, Version};

/// Each converted request: label in metrics, method, path below the API, and whether it has a body.
const OPERATIONS: [(&str, &str, &str, bool); 21] = [
    ("list", "GET", "features", false),
    ("toggle", "GET", "features/search", false),
    ("create", "POST", "features", true),
    ("update", "PUT", "features/search", true),
    ("archive_toggle", "DELETE", "features/search", false),
    ("stale", "POST", "features/search/stale/on", false),
    ("switch", "POST", "features/search/toggle/off", false),
    ("user", "GET", "user", false),
    ("archive", "GET", "archive/features", false),
    ("events", "GET", "events", false),
    ("last_hour", "GET", "metrics/feature-toggles", false),
    ("seen_applications", "GET", "metrics/seen-apps?toggle=search", false),
    ("usage_history", "GET", "client-metrics/features/search/raw", false),
    ("application", "GET", "metrics/applications/shop", false),
    ("add_tag", "POST", "features/search/tags", true),
    ("describe_application", "POST", "metrics/applications/shop", true),
    ("context", "GET", "context", false),
    ("create_context_field", "POST", "context", true),
    ("update_context_field", "PUT", "context/userId", true),
    ("update_addon", "PUT", "addons/1", true),
    ("change_project", "POST", "projects", true),
];

const JSON: (&str, &str) = ("content-type", "application/json");

fn server() -> NewerServer {
    let server = NewerServer::start(Version::V8_2);
    server.model(|model| model.add("search", json!({})));
    server
}

/// Sends a request of the table.
async fn send(
    app: &TestApp,
    (method, path, has_body): (&str, &str, bool),
    headers: &[(&str, &str)],
    body: &str,
) -> Response {
    let all = [&[JSON, ("flagdeck-environment", "development")], headers].concat();
    let body = if has_body { body } else { "" };
    app.send(method.parse().unwrap(), &format!("/api/admin/{path}"), &all, body).await
}

const BODY: &str = r#"{"name":"new","description":"d"}"#;

/// A change of the table in `compat/operation.rs` must reach this one.
#[test]
fn the_table_contains_each_converted_request() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/src/compat/operation.rs");
    let source = fs::read_to_string(source).unwrap();
    let label = |line: &str| {
        let (variant, rest) = line.trim().strip_prefix("Self::")?.split_once("=> \"")?;
        variant
            .trim_end()
            .ends_with(|letter: char| letter.is_alphanumeric() || letter == ')')
            .then_some(())?;
        Some(rest.strip_suffix("\",")?.to_owned())
    };
    let declared: BTreeSet<String> = source.lines().filter_map(label).collect();
    let tested: BTreeSet<String> = OPERATIONS.iter().map(|(label, ..)| (*label).to_owned()).collect();
    assert_eq!(declared, tested);
}

#[actix_web::test]
async fn each_is_converted_and_has_a_request_id() {
    let server = server();
    let app = TestApp::with(&["--upstream", &server.url, "--admin-listen", "127.0.0.1:0"]).await;
    let mut ids = BTreeSet::new();
    for (label, method, path, has_body) in OPERATIONS {
        let response = send(&app, (method, path, has_body), &[("x-request-id", "client-chosen")], BODY).await;
        assert!(ids.insert(response.header("x-request-id").to_owned()), "{label}: {ids:?}");
        let metrics = TestApp::at(app.admin_port.unwrap()).get("/metrics").await.body;
        assert!(metrics.contains(&format!("operation=\"{label}\",")), "{label}: {}", response.body);
        // The server gets the id too, also in requests of tasks.
        for headers in server.take_headers() {
            let sent = headers.get("x-request-id").map(String::as_str);
            assert_eq!(sent, Some(response.header("x-request-id")), "{label}");
        }
    }
    assert!(!ids.contains(""));
}

#[actix_web::test]
async fn changes_are_refused_in_read_only_mode_and_from_other_sites() {
    let server = server();
    let origin = [("origin", "https://evil.example"), ("sec-fetch-site", "cross-site")];
    for (argument, headers, code) in [("--read-only", &[][..], "read_only"), ("", &origin[..], "cross_site")]
    {
        let arguments = ["--upstream", &server.url, argument];
        let app = TestApp::with(&arguments[..if argument.is_empty() { 2 } else { 3 }]).await;
        for (label, method, path, has_body) in OPERATIONS {
            let response = send(&app, (method, path, has_body), headers, BODY).await;
            let is_refused = response.header("x-flagdeck-error") == code;
            assert_eq!(is_refused, method != "GET", "{label}: {} {}", response.status, response.body);
        }
    }
    // A search for events is a read.
    let changes: Vec<_> =
        server.take_changes().into_iter().filter(|change| change != "POST /events/search").collect();
    assert_eq!(changes, Vec::<String>::new());
}

#[actix_web::test]
async fn bodies_are_limited() {
    let server = server();
    let app = TestApp::with(&["--upstream", &server.url, "--body-limit", "2000000"]).await;
    let large = json!({ "name": "new", "description": "x".repeat(1 << 20) }).to_string();
    for (label, method, path, has_body) in OPERATIONS.into_iter().filter(|(.., has_body)| *has_body) {
        let response = send(&app, (method, path, has_body), &[], &large).await;
        let result = (response.status, response.header("x-flagdeck-error"));
        assert_eq!(result, (StatusCode::PAYLOAD_TOO_LARGE, "body_too_large"), "{label}");
        let response = send(&app, (method, path, has_body), &[], "{").await;
        assert_eq!(response.status, StatusCode::BAD_REQUEST, "{label}");
    }
    assert_eq!(server.take_changes(), Vec::<String>::new());
}

#[actix_web::test]
async fn the_circuit_breaker_refuses_each() {
    let server = server();
    // The circuit opens only if no request got a response during the last pause.
    let options = ["--upstream", &server.url];
    let app = TestApp::adjusted(&options, |config| upstream_of(config).pause = Duration::from_hours(1)).await;
    server.stop().await;
    let end = Instant::now() + Duration::from_mins(1);
    while send(&app, ("GET", "user", false), &[], "").await.header("x-flagdeck-error") != "circuit_open" {
        assert!(Instant::now() < end);
    }
    for (label, method, path, has_body) in OPERATIONS {
        let refused = send(&app, (method, path, has_body), &[], BODY).await;
        let result = (refused.status, refused.header("x-flagdeck-error"));
        assert_eq!(result, (StatusCode::SERVICE_UNAVAILABLE, "circuit_open"), "{label}");
    }
}

#[actix_web::test]
async fn each_has_one_line_in_the_log() {
    let server = server();
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("log");
    let arguments = ["--listen", "127.0.0.1:0", "--upstream", &server.url, "--log-format", "json"];
    let binary = Binary::started(flagdeck().args(arguments).stderr(File::create(&log).unwrap()));
    let app = TestApp::at(binary.port);
    let mut expected = Vec::new();
    for (label, method, path, has_body) in OPERATIONS {
        let response = send(&app, (method, path, has_body), &[], BODY).await;
        let path = path.split('?').next().unwrap();
        let id = response.header("x-request-id").to_owned();
        expected.push((
            label,
            json!([method, format!("/api/admin/{path}"), response.status.as_u16(), id, "development"]),
        ));
    }
    // The log is written in batches.
    let (_, last) = expected.last().unwrap();
    let end = Instant::now() + Duration::from_mins(1);
    while !fs::read_to_string(&log).unwrap().contains(last[3].as_str().unwrap()) {
        assert!(Instant::now() < end);
        tokio::task::yield_now().await;
    }
    let lines = fs::read_to_string(&log).unwrap();
    let fields = |line: &str| -> Value {
        let fields = serde_json::from_str::<Value>(line).unwrap()["fields"].take();
        ["method", "path", "status", "id", "environment"].iter().map(|name| fields[name].clone()).collect()
    };
    let logged: Vec<Value> = lines.lines().filter(|line| line.contains("\"method\"")).map(fields).collect();
    for (label, line) in expected {
        assert_eq!(
            logged.iter().filter(|logged| **logged == line).count(),
            1,
            "{label}: {line} in {logged:#?}"
        );
    }
}
