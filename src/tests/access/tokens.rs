//! Tokens of SDKs.

use std::time::{Duration, Instant};

use actix_web::http::{Method, StatusCode};
use serde_json::json;

use super::{Installation, JSON};
use crate::support::app::TestApp;
use crate::support::engine::skips_file_tests;

const FEATURES: &str = "/api/client/features";

async fn status(app: &TestApp, authorization: &str) -> StatusCode {
    app.send(Method::GET, FEATURES, &[("authorization", authorization)], "").await.status
}

/// Requests until the response has this status. The server needs at most a second; the rest of the time is a reserve
/// for a busy machine.
async fn wait_for_status(app: &TestApp, authorization: &str, wanted: StatusCode) {
    let start = Instant::now();
    while status(app, authorization).await != wanted {
        assert!(start.elapsed() < Duration::from_secs(20), "it never became {wanted}");
    }
}

#[actix_web::test]
async fn client_api_requires_a_token_once_one_exists() {
    let installation = Installation::new();
    let app = installation.start(&[]).await;
    assert_eq!(app.get(FEATURES).await.status, StatusCode::OK);
    let added = installation.run(&["token", "add", "--name", "shop"], "");
    let token = String::from_utf8(added.stdout).unwrap();
    assert!(token.len() == 65 && token.ends_with('\n'), "the token alone: {token:?}");
    assert!(String::from_utf8(added.stderr).unwrap().contains("one time"));
    let token = token.trim_end();

    wait_for_status(&app, "", StatusCode::UNAUTHORIZED).await;
    let refused = app.get(FEATURES).await;
    assert_eq!(refused.json()["code"], "token_needed");
    assert!(refused.json()["message"].as_str().unwrap().contains("Authorization"), "{}", refused.body);
    assert_eq!(status(&app, token).await, StatusCode::OK);
    assert_eq!(status(&app, &format!("Bearer {token}")).await, StatusCode::OK);
    assert_eq!(status(&app, &token.to_uppercase()).await, StatusCode::UNAUTHORIZED);
    let register = json!({ "appName": "shop", "instanceId": "1", "strategies": [], "started": "2026-01-01T00:00:00Z", "interval": 10 })
        .to_string();
    for (path, body) in [("/api/client/register", register.as_str()), ("/api/client/metrics", "{}")] {
        let response = app.send(Method::POST, path, &[JSON], body).await;
        assert_eq!(response.status, StatusCode::UNAUTHORIZED, "{path}");
    }
    let response =
        app.send(Method::POST, "/api/client/register", &[JSON, ("authorization", token)], &register).await;
    assert_eq!(response.status, StatusCode::ACCEPTED, "{}", response.body);
    assert_eq!(
        app.get("/api/admin/features").await.status,
        StatusCode::OK,
        "tokens are for client libraries"
    );

    let second = installation.run_ok(&["token", "add", "--name", "till"], "");
    wait_for_status(&app, second.trim_end(), StatusCode::OK).await;
    installation.run_ok(&["token", "remove", "shop"], "");
    wait_for_status(&app, token, StatusCode::UNAUTHORIZED).await;
    let unconfirmed = installation.run(&["token", "remove", "till"], "y\n");
    let said = String::from_utf8(unconfirmed.stderr).unwrap();
    assert!(unconfirmed.status.code() == Some(1) && said.contains("last client token"), "{said}");
    assert!(said.contains("nothing was removed") && said.contains("--yes"), "{said}");
    assert_eq!(status(&app, second.trim_end()).await, StatusCode::OK);
    let removed = installation.run_ok(&["token", "remove", "till", "--yes"], "");
    assert!(removed.contains("requests of all client libraries are accepted"), "{removed}");
    wait_for_status(&app, "", StatusCode::OK).await;
}

#[actix_web::test]
async fn required_client_tokens_are_required_without_any_token() {
    let required = ["--require-client-tokens"];
    let installation = Installation::new();
    let token = installation.run_ok(&["token", "add", "--name", "shop"], "");
    let app = installation.start(&required).await;
    wait_for_status(&app, token.trim_end(), StatusCode::OK).await;
    // Nothing becomes public, so that no confirmation is necessary.
    let removed = installation.run_ok(&[&["token", "remove", "shop"][..], &required].concat(), "");
    assert!(removed.contains("requests of all client libraries are refused"), "{removed}");
    wait_for_status(&app, token.trim_end(), StatusCode::UNAUTHORIZED).await;
    for (method, path, body) in [
        (Method::GET, FEATURES, ""),
        (Method::GET, "/api/client/features/shop.pay", ""),
        (Method::GET, "/api/client/streaming", ""),
        (Method::POST, "/api/client/metrics", "{}"),
        (Method::POST, "/api/client/register", "{}"),
        (Method::POST, "/ofrep/v1/evaluate/flags", "{}"),
        (Method::POST, "/ofrep/v1/evaluate/flags/shop.pay", "{}"),
        (Method::GET, "/api/frontend", ""),
    ] {
        let response = app.send(method, path, &[JSON], body).await;
        assert_eq!(response.status, StatusCode::UNAUTHORIZED, "{path}: {}", response.body);
    }
    assert_eq!(app.get("/api/admin/features").await.status, StatusCode::OK);
    let list = installation.run_ok(&[&["token", "list"][..], &required].concat(), "");
    assert!(list.contains("are refused"), "{list}");
}

#[actix_web::test]
async fn client_token_does_not_grant_access_to_other_apis() {
    let installation = Installation::new();
    let token = installation.run_ok(&["token", "add", "--name", "shop"], "");
    let app = installation.start_with_passwords().await;
    let token = [("authorization", token.trim_end())];
    assert_eq!(
        app.send(Method::GET, "/api/admin/features", &token, "").await.status,
        StatusCode::UNAUTHORIZED
    );
    assert_eq!(app.send(Method::GET, FEATURES, &token, "").await.status, StatusCode::OK);
}

#[test]
fn token_list_shows_names_only() {
    if skips_file_tests() {
        return;
    }
    let installation = Installation::new();
    let token = installation.run_ok(&["token", "add", "--name", "the shop"], "");
    let list = installation.run_ok(&["token", "list"], "");
    assert!(list.starts_with("the shop, client, added 20") && !list.contains(token.trim_end()), "{list}");
    let bytes = std::fs::read(installation.data()).unwrap();
    assert!(!bytes.windows(64).any(|window| window == token.trim_end().as_bytes()));
    for (arguments, reason) in [
        (&["token", "add", "--name", "the shop"][..], "A token with the name the shop already exists"),
        (&["token", "add", "--name", ""], "\"name\" is not allowed to be empty"),
        (&["token", "remove", "none"], "There is no token none"),
    ] {
        let output = installation.run(arguments, "");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && said.contains(reason), "{arguments:?}: {said}");
    }
}
