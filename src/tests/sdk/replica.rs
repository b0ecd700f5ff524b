//! The replica for SDKs in front of an upstream.

mod bounds;
mod kept;
mod operation;
mod outage;
mod reports;

use std::io::Read as _;
use std::time::{Duration, Instant};

use actix_web::http::{Method, StatusCode};
use flagdeck::config::Config;
use flate2::read::GzDecoder;
use futures_util::future::join_all;
use tokio::time::timeout;

use crate::support::app::{Response, TestApp, upstream_of};
use crate::support::client_api::{ClientApi, body_of};

const PATH: &str = "/api/client/features";
/// An interval that does not end during a test.
const NEVER: &str = "24h";
/// An interval of which a test waits for several.
const SOON: &str = "20ms";
/// Time for which the circuit breaker refuses requests.
const SHORT_PAUSE: Duration = Duration::from_millis(20);

/// Starts a replica with this interval.
async fn start(api: &ClientApi, refresh: &str, arguments: &[&str]) -> TestApp {
    let own = ["--upstream", &api.stub.url, "--replica", "--replica-refresh", refresh];
    let adjust = |config: &mut Config| {
        config.listen.workers = Some(2);
        upstream_of(config).pause = SHORT_PAUSE;
    };
    TestApp::adjusted(&[&own, arguments].concat(), adjust).await
}

/// Reads the toggles with a token, like an SDK that supports segments.
async fn read(app: &TestApp, token: &str) -> Response {
    app.send(Method::GET, PATH, &[("authorization", token), ("unleash-client-spec", "5.2.0")], "").await
}

/// Sends requests until a response matches a condition, and returns it.
async fn read_until(app: &TestApp, token: &str, fulfilled: impl Fn(&Response) -> bool) -> Response {
    let search = async {
        loop {
            let response = read(app, token).await;
            if fulfilled(&response) {
                return response;
            }
        }
    };
    timeout(Duration::from_secs(30), search).await.expect("no such response")
}

fn is_stale(response: &Response) -> bool {
    response.status == StatusCode::OK && !response.header("x-flagdeck-stale").is_empty()
}

#[actix_web::test]
async fn responses_are_identical_to_direct_responses() {
    for (token, tag) in [("weak", "W/\"1-x\""), ("strong", "\"1-x\"")] {
        let api = ClientApi::start(&[]).await;
        api.set(token, &body_of(token, 1), tag);
        let (direct, replica) = (TestApp::beside(&api.stub.url).await, start(&api, NEVER, &[]).await);
        for specification in ["", "4.1.9", "4.2.0", "5.2.0", "6.1.0"] {
            for method in [Method::GET, Method::HEAD] {
                let headers = [("authorization", token), ("unleash-client-spec", specification)];
                let headers = if specification.is_empty() { &headers[..1] } else { &headers };
                let expected = direct.send(method.clone(), PATH, headers, "").await;
                let response = replica.send(method.clone(), PATH, headers, "").await;
                assert_eq!(response.status, expected.status);
                assert_eq!(response.body, expected.body, "{method} {specification}");
                for name in ["content-type", "content-length"] {
                    assert_eq!(response.header(name), expected.header(name), "{method} {name}");
                }
                let inlined = response.header("etag").contains("inlined");
                assert_eq!(
                    (inlined, response.header("etag")),
                    (["", "4.1.9"].contains(&specification), expected.header("etag"))
                );
                assert_eq!((response.header("age"), response.header("x-flagdeck-stale")), ("0", ""));
            }
        }
    }
}

#[actix_web::test]
async fn compressed_body_has_the_same_content_and_a_weak_tag() {
    let api = ClientApi::start(&["weak"]).await;
    api.set("strong", &body_of("strong", 1), "\"1\"");
    let app = start(&api, NEVER, &[]).await;
    for token in ["weak", "strong"] {
        let request = awc::Client::new().get(app.url(PATH)).no_decompress();
        let request =
            request.insert_header(("accept-encoding", "gzip")).insert_header(("authorization", token));
        let mut response = request.insert_header(("unleash-client-spec", "5.2.0")).send().await.unwrap();
        assert_eq!(response.headers().get("content-encoding").unwrap(), "gzip");
        assert_eq!(response.headers().get("etag").unwrap(), "W/\"1\"", "RFC 9110, 8.8.3");
        let (bytes, mut text) = (response.body().await.unwrap(), String::new());
        GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
        assert_eq!(text, body_of(token, 1));
    }
}

#[actix_web::test]
async fn unchanged_toggles_return_304() {
    let api = ClientApi::start(&["weak", "none"]).await;
    api.set("strong", &body_of("strong", 1), "\"1\"");
    api.set("none", &body_of("none", 1), "");
    let app = start(&api, NEVER, &[]).await;
    for token in ["weak", "strong", "none"] {
        let tag = read(&app, token).await.header("etag").to_owned();
        let opaque = tag.trim_start_matches("W/").to_owned();
        assert!(opaque.len() > 2, "{token}: {tag}");
        for (known, expected) in [
            (tag.clone(), 304),
            (opaque.clone(), 304),
            (format!("W/{opaque}"), 304),
            (format!("\"other\", {tag}"), 304),
            ("\"other\"".to_owned(), 200),
        ] {
            let headers =
                [("authorization", token), ("unleash-client-spec", "5.2.0"), ("if-none-match", &known)];
            let response = app.send(Method::GET, PATH, &headers, "").await;
            assert_eq!(response.status.as_u16(), expected, "{token} {known}");
            assert_eq!((response.header("etag"), response.body.is_empty()), (tag.as_str(), expected == 304));
        }
    }
    assert_eq!(api.reads(), 3);
}

#[actix_web::test]
async fn upstream_gets_one_request_per_key_and_interval_at_any_load() {
    let api = ClientApi::start(&["a"]).await;
    let app = start(&api, NEVER, &[]).await;
    let responses = join_all((0..200).map(|_| read(&app, "a"))).await;
    assert!(responses.iter().all(|response| response.body == body_of("a", 1)));
    assert_eq!(api.reads(), 1);
    let start_time = Instant::now();
    let app = start(&api, "50ms", &[]).await;
    while api.reads() < 6 {
        join_all((0..20).map(|_| read(&app, "a"))).await;
    }
    let intervals = start_time.elapsed().as_millis() / 50;
    assert!(api.reads() - 1 <= usize::try_from(intervals).unwrap() + 1, "{} in {intervals}", api.reads());
    let [first, others @ ..] = &api.stub.requests()[1..] else { panic!() };
    assert!(!first.contains("if-none-match"), "{first}");
    assert!(others.iter().all(|request| request.contains("if-none-match: W/\"1\"\r\n")), "{others:?}");
}

#[actix_web::test]
async fn change_of_the_upstream_becomes_visible() {
    let api = ClientApi::start(&["a"]).await;
    let app = start(&api, SOON, &[]).await;
    assert_eq!(read(&app, "a").await.body, body_of("a", 1));
    api.set("a", &body_of("a", 2), "\"2\"");
    let changed = read_until(&app, "a", |response| response.body == body_of("a", 2)).await;
    assert_eq!(changed.header("etag"), "\"2\"");
}

#[actix_web::test]
async fn each_token_gets_its_own_toggles() {
    let tokens: Vec<_> = (0..20).map(|number| format!("token-{number}")).collect();
    let api = ClientApi::start(&tokens.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let app = start(&api, SOON, &[]).await;
    for _ in 0..5 {
        let responses = join_all(tokens.iter().map(|token| read(&app, token))).await;
        for (token, response) in tokens.iter().zip(responses) {
            assert_eq!(response.body, body_of(token, 1));
        }
        assert_eq!(app.get(PATH).await.status, StatusCode::UNAUTHORIZED, "without a token");
    }
    let both = [("authorization", "token-1"), ("authorization", "token-2")];
    assert_ne!(app.send(Method::GET, PATH, &both, "").await.body, body_of("token-2", 1));
}

#[actix_web::test]
async fn other_requests_are_forwarded_and_never_cached() {
    let api = ClientApi::start(&["a"]).await;
    let app = start(&api, NEVER, &[]).await;
    let session = [("cookie", "session=1")];
    for (method, path, headers) in [
        (Method::GET, "/api/admin/other", &[("authorization", "a")]),
        (Method::POST, "/api/client/features/x", &[("authorization", "a")]),
        (Method::GET, "/api/client/features", &session),
        (Method::POST, "/api/client/metrics", &[("authorization", "a")]),
        (Method::OPTIONS, "/api/client/features", &[("authorization", "a")]),
    ] {
        let before = api.stub.requests().len();
        for _ in 0..3 {
            app.send(method.clone(), path, headers, "").await;
        }
        assert_eq!(api.stub.requests().len(), before + 3, "{method} {path}");
    }
}

#[actix_web::test]
async fn readiness_waits_for_the_first_response_to_the_token() {
    let api = ClientApi::start(&["warm"]).await;
    api.set_down(true);
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "warm\n").unwrap();
    let token = format!("@{}", file.path().display());
    let app = start(&api, SOON, &["--upstream-token", &token, "--admin-listen", "0"]).await;
    let admin = TestApp::at(app.admin_port.unwrap());
    api.stub.wait_for(|request| request.contains("authorization: warm")).await;
    assert_eq!(admin.get("/readyz").await.json()["code"], "no_recent_copy");
    assert_eq!(admin.get("/livez").await.status, StatusCode::OK);
    api.set_down(false);
    let ready = async {
        while admin.get("/readyz").await.status != StatusCode::OK {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(30), ready).await.expect("never ready");
    let reads = api.reads();
    assert_eq!(read(&app, "warm").await.body, body_of("warm", 1));
    assert!(reads > 0);
}
