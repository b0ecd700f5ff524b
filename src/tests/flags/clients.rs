//! The features that SDKs read.

use std::io::Read as _;
use std::time::{Duration, Instant};

use actix_web::http::{Method, StatusCode};
use flate2::read::GzDecoder;
use serde_json::json;

use super::{archive, create, edited_probe, import_as_other_process, plain, probe, replace, switch};
use crate::support::app::TestApp;
use crate::support::events::EventReader;

const CLIENT: &str = "/api/client/features";

#[actix_web::test]
async fn client_features_contain_strategies_and_variants() {
    let app = TestApp::embedded().await;
    create(&app, &probe()).await;
    replace(&app, "probe.one", &edited_probe()).await;
    create(&app, &plain("gone")).await;
    archive(&app, "gone").await;
    let mut expected = edited_probe();
    for key in ["description", "project"] {
        expected.as_object_mut().unwrap().remove(key);
    }
    let response = app.get(CLIENT).await;
    assert_eq!(response.header("content-type"), "application/json");
    assert_eq!(response.json(), json!({ "version": 1, "features": [expected] }));
    assert_eq!(app.get("/api/client/features/probe.one").await.json(), expected);
    assert_eq!(app.get("/api/client/features/gone").await.status, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn unchanged_client_features_return_304() {
    let app = TestApp::embedded().await;
    create(&app, &plain("probe")).await;
    let tag = app.get(CLIENT).await.header("etag").to_owned();
    let strong =
        tag.strip_prefix("W/").expect("a weak tag, because the response may be compressed").to_owned();
    for known in [tag.clone(), strong, format!("\"other\", {tag}")] {
        let response = app.send(Method::GET, CLIENT, &[("if-none-match", &known)], "").await;
        assert_eq!((response.status, response.body.as_str()), (StatusCode::NOT_MODIFIED, ""));
        assert_eq!(response.header("etag"), tag);
    }
    for (action, fresh) in [("toggle/on", false), ("toggle/off", true)] {
        switch(&app, "probe", action).await;
        let response = app.send(Method::GET, CLIENT, &[("if-none-match", &tag)], "").await;
        let expected = if fresh { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
        assert_eq!(response.status, expected, "{action}");
    }
}

#[actix_web::test]
async fn client_features_are_compressed_for_clients_that_accept_gzip() {
    let app = TestApp::embedded().await;
    create(&app, &plain("probe")).await;
    let plain = app.get(CLIENT).await;
    for (accepted, encoding) in
        [("gzip, deflate", "gzip"), ("deflate, gzip;q=0", ""), ("identity", ""), ("br", "")]
    {
        let request = awc::Client::new().get(app.url(CLIENT)).no_decompress();
        let mut response = request.insert_header(("accept-encoding", accepted)).send().await.unwrap();
        let header = |name| response.headers().get(name).map_or("", |value| value.to_str().unwrap());
        assert_eq!((header("content-encoding"), header("vary")), (encoding, "Accept-Encoding"), "{accepted}");
        assert_eq!(header("etag"), plain.header("etag"));
        let bytes = response.body().await.unwrap();
        let mut text = String::new();
        match encoding {
            "gzip" => GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap(),
            _ => (&bytes[..]).read_to_string(&mut text).unwrap(),
        };
        assert_eq!(text, plain.body, "{accepted}");
    }
}

#[actix_web::test]
async fn completed_changes_are_in_the_next_response() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let app = TestApp::with(&["--data", file.to_str().unwrap()]).await;
    create(&app, &plain("probe")).await;
    for round in 0..60 {
        let enabled = round % 2 == 0;
        switch(&app, "probe", if enabled { "toggle/on" } else { "toggle/off" }).await;
        for path in [CLIENT, "/api/admin/features"] {
            assert_eq!(app.get(path).await.json()["features"][0]["enabled"], enabled, "{path} in {round}");
        }
    }
}

#[actix_web::test]
async fn changes_of_another_process_appear_in_client_features() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let one = TestApp::with(&["--data", file.to_str().unwrap()]).await;
    assert_eq!(one.get(CLIENT).await.json()["features"], json!([]));
    import_as_other_process(&folder, &[&plain("there")]);
    let deadline = Instant::now() + Duration::from_secs(20);
    while one.get(CLIENT).await.json()["features"][0]["name"] != "there" {
        assert!(Instant::now() < deadline, "the change never appears");
    }
}

#[actix_web::test]
async fn instances_are_shown_with_the_address_of_the_client() {
    for (proxy, expected) in [("192.0.2.0/24", "127.0.0.1"), ("127.0.0.1", "198.51.100.7")] {
        let app = TestApp::with(&["--data", ":memory:", "--trusted-proxy", proxy]).await;
        let headers = [("content-type", "application/json"), ("x-forwarded-for", "6.6.6.6, 198.51.100.7")];
        for (name, path, mut report) in [
            ("registered", "register", json!({ "strategies": [] })),
            ("counted", "metrics", json!({ "bucket": { "toggles": {} } })),
        ] {
            report["appName"] = name.into();
            report["instanceId"] = "1".into();
            let path = format!("/api/client/{path}");
            let response = app.send(Method::POST, &path, &headers, &report.to_string()).await;
            assert_eq!(response.status, StatusCode::ACCEPTED, "{}", response.body);
        }
        let stream =
            "x-forwarded-for: 198.51.100.7\r\nunleash-appname: streaming\r\nunleash-instanceid: 1\r\n";
        let _open = EventReader::open(&app, "/api/client/streaming", stream).await;
        for name in ["registered", "counted", "streaming"] {
            let application = app.get(&format!("/api/admin/metrics/applications/{name}")).await.json();
            assert_eq!(application["instances"][0]["clientIp"], expected, "{name} behind {proxy}");
        }
    }
}
