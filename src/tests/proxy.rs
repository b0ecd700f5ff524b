//! The sidecar: what goes upstream, what comes back, and what is said when nothing does.

mod answers;
mod early;
mod failures;
mod leases;
mod raw;
mod sign_out;
mod soak;
mod tls;
mod trust;

use std::sync::Arc;

use actix_web::http::{Method, StatusCode};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::sync::Notify;

use crate::support::app::TestApp;
use crate::support::stub::{Reply, Stub, ok};

#[actix_web::test]
async fn a_request_goes_upstream_as_it_is_and_as_the_upstreams_own() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::beside(&stub.url).await;
    let answer = app
        .raw(
            "PUT /api/admin/tags/simple/a%2Fb%3f%3B?x=%20&y HTTP/1.1\r\nHost: console.example\r\nCookie: s=1\r\n\
             X-Twice: 1\r\nX-Twice: 2\r\nConnection: close, X-Hop\r\nConnection: Host, Via, X-Forwarded-For\r\nX-Hop: 1\r\nProxy-Authorization: Basic eA==\r\n\
             X-Forwarded-For: 10.9.8.7\r\nExpect: 100-continue\r\nContent-Type: application/json\r\n\
             Content-Length: 2\r\n\r\n{}",
        )
        .await;
    assert!(answer.contains("HTTP/1.1 200 OK"), "{answer}");
    let [request] = stub.requests().try_into().unwrap();
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let mut lines: Vec<_> = head.lines().map(str::to_ascii_lowercase).collect();
    assert_eq!(lines.remove(0), "put /api/admin/tags/simple/a%2fb%3f%3b?x=%20&y http/1.1");
    assert!(head.starts_with("PUT /api/admin/tags/simple/a%2Fb%3f%3B?x=%20&y HTTP/1.1\r\n"), "{head}");
    lines.sort();
    // The client library dates each message, which says nothing about ours.
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
async fn an_answer_comes_back_with_every_cookie_and_its_own_encoding() {
    let stub = Stub::start(ok(
        "Set-Cookie: a=1; Path=/; HttpOnly\r\nSet-Cookie: b=2; Path=/\r\nSet-Cookie: c=é; Domain=flags\r\n\
         Content-Encoding: gzip\r\nETag: W/\"1\"\r\nKeep-Alive: timeout=5\r\nX-Powered-By: Express\r\n",
        "not really gzip",
    ))
    .await;
    let app = TestApp::beside(&stub.url).await;
    let answer = app.raw("GET /api/admin/user HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
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
async fn redirects_and_failures_of_the_upstream_are_passed_on_and_not_followed() {
    let stub = Stub::start(Reply::Bytes(
        "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n".into(),
    ))
    .await;
    let app = TestApp::beside(&stub.url).await;
    let answer = app.get("/auth/start").await;
    assert_eq!((answer.status, answer.header("location")), (StatusCode::FOUND, "/elsewhere"));
    assert_eq!(stub.requests().len(), 1);
}

#[actix_web::test]
async fn head_and_not_modified_answers_keep_their_length_and_have_no_body() {
    let stub = Stub::start(Reply::Bytes("HTTP/1.1 200 OK\r\nContent-Length: 4096\r\n\r\n".into())).await;
    let app = TestApp::beside(&stub.url).await;
    let answer = app.raw("HEAD /api/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await;
    assert!(answer.contains("content-length: 4096") && answer.ends_with("\r\n\r\n"), "{answer}");

    let stub = Stub::start(Reply::Bytes("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n".into())).await;
    let app = TestApp::beside(&stub.url).await;
    let answer = app.raw("GET /api/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 304 ") && answer.ends_with("\r\n\r\n"), "{answer}");
}

#[actix_web::test]
async fn bodies_stream_down_piece_by_piece() {
    let go = Arc::new(Notify::new());
    let first = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n".to_owned();
    let stub =
        Stub::start(Reply::Halves(first, "6\r\nsecond\r\n0\r\n\r\n".to_owned(), Arc::clone(&go))).await;
    let app = TestApp::beside(&stub.url).await;
    let mut connection = app.connect().await;
    connection.write_all(b"GET /api/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await.unwrap();
    let mut got = String::new();
    while !got.contains("first") {
        let mut bytes = [0; 1024];
        let count = connection.read(&mut bytes).await.unwrap();
        got.push_str(std::str::from_utf8(&bytes[..count]).unwrap());
    }
    // Only now does the upstream send the rest: a proxy that buffers would still wait for it.
    go.notify_one();
    connection.read_to_string(&mut got).await.unwrap();
    assert!(got.contains("second") && got.ends_with("0\r\n\r\n"), "{got}");
}

#[actix_web::test]
async fn bodies_stream_up_before_they_have_ended() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::beside(&stub.url).await;
    let mut connection = app.connect().await;
    let head = "POST /api/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
    // More than any buffer on the way holds back.
    let first = format!("first{}", "x".repeat(1 << 20));
    connection.write_all(format!("{head}{:x}\r\n{first}\r\n", first.len()).as_bytes()).await.unwrap();
    stub.wait_for(|request| request.contains("first")).await;
    connection.write_all(b"6\r\nsecond\r\n0\r\n\r\n").await.unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!(stub.requests()[0].ends_with("6\r\nsecond\r\n0\r\n\r\n"));
}

#[actix_web::test]
async fn an_answer_cut_short_is_cut_short_for_the_client_as_well() {
    let sized = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst";
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n";
    for cut in [sized, chunked] {
        let stub = Stub::start(Reply::BytesThenEnd(cut.to_owned())).await;
        let app = TestApp::beside(&stub.url).await;
        let answer = app.raw("GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n").await;
        // Whatever came before the connection ended, it is fewer bytes than promised, and no chunk is the last one.
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_default();
        let whole = if head.contains("chunked") { body.ends_with("0\r\n\r\n") } else { body.len() >= 10 };
        assert!(!whole, "{answer}");
    }
}

#[actix_web::test]
async fn an_upstream_that_is_away_is_a_502_that_names_it() {
    let unused = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let app = TestApp::beside(&format!("http://{unused}")).await;
    for path in ["/api/admin/features", "/auth/simple/login"] {
        let answer = app.get(path).await;
        assert_eq!(answer.status, StatusCode::BAD_GATEWAY);
        assert_eq!(answer.header("x-flagdeck-error"), "upstream_unreachable");
        assert_eq!(answer.json()["code"], "upstream_unreachable");
        assert!(answer.json()["message"].as_str().unwrap().contains(&unused.to_string()), "{}", answer.body);
    }
}

#[actix_web::test]
async fn an_upstream_that_hangs_up_or_talks_nonsense_is_a_502() {
    for reply in
        [Reply::BytesThenEnd(String::new()), Reply::BytesThenEnd("SSH-2.0-OpenSSH\r\n\r\n".to_owned())]
    {
        let stub = Stub::start(reply).await;
        let answer = TestApp::beside(&stub.url).await.get("/api/x").await;
        assert_eq!(
            (answer.status, answer.header("x-flagdeck-error")),
            (StatusCode::BAD_GATEWAY, "upstream_unreachable")
        );
    }
}

#[actix_web::test]
async fn an_upstream_that_is_slow_is_a_504_and_nobody_else_waits_for_it() {
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
async fn a_client_that_stops_half_way_is_a_408_and_not_the_upstreams_fault() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::with(&["--upstream", &stub.url, "--body-timeout", "200ms"]).await;
    for half in ["Content-Length: 10\r\n\r\nfirst", "Transfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n"] {
        let answer = app.raw(&format!("POST /api/x HTTP/1.1\r\nHost: x\r\n{half}")).await;
        assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains("body_timeout"), "{answer}");
    }
}

#[actix_web::test]
async fn an_answer_that_stops_half_way_ends_with_the_connection() {
    let half = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst".to_owned();
    let stub = Stub::start(Reply::Halves(half, String::new(), Arc::new(Notify::new()))).await;
    let app = TestApp::with(&["--upstream", &stub.url, "--upstream-idle-timeout", "200ms"]).await;
    let answer = app.raw("GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n").await;
    assert!(answer.contains("content-length: 10") && answer.ends_with("first"), "{answer}");
}

#[actix_web::test]
async fn upgrades_and_tunnels_are_refused_before_anything_goes_upstream() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::beside(&stub.url).await;
    let upgrade =
        "GET /api/x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n";
    let trace = "TRACE /api/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    for request in [upgrade, trace] {
        let answer = app.raw(request).await;
        assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains("upgrade_refused"), "{answer}");
    }
    assert_eq!(stub.requests(), Vec::<String>::new());
}

#[actix_web::test]
async fn only_the_api_goes_upstream_also_when_a_path_decodes_to_it() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::beside(&stub.url).await;
    for path in ["/%61pi/admin/features", "/internal-backstage/prometheus", "/health", "/logout"] {
        let answer = app.raw(&format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")).await;
        assert!(answer.starts_with("HTTP/1.1 404 "), "{path}: {answer}");
    }
    assert_eq!(stub.requests(), Vec::<String>::new());
}

#[actix_web::test]
async fn a_base_path_is_taken_off_and_the_upstreams_path_put_on() {
    let stub =
        Stub::start(ok("Set-Cookie: s=1; Path=/unleash; HttpOnly\r\nLocation: /unleash/x\r\n", "{}")).await;
    let app =
        TestApp::with(&["--upstream", &format!("{}/unleash/", stub.url), "--base-path", "/flags"]).await;
    let answer = app.get("/flags/api/admin/user").await;
    assert_eq!(answer.header("set-cookie"), "s=1; Path=/flags; HttpOnly; SameSite=Lax");
    assert_eq!(answer.header("location"), "/flags/x");
    assert_eq!(app.get("/api/admin/user").await.status, StatusCode::NOT_FOUND);
    assert_eq!(app.get("/flagship/api/admin/user").await.status, StatusCode::NOT_FOUND);
    let [request] = stub.requests().try_into().unwrap();
    assert!(request.starts_with("GET /unleash/api/admin/user HTTP/1.1\r\n"), "{request}");
}

#[actix_web::test]
async fn redirects_of_the_upstream_lead_to_the_console_and_to_no_other_host() {
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
async fn signing_out_asks_the_upstream_and_passes_its_cookies_on() {
    let answer = "HTTP/1.1 302 Found\r\nLocation: /\r\nSet-Cookie: unleash-session=; Path=/\r\nContent-Length: 0\r\n\r\n";
    let stub = Stub::start(Reply::Bytes(answer.to_owned())).await;
    let app = TestApp::beside(&stub.url).await;
    let headers = [("content-type", "application/json"), ("cookie", "unleash-session=1")];
    let answer = app.send(Method::POST, "/-/logout", &headers, "").await;
    assert_eq!(
        (answer.status, answer.header("set-cookie")),
        (StatusCode::OK, "unleash-session=; Path=/; SameSite=Lax")
    );
    assert!(answer.json()["location"].is_null());
    let request = stub.requests()[0].to_ascii_lowercase();
    assert!(
        request.starts_with("post /logout http/1.1") && request.contains("cookie: unleash-session=1"),
        "{request}"
    );
}

#[actix_web::test]
async fn signing_out_tells_where_a_single_sign_on_wants_the_browser() {
    let sso = "HTTP/1.1 302 Found\r\nLocation: https://sso.example/logout?x=1\r\nContent-Length: 0\r\n\r\n";
    let stub = Stub::start(Reply::Bytes(sso.to_owned())).await;
    let app = TestApp::beside(&stub.url).await;
    let answer = app.post("/-/logout", &serde_json::Value::Null).await;
    assert_eq!(answer.json()["location"], "https://sso.example/logout?x=1");
}
