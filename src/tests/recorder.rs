//! The flight recorder: past states of the embedded service and of the replica, its records after kills and on a full disk, its
//! endpoints and its commands.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use actix_web::http::{Method, StatusCode};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::app::{Response, TestApp};
use crate::support::binary::{Binary, Wire, flagdeck, free_port, in_own_file_system, output_of};
use crate::support::client_api::ClientApi;
use crate::support::engine::{is_postgres, with_engine};
use crate::support::skip::skipped;
use crate::support::watched::MAX_WAIT;

const FEATURES: &str = "/api/admin/features";
const SDK: (&str, &str) = ("unleash-client-spec", "5.2.0");
const PRODUCTION: &str = "*:production.0123456789abcdef";
const DEVELOPMENT: &str = "*:development.fedcba9876543210";
/// Number of kills in a normal test run.
const KILLS: usize = 6;

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn data(&self) -> String {
        self.0.path().join("flags.db").to_str().unwrap().to_owned()
    }

    async fn embedded(&self) -> TestApp {
        TestApp::with(&["--data", &self.data(), "--recorder"]).await
    }

    fn binary(&self) -> Binary {
        let data = self.data();
        let arguments = [&Binary::arguments(Path::new(&data))[..], &["--recorder"]].concat();
        Binary::started(flagdeck().args(with_engine(&arguments)))
    }

    /// Returns the arguments of a command that reads the records.
    fn arguments(&self, arguments: &[&str]) -> Vec<String> {
        with_engine(&[arguments, &["--data", &self.data()]].concat())
    }

    /// Runs a command that reads the recorder. Returns the exit code, standard output and standard error.
    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let output = output_of(flagdeck().env("TZ", "UTC").args(self.arguments(arguments)));
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }
}

fn toggle(name: &str, rollout: usize) -> Value {
    let parameters = json!({ "rollout": rollout.to_string(), "stickiness": "userId", "groupId": name });
    json!({ "name": name, "strategies": [{ "name": "flexibleRollout", "parameters": parameters }] })
}

/// Returns toggles by name.
fn by_name(list: &Value) -> BTreeMap<String, Value> {
    let toggles = list["features"].as_array().unwrap_or_else(|| panic!("no toggles in {list}"));
    toggles.iter().map(|toggle| (toggle["name"].as_str().unwrap().to_owned(), toggle.clone())).collect()
}

fn encode(time: Timestamp) -> String {
    time.to_string().replace('+', "%2B")
}

async fn state_at(app: &TestApp, at: Timestamp) -> Response {
    app.get(&format!("/-/state?at={}", encode(at))).await
}

/// Waits until the recorded state contains the toggles that SDKs get. Returns them and the time of the record.
async fn recorded(app: &TestApp) -> (Timestamp, BTreeMap<String, Value>) {
    let deadline = Instant::now() + MAX_WAIT;
    let sent = app.send(Method::GET, "/api/client/features", &[SDK], "").await.json();
    loop {
        let state = app.get("/-/state").await;
        if state.status == StatusCode::OK && by_name(&state.json()) == by_name(&sent) {
            let by = state.json()["recording"]["since"]["by"].as_str().unwrap().parse().unwrap();
            return (by, by_name(&sent));
        }
        assert!(Instant::now() < deadline, "{sent} is never recorded");
    }
}

/// Makes a random edit. Returns false if it is refused, because the toggle exists or does not exist.
async fn edit(app: &TestApp, random: &mut fastrand::Rng) -> bool {
    let name = format!("t.{}", random.u8(..6));
    let path = format!("{FEATURES}/{name}");
    let response = match random.u8(..6) {
        0 | 1 => app.post(FEATURES, &toggle(&name, random.usize(..=100))).await,
        2 => app.post(&format!("{path}/toggle"), &Value::Null).await,
        3 => app.send(Method::DELETE, &path, &[("content-type", "application/json")], "").await,
        4 => app.post(&format!("/api/admin/archive/revive/{name}"), &Value::Null).await,
        _ => {
            let body = toggle(&name, random.usize(..=100)).to_string();
            app.send(Method::PUT, &path, &[("content-type", "application/json")], &body).await
        }
    };
    response.status.is_success()
}

async fn check_random_edits(edits: usize, seed: u64) {
    let folder = Folder::new();
    let app = folder.embedded().await;
    let mut random = fastrand::Rng::with_seed(seed);
    let mut model = vec![recorded(&app).await];
    while model.len() <= edits {
        if edit(&app, &mut random).await {
            let state = recorded(&app).await;
            if model.last().unwrap().1 != state.1 {
                model.push(state);
            }
        }
    }
    let millisecond = SignedDuration::from_millis(1);
    for pair in model.windows(2) {
        let [(start, before), (end, after)] = pair else { panic!() };
        let between = *start + (end.duration_since(*start) / 1_000) * random.i32(..1_000);
        for (time, expected) in
            [(*start, before), (*end - millisecond, before), (between, before), (*end, after)]
        {
            let time = time.max(*start);
            let state = state_at(&app, time).await.json();
            assert_eq!(&by_name(&state), expected, "seed {seed}, {time}");
            assert_eq!(state["recording"]["gap"], Value::Null);
        }
    }
    let (first, last) = (&model[0], model.last().unwrap());
    let path = format!("/-/changes?from={}&to={}", encode(first.0), encode(last.0));
    let changes = app.get(&path).await.json();
    for change in changes["changes"].as_array().unwrap() {
        let name = change["name"].as_str().unwrap();
        let state = |toggles: &BTreeMap<String, Value>| toggles.get(name).cloned().unwrap_or_default();
        assert_eq!((&change["before"], &change["after"]), (&state(&first.1), &state(&last.1)), "{name}");
        let interval = &change["last"];
        // Not as texts: trailing zeros are missing.
        let time = |name: &str| interval[name].as_str().unwrap().parse::<Timestamp>().unwrap();
        assert!(time("after") <= time("by"), "{change}");
    }
    let names = changes["changes"].as_array().unwrap().iter().map(|change| change["name"].as_str().unwrap());
    let names: std::collections::BTreeSet<_> = names.collect();
    let differs = |name: &&String| first.1.get(*name) != last.1.get(*name);
    let missing: Vec<_> = first
        .1
        .keys()
        .chain(last.1.keys())
        .filter(differs)
        .filter(|name| !names.contains(name.as_str()))
        .collect();
    assert_eq!(missing, Vec::<&String>::new());
    app.stop().await;
}

#[actix_web::test]
async fn states_of_the_embedded_service_equal_the_model_at_random_times() {
    check_random_edits(25, fastrand::u64(..)).await;
}

#[actix_web::test]
#[ignore = "takes minutes"]
async fn states_of_the_embedded_service_equal_the_model_after_1000_edits() {
    check_random_edits(1_000, fastrand::u64(..)).await;
}

#[actix_web::test]
async fn evaluation_of_a_past_time_uses_its_toggles_and_its_clock() {
    let folder = Folder::new();
    let app = folder.embedded().await;
    let mut dated = toggle("dated", 100);
    let before = Timestamp::now() + SignedDuration::from_hours(1);
    dated["strategies"][0]["constraints"] =
        json!([{ "contextName": "currentTime", "operator": "DATE_BEFORE", "value": before.to_string() }]);
    dated["enabled"] = json!(true);
    app.post(FEATURES, &dated).await;
    let (created, _) = recorded(&app).await;
    app.post(&format!("{FEATURES}/dated/toggle/off"), &Value::Null).await;
    let (switched, _) = recorded(&app).await;
    for (at, expected) in [(created, "on"), (switched, "off")] {
        let request = json!({ "at": at.to_string(), "names": ["dated"], "contexts": [{ "userId": "7" }] });
        let response = app.post("/-/evaluate", &request).await.json();
        let result = &response["toggles"][0]["saved"]["contexts"][0];
        assert_eq!(result["result"], expected, "{response}");
        assert_eq!(response["recording"]["at"], at.to_string());
    }
    let request = json!({ "at": created.to_string(), "contexts": [{}], "toggles": [] });
    let refused = app.post("/-/evaluate", &request).await;
    assert_eq!((refused.status, refused.body.contains("send one of them")), (StatusCode::BAD_REQUEST, true));
    app.stop().await;
}

#[actix_web::test]
async fn errors_name_the_cause_and_the_remedy() {
    let folder = Folder::new();
    let app = folder.embedded().await;
    recorded(&app).await;
    for (path, status, code, remedy) in [
        ("state?at=2020-01-01T00:00:00Z", 404, "before_first_record", "ask for a later time"),
        ("state?at=2100-01-01T00:00:00Z", 400, "time_in_future", "ask for an earlier time"),
        ("state?at=14:05", 400, "invalid", "such as 2026-11-24T14:05:00Z"),
        ("state?scope=none", 404, "unknown_scope", "select one of these with scope: all (all)"),
        ("state?environment=none", 404, "unknown_scope", "all (all)"),
        ("changes?from=2100-01-01T00:00:00Z", 400, "times_swapped", "swap them"),
        ("changes?from=2020-01-01T00:00:00Z", 404, "before_first_record", "ask for a later time"),
        ("changes?to=x", 400, "invalid", "\"to\" must be a time"),
        ("changes?to=2020-01-01T00:00:00Z", 404, "before_first_record", "ask for a later time"),
        // An hour before it is no time.
        ("changes?to=-009999-01-02T01:59:59Z", 404, "before_first_record", "ask for a later time"),
    ] {
        let response = app.get(&format!("/-/{path}")).await;
        assert_eq!((response.status.as_u16(), &response.json()["code"]), (status, &json!(code)), "{path}");
        assert!(response.body.replace('\\', "").contains(remedy), "{path}: {}", response.body);
    }
    app.stop().await;
    let app = TestApp::embedded().await;
    for path in ["recorder", "state", "changes"] {
        let response = app.get(&format!("/-/{path}")).await;
        assert_eq!((response.status.as_u16(), &response.json()["code"]), (404, &json!("no_recorder")));
    }
    let response = app.post("/-/evaluate", &json!({ "at": "2026-01-01T00:00:00Z", "contexts": [{}] })).await;
    assert_eq!(response.json()["code"], "no_recorder");
    let settings = app.get("/-/settings").await.json();
    assert_eq!((&settings["recorder"], &settings["recorderNeedsAdmin"]), (&json!(false), &json!(false)));
}

#[actix_web::test]
async fn users_must_be_signed_in() {
    let folder = Folder::new();
    let data = ["--data", &folder.data(), "--auth", "unsecure", "--recorder"];
    let app = TestApp::with(&data).await;
    for path in ["recorder", "state", "changes"] {
        assert_eq!(app.get(&format!("/-/{path}")).await.status, StatusCode::UNAUTHORIZED, "{path}");
    }
    app.stop().await;
}

fn list(toggles: &[(&str, bool)]) -> String {
    let features = toggles.iter().map(|(name, enabled)| {
        json!({ "name": name, "enabled": enabled, "strategies": [{ "name": "default" }], "unknown": 1 })
    });
    json!({ "version": 2, "features": features.collect::<Vec<_>>(), "segments": [] }).to_string()
}

/// Starts a replica that asks the upstream often.
async fn replica(api: &ClientApi, folder: &Folder, more: &[&str]) -> TestApp {
    let data = folder.data();
    let own = [
        "--upstream",
        &api.stub.url,
        "--replica",
        "--replica-refresh",
        "20ms",
        "--recorder",
        "--data",
        &data,
    ];
    TestApp::with(&[&own, more].concat()).await
}

async fn poll(app: &TestApp, token: &str) -> Response {
    app.send(Method::GET, "/api/client/features", &[("authorization", token), SDK], "").await
}

/// Reads a path of the console as a user of the upstream.
async fn read(app: &TestApp, path: &str) -> Response {
    app.send(Method::GET, path, &[("cookie", "session=1")], "").await
}

/// Waits until a response matches.
async fn read_until(app: &TestApp, path: &str, matches: impl Fn(&Response) -> bool) -> Response {
    let deadline = Instant::now() + MAX_WAIT;
    loop {
        let response = read(app, path).await;
        if matches(&response) {
            return response;
        }
        assert!(Instant::now() < deadline, "{path} is never as expected: {}", response.body);
    }
}

/// The records contain the toggles of projects that other users cannot see.
#[actix_web::test]
async fn only_administrators_of_the_upstream_read_the_records() {
    let api = ClientApi::start(&[]).await;
    api.set_user(
        "session=1",
        "200 OK",
        r#"{"user":{"id":1,"email":"a@example.com"},"permissions":["ADMIN"]}"#,
    );
    api.set_user(
        "session=2",
        "200 OK",
        r#"{"user":{"id":2,"email":"b@example.com"},"permissions":["UPDATE_FEATURE"]}"#,
    );
    api.set(PRODUCTION, &list(&[("shop.pay", true)]), "W/\"1\"");
    let folder = Folder::new();
    let app = replica(&api, &folder, &[]).await;
    assert_eq!(poll(&app, PRODUCTION).await.status, StatusCode::OK);
    let recorded = read_until(&app, "/-/state", |response| response.status == StatusCode::OK).await;
    let at = recorded.json()["recording"]["at"].clone();
    let evaluation = json!({ "contexts": [{}], "at": at });
    let escaped = evaluation.to_string().replace(r#""at""#, r#""\u0061t""#);
    let given = json!({ "toggles": [], "contexts": [{ "country": "at" }] }).to_string();
    let evaluation = evaluation.to_string();
    let evaluate = async |session: &str, body: &str| {
        let cookie = format!("session={session}");
        let headers = [("cookie", cookie.as_str()), ("content-type", "application/json")];
        app.send(Method::POST, "/-/evaluate", &headers, body).await
    };
    assert_eq!(evaluate("1", &evaluation).await.status, StatusCode::OK);
    for path in ["/-/recorder", "/-/state", "/-/changes"] {
        let refused = app.send(Method::GET, path, &[("cookie", "session=2")], "").await;
        assert_eq!(
            (refused.status, refused.header("x-flagdeck-error")),
            (StatusCode::FORBIDDEN, "admin_only"),
            "{path}"
        );
    }
    for body in [&evaluation, &escaped] {
        let refused = evaluate("2", body).await;
        assert!(refused.status.is_client_error() && !refused.body.contains("shop.pay"), "{}", refused.body);
    }
    // Without an earlier time, every user evaluates.
    assert_eq!(evaluate("2", &given).await.status, StatusCode::OK);
    // The console does not offer to others what it would be refused.
    let settings = app.get("/-/settings").await.json();
    assert_eq!((&settings["recorder"], &settings["recorderNeedsAdmin"]), (&json!(true), &json!(true)));
}

/// A gateway responds with 404 to every path while the flag service restarts.
#[actix_web::test]
async fn missing_user_opens_the_records_only_without_sign_in() {
    let api = ClientApi::start(&[]).await;
    api.set(PRODUCTION, &list(&[("shop.pay", true)]), "W/\"1\"");
    api.set_user("session=1", "404 Not Found", "404 page not found");
    let folder = Folder::new();
    let app = replica(&api, &folder, &[]).await;
    assert_eq!(poll(&app, PRODUCTION).await.status, StatusCode::OK);
    for path in ["/-/recorder", "/-/state", "/-/changes"] {
        let refused = read(&app, path).await;
        assert!(refused.status.is_server_error(), "{path}: {} {}", refused.status, refused.body);
    }
    // A server without sign-in has no user, and responds without credentials.
    api.set_path("/api/admin/strategies", "", "200 OK", r#"{"strategies":[]}"#);
    read_until(&app, "/-/state", |response| response.status == StatusCode::OK).await;
}

#[actix_web::test]
async fn replica_records_the_copies_of_each_token_and_refusals() {
    let api = ClientApi::start(&[]).await;
    api.set_user("session=1", "200 OK", r#"{"user":{"id":1,"email":"a@example.com"}}"#);
    api.set(PRODUCTION, &list(&[("shop.pay", true)]), "W/\"1\"");
    api.set(DEVELOPMENT, &list(&[("shop.pay", true), ("shop.new", true)]), "W/\"1\"");
    let folder = Folder::new();
    let app = replica(&api, &folder, &[]).await;
    for token in [PRODUCTION, DEVELOPMENT] {
        assert_eq!(poll(&app, token).await.status, StatusCode::OK);
    }
    let has = |response: &Response, enabled: bool| {
        response.status == StatusCode::OK && by_name(&response.json())["shop.pay"]["enabled"] == enabled
    };
    let production = "/-/state?environment=production";
    let first = read_until(&app, production, |response| has(response, true)).await.json();
    assert_eq!(
        by_name(&first)["shop.pay"],
        json!({ "name": "shop.pay", "enabled": true, "strategies": [{ "name": "default" }], "unknown": 1 })
    );
    assert_eq!(first["recording"]["scope"]["name"], "*:production");
    let ambiguous = read(&app, "/-/state").await;
    assert_eq!((ambiguous.status.as_u16(), &ambiguous.json()["code"]), (400, &json!("scope_needed")));
    assert_eq!(app.get(production).await.status, StatusCode::UNAUTHORIZED, "without a session");

    api.set(PRODUCTION, &list(&[("shop.pay", false)]), "W/\"2\"");
    let second = read_until(&app, production, |response| has(response, false)).await.json();
    let since = &second["recording"]["since"];
    // As times: the text of a full second has no milliseconds.
    let time = |text: &Value| text.as_str().unwrap().parse::<Timestamp>().unwrap();
    let (after, by) = (time(&since["after"]), time(&since["by"]));
    assert!(after < by && after >= time(&first["recording"]["since"]["by"]), "{since}");
    let earlier = by - SignedDuration::from_millis(1);
    assert!(has(&read(&app, &format!("{production}&at={earlier}")).await, true));
    let development = read(&app, "/-/state?scope=*:development").await;
    assert_eq!(by_name(&development.json()).len(), 2);
    let changes = read(&app, "/-/changes?environment=production").await.json();
    let change = &changes["changes"][0];
    assert_eq!((&change["name"], &change["summary"]), (&json!("shop.pay"), &json!("switched off")));

    let evaluate = json!({ "at": earlier.to_string(), "environment": "production", "contexts": [{}] });
    let headers = [("cookie", "session=1"), ("content-type", "application/json")];
    let result = app.send(Method::POST, "/-/evaluate", &headers, &evaluate.to_string()).await.json();
    assert_eq!(result["toggles"][0]["saved"]["counts"]["on"], 1, "{result}");

    // During an outage, SDKs get the last copy, and so does the recorder.
    api.set_down(true);
    assert!(has(&read(&app, production).await, false));
    api.set_down(false);
    api.revoke(PRODUCTION);
    let refused = read_until(&app, production, |response| response.status != StatusCode::OK).await;
    assert_eq!(refused.json()["code"], "token_refused_then");
    assert!(has(&read(&app, &format!("{production}&at={by}")).await, false), "the time before");
    let status = read(&app, "/-/recorder").await;
    assert_eq!(
        (status.json()["scopes"].as_array().unwrap().len(), &status.json()["failingSince"]),
        (2, &Value::Null)
    );
    assert!(!status.body.contains("0123456789abcdef") && !status.body.contains("fedcba"), "{}", status.body);
    app.stop().await;
    // Another process has another salt in the replica, and the same one in the recorder.
    api.set(PRODUCTION, &list(&[("shop.pay", true)]), "W/\"3\"");
    let app = replica(&api, &folder, &[]).await;
    poll(&app, PRODUCTION).await;
    read_until(&app, production, |response| has(response, true)).await;
    assert_eq!(read(&app, "/-/recorder").await.json()["scopes"].as_array().unwrap().len(), 2);
    let changes = read(&app, &format!("/-/changes?environment=production&from={by}")).await.json();
    let reasons: Vec<_> =
        changes["gaps"].as_array().unwrap().iter().map(|gap| gap["reason"].clone()).collect();
    assert_eq!(reasons, ["notRunning", "refused"]);
    app.stop().await;
}

#[actix_web::test]
async fn replica_records_the_unfiltered_toggles_of_a_token_only() {
    let api = ClientApi::start(&[]).await;
    api.set_user("session=1", "200 OK", r#"{"user":{"id":1,"email":"a@example.com"}}"#);
    api.set(PRODUCTION, &list(&[("shop.pay", true)]), "W/\"1\"");
    let folder = Folder::new();
    let app = replica(&api, &folder, &[]).await;
    for filter in 0..20 {
        let path = format!("/api/client/features?namePrefix=p{filter}");
        let response = app.send(Method::GET, &path, &[("authorization", PRODUCTION), SDK], "").await;
        assert_eq!(response.status, StatusCode::OK);
    }
    // The records of the filters precede this one.
    poll(&app, PRODUCTION).await;
    let is_recorded = |response: &Response| {
        let scopes = response.json()["scopes"].as_array().map_or(0, Vec::len);
        response.status == StatusCode::OK && scopes > 0
    };
    read_until(&app, "/-/state?environment=production", |response| response.status == StatusCode::OK).await;
    let status = read_until(&app, "/-/recorder", is_recorded).await.json();
    let scopes = status["scopes"].as_array().unwrap();
    assert_eq!((scopes.len(), &scopes[0]["query"]), (1, &json!("")), "{status}");
    app.stop().await;
}

#[actix_web::test]
async fn removal_of_the_copies_is_no_refusal_of_the_token() {
    let api = ClientApi::start(&[]).await;
    api.set_user("session=1", "200 OK", r#"{"user":{"id":1,"email":"a@example.com"}}"#);
    api.set(PRODUCTION, &list(&[("shop.pay", true)]), "W/\"1\"");
    let folder = Folder::new();
    let app = replica(&api, &folder, &["--admin-listen", "0"]).await;
    let admin = TestApp::at(app.admin_port.unwrap());
    poll(&app, PRODUCTION).await;
    read_until(&app, "/-/state", |response| response.status == StatusCode::OK).await;
    // The next request to the upstream gets no response, so that its result does not follow the removal.
    api.set_silent();
    let purged = admin.send(Method::DELETE, "/replica", &[], "").await;
    assert_eq!(purged.json(), json!({ "copies": 1, "fault": null }));
    let draft = json!({ "toggle": "shop.pay", "reason": "INC-42" });
    assert_eq!(admin.post("/holds", &draft).await.status, StatusCode::CREATED);
    for _ in 0..50 {
        let state = read(&app, "/-/state").await;
        assert_eq!(state.status, StatusCode::OK, "{}", state.body);
    }
    app.stop().await;
}

#[actix_web::test]
async fn state_can_be_read_at_the_time_of_the_first_record() {
    let folder = Folder::new();
    let app = folder.embedded().await;
    recorded(&app).await;
    app.post(FEATURES, &toggle("shop.pay", 50)).await;
    recorded(&app).await;
    let first = app.get("/-/recorder").await.json()["firstRecord"].as_str().unwrap().to_owned();
    let state = app.get(&format!("/-/state?at={first}")).await;
    assert_eq!(state.status, StatusCode::OK, "{}", state.body);
    let changes = app.get(&format!("/-/changes?from={first}")).await.json();
    assert_eq!((&changes["from"], &changes["changes"][0]["name"]), (&json!(first), &json!("shop.pay")));
    let before = first.parse::<Timestamp>().unwrap() - SignedDuration::from_millis(1);
    assert_eq!(state_at(&app, before).await.json()["code"], "before_first_record");
    app.stop().await;
}

/// Returns the times of texts in zones, as Python reads them.
fn times_of_python(texts: &[(String, String)]) -> Option<Vec<Timestamp>> {
    let script = "import json, sys
from datetime import datetime, timezone
from zoneinfo import ZoneInfo
for zone, text in json.loads(sys.argv[1]):
    time = datetime.fromisoformat(text)
    time = time if time.tzinfo else time.replace(tzinfo=ZoneInfo(zone))
    print(time.astimezone(timezone.utc).isoformat().replace('+00:00', 'Z'))
";
    let output = Command::new("python3").args(["-c", script]).arg(json!(texts).to_string()).output().ok()?;
    assert!(output.status.success(), "{output:?}");
    let output = String::from_utf8(output.stdout).unwrap();
    Some(output.lines().map(|line| line.parse().unwrap()).collect())
}

#[test]
fn commands_read_dates_and_times_like_python() {
    let folder = Folder::new();
    let mut binary = folder.binary();
    create_recorded(&mut binary.wire(), "shop.pay");
    binary.kill();
    let zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"];
    let days = ["2095-01-31", "2095-03-27", "2095-07-04", "2095-10-30", "2096-02-29"];
    let times = [
        "",
        "T14:05",
        " 14:05",
        " 02:30",
        "T00:00:59",
        " 23:59:59.25",
        "T14:05Z",
        " 14:05-03:30",
        "T14:05+0200",
    ];
    let mut days = days.iter().cycle();
    let mut texts = Vec::new();
    for zone in zones {
        texts
            .extend(times.iter().zip(&mut days).map(|(time, day)| (zone.to_owned(), format!("{day}{time}"))));
    }
    let Some(expected) = times_of_python(&texts) else {
        return skipped("this machine has no Python; times of commands are not compared with it");
    };
    assert_eq!(texts.len(), expected.len());
    for ((zone, text), expected) in texts.iter().zip(expected) {
        let arguments = folder.arguments(&["state", "--at", text]);
        let output = output_of(flagdeck().env("TZ", zone).args(arguments));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(&format!("{expected} is in the future")), "{zone} {text}: {expected} {error}");
    }
}

#[test]
fn recorder_needs_a_database_and_with_an_upstream_the_replica() {
    let folder = Folder::new();
    let data = folder.data();
    for (arguments, expected) in [
        (&["--upstream", "http://127.0.0.1:1", "--data", &data][..], "recorder: needs replica with upstream"),
        (&["--upstream", "http://127.0.0.1:1", "--replica"], "recorder: needs data with upstream"),
        (&["--data", ":memory:"], "recorder: needs a database that survives a restart"),
        (&["--demo"], "recorder: needs a database that survives a restart"),
    ] {
        let output = output_of(flagdeck().args(arguments).args(["--recorder", "--listen", "127.0.0.1:0"]));
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(expected) && error.contains("; set "), "{error}");
    }
}

/// Reads a path until it matches.
fn wire_until(wire: &mut Wire, path: &str, matches: impl Fn(u16, &Value) -> bool) -> Value {
    let deadline = Instant::now() + MAX_WAIT;
    loop {
        let (status, body) = wire.send("GET", path, "").unwrap();
        if matches(status, &body) {
            return body;
        }
        assert!(Instant::now() < deadline, "{path} is never as expected: {status} {body}");
        sleep(Duration::from_millis(5));
    }
}

/// Creates a toggle, and waits until it is recorded. Returns the time of the record.
fn create_recorded(wire: &mut Wire, name: &str) -> String {
    assert_eq!(wire.send("POST", FEATURES, &toggle(name, 50).to_string()).unwrap().0, 201);
    let state =
        wire_until(wire, "/-/state", |status, body| status == 200 && by_name(body).contains_key(name));
    state["recording"]["since"]["by"].as_str().unwrap().to_owned()
}

#[test]
fn commands_read_the_records_of_a_running_and_of_a_killed_server() {
    let folder = Folder::new();
    let mut binary = folder.binary();
    let mut wire = binary.wire();
    wire_until(&mut wire, "/-/state", |status, _| status == 200);
    let first = create_recorded(&mut wire, "shop.pay");
    assert_eq!(wire.send("POST", &format!("{FEATURES}/shop.pay/toggle/on"), "").unwrap().0, 200);
    let is_on = |status, body: &Value| status == 200 && by_name(body)["shop.pay"]["enabled"] == true;
    let second =
        wire_until(&mut wire, "/-/state", is_on)["recording"]["since"]["by"].as_str().unwrap().to_owned();
    for is_running in [true, false] {
        if !is_running {
            binary.kill();
        }
        let (code, output, error) = folder.run(&["state", "--at", &first]);
        let state: Value =
            serde_json::from_str(&output).unwrap_or_else(|fault| panic!("{code} {error} {fault}"));
        assert_eq!(by_name(&state)["shop.pay"]["enabled"], false);
        let (code, output, error) = folder.run(&["changes", "--from", &first, "--to", &second]);
        assert!(code == 0 && output.contains("shop.pay: switched on; not before "), "{output}{error}");
        let (code, output, _) = folder.run(&["changes", "--from", &first, "--json"]);
        let changes: Value = serde_json::from_str(&output).unwrap();
        assert_eq!((code, &changes["changes"][0]["after"]["enabled"]), (0, &json!(true)));
        assert_eq!(changes["gaps"], json!([]), "the last records are seconds old");
        let (code, output, _) = folder.run(&["why", "shop.pay", "userId=7", "--at", &first]);
        assert_eq!(code, 1, "{output}");
        assert!(output.starts_with("shop.pay is off.\nThe toggle is switched off."), "{output}");
        assert!(output.contains("As of ") && output.contains("toggles of all (scope all)"), "{output}");
        let (code, output, _) = folder.run(&["why", "shop.pay", "userId=7", "--at", &second, "--json"]);
        assert!(
            code < 2 && output.contains("\"strategyMatches\"") || output.contains("noStrategyMatches"),
            "{output}"
        );
    }
    for (arguments, expected) in [
        (&["state", "--at", "2020-01-01T00:00:00Z"][..], "The records begin at "),
        (&["state", "--at", "soon"], "it must be a time such as 14:05"),
        (
            &["why", "shop.pay", "--at", &first, "--scope", "none"],
            "select one of these with scope: all (all)",
        ),
        (&["why", "shop.pay", "--environment", "x"], "--at <TIME>"),
    ] {
        let (code, _, error) = folder.run(arguments);
        assert!(code != 0 && error.contains(expected), "{arguments:?}: {code} {error}");
    }
    for (data, expected) in
        [(":memory:", "set data to the database of the server"), ("none.db", "there is no database")]
    {
        let none = output_of(flagdeck().args(["state", "--at", "14:05", "--data", data]));
        assert!(String::from_utf8_lossy(&none.stderr).contains(expected), "{none:?}");
    }
}

/// Kills the process repeatedly after changes. Recorded states must be readable afterwards.
fn kill_repeatedly(kills: usize) {
    let folder = Folder::new();
    let (mut recorded, mut kills_at): (Vec<(String, String)>, _) = (Vec::new(), Vec::new());
    for round in 0..kills {
        let mut binary = folder.binary();
        let mut wire = binary.wire();
        let name = format!("t.{round}");
        recorded.push((create_recorded(&mut wire, &name), name));
        // The process may be killed while it writes this one.
        wire.send("POST", FEATURES, &toggle(&format!("u.{round}"), 50).to_string());
        sleep(Duration::from_micros(fastrand::u64(..400_000)));
        kills_at.push(Timestamp::now());
        binary.kill();
        for (time, name) in recorded.iter().skip(round.saturating_sub(3)) {
            let (_, output, error) = folder.run(&["state", "--at", time]);
            let state: Value = serde_json::from_str(&output).unwrap_or_else(|_| panic!("{time}: {error}"));
            assert!(by_name(&state).contains_key(name), "{name} at {time}");
        }
    }
    let binary = folder.binary();
    let mut wire = binary.wire();
    let from = &recorded[0].0;
    let changes = wire_until(&mut wire, &format!("/-/changes?from={from}"), |status, body| {
        let added = body["changes"].as_array().map_or(0, Vec::len);
        status == 200 && added == 2 * kills - 1
    });
    let gaps = changes["gaps"].as_array().unwrap();
    assert!(gaps.iter().all(|gap| gap["reason"] == "notRunning"), "{changes}");
    if !is_postgres() {
        assert_eq!(gaps.len(), kills);
    }
    for (gap, killed) in gaps.iter().zip(kills_at) {
        let unknown = killed.duration_since(gap["from"].as_str().unwrap().parse().unwrap());
        // It is written each 100 ms, and the machine can be busy.
        assert!(unknown < SignedDuration::from_secs(2), "{unknown:?} before a kill");
    }
}

#[test]
fn recorded_states_are_readable_after_kills() {
    kill_repeatedly(KILLS);
}

#[test]
#[ignore = "takes minutes"]
fn recorded_states_are_readable_after_300_kills() {
    kill_repeatedly(300);
}

fn metric(port: u16, name: &str) -> String {
    let (mut lines, text) = (String::new(), metrics(port));
    for line in text.lines().filter(|line| line.starts_with(name)) {
        lines.push_str(line);
    }
    lines
}

fn metrics(port: u16) -> String {
    use std::io::Read as _;
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.write_all(b"GET /metrics HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_stops_the_recorder_and_nothing_else() {
    let folder = Folder::new();
    if is_postgres() {
        return skipped("the disk of the server is not filled");
    }
    // Only the file with the records is on the small disk.
    let (database, admin) = (TempDir::new().unwrap(), free_port());
    let (data, admin_listen) = (folder.data(), admin.to_string());
    let arguments = ["--listen", "127.0.0.1:0", "--log-level", "off", "--data", &data, "--recorder"];
    let arguments = [&arguments[..], &["--admin-listen", &admin_listen]].concat();
    let target = database.path().join("flags.db");
    let mount =
        format!("mount -t tmpfs -o size=1m tmpfs \"$0\" && ln -s {} \"$0/flags.db\"", target.display());
    let Some(mut command) = in_own_file_system(&mount, folder.0.path(), &arguments) else { return };
    let binary = Binary::started(&mut command);
    let inside = PathBuf::from(format!("/proc/{}/root{}", binary.child.id(), folder.0.path().display()));
    let mut wire = binary.wire();
    create_recorded(&mut wire, "t.first");
    fill(&inside.join("filler"));
    let mut created = 0;
    let failing = loop {
        assert_eq!(
            wire.send("POST", FEATURES, &toggle(&format!("t.{created}"), 50).to_string()).unwrap().0,
            201,
            "changes are accepted"
        );
        created += 1;
        let (status, body) = wire.send("GET", "/-/recorder", "").unwrap();
        assert_eq!(status, 200);
        if !body["failingSince"].is_null() {
            break body;
        }
        assert!(created < 200, "it never gets full");
    };
    assert!(failing["cause"].as_str().unwrap().contains("is full"), "{failing}");
    assert!(metric(admin, "flagdeck_recorder_failing").ends_with(" 1"));
    let sdk = wire.send("GET", "/api/client/features", "").unwrap();
    assert_eq!((sdk.0, by_name(&sdk.1).len()), (200, created + 1), "SDKs get all changes");
    let state = wire.send("GET", "/-/state", "").unwrap().1;
    assert_eq!(state["recording"]["gap"]["reason"], "notWritten", "{state}");
    let started = state["recording"]["since"]["by"].as_str().unwrap().to_owned();
    fs::remove_file(inside.join("filler")).unwrap();
    let all = |status, body: &Value| status == 200 && by_name(body).len() == created + 1;
    wire_until(&mut wire, "/-/state", all);
    assert!(metric(admin, "flagdeck_recorder_failing").ends_with(" 0"));
    let changes = wire.send("GET", &format!("/-/changes?from={started}"), "").unwrap().1;
    assert!(changes["gaps"].as_array().unwrap().iter().any(|gap| gap["reason"] == "notWritten"), "{changes}");
}

#[actix_web::test]
async fn database_that_cannot_be_opened_stops_the_recorder_and_nothing_else() {
    if is_postgres() {
        return skipped("the records have no file");
    }
    let folder = Folder::new();
    let kept = folder.data() + ".kept";
    fs::create_dir(&kept).unwrap();
    let app = folder.embedded().await;
    assert_eq!(app.post(FEATURES, &toggle("shop.pay", 50)).await.status, StatusCode::CREATED);
    let sent = app.send(Method::GET, "/api/client/features", &[SDK], "").await;
    assert_eq!((sent.status, by_name(&sent.json()).len()), (StatusCode::OK, 1));
    let is_failing =
        |response: &Response| response.status.is_success() && !response.json()["failingSince"].is_null();
    let status = read_until(&app, "/-/recorder", is_failing).await;
    assert!(status.json()["cause"].as_str().unwrap().contains("flags.db.kept"), "{}", status.body);
    assert_eq!(app.get("/-/state").await.status, StatusCode::SERVICE_UNAVAILABLE);
    fs::remove_dir(&kept).unwrap();
    let (_, toggles) = recorded(&app).await;
    assert!(toggles.contains_key("shop.pay"));
    assert_eq!(app.get("/-/recorder").await.json()["failingSince"], Value::Null);
    app.stop().await;
}

#[cfg(target_os = "linux")]
fn fill(path: &Path) {
    // Fails when the disk is full.
    let mut file = File::create(path).unwrap();
    while file.write_all(&[1; 4_096]).is_ok() {}
}

#[actix_web::test]
async fn commands_name_the_hold_of_a_toggle() {
    let folder = Folder::new();
    let arguments = ["--data", &folder.data(), "--recorder", "--admin-listen", "0"];
    let app = TestApp::with(&arguments).await;
    let (port, url) = (app.admin_port.unwrap().to_string(), app.url(""));
    let admin = TestApp::at(app.admin_port.unwrap());
    for name in ["shop.pay", "till"] {
        let toggle = json!({ "name": name, "enabled": true, "strategies": [{ "name": "default" }] });
        assert_eq!(app.post(FEATURES, &toggle).await.status, StatusCode::CREATED);
    }
    let run = async |arguments: &[&str]| {
        let (arguments, port) = (folder.arguments(arguments), port.clone());
        let run =
            move || output_of(flagdeck().env("TZ", "UTC").args(arguments).args(["--admin-listen", &port]));
        let output = tokio::task::spawn_blocking(run).await.unwrap();
        String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
    };
    let start = recorded(&app).await.0.to_string();
    let draft = json!({ "toggle": "shop.pay", "reason": "INC-42" });
    let held = admin.post_as("anna", "/holds", &draft).await;
    assert_eq!(held.status, StatusCode::CREATED, "{}", held.body);
    let expires = held.json()["hold"]["expires"].as_str().unwrap().to_owned();
    let during = Timestamp::now();
    // Holds are not recorded: the definitions are those of the service.
    assert_eq!(by_name(&state_at(&app, during).await.json())["shop.pay"]["enabled"], true);
    let during = during.to_string();
    let sentence = format!("until {expires} by anna: INC-42");
    let why = run(&["why", "shop.pay", "--at", &during]).await;
    assert!(
        why.starts_with("shop.pay is off.\n")
            && why.contains("\nshop.pay is held off for SDKs from ")
            && why.contains(&sentence),
        "{why}"
    );
    let json = run(&["why", "shop.pay", "--at", &during, "--json"]).await;
    assert!(json.contains("\"holds\"") && json.contains(&sentence), "{json}");
    let why = run(&["why", "shop.pay", "--to", &url]).await;
    assert!(why.contains("\nshop.pay is held off for SDKs by the Flagdeck at 127.0.0.1:"), "{why}");
    for source in [["--at", &during], ["--to", &url]] {
        let why = run(&[&["why", "till"][..], &source].concat()).await;
        assert!(why.starts_with("till is on.") && !why.contains("held"), "{why}");
    }
    let changes = run(&["changes", "--from", &start]).await;
    assert!(
        changes.contains("\nshop.pay was held off for SDKs from ") && changes.contains(&sentence),
        "{changes}"
    );
    assert!(!changes.contains("till was held"), "{changes}");

    let evaluate = async |body: Value| app.post("/-/evaluate", &body).await.json();
    let reasons = |evaluation: &Value, index: usize| {
        evaluation["toggles"][index]["saved"]["contexts"][0]["reasons"].clone()
    };
    let names = json!(["shop.pay", "till"]);
    let past = json!({ "names": names, "contexts": [{}], "at": during, "detail": "reasons" });
    let past = evaluate(past).await;
    assert_eq!(reasons(&past, 0)["decision"], "toggleDisabled");
    let hold = reasons(&past, 0)["hold"].clone();
    assert_eq!(
        (&hold["toggle"], &hold["person"], &hold["end"]),
        (&json!("shop.pay"), &json!("anna"), &json!(expires))
    );
    assert_eq!(
        (&reasons(&past, 1)["decision"], &reasons(&past, 1)["hold"]),
        (&json!("strategyMatches"), &Value::Null)
    );
    let stored = evaluate(json!({ "names": names, "contexts": [{}], "detail": "reasons" })).await;
    assert_eq!((&reasons(&stored, 0)["hold"], &reasons(&stored, 1)["hold"]), (&hold, &Value::Null));
    let toggles = json!([{ "name": "shop.pay", "enabled": true }]);
    let given = evaluate(json!({ "toggles": toggles, "contexts": [{}], "detail": "reasons" })).await;
    assert!(reasons(&given, 0).is_object(), "{given}");
    assert_eq!(reasons(&given, 0)["hold"], Value::Null, "SDKs may not get toggles of the request");
    let changes = app.get(&format!("/-/changes?from={start}")).await.json();
    assert_eq!(changes["holds"], json!([hold]));

    admin.send(Method::DELETE, "/holds/shop.pay", &[], "").await;
    let ended = admin.get("/holds").await.json()["ended"][0]["endedAt"].as_str().unwrap().to_owned();
    let sentence = format!("until {ended} by anna: INC-42");
    for command in [
        &["changes", "--from", &start][..],
        &["changes", "--from", &start, "--json"],
        &["why", "shop.pay", "--at", &during],
    ] {
        let text = run(command).await;
        let is_named = text.contains(&sentence)
            || (text.contains(&format!("\"end\": \"{ended}\"")) && text.contains("\"person\": \"anna\""));
        assert!(is_named, "{command:?}: {text}");
    }
}
