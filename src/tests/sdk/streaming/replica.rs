//! Streams of the replica.

use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use flagdeck::config::Config;
use serde_json::{Value, json};

use super::{Client, SPECIFICATION, STREAMING, read_until};
use crate::support::app::{TestApp, upstream_of};
use crate::support::client_api::ClientApi;
use crate::support::events::EventReader;

/// An interval of which a test waits for several.
const SOON: &str = "20ms";
/// Time for which the circuit breaker refuses requests.
const SHORT_PAUSE: Duration = Duration::from_millis(20);
/// An interval that does not end during a test.
const NEVER: &str = "24h";

async fn start(api: &ClientApi, refresh: &str) -> TestApp {
    let own = ["--upstream", &api.stub.url, "--replica", "--replica-refresh", refresh];
    let adjust = |config: &mut Config| {
        config.listen.workers = Some(2);
        upstream_of(config).pause = SHORT_PAUSE;
    };
    TestApp::adjusted(&own, adjust).await
}

fn features(names: &[&str]) -> Value {
    names.iter().map(|name| json!({ "name": name, "project": "default", "enabled": true })).collect()
}

/// Sets the toggles of a token, on several lines like some servers, and returns them.
fn set(api: &ClientApi, token: &str, names: &[&str]) -> Client {
    let (features, segments) = (features(names), json!([{ "id": names.len(), "constraints": [] }]));
    let list = json!({ "version": 2, "features": features, "segments": segments });
    api.set(token, &serde_json::to_string_pretty(&list).unwrap(), &format!("\"{}\"", names.join("-")));
    Client::with(&list["features"], &list["segments"])
}

async fn open(app: &TestApp, token: &str) -> EventReader {
    EventReader::open(app, STREAMING, &format!("authorization: {token}\r\n{SPECIFICATION}")).await
}

#[actix_web::test]
async fn changes_of_the_upstream_arrive_on_the_streams_of_their_token() {
    let api = ClientApi::start(&[]).await;
    let (of_a, of_b) = (set(&api, "a", &["shop.on"]), set(&api, "b", &["till.on"]));
    let app = start(&api, SOON).await;
    let (mut a, mut also_a, mut b) = (open(&app, "a").await, open(&app, "a").await, open(&app, "b").await);
    let (mut client_a, mut client_also_a, mut client_b) =
        (Client::default(), Client::default(), Client::default());
    read_until(&mut a, &mut client_a, &of_a).await;
    read_until(&mut also_a, &mut client_also_a, &of_a).await;
    read_until(&mut b, &mut client_b, &of_b).await;
    for names in [&["shop.on", "shop.new"][..], &["shop.new"], &["shop.on"]] {
        let changed = set(&api, "a", names);
        read_until(&mut a, &mut client_a, &changed).await;
        read_until(&mut also_a, &mut client_also_a, &changed).await;
    }
    let changed = set(&api, "b", &["till.off"]);
    let event = b.next().await.unwrap();
    let kinds = client_b.apply(&event);
    assert_eq!(client_b, changed, "the first event since the beginning: {kinds:?}");
    assert_eq!(event.name, "unleash-updated");
}

#[actix_web::test]
async fn filtered_stream_receives_the_changes_of_its_selection() {
    let api = ClientApi::start(&[]).await;
    let of_all = set(&api, "a", &["shop.on", "till.on"]);
    let select = |names: &[&str]| {
        let list = json!({ "version": 2, "features": features(names), "segments": [] });
        for query in ["namePrefix=shop.&tag=simple:a", "namePrefix=shop."] {
            api.set_selection("a", query, &list.to_string());
        }
        Client::with(&list["features"], &list["segments"])
    };
    let selected = select(&["shop.on"]);
    let app = start(&api, SOON).await;
    let headers = format!("authorization: a\r\n{SPECIFICATION}");
    for query in ["namePrefix=shop.", "tag=simple:a&x=1&namePrefix=shop."] {
        let mut filtered = EventReader::open(&app, &format!("{STREAMING}?{query}"), &headers).await;
        let (mut all, mut all_client) = (open(&app, "a").await, Client::default());
        let mut client = Client::default();
        read_until(&mut all, &mut all_client, &of_all).await;
        read_until(&mut filtered, &mut client, &selected).await;
        let changed = select(&["shop.new"]);
        let mut kinds = client.apply(&filtered.next().await.unwrap());
        kinds.sort_unstable();
        assert_eq!(
            (kinds, &client),
            (vec!["feature-removed".to_owned(), "feature-updated".to_owned()], &changed)
        );
        read_until(&mut filtered, &mut client, &select(&["shop.on"])).await;
    }
}

#[actix_web::test]
async fn streams_share_the_requests_to_the_upstream() {
    let api = ClientApi::start(&[]).await;
    let expected = set(&api, "a", &["shop.on"]);
    let app = start(&api, NEVER).await;
    for _ in 0..20 {
        let (mut reader, mut client) = (open(&app, "a").await, Client::default());
        read_until(&mut reader, &mut client, &expected).await;
    }
    assert_eq!(api.reads(), 1);
    let headers = [("authorization", "a"), ("unleash-client-spec", "5.2.0")];
    app.send(Method::GET, "/api/client/features", &headers, "").await;
    assert_eq!(api.reads(), 1, "the list of toggles is the same copy");
}

#[actix_web::test]
async fn stream_stays_open_if_refreshes_are_rarer_than_uses_of_a_copy_are_remembered() {
    let api = ClientApi::start(&[]).await;
    let of_a = set(&api, "a", &["shop.on"]);
    let app = start(&api, "10m").await;
    let (mut reader, mut client) = (open(&app, "a").await, Client::default());
    read_until(&mut reader, &mut client, &of_a).await;
    for (reads, names) in [(2, ["shop.off"]), (3, ["shop.on"]), (4, ["shop.off"])] {
        let changed = set(&api, "a", &names);
        // The replica runs on this thread.
        tokio::time::pause();
        tokio::time::advance(Duration::from_mins(11)).await;
        tokio::time::resume();
        read_until(&mut reader, &mut client, &changed).await;
        assert_eq!(api.reads(), reads);
    }
}

#[actix_web::test]
async fn each_stream_counts_as_an_instance() {
    let api = ClientApi::start(&[]).await;
    set(&api, "a", &["shop.on"]);
    let own = ["--upstream", &api.stub.url, "--replica", "--replica-refresh", NEVER, "--admin-listen", "0"];
    let app = TestApp::with(&own).await;
    let admin = TestApp::at(app.admin_port.unwrap());
    let instances = async || admin.get("/replica").await.json()["copies"][0]["instances"].clone();
    let mut streams = Vec::new();
    for count in 1..=3 {
        streams.push(open(&app, "a").await);
        assert_eq!(instances().await, count);
    }
    drop(streams);
    while instances().await != 0 {
        tokio::task::yield_now().await;
    }
}

#[actix_web::test]
async fn refused_token_ends_its_streams() {
    let api = ClientApi::start(&[]).await;
    set(&api, "a", &["shop.on"]);
    let of_b = set(&api, "b", &["till.on"]);
    let app = start(&api, SOON).await;
    let (a, mut b) = (open(&app, "a").await, open(&app, "b").await);
    api.revoke("a");
    a.end().await;
    let mut client = Client::default();
    read_until(&mut b, &mut client, &of_b).await;
    for (token, status) in [("a", StatusCode::UNAUTHORIZED), ("unknown", StatusCode::UNAUTHORIZED)] {
        let headers = [("authorization", token), ("unleash-client-spec", "5.2.0")];
        assert_eq!(app.send(Method::GET, STREAMING, &headers, "").await.status, status, "{token}");
    }
}

#[actix_web::test]
async fn stream_stays_open_during_an_outage() {
    let api = ClientApi::start(&[]).await;
    let of_a = set(&api, "a", &["shop.on"]);
    let app = start(&api, SOON).await;
    let (mut reader, mut client) = (open(&app, "a").await, Client::default());
    read_until(&mut reader, &mut client, &of_a).await;
    api.set_down(true);
    let headers = [("authorization", "a"), ("unleash-client-spec", "5.2.0")];
    while app
        .send(Method::GET, "/api/client/features", &headers, "")
        .await
        .header("x-flagdeck-stale")
        .is_empty()
    {
        tokio::task::yield_now().await;
    }
    let (mut during, mut client_during) = (open(&app, "a").await, Client::default());
    read_until(&mut during, &mut client_during, &of_a).await;
    let changed = set(&api, "a", &["shop.on", "shop.new"]);
    api.set_down(false);
    read_until(&mut reader, &mut client, &changed).await;
    read_until(&mut during, &mut client_during, &changed).await;
}

#[actix_web::test]
async fn without_toggles_there_is_no_stream() {
    let api = ClientApi::start(&["other"]).await;
    api.set("other", r#"{"version":2}"#, "\"1\"");
    let app = start(&api, SOON).await;
    let headers = [("authorization", "other"), ("unleash-client-spec", "5.2.0")];
    let list = app.send(Method::GET, "/api/client/features", &headers, "").await;
    assert_eq!(list.status, StatusCode::SERVICE_UNAVAILABLE, "{}", list.body);
    let response = app.send(Method::GET, STREAMING, &headers, "").await;
    assert_eq!(response.status, StatusCode::SERVICE_UNAVAILABLE, "{}", response.body);
}

#[actix_web::test]
async fn streams_are_forwarded_without_replica_and_with_a_session() {
    let api = ClientApi::start(&["a"]).await;
    let count = || {
        api.stub.requests().iter().filter(|request| request.starts_with("GET /api/client/streaming")).count()
    };
    let direct = TestApp::beside(&api.stub.url).await;
    let response = direct.send(Method::GET, STREAMING, &[("authorization", "a")], "").await;
    assert_eq!((response.status, count()), (StatusCode::OK, 1));
    let replica = start(&api, NEVER).await;
    replica.send(Method::GET, STREAMING, &[("cookie", "session=1")], "").await;
    assert_eq!(count(), 2);
}
