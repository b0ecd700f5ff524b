//! The browser API and OpenFeature in front of an upstream: `--upstream-token` and `--frontend-tokens`.

mod environments;
mod outage;
mod reports;

pub(super) use self::outage::wait_until;

use std::io::Write as _;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use super::{FLAGS, FRONTEND, JSON, create, everyone, frontend_token, get, names, post, users};
use crate::support::app::{Response, TestApp, upstream_of};
use crate::support::client_api::ClientApi;

/// Token of the upstream.
const SERVER: &str = "*:production.0123456789";
/// Secrets of frontend tokens: without limits, limited to a tag, and to a project.
const WEB: &str = "web-0123456789abcdef";
const TAGGED: &str = "tagged-0123456789abcdef";
const PROJECT: &str = "project-0123456789abcdef";
pub(super) const SHOP: &str = "https://shop.example";
pub(super) const NO_TOGGLES: &str = r#"{ "version": 2, "features": [] }"#;
/// An interval that does not end during a test, and one of which a test waits for several.
pub(super) const NEVER: &str = "24h";
pub(super) const SOON: &str = "20ms";
/// Time for which the circuit breaker refuses requests.
pub(super) const SHORT_PAUSE: Duration = Duration::from_millis(20);

/// Starts Flagdeck in front of an upstream with this refresh interval.
async fn start(api: &ClientApi, refresh: &str, more: &[&str]) -> TestApp {
    let tokens = format!(
        "[web]\nsecret = \"{WEB}\"\norigins = [\"{SHOP}\"]\n\
         [tagged]\nsecret = \"{TAGGED}\"\ntags = [\"frontend:shop\", \"team:a\"]\n\
         [project]\nsecret = \"{PROJECT}\"\nprojects = [\"shop\"]\n"
    );
    start_with_tokens(api, refresh, [SERVER, &tokens], more).await
}

/// Starts Flagdeck with these contents of the files of `--upstream-token` and `--frontend-tokens`.
async fn start_with_tokens(api: &ClientApi, refresh: &str, tokens: [&str; 2], more: &[&str]) -> TestApp {
    let [(_client, client), (_frontend, frontend)] = tokens.map(file);
    let own = ["--upstream", &api.stub.url, "--replica-refresh", refresh];
    let tokens = ["--upstream-token", &client, "--frontend-tokens", &frontend];
    let arguments = [&own[..], &tokens, more].concat();
    TestApp::adjusted(&arguments, |config| upstream_of(config).pause = SHORT_PAUSE).await
}

/// Creates a file, and returns the value of a setting that names it.
pub(super) fn file(content: &str) -> (NamedTempFile, String) {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(content.as_bytes()).unwrap();
    let value = format!("@{}", file.path().display());
    (file, value)
}

/// Returns the body of a server with toggles that are on: names and projects.
pub(super) fn body(toggles: &[(&str, &str)]) -> String {
    let toggles = toggles.iter().map(|(name, project)| {
        json!({ "name": name, "project": project, "enabled": true, "strategies": [{ "name": "default" }] })
    });
    json!({ "version": 2, "features": toggles.collect::<Vec<_>>() }).to_string()
}

/// Starts an upstream with the toggles `pay` of the project `shop` and `till`, of which it selects by project and tag.
async fn start_upstream() -> ClientApi {
    let api = ClientApi::start(&[]).await;
    let all = body(&[("old", "till"), ("pay", "shop"), ("till", "till")]);
    api.set(SERVER, &all, "\"1\"");
    api.set_selection(SERVER, "tag=frontend%3Ashop&tag=team%3Aa", &body(&[("till", "till")]));
    api.set_selection(SERVER, "project=shop", &body(&[("pay", "shop")]));
    api.set_selection(SERVER, "project=flagdeck-no-such-project", NO_TOGGLES);
    api.set_selection(SERVER, "tag=flagdeck%3Ano-such-tag", NO_TOGGLES);
    api
}

/// Returns the keys of all flags in a response of OpenFeature.
fn keys(response: &Response) -> Vec<String> {
    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    let flags = response.json()["flags"].take();
    flags.as_array().unwrap().iter().map(|flag| flag["key"].as_str().unwrap().to_owned()).collect()
}

pub(super) fn code(response: &Response) -> (u16, String) {
    (response.status.as_u16(), response.json()["code"].as_str().unwrap_or_default().to_owned())
}

#[actix_web::test]
async fn results_equal_those_of_the_embedded_service() {
    let embedded = super::start(&[]).await;
    let payload = json!({ "type": "json", "value": "{\"a\":1}" });
    let variants = json!([{ "name": "blue", "weight": 1000, "weightType": "variable", "payload": payload }]);
    let half = json!({ "rollout": "50", "stickiness": "userId", "groupId": "group" });
    create(&embedded, "all", everyone(), json!({ "variants": variants, "impressionData": true })).await;
    create(&embedded, "half", json!([{ "name": "flexibleRollout", "parameters": half }]), json!({})).await;
    create(&embedded, "off", everyone(), json!({ "enabled": false })).await;
    create(&embedded, "own", json!([{ "name": "applicationHostname", "parameters": {} }]), json!({})).await;
    create(&embedded, "seven", users("7"), json!({ "type": "experiment" })).await;
    let token = frontend_token(&embedded).await;
    let api = ClientApi::start(&[]).await;
    let definitions = embedded.send(Method::GET, "/api/client/features", &[], "").await.body;
    api.set(SERVER, &definitions, "\"1\"");
    let app = start(&api, NEVER, &["--base-path", "/flags"]).await;
    for user in 0..20 {
        let unleash = json!({ "context": { "userId": user, "sessionId": "1", "appName": "web" } });
        let open_feature = json!({ "context": { "targetingKey": user.to_string() } });
        for (path, context) in [
            (FRONTEND, &unleash),
            ("/api/proxy", &unleash),
            ("/api/frontend/features/seven", &unleash),
            (FLAGS, &open_feature),
            ("/ofrep/v1/evaluate/flags/all", &open_feature),
            ("/ofrep/v1/evaluate/flags/half:enabled", &open_feature),
            ("/ofrep/v1/evaluate/flags/none", &open_feature),
        ] {
            let expected = post(&embedded, &token, path, context).await;
            let response = post(&app, WEB, &format!("/flags{path}"), context).await;
            // The URL of the event stream contains the base path, and the entity tag covers it.
            let flags = |body: &'_ str| body.split("\"eventStreams\"").next().map(ToOwned::to_owned);
            assert_eq!(
                (response.status, flags(&response.body)),
                (expected.status, flags(&expected.body)),
                "{path} {user}"
            );
            let etag = (path != FLAGS).then_some("etag");
            for name in etag.into_iter().chain(["cache-control", "content-type"]) {
                assert_eq!(response.header(name), expected.header(name), "{path} {name}");
            }
            let is_result = expected.status == StatusCode::OK;
            assert_eq!(response.header("age").parse::<u64>().is_ok(), is_result, "{path}");
            assert_eq!(response.header("x-flagdeck-stale"), "");
        }
    }
    assert_eq!(api.stub.requests().iter().filter(|request| request.contains("POST")).count(), 0);
}

#[actix_web::test]
async fn only_tokens_of_the_settings_get_results() {
    let api = start_upstream().await;
    let app = start(&api, NEVER, &[]).await;
    assert_eq!(names(&get(&app, WEB, FRONTEND).await), ["old", "pay", "till"]);
    assert_eq!(keys(&post(&app, &format!("Bearer {WEB}"), FLAGS, &json!({})).await).len(), 3);
    let by_key = app.send(Method::POST, FLAGS, &[JSON, ("x-api-key", WEB)], "{}").await;
    assert_eq!(keys(&by_key).len(), 3);
    // OpenFeature clients of servers can use the token of the upstream, which can read all definitions anyway.
    assert_eq!(keys(&post(&app, SERVER, FLAGS, &json!({})).await).len(), 3);
    let browser = get(&app, SERVER, FRONTEND).await;
    assert_eq!(code(&browser), (403, "wrong_token_kind".to_owned()));
    let settings = app.get("/-/settings").await.json();
    for name in ["replica", "servesBrowsers", "servesOpenFeature"] {
        assert_eq!(settings[name], true, "{name}");
    }
    // A token that only the upstream knows, and none.
    api.set("other", &body(&[("pay", "shop")]), "\"1\"");
    for headers in [&[JSON][..], &[JSON, ("authorization", "other")], &[JSON, ("authorization", &WEB[1..])]] {
        for path in
            [FRONTEND, "/api/proxy", FLAGS, "/api/frontend/features/pay", "/ofrep/v1/evaluate/flags/pay"]
        {
            let response = app.send(Method::POST, path, headers, "{}").await;
            assert_eq!(code(&response), (401, "token_missing".to_owned()), "{path}");
            assert!(response.json()["message"].to_string().contains("the file of frontend-tokens"));
        }
    }
    // Frontend tokens never read definitions: the upstream does not know them.
    let definitions = get(&app, WEB, "/api/client/features").await;
    assert_eq!(definitions.status, StatusCode::UNAUTHORIZED, "{}", definitions.body);
    let other_path = post(&app, WEB, "/ofrep/v1/other", &json!({})).await;
    assert_eq!(code(&other_path), (404, "unknown_path".to_owned()));
}

#[actix_web::test]
async fn pages_of_allowed_origins_can_use_the_apis() {
    let api = start_upstream().await;
    let app = start(&api, NEVER, &["--read-only"]).await;
    for (token, origin, status) in
        [(WEB, SHOP, 200), (WEB, "https://evil.example", 403), (TAGGED, SHOP, 403), (SERVER, SHOP, 403)]
    {
        for path in [FRONTEND, FLAGS] {
            let headers =
                [JSON, ("authorization", token), ("origin", origin), ("sec-fetch-site", "cross-site")];
            let response = app.send(Method::POST, path, &headers, "{}").await;
            assert_eq!(response.status, status, "{token} {origin}: {}", response.body);
            let allowed = if status == 200 { origin } else { "" };
            assert_eq!(response.header("access-control-allow-origin"), allowed, "{path}");
            assert_eq!(response.header("access-control-allow-credentials"), "");
        }
    }
    for (origin, status) in [(SHOP, 204), ("https://evil.example", 403)] {
        let headers = [("origin", origin), ("access-control-request-method", "POST")];
        let preflight = app.send(Method::OPTIONS, FRONTEND, &headers, "").await;
        assert_eq!(preflight.status, status, "{origin}");
    }
    let change = app.send(Method::POST, "/api/admin/features", &[JSON], "{}").await;
    assert_eq!(code(&change), (403, "read_only".to_owned()));
}

#[actix_web::test]
async fn limited_tokens_get_the_toggles_of_their_projects_and_tags() {
    let api = start_upstream().await;
    let app = start(&api, NEVER, &[]).await;
    for (token, visible) in [(TAGGED, "till"), (PROJECT, "pay"), (WEB, "old pay till")] {
        assert_eq!(names(&get(&app, token, FRONTEND).await).join(" "), visible);
        assert_eq!(keys(&post(&app, token, FLAGS, &json!({})).await).join(" "), visible);
        for name in ["pay", "till", "old"] {
            let status = if visible.contains(name) { StatusCode::OK } else { StatusCode::NOT_FOUND };
            for path in ["/api/frontend/features/", "/ofrep/v1/evaluate/flags/"] {
                let response = post(&app, token, &format!("{path}{name}"), &json!({})).await;
                assert_eq!(response.status, status, "{token} {path}{name}");
            }
        }
    }
}

#[actix_web::test]
async fn limited_tokens_get_nothing_if_the_upstream_ignores_limits() {
    for (ignored, tagged, project) in
        [("tag=flagdeck%3Ano-such-tag", 502, 200), ("project=flagdeck-no-such-project", 200, 502)]
    {
        let api = start_upstream().await;
        api.set_selection(SERVER, ignored, &body(&[("pay", "shop")]));
        let app = start(&api, NEVER, &[]).await;
        for (token, status) in [(TAGGED, tagged), (PROJECT, project), (WEB, 200)] {
            for path in [FRONTEND, FLAGS] {
                let response = post(&app, token, path, &json!({})).await;
                assert_eq!(response.status, status, "{token} {path}: {}", response.body);
                if status == 502 {
                    assert_eq!(code(&response).1, "unexpected_response");
                    assert!(response.body.contains("ignores the parameters"), "{}", response.body);
                }
            }
        }
    }
}

#[actix_web::test]
async fn changes_of_the_upstream_become_visible() {
    let api = start_upstream().await;
    let app = start(&api, SOON, &[]).await;
    assert_eq!(names(&get(&app, TAGGED, FRONTEND).await), ["till"]);
    api.set_selection(SERVER, "tag=frontend%3Ashop&tag=team%3Aa", &body(&[("old", "till")]));
    wait_until(async || names(&get(&app, TAGGED, FRONTEND).await) == ["old"]).await;
    api.set(SERVER, &body(&[("new", "shop")]), "\"2\"");
    wait_until(async || names(&get(&app, WEB, FRONTEND).await) == ["new"]).await;
    let removed: Vec<Value> =
        post(&app, TAGGED, FRONTEND, &json!({})).await.json()["toggles"].as_array().unwrap().clone();
    assert!(removed.is_empty(), "the selection contains a toggle that does not exist any more: {removed:?}");
}

/// Client libraries support different versions of the client specification.
#[actix_web::test]
async fn tokens_of_the_settings_work_for_every_sdk_that_starts_during_an_outage() {
    let api = start_upstream().await;
    let app = start(&api, NEVER, &[]).await;
    wait_until(async || get(&app, WEB, FRONTEND).await.status == StatusCode::OK).await;
    api.set_down(true);
    for version in ["4.2.0", "4.5.1", "5.1.9", "5.2.0", "6.1.0"] {
        let headers = [("authorization", SERVER), ("unleash-client-spec", version)];
        let response = app.send(Method::GET, "/api/client/features", &headers, "").await;
        assert_eq!(response.status, StatusCode::OK, "{version}: {}", response.body);
    }
}
