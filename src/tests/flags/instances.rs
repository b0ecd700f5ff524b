//! Several instances on one PostgreSQL database. These tests need `FLAGDECK_TEST_ENGINE=postgres`.

mod deliveries;
mod kept;
mod kills;
mod load;
mod outages;
mod records;
mod standby;
mod versions;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use actix_web::http::{Method, StatusCode};
use flagdeck::api::ClientApi;
use flagdeck::flags::usage::rules::parse_report;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::timeout;

use super::postgres::database;
use super::{FEATURES, JSON, create, names, plain};
use crate::sdk::{FLAGS, frontend_token};
use crate::support::app::{Response, TestApp};
use crate::support::binary::{Binary, flagdeck, output_of};
use crate::support::engine::{open_flags, with_engine};
use crate::support::events::EventReader;
use crate::support::watched::MAX_WAIT;

const CLIENT: &str = "/api/client/features";
const METRICS: &str = "/api/admin/metrics/feature-toggles";
const STALE: &str = "x-flagdeck-stale";

/// Starts instances on one database.
async fn start_instances(arguments: &[&str]) -> (TempDir, PathBuf, [TestApp; 3]) {
    let (folder, file) = database();
    let start = async || start_instance(&file, arguments).await;
    let instances = [start().await, start().await, start().await];
    (folder, file, instances)
}

async fn start_instance(file: &Path, arguments: &[&str]) -> TestApp {
    let own = ["--data", file.to_str().unwrap(), "--admin-listen", "0"];
    TestApp::with(&[&own[..], arguments].concat()).await
}

/// Repeats a check until it returns true.
pub(super) async fn wait_until(check: impl AsyncFn() -> bool) {
    let search = async { while !check().await {} };
    timeout(MAX_WAIT, search).await.expect("the condition is never true");
}

/// Repeats a read until it returns this value. The failure shows the last one.
async fn wait_for_value(read: impl AsyncFn() -> Value, expected: &Value) {
    let is_equal = timeout(MAX_WAIT, async { while read().await != *expected {} }).await.is_ok();
    assert!(is_equal, "{} instead of {expected}", read().await);
}

async fn contains(app: &TestApp, path: &str, text: &str) -> bool {
    app.get(path).await.body.contains(text)
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn change_is_in_the_sdk_responses_of_all_instances() {
    let (_folder, _file, [first, second, third]) = start_instances(&[]).await;
    let mut stream = EventReader::open(&second, "/api/client/streaming", "").await;
    stream.next().await.unwrap();
    for number in 0..11 {
        let name = format!("probe-{number}");
        create(&first, &plain(&name)).await;
        wait_until(async || contains(&second, CLIENT, &name).await).await;
        wait_until(async || contains(&third, CLIENT, &name).await).await;
        let event = stream.next().await.unwrap();
        assert!(event.data.to_string().contains(&name), "{event:?}");
    }
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn each_instance_confirms_results_and_opens_streams_of_the_others() {
    let (_folder, _file, [first, second, third]) = start_instances(&[]).await;
    create(&first, &plain("probe")).await;
    let token = frontend_token(&first).await;
    let headers = [JSON, ("authorization", token.as_str())];
    let evaluate = async |app: &TestApp, more: &[(&str, &str)]| {
        app.send(Method::POST, FLAGS, &[&headers[..], more].concat(), "{}").await
    };
    wait_until(async || evaluate(&second, &[]).await.body.contains("probe")).await;
    let result = evaluate(&first, &[]).await;
    let known = evaluate(&second, &[("if-none-match", result.header("etag"))]).await;
    assert_eq!(known.status, StatusCode::NOT_MODIFIED, "{}", known.body);

    let url = result.json()["eventStreams"][0]["endpoint"]["requestUri"].as_str().unwrap().to_owned();
    let mut stream = EventReader::open(&second, &url, "").await;
    let before = stream.next().await.unwrap();
    create(&third, &plain("another")).await;
    let event = stream.next().await.unwrap();
    assert_eq!(event.data["type"], "refetchEvaluation");
    assert_ne!(event.id, before.id);
}

/// Adds a user with all permissions, like an operator.
fn add_user(file: &Path, name: &str, password: &str) {
    let mut command = flagdeck();
    command.args(with_engine(&["user", "add", name, "--admin", "--data", file.to_str().unwrap()]));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    writeln!(child.stdin.take().unwrap(), "{password}").unwrap();
    assert!(child.wait().unwrap().success());
}

/// Returns the paths of the administration that need no more information, from the OpenAPI document.
fn pages() -> Vec<String> {
    let document = fs::read_to_string("src/openapi/openapi.json").unwrap();
    let document: Value = serde_json::from_str(&document).unwrap();
    let paths = document["paths"].as_object().unwrap().iter();
    let readable = paths.filter(|(path, methods)| methods["get"].is_object() && !path.contains('{'));
    let is_page = |path: &String| path.starts_with("/api/admin/") && !path.ends_with("/logout");
    readable.map(|(path, _)| path.clone()).filter(is_page).collect()
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn requests_of_one_session_can_go_to_any_instance() {
    let (_folder, file, instances) = start_instances(&["--auth", "password"]).await;
    add_user(&file, "anna", "correct horse");
    let mut rotation = instances.iter().cycle();
    let mut next = || rotation.next().unwrap();
    let body = json!({ "username": "anna", "password": "correct horse" });
    let signed_in = next().post("/auth/simple/login", &body).await;
    assert_eq!(signed_in.status, StatusCode::OK, "{}", signed_in.body);
    let cookie = signed_in.header("set-cookie").split(';').next().unwrap().to_owned();
    let headers = [JSON, ("cookie", cookie.as_str())];
    let created = next().send(Method::POST, FEATURES, &headers, &plain("probe").to_string()).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
    let probe = format!("{FEATURES}/probe");
    for (action, enabled) in [("on", true), ("off", false), ("on", true), ("off", false)] {
        let path = format!("{probe}/toggle/{action}");
        assert_eq!(next().send(Method::POST, &path, &headers, "").await.status, StatusCode::OK);
        let read = next().send(Method::GET, &probe, &headers, "").await;
        assert_eq!(read.json()["enabled"], enabled, "{action}");
    }
    let pages = pages();
    assert!(pages.len() > 15, "{pages:?}");
    for path in &pages {
        let page = next().send(Method::GET, path, &headers, "").await;
        assert_ne!(page.status, StatusCode::UNAUTHORIZED, "{path}");
        for _other in 1..instances.len() {
            let same = next().send(Method::GET, path, &headers, "").await;
            assert_eq!((same.status, same.body), (page.status, page.body.clone()), "{path}");
        }
        next();
    }
    next().send(Method::GET, "/api/admin/user/logout", &headers, "").await;
    for app in &instances {
        let refused = app.send(Method::GET, &probe, &headers, "").await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
    }
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn revoked_session_is_refused_by_all_instances_at_once() {
    let (_folder, file, instances) = start_instances(&["--auth", "password"]).await;
    let mut sessions = Vec::new();
    for name in ["anna", "bert"] {
        add_user(&file, name, "correct horse");
        let body = json!({ "username": name, "password": "correct horse" });
        let signed_in = instances[0].post("/auth/simple/login", &body).await;
        sessions.push(signed_in.header("set-cookie").split(';').next().unwrap().to_owned());
    }
    let [admin, revoked] = [&sessions[0], &sessions[1]];
    let status = async |app: &TestApp| {
        app.send(Method::GET, "/api/admin/user", &[("cookie", revoked)], "").await.status
    };
    for app in &instances {
        assert_eq!(status(app).await, StatusCode::OK);
    }
    let headers = [JSON, ("cookie", admin.as_str())];
    let response = instances[1].send(Method::DELETE, "/api/admin/sessions?username=bert", &headers, "").await;
    assert_eq!(response.json()["revoked"], 1);
    for app in &instances {
        assert_eq!(status(app).await, StatusCode::UNAUTHORIZED);
    }
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn edit_on_another_instance_is_in_the_read_before_a_save() {
    // The console compares the toggle that it reads before a save with the one that the user edited.
    let (_folder, _file, instances) = start_instances(&[]).await;
    create(&instances[0], &plain("probe")).await;
    let probe = format!("{FEATURES}/probe");
    for (number, (editor, other)) in instances.iter().zip(instances.iter().cycle().skip(1)).enumerate() {
        let before = other.get(&probe).await;
        let unchanged =
            other.send(Method::GET, &probe, &[("if-none-match", before.header("etag"))], "").await;
        assert_eq!(unchanged.status, StatusCode::NOT_MODIFIED);
        let mut edited = plain("probe");
        edited["description"] = json!(format!("edit {number}"));
        let saved = editor.send(Method::PUT, &probe, &[JSON], &edited.to_string()).await;
        assert_eq!(saved.status, StatusCode::OK, "{}", saved.body);
        let read = other.send(Method::GET, &probe, &[("if-none-match", before.header("etag"))], "").await;
        assert_eq!((read.status, &read.json()["description"]), (StatusCode::OK, &edited["description"]));
    }
    // Of two that create the same toggle at once, one gets the conflict.
    for number in 0..10 {
        let toggle = plain(&format!("same-{number}"));
        let (one, other) =
            tokio::join!(instances[0].post(FEATURES, &toggle), instances[1].post(FEATURES, &toggle));
        let mut statuses = [one.status, other.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [StatusCode::CREATED, StatusCode::CONFLICT]);
    }
    assert_eq!(names(&instances[2], FEATURES).await.len(), 11);
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn revoked_token_is_refused_by_all_instances() {
    let (_folder, _file, [first, second, third]) = start_instances(&[]).await;
    let token = first.post("/api/admin/api-tokens", &json!({ "name": "probe", "kind": "client" })).await;
    let secret = token.json()["secret"].as_str().unwrap().to_owned();
    let status =
        async |app: &TestApp| app.send(Method::GET, CLIENT, &[("authorization", &secret)], "").await.status;
    for app in [&second, &third] {
        wait_until(async || app.get(CLIENT).await.status == StatusCode::UNAUTHORIZED).await;
        assert_eq!(status(app).await, StatusCode::OK);
    }
    first.post("/api/admin/api-tokens", &json!({ "name": "other", "kind": "client" })).await;
    first.send(Method::DELETE, "/api/admin/api-tokens/probe", &[JSON], "").await;
    for app in [&second, &third] {
        wait_until(async || status(app).await == StatusCode::UNAUTHORIZED).await;
    }
}

/// Reads toggles like an SDK, on the condition that they have changed.
async fn poll(app: &TestApp, secret: &str, tag: &str) -> Response {
    app.send(Method::GET, CLIENT, &[("authorization", secret), ("if-none-match", tag)], "").await
}

/// A report of an application about the toggle `probe`.
fn usage(yes: u32) -> Value {
    json!({
        "appName": "shop", "instanceId": "i-1",
        "bucket": {
            "start": "2021-01-01T00:00:00Z", "stop": "2021-01-01T00:01:00Z",
            "toggles": { "probe": { "yes": yes, "no": 1 } },
        },
    })
}

async fn report(app: &TestApp, yes: u32) {
    let accepted = app.post("/api/client/metrics", &usage(yes)).await;
    assert_eq!(accepted.status, StatusCode::ACCEPTED, "{}", accepted.body);
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn counts_are_the_sums_of_all_instances() {
    let (_folder, file, instances) = start_instances(&[]).await;
    create(&instances[0], &plain("probe")).await;
    let mut sum = json!({ "yes": 0, "no": 0 });
    for round in 1..=2 {
        for (app, yes) in instances.iter().zip([1, 20, 300]) {
            report(app, yes).await;
        }
        sum = json!({ "yes": round * 321, "no": round * 3 });
        let sums = json!({ "lastHour": { "probe": sum }, "lastMinute": { "probe": sum } });
        for app in &instances {
            wait_for_value(async || app.get(METRICS).await.json(), &sums).await;
        }
    }
    // An instance that starts later reads the sums of the hour.
    let later = start_instance(&file, &[]).await;
    assert_eq!(hour_counts(&later).await, sum);
    report(&later, 1000).await;
    let sum = json!({ "yes": 1642, "no": 7 });
    for app in instances.iter().chain([&later]) {
        wait_for_value(async || hour_counts(app).await, &sum).await;
    }
}

/// Returns the counts of the toggle `probe` in the last hour.
async fn hour_counts(app: &TestApp) -> Value {
    app.get(METRICS).await.json()["lastHour"]["probe"].take()
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn late_counts_of_another_instance_are_in_the_sums() {
    let (_folder, file) = database();
    let app = start_instance(&file, &[]).await;
    create(&app, &plain("probe")).await;
    report(&app, 1).await;
    let is_sum = async |yes, no| {
        wait_for_value(async || hour_counts(&app).await, &json!({ "yes": yes, "no": no })).await;
    };
    is_sum(1, 1).await;
    let other = open_flags(&file).unwrap();
    for (minutes, yes) in [(0, 20), (30, 300), (10, 4000)] {
        let then = Timestamp::now() - SignedDuration::from_mins(minutes);
        other.usage.count(&parse_report(&usage(yes), ClientApi::Server).unwrap(), "::1", then).await;
        other.usage.write_pending().await.unwrap();
    }
    is_sum(4321, 4).await;
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn instances_count_sign_in_attempts_together() {
    let (_folder, _file, instances) = start_instances(&["--auth", "password"]).await;
    let mut statuses = Vec::new();
    for app in instances.iter().cycle().take(7) {
        let body = json!({ "username": "anna", "password": "wrong horse" });
        statuses.push(app.post("/auth/simple/login", &body).await.status.as_u16());
    }
    assert_eq!(statuses, [400, 400, 400, 400, 400, 429, 429]);
    let body = json!({ "username": "bert", "password": "wrong horse" });
    let other = instances[0].post("/auth/simple/login", &body).await;
    assert_eq!(other.status, StatusCode::BAD_REQUEST, "another account");
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn instance_with_another_key_does_not_start() {
    let (_folder, file) = database();
    let app = start_instance(&file, &[]).await;
    let addon: Value = json!({
        "provider": "webhook", "enabled": true, "events": ["feature-created"],
        "parameters": { "url": "http://localhost/hook" },
    });
    assert_eq!(app.post("/api/admin/addons", &addon).await.status, StatusCode::CREATED);
    let key = file.with_extension("db.key");
    let right = fs::read(&key).unwrap();
    for wrong in [Some([7; 32]), None] {
        match wrong {
            Some(other) => fs::write(&key, other).unwrap(),
            None => fs::remove_file(&key).unwrap(),
        }
        let output = output_of(flagdeck().args(with_engine(&Binary::arguments(&file))));
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b""[..]), "{said}");
        assert!(said.contains("data-key: the key file ") && said.contains("flags.db.key"), "{said}");
    }
    // A running instance without the key must not create another one.
    let refused = app.post("/api/admin/addons", &addon).await;
    assert!(refused.status.is_server_error() && !key.exists(), "{}", refused.body);
    fs::write(&key, right).unwrap();
    assert_eq!(app.post("/api/admin/addons", &addon).await.status, StatusCode::CREATED);
    drop(Binary::on(&file));
}
