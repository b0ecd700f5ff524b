//! While the upstream does not respond or refuses the token.

use std::time::Duration;

use actix_web::http::StatusCode;
use serde_json::json;
use tokio::time::timeout;

use super::{FLAGS, FRONTEND, SERVER, SOON, TAGGED, WEB, code, start, start_upstream};
use crate::sdk::{get, names, post};
use crate::support::app::{Response, TestApp};
use crate::support::client_api::ClientApi;

/// Repeats a check until it succeeds.
pub(in crate::sdk) async fn wait_until(check: impl AsyncFn() -> bool) {
    let search = async { while !check().await {} };
    timeout(Duration::from_secs(30), search).await.expect("the condition is never true");
}

/// Checks that the app is not ready until the upstream responds. Afterwards, the upstream is down again.
pub(super) async fn check_readiness(api: &ClientApi, app: &TestApp) {
    let admin = TestApp::at(app.admin_port.unwrap());
    assert_eq!(admin.get("/readyz").await.json()["code"], "no_recent_copy");
    api.set_down(false);
    wait_until(async || admin.get("/readyz").await.status == StatusCode::OK).await;
    api.set_down(true);
}

fn is_fresh(response: &Response) -> bool {
    response.status == StatusCode::OK && response.header("x-flagdeck-stale").is_empty()
}

async fn evaluate(app: &TestApp, token: &str) -> [Response; 2] {
    [get(app, token, FRONTEND).await, post(app, token, FLAGS, &json!({})).await]
}

#[actix_web::test]
async fn last_toggles_are_served_with_their_age() {
    let api = start_upstream().await;
    let app = start(&api, SOON, &[]).await;
    for token in [WEB, TAGGED] {
        wait_until(async || is_fresh(&get(&app, token, FRONTEND).await)).await;
    }
    api.set_down(true);
    for token in [WEB, TAGGED] {
        wait_until(async || !is_fresh(&get(&app, token, FRONTEND).await)).await;
        for response in evaluate(&app, token).await {
            assert_eq!(response.status, StatusCode::OK, "{}", response.body);
            assert_eq!(response.header("x-flagdeck-stale"), response.header("age"));
        }
    }
    assert_eq!(names(&get(&app, TAGGED, FRONTEND).await), ["till"]);
    api.set_down(false);
    wait_until(async || is_fresh(&get(&app, WEB, FRONTEND).await)).await;
}

#[actix_web::test]
async fn old_toggles_are_not_served() {
    let api = start_upstream().await;
    let app = start(&api, SOON, &["--replica-max-stale", "300ms"]).await;
    // On a busy machine, a copy can be too old although the upstream responds.
    wait_until(async || evaluate(&app, WEB).await.iter().all(|response| response.status == StatusCode::OK))
        .await;
    api.set_down(true);
    wait_until(async || get(&app, WEB, FRONTEND).await.status != StatusCode::OK).await;
    for response in evaluate(&app, WEB).await {
        assert_eq!(code(&response), (503, "no_recent_copy".to_owned()));
        assert!(!response.header("retry-after").is_empty());
    }
}

#[actix_web::test]
async fn revoked_token_ends_the_evaluation() {
    let api = start_upstream().await;
    let app = start(&api, SOON, &[]).await;
    for token in [WEB, TAGGED] {
        assert!(names(&get(&app, token, FRONTEND).await).contains(&"till".to_owned()));
    }
    api.revoke(SERVER);
    wait_until(async || get(&app, WEB, FRONTEND).await.status != StatusCode::OK).await;
    for token in [WEB, TAGGED] {
        for response in evaluate(&app, token).await {
            assert_eq!(code(&response), (502, "unexpected_response".to_owned()));
            let message = response.json()["message"].to_string();
            assert!(message.contains("401 Unauthorized; check the token"), "{message}");
        }
    }
}

#[actix_web::test]
async fn readiness_waits_for_all_selections() {
    let api = start_upstream().await;
    api.set_down(true);
    let app = start(&api, SOON, &["--admin-listen", "0"]).await;
    check_readiness(&api, &app).await;
    // No request of a browser has read these copies yet.
    assert_eq!(names(&get(&app, TAGGED, FRONTEND).await), ["till"]);
    assert_eq!(names(&get(&app, WEB, FRONTEND).await), ["old", "pay", "till"]);
}

#[actix_web::test]
async fn toggles_are_served_after_a_restart() {
    let api = start_upstream().await;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("flagdeck.db");
    let settings = ["--data", data.to_str().unwrap(), "--admin-listen", "0"];
    let app = start(&api, SOON, &settings).await;
    let admin = TestApp::at(app.admin_port.unwrap());
    wait_until(async || admin.get("/readyz").await.status == StatusCode::OK).await;
    app.stop().await;
    api.set_down(true);
    let app = start(&api, SOON, &settings).await;
    for (token, visible) in [(TAGGED, "till"), (WEB, "old pay till")] {
        let response = get(&app, token, FRONTEND).await;
        assert_eq!(names(&response).join(" "), visible);
        assert!(!is_fresh(&response), "{:?}", response.headers);
    }
}
