//! The webhook for holds, in front of an upstream that does not respond and for the embedded service.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use flagdeck::config::{Config, HoldWebhook};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::Notify;
use tokio::time::timeout;

use super::hold::until;
use crate::support::app::TestApp;
use crate::support::binary::{Binary, flagdeck, free_port};
use crate::support::stub::{Reply, Stub, ok};

/// Maximum time of the end of the app; much longer than its time at shutdown.
const MAX_STOP: Duration = Duration::from_secs(30);

fn status(code: u16, headers: &str) -> Reply {
    Reply::BytesThenEnd(format!("HTTP/1.1 {code} Whatever\r\nContent-Length: 0\r\n{headers}\r\n"))
}

/// Returns a receiver whose reply depends on the event, the toggle and the number of the request for both, from 1.
async fn receiver(reply: impl Fn(&str, &str, usize) -> Reply + Send + Sync + 'static) -> Stub {
    let seen = Mutex::new(Vec::new());
    let compute = move |request: &str| {
        let message = message(request);
        let key = (text(&message["event"]), text(&message["toggle"]));
        let mut seen = seen.lock().unwrap();
        seen.push(key.clone());
        reply(&key.0, &key.1, seen.iter().filter(|other| **other == key).count())
    };
    Stub::start(Reply::Computed(Arc::new(compute))).await
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Returns the message of a request.
fn message(request: &str) -> Value {
    serde_json::from_str(request.split_once("\r\n\r\n").unwrap().1).unwrap()
}

/// Returns the events and toggles of the complete requests so far.
fn received(stub: &Stub) -> Vec<String> {
    let requests = stub.requests();
    let bodies = requests.iter().filter_map(|request| Some(request.split_once("\r\n\r\n")?.1.to_owned()));
    let messages = bodies.filter_map(|body| serde_json::from_str::<Value>(&body).ok());
    messages.map(|message| format!("{} {}", text(&message["event"]), text(&message["toggle"]))).collect()
}

async fn wait_for(stub: &Stub, messages: &[&str]) {
    let all = async || (received(stub) == messages).then_some(());
    assert!(timeout(MAX_STOP, until(all)).await.is_ok(), "{:?}", received(stub));
}

/// An upstream that is off.
static UPSTREAM: LazyLock<String> = LazyLock::new(|| format!("http://127.0.0.1:{}", free_port()));

/// Starts the app in front of an upstream that is off.
async fn without_upstream(url: &str, more: &[&str], adjust: impl Fn(&mut HoldWebhook)) -> TestApp {
    let own = ["--upstream", &UPSTREAM, "--replica", "--admin-listen", "0", "--hold-webhook", url];
    let adjust = |config: &mut Config| {
        let webhook = config.hold.webhook.as_mut().unwrap();
        webhook.retry_policy.initial_backoff = Duration::from_millis(2);
        adjust(webhook);
    };
    TestApp::adjusted(&[&own, more].concat(), adjust).await
}

/// Returns the monitoring listener, which accepts holds while nobody can sign in.
fn admin(app: &TestApp) -> TestApp {
    TestApp::at(app.admin_port.unwrap())
}

async fn hold(admin: &TestApp, toggle: &str) {
    let draft = json!({ "toggle": toggle, "reason": "INC-42 <!channel>\n& more" });
    let response = admin.post_as("anna", "/holds", &draft).await;
    assert_eq!(response.status, StatusCode::CREATED, "{}", response.body);
}

async fn release(admin: &TestApp, toggle: &str) {
    let headers = [("flagdeck-person", "ben")];
    let response = admin.send(Method::DELETE, &format!("/holds/{toggle}"), &headers, "").await;
    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
}

fn metric(metrics: &str, result: &str) -> String {
    let name = format!("flagdeck_hold_webhook_messages_total{{result=\"{result}\"}} ");
    metrics.lines().find_map(|line| line.strip_prefix(&name)).unwrap_or_default().to_owned()
}

#[actix_web::test]
async fn webhook_receives_start_and_end_while_the_upstream_is_off() {
    let receiver = receiver(|_, _, number| if number == 1 { status(503, "") } else { ok("", "") }).await;
    let app = without_upstream(
        &format!("{}/hooks/s3cret?x=1", receiver.url),
        &["--env-label", "production"],
        |_| {},
    )
    .await;
    let admin = admin(&app);
    hold(&admin, "shop.pay").await;
    wait_for(&receiver, &["hold-started shop.pay"; 2]).await;
    release(&admin, "shop.pay").await;
    let started = ["hold-started shop.pay"; 2];
    wait_for(&receiver, &[&started[..], &["hold-ended shop.pay"; 2]].concat()).await;

    let requests = receiver.requests();
    let header = |request: &str, name: &str| {
        let line =
            request.lines().find_map(|line| Some(line.split_once(": ")?).filter(|line| line.0 == name));
        line.map(|line| line.1.to_owned()).unwrap_or_default()
    };
    assert!(requests[0].starts_with("POST /hooks/s3cret?x=1 HTTP/1.1\r\n"), "{}", requests[0]);
    assert_eq!(header(&requests[0], "content-type"), "application/json");
    let ids: Vec<_> = requests.iter().map(|request| header(request, "x-flagdeck-delivery")).collect();
    assert!(ids[0].ends_with("-1") && ids[0] == ids[1] && ids[1] != ids[2] && ids[2] == ids[3], "{ids:?}");

    let (start, end) = (message(&requests[1]), message(&requests[3]));
    for (field, started, ended) in [
        ("toggle", json!("shop.pay"), json!("shop.pay")),
        ("environment", Value::Null, Value::Null),
        ("reason", json!("INC-42 <!channel>\n& more"), json!("INC-42 <!channel>\n& more")),
        ("person", json!("anna"), json!("anna")),
        ("start", start["start"].clone(), start["start"].clone()),
        ("expires", start["expires"].clone(), start["expires"].clone()),
        ("end", Value::Null, json!("released")),
        ("releasedBy", Value::Null, json!("ben")),
        ("deployment", json!("production"), json!("production")),
    ] {
        assert_eq!((&start[field], &end[field]), (&started, &ended), "{field}");
    }
    assert!(start["endedAt"].is_null() && end["endedAt"].is_string(), "{end}");
    let names = match start["instance"].as_str() {
        Some(instance) => format!("production, {instance}"),
        None => "production".to_owned(),
    };
    let (since, until) = (text(&start["start"]), text(&start["expires"]));
    assert_eq!(
        start["text"],
        format!(
            "Flagdeck ({names}): shop.pay is held off for SDKs until {until} by anna: INC-42 ‹!channel› & more"
        )
    );
    assert_eq!(
        end["text"],
        format!(
            "Flagdeck ({names}): the hold of shop.pay (off for SDKs) ended, because ben released it; anna had held it since {since}: INC-42 ‹!channel› & more"
        )
    );
    app.stop().await;
}

#[actix_web::test]
async fn hanging_receiver_delays_neither_holds_nor_the_shutdown() {
    let receiver = receiver(|event, toggle, number| match (event, toggle, number) {
        ("hold-started", "shop.pay", 1) => Reply::Silence,
        _ => ok("", ""),
    });
    let receiver = receiver.await;
    let app = without_upstream(&receiver.url, &[], |webhook| {
        webhook.retry_policy.request_timeout = Duration::from_millis(100);
    })
    .await;
    let admin = admin(&app);
    hold(&admin, "shop.pay").await;
    let list = admin.get("/holds").await.json();
    assert_eq!(list["holds"][0]["toggle"], "shop.pay", "active before the receiver has responded");
    release(&admin, "shop.pay").await;
    let has_end = async || {
        let events = received(&receiver);
        let end = events.iter().position(|event| event == "hold-ended shop.pay")?;
        Some(events[..end].to_vec())
    };
    let before = until(has_end).await;
    assert!(before.len() >= 2, "the end waits until the receiver has accepted the start: {before:?}");
    app.stop().await;

    let silent = Stub::start(Reply::Silence).await;
    let app = without_upstream(&silent.url, &[], |webhook| {
        webhook.retry_policy.request_timeout = Duration::from_hours(1);
        webhook.shutdown_timeout = Duration::from_millis(100);
    })
    .await;
    let admin = self::admin(&app);
    for toggle in ["stuck", "till"] {
        hold(&admin, toggle).await;
    }
    wait_for(&silent, &["hold-started stuck"]).await;
    assert_eq!(admin.get("/holds").await.json()["holds"].as_array().unwrap().len(), 2);
    assert!(timeout(MAX_STOP, app.stop()).await.is_ok(), "the shutdown waits for the receiver");
    assert_eq!(received(&silent), ["hold-started stuck"], "one request at a time");
}

#[actix_web::test]
async fn refused_messages_and_redirects_are_dropped_and_counted() {
    let elsewhere = Stub::start(ok("", "")).await;
    let location = format!("Location: {}/\r\n", elsewhere.url);
    let receiver = receiver(move |_, toggle, number| match toggle {
        "refused" => status(400, ""),
        "moved" => status(307, &location),
        "limited" if number == 1 => status(429, "Retry-After: 0\r\n"),
        _ => ok("", ""),
    });
    let receiver = receiver.await;
    let app = without_upstream(&receiver.url, &[], |_| {}).await;
    let admin = admin(&app);
    let mut expected = Vec::new();
    for (toggle, requests) in [("refused", 1), ("moved", 1), ("limited", 2), ("till", 1)] {
        hold(&admin, toggle).await;
        let message = format!("hold-started {toggle}");
        expected.extend(std::iter::repeat_n(message, requests));
        wait_for(&receiver, &expected.iter().map(String::as_str).collect::<Vec<_>>()).await;
    }
    wait_for_counts(&admin, ["2", "2", "0"]).await;
    app.stop().await;
    assert_eq!(elsewhere.requests(), Vec::<String>::new());
}

/// Waits until the webhook has counted its messages as delivered, failed and dropped.
async fn wait_for_counts(admin: &TestApp, expected: [&str; 3]) {
    let counted = async || {
        let metrics = admin.get("/metrics").await.body;
        let counts = ["delivered", "failed", "dropped"].map(|result| metric(&metrics, result));
        (counts == expected).then_some(())
    };
    assert!(timeout(MAX_STOP, until(counted)).await.is_ok(), "{}", admin.get("/metrics").await.body);
}

#[actix_web::test]
async fn message_is_lost_after_three_attempts_and_the_next_one_is_sent() {
    let receiver = receiver(|_, toggle, _| if toggle == "till" { ok("", "") } else { status(503, "") }).await;
    let app = without_upstream(&receiver.url, &[], |_| {}).await;
    let admin = admin(&app);
    for toggle in ["shop.pay", "till"] {
        hold(&admin, toggle).await;
    }
    let lost = "hold-started shop.pay";
    wait_for(&receiver, &[lost, lost, lost, "hold-started till"]).await;
    wait_for_counts(&admin, ["1", "1", "0"]).await;
    let ids: BTreeSet<_> = receiver.requests()[..3]
        .iter()
        .map(|request| {
            let id = request.lines().find_map(|line| line.strip_prefix("x-flagdeck-delivery: "));
            id.unwrap().to_owned()
        })
        .collect();
    assert_eq!(ids.len(), 1, "{ids:?}");
    app.stop().await;
}

#[actix_web::test]
async fn full_channel_drops_the_newest_messages() {
    let silent = Stub::start(Reply::Silence).await;
    let app = without_upstream(&silent.url, &[], |webhook| {
        webhook.retry_policy.request_timeout = Duration::from_hours(1);
        webhook.shutdown_timeout = Duration::ZERO;
    })
    .await;
    let admin = admin(&app);
    hold(&admin, "sending").await;
    wait_for(&silent, &["hold-started sending"]).await;
    for number in 0..53 {
        hold(&admin, &format!("t.{number}")).await;
    }
    wait_for_counts(&admin, ["0", "0", "3"]).await;
    assert_eq!(admin.get("/holds").await.json()["holds"].as_array().unwrap().len(), 54);
    app.stop().await;
}

#[actix_web::test]
async fn restart_announces_no_hold_again_and_a_stop_starts_no_attempt() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("flagdeck.db");
    let data = ["--data", data.to_str().unwrap()];
    let is_up = Arc::new(AtomicBool::new(false));
    let shared = Arc::clone(&is_up);
    let receiver =
        receiver(move |_, _, _| if shared.load(Ordering::SeqCst) { ok("", "") } else { status(503, "") });
    let receiver = receiver.await;
    let start = async || {
        without_upstream(&receiver.url, &data, |webhook| {
            webhook.retry_policy.initial_backoff = Duration::from_hours(1);
            webhook.retry_policy.max_backoff = Duration::from_hours(1);
        })
        .await
    };
    let app = start().await;
    for toggle in ["shop.pay", "till"] {
        hold(&admin(&app), toggle).await;
    }
    wait_for(&receiver, &["hold-started shop.pay"]).await;
    is_up.store(true, Ordering::SeqCst);
    assert!(timeout(MAX_STOP, app.stop()).await.is_ok(), "the shutdown waits for the next attempt");
    for _ in 0..3 {
        start().await.stop().await;
    }
    assert_eq!(received(&receiver), ["hold-started shop.pay"]);
    let app = start().await;
    release(&admin(&app), "shop.pay").await;
    wait_for(&receiver, &["hold-started shop.pay", "hold-ended shop.pay"]).await;
    app.stop().await;
}

#[actix_web::test]
async fn message_that_is_being_sent_at_shutdown_is_delivered_and_waiting_ones_are_logged() {
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("log");
    let respond = Arc::new(Notify::new());
    let accepted = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".to_owned();
    let receiver = Stub::start(Reply::Halves(String::new(), accepted, Arc::clone(&respond))).await;
    let port = free_port();
    let mut command = flagdeck();
    command
        .args(["--listen", "127.0.0.1:0", "--data", ":memory:", "--hold-webhook", &receiver.url])
        .args(["--admin-listen", &format!("127.0.0.1:{port}")])
        .stderr(File::create(&log).unwrap());
    let mut binary = actix_web::web::block(move || Binary::started(&mut command)).await.unwrap();
    let app = TestApp::at(binary.port);
    for toggle in ["shop.pay", "till"] {
        let draft = json!({ "name": toggle, "enabled": true, "strategies": [{ "name": "default" }] });
        assert_eq!(app.post("/api/admin/features", &draft).await.status, StatusCode::CREATED);
        hold(&TestApp::at(port), toggle).await;
    }
    wait_for(&receiver, &["hold-started shop.pay"]).await;
    let id = binary.child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let has_logged = |text: &str| fs::read_to_string(&log).unwrap().contains(text);
    until(async || has_logged("shutting down").then_some(())).await;
    respond.notify_one();
    until(async || binary.child.try_wait().unwrap()).await;
    let log = fs::read_to_string(&log).unwrap();
    let line = |text: &str| log.lines().find(|line| line.contains(text)).unwrap_or_default().to_owned();
    assert!(line("a message about a hold was delivered").contains("shop.pay"), "{log}");
    let lost = line("was not delivered and is lost");
    assert!(lost.contains("WARN") && lost.contains("till") && lost.contains("Flagdeck stopped"), "{log}");
}

#[actix_web::test]
async fn embedded_service_sends_messages_and_no_log_contains_the_url() {
    let folder = TempDir::new().unwrap();
    let [secret, log] = ["secret", "log"].map(|name| folder.path().join(name));
    let receiver = receiver(|_, toggle, _| if toggle == "till" { status(400, "") } else { Reply::End }).await;
    fs::write(&secret, format!("{}/hooks/s3cret\n", receiver.url.replace("//", "//user:s3cret@"))).unwrap();
    let port = free_port();
    let mut command = flagdeck();
    command
        .args(["--listen", "127.0.0.1:0", "--log-level", "trace", "--data", ":memory:"])
        .args(["--admin-listen", &format!("127.0.0.1:{port}")])
        .args(["--hold-webhook", &format!("@{}", secret.display())])
        .stderr(File::create(&log).unwrap());
    let binary = actix_web::web::block(move || Binary::started(&mut command)).await.unwrap();
    let app = TestApp::at(binary.port);
    for toggle in ["till", "shop.pay"] {
        let draft = json!({ "name": toggle, "enabled": true, "strategies": [{ "name": "default" }] });
        assert_eq!(app.post("/api/admin/features", &draft).await.status, StatusCode::CREATED);
        hold(&TestApp::at(port), toggle).await;
    }
    receiver.wait_for(|request| request.contains("Basic dXNlcjpzM2NyZXQ=")).await;
    let read = async || {
        let log = fs::read_to_string(&log).unwrap();
        (log.matches("was not delivered and is lost").count() == 2).then_some(log)
    };
    let log = until(read).await;
    assert!(!log.contains("s3cret") && !log.contains("dXNlcjpzM2NyZXQ"), "{log}");
}
