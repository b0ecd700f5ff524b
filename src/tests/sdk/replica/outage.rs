//! The replica while the upstream does not respond, and refused tokens.

use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use tokio::time::timeout;

use super::{NEVER, PATH, SOON, is_stale, read, read_until, start};
use crate::support::app::TestApp;
use crate::support::client_api::{ClientApi, body_of};
use crate::support::stub::{Reply, Stub};

#[actix_web::test]
async fn copy_is_served_and_marked_during_an_outage() {
    let api = ClientApi::start(&["a"]).await;
    let app = start(&api, SOON, &[]).await;
    let fresh = read(&app, "a").await;
    assert!(!is_stale(&fresh));
    api.set_down(true);
    let stale = read_until(&app, "a", is_stale).await;
    assert_eq!((&stale.body, stale.header("etag")), (&body_of("a", 1), fresh.header("etag")));
    assert_eq!(stale.header("age"), stale.header("x-flagdeck-stale"));
    let known = [("authorization", "a"), ("unleash-client-spec", "5.2.0"), ("if-none-match", "W/\"1\"")];
    let not_modified = app.send(Method::GET, PATH, &known, "").await;
    assert_eq!(not_modified.status, StatusCode::NOT_MODIFIED);
    assert!(!not_modified.header("x-flagdeck-stale").is_empty());
    api.set("a", &body_of("a", 2), "\"2\"");
    api.set_down(false);
    let fresh = read_until(&app, "a", |response| !is_stale(response)).await;
    assert_eq!(fresh.body, body_of("a", 2));
}

#[actix_web::test]
async fn body_that_is_no_list_of_toggles_does_not_replace_the_copy() {
    let api = ClientApi::start(&["a"]).await;
    let app = start(&api, SOON, &[]).await;
    let good = body_of("a", 1);
    read_until(&app, "a", |response| response.body == good).await;
    let truncated = &good[..good.len() - 20];
    for body in
        [truncated, "null", "", "{}", r#"{"version":2,"features":[{"name":5}]}"#, r#"{"features":{}}"#, "[]"]
    {
        api.set("a", body, "\"2\"");
        let stale = read_until(&app, "a", is_stale).await;
        assert_eq!((stale.status, &stale.body), (StatusCode::OK, &good), "{body}");
        api.set("a", &good, "\"1\"");
        read_until(&app, "a", |response| !is_stale(response)).await;
    }
}

#[actix_web::test]
async fn copy_is_not_served_beyond_the_maximum_age() {
    let api = ClientApi::start(&["a"]).await;
    let app = start(&api, SOON, &["--replica-max-stale", "300ms"]).await;
    assert_eq!(read(&app, "a").await.status, StatusCode::OK);
    api.set_down(true);
    let refused = read_until(&app, "a", |response| response.status == StatusCode::SERVICE_UNAVAILABLE).await;
    assert_eq!(
        (refused.json()["code"].as_str(), refused.header("retry-after")),
        (Some("no_recent_copy"), "1")
    );
    api.set_down(false);
    assert_eq!(
        read_until(&app, "a", |response| response.status == StatusCode::OK).await.body,
        body_of("a", 1)
    );
}

#[actix_web::test]
async fn upstream_that_does_not_respond_is_not_asked_again_before_the_next_interval() {
    let api = ClientApi::start(&["a"]).await;
    api.set_down(true);
    let app = start(&api, NEVER, &[]).await;
    for _ in 0..20 {
        let response = read(&app, "a").await;
        assert_eq!(response.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(response.header("retry-after"), "86400");
    }
    assert_eq!(api.reads(), 1);
}

#[actix_web::test]
async fn revoked_token_is_refused_within_one_interval() {
    let api = ClientApi::start(&["a", "b"]).await;
    let app = start(&api, SOON, &[]).await;
    for token in ["a", "b"] {
        assert_eq!(read(&app, token).await.status, StatusCode::OK);
    }
    api.revoke("a");
    let refused = read_until(&app, "a", |response| response.status != StatusCode::OK).await;
    assert_eq!(
        (refused.status, refused.body.as_str()),
        (StatusCode::UNAUTHORIZED, "{\"message\":\"unknown token\"}")
    );
    api.set_down(true);
    assert_eq!(read_until(&app, "b", is_stale).await.body, body_of("b", 1));
    assert_eq!(read(&app, "a").await.status, StatusCode::UNAUTHORIZED, "also during an outage");
}

#[actix_web::test]
async fn refusals_and_other_errors_of_the_upstream_are_cached() {
    let api = ClientApi::start(&["a"]).await;
    let app = start(&api, NEVER, &[]).await;
    for (path, token, status) in [(PATH, "unknown", 401), ("/api/client/features?tag=malformed", "a", 400)] {
        let before = api.reads();
        for _ in 0..20 {
            let response = app.send(Method::GET, path, &[("authorization", token)], "").await;
            assert_eq!(response.status.as_u16(), status);
            assert_eq!(response.header("content-type"), "application/json; charset=utf-8");
        }
        assert_eq!(api.reads(), before + 1, "{status}");
    }
}

#[actix_web::test]
async fn not_modified_without_a_condition_is_a_failure() {
    let stub = Stub::start(Reply::Bytes("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n".to_owned())).await;
    let app = TestApp::with(&["--upstream", &stub.url, "--replica", "--replica-refresh", NEVER]).await;
    for _ in 0..5 {
        let response = read(&app, "a").await;
        assert_eq!(
            (response.status, &response.json()["code"]),
            (StatusCode::SERVICE_UNAVAILABLE, &"no_recent_copy".into())
        );
        assert!(response.body.contains("cannot be used (the log of Flagdeck says why)"), "{}", response.body);
    }
    assert_eq!(stub.requests().len(), 1);
}

#[actix_web::test]
async fn upstream_without_toggles_is_not_asked_after_the_sdk_has_left() {
    let stub = Stub::start(Reply::Bytes("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n".to_owned())).await;
    let app = TestApp::with(&["--upstream", &stub.url, "--replica", "--replica-refresh", SOON]).await;
    let requests = |token: &str| {
        let line = format!("authorization: {token}\r\n");
        stub.requests().iter().filter(|request| request.contains(&line)).count()
    };
    read(&app, "gone").await;
    let intervals = async {
        while requests("present") < 5 {
            read(&app, "present").await;
        }
    };
    timeout(Duration::from_secs(30), intervals).await.expect("the upstream is not asked again");
    assert_eq!(requests("gone"), 1);
}
