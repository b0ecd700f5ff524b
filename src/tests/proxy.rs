//! The proxy: forwarded requests, forwarded responses, and errors of the upstream.

mod early;
mod failures;
mod leases;
mod raw;
mod responses;
mod sign_out;
mod soak;
mod tls;
mod trust;

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use flagdeck::config::{BackendSettings, Config};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::sync::Notify;

use crate::support::app::TestApp;
use crate::support::stub::{Reply, Stub, ok};

#[actix_web::test]
async fn request_is_forwarded_with_rewritten_headers() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::with(&["--upstream", &stub.url, "--allowed-host", "console.example"]).await;
    let response = app
        .raw(
            "PUT /api/admin/tags/simple/a%2Fb%3f%3B?x=%20&y HTTP/1.1\r\nHost: console.example\r\nCookie: s=1\r\n\
             X-Twice: 1\r\nX-Twice: 2\r\nConnection: close, X-Hop\r\nConnection: Host, Via, X-Forwarded-For\r\nX-Hop: 1\r\nProxy-Authorization: Basic eA==\r\n\
             X-Forwarded-For: 10.9.8.7\r\nExpect: 100-continue\r\nContent-Type: application/json\r\n\
             Content-Length: 2\r\n\r\n{}",
        )
        .await;
    assert!(response.contains("HTTP/1.1 200 OK"), "{response}");
    let [request] = stub.requests().try_into().unwrap();
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let mut lines: Vec<_> = head.lines().map(str::to_ascii_lowercase).collect();
    assert_eq!(lines.remove(0), "put /api/admin/tags/simple/a%2fb%3f%3b?x=%20&y http/1.1");
    assert!(head.starts_with("PUT /api/admin/tags/simple/a%2Fb%3f%3B?x=%20&y HTTP/1.1\r\n"), "{head}");
    lines.sort();
    // Ignore the `Date` header of the HTTP client.
    lines.retain(|line| !line.starts_with("date: "));
    let by_us = lines
        .iter()
        .filter(|line| line.starts_with("via: 1.1 flagdeck-") || line.starts_with("x-request-id: "));
    assert_eq!(by_us.count(), 2, "{lines:#?}");
    lines.retain(|line| !line.starts_with("via: ") && !line.starts_with("x-request-id: "));
    assert_eq!(
        lines,
        [
            "content-length: 2".to_owned(),
            "content-type: application/json".to_owned(),
            "cookie: s=1".to_owned(),
            "forwarded: for=127.0.0.1;host=\"console.example\";proto=http".to_owned(),
            format!("host: {}", stub.authority()),
            "x-forwarded-for: 127.0.0.1".to_owned(),
            "x-forwarded-host: console.example".to_owned(),
            "x-forwarded-proto: http".to_owned(),
            "x-real-ip: 127.0.0.1".to_owned(),
            "x-twice: 1".to_owned(),
            "x-twice: 2".to_owned(),
        ]
    );
    assert_eq!(body, "{}");
}

#[actix_web::test]
async fn response_is_forwarded_with_cookies_and_encoding() {
    let stub = Stub::start(ok(
        "Set-Cookie: a=1; Path=/; HttpOnly\r\nSet-Cookie: b=2; Path=/\r\nSet-Cookie: c=é; Domain=flags\r\n\
         Content-Encoding: gzip\r\nETag: W/\"1\"\r\nKeep-Alive: timeout=5\r\nX-Powered-By: Express\r\n",
        "not really gzip",
    ))
    .await;
    let app = TestApp::beside(&stub.url).await;
    let response =
        app.raw("GET /api/admin/user HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").await;
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    let cookies: Vec<_> = head.lines().filter(|line| line.starts_with("set-cookie: ")).collect();
    assert_eq!(
        cookies,
        [
            "set-cookie: a=1; Path=/; HttpOnly; SameSite=Lax",
            "set-cookie: b=2; Path=/; SameSite=Lax",
            "set-cookie: c=é; SameSite=Lax"
        ]
    );
    for kept in ["content-encoding: gzip", "etag: W/\"1\"", "content-length: 15", "cache-control: no-store"] {
        assert!(head.contains(kept), "{kept} in {head}");
    }
    for lost in ["keep-alive", "x-powered-by"] {
        assert!(!head.contains(lost), "{lost} in {head}");
    }
    assert_eq!(body, "not really gzip");
}

#[actix_web::test]
async fn conditions_and_entity_tags_are_forwarded_unchanged() {
    for (status, tag) in [("200 OK", "\"3\""), ("412 Precondition Failed", "W/\"3\"")] {
        let reply = format!("HTTP/1.1 {status}\r\nETag: {tag}\r\nContent-Length: 0\r\n\r\n");
        let stub = Stub::start(Reply::Bytes(reply)).await;
        let app = TestApp::beside(&stub.url).await;
        let condition = "\"1\", W/\"2\", nonsense";
        let headers = [("content-type", "application/json"), ("if-match", condition)];
        let response = app.send(Method::PUT, "/api/admin/tag-types/team", &headers, "{}").await;
        assert_eq!((response.status.as_str(), response.header("etag")), (&status[..3], tag));
        let [request] = stub.requests().try_into().unwrap();
        assert!(request.contains(&format!("if-match: {condition}\r\n")), "{request}");
        let read = app.send(Method::GET, "/api/admin/tag-types/team", &[("if-none-match", tag)], "").await;
        assert_eq!(read.header("etag"), tag);
        assert!(stub.requests()[1].contains(&format!("if-none-match: {tag}\r\n")));
    }
}

#[actix_web::test]
async fn redirects_and_errors_of_the_upstream_are_forwarded() {
    let stub = Stub::start(Reply::Bytes(
        "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n".into(),
    ))
    .await;
    let app = TestApp::beside(&stub.url).await;
    let response = app.get("/auth/start").await;
    assert_eq!((response.status, response.header("location")), (StatusCode::FOUND, "/elsewhere"));
    assert_eq!(stub.requests().len(), 1);
}

#[actix_web::test]
async fn head_and_304_responses_keep_their_length_without_a_body() {
    let stub = Stub::start(Reply::Bytes("HTTP/1.1 200 OK\r\nContent-Length: 4096\r\n\r\n".into())).await;
    let app = TestApp::beside(&stub.url).await;
    let response = app.raw("HEAD /api/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").await;
    assert!(response.contains("content-length: 4096") && response.ends_with("\r\n\r\n"), "{response}");

    let stub = Stub::start(Reply::Bytes("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n".into())).await;
    let app = TestApp::beside(&stub.url).await;
    let response = app.raw("GET /api/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").await;
    assert!(response.starts_with("HTTP/1.1 304 ") && response.ends_with("\r\n\r\n"), "{response}");
}

#[actix_web::test]
async fn response_bodies_are_streamed() {
    let go = Arc::new(Notify::new());
    let first = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n".to_owned();
    let stub =
        Stub::start(Reply::Halves(first, "6\r\nsecond\r\n0\r\n\r\n".to_owned(), Arc::clone(&go))).await;
    let app = TestApp::beside(&stub.url).await;
    let mut connection = app.connect().await;
    connection
        .write_all(b"GET /api/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        .await
        .unwrap();
    let mut got = String::new();
    while !got.contains("first") {
        let mut bytes = [0; 1024];
        let count = connection.read(&mut bytes).await.unwrap();
        got.push_str(std::str::from_utf8(&bytes[..count]).unwrap());
    }
    // The upstream sends the rest only now; a buffering proxy would have sent nothing yet.
    go.notify_one();
    connection.read_to_string(&mut got).await.unwrap();
    assert!(got.contains("second") && got.ends_with("0\r\n\r\n"), "{got}");
}

#[actix_web::test]
async fn request_bodies_are_streamed() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::beside(&stub.url).await;
    let mut connection = app.connect().await;
    let head =
        "POST /api/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
    // More than all buffers on the way can hold.
    let first = format!("first{}", "x".repeat(1 << 20));
    connection.write_all(format!("{head}{:x}\r\n{first}\r\n", first.len()).as_bytes()).await.unwrap();
    stub.wait_for(|request| request.contains("first")).await;
    connection.write_all(b"6\r\nsecond\r\n0\r\n\r\n").await.unwrap();
    let mut response = String::new();
    connection.read_to_string(&mut response).await.unwrap();
    assert!(response.starts_with("HTTP/1.1 200 OK"), "{response}");
    assert!(stub.requests()[0].ends_with("6\r\nsecond\r\n0\r\n\r\n"));
}

#[actix_web::test]
async fn truncated_response_is_truncated_for_the_client() {
    let sized = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst";
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n";
    for cut in [sized, chunked] {
        let stub = Stub::start(Reply::BytesThenEnd(cut.to_owned())).await;
        let app = TestApp::beside(&stub.url).await;
        let response = app.raw("GET /api/x HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
        // The client gets fewer bytes than announced, and no last chunk.
        let (head, body) = response.split_once("\r\n\r\n").unwrap_or_default();
        let whole = if head.contains("chunked") { body.ends_with("0\r\n\r\n") } else { body.len() >= 10 };
        assert!(!whole, "{response}");
    }
}

#[actix_web::test]
async fn unreachable_upstream_returns_502_with_its_name() {
    let unused = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let app = TestApp::beside(&format!("http://{unused}")).await;
    for path in ["/api/admin/features", "/auth/simple/login"] {
        let response = app.get(path).await;
        assert_eq!(response.status, StatusCode::BAD_GATEWAY);
        assert_eq!(response.header("x-flagdeck-error"), "upstream_unreachable");
        assert_eq!(response.json()["code"], "upstream_unreachable");
        assert!(
            response.json()["message"].as_str().unwrap().contains(&unused.to_string()),
            "{}",
            response.body
        );
    }
}

#[actix_web::test]
async fn upstream_that_closes_or_sends_garbage_returns_502() {
    for reply in
        [Reply::BytesThenEnd(String::new()), Reply::BytesThenEnd("SSH-2.0-OpenSSH\r\n\r\n".to_owned())]
    {
        let stub = Stub::start(reply).await;
        let response = TestApp::beside(&stub.url).await.get("/api/x").await;
        assert_eq!(
            (response.status, response.header("x-flagdeck-error")),
            (StatusCode::BAD_GATEWAY, "upstream_unreachable")
        );
    }
}

#[actix_web::test]
async fn slow_upstream_returns_504_without_delaying_others() {
    let stub = Stub::start(Reply::Silence).await;
    let app = TestApp::with(&["--upstream", &stub.url, "--upstream-head-timeout", "200ms"]).await;
    let (slow, other) = tokio::join!(app.get("/api/x"), app.get("/-/health"));
    assert_eq!(other.status, StatusCode::OK);
    assert_eq!(
        (slow.status, slow.header("x-flagdeck-error")),
        (StatusCode::GATEWAY_TIMEOUT, "upstream_timeout")
    );
    assert_eq!(slow.json()["code"], "upstream_timeout");
}

#[actix_web::test]
async fn stalled_request_body_returns_408() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::adjusted(&["--upstream", &stub.url], |config| {
        config.limits.body_timeout = Duration::from_millis(200);
    })
    .await;
    for half in ["Content-Length: 10\r\n\r\nfirst", "Transfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n"] {
        let response = app.raw(&format!("POST /api/x HTTP/1.1\r\nHost: localhost\r\n{half}")).await;
        assert!(response.starts_with("HTTP/1.1 408 ") && response.contains("body_timeout"), "{response}");
    }
}

#[actix_web::test]
async fn stalled_response_body_closes_the_connection() {
    let half = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst".to_owned();
    let stub = Stub::start(Reply::Halves(half, String::new(), Arc::new(Notify::new()))).await;
    let adjust = |config: &mut Config| {
        if let BackendSettings::Upstream(upstream) = &mut config.backend {
            upstream.idle_timeout = Duration::from_millis(200);
        }
    };
    let app = TestApp::adjusted(&["--upstream", &stub.url], adjust).await;
    let response = app.raw("GET /api/x HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
    assert!(response.contains("content-length: 10") && response.ends_with("first"), "{response}");
}

#[actix_web::test]
async fn upgrades_and_tunnels_are_not_forwarded() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::beside(&stub.url).await;
    let upgrade =
        "GET /api/x HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n";
    let trace = "TRACE /api/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    for request in [upgrade, trace] {
        let response = app.raw(request).await;
        assert!(response.starts_with("HTTP/1.1 400 ") && response.contains("upgrade_refused"), "{response}");
    }
    assert_eq!(stub.requests(), Vec::<String>::new());
}

#[actix_web::test]
async fn only_api_paths_are_forwarded() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::beside(&stub.url).await;
    for path in ["/%61pi/admin/features", "/internal-backstage/prometheus", "/health", "/logout"] {
        let response =
            app.raw(&format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")).await;
        assert!(response.starts_with("HTTP/1.1 404 "), "{path}: {response}");
    }
    assert_eq!(stub.requests(), Vec::<String>::new());
}

#[actix_web::test]
async fn base_path_is_replaced_by_the_upstream_path() {
    let stub =
        Stub::start(ok("Set-Cookie: s=1; Path=/unleash; HttpOnly\r\nLocation: /unleash/x\r\n", "{}")).await;
    let app =
        TestApp::with(&["--upstream", &format!("{}/unleash/", stub.url), "--base-path", "/flags"]).await;
    let response = app.get("/flags/api/admin/user").await;
    assert_eq!(response.header("set-cookie"), "s=1; Path=/flags; HttpOnly; SameSite=Lax");
    assert_eq!(response.header("location"), "/flags/x");
    assert_eq!(app.get("/api/admin/user").await.status, StatusCode::NOT_FOUND);
    assert_eq!(app.get("/flagship/api/admin/user").await.status, StatusCode::NOT_FOUND);
    // The response has no environments and no version, so that the kind of the server stays unknown.
    let [detection, version, request] = stub.requests().try_into().unwrap();
    assert!(detection.starts_with("GET /unleash/api/admin/environments HTTP/1.1\r\n"), "{detection}");
    assert!(version.starts_with("GET /unleash/api/admin/ui-config HTTP/1.1\r\n"), "{version}");
    assert!(request.starts_with("GET /unleash/api/admin/user HTTP/1.1\r\n"), "{request}");
}

#[actix_web::test]
async fn upstream_redirects_are_rewritten_to_the_console() {
    for (location, expected) in [
        ("/up//evil.example/x", "/.//evil.example/x"),
        ("/up/\\evil.example/x", "/.//evil.example/x"),
        ("/up/\t/evil.example/x", "/.//evil.example/x"),
        ("HTTP://STUB/up//evil.example", "/.//evil.example"),
        ("https://sso.example/up", "https://sso.example/up"),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let location = location.replace("STUB", &listener.local_addr().unwrap().to_string());
        let stub = Stub::at(listener, ok(&format!("Location: {location}\r\n"), "{}"));
        let app = TestApp::with(&["--upstream", &format!("{}/up", stub.url)]).await;
        assert_eq!(app.get("/api/x").await.header("location"), expected, "{location}");
    }
}

#[actix_web::test]
async fn sign_out_calls_the_upstream_and_forwards_its_cookies() {
    let response = "HTTP/1.1 302 Found\r\nLocation: /\r\nSet-Cookie: unleash-session=; Path=/\r\nContent-Length: 0\r\n\r\n";
    let stub = Stub::start(Reply::Bytes(response.to_owned())).await;
    let app = TestApp::beside(&stub.url).await;
    let headers = [("content-type", "application/json"), ("cookie", "unleash-session=1")];
    let response = app.send(Method::POST, "/-/logout", &headers, "").await;
    assert_eq!(
        (response.status, response.header("set-cookie")),
        (StatusCode::OK, "unleash-session=; Path=/; SameSite=Lax")
    );
    assert!(response.json()["location"].is_null());
    let request = stub.requests()[0].to_ascii_lowercase();
    assert!(
        request.starts_with("post /logout http/1.1") && request.contains("cookie: unleash-session=1"),
        "{request}"
    );
}

#[actix_web::test]
async fn sign_out_returns_the_single_sign_on_redirect() {
    let sso = "HTTP/1.1 302 Found\r\nLocation: https://sso.example/logout?x=1\r\nContent-Length: 0\r\n\r\n";
    let stub = Stub::start(Reply::Bytes(sso.to_owned())).await;
    let app = TestApp::beside(&stub.url).await;
    let response = app.post("/-/logout", &serde_json::Value::Null).await;
    assert_eq!(response.json()["location"], "https://sso.example/logout?x=1");
}
