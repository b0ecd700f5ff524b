//! Counts and applications of toggles.

use std::time::{Duration, Instant};

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::app::{Response, TestApp};
use crate::support::newer_server::{NewerServer, Version};

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

fn counters(process: u32, yes: u64) -> String {
    format!(
        "process_start_time_seconds {process}\nfeature_toggle_usage_total{{toggle=\"one\",active=\"true\",appName=\"shop\"}} {yes}\n"
    )
}

/// Polls until the response matches.
async fn wait_for(app: &TestApp, path: &str, expected: &Value) {
    let end = Instant::now() + Duration::from_mins(1);
    loop {
        let response = read(app, path).await;
        if response.status == StatusCode::OK && response.json() == *expected {
            return;
        }
        assert!(Instant::now() < end, "{} {}", response.status, response.body);
        tokio::task::yield_now().await;
    }
}

#[actix_web::test]
async fn counts_per_minute_are_computed_from_the_counters() {
    let server = NewerServer::start(Version::V8_2);
    server.model(|model| model.counters = counters(1, 100));
    let app = TestApp::with(&["--upstream", &server.url, "--upstream-counters"]).await;
    wait_for(&app, APPLICATIONS, &json!({})).await;
    assert_eq!(read(&app, "/-/settings").await.json()["server"]["counters"], true);
    server.model(|model| model.counters = counters(1, 103));
    let counts = json!({ "one": { "yes": 3, "no": 0 } });
    wait_for(&app, COUNTS, &json!({ "lastHour": counts, "lastMinute": counts })).await;
    wait_for(&app, APPLICATIONS, &json!({ "one": [{ "appName": "shop" }] })).await;
    wait_for(&app, &format!("{APPLICATIONS}?toggle=two"), &json!({})).await;
}

#[actix_web::test]
async fn counts_stay_per_hour_without_the_counters() {
    for arguments in [&["--upstream-counters"][..], &[]] {
        let (server, app) = start(Version::V4_19, &["one"], arguments).await;
        server.model(|model| {
            model.usage.insert("one".to_owned(), vec![("development", "shop", 3, 1)]);
            // Without the setting this is not read.
            if arguments.is_empty() {
                model.counters = counters(1, 100);
            }
        });
        let expected = json!({ "lastHour": { "one": { "yes": 3, "no": 1 } }, "lastMinute": {} });
        assert_eq!(read(&app, COUNTS).await.json(), expected);
        assert_eq!(read(&app, "/-/settings").await.json()["server"]["counters"], false);
    }
}
