//! Requests that no HTTP client sends. Each has an exact status, and the connection is closed if the start of the next
//! request is unknown.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::support::app::TestApp;
use crate::support::stub::{Stub, ok};

const HOST: &str = "Host: localhost\r\n";

/// Sends a request and another one after it. The connection must end after the first response.
async fn assert_closes_connection(app: &TestApp, request: &str, status: u16) {
    let smuggled = format!("GET /api/smuggled HTTP/1.1\r\n{HOST}\r\n");
    let response = app.raw(&format!("{request}{smuggled}")).await;
    let start = format!("HTTP/1.1 {status} ");
    assert!(response.replace("HTTP/1.0", "HTTP/1.1").starts_with(&start), "{request:?}: {response}");
    assert_eq!(response.matches("HTTP/1.").count(), 1, "{request:?}: {response}");
}

/// Sends a request with a known end, and another one, which must get a normal response.
async fn assert_error_keeps_connection(app: &TestApp, request: &str, status: u16) {
    let next = format!("GET /-/health HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n");
    let response = app.raw(&format!("{request}{next}")).await;
    let statuses: Vec<_> = response.split("HTTP/1.1 ").skip(1).map(|response| &response[..3]).collect();
    assert_eq!(statuses, [status.to_string().as_str(), "200"], "{request:.80?}: {response}");
}

#[actix_web::test]
async fn ambiguous_request_framing_returns_400_and_closes_the_connection() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::beside(&stub.url).await;
    let post = format!("POST /api/x HTTP/1.1\r\n{HOST}");
    for framing in [
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
        "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
        "Content-Length: 2\r\nContent-Length: 7\r\n\r\n{}",
        "Content-Length: 2, 2\r\n\r\n{}",
        "Content-Length: +2\r\n\r\n{}",
        "Content-Length: -2\r\n\r\n{}",
        "Content-Length: 0x2\r\n\r\n{}",
        "Content-Length: 2 2\r\n\r\n{}",
        "Content-Length:\r\n\r\n{}",
        "Content-Length : 2\r\n\r\n{}",
        "Content-Length: 99999999999999999999\r\n\r\n{}",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n, gzip\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: identity\r\n\r\n",
        "Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
        " folded: x\r\n\r\n",
        "X: a\r\n b\r\n\r\n",
        "X: a\0b\r\n\r\n",
        "X: a\rb\r\n\r\n",
        "X\0: a\r\n\r\n",
        "X Y: a\r\n\r\n",
        ": a\r\n\r\n",
        "no colon\r\n\r\n",
        "Host: y\r\n\r\n",
    ] {
        assert_closes_connection(&app, &format!("{post}{framing}"), 400).await;
    }
    let old = format!("POST /api/x HTTP/1.0\r\n{HOST}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    for request in [
        old.as_str(),
        "GET /api/x HTTP/1.1\r\n\r\n",
        "GET /api/x HTTP/9.9\r\nHost: localhost\r\n\r\n",
        "\x16\x03\x01\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET /api/x\r\n\r\n",
        "GET  /api/x HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /api/x HTTP/1.1 x\r\nHost: localhost\r\n\r\n",
        "G\0T /api/x HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ] {
        assert_closes_connection(&app, request, 400).await;
    }
    assert_eq!(stub.requests(), Vec::<String>::new());
}

#[actix_web::test]
async fn unambiguous_request_framing_is_rewritten() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::beside(&stub.url).await;
    let sized = ("content-length: 2", "{}");
    let chunked = ("transfer-encoding: chunked", "2\r\n{}\r\n0\r\n\r\n");
    for (framing, (line, body)) in [
        ("Content-Length:\t2 \r\n\r\n{}", sized),
        ("Content-Length: 0002\r\n\r\n{}", sized),
        ("tRANSFER-eNCODING: CHUNKED\r\n\r\n2\r\n{}\r\n0\r\n\r\n", chunked),
        (
            "Transfer-Encoding:\tchunked \r\n\r\n1;x=\"\r\n{\r\n01\r\n}\r\n0\r\n\r\n",
            ("transfer-encoding: chunked", ""),
        ),
        ("Transfer-Encoding: chunked\r\nTrailer: X\r\n\r\n2\r\n{}\r\n0\r\nX: 1\r\n\r\n", chunked),
        ("Expect: 100-continue\r\n\r\n", ("", "")),
        // A bare LF may end a line (RFC 9112, 2.2), but is not forwarded like that.
        ("X: y\nContent-Length: 2\r\n\r\n{}", sized),
    ] {
        let post = format!("POST /api/x HTTP/1.1\r\n{HOST}Connection: close\r\n{framing}");
        let response = app.raw(&post).await;
        assert!(response.contains("HTTP/1.1 200 "), "{framing:?}: {response}");
        let sent = stub.requests().pop().unwrap();
        let (head, sent) = sent.split_once("\r\n\r\n").unwrap();
        let head = head.to_ascii_lowercase();
        assert!(head.contains(line) && (body.is_empty() || sent == body), "{framing:?}: {head} {sent:?}");
        assert!(
            !head.replace("\r\n", "").contains('\n') && !head.contains("expect") && !head.contains("trailer"),
            "{head:?}"
        );
    }
}

#[actix_web::test]
async fn malformed_chunk_closes_both_connections() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::beside(&stub.url).await;
    let post = format!("POST /api/x HTTP/1.1\r\n{HOST}Transfer-Encoding: chunked\r\n\r\n");
    for chunks in [
        "zz\r\n\r\n",
        "-1\r\n\r\n",
        "ffffffffffffffffff\r\n",
        "5\nhello\n0\n\n",
        "2 \t;\0\r\n{}\r\n",
        "+2\r\n{}\r\n",
    ] {
        let response = app.raw(&format!("{post}{chunks}")).await;
        assert!(response.starts_with("HTTP/1.1 400 "), "{chunks:?}: {response}");
    }
    assert_eq!(stub.requests(), Vec::<String>::new());
    // After a valid chunk the upstream already has the head; it never gets the end of the request.
    let response = app.raw(&format!("{post}2\r\nhello0\r\n\r\n")).await;
    assert!(response.is_empty() || response.starts_with("HTTP/1.1 400 "), "{response}");
    let whole = |request: &String| request.ends_with("0\r\n\r\n");
    assert!(!stub.requests().iter().any(whole), "{:?}", stub.requests());
}

#[actix_web::test]
async fn request_head_size_is_limited() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::adjusted(&["--upstream", &stub.url], |config| config.limits.head = 2000).await;
    let long = "x".repeat(2000);
    assert_error_keeps_connection(&app, &format!("GET /api/x HTTP/1.1\r\n{HOST}X-Long: {long}\r\n\r\n"), 431)
        .await;
    assert_error_keeps_connection(&app, &format!("GET /api/{long} HTTP/1.1\r\n{HOST}\r\n"), 431).await;
    let many = "X: 1\r\n".repeat(97);
    assert_closes_connection(&app, &format!("GET /api/x HTTP/1.1\r\n{HOST}{many}\r\n"), 431).await;
    // The maximum that the server reads of an endless head.
    let begun = format!("GET /api/x HTTP/1.1\r\n{HOST}X: ");
    let response = app.raw(&format!("{begun}{}", "x".repeat(131_072 - begun.len()))).await;
    assert!(response.starts_with("HTTP/1.1 431 "), "{response}");
    assert_eq!(stub.requests(), Vec::<String>::new());
    let fine = "x".repeat(1500);
    let response =
        app.raw(&format!("GET /api/x HTTP/1.1\r\n{HOST}Connection: close\r\nX: {fine}\r\n\r\n")).await;
    assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
}

#[actix_web::test]
async fn request_body_size_is_limited_by_length_and_while_streaming() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::with(&["--upstream", &stub.url, "--body-limit", "1000"]).await;
    let announced = format!("POST /api/x HTTP/1.1\r\n{HOST}Content-Length: 1001\r\n\r\n");
    let response = app.raw(&announced).await;
    assert!(response.starts_with("HTTP/1.1 413 ") && response.contains("body_too_large"), "{response}");
    assert_eq!(stub.requests(), Vec::<String>::new(), "nothing went upstream");
    let chunk = format!("1f4\r\n{}\r\n", "x".repeat(500));
    let chunked = format!("POST /api/x HTTP/1.1\r\n{HOST}Transfer-Encoding: chunked\r\n\r\n");
    let response = app.raw(&format!("{chunked}{chunk}{chunk}1\r\nx\r\n0\r\n\r\n")).await;
    assert!(response.starts_with("HTTP/1.1 413 ") && response.contains("body_too_large"), "{response}");
    assert!(!stub.requests().iter().any(|request| request.ends_with("0\r\n\r\n")), "{:?}", stub.requests());
    let most = "x".repeat(1000);
    let response = app.send(actix_web::http::Method::POST, "/api/x", &[], &most).await;
    let came = stub.requests().iter().filter(|request| request.ends_with(&most)).count();
    assert_eq!((response.status.as_u16(), came), (200, 1));
}

#[actix_web::test]
async fn ambiguous_paths_return_400() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::with(&["--upstream", &stub.url, "--proxy-prefix", "/health"]).await;
    for path in [
        "/api/../internal",
        "/api/%2e%2e/internal",
        "/api/%2E%2e%2fx",
        "/api/%252e%252e/x",
        "/api/x/..;/y",
        "/api/%00",
        "/api/a%0d%0ab",
        "/api/a%5cb",
        "/api/a\\b",
        "/api/%ff",
        "/api/%c0%ae/x",
        "/api//admin",
        "/api/a\u{7f}b",
        "/api/a\tb",
        "/api/\u{e9}",
        "/health/../api",
        "/health//x",
    ] {
        let response = app.raw(&format!("GET {path} HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n")).await;
        assert!(response.starts_with("HTTP/1.1 400 "), "{path:?}: {response}");
    }
    // The host of an absolute URL is ignored; the request goes to the configured upstream.
    for path in ["/api/a%2Fb", "/health", "/health/x", "http://elsewhere.example/api/x"] {
        let response = app.raw(&format!("GET {path} HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n")).await;
        assert!(response.starts_with("HTTP/1.1 200 "), "{path:?}: {response}");
    }
    let lines: Vec<_> =
        stub.requests().iter().map(|request| request.lines().next().unwrap().to_owned()).collect();
    assert_eq!(
        lines,
        ["/api/a%2Fb", "/health", "/health/x", "/api/x"].map(|path| format!("GET {path} HTTP/1.1"))
    );
}

#[actix_web::test]
async fn connect_trace_and_websocket_are_rejected_and_close_the_connection() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::beside(&stub.url).await;
    for request in [
        "CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example:443\r\n\r\n",
        "GET /api/x HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
        "GET /api/x HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c, WebSocket\r\n\r\n",
        "GET /api/x HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nUpgrade: websocket/13\r\n\r\n",
    ] {
        assert_closes_connection(&app, request, 400).await;
    }
    for path in ["/", "/api/x"] {
        assert_closes_connection(&app, &format!("TRACE {path} HTTP/1.1\r\n{HOST}\r\n"), 400).await;
    }
    assert_eq!(stub.requests(), Vec::<String>::new());
}

/// Clients such as `java.net.http.HttpClient` and `curl --http2` offer HTTP/2 with each first request (RFC 9110, 7.8).
#[actix_web::test]
async fn offers_of_other_protocols_are_ignored() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::beside(&stub.url).await;
    let mut next = 0;
    for connection in
        ["Upgrade, HTTP2-Settings", "HTTP2-Settings,upgrade", "keep-alive, Upgrade", "HTTP2-Settings"]
    {
        let offer =
            format!("{HOST}Connection: {connection}\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAAA\r\n");
        for body in [
            "\r\n".to_owned(),
            "Content-Length: 2\r\n\r\n{}".to_owned(),
            "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n".to_owned(),
            format!("Content-Length: 50000\r\n\r\n{}", " ".repeat(50_000)),
        ] {
            assert_error_keeps_connection(&app, &format!("POST /api/x HTTP/1.1\r\n{offer}{body}"), 200).await;
            let request = stub.requests().pop().unwrap().to_lowercase();
            assert!(!request.contains("upgrade") && !request.contains("http2-settings"), "{request}");
            next += 1;
        }
    }
    assert_eq!(stub.requests().len(), next);
    // Slowly, in pieces that separate the option from its header.
    let mut client = app.connect().await;
    client.set_nodelay(true).unwrap();
    let request = format!("GET /api/x HTTP/1.1\r\n{HOST}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n");
    for piece in request.as_bytes().chunks(3) {
        client.write_all(piece).await.unwrap();
        tokio::task::yield_now().await;
    }
    let mut response = [0; 4096];
    let length = client.read(&mut response).await.unwrap();
    let response = String::from_utf8_lossy(&response[..length]).to_lowercase();
    assert!(response.starts_with("http/1.1 200 ") && !response.contains("connection:"), "{response}");
}

#[actix_web::test]
async fn responses_on_a_connection_keep_the_order_of_the_requests() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::beside(&stub.url).await;
    let mut connection = app.connect().await;
    let requests = format!(
        "POST /api/a HTTP/1.1\r\n{HOST}Content-Length: 2\r\n\r\n{{}}GET /api/%00 HTTP/1.1\r\n{HOST}\r\n\
         GET /api/b HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n"
    );
    connection.write_all(requests.as_bytes()).await.unwrap();
    let mut responses = String::new();
    connection.read_to_string(&mut responses).await.unwrap();
    let statuses: Vec<_> = responses.split("HTTP/1.1 ").skip(1).map(|response| &response[..3]).collect();
    assert_eq!(statuses, ["200", "400", "200"], "{responses}");
}
