//! Tokens, origins (CORS), guards and limits.

use actix_web::http::{Method, StatusCode};
use futures_util::future::join_all;
use serde_json::json;

use super::{FLAGS, FRONTEND, JSON, create, everyone, frontend_token, post, start, token};
use crate::support::app::{Response, TestApp};
use crate::support::stub::{Stub, ok};

const SHOP: &str = "https://shop.example";
const EVIL: &str = "https://evil.example";

/// Sends a request with a token to both APIs. An empty token or origin is not sent.
async fn evaluate(app: &TestApp, token: &str, origin: &str) -> [Response; 2] {
    let headers: Vec<_> = [JSON, ("authorization", token), ("origin", origin)]
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .collect();
    let send = async |path: &str| app.send(Method::POST, path, &headers, "{}").await;
    [send(FRONTEND).await, send(FLAGS).await]
}

fn code(response: &Response) -> (u16, String) {
    let code =
        if response.status == StatusCode::OK { String::new() } else { response.json()["code"].to_string() };
    (response.status.as_u16(), code.trim_matches('"').to_owned())
}

#[actix_web::test]
async fn each_api_accepts_its_kinds_of_tokens() {
    let app = start(&[]).await;
    let web = frontend_token(&app).await;
    // Without client tokens, OpenFeature clients of servers need none either.
    let [browser, server] = evaluate(&app, "", "").await;
    assert_eq!((code(&browser), server.status), ((401, "token_missing".to_owned()), StatusCode::OK));
    let [_, from_page] = evaluate(&app, "", SHOP).await;
    assert_eq!(code(&from_page), (401, "token_missing".to_owned()));
    for sent in [web.clone(), format!("Bearer {web}")] {
        for response in evaluate(&app, &sent, "").await {
            assert_eq!(response.status, StatusCode::OK, "{}", response.body);
        }
    }
    let by_key = app.send(Method::POST, FLAGS, &[JSON, ("x-api-key", &web)], "{}").await;
    assert_eq!(by_key.status, StatusCode::OK, "{}", by_key.body);
    for response in evaluate(&app, "unknown", "").await {
        assert_eq!(code(&response), (401, "token_missing".to_owned()));
        let message = response.json()["message"].to_string();
        assert!(message.contains("flagdeck token add --name NAME --kind frontend"), "{message}");
    }
}

#[actix_web::test]
async fn new_and_deleted_tokens_apply_to_the_next_request() {
    let app = start(&[]).await;
    let status = async |token: &str| evaluate(&app, token, "").await.map(|response| response.status.as_u16());
    // Reads the tokens into the cache.
    assert_eq!(status("unknown").await, [401, 401]);
    let web = frontend_token(&app).await;
    assert_eq!(status(&web).await, [200, 200]);
    assert_eq!(
        app.send(Method::DELETE, "/api/admin/api-tokens/web", &[JSON], "").await.status,
        StatusCode::OK
    );
    assert_eq!(status(&web).await, [401, 401]);
}

#[actix_web::test]
async fn client_tokens_are_for_servers() {
    let app = start(&[]).await;
    let server = token(&app, "server", "client", json!({})).await;
    let [browser, open_feature] = evaluate(&app, &server, "").await;
    assert_eq!((code(&browser), open_feature.status), ((403, "wrong_token_kind".to_owned()), StatusCode::OK));
    assert!(browser.json()["message"].to_string().contains("--kind frontend"), "{}", browser.body);
    for response in evaluate(&app, &server, SHOP).await {
        assert_eq!(code(&response), (403, "wrong_token_kind".to_owned()));
    }
    for response in evaluate(&app, "", "").await {
        assert_eq!(code(&response), (401, "token_missing".to_owned()));
    }
}

#[actix_web::test]
async fn pages_of_allowed_origins_can_read_responses() {
    let app = start(&[]).await;
    let shop = frontend_token(&app).await;
    let till = token(&app, "till", "frontend", json!({ "origins": ["https://till.example"] })).await;
    let phone = token(&app, "phone", "frontend", json!({})).await;
    let server = token(&app, "server", "client", json!({})).await;
    for (token, origin, status, is_readable) in [
        (shop.as_str(), SHOP, 200, true),
        (&shop, EVIL, 403, false),
        (&shop, "https://till.example", 403, false),
        (&shop, "null", 403, false),
        (&till, "https://till.example", 200, true),
        (&till, "http://till.example", 403, false),
        (&phone, SHOP, 403, false),
        (&server, SHOP, 403, false),
        // The page can read that its token is wrong, if another token allows it.
        ("unknown", SHOP, 401, true),
        ("unknown", EVIL, 401, false),
        ("", SHOP, 401, true),
    ] {
        for response in evaluate(&app, token, origin).await {
            assert_eq!(response.status, status, "{origin}: {}", response.body);
            let (allowed, exposed) = if is_readable { (origin, "ETag, Retry-After") } else { ("", "") };
            assert_eq!(response.header("access-control-allow-origin"), allowed, "{origin} {status}");
            assert_eq!(response.header("access-control-expose-headers"), exposed, "{origin} {status}");
            assert_eq!(response.header("access-control-allow-credentials"), "");
            let vary: Vec<_> =
                response.headers.get_all("vary").map(|value| value.to_str().unwrap()).collect();
            assert!(vary.join(",").contains("Origin"), "{vary:?}");
        }
    }
    // Errors of the handler are readable, too.
    let headers = [JSON, ("authorization", shop.as_str()), ("origin", SHOP)];
    let bad = app.send(Method::POST, FRONTEND, &headers, "{").await;
    assert_eq!((bad.status, bad.header("access-control-allow-origin")), (StatusCode::BAD_REQUEST, SHOP));
}

#[actix_web::test]
async fn every_origin_is_allowed_by_a_star() {
    let app = start(&[]).await;
    let open = token(&app, "open", "frontend", json!({ "origins": ["*"] })).await;
    for origin in [EVIL, "null"] {
        for response in evaluate(&app, &open, origin).await {
            assert_eq!(
                (response.status, response.header("access-control-allow-origin")),
                (StatusCode::OK, origin)
            );
        }
    }
}

#[actix_web::test]
async fn preflights_succeed_for_origins_of_frontend_tokens() {
    let app = start(&[]).await;
    let paths = [
        FRONTEND,
        "/api/proxy",
        "/api/frontend/client/metrics",
        "/api/frontend/features/x",
        FLAGS,
        "/ofrep/v1/evaluate/flags/x",
    ];
    let preflight = async |path: &str, origin: &str| {
        let headers = [("origin", origin), ("access-control-request-method", "POST")];
        app.send(Method::OPTIONS, path, &headers, "").await
    };
    frontend_token(&app).await;
    token(&app, "server", "client", json!({})).await;
    for path in paths {
        let response = preflight(path, SHOP).await;
        assert_eq!(response.status, StatusCode::NO_CONTENT, "{path} {}", response.body);
        assert_eq!(response.header("access-control-allow-origin"), SHOP);
        assert_eq!(response.header("access-control-allow-methods"), "GET, POST");
        let allowed = response.header("access-control-allow-headers").to_lowercase();
        for header in [
            "authorization",
            "content-type",
            "if-none-match",
            "unleash-appname",
            "unleash-connection-id",
            "unleash-sdk",
            "x-api-key",
        ] {
            assert!(allowed.split(", ").any(|allowed| allowed == header), "{header}");
        }
        assert_eq!(response.header("access-control-allow-credentials"), "");
        let foreign = preflight(path, EVIL).await;
        assert_eq!(code(&foreign), (403, "foreign_origin".to_owned()));
        assert_eq!(foreign.header("access-control-allow-origin"), "");
        assert!(
            foreign.json()["message"].to_string().contains("--origin https://evil.example"),
            "{}",
            foreign.body
        );
        let without = app.send(Method::OPTIONS, path, &[], "").await;
        assert_eq!(code(&without), (404, "unknown_path".to_owned()));
    }
    for path in ["/api/admin/features", "/api/client/features", "/-/evaluate"] {
        let response = preflight(path, SHOP).await;
        assert_eq!(response.header("access-control-allow-origin"), "", "{path}");
    }
}

#[actix_web::test]
async fn read_only_and_cross_site_checks_do_not_block_sdks() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("flags.db");
    let data = ["--data", data.to_str().unwrap()];
    let app = TestApp::with(&data).await;
    create(&app, "shop.pay", everyone(), json!({})).await;
    let web = frontend_token(&app).await;
    app.stop().await;
    let app = TestApp::with(&[&data[..], &["--read-only", "--base-path", "/flags"]].concat()).await;
    let headers = [JSON, ("authorization", web.as_str()), ("origin", SHOP), ("sec-fetch-site", "cross-site")];
    let report = json!({ "appName": "web", "instanceId": "1", "bucket": { "toggles": {} } }).to_string();
    for (path, body, status) in [
        (FRONTEND, "{}", StatusCode::OK),
        ("/api/frontend/features/shop.pay", "{}", StatusCode::OK),
        ("/api/frontend/client/metrics", &report, StatusCode::ACCEPTED),
        ("/api/proxy/client/register", &report, StatusCode::ACCEPTED),
        (FLAGS, "{}", StatusCode::OK),
        ("/ofrep/v1/evaluate/flags/shop.pay:enabled", "{}", StatusCode::OK),
        ("/api/admin/features", "{}", StatusCode::FORBIDDEN),
        ("/-/evaluate", "{}", StatusCode::FORBIDDEN),
    ] {
        let response = app.send(Method::POST, &format!("/flags{path}"), &headers, body).await;
        assert_eq!(response.status, status, "{path}: {}", response.body);
    }
}

#[actix_web::test]
async fn each_token_has_its_own_rate_limit() {
    let app = start(&["--sdk-rate-limit", "1"]).await;
    let (shop, till) = (frontend_token(&app).await, token(&app, "till", "frontend", json!({})).await);
    let headers = [JSON, ("authorization", shop.as_str()), ("origin", SHOP)];
    let flood = join_all((0..40).map(|_| app.send(Method::POST, FLAGS, &headers, "{}"))).await;
    assert_eq!(flood.iter().filter(|response| response.status == StatusCode::OK).count().min(1), 1);
    let refused: Vec<_> = flood.iter().filter(|response| response.status != StatusCode::OK).collect();
    assert!(!refused.is_empty(), "40 requests at once");
    for response in refused {
        assert_eq!(code(response), (429, "too_many_requests".to_owned()));
        assert_eq!(
            (response.header("retry-after"), response.header("access-control-allow-origin")),
            ("1", SHOP)
        );
    }
    assert_eq!(post(&app, &till, FLAGS, &json!({})).await.status, StatusCode::OK);
}

#[actix_web::test]
async fn wrong_urls_get_a_message_with_the_right_one() {
    let app = start(&["--base-path", "/flags", "--allowed-host", "flags.example"]).await;
    for method in [Method::GET, Method::POST, Method::OPTIONS] {
        let response =
            app.send(method, "/flags/api?appName=web", &[JSON, ("host", "flags.example")], "").await;
        assert_eq!(code(&response), (404, "unknown_path".to_owned()));
        let message = response.json()["message"].to_string();
        assert!(message.contains("http://flags.example/flags/api/frontend"), "{message}");
    }
}

#[actix_web::test]
async fn upstream_serves_browsers_and_nothing_serves_openfeature() {
    let stub = Stub::start(ok("Content-Type: application/json\r\n", "{\"toggles\":[]}")).await;
    let app = TestApp::with(&["--upstream", &stub.url, "--read-only"]).await;
    let response = app.send(Method::POST, FRONTEND, &[JSON], "{}").await;
    assert_eq!((response.status, response.body.as_str()), (StatusCode::OK, "{\"toggles\":[]}"));
    let count = |start: &str| stub.requests().iter().filter(|request| request.starts_with(start)).count();
    assert_eq!(count("POST /api/frontend HTTP/1.1"), 1);
    for path in [FLAGS, "/ofrep/v1/evaluate/flags/x"] {
        let response = app.send(Method::POST, path, &[JSON], "{}").await;
        assert_eq!(code(&response), (404, "unknown_path".to_owned()));
        assert!(
            response.json()["message"].to_string().contains("the setting upstream-token"),
            "{}",
            response.body
        );
    }
    assert_eq!(count("POST /ofrep"), 0);
}
