//! Change events of OpenFeature clients.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::switch;
use crate::sdk::{FLAGS, JSON, create, everyone, frontend_token, start, token};
use crate::support::app::{Response, TestApp};
use crate::support::events::EventReader;

const SHOP: &str = "https://shop.example";

async fn evaluate(app: &TestApp, token: &str, more: &[(&str, &str)]) -> Response {
    let headers = [&[JSON, ("authorization", token)], more].concat();
    app.send(Method::POST, FLAGS, &headers, "{}").await
}

/// Returns the URL of the stream in the response to an evaluation.
async fn stream_url(app: &TestApp, token: &str) -> String {
    let body = evaluate(app, token, &[]).await.json();
    body["eventStreams"][0]["endpoint"]["requestUri"].as_str().unwrap().to_owned()
}

#[actix_web::test]
async fn evaluation_of_all_flags_names_a_stream_for_its_token() {
    let app = start(&[]).await;
    create(&app, "first", everyone(), json!({})).await;
    let (web, phone) = (frontend_token(&app).await, token(&app, "phone", "frontend", json!({})).await);
    let response = evaluate(&app, &web, &[]).await;
    let url = stream_url(&app, &web).await;
    assert!(url.starts_with("/ofrep/v1/events?id="), "{url}");
    let stream = json!({ "type": "sse", "endpoint": { "requestUri": url }, "inactivityDelaySec": 120 });
    assert_eq!(response.json()["eventStreams"], json!([stream]));
    assert_ne!(stream_url(&app, &phone).await, url);
    let known = evaluate(&app, &web, &[("if-none-match", response.header("etag"))]).await;
    assert_eq!(known.status, StatusCode::NOT_MODIFIED, "the URL remains the same");
    assert!(!url.contains(&web), "{url}");
}

#[actix_web::test]
async fn each_change_makes_clients_evaluate_again() {
    let app = TestApp::with(&["--data", ":memory:", "--base-path", "/flags"]).await;
    let post = async |path: &str, body: &Value| app.post(&format!("/flags{path}"), body).await;
    let toggle = json!({ "name": "first", "enabled": true, "strategies": everyone() });
    assert_eq!(post("/api/admin/features", &toggle).await.status, StatusCode::CREATED);
    let body = post(FLAGS, &json!({})).await.json();
    let url = body["eventStreams"][0]["endpoint"]["requestUri"].as_str().unwrap().to_owned();
    assert!(url.starts_with("/flags/ofrep/v1/events?id="), "{url}");
    let mut reader = EventReader::open(&app, &url, "").await;
    let first = reader.next().await.unwrap();
    let mut seen = vec![first.id.clone()];
    for state in ["off", "on", "off"] {
        post(&format!("/api/admin/features/first/toggle/{state}"), &Value::Null).await;
        let event = reader.next().await.unwrap();
        assert_eq!((event.name.as_str(), &event.data["type"]), ("message", &json!("refetchEvaluation")));
        assert_eq!(event.data["etag"], event.id);
        assert!(event.data["lastModified"].as_i64().unwrap() > 1_700_000_000, "{event:?}");
        assert_ne!(seen.last(), Some(&event.id));
        seen.push(event.id);
    }
    // A client that reconnects without having missed an event receives the next one only.
    let last = seen.last().unwrap();
    let mut current = EventReader::open(&app, &url, &format!("last-event-id: {last}\r\n")).await;
    let mut late = EventReader::open(&app, &url, &format!("last-event-id: {}\r\n", first.id)).await;
    assert_eq!(&late.next().await.unwrap().id, last);
    post("/api/admin/features/first/toggle/on", &Value::Null).await;
    let next = reader.next().await.unwrap();
    assert_eq!((current.next().await.unwrap(), late.next().await.unwrap()), (next.clone(), next));
}

#[actix_web::test]
async fn pages_of_allowed_origins_can_open_their_stream() {
    let app = start(&[]).await;
    let web = frontend_token(&app).await;
    let server = token(&app, "server", "client", json!({})).await;
    let (of_page, of_server) = (stream_url(&app, &web).await, stream_url(&app, &server).await);
    let head = async |url: &str, origin: &str| {
        let headers = if origin.is_empty() { String::new() } else { format!("origin: {origin}\r\n") };
        EventReader::open(&app, url, &headers).await.head.to_lowercase()
    };
    for (url, origin, status, is_readable) in [
        (of_page.as_str(), SHOP, "200", true),
        (&of_page, "", "200", false),
        (&of_page, "https://evil.example", "403", false),
        (&of_server, "", "200", false),
        (&of_server, SHOP, "403", false),
        ("/ofrep/v1/events?id=AAAA", SHOP, "401", true),
        ("/ofrep/v1/events?id=AAAA", "https://evil.example", "401", false),
        ("/ofrep/v1/events", SHOP, "401", true),
    ] {
        let head = head(url, origin).await;
        assert!(head.starts_with(&format!("http/1.0 {status}")), "{url} {origin}: {head}");
        let allowed = head.contains(&format!("access-control-allow-origin: {origin}\r\n"));
        assert_eq!(allowed, is_readable, "{url} {origin}: {head}");
        assert!(!head.contains("access-control-allow-credentials"), "{head}");
    }
}

#[actix_web::test]
async fn stream_ends_when_its_token_is_deleted() {
    let app = start(&[]).await;
    let web = frontend_token(&app).await;
    let url = stream_url(&app, &web).await;
    let mut reader = EventReader::open(&app, &url, "").await;
    reader.next().await.unwrap();
    let response = app.send(Method::DELETE, "/api/admin/api-tokens/web", &[JSON], "").await;
    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    reader.end().await;
    let refused = app.get(&url).await;
    assert_eq!(
        (refused.status, &refused.json()["code"]),
        (StatusCode::UNAUTHORIZED, &json!("token_missing"))
    );
}

#[actix_web::test]
async fn streams_of_both_kinds_share_the_limit() {
    let app = TestApp::adjusted(&["--data", ":memory:"], |config| config.limits.streams = 1).await;
    create(&app, "first", everyone(), json!({})).await;
    let mut reader = EventReader::open(&app, super::STREAMING, super::SPECIFICATION).await;
    reader.next().await.unwrap();
    let refused = app.get(&stream_url(&app, "").await).await;
    assert_eq!(refused.json()["code"], "too_many_streams");
    switch(&app, "first", "off").await;
    reader.next().await.unwrap();
}
