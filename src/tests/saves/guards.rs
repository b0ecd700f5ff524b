//! The checks of all requests apply to converted writes. Writes continue when the client disconnects.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::sync::Notify;
use tokio::time::timeout;

use super::{SEARCH, Setup, assert_error, rollout};
use crate::support::app::TestApp;
use crate::support::newer_server::{NewerServer, Reaction, Version};

/// The converted writes.
const WRITES: [(Method, &str); 5] = [
    (Method::POST, "/api/admin/features"),
    (Method::PUT, SEARCH),
    (Method::DELETE, SEARCH),
    (Method::POST, "/api/admin/features/search/stale/on"),
    (Method::POST, "/api/admin/features/search/toggle/off"),
];

#[actix_web::test]
async fn read_only_refuses_converted_writes() {
    let mut setup = Setup::start(Version::V8_2, &[rollout(1)]).await;
    setup.app = TestApp::with(&["--upstream", &setup.server.url, "--read-only"]).await;
    for (method, path) in WRITES {
        let refused = setup.send(method, path, &[], &json!({ "name": "new", "description": "d" })).await;
        assert_error(&refused, StatusCode::FORBIDDEN, "read_only");
    }
    assert_eq!(setup.server.take_changes(), Vec::<String>::new());
}

#[actix_web::test]
async fn pages_of_other_sites_cannot_send_converted_writes() {
    let setup = Setup::start(Version::V8_2, &[rollout(1)]).await;
    let headers = [("origin", "https://evil.example"), ("sec-fetch-site", "cross-site")];
    for (method, path) in WRITES {
        let refused = setup.send(method, path, &headers, &json!({ "name": "new", "description": "d" })).await;
        assert_error(&refused, StatusCode::FORBIDDEN, "cross_site");
    }
    assert_eq!(setup.server.take_changes(), Vec::<String>::new());
}

#[actix_web::test]
async fn writes_need_an_environment() {
    let setup = Setup::start(Version::V8_2, &[rollout(1)]).await;
    let json = [("content-type", "application/json")];
    for (method, path, body) in [
        (Method::PUT, SEARCH, r#"{"description":"d"}"#),
        (Method::POST, "/api/admin/features", r#"{"name":"new"}"#),
    ] {
        let refused = setup.app.send(method, path, &json, body).await;
        assert_error(&refused, StatusCode::PRECONDITION_REQUIRED, "environment_required");
    }
    assert_eq!(setup.server.take_changes(), Vec::<String>::new());
}

#[actix_web::test]
async fn bodies_are_limited() {
    let setup = Setup::start(Version::V8_2, &[rollout(1)]).await;
    let large = json!({ "description": "x".repeat(1 << 20) });
    assert_error(&setup.put(&large).await, StatusCode::PAYLOAD_TOO_LARGE, "body_too_large");
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let headers = [("content-type", "application/json"), ("flagdeck-environment", "development")];
    let refused = setup.app.send(Method::PUT, SEARCH, &headers, &deep).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert_eq!(setup.server.take_changes(), Vec::<String>::new());
}

#[actix_web::test]
async fn the_circuit_breaker_applies_to_converted_writes() {
    let mut setup = Setup::start(Version::V8_2, &[rollout(1)]).await;
    setup.app = TestApp::beside(&setup.server.url).await;
    setup.read().await;
    setup.server.stop().await;
    let refused = async {
        loop {
            let response = setup.put(&json!({ "description": "new" })).await;
            if response.status != StatusCode::BAD_GATEWAY {
                return response;
            }
        }
    };
    let refused = timeout(Duration::from_mins(1), refused).await.unwrap();
    assert_error(&refused, StatusCode::SERVICE_UNAVAILABLE, "circuit_open");
}

#[actix_web::test]
async fn a_save_continues_after_the_client_has_disconnected() {
    let setup = Setup::start(Version::V8_2, &[rollout(1)]).await;
    setup.read().await;
    let go = Arc::new(Notify::new());
    setup.server.react("PATCH /search", Reaction::Wait(Arc::clone(&go)));
    let body =
        json!({ "description": "new", "strategies": [{ "id": "id-1", "parameters": { "rollout": "10" } }] });
    let body = body.to_string();
    let mut connection = setup.app.connect().await;
    let head = format!(
        "PUT {SEARCH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nFlagdeck-Environment: development\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    connection.write_all(head.as_bytes()).await.unwrap();
    setup.server.wait_for("PATCH /search").await;
    drop(connection);
    // A request on another connection shows that the app has processed the end of the first one.
    assert_eq!(setup.app.get("/-/health").await.status, StatusCode::OK);
    go.notify_one();
    setup.server.wait_for("PUT /search/environments/development/strategies/id-1").await;
    let (toggle, _) = setup.read().await;
    assert_eq!(toggle["description"], "new");
}

#[actix_web::test]
async fn the_credentials_of_the_user_are_sent_and_nothing_else() {
    let server = NewerServer::start(Version::V8_2);
    server.model(|model| model.add("search", Value::Object(serde_json::Map::new())));
    let setup = Setup { app: TestApp::beside(&server.url).await, server };
    setup
        .send(
            Method::PUT,
            SEARCH,
            &[("if-match", "*"), ("cookie", "session=1")],
            &json!({ "description": "d" }),
        )
        .await;
    let headers = setup.server.take_headers();
    assert!(!headers.is_empty());
    for headers in headers {
        assert_eq!(headers.get("cookie").map(String::as_str), Some("session=1"));
        for own in ["if-match", "flagdeck-environment"] {
            assert_eq!(headers.get(own), None, "{own}");
        }
    }
}
