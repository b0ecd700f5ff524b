//! Several environments of the upstream, and clients without frontend tokens.

use actix_web::http::{Method, StatusCode};
use serde_json::json;

use super::outage::{check_readiness, wait_until};
use super::{FLAGS, FRONTEND, JSON, NEVER, SERVER, SHOP, SOON, body, code, file, keys, start_with_tokens};
use crate::sdk::{get, names, post};
use crate::support::app::TestApp;
use crate::support::client_api::ClientApi;
use crate::support::events::EventReader;

/// Token of another environment of the upstream.
const DEVELOPMENT: &str = "shop:development.9876543210";
/// Secrets of frontend tokens of both environments, and of a limited one.
const LIVE: &str = "live-0123456789abcdef";
const TEST: &str = "test-0123456789abcdef";
const TEST_SHOP: &str = "test-shop-0123456789abcdef";

/// Starts an upstream whose toggles depend on the environment.
async fn start_upstream() -> ClientApi {
    let api = ClientApi::start(&[]).await;
    api.set(SERVER, &body(&[("live", "shop")]), "\"1\"");
    api.set(DEVELOPMENT, &body(&[("test", "shop"), ("till", "till")]), "\"1\"");
    api.set_selection(DEVELOPMENT, "project=shop", &body(&[("test", "shop")]));
    api.set_selection(DEVELOPMENT, "project=flagdeck-no-such-project", super::NO_TOGGLES);
    api
}

/// Starts Flagdeck with tokens of both environments.
async fn start(api: &ClientApi, refresh: &str, more: &[&str]) -> TestApp {
    let client = format!("# Environments\n{SERVER}\n{DEVELOPMENT}\n");
    let frontend = format!(
        "[live]\nsecret = \"{LIVE}\"\nenvironment = \"production\"\norigins = [\"{SHOP}\"]\n\
         [test]\nsecret = \"{TEST}\"\nenvironment = \"development\"\n\
         [test-shop]\nsecret = \"{TEST_SHOP}\"\nenvironment = \"development\"\nprojects = [\"shop\"]\n"
    );
    start_with_tokens(api, refresh, [&client, &frontend], more).await
}

#[actix_web::test]
async fn each_token_gets_the_toggles_of_its_environment() {
    let api = start_upstream().await;
    let app = start(&api, NEVER, &[]).await;
    for (token, visible) in [(LIVE, "live"), (TEST, "test till"), (TEST_SHOP, "test")] {
        assert_eq!(names(&get(&app, token, FRONTEND).await).join(" "), visible);
        assert_eq!(keys(&post(&app, token, FLAGS, &json!({})).await).join(" "), visible);
    }
    // OpenFeature clients of servers.
    for (token, visible) in [(SERVER, "live"), (DEVELOPMENT, "test till")] {
        assert_eq!(keys(&post(&app, token, FLAGS, &json!({})).await).join(" "), visible);
        assert_eq!(code(&get(&app, token, FRONTEND).await), (403, "wrong_token_kind".to_owned()));
    }
}

#[actix_web::test]
async fn reports_have_the_client_token_of_their_environment() {
    let api = start_upstream().await;
    let app = start(&api, NEVER, &[]).await;
    for (token, app_name) in [(LIVE, "live-page"), (TEST_SHOP, "test-page")] {
        let report = json!({ "appName": app_name, "bucket": { "start": "s", "stop": "e", "toggles": {} } });
        let response = post(&app, token, "/api/frontend/client/metrics", &report).await;
        assert_eq!(response.status, StatusCode::ACCEPTED, "{}", response.body);
    }
    for (app_name, client_token) in [("live-page", SERVER), ("test-page", DEVELOPMENT)] {
        let is_report = |request: &str| request.starts_with("POST ") && request.contains(app_name);
        api.stub.wait_for(is_report).await;
        let report = api.stub.requests().into_iter().find(|request| is_report(request)).unwrap();
        assert!(report.contains(&format!("authorization: {client_token}\r\n")), "{report}");
    }
}

#[actix_web::test]
async fn readiness_waits_for_every_environment() {
    let api = start_upstream().await;
    api.set_down(true);
    let app = start(&api, SOON, &["--admin-listen", "0"]).await;
    check_readiness(&api, &app).await;
    // No request has read these copies yet.
    assert_eq!(names(&get(&app, LIVE, FRONTEND).await), ["live"]);
    assert_eq!(names(&get(&app, TEST_SHOP, FRONTEND).await), ["test"]);
}

#[actix_web::test]
async fn revoked_token_of_an_environment_does_not_affect_the_others() {
    let api = start_upstream().await;
    let app = start(&api, SOON, &[]).await;
    let response = post(&app, LIVE, FLAGS, &json!({})).await;
    assert_eq!(keys(&response), ["live"]);
    let stream = response.json()["eventStreams"][0]["endpoint"]["requestUri"].as_str().unwrap().to_owned();
    api.revoke(DEVELOPMENT);
    wait_until(async || get(&app, TEST, FRONTEND).await.status == StatusCode::BAD_GATEWAY).await;
    assert_eq!(names(&get(&app, LIVE, FRONTEND).await), ["live"]);
    let mut events = EventReader::open(&app, &stream, "").await;
    let first = events.next().await.unwrap();
    api.set(SERVER, &body(&[("new", "shop")]), "\"2\"");
    assert_ne!(events.next().await.unwrap().id, first.id);
    assert_eq!(names(&get(&app, LIVE, FRONTEND).await), ["new"]);
}

#[actix_web::test]
async fn servers_use_openfeature_without_frontend_tokens() {
    let api = start_upstream().await;
    let (_tokens, tokens) = file(SERVER);
    let app = TestApp::with(&["--upstream", &api.stub.url, "--replica", "--upstream-token", &tokens]).await;
    assert_eq!(keys(&post(&app, SERVER, FLAGS, &json!({})).await), ["live"]);
    let headers = [JSON, ("authorization", SERVER), ("origin", SHOP), ("sec-fetch-site", "cross-site")];
    let page = app.send(Method::POST, FLAGS, &headers, "{}").await;
    assert_eq!(page.status, StatusCode::FORBIDDEN, "{}", page.body);
    // The upstream has frontend tokens of its own.
    let forwarded = get(&app, "frontend-token", FRONTEND).await;
    assert_eq!(forwarded.json(), json!({ "other": true }));
    let settings = app.get("/-/settings").await.json();
    let serves = ["replica", "servesBrowsers", "servesOpenFeature"].map(|name| settings[name].clone());
    assert_eq!(json!(serves), json!([true, false, true]));
}

#[actix_web::test]
async fn client_token_alone_does_not_start_the_replica() {
    let api = start_upstream().await;
    let (_tokens, tokens) = file(SERVER);
    let app = TestApp::with(&["--upstream", &api.stub.url, "--upstream-token", &tokens]).await;
    for _ in 0..2 {
        assert_eq!(get(&app, SERVER, "/api/client/features").await.status, StatusCode::OK);
    }
    assert_eq!(api.reads(), 2);
    assert_eq!(code(&post(&app, SERVER, FLAGS, &json!({})).await), (404, "unknown_path".to_owned()));
    assert_eq!(app.get("/-/settings").await.json()["replica"], false);
}
