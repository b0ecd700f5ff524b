//! Compression and conditional requests of the admin API.

use std::io::Read as _;

use actix_web::http::{Method, StatusCode};
use flate2::read::GzDecoder;
use serde_json::{Value, json};

use super::{FEATURES, archive, create, import_as_other_process, switch};
use crate::support::app::TestApp;

/// A response with its body decompressed.
struct Response {
    status: StatusCode,
    encoding: String,
    vary: String,
    tag: String,
    /// The length of the body as sent.
    length: usize,
    body: String,
}

impl Response {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

async fn request(
    app: &TestApp,
    method: Method,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Response {
    let mut request = awc::Client::new().request(method, app.url(path)).no_decompress();
    for header in headers {
        request = request.append_header(*header);
    }
    let mut response = request.send_body(body.to_owned()).await.unwrap();
    let bytes = response.body().limit(64 << 20).await.unwrap();
    let header = |name| response.headers().get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
    let mut text = String::new();
    match &*header("content-encoding") {
        "gzip" if !bytes.is_empty() => GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap(),
        _ => (&bytes[..]).read_to_string(&mut text).unwrap(),
    };
    Response {
        status: response.status(),
        encoding: header("content-encoding"),
        vary: header("vary"),
        tag: header("etag"),
        length: bytes.len(),
        body: text,
    }
}

async fn read(app: &TestApp, path: &str, headers: &[(&str, &str)]) -> Response {
    request(app, Method::GET, path, headers, "").await
}

async fn read_compressed(app: &TestApp, path: &str) -> Response {
    read(app, path, &[("accept-encoding", "gzip")]).await
}

fn described_toggle(name: &str) -> Value {
    let description = "Decides who gets part of the checkout while it is built.";
    json!({
        "name": name, "description": description, "enabled": true,
        "strategies": [{ "name": "default", "parameters": {} }],
    })
}

/// Starts a service with active and archived toggles.
async fn start_with_toggles() -> TestApp {
    let app = TestApp::embedded().await;
    for number in 0..80 {
        create(&app, &described_toggle(&format!("toggle.{number}"))).await;
    }
    for number in 0..30 {
        archive(&app, &format!("toggle.{number}")).await;
    }
    app
}

#[actix_web::test]
async fn large_responses_are_compressed_for_clients_that_accept_gzip() {
    let app = start_with_toggles().await;
    for path in [
        FEATURES,
        "/api/admin/features?namePrefix=toggle",
        "/api/admin/archive/features",
        "/api/admin/events",
        "/-/openapi.json",
    ] {
        let plain = read(&app, path, &[]).await;
        assert_eq!((plain.encoding.as_str(), plain.vary.as_str()), ("", "Accept-Encoding"), "{path}");
        assert!(plain.tag.starts_with("W/\""), "{path}: {}", plain.tag);
        for (accepted, encoding) in [
            ("gzip, deflate, br, zstd", "gzip"),
            ("br;q=1.0, gzip;q=0.2", "gzip"),
            ("*", "gzip"),
            ("gzip;q=0, *", ""),
            ("identity, gzip;q=0.5", ""),
            ("br", ""),
        ] {
            let response = read(&app, path, &[("accept-encoding", accepted)]).await;
            assert_eq!(response.status, StatusCode::OK);
            assert_eq!((response.encoding.as_str(), response.vary.as_str()), (encoding, "Accept-Encoding"));
            assert_eq!(response.tag, plain.tag, "{path} for {accepted}");
            assert_eq!(response.body, plain.body, "{path} for {accepted}");
            let is_small = response.length < plain.length / 3;
            assert_eq!(is_small, encoding == "gzip", "{path}: {} of {}", response.length, plain.length);
        }
        if path.starts_with("/api/") {
            let head = request(&app, Method::HEAD, path, &[("accept-encoding", "gzip")], "").await;
            assert_eq!((head.encoding.as_str(), head.tag), ("gzip", plain.tag), "HEAD {path}");
        }
    }
}

#[actix_web::test]
async fn large_errors_are_compressed_and_small_bodies_are_not() {
    let app = TestApp::embedded().await;
    let headers = [("accept-encoding", "gzip"), ("content-type", "application/json")];
    let variants: Vec<_> = (0..15).map(|_| json!({ "name": 1, "weight": "none", "stickiness": 1 })).collect();
    let body = json!({ "name": "probe", "strategies": [], "variants": variants }).to_string();
    let refused = request(&app, Method::POST, FEATURES, &headers, &body).await;
    assert_eq!((refused.status, refused.encoding.as_str()), (StatusCode::BAD_REQUEST, "gzip"));
    assert_eq!((refused.json()["isJoi"].clone(), refused.tag.as_str()), (json!(true), ""));
    for path in ["/api/admin/user", FEATURES, "/-/settings", "/api/admin/features/none"] {
        let small = read_compressed(&app, path).await;
        assert_eq!((small.encoding.as_str(), small.vary.contains("Cookie")), ("", false), "{path}");
        assert!(small.json().is_object(), "{path}");
    }
}

#[actix_web::test]
async fn unchanged_toggle_list_returns_304() {
    let app = start_with_toggles().await;
    for path in [FEATURES, "/api/admin/features?namePrefix=toggle", "/api/admin/strategies"] {
        for accepted in ["gzip", "identity"] {
            let tag = read(&app, path, &[("accept-encoding", accepted)]).await.tag;
            for known in [tag.clone(), tag.replace("W/", ""), format!("\"other\", {tag}"), "*".to_owned()] {
                let headers = [("accept-encoding", accepted), ("if-none-match", known.as_str())];
                let response = read(&app, path, &headers).await;
                assert_eq!(
                    (response.status, response.length),
                    (StatusCode::NOT_MODIFIED, 0),
                    "{path} {known}"
                );
                assert_eq!((response.tag.as_str(), response.encoding.as_str()), (tag.as_str(), ""));
            }
        }
    }
    let tag = read_compressed(&app, FEATURES).await.tag;
    let headers = [("accept-encoding", "gzip"), ("if-none-match", tag.as_str())];
    switch(&app, "toggle.40", "toggle/off").await;
    let changed = read(&app, FEATURES, &headers).await;
    assert_eq!(changed.status, StatusCode::OK);
    switch(&app, "toggle.40", "toggle/on").await;
    let reverted = read(&app, FEATURES, &headers).await;
    assert_eq!((reverted.status, reverted.tag), (StatusCode::NOT_MODIFIED, tag.clone()));
    // A report writes no event, but changes `lastSeenAt`.
    report(&app, "toggle.40").await;
    let seen = read(&app, FEATURES, &headers).await;
    assert_eq!(seen.status, StatusCode::OK);
    assert!(last_seen(&seen, "toggle.40").is_string(), "{}", seen.body);
}

/// Sends a usage report for a toggle and waits until it is written.
async fn report(app: &TestApp, toggle: &str) {
    let bucket = json!({
        "start": "2026-01-01T00:00:00Z", "stop": "2026-01-01T00:01:00Z", "toggles": { toggle: { "yes": 1, "no": 0 } },
    });
    let report = json!({ "appName": "shop", "instanceId": "shop-1", "bucket": bucket });
    assert_eq!(app.post("/api/client/metrics", &report).await.status, StatusCode::ACCEPTED);
    assert_eq!(app.get("/api/admin/metrics/applications").await.status, StatusCode::OK);
}

fn last_seen(list: &Response, name: &str) -> Value {
    let list = list.json();
    let toggle = list["features"].as_array().unwrap().iter().find(|toggle| toggle["name"] == name);
    toggle.unwrap()["lastSeenAt"].clone()
}

#[actix_web::test]
async fn compressed_list_contains_changes_of_all_processes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let data = ["--data", file.to_str().unwrap()];
    let one = TestApp::with(&data).await;
    let mut toggle = described_toggle("probe");
    create(&one, &toggle).await;
    for round in 0..12 {
        let enabled = round % 2 == 0;
        if round % 3 == 0 {
            switch(&one, "probe", if enabled { "toggle/on" } else { "toggle/off" }).await;
        } else {
            toggle["enabled"] = json!(enabled);
            import_as_other_process(&folder, &[&toggle]);
        }
        let list = read_compressed(&one, FEATURES).await.json();
        assert_eq!(list["features"][0]["enabled"], enabled, "in round {round}");
    }
    assert_eq!(last_seen(&read_compressed(&one, FEATURES).await, "probe"), Value::Null);
    report(&one, "probe").await;
    assert!(last_seen(&read_compressed(&one, FEATURES).await, "probe").is_string());
}
