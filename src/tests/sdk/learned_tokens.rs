//! Frontend tokens of the upstream, about which Flagdeck asks it: `--frontend-origin`.

mod kept;
mod projects;
mod shared_copies;

use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use actix_web::http::{Method, StatusCode};
use futures_util::future::join_all;
use serde_json::{Value, json};
use tempfile::NamedTempFile;
use tokio::task::yield_now;
use tokio::time::timeout;

use super::sidecar::{NEVER, NO_TOGGLES, SHOP, SHORT_PAUSE, SOON, body, code, file, wait_until};
use super::{FLAGS, FRONTEND, JSON, get, names, post};
use crate::support::app::{Response, TestApp, upstream_of};
use crate::support::client_api::ClientApi;

/// A client token of the settings.
const SERVER: &str = "*:production.0123456789abcdef0123";
/// Frontend tokens of the upstream: of all projects, and of one.
const WEB: &str = "*:production.fedcba9876543210fedc";
const WEB_SHOP: &str = "shop:production.fedcba9876543210fedd";
/// Intervals in which the upstream is asked about known tokens.
const OFTEN: Duration = Duration::from_millis(20);
const RARELY: Duration = Duration::from_hours(24);

/// Starts an upstream with two toggles of different projects, and its tokens.
async fn start_upstream() -> ClientApi {
    let api = ClientApi::start(&[]).await;
    api.set(SERVER, &body(&[("pay", "shop"), ("till", "till")]), "\"1\"");
    api.add_token(SERVER, "client", &["*"]);
    api.add_token(WEB, "frontend", &["*"]);
    api.add_token(WEB_SHOP, "frontend", &["shop"]);
    api
}

/// Starts Flagdeck with these client tokens and this interval of questions about known tokens.
async fn start_with(api: &ClientApi, tokens: &str, interval: Duration, more: &[&str]) -> TestApp {
    let (_file, tokens): (NamedTempFile, _) = file(tokens);
    let own = ["--upstream", &api.stub.url, "--upstream-token", &tokens, "--frontend-origin", SHOP];
    TestApp::adjusted(&[&own, more].concat(), |config| {
        let upstream = upstream_of(config);
        upstream.pause = SHORT_PAUSE;
        let replica = upstream.replica.as_mut().unwrap();
        replica.token_interval = interval;
        if interval == OFTEN {
            replica.token_pause = Duration::from_millis(1);
        }
    })
    .await
}

async fn start(api: &ClientApi, interval: Duration, more: &[&str]) -> TestApp {
    start_with(api, SERVER, interval, &[&["--replica-refresh", NEVER], more].concat()).await
}

/// Waits until a check that sends no request succeeds.
async fn wait_for(check: impl Fn() -> bool) {
    wait_until(async || {
        yield_now().await;
        check()
    })
    .await;
}

/// Waits until the upstream was asked this number of times more.
async fn wait_for_validations(api: &ClientApi, number: usize) {
    let before = api.validations().len();
    wait_for(|| api.validations().len() >= before + number).await;
}

fn assert_undecided(response: &Response) {
    assert_eq!(code(response), (503, "token_undecided".to_owned()), "{}", response.body);
    assert_eq!(response.header("retry-after"), "1");
}

#[actix_web::test]
async fn token_is_learned_with_its_projects() {
    let api = start_upstream().await;
    let app = start(&api, RARELY, &[]).await;
    for (token, visible) in [(WEB, "pay till"), (WEB_SHOP, "pay")] {
        for _ in 0..3 {
            // The environment is that of the token.
            let path = format!("{FRONTEND}?environment=development");
            assert_eq!(names(&get(&app, token, &path).await).join(" "), visible);
            let flags = post(&app, &format!("Bearer {token}"), FLAGS, &json!({})).await;
            let keys: Vec<_> =
                flags.json()["flags"].as_array().unwrap().iter().map(|flag| flag["key"].clone()).collect();
            assert_eq!(json!(keys), json!(visible.split(' ').collect::<Vec<_>>()));
        }
        let hidden = get(&app, token, "/api/frontend/features/till").await;
        assert_eq!(hidden.status == StatusCode::OK, visible.contains("till"), "{token}");
        assert_eq!(api.validations().iter().flatten().filter(|asked| *asked == token).count(), 1);
    }
    assert!(
        api.validations().iter().all(|asked| asked.contains(&SERVER.to_owned())),
        "{:?}",
        api.validations()
    );
    let settings = app.get("/-/settings").await.json();
    for name in ["replica", "servesBrowsers", "servesOpenFeature"] {
        assert_eq!(settings[name], true, "{name}");
    }
    let queries = api.stub.requests().into_iter().filter(|request| request.contains("features?"));
    assert_eq!(queries.count(), 0, "the list of the client token is enough");
}

#[actix_web::test]
async fn server_of_version_5_names_no_environment() {
    let api = start_upstream().await;
    for (token, kind) in [(SERVER, "client"), (WEB, "frontend")] {
        api.set_token(token, json!({ "token": token, "type": kind, "projects": ["*"] }));
    }
    let app = start(&api, RARELY, &[]).await;
    assert_eq!(names(&get(&app, WEB, FRONTEND).await), ["pay", "till"]);
}

#[actix_web::test]
async fn pages_of_the_origins_may_use_the_tokens() {
    let api = start_upstream().await;
    let app = start(&api, RARELY, &[]).await;
    for (origin, status) in [(SHOP, 200), ("https://evil.example", 403)] {
        let headers = [JSON, ("authorization", WEB), ("origin", origin), ("sec-fetch-site", "cross-site")];
        let response = app.send(Method::POST, FRONTEND, &headers, "{}").await;
        assert_eq!(response.status, status, "{origin}: {}", response.body);
        let allowed = if status == 200 { origin } else { "" };
        assert_eq!(response.header("access-control-allow-origin"), allowed);
        let asks = [("origin", origin), ("access-control-request-method", "POST")];
        let preflight = app.send(Method::OPTIONS, FRONTEND, &asks, "").await;
        assert_eq!(preflight.status == StatusCode::NO_CONTENT, status == 200, "{origin}");
    }
}

#[actix_web::test]
async fn simultaneous_requests_with_one_token_cause_one_question() {
    let api = start_upstream().await;
    let app = start(&api, RARELY, &[]).await;
    let responses = join_all((0..20).map(|_| get(&app, WEB, FRONTEND))).await;
    assert!(responses.iter().all(|response| response.status == StatusCode::OK));
    assert_eq!(api.validations().iter().flatten().filter(|asked| *asked == WEB).count(), 1);
}

#[actix_web::test]
async fn tokens_of_another_form_or_environment_are_refused_without_a_request() {
    let api = start_upstream().await;
    let app = start(&api, RARELY, &[]).await;
    assert_eq!(get(&app, WEB, FRONTEND).await.status, StatusCode::OK);
    for token in [
        "*:development.fedcba9876543210fedc",
        "*:production.short",
        "fedcba9876543210fedcba9876543210",
        "user:fedcba9876543210fedcba9876543210",
        "*:production.fedcba9876543210 fedc",
        "*:production.fedcba9876543210\"fedc",
        &format!("*:production.{}", "é".repeat(20)),
    ] {
        for path in [FRONTEND, "/api/proxy", FLAGS] {
            let response = post(&app, token, path, &json!({})).await;
            assert_eq!(code(&response), (401, "token_missing".to_owned()), "{token} {path}");
        }
        assert!(!api.validations().iter().flatten().any(|asked| asked == token), "{token}");
    }
    // A token of this form that belongs to another environment, and one of another kind.
    let [foreign, admin] = ["*:production.fedcba9876543210aaaa", "*:production.fedcba9876543210bbbb"];
    api.set_token(
        foreign,
        json!({ "token": foreign, "type": "frontend", "projects": ["*"], "environment": "development" }),
    );
    api.add_token(admin, "admin", &["*"]);
    for token in [foreign, admin] {
        assert_eq!(get(&app, token, FRONTEND).await.status, StatusCode::UNAUTHORIZED, "{token}");
    }
}

#[actix_web::test]
async fn client_token_of_the_upstream_is_for_servers() {
    let api = start_upstream().await;
    let client = "shop:production.0123456789abcdef0124";
    api.add_token(client, "client", &["shop"]);
    let app = start(&api, RARELY, &[]).await;
    assert_eq!(code(&get(&app, client, FRONTEND).await), (403, "wrong_token_kind".to_owned()));
    let flags = post(&app, client, FLAGS, &json!({})).await;
    assert_eq!(flags.json()["flags"].as_array().map(Vec::len), Some(1), "{}", flags.body);
    let headers = [JSON, ("authorization", client), ("origin", SHOP), ("sec-fetch-site", "cross-site")];
    assert_eq!(app.send(Method::POST, FLAGS, &headers, "{}").await.status, StatusCode::FORBIDDEN);
}

#[actix_web::test]
async fn frontend_token_never_reads_definitions() {
    let api = start_upstream().await;
    // A server that does not tell both kinds apart.
    api.set(WEB, &body(&[("secret", "shop")]), "\"1\"");
    let app = start(&api, RARELY, &[]).await;
    assert_eq!(names(&get(&app, WEB, FRONTEND).await), ["pay", "till"]);
    for path in ["/api/client/features", "/api/client/features?project=shop", "/api/client/streaming"] {
        let response = get(&app, WEB, path).await;
        assert_eq!(response.status, StatusCode::FORBIDDEN, "{path}: {}", response.body);
        assert!(!response.body.contains("secret"), "{path}");
    }
}

#[actix_web::test]
async fn only_a_list_with_the_client_token_refuses_a_token() {
    let api = start_upstream().await;
    let app = start(&api, OFTEN, &[]).await;
    assert_eq!(get(&app, WEB, FRONTEND).await.status, StatusCode::OK);
    let other =
        json!({ "tokens": [{ "token": WEB_SHOP, "type": "frontend", "projects": ["shop"] }] }).to_string();
    let without_projects =
        json!({ "tokens": [{ "token": SERVER, "type": "client", "projects": [] }] }).to_string();
    for (status, body) in [
        ("200 OK", r#"{"tokens":[]}"#),
        ("200 OK", other.as_str()),
        ("200 OK", without_projects.as_str()),
        ("200 OK", r#"{"other":true}"#),
        ("200 OK", "<html>"),
        ("201 Created", r#"{"tokens":[]}"#),
        ("401 Unauthorized", "{}"),
        ("404 Not Found", "{}"),
        ("500 Internal Server Error", "{}"),
    ] {
        api.set_validation(Some((status, body)));
        wait_for_validations(&api, 3).await;
        assert_eq!(get(&app, WEB, FRONTEND).await.status, StatusCode::OK, "{status} {body}");
        let unknown = "*:production.fedcba9876543210cccc";
        assert_undecided(&get(&app, unknown, FRONTEND).await);
    }
    api.set_down(true);
    wait_for_validations(&api, 3).await;
    assert_eq!(get(&app, WEB, FRONTEND).await.status, StatusCode::OK);
    api.set_down(false);
    api.set_validation(None);
    wait_for_validations(&api, 3).await;
    assert_eq!(get(&app, WEB, FRONTEND).await.status, StatusCode::OK);
    api.remove_token(WEB);
    wait_until(async || get(&app, WEB, FRONTEND).await.status == StatusCode::UNAUTHORIZED).await;
    assert_eq!(get(&app, WEB_SHOP, FRONTEND).await.status, StatusCode::OK);
}

/// Unleash 8.2 lists a deleted token until the server is restarted.
#[actix_web::test]
async fn listed_token_that_the_server_refuses_is_deleted() {
    let api = start_upstream().await;
    let app = start(&api, OFTEN, &[]).await;
    assert_eq!(get(&app, WEB, FRONTEND).await.status, StatusCode::OK);
    for (other_kind, status) in [
        ("200 OK", "401 Unauthorized"),
        ("401 Unauthorized", "401 Unauthorized"),
        ("403 Forbidden", "403 Forbidden"),
        ("403 Forbidden", "404 Not Found"),
        ("403 Forbidden", "500 Internal Server Error"),
    ] {
        api.set_path("/api/client/features", WEB, status, "{}");
        api.set_path("/api/client/features", WEB_SHOP, "403 Forbidden", "{}");
        api.set_path("/api/frontend", SERVER, other_kind, "{}");
        wait_for_validations(&api, 3).await;
        assert_eq!(get(&app, WEB, FRONTEND).await.status, StatusCode::OK, "{other_kind} {status}");
    }
    api.set_path("/api/client/features", WEB, "401 Unauthorized", "{}");
    wait_until(async || get(&app, WEB, FRONTEND).await.status == StatusCode::UNAUTHORIZED).await;
    assert_eq!(get(&app, WEB_SHOP, FRONTEND).await.status, StatusCode::OK);
}

#[actix_web::test]
async fn answer_counts_up_to_the_maximum_age() {
    let api = start_upstream().await;
    let more = ["--replica-max-stale", "1s", "--replica-refresh", SOON];
    let app = start_with(&api, SERVER, OFTEN, &more).await;
    wait_until(async || get(&app, WEB, FRONTEND).await.status == StatusCode::OK).await;
    api.set_validation(Some(("500 Internal Server Error", "{}")));
    wait_until(async || get(&app, WEB, FRONTEND).await.status != StatusCode::OK).await;
    assert_undecided(&get(&app, WEB, FRONTEND).await);
    // The toggles are still fresh.
    assert_eq!(post(&app, SERVER, FLAGS, &json!({})).await.status, StatusCode::OK);
    api.set_validation(None);
    wait_until(async || get(&app, WEB, FRONTEND).await.status == StatusCode::OK).await;
}

#[actix_web::test]
async fn undecided_token_gets_an_error_that_pages_can_read() {
    let api = start_upstream().await;
    let app = start(&api, OFTEN, &[]).await;
    assert_eq!(get(&app, WEB, FRONTEND).await.status, StatusCode::OK);
    api.set_down(true);
    let headers = [JSON, ("authorization", WEB_SHOP), ("origin", SHOP), ("sec-fetch-site", "cross-site")];
    let response = app.send(Method::POST, FRONTEND, &headers, "{}").await;
    assert_undecided(&response);
    assert_eq!(response.header("access-control-allow-origin"), SHOP);
    assert_eq!(get(&app, WEB, FRONTEND).await.status, StatusCode::OK, "known tokens are unaffected");
    api.set_down(false);
    wait_until(async || get(&app, WEB_SHOP, FRONTEND).await.status == StatusCode::OK).await;
}

#[actix_web::test]
async fn unknown_tokens_cause_one_question_a_second() {
    let api = start_upstream().await;
    let app = start(&api, RARELY, &["--trusted-proxy", "127.0.0.1"]).await;
    assert_eq!(get(&app, WEB, FRONTEND).await.status, StatusCode::OK);
    let (before, start_time) = (api.validations().len(), Instant::now());
    let from = async |number: u32, token: &str| {
        let address = Ipv4Addr::from_bits(0x0A00_0000 + number).to_string();
        let headers = [("authorization", token), ("x-forwarded-for", address.as_str())];
        app.send(Method::GET, FRONTEND, &headers, "").await.status
    };
    let attack = join_all((0..1_000_u32).map(async |number| {
        // 20 networks with 50 tokens each.
        from(number % 20, &format!("*:production.fedcba98765432{number:06}")).await
    }));
    let known = async {
        for _ in 0..100 {
            assert_eq!(get(&app, WEB, FRONTEND).await.status, StatusCode::OK);
        }
        // A new token of another network precedes those that wait.
        let answered = timeout(Duration::from_secs(4), from(77, WEB_SHOP)).await;
        assert_eq!(answered.expect("it waits behind the others"), StatusCode::OK);
    };
    let (statuses, ()) = futures_util::join!(attack, known);
    let seconds = usize::try_from(start_time.elapsed().as_secs()).unwrap();
    let asked = &api.validations()[before..];
    assert!(asked.len() <= seconds + 2, "{} requests in {seconds} s", asked.len());
    assert!(asked.iter().all(|tokens| tokens.len() <= 21), "{asked:?}");
    let count = |status: StatusCode| statuses.iter().filter(|other| **other == status).count();
    let (refused, undecided) = (count(StatusCode::UNAUTHORIZED), count(StatusCode::SERVICE_UNAVAILABLE));
    assert_eq!(refused + undecided + count(StatusCode::TOO_MANY_REQUESTS), 1_000, "{statuses:?}");
    assert!(refused > 0 && refused <= 20 * asked.len(), "{refused}");
}

#[actix_web::test]
async fn unknown_tokens_of_one_network_are_limited() {
    let api = start_upstream().await;
    let app = start(&api, OFTEN, &[]).await;
    assert_eq!(get(&app, WEB, FRONTEND).await.status, StatusCode::OK);
    let mut refused = 0;
    for number in 0..110 {
        let response = get(&app, &format!("*:production.fedcba98765432{number:06}"), FRONTEND).await;
        if response.status == StatusCode::TOO_MANY_REQUESTS {
            assert_eq!(code(&response).1, "too_many_tokens");
            refused += 1;
        } else {
            assert_eq!(response.status, StatusCode::UNAUTHORIZED);
        }
    }
    assert_eq!(refused, 10);
    assert_eq!(get(&app, WEB, FRONTEND).await.status, StatusCode::OK);
}

#[actix_web::test]
async fn tokens_of_the_file_work_beside_those_of_the_upstream() {
    let api = start_upstream().await;
    api.set_selection(SERVER, "tag=team%3Aa", &body(&[("till", "till")]));
    api.set_selection(SERVER, "tag=flagdeck%3Ano-such-tag", NO_TOGGLES);
    // The file has precedence.
    let tokens = format!("[tagged]\nsecret = \"{WEB_SHOP}\"\ntags = [\"team:a\"]\n");
    let (_file, tokens) = file(&tokens);
    let app = start(&api, RARELY, &["--frontend-tokens", &tokens]).await;
    assert_eq!(names(&get(&app, WEB_SHOP, FRONTEND).await), ["till"]);
    assert_eq!(names(&get(&app, WEB, FRONTEND).await), ["pay", "till"]);
    assert!(!api.validations().iter().flatten().any(|asked| asked == WEB_SHOP));
}

#[actix_web::test]
async fn reports_have_the_client_token() {
    let api = start_upstream().await;
    let app = start(&api, RARELY, &[]).await;
    let toggles = json!({ "pay": { "yes": 1, "no": 0 }, "till": { "yes": 1, "no": 0 } });
    let report = json!({ "appName": "web", "bucket": { "start": "s", "stop": "e", "toggles": toggles } });
    let response = post(&app, WEB_SHOP, "/api/frontend/client/metrics", &report).await;
    assert_eq!(response.status, StatusCode::ACCEPTED, "{}", response.body);
    let is_report =
        |request: &str| request.starts_with("POST /api/client/metrics") && request.contains("\"pay\"");
    api.stub.wait_for(is_report).await;
    let report = api.stub.requests().into_iter().find(|request| is_report(request)).unwrap();
    assert!(report.contains(&format!("authorization: {SERVER}\r\n")) && !report.contains("till"), "{report}");
}

#[actix_web::test]
async fn browsers_are_forwarded_without_origins() {
    let api = start_upstream().await;
    let (_file, tokens) = file(SERVER);
    let app = TestApp::with(&["--upstream", &api.stub.url, "--upstream-token", &tokens, "--replica"]).await;
    assert_eq!(get(&app, WEB, FRONTEND).await.json(), json!({ "other": true }));
    assert!(api.validations().is_empty());
    let flags: Value = post(&app, WEB, FLAGS, &json!({})).await.json();
    assert_eq!(flags["code"], "token_missing");
}
