//! Counts and applications of toggles.

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use tempfile::NamedTempFile;
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::support::app::{Response, TestApp};
use crate::support::newer_server::{NewerServer, Reaction, Version};

const COUNTS: &str = "/api/admin/metrics/feature-toggles";
const APPLICATIONS: &str = "/api/admin/metrics/seen-apps";

/// Starts the app in front of a server with these toggles, which were seen now.
async fn start(version: Version, names: &[&str], arguments: &[&str]) -> (NewerServer, TestApp) {
    let server = NewerServer::start(version);
    server.model(|model| {
        for name in names {
            model.add(name, json!({ "lastSeenAt": "2999-01-01T00:00:00.000Z" }));
        }
    });
    let app = TestApp::with(&[&["--upstream", &server.url], arguments].concat()).await;
    (server, app)
}

async fn read(app: &TestApp, path: &str) -> Response {
    app.send(Method::GET, path, &[("flagdeck-environment", "development")], "").await
}

#[actix_web::test]
async fn applications_of_a_toggle_are_those_of_the_selected_environment() {
    let (server, app) = start(Version::V8_2, &["one"], &[]).await;
    let usage = [
        ("development", "shop", 1, 0),
        ("development", "cart", 0, 1),
        ("development", "shop", 2, 0),
        ("production", "till", 1, 0),
    ];
    server.model(|model| model.usage.insert("one".to_owned(), usage.to_vec()));
    let applications = read(&app, &format!("{APPLICATIONS}?toggle=one")).await;
    assert_eq!(applications.json(), json!({ "one": [{ "appName": "cart" }, { "appName": "shop" }] }));
    // There is no list of the applications of all toggles.
    let all = read(&app, APPLICATIONS).await;
    assert_eq!((all.status, &all.json()["code"]), (StatusCode::GONE, &json!("not_reported")));
}

#[actix_web::test]
async fn counts_of_4_19_are_read_for_each_toggle_that_was_used() {
    let (server, app) = start(Version::V4_19, &["one", "two", "unseen"], &[]).await;
    server.model(|model| {
        model
            .usage
            .insert("one".to_owned(), vec![("development", "shop", 3, 1), ("production", "shop", 7, 7)]);
        model.usage.insert("unseen".to_owned(), vec![("development", "shop", 9, 9)]);
        model.toggles.get_mut("unseen").unwrap()["lastSeenAt"] = json!("2020-01-01T00:00:00.000Z");
    });
    let expected = json!({ "lastHour": { "one": { "yes": 3, "no": 1 } }, "lastMinute": {} });
    assert_eq!(read(&app, COUNTS).await.json(), expected);
}

#[actix_web::test]
async fn counts_of_too_many_toggles_on_4_19_are_not_reported() {
    let names: Vec<String> = (0..201).map(|number| format!("toggle-{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (_server, app) = start(Version::V4_19, &names, &[]).await;
    for _ in 0..2 {
        let refused = read(&app, COUNTS).await;
        assert_eq!((refused.status, &refused.json()["code"]), (StatusCode::GONE, &json!("not_reported")));
    }
}

const REPORTS: &str = "/api/client/metrics";
const BROWSER_REPORTS: &str = "/api/frontend/client/metrics";
const BULK_REPORTS: &str = "/api/client/metrics/bulk";

/// Returns a report of an SDK about the toggle `one`.
fn report(yes: u64, no: u64) -> Value {
    json!({ "appName": "shop", "bucket": { "start": "s", "stop": "e", "toggles": { "one": { "yes": yes, "no": no } } } })
}

/// Sends a report with a token of an environment.
async fn send(app: &TestApp, path: &str, environment: &str, body: &str) -> StatusCode {
    let token = format!("*:{environment}.0123456789abcdef");
    let headers = [("authorization", token.as_str()), ("content-type", "application/json")];
    app.send(Method::POST, path, &headers, body).await.status
}

async fn last_minute(app: &TestApp, environment: &str) -> Value {
    let headers = [("flagdeck-environment", environment)];
    app.send(Method::GET, COUNTS, &headers, "").await.json()["lastMinute"].take()
}

fn one(yes: u64, no: u64) -> Value {
    json!({ "one": { "yes": yes, "no": no } })
}

#[actix_web::test]
async fn accepted_reports_are_counted_for_the_environment_of_their_token() {
    for arguments in [&[][..], &["--replica"]] {
        let (server, app) = start(Version::V8_2, &["one"], arguments).await;
        server.model(|model| model.usage.insert("one".to_owned(), vec![("development", "shop", 30, 10)]));
        assert_eq!(last_minute(&app, "development").await, json!({}));
        assert_eq!(read(&app, "/-/settings").await.json()["server"]["minuteCounts"], json!([]));
        let counts = |environment: &str| json!({ "featureName": "one", "appName": "shop", "environment": environment, "timestamp": "t", "yes": 4, "no": 0 });
        let bulk = json!({ "applications": [], "metrics": [counts("development"), counts("production")] });
        for (path, body) in [(REPORTS, report(3, 1)), (BROWSER_REPORTS, report(2, 0)), (BULK_REPORTS, bulk)] {
            assert_eq!(send(&app, path, "development", &body.to_string()).await, StatusCode::ACCEPTED);
        }
        assert_eq!(send(&app, REPORTS, "production", &report(7, 7).to_string()).await, StatusCode::ACCEPTED);
        let metrics = read(&app, COUNTS).await.json();
        assert_eq!(metrics, json!({ "lastHour": one(30, 10), "lastMinute": one(9, 1) }), "{arguments:?}");
        assert_eq!(last_minute(&app, "production").await, one(7, 7));
        let settings = read(&app, "/-/settings").await.json();
        assert_eq!(settings["server"]["minuteCounts"], json!(["development", "production"]));
    }
}

#[actix_web::test]
async fn refused_reports_and_unknown_toggles_are_not_counted() {
    let (server, app) = start(Version::V8_2, &["one"], &[]).await;
    let refusal = json!({ "name": "BadDataError" });
    server.react("POST /api/client/metrics", Reaction::Refuse(400, refusal));
    assert_eq!(send(&app, REPORTS, "development", &report(3, 1).to_string()).await, StatusCode::BAD_REQUEST);
    // The server stores no reports.
    server.react("POST /api/client/metrics", Reaction::Refuse(204, Value::Null));
    assert_eq!(send(&app, REPORTS, "development", &report(3, 1).to_string()).await, StatusCode::NO_CONTENT);
    assert_eq!(read(&app, "/-/settings").await.json()["server"]["minuteCounts"], json!([]));
    let mut others = report(2, 0);
    others["bucket"]["toggles"]["invisible"] = json!({ "yes": 1, "no": 0 });
    assert_eq!(send(&app, REPORTS, "development", &others.to_string()).await, StatusCode::ACCEPTED);
    assert_eq!(last_minute(&app, "development").await, one(2, 0));
}

#[actix_web::test]
async fn large_and_malformed_reports_are_forwarded_unchanged_and_not_counted() {
    let (server, app) = start(Version::V8_2, &["one"], &[]).await;
    let large = format!("{}{}", report(3, 1), " ".repeat(1 << 20));
    for body in
        [large.as_str(), "no JSON", "{}", r#"{"appName":"shop","bucket":{"toggles":{"one":{"yes":-1}}}}"#]
    {
        assert_eq!(send(&app, REPORTS, "development", body).await, StatusCode::ACCEPTED);
        assert_eq!(server.last_body(), body, "{} bytes", body.len());
    }
    // The largest report that is counted arrives in several chunks.
    let body = format!("{}{}", report(3, 1), " ".repeat((1 << 20) - report(3, 1).to_string().len()));
    assert_eq!(send(&app, REPORTS, "development", &body).await, StatusCode::ACCEPTED);
    assert_eq!(server.last_body(), body);
    assert_eq!(last_minute(&app, "development").await, one(3, 1));
}

#[actix_web::test]
async fn reports_that_waited_are_counted_once_they_are_delivered() {
    let (server, app) = start(Version::V8_2, &["one"], &["--replica", "--replica-refresh", "20ms"]).await;
    server.react("POST /api/client/metrics", Reaction::Refuse(503, Value::Null));
    let go = Arc::new(Notify::new());
    server.react("POST /api/client/metrics", Reaction::Wait(Arc::clone(&go)));
    assert_eq!(send(&app, REPORTS, "development", &report(3, 1).to_string()).await, StatusCode::ACCEPTED);
    server.wait_for_number("POST /api/client/metrics", 2).await;
    assert_eq!(last_minute(&app, "development").await, json!({}), "the server has not accepted it yet");
    go.notify_one();
    let counted = async {
        while last_minute(&app, "development").await != one(3, 1) {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_mins(1), counted).await.unwrap();
}

#[actix_web::test]
async fn reports_of_browsers_to_the_replica_are_counted_for_its_token() {
    let files =
        ["*:production.0123456789abcdef", "[web]\nsecret = \"web-0123456789abcdef\"\n"].map(|content| {
            let mut file = NamedTempFile::new().unwrap();
            file.write_all(content.as_bytes()).unwrap();
            file
        });
    let [token, browsers] = files.each_ref().map(|file| format!("@{}", file.path().display()));
    let evaluate = ["--upstream-token", &token, "--frontend-tokens", &browsers];
    let (_server, app) = start(Version::V8_2, &["one"], &evaluate).await;
    let headers = [("authorization", "web-0123456789abcdef"), ("content-type", "application/json")];
    let response = app.send(Method::POST, BROWSER_REPORTS, &headers, &report(3, 1).to_string()).await;
    assert_eq!(response.status, StatusCode::ACCEPTED, "{}", response.body);
    let counted = async {
        while last_minute(&app, "production").await != one(3, 1) {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_mins(1), counted).await.unwrap();
}
