//! The console's files and its page.

use std::collections::BTreeSet;

use actix_web::http::{Method, StatusCode};

use crate::support::app::{Response, TestApp};
use crate::support::stub::{Stub, ok};

const HTML: &[(&str, &str)] = &[("accept", "text/html,application/xhtml+xml")];

async fn page(app: &TestApp, path: &str) -> Response {
    app.send(Method::GET, path, HTML, "").await
}

#[actix_web::test]
async fn console_paths_return_the_page_for_any_toggle_name() {
    let app = TestApp::embedded().await;
    for path in ["/", "/features", "/features/strategies/my.flag.js", "/logout", "/no/such/page"] {
        let response = page(&app, path).await;
        assert_eq!(
            (response.status, response.header("content-type")),
            (StatusCode::OK, "text/html; charset=utf-8"),
            "{path}"
        );
        assert!(response.body.contains(r#"<base href="/" />"#));
        assert_eq!(response.header("cache-control"), "no-cache");
    }
}

#[actix_web::test]
async fn page_contains_the_environment_label_and_the_settings() {
    let label = r#"a"><script>&amp;"#;
    let app = TestApp::with(&["--data", ":memory:", "--env-label", label]).await;
    let html = page(&app, "/features").await.body;
    assert!(html.contains("<title>[a&quot;>&lt;script>&amp;amp;] "), "{html}");
    let (_, rest) = html.split_once(r#"<meta name="flagdeck:settings" content=""#).unwrap();
    let written = rest.split('"').next().unwrap();
    assert!(!written.contains('<'), "{written}");
    let read = written.replace("&quot;", "\"").replace("&lt;", "<").replace("&amp;", "&");
    let settings: serde_json::Value = serde_json::from_str(&read).unwrap();
    assert_eq!(settings, app.get("/-/settings").await.json());
    assert_eq!(settings["environment"], label);
    assert!(!page(&TestApp::embedded().await, "/").await.body.contains("flagdeck:settings"));
}

#[actix_web::test]
async fn only_navigations_get_the_page() {
    let app = TestApp::embedded().await;
    for (path, headers) in
        [("/assets/none.js", HTML), ("/features", &[("accept", "application/json")]), ("/x.js", &[])]
    {
        let response = app.send(Method::GET, path, headers, "").await;
        assert_eq!(
            (response.status, response.header("content-type")),
            (StatusCode::NOT_FOUND, "application/json"),
            "{path}"
        );
    }
    let head = app.send(Method::HEAD, "/features", HTML, "").await;
    assert_eq!((head.status, head.header("content-type")), (StatusCode::OK, "text/html; charset=utf-8"));
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS] {
        assert_eq!(app.send(method, "/features", HTML, "").await.status, StatusCode::NOT_FOUND);
    }
    assert_eq!(
        app.send(Method::GET, "/api/admin/none", HTML, "").await.header("content-type"),
        "application/json"
    );
}

/// Returns the path of the first script of the page.
fn script_of(page: &str) -> String {
    let mut files = page.split('"').filter_map(|part| part.strip_prefix("./"));
    let script = files.find(|file| file.starts_with("assets/index-") && file.contains(".js")).unwrap();
    format!("/{script}")
}

#[actix_web::test]
async fn assets_are_compressed_have_etags_and_are_immutable() {
    let app = TestApp::embedded().await;
    let page = page(&app, "/").await.body;
    let path = script_of(&page);
    let request = |headers: &str| {
        format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n")
    };
    let mut tags = BTreeSet::new();
    for (accepted, sent) in [("br, gzip", Some("br")), ("gzip;q=1, br;q=0", Some("gzip")), ("identity", None)]
    {
        let response = app.raw(&request(&format!("Accept-Encoding: {accepted}\r\n"))).await;
        let head = response.split("\r\n\r\n").next().unwrap();
        assert!(head.starts_with("HTTP/1.1 200 OK"), "{head}");
        assert!(head.contains("cache-control: public, max-age=31536000, immutable"), "{head}");
        assert!(
            head.contains("vary: Accept-Encoding") && head.contains("javascript; charset=utf-8"),
            "{head}"
        );
        let encoding = head.lines().find_map(|line| line.strip_prefix("content-encoding: "));
        assert_eq!(encoding, sent, "{accepted}");
        let tag = head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
        assert!(tags.insert(tag.to_owned()), "another form has the tag {tag} as well");
        assert!(sent.is_some() || response.contains("import"), "{accepted} is sent as it is");
        let again = app
            .raw(&request(&format!("Accept-Encoding: {accepted}\r\nIf-None-Match: \"x\", {tag}\r\n")))
            .await;
        assert!(again.starts_with("HTTP/1.1 304 ") && again.ends_with("\r\n\r\n"), "{again}");
    }
    for twin in [".br", ".gz"] {
        assert_eq!(app.get(&format!("{path}{twin}")).await.status, StatusCode::NOT_FOUND);
    }
}

#[actix_web::test]
async fn content_security_policy_allows_only_the_own_origin() {
    let response = page(&TestApp::embedded().await, "/features").await;
    let policy = response.header("content-security-policy");
    assert!(
        policy.starts_with("default-src 'none'; script-src 'self';")
            && policy.contains("frame-ancestors 'none'")
    );
    let sources = policy.split("; ").filter_map(|rule| rule.split_once(' ')).map(|(_, sources)| sources);
    assert!(
        sources.into_iter().all(|sources| ["'none'", "'self'", "'self' data:"].contains(&sources)),
        "{policy}"
    );
    let data: Vec<_> = policy.split("; ").filter(|rule| rule.contains("data:")).collect();
    assert_eq!(data, ["img-src 'self' data:"], "only images may be data URLs");
    assert!(!response.body.contains("<style") && !response.body.contains("<script>"), "{}", response.body);
    assert!(!response.body.contains(" style=") && !response.body.contains(" onload="), "{}", response.body);
}

#[actix_web::test]
async fn every_response_has_security_headers() {
    let stub = Stub::start(ok("X-Content-Type-Options: none\r\nReferrer-Policy: unsafe-url\r\n", "{}")).await;
    let app = TestApp::beside(&stub.url).await;
    let public = TestApp::with(&["--upstream", &stub.url, "--public-url", "https://flags.example"]).await;
    let page = page(&app, "/").await.body;
    let file = script_of(&page);
    for path in ["/", file.as_str(), "/assets/none.js", "/-/settings", "/api/x", "/api/%00", "/none"] {
        let response = app.send(Method::GET, path, HTML, "").await;
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
            ("x-robots-tag", "noindex"),
            ("strict-transport-security", ""),
        ] {
            assert_eq!(response.header(name), value, "{name} of {path}");
        }
        assert!(response.header("content-security-policy").contains("frame-ancestors 'none'"), "{path}");
        assert_ne!(response.header("cache-control"), "", "{path}");
        let safe = public.send(Method::GET, path, &[HTML[0], ("host", "flags.example")], "").await;
        assert_eq!(safe.header("strict-transport-security"), "max-age=31536000", "{path}");
    }
}

#[actix_web::test]
async fn page_has_the_base_path() {
    let app = TestApp::with(&["--data", ":memory:", "--base-path", "/ops/flags"]).await;
    let response = page(&app, "/ops/flags/features/strategies/x").await;
    assert!(response.body.contains(r#"<base href="/ops/flags/" />"#), "{}", response.body);
    let response = page(&app, "/ops/flags").await;
    assert_eq!(
        (response.status, response.header("location")),
        (StatusCode::PERMANENT_REDIRECT, "/ops/flags/")
    );
    assert_eq!(page(&app, "/features").await.status, StatusCode::NOT_FOUND);
}
