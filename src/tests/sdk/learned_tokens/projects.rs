//! Several client tokens of one environment, with different projects.

use actix_web::http::StatusCode;
use serde_json::json;

use super::{FLAGS, FRONTEND, OFTEN, RARELY, SOON, WEB, WEB_SHOP, body, code, start_with, wait_until};
use crate::sdk::{get, names, post};
use crate::support::app::TestApp;
use crate::support::client_api::ClientApi;

/// Client tokens of the settings: of one project each, and of two. The last one does not name them.
const SHOP: &str = "shop:production.0123456789abcdef0123";
const TILL: &str = "till:production.0123456789abcdef0124";
const BOTH: &str = "[]:production.0123456789abcdef0125";
/// A frontend token of two projects.
const WEB_BOTH: &str = "[]:production.fedcba9876543210fede";

/// Starts an upstream with toggles of two projects, of which the one depends on the other.
async fn start_upstream() -> ClientApi {
    let api = ClientApi::start(&[]).await;
    let child = json!({
        "name": "child", "project": "till", "enabled": true, "strategies": [], "dependencies": [{ "feature": "pay" }]
    });
    let till = json!({ "version": 2, "features": [child] });
    api.set(SHOP, &body(&[("pay", "shop")]), "\"1\"");
    api.set(TILL, &till.to_string(), "\"1\"");
    api.set(BOTH, &body(&[("pay", "shop"), ("other", "till")]), "\"1\"");
    api.add_token(SHOP, "client", &["shop"]);
    api.add_token(TILL, "client", &["till"]);
    api.add_token(BOTH, "client", &["shop", "till"]);
    api.add_token(WEB, "frontend", &["*"]);
    api.add_token(WEB_SHOP, "frontend", &["shop"]);
    api.add_token(WEB_BOTH, "frontend", &["till", "shop"]);
    api
}

async fn assert_missing(app: &TestApp, token: &str, projects: &str) {
    let response = get(app, token, FRONTEND).await;
    assert_eq!(code(&response), (503, "projects_not_covered".to_owned()), "{}", response.body);
    let message = response.json()["message"].as_str().unwrap().to_owned();
    assert!(message.contains(&format!("reads: {projects}. ")), "{message}");
}

#[actix_web::test]
async fn toggles_of_all_client_tokens_are_merged() {
    let api = start_upstream().await;
    let app = start_with(&api, &format!("{SHOP}\n{TILL}"), RARELY, &[]).await;
    assert_eq!(names(&get(&app, WEB_SHOP, FRONTEND).await), ["pay"]);
    assert_eq!(names(&get(&app, WEB_BOTH, FRONTEND).await), ["pay", "child"]);
    assert_missing(&app, WEB, "all (*)").await;
    // A client token itself gets its own toggles.
    let flags = post(&app, SHOP, FLAGS, &json!({})).await;
    assert_eq!(flags.json()["flags"].as_array().map(Vec::len), Some(1), "{}", flags.body);
}

#[actix_web::test]
async fn error_names_the_projects_without_a_client_token() {
    let api = start_upstream().await;
    let app = start_with(&api, SHOP, RARELY, &[]).await;
    assert_eq!(names(&get(&app, WEB_SHOP, FRONTEND).await), ["pay"]);
    assert_missing(&app, WEB_BOTH, "till").await;
    let app = start_with(&api, BOTH, RARELY, &[]).await;
    assert_eq!(names(&get(&app, WEB_BOTH, FRONTEND).await), ["pay", "other"]);
}

#[actix_web::test]
async fn refused_client_token_does_not_affect_the_projects_of_others() {
    let api = start_upstream().await;
    let app = start_with(&api, &format!("{SHOP}\n{TILL}"), OFTEN, &["--replica-refresh", SOON]).await;
    wait_until(async || get(&app, WEB_BOTH, FRONTEND).await.status == StatusCode::OK).await;
    // It is also the one that the upstream must list.
    api.revoke(SHOP);
    api.remove_token(SHOP);
    wait_until(async || get(&app, WEB_BOTH, FRONTEND).await.status != StatusCode::OK).await;
    assert_missing(&app, WEB_BOTH, "shop").await;
    let till = "till:production.fedcba9876543210fedf";
    api.add_token(till, "frontend", &["till"]);
    wait_until(async || get(&app, till, FRONTEND).await.status == StatusCode::OK).await;
    api.remove_token(till);
    wait_until(async || get(&app, till, FRONTEND).await.status == StatusCode::UNAUTHORIZED).await;
}
