//! Event streams of server SDKs, and of OpenFeature clients.

mod closing;
mod events;
mod limits;
mod replica;
mod tokens;

use std::collections::BTreeMap;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{create, everyone};
use crate::flags::{import_as_other_process, plain};
use crate::support::app::TestApp;
use crate::support::binary::flagdeck;
use crate::support::engine::with_engine;
use crate::support::events::{Event, EventReader};

const STREAMING: &str = "/api/client/streaming";
/// Header line of an SDK that supports segments.
const SPECIFICATION: &str = "unleash-client-spec: 5.2.0\r\n";

/// The toggles and segments of an SDK, which it changes with each event.
#[derive(Debug, Default, PartialEq)]
struct Client {
    features: BTreeMap<String, Value>,
    segments: BTreeMap<String, Value>,
}

impl Client {
    /// Applies the changes of an event as the specification of client libraries describes. Returns their types.
    fn apply(&mut self, event: &Event) -> Vec<String> {
        let changes = event.data["events"].as_array().unwrap();
        changes.iter().map(|change| self.apply_change(change, &event.id)).collect()
    }

    fn apply_change(&mut self, change: &Value, id: &str) -> String {
        assert_eq!(change["eventId"].to_string(), id);
        let kind = change["type"].as_str().unwrap();
        match kind {
            "hydration" => *self = Self::with(&change["features"], &change["segments"]),
            "feature-updated" => {
                drop(self.features.insert(text(&change["feature"], "name"), change["feature"].clone()));
            }
            "feature-removed" => {
                assert_eq!(change["project"], "default");
                self.features.remove(&text(change, "featureName")).unwrap();
            }
            "segment-updated" => {
                drop(self.segments.insert(change["segment"]["id"].to_string(), change["segment"].clone()));
            }
            "segment-removed" => drop(self.segments.remove(&change["segmentId"].to_string()).unwrap()),
            other => panic!("{other}"),
        }
        kind.to_owned()
    }

    fn with(features: &Value, segments: &Value) -> Self {
        let items = |list: &Value| list.as_array().unwrap().clone().into_iter();
        Self {
            features: items(features).map(|feature| (text(&feature, "name"), feature)).collect(),
            segments: items(segments).map(|segment| (segment["id"].to_string(), segment)).collect(),
        }
    }

    /// Reads the toggles like a polling SDK.
    async fn poll(app: &TestApp, path: &str) -> Self {
        let headers = [("unleash-client-spec", "5.2.0")];
        let list = app.send(Method::GET, path, &headers, "").await.json();
        Self::with(&list["features"], &list["segments"])
    }
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap().to_owned()
}

/// Reads events until the client has these toggles.
async fn read_until(reader: &mut EventReader, client: &mut Client, expected: &Client) {
    while client != expected {
        let event = reader.next().await.expect("the stream has ended");
        client.apply(&event);
    }
}

async fn switch(app: &TestApp, name: &str, state: &str) {
    let response = app.post(&format!("/api/admin/features/{name}/toggle/{state}"), &Value::Null).await;
    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
}

#[actix_web::test]
async fn stream_begins_with_all_toggles_and_continues_with_each_change() {
    let app = TestApp::embedded().await;
    create(&app, "first", everyone(), json!({})).await;
    let mut reader = EventReader::open(&app, STREAMING, SPECIFICATION).await;
    let head = reader.head.to_lowercase();
    assert!(head.starts_with("http/1.0 200"), "{head}");
    for line in ["content-type: text/event-stream", "cache-control: no-cache", "x-accel-buffering: no"] {
        assert!(head.lines().any(|found| found == line), "{line} in {head}");
    }
    let mut client = Client::default();
    let first = reader.next().await.unwrap();
    assert_eq!(
        (first.name.as_str(), client.apply(&first)),
        ("unleash-connected", vec!["hydration".to_owned()])
    );
    let mut last_id: u64 = first.id.parse().unwrap();

    for (change, kind) in [
        ("create", "feature-updated"),
        ("off", "feature-updated"),
        ("archive", "feature-removed"),
        ("revive", "feature-updated"),
    ] {
        match change {
            "create" => create(&app, "second", everyone(), json!({})).await,
            "off" => switch(&app, "second", "off").await,
            "archive" => {
                let path = "/api/admin/features/second";
                let headers = [("content-type", "application/json")];
                let response = app.send(Method::DELETE, path, &headers, "").await;
                assert_eq!(response.status, StatusCode::OK, "{}", response.body);
            }
            _ => {
                let response = app.post("/api/admin/archive/revive/second", &Value::Null).await;
                assert_eq!(response.status, StatusCode::OK, "{}", response.body);
            }
        }
        let event = reader.next().await.unwrap();
        assert_eq!(
            (event.name.as_str(), client.apply(&event)),
            ("unleash-updated", vec![kind.to_owned()]),
            "{change}"
        );
        assert_eq!(client, Client::poll(&app, "/api/client/features").await, "{change}");
        let id = event.id.parse().unwrap();
        assert!(id > last_id, "{change}");
        last_id = id;
    }
}

#[actix_web::test]
async fn change_that_does_not_concern_sdks_is_not_sent() {
    let app = TestApp::embedded().await;
    create(&app, "first", everyone(), json!({})).await;
    let mut reader = EventReader::open(&app, STREAMING, SPECIFICATION).await;
    reader.next().await.unwrap();
    let tag = json!({ "type": "simple", "value": "team" });
    assert_eq!(app.post("/api/admin/features/first/tags", &tag).await.status, StatusCode::CREATED);
    switch(&app, "first", "off").await;
    let event = reader.next().await.unwrap();
    assert_eq!(event.data["events"][0]["feature"]["enabled"], false, "{event:?}");
}

#[actix_web::test]
async fn filtered_stream_receives_the_changes_of_its_toggles() {
    let app = TestApp::embedded().await;
    for name in ["a.one", "a.two", "b.one"] {
        create(&app, name, everyone(), json!({})).await;
    }
    let tagged = "/api/admin/features/a.one/tags";
    let tag = json!({ "type": "simple", "value": "red" });
    let query = "tag=simple:red&tag=simple:blue&namePrefix=a.";
    let path = format!("{STREAMING}?{query}");
    let (mut reader, mut client) = (EventReader::open(&app, &path, SPECIFICATION).await, Client::default());
    let same_filter = format!("{STREAMING}?namePrefix=a.&tag=simple:blue&tag=simple:red");
    let (mut other, mut other_client) = (EventReader::open(&app, &same_filter, "").await, Client::default());
    assert_eq!(client.apply(&reader.next().await.unwrap()), ["hydration"]);
    other_client.apply(&other.next().await.unwrap());
    assert_eq!(client.features.len(), 0);
    for (step, kind) in [
        ("tag", "feature-updated"),
        ("switch", "feature-updated"),
        ("untag", "feature-removed"),
        ("tag", "feature-updated"),
        ("delete the tag", "feature-removed"),
    ] {
        // A change of a toggle that does not match.
        switch(&app, "b.one", "off").await;
        match step {
            "tag" => assert_eq!(app.post(tagged, &tag).await.status, StatusCode::CREATED),
            "switch" => switch(&app, "a.one", "off").await,
            step => {
                let path = match step {
                    "untag" => format!("{tagged}/simple/red"),
                    _ => "/api/admin/tags/simple/red".to_owned(),
                };
                let response = app.send(Method::DELETE, &path, &[], "").await;
                assert_eq!(response.status, StatusCode::OK, "{}", response.body);
            }
        }
        assert_eq!(client.apply(&reader.next().await.unwrap()), [kind], "{step}");
        assert_eq!(other_client.apply(&other.next().await.unwrap()), [kind], "{step}");
        assert_eq!(client, Client::poll(&app, &format!("/api/client/features?{query}")).await, "{step}");
        assert_eq!(other_client, client, "{step}");
    }
}

#[actix_web::test]
async fn reconnecting_client_receives_all_toggles_again() {
    let app = TestApp::embedded().await;
    create(&app, "first", everyone(), json!({})).await;
    let id = EventReader::open(&app, STREAMING, SPECIFICATION).await.next().await.unwrap().id;
    for last in [id.as_str(), "0", "999999"] {
        let headers = format!("{SPECIFICATION}last-event-id: {last}\r\n");
        let event = EventReader::open(&app, STREAMING, &headers).await.next().await.unwrap();
        let mut client = Client::default();
        assert_eq!(client.apply(&event), ["hydration"]);
        assert_eq!(client.features.len(), 1);
    }
}

/// Returns an export with a segment and a toggle that uses it.
fn export(users: &[&str]) -> Value {
    let constraint = json!({ "contextName": "userId", "operator": "IN", "values": users, "inverted": false });
    json!({
        "version": 1,
        "features": [{
            "name": "with.segment", "description": null, "type": "release", "project": "default", "enabled": true,
            "stale": false, "variants": [],
            "strategies": [{ "id": "1", "name": "default", "parameters": {}, "segments": [1] }],
        }],
        "segments": [{
            "id": 1, "name": "testers", "description": "", "constraints": [constraint], "createdBy": "admin",
            "createdAt": "2026-11-22T05:30:49.207Z",
        }],
    })
}

#[actix_web::test]
async fn changes_and_imports_by_another_process_arrive() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("flags.db");
    let data = ["--data", data.to_str().unwrap()];
    let app = TestApp::with(&data).await;
    create(&app, "first", everyone(), json!({})).await;
    let mut reader = EventReader::open(&app, STREAMING, SPECIFICATION).await;
    let mut inlined = EventReader::open(&app, STREAMING, "").await;
    inlined.next().await.unwrap();
    let mut client = Client::default();
    client.apply(&reader.next().await.unwrap());
    import_as_other_process(&folder, &[&plain("of.another.process")]);
    let event = reader.next().await.unwrap();
    assert_eq!(client.apply(&event), ["feature-updated"]);
    assert_eq!(event.data["events"][0]["feature"]["name"], "of.another.process");
    inlined.next().await.unwrap();

    for (users, changes) in
        [(&["7"][..], &["segment-updated", "feature-updated"][..]), (&["7", "8"], &["segment-updated"])]
    {
        let file = folder.path().join("export.json");
        std::fs::write(&file, export(users).to_string()).unwrap();
        let import =
            flagdeck().args(["import", file.to_str().unwrap()]).args(with_engine(&data)).output().unwrap();
        assert!(import.status.success(), "{}", String::from_utf8_lossy(&import.stderr));
        assert_eq!(client.apply(&reader.next().await.unwrap()), changes);
        assert_eq!(client, Client::poll(&app, "/api/client/features").await);
        // SDKs without support for segments receive the toggles with their constraints.
        let event = inlined.next().await.unwrap();
        let constraints = &event.data["events"][0]["feature"]["strategies"][0]["constraints"];
        assert_eq!(constraints[0]["values"], json!(users), "{event:?}");
    }
}

#[actix_web::test]
async fn base_path_and_read_only_allow_streams() {
    let app = TestApp::with(&["--data", ":memory:", "--base-path", "/flags", "--read-only"]).await;
    let mut reader = EventReader::open(&app, "/flags/api/client/streaming", SPECIFICATION).await;
    assert_eq!(Client::default().apply(&reader.next().await.unwrap()), ["hydration"]);
}

#[actix_web::test]
async fn instances_with_a_stream_are_shown_with_their_api() {
    let app = TestApp::embedded().await;
    let report = async |instance: &str| {
        let registration =
            json!({ "appName": "shop", "instanceId": instance, "sdkVersion": "x:1", "strategies": [] });
        let counts = json!({ "appName": "shop", "instanceId": instance, "bucket": { "toggles": {} } });
        for (path, body) in [("register", registration), ("metrics", counts)] {
            let response = app.post(&format!("/api/client/{path}"), &body).await;
            assert_eq!(response.status, StatusCode::ACCEPTED, "{}", response.body);
        }
    };
    let instances = async || {
        let application = app.get("/api/admin/metrics/applications/shop").await.json();
        let list = application["instances"].as_array().unwrap().clone();
        list.iter().map(|one| format!("{} {} {}", one["instanceId"], one["api"], one["sdkVersion"])).collect()
    };
    let mut open = Vec::new();
    for instance in ["after", "before"] {
        if instance == "after" {
            report(instance).await;
        }
        let headers = format!("unleash-appname: shop\r\nunleash-instanceid: {instance}\r\n");
        open.push(EventReader::open(&app, STREAMING, &headers).await);
    }
    report("polling").await;
    let stored: Vec<String> = instances().await;
    let expected =
        [r#""after" "streaming" "x:1""#, r#""before" "streaming" null"#, r#""polling" "server" "x:1""#];
    assert_eq!(stored, expected);
    for instance in ["after", "before"] {
        report(instance).await;
    }
    let stored: Vec<String> = instances().await;
    let expected = [expected[0], r#""before" "streaming" "x:1""#, expected[2]];
    assert_eq!(stored, expected, "reports after the stream was opened");
    // Requests that identify no instance, such as requests of other SDKs.
    for headers in ["unleash-appname: other\r\n", "unleash-appname: \r\nunleash-instanceid: \r\n"] {
        open.push(EventReader::open(&app, STREAMING, headers).await);
    }
    let applications = app.get("/api/admin/metrics/applications").await.json();
    assert_eq!(applications["applications"].as_array().unwrap().len(), 1, "{applications}");
}
