//! What addons tell other services: over HTTP, from an outbox that nothing is lost from.

use std::fs;
use std::path::Path;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use flagdeck::config::{Backend, Config};
use flagdeck::error::ApiError;
use flagdeck::flags::addons::retry_policy::RetryPolicy;
use flagdeck::flags::events::Actor;
use flagdeck::flags::store::Session;
use flagdeck::flags::{DataLocation, Flags, rules, toggles};
use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{JSON, archive, assert_empty, create, plain, switch};
use crate::support::app::TestApp;
use crate::support::stub::{Reply, Stub, ok};

const ADDONS: &str = "/api/admin/addons";
const EVENTS: [&str; 3] = ["feature-created", "feature-updated", "feature-archived"];
/// Long enough for any machine.
const DEADLINE: Duration = Duration::from_mins(2);

/// So short waits that a test need not wait, and so much patience that no test sees its end.
fn hasty(config: &mut Config) {
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
    TestApp::adjusted(&["--data", ":memory:"], hasty).await
}

async fn app_on(file: &Path) -> TestApp {
    TestApp::adjusted(&["--data", file.to_str().unwrap()], hasty).await
}

fn status(code: u16) -> Reply {
    Reply::BytesThenEnd(format!("HTTP/1.1 {code} Whatever\r\nContent-Length: 0\r\n\r\n"))
}

async fn add(app: &TestApp, provider: &str, parameters: Value) -> u64 {
    let addon = json!({ "provider": provider, "enabled": true, "events": EVENTS, "parameters": parameters });
    let answer = app.post(ADDONS, &addon).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
    answer.json()["id"].as_u64().unwrap()
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

/// How deliveries ended so far, oldest first: type and data.
async fn endings(app: &TestApp) -> Vec<Value> {
    let events = app.get("/api/admin/events").await.json()["events"].take();
    let delivered = |event: &&Value| event["type"].as_str().unwrap().starts_with("addon-deliver");
    let told = |event: &Value| json!([event["type"], event["data"]]);
    events.as_array().unwrap().iter().rev().filter(delivered).map(told).collect()
}

/// Waits until so many deliveries ended.
async fn ended(app: &TestApp, count: usize) -> Vec<Value> {
    let start = Instant::now();
    loop {
        let endings = endings(app).await;
        if endings.len() >= count {
            return endings;
        }
        assert!(start.elapsed() < DEADLINE, "only {endings:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Waits until the stub got so many requests, and answers their heads in lower case and their bodies.
async fn received(stub: &Stub, count: usize) -> Vec<(String, String)> {
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
async fn a_webhook_gets_each_event_that_it_listens_to() {
    let (app, stub) = (app().await, Stub::start(status(204)).await);
    webhook(&app, &format!("{}/hook?a=1", stub.url)).await;
    create(&app, &plain("probe")).await;
    switch(&app, "probe", "stale/on").await;
    switch(&app, "probe", "toggle/on").await;
    assert_eq!(ended(&app, 2).await.len(), 2, "nobody listens to stale toggles");
    let requests = received(&stub, 2).await;
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
        endings(&app).await[0],
        json!(["addon-delivered", {
            "id": 1, "provider": "webhook", "eventId": event, "eventType": "feature-created", "attempts": 1,
            "status": 204,
        }])
    );
}

#[actix_web::test]
async fn a_template_makes_the_body() {
    let (app, stub) = (app().await, Stub::start(ok("", "fine")).await);
    let template = "{{event.type}} by {{event.createdBy}}:\n{{#event.data}}\n- {{{name}}}\n{{/event.data}}\n";
    let parameters =
        json!({ "url": stub.url, "contentType": "text/plain; charset=utf-8", "bodyTemplate": template });
    add(&app, "webhook", parameters).await;
    create(&app, &plain("it's")).await;
    let (head, body) = received(&stub, 1).await.remove(0);
    assert_eq!(header(&head, "content-type"), "text/plain; charset=utf-8");
    assert_eq!(body, "feature-created by operator:\n- it's\n");
}

#[actix_web::test]
async fn slack_channels_are_those_of_the_toggles_tags() {
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
    ended(&app, 5).await;
    let told: Vec<_> = received(&stub, 5)
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
        told,
        [
            json!(["#general", created]),
            json!(["#ops", on]),
            json!(["#web", on]),
            json!(["#ops", archived]),
            json!(["#web", archived]),
        ]
    );
    assert_eq!(endings(&app).await[1][1]["target"], "ops");
}

#[actix_web::test]
async fn jira_issues_are_those_of_the_toggles_tags() {
    let (app, stub) = (app().await, Stub::start(status(201)).await);
    let base = format!("{}/base/", stub.url);
    add(&app, "jira-comment", json!({ "baseUrl": base, "user": "ann", "apiKey": "key" })).await;
    create(&app, &plain("probe")).await;
    app.post("/api/admin/features/probe/tags", &json!({ "type": "jira", "value": "FD-1" })).await;
    switch(&app, "probe", "toggle/on").await;
    assert_eq!(ended(&app, 1).await[0][1]["eventType"], "feature-updated", "without a tag nobody is told");
    let (head, body) = received(&stub, 1).await.remove(0);
    assert!(head.starts_with("post /base/rest/api/3/issue/fd-1/comment http/1.1\r\n"), "{head}");
    // ann:key
    assert_eq!(header(&head, "authorization"), "basic yw5uomtleq==");
    let text = &json_of(&body)["body"]["content"][0]["content"][0]["text"];
    assert_eq!(text, "operator switched on the toggle probe");
}

#[actix_web::test]
async fn a_receiver_that_fails_is_tried_again_in_order() {
    let replies = vec![status(503), Reply::BytesThenEnd(String::new()), status(200)];
    let (app, stub) = (app().await, Stub::start(Reply::InTurn(replies)).await);
    webhook(&app, &stub.url).await;
    create(&app, &plain("first")).await;
    create(&app, &plain("second")).await;
    let endings = ended(&app, 2).await;
    let (first, second) = (&endings[0][1], &endings[1][1]);
    assert_eq!((&first["attempts"], &first["status"]), (&json!(3), &json!(200)));
    assert_eq!(second["attempts"], 1);
    let requests = received(&stub, 4).await;
    let names: Vec<_> = requests.iter().map(|(_, body)| json_of(body)["data"]["name"].take()).collect();
    assert_eq!(names, ["first", "first", "first", "second"]);
    let id = |index: usize| header(&requests[index].0, "x-flagdeck-delivery");
    assert_eq!((id(0), id(1)), (id(1), id(2)));
    assert_ne!(id(2), id(3));
}

#[actix_web::test]
async fn what_does_not_work_is_given_up_and_told() {
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
    let mut endings = ended(&app, 3).await;
    endings.sort_by_key(|ending| ending[1]["id"].as_u64());
    let told: Vec<_> = endings
        .iter()
        .map(|ending| json!([ending[0], ending[1]["attempts"], ending[1]["reason"], ending[1]["status"]]))
        .collect();
    assert_eq!(
        told,
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
async fn a_receiver_that_hangs_holds_up_nobody_else() {
    let (app, hangs, works) =
        (app().await, Stub::start(Reply::Silence).await, Stub::start(status(200)).await);
    let hanging = webhook(&app, &hangs.url).await;
    webhook(&app, &works.url).await;
    for name in ["first", "second", "third"] {
        create(&app, &plain(name)).await;
    }
    let endings = ended(&app, 3).await;
    assert!(endings.iter().all(|ending| ending[1]["id"] == 2), "{endings:?}");
    assert_eq!(received(&hangs, 1).await.len(), 1);
    assert_empty(&app.send(Method::DELETE, &format!("{ADDONS}/{hanging}"), &[], "").await);
}

/// Does what another process does on the same file: nobody is told about it here.
async fn elsewhere<T: Send + 'static>(
    file: &Path,
    work: impl FnOnce(&Session<'_>) -> Result<T, ApiError> + Send + 'static,
) -> T {
    Flags::open(&DataLocation::File(file.to_owned())).unwrap().write(work).await.unwrap()
}

async fn create_elsewhere(file: &Path, name: &str) {
    let draft = rules::parse_new_toggle(&plain(name)).unwrap();
    elsewhere(file, move |session| toggles::create(session, &draft, &Actor::now("import"))).await;
}

#[actix_web::test]
async fn what_is_pending_when_a_program_ends_is_delivered_by_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let stub = Stub::start(status(200)).await;
    let first = app_on(&file).await;
    webhook(&first, &stub.url).await;
    first.stop().await;
    create_elsewhere(&file, "probe").await;
    let second = app_on(&file).await;
    assert_eq!(ended(&second, 1).await[0][1]["attempts"], 1);
    assert_eq!(json_of(&received(&stub, 1).await[0].1)["data"]["name"], "probe");
    create_elsewhere(&file, "later").await;
    assert_eq!(ended(&second, 2).await[1][1]["attempts"], 1);
}

#[actix_web::test]
async fn what_a_killed_program_was_sending_is_sent_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let stub = Stub::start(status(200)).await;
    let first = app_on(&file).await;
    webhook(&first, &stub.url).await;
    first.stop().await;
    create_elsewhere(&file, "probe").await;
    let now = Timestamp::now().as_millisecond();
    let taken = elsewhere(&file, move |session| Ok(session.take_deliveries(now, now + 300, 16)?)).await;
    assert_eq!(taken.len(), 1);
    let again = elsewhere(&file, move |session| Ok(session.take_deliveries(now, now + 300, 16)?)).await;
    assert_eq!(again.len(), 0, "nobody else takes it meanwhile");
    let second = app_on(&file).await;
    assert_eq!(ended(&second, 1).await[0][1]["attempts"], 2);
}

#[actix_web::test]
async fn a_disabled_addon_gets_nothing_and_keeps_what_was_pending() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let (kept, dropped) = (Stub::start(status(200)).await, Stub::start(status(200)).await);
    let first = app_on(&file).await;
    let addons = [webhook(&first, &kept.url).await, webhook(&first, &dropped.url).await];
    first.stop().await;
    create_elsewhere(&file, "before").await;
    for addon in addons {
        let addon = i64::try_from(addon).unwrap();
        elsewhere(&file, move |session| {
            let mut draft = session.addon(addon)?.unwrap().draft;
            draft.enabled = false;
            Ok(session.replace_addon(addon, &draft)?)
        })
        .await;
    }
    let second = app_on(&file).await;
    create(&second, &plain("meanwhile")).await;
    second.send(Method::DELETE, &format!("{ADDONS}/{}", addons[1]), &[], "").await;
    set_enabled(&second, addons[0], true).await;
    create(&second, &plain("after")).await;
    let endings = ended(&second, 2).await;
    assert!(endings.iter().all(|ending| ending[1]["id"] == addons[0]), "{endings:?}");
    let names: Vec<_> =
        received(&kept, 2).await.iter().map(|(_, body)| json_of(body)["data"]["name"].take()).collect();
    assert_eq!(names, ["before", "after"]);
    assert!(dropped.requests().is_empty());
}

#[actix_web::test]
async fn a_lost_key_is_told_and_mended_by_entering_the_secret_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let key = folder.path().join("flags.db.key");
    let stub = Stub::start(status(200)).await;
    let app = app_on(&file).await;
    let id = webhook(&app, &stub.url).await;
    let right = fs::read(&key).unwrap();
    fs::remove_file(&key).unwrap();
    create(&app, &plain("missing")).await;
    ended(&app, 1).await;
    fs::write(&key, [7; 32]).unwrap();
    create(&app, &plain("wrong")).await;
    ended(&app, 2).await;
    fs::write(&key, right).unwrap();
    create(&app, &plain("right")).await;
    ended(&app, 3).await;
    fs::write(&key, [7; 32]).unwrap();
    let mut addon = app.get(&format!("{ADDONS}/{id}")).await.json();
    assert_eq!(addon["parameters"]["url"], "*****", "what there is can be read without the key");
    addon["parameters"]["url"] = json!(stub.url);
    assert_empty(&app.send(Method::PUT, &format!("{ADDONS}/{id}"), &[JSON], &addon.to_string()).await);
    create(&app, &plain("mended")).await;
    let endings = ended(&app, 4).await;
    let reasons: Vec<_> =
        endings.iter().map(|ending| ending[1]["reason"].as_str().unwrap_or("none")).collect();
    assert!(reasons[0].starts_with("The key file flags.db.key is missing"), "{reasons:?}");
    assert!(reasons[1].contains("cannot be decrypted with the key file flags.db.key"), "{reasons:?}");
    assert_eq!(reasons[2..], ["none", "none"]);
}
