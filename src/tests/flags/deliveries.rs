//! Deliveries of events to addons over HTTP, from an outbox that loses none.

use std::fs;
use std::path::Path;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use flagdeck::config::{Backend, Config};
use flagdeck::error::ApiError;
use flagdeck::flags::addons::retry_policy::RetryPolicy;
use flagdeck::flags::database::Transaction;
use flagdeck::flags::events::Actor;
use flagdeck::flags::{DataLocation, Flags, toggles};
use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{JSON, archive, assert_empty, create, plain, switch};
use crate::support::app::TestApp;
use crate::support::stub::{Reply, Stub, ok};

const ADDONS: &str = "/api/admin/addons";
const EVENTS: [&str; 3] = ["feature-created", "feature-updated", "feature-archived"];
/// The timeout of each wait; long enough for a slow machine.
const DEADLINE: Duration = Duration::from_mins(2);

/// Sets a retry policy with short delays, and a deadline that no test reaches.
fn retry_quickly(config: &mut Config) {
    if let Backend::Embedded(embedded) = &mut config.backend {
        embedded.retry_policy = RetryPolicy {
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

#[actix_web::test]
async fn failed_deliveries_are_retried_in_order() {
    let replies = vec![status(503), Reply::BytesThenEnd(String::new()), status(200)];
    let (app, stub) = (app().await, Stub::start(Reply::InTurn(replies)).await);
    webhook(&app, &stub.url).await;
    create(&app, &plain("first")).await;
    create(&app, &plain("second")).await;
    let endings = wait_for_deliveries(&app, 2).await;
    let (first, second) = (&endings[0][1], &endings[1][1]);
    assert_eq!((&first["attempts"], &first["status"]), (&json!(3), &json!(200)));
    assert_eq!(second["attempts"], 1);
    let requests = wait_for_requests(&stub, 4).await;
    let names: Vec<_> = requests.iter().map(|(_, body)| json_of(body)["data"]["name"].take()).collect();
    assert_eq!(names, ["first", "first", "first", "second"]);
    let id = |index: usize| header(&requests[index].0, "x-flagdeck-delivery");
    assert_eq!((id(0), id(1)), (id(1), id(2)));
    assert_ne!(id(2), id(3));
}

#[actix_web::test]
async fn permanently_failed_deliveries_are_recorded_as_events() {
    let app = app().await;
    let (busy, gone, moved) = (
        Stub::start(status(500)).await,
        Stub::start(status(410)).await,
        Stub::start(Reply::BytesThenEnd(
            "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n".to_owned(),
        ))
        .await,
    );
    for url in [&busy.url, &gone.url, &moved.url] {
        webhook(&app, &format!("{url}/hunter2")).await;
    }
    create(&app, &plain("probe")).await;
    let mut endings = wait_for_deliveries(&app, 3).await;
    endings.sort_by_key(|ending| ending[1]["id"].as_u64());
    let failures: Vec<_> = endings
        .iter()
        .map(|ending| json!([ending[0], ending[1]["attempts"], ending[1]["reason"], ending[1]["status"]]))
        .collect();
    assert_eq!(
        failures,
        [
            json!(["addon-delivery-failed", 4, "the receiver responded with status 500", null]),
            json!(["addon-delivery-failed", 1, "the receiver responded with status 410", null]),
            json!(["addon-delivery-failed", 1, "the receiver responded with status 302", null]),
        ]
    );
    assert_eq!((busy.requests().len(), gone.requests().len(), moved.requests().len()), (4, 1, 1));
    let history = app.get("/api/admin/events").await.body;
    assert!(!history.contains("hunter2"), "{history}");
}

#[actix_web::test]
async fn hanging_receiver_does_not_delay_other_addons() {
    let (app, hangs, works) =
        (app().await, Stub::start(Reply::Silence).await, Stub::start(status(200)).await);
    let hanging = webhook(&app, &hangs.url).await;
    webhook(&app, &works.url).await;
    for name in ["first", "second", "third"] {
        create(&app, &plain(name)).await;
    }
    let endings = wait_for_deliveries(&app, 3).await;
    assert!(endings.iter().all(|ending| ending[1]["id"] == 2), "{endings:?}");
    assert_eq!(wait_for_requests(&hangs, 1).await.len(), 1);
    assert_empty(&app.send(Method::DELETE, &format!("{ADDONS}/{hanging}"), &[], "").await);
}

#[actix_web::test]
async fn large_deliveries_are_not_all_in_memory_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let (app, stub) = (app_on(&file).await, Stub::start(Reply::Silence).await);
    for _ in 0..16 {
        webhook(&app, &stub.url).await;
    }
    let mut toggle = plain("probe");
    toggle["description"] = json!("x".repeat(1_000_000));
    create(&app, &toggle).await;
    stub.wait_for(|request| request.starts_with("POST ")).await;
    // All that have room are taken in one transaction.
    let database = Connection::open(&file).unwrap();
    let sql = "SELECT count(*) FROM deliveries WHERE attempts > 0";
    let taken: i64 = database.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(taken, 9, "8 MiB and the last one");
}

/// Writes to the file like another process. The app under test is not notified.
async fn write_as_other_process<T: Send + 'static>(
    file: &Path,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, ApiError> + Send + 'static,
) -> T {
    Flags::open(&DataLocation::File(file.to_owned())).unwrap().write(work).await.unwrap()
}

async fn create_as_other_process(file: &Path, name: &str) {
    let draft = toggles::rules::parse_new_toggle(&plain(name)).unwrap();
    write_as_other_process(file, move |tx| toggles::service::create(tx, &draft, &Actor::now("import"))).await;
}

#[actix_web::test]
async fn pending_deliveries_are_sent_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let stub = Stub::start(status(200)).await;
    let first = app_on(&file).await;
    webhook(&first, &stub.url).await;
    first.stop().await;
    create_as_other_process(&file, "probe").await;
    let second = app_on(&file).await;
    assert_eq!(wait_for_deliveries(&second, 1).await[0][1]["attempts"], 1);
    assert_eq!(json_of(&wait_for_requests(&stub, 1).await[0].1)["data"]["name"], "probe");
    create_as_other_process(&file, "later").await;
    assert_eq!(wait_for_deliveries(&second, 2).await[1][1]["attempts"], 1);
}

#[actix_web::test]
async fn deliveries_of_a_killed_process_are_sent_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let stub = Stub::start(status(200)).await;
    let first = app_on(&file).await;
    webhook(&first, &stub.url).await;
    first.stop().await;
    create_as_other_process(&file, "probe").await;
    let now = Timestamp::now().as_millisecond();
    let taken = write_as_other_process(&file, move |tx| Ok(tx.lease_delivery(now, now + 300)?)).await;
    assert!(taken.is_some());
    let again = write_as_other_process(&file, move |tx| Ok(tx.lease_delivery(now, now + 300)?)).await;
    assert!(again.is_none(), "the lease excludes other processes");
    let second = app_on(&file).await;
    assert_eq!(wait_for_deliveries(&second, 1).await[0][1]["attempts"], 2);
}

#[actix_web::test]
async fn disabled_addon_keeps_its_pending_deliveries() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let (kept, dropped) = (Stub::start(status(200)).await, Stub::start(status(200)).await);
    let first = app_on(&file).await;
    let addons = [webhook(&first, &kept.url).await, webhook(&first, &dropped.url).await];
    first.stop().await;
    create_as_other_process(&file, "before").await;
    for addon in addons {
        let addon = i64::try_from(addon).unwrap();
        write_as_other_process(&file, move |tx| {
            let mut draft = tx.find_addon(addon)?.unwrap().draft;
            draft.enabled = false;
            Ok(tx.replace_addon(addon, &draft)?)
        })
        .await;
    }
    let second = app_on(&file).await;
    create(&second, &plain("meanwhile")).await;
    second.send(Method::DELETE, &format!("{ADDONS}/{}", addons[1]), &[], "").await;
    set_enabled(&second, addons[0], true).await;
    create(&second, &plain("after")).await;
    let endings = wait_for_deliveries(&second, 2).await;
    assert!(endings.iter().all(|ending| ending[1]["id"] == addons[0]), "{endings:?}");
    let names: Vec<_> = wait_for_requests(&kept, 2)
        .await
        .iter()
        .map(|(_, body)| json_of(body)["data"]["name"].take())
        .collect();
    assert_eq!(names, ["before", "after"]);
    assert!(dropped.requests().is_empty());
}

#[actix_web::test]
async fn entering_the_secret_again_repairs_a_lost_key() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let key = folder.path().join("flags.db.key");
    let stub = Stub::start(status(200)).await;
    let app = app_on(&file).await;
    let id = webhook(&app, &stub.url).await;
    let right = fs::read(&key).unwrap();
    fs::remove_file(&key).unwrap();
    create(&app, &plain("missing")).await;
    wait_for_deliveries(&app, 1).await;
    fs::write(&key, [7; 32]).unwrap();
    create(&app, &plain("wrong")).await;
    wait_for_deliveries(&app, 2).await;
    fs::write(&key, right).unwrap();
    create(&app, &plain("right")).await;
    wait_for_deliveries(&app, 3).await;
    fs::write(&key, [7; 32]).unwrap();
    let mut addon = app.get(&format!("{ADDONS}/{id}")).await.json();
    assert_eq!(addon["parameters"]["url"], "*****", "reading an addon does not need the key");
    addon["parameters"]["url"] = json!(stub.url);
    assert_empty(&app.send(Method::PUT, &format!("{ADDONS}/{id}"), &[JSON], &addon.to_string()).await);
    create(&app, &plain("mended")).await;
    let endings = wait_for_deliveries(&app, 4).await;
    let reasons: Vec<_> =
        endings.iter().map(|ending| ending[1]["reason"].as_str().unwrap_or("none")).collect();
    assert!(reasons[0].starts_with("The key file flags.db.key is missing"), "{reasons:?}");
    assert!(reasons[1].contains("cannot be decrypted with the key file flags.db.key"), "{reasons:?}");
    assert_eq!(reasons[2..], ["none", "none"]);
}
