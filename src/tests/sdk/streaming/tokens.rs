//! Tokens of streams.

use actix_web::http::{Method, StatusCode};
use serde_json::json;

use super::{Client, SPECIFICATION, STREAMING, switch};
use crate::sdk::{create, everyone, frontend_token, get, token};
use crate::support::app::TestApp;
use crate::support::events::EventReader;

async fn open(app: &TestApp, token: &str) -> EventReader {
    let mut reader =
        EventReader::open(app, STREAMING, &format!("authorization: {token}\r\n{SPECIFICATION}")).await;
    let event = reader.next().await.expect("no stream");
    assert_eq!(Client::default().apply(&event), ["hydration"]);
    reader
}

#[actix_web::test]
async fn streams_require_the_same_tokens_as_the_list_of_toggles() {
    let app = TestApp::embedded().await;
    let (server, web) = (token(&app, "server", "client", json!({})).await, frontend_token(&app).await);
    open(&app, &server).await;
    for (token, status) in
        [("", StatusCode::UNAUTHORIZED), ("unknown", StatusCode::UNAUTHORIZED), (&web, StatusCode::FORBIDDEN)]
    {
        for path in ["/api/client/features", STREAMING] {
            assert_eq!(get(&app, token, path).await.status, status, "{path} {token:?}");
        }
    }
}

#[actix_web::test]
async fn stream_ends_when_its_token_is_deleted() {
    let app = TestApp::embedded().await;
    create(&app, "first", everyone(), json!({})).await;
    let (kept, deleted) =
        (token(&app, "kept", "client", json!({})).await, token(&app, "deleted", "client", json!({})).await);
    let (mut stays, ends) = (open(&app, &kept).await, open(&app, &deleted).await);
    let headers = [("content-type", "application/json")];
    let response = app.send(Method::DELETE, "/api/admin/api-tokens/deleted", &headers, "").await;
    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    ends.end().await;
    switch(&app, "first", "off").await;
    assert_eq!(Client::default().apply(&stays.next().await.unwrap()), ["feature-updated"]);
}

#[actix_web::test]
async fn stream_without_token_ends_when_the_first_client_token_is_created() {
    let app = TestApp::embedded().await;
    let reader = open(&app, "").await;
    token(&app, "server", "client", json!({})).await;
    reader.end().await;
}
