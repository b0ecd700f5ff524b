//! Deliveries of events to addons over HTTP, from an outbox that loses none.

mod outbox;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use flagdeck::config::{BackendSettings, Config, RetryPolicy};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::time::Instant;

use super::{JSON, archive, assert_empty, create, events_of, plain, switch};
use crate::examples::example;
use crate::support::app::TestApp;
use crate::support::authority::Authority;
use crate::support::binary::{Binary, flagdeck};
use crate::support::engine::open_flags;
use crate::support::events::EventReader;
use crate::support::stub::{Reply, Stub, ok};

const ADDONS: &str = "/api/admin/addons";
const EVENTS: [&str; 3] = ["feature-created", "feature-updated", "feature-archived"];
/// The timeout of each wait; long enough for a slow machine.
const DEADLINE: Duration = Duration::from_mins(2);

/// Sets a retry policy with short delays, and a deadline that no test reaches.
fn retry_quickly(config: &mut Config) {
    if let BackendSettings::Embedded(embedded) = &mut config.backend {
        embedded.deliveries.retry_policy = RetryPolicy {
            initial_backoff: Duration::from_millis(2),
            max_backoff: Duration::from_millis(20),
            max_attempts: 4,
            request_timeout: Duration::from_mins(10),
            poll_interval: Duration::from_millis(20),
            ..RetryPolicy::default()
        };
    }
}

async fn app() -> TestApp {
    TestApp::adjusted(&["--data", ":memory:"], retry_quickly).await
}

async fn app_on(file: &Path) -> TestApp {
    TestApp::adjusted(&["--data", file.to_str().unwrap()], retry_quickly).await
}

fn status(code: u16) -> Reply {
    Reply::BytesThenEnd(format!("HTTP/1.1 {code} Whatever\r\nContent-Length: 0\r\n\r\n"))
}

async fn add(app: &TestApp, provider: &str, parameters: Value) -> u64 {
    let addon = json!({ "provider": provider, "enabled": true, "events": EVENTS, "parameters": parameters });
    let response = app.post(ADDONS, &addon).await;
    assert_eq!(response.status, StatusCode::CREATED, "{}", response.body);
    response.json()["id"].as_u64().unwrap()
}

async fn webhook(app: &TestApp, url: &str) -> u64 {
    add(app, "webhook", json!({ "url": url })).await
}

async fn set_enabled(app: &TestApp, id: u64, enabled: bool) {
    let path = format!("{ADDONS}/{id}");
    let mut addon = app.get(&path).await.json();
    addon["enabled"] = json!(enabled);
    assert_empty(&app.send(Method::PUT, &path, &[JSON], &addon.to_string()).await);
}

/// Returns the events about finished deliveries, oldest first: type and data.
async fn delivery_events(app: &TestApp) -> Vec<Value> {
    let events = app.get("/api/admin/events").await.json()["events"].take();
    let delivered = |event: &&Value| event["type"].as_str().unwrap().starts_with("addon-deliver");
    let summary = |event: &Value| json!([event["type"], event["data"]]);
    events.as_array().unwrap().iter().rev().filter(delivered).map(summary).collect()
}

/// Waits until this number of deliveries has finished, and returns their events.
async fn wait_for_deliveries(app: &TestApp, count: usize) -> Vec<Value> {
    let start = Instant::now();
    loop {
        let endings = delivery_events(app).await;
        if endings.len() >= count {
            return endings;
        }
        assert!(start.elapsed() < DEADLINE, "only {endings:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Waits until the stub has received this number of requests. Returns their heads in lower case and their bodies.
async fn wait_for_requests(stub: &Stub, count: usize) -> Vec<(String, String)> {
    let start = Instant::now();
    while stub.requests().len() < count {
        assert!(start.elapsed() < DEADLINE, "only {:?}", stub.requests());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let split = |request: &String| {
        let (head, body) = request.split_once("\r\n\r\n").unwrap();
        (head.to_ascii_lowercase(), body.to_owned())
    };
    stub.requests().iter().map(split).collect()
}

fn json_of(body: &str) -> Value {
    serde_json::from_str(body).unwrap_or_else(|error| panic!("{error} in {body:?}"))
}

fn header<'h>(head: &'h str, name: &str) -> &'h str {
    head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).unwrap_or_default()
}

#[actix_web::test]
async fn deliveries_do_not_change_the_version_of_toggles() {
    let (app, stub) = (app().await, Stub::start(status(204)).await);
    webhook(&app, &stub.url).await;
    create(&app, &plain("probe")).await;
    wait_for_deliveries(&app, 1).await;
    let change = events_of(&app, "probe").await[0]["id"].take();
    let mut stream = EventReader::open(&app, "/api/client/streaming", "").await;
    assert_eq!(stream.next().await.unwrap().id, change.to_string());
    create(&app, &plain("other")).await;
    let change = events_of(&app, "other").await[0]["id"].take();
    assert_eq!(stream.next().await.unwrap().id, change.to_string());
}

#[actix_web::test]
async fn toggle_list_is_built_again_after_changes_and_reports_but_not_after_deliveries() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let (app, deliver) = (app_on(&file).await, Arc::new(Notify::new()));
    let delivered = "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n".to_owned();
    let stub = Stub::start(Reply::Halves(String::new(), delivered, Arc::clone(&deliver))).await;
    webhook(&app, &stub.url).await;
    create(&app, &plain("probe")).await;
    let flags = open_flags(&file).unwrap();
    // Each list that is built has memory of its own while the earlier ones are in use.
    let list = async || flags.toggle_list.read(&flags.database).await.unwrap().body;
    let built = list().await;
    deliver.notify_one();
    wait_for_deliveries(&app, 1).await;
    let after_delivery = list().await;
    assert_eq!(after_delivery.as_ptr(), built.as_ptr());

    let bucket = json!({ "start": "2021-01-01T00:00:00Z", "stop": "2021-01-01T00:01:00Z", "toggles": { "probe": { "yes": 1 } } });
    let report = json!({ "appName": "shop", "instanceId": "i-1", "bucket": bucket });
    let mut last = built;
    for _ in 0..2 {
        assert_eq!(app.post("/api/client/metrics", &report).await.status, StatusCode::ACCEPTED);
        // Writes all reports.
        assert_eq!(app.get("/api/admin/metrics/applications").await.status, StatusCode::OK);
        let reported = list().await;
        assert_ne!(reported, last, "a later lastSeenAt");
        last = reported;
    }
    switch(&app, "probe", "toggle/on").await;
    assert_ne!(list().await, last);
}

#[actix_web::test]
async fn webhook_gets_the_events_it_listens_to() {
    let (app, stub) = (app().await, Stub::start(status(204)).await);
    webhook(&app, &format!("{}/hook?a=1", stub.url)).await;
    create(&app, &plain("probe")).await;
    switch(&app, "probe", "stale/on").await;
    switch(&app, "probe", "toggle/on").await;
    assert_eq!(wait_for_deliveries(&app, 2).await.len(), 2, "the addon does not listen to stale events");
    let requests = wait_for_requests(&stub, 2).await;
    for (request, kind) in requests.iter().zip(["feature-created", "feature-updated"]) {
        let (head, body) = request;
        assert!(head.starts_with("post /hook?a=1 http/1.1\r\n"), "{head}");
        assert_eq!(header(head, "content-type"), "application/json");
        assert_eq!(header(head, "host"), stub.authority());
        let event = json_of(body);
        assert_eq!((&event["type"], &event["createdBy"]), (&json!(kind), &json!("operator")));
        assert_eq!(event["data"]["name"], "probe");
    }
    assert_ne!(header(&requests[0].0, "x-flagdeck-delivery"), header(&requests[1].0, "x-flagdeck-delivery"));
    let event = json_of(&requests[0].1)["id"].take();
    assert_eq!(
        delivery_events(&app).await[0],
        json!(["addon-delivered", {
            "id": 1, "provider": "webhook", "eventId": event, "eventType": "feature-created", "attempts": 1,
            "status": 204,
        }])
    );
}

#[actix_web::test]
async fn webhook_may_have_a_certificate_of_a_system_ca() {
    let authority = Authority::new();
    authority.sign("127.0.0.1");
    let url = authority.upstream(false, "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n").await;
    let mut command = flagdeck();
    command.args(["--listen", "127.0.0.1:0", "--data", ":memory:"]);
    // This variable overrides the path of the system's CA certificates.
    let binary = Binary::started(command.env("SSL_CERT_FILE", authority.path("ca.pem")));
    let app = TestApp::at(binary.port);
    webhook(&app, &url).await;
    create(&app, &plain("probe")).await;
    let delivered = wait_for_deliveries(&app, 1).await;
    assert_eq!((&delivered[0][0], &delivered[0][1]["status"]), (&json!("addon-delivered"), &json!(204)));
}

#[actix_web::test]
async fn webhook_body_is_rendered_from_the_template() {
    let (app, stub) = (app().await, Stub::start(ok("", "fine")).await);
    let template = "{{event.type}} by {{event.createdBy}}:\n{{#event.data}}\n- {{{name}}}\n{{/event.data}}\n";
    let parameters =
        json!({ "url": stub.url, "contentType": "text/plain; charset=utf-8", "bodyTemplate": template });
    add(&app, "webhook", parameters).await;
    create(&app, &plain("it's")).await;
    let (head, body) = wait_for_requests(&stub, 1).await.remove(0);
    assert_eq!(header(&head, "content-type"), "text/plain; charset=utf-8");
    assert_eq!(body, "feature-created by operator:\n- it's\n");
}

#[actix_web::test]
async fn template_of_the_examples_creates_annotations_of_grafana() {
    let (app, stub) = (app().await, Stub::start(ok("", "{\"message\":\"Annotation added\"}")).await);
    let url = format!("{}/api/annotations", stub.url.replace("http://", "http://api_key:glsa_7@"));
    let parameters = json!({ "url": url, "bodyTemplate": example("grafana/annotation.mustache") });
    add(&app, "webhook", parameters).await;
    create(&app, &plain("it's")).await;
    let (head, body) = wait_for_requests(&stub, 1).await.remove(0);
    assert!(head.starts_with("post /api/annotations "), "{head}");
    assert_eq!(header(&head, "content-type"), "application/json");
    assert_eq!(header(&head, "authorization"), "Basic YXBpX2tleTpnbHNhXzc=".to_lowercase());
    assert_eq!(
        json_of(&body),
        json!({ "text": "operator: feature-created it's", "tags": ["flagdeck", "feature-created", "it's"] })
    );
}

#[actix_web::test]
async fn slack_messages_go_to_the_channels_of_the_toggle_tags() {
    let (app, stub) = (app().await, Stub::start(status(200)).await);
    add(&app, "slack", json!({ "url": format!("{}/services/T/B", stub.url), "defaultChannel": "general" }))
        .await;
    create(&app, &plain("probe")).await;
    for channel in ["ops", "web"] {
        let tag = json!({ "type": "slack", "value": channel });
        assert_eq!(app.post("/api/admin/features/probe/tags", &tag).await.status, StatusCode::CREATED);
    }
    switch(&app, "probe", "toggle/on").await;
    archive(&app, "probe").await;
    wait_for_deliveries(&app, 5).await;
    let messages: Vec<_> = wait_for_requests(&stub, 5)
        .await
        .iter()
        .map(|(_, body)| json_of(body))
        .map(|body| json!([body["channel"], body["text"]]))
        .collect();
    let [created, on, archived] = [
        "operator created the toggle *probe* (release in project default), which is off",
        "operator switched on the toggle *probe*",
        "operator archived the toggle *probe*",
    ];
    assert_eq!(
        messages,
        [
            json!(["#general", created]),
            json!(["#ops", on]),
            json!(["#web", on]),
            json!(["#ops", archived]),
            json!(["#web", archived]),
        ]
    );
    assert_eq!(delivery_events(&app).await[1][1]["target"], "ops");
}

#[actix_web::test]
async fn jira_comments_go_to_the_issues_of_the_toggle_tags() {
    let (app, stub) = (app().await, Stub::start(status(201)).await);
    let base = format!("{}/base/", stub.url);
    add(&app, "jira-comment", json!({ "baseUrl": base, "user": "ann", "apiKey": "key" })).await;
    create(&app, &plain("probe")).await;
    app.post("/api/admin/features/probe/tags", &json!({ "type": "jira", "value": "FD-1" })).await;
    switch(&app, "probe", "toggle/on").await;
    assert_eq!(
        wait_for_deliveries(&app, 1).await[0][1]["eventType"],
        "feature-updated",
        "without a tag there is no delivery"
    );
    let (head, body) = wait_for_requests(&stub, 1).await.remove(0);
    assert!(head.starts_with("post /base/rest/api/3/issue/fd-1/comment http/1.1\r\n"), "{head}");
    // Base64 of `ann:key`, in lower case.
    assert_eq!(header(&head, "authorization"), "basic yw5uomtleq==");
    let text = &json_of(&body)["body"]["content"][0]["content"][0]["text"];
    assert_eq!(text, "operator switched on the toggle probe");
}
