//! Limits: the number of streams, and slow clients.

use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{Client, SPECIFICATION, STREAMING, read_until, switch};
use crate::sdk::create;
use crate::support::app::TestApp;
use crate::support::events::EventReader;

/// Returns the strategies of a toggle of 40 KB. The buffers of a connection contain fewer than 20 of such toggles.
pub(super) fn large() -> Value {
    let strategy = json!({ "name": "userWithId", "parameters": { "userIds": "x".repeat(10_000) } });
    json!([strategy, strategy, strategy, strategy])
}

async fn open_streams(admin: &TestApp) -> u32 {
    let metrics = admin.get("/metrics").await.body;
    let line = metrics.lines().find_map(|line| line.strip_prefix("flagdeck_streams "));
    line.unwrap_or_else(|| panic!("{metrics}")).parse().unwrap()
}

#[actix_web::test]
async fn further_streams_are_refused_until_one_is_closed() {
    let arguments = ["--data", ":memory:", "--admin-listen", "0"];
    let app = TestApp::adjusted(&arguments, |config| config.limits.streams = 2).await;
    let admin = TestApp::at(app.admin_port.unwrap());
    let mut streams = Vec::new();
    for _ in 0..2 {
        let mut stream = EventReader::open(&app, STREAMING, SPECIFICATION).await;
        stream.next().await.unwrap();
        streams.push(stream);
    }
    assert_eq!(open_streams(&admin).await, 2);
    let refused = app.get(STREAMING).await;
    assert_eq!(
        (refused.status, &refused.json()["code"]),
        (StatusCode::TOO_MANY_REQUESTS, &json!("too_many_streams"))
    );
    assert_eq!(
        app.get("/api/client/features").await.status,
        StatusCode::OK,
        "other requests are not limited"
    );
    streams.pop();
    while open_streams(&admin).await == 2 {
        tokio::task::yield_now().await;
    }
    EventReader::open(&app, STREAMING, SPECIFICATION).await.next().await.unwrap();
    let metrics = admin.get("/metrics").await.body;
    assert!(metrics.contains("\nflagdeck_stream_events_total "), "{metrics}");
}

#[actix_web::test]
async fn filters_of_open_streams_are_limited() {
    let app = TestApp::with(&["--data", ":memory:", "--admin-listen", "0"]).await;
    let admin = TestApp::at(app.admin_port.unwrap());
    let path = |number: u32| format!("{STREAMING}?namePrefix={number}");
    let mut streams = Vec::new();
    for number in 0..50 {
        streams.push(EventReader::open(&app, &path(number), SPECIFICATION).await);
    }
    let refused = app.get(&path(50)).await;
    assert_eq!(
        (refused.status, &refused.json()["code"]),
        (StatusCode::TOO_MANY_REQUESTS, &json!("too_many_stream_filters"))
    );
    for known in [STREAMING.to_owned(), path(49)] {
        streams.push(EventReader::open(&app, &known, SPECIFICATION).await);
    }
    drop(streams);
    while open_streams(&admin).await != 0 {
        tokio::task::yield_now().await;
    }
    EventReader::open(&app, &path(50), SPECIFICATION).await.next().await.unwrap();
}

#[actix_web::test]
async fn only_get_opens_a_stream() {
    let app = TestApp::adjusted(&["--data", ":memory:"], |config| config.limits.streams = 1).await;
    for method in [Method::HEAD, Method::POST, Method::OPTIONS] {
        let response = app.send(method.clone(), STREAMING, &[("content-type", "application/json")], "").await;
        assert_eq!(response.status, StatusCode::NOT_FOUND, "{method}");
    }
    EventReader::open(&app, STREAMING, SPECIFICATION).await.next().await.unwrap();
}

#[actix_web::test]
async fn slow_client_misses_events_and_begins_again_with_all_toggles() {
    // The slow client must remain connected while it does not read, also on a busy machine.
    let app = TestApp::adjusted(&["--data", ":memory:"], |config| {
        config.limits.write_timeout = Duration::from_hours(24);
    })
    .await;
    for name in ["first", "second", "third"] {
        create(&app, name, large(), json!({})).await;
    }
    let (mut slow, mut fast) = (
        EventReader::open_slow(&app, STREAMING, SPECIFICATION).await,
        EventReader::open(&app, STREAMING, SPECIFICATION).await,
    );
    fast.next().await.unwrap();
    // Each change is one event for a client that reads it at once.
    for change in 0..80 {
        switch(&app, "first", if change % 2 == 0 { "off" } else { "on" }).await;
        let event = fast.next().await.unwrap();
        assert_eq!(Client::default().apply(&event), ["feature-updated"]);
    }
    switch(&app, "third", "off").await;
    let expected = Client::poll(&app, "/api/client/features").await;
    let (mut client, mut hydrations, mut events) = (Client::default(), 0, 0);
    while client != expected {
        let kinds = client.apply(&slow.next().await.unwrap());
        hydrations += kinds.iter().filter(|kind| *kind == "hydration").count();
        events += 1;
    }
    assert!(hydrations >= 2 && events < 70, "{hydrations} of {events} events contain all toggles");
    switch(&app, "second", "off").await;
    let expected = Client::poll(&app, "/api/client/features").await;
    read_until(&mut slow, &mut client, &expected).await;
}
