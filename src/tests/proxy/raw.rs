//! What no client library would send: each has an exact status, and the connection ends where the next request's
//! beginning is not known.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::support::app::TestApp;
use crate::support::stub::{Stub, ok};

const HOST: &str = "Host: x\r\n";

/// Sends a request and whatever follows it on the connection; both have to end with it.
async fn cut_off(app: &TestApp, request: &str, status: u16) {
    let smuggled = format!("GET /api/smuggled HTTP/1.1\r\n{HOST}\r\n");
    let answer = app.raw(&format!("{request}{smuggled}")).await;
    let start = format!("HTTP/1.1 {status} ");
    assert!(answer.replace("HTTP/1.0", "HTTP/1.1").starts_with(&start), "{request:?}: {answer}");
    assert_eq!(answer.matches("HTTP/1.").count(), 1, "{request:?}: {answer}");
}

/// Sends a request whose end is known, and the next one, which is answered as ever.
async fn refused(app: &TestApp, request: &str, status: u16) {
    let next = format!("GET /-/health HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n");
    let answer = app.raw(&format!("{request}{next}")).await;
    let statuses: Vec<_> = answer.split("HTTP/1.1 ").skip(1).map(|answer| &answer[..3]).collect();
    assert_eq!(statuses, [status.to_string().as_str(), "200"], "{request:.80?}: {answer}");
}

#[actix_web::test]
async fn framing_that_can_be_read_in_two_ways_is_a_400_and_ends_the_connection() {
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
        cut_off(&app, &format!("{post}{framing}"), 400).await;
    }
    let old = format!("POST /api/x HTTP/1.0\r\n{HOST}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    for request in [
        old.as_str(),
        "GET /api/x HTTP/1.1\r\n\r\n",
        "GET /api/x HTTP/9.9\r\nHost: x\r\n\r\n",
        "\x16\x03\x01\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET /api/x\r\n\r\n",
        "GET  /api/x HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /api/x HTTP/1.1 x\r\nHost: x\r\n\r\n",
        "G\0T /api/x HTTP/1.1\r\nHost: x\r\n\r\n",
    ] {
        cut_off(&app, request, 400).await;
    }
    assert_eq!(stub.requests(), Vec::<String>::new());
}

#[actix_web::test]
async fn framing_that_can_be_read_in_one_way_alone_is_made_anew() {
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
        // One of them is allowed to end a line (RFC 9112, 2.2), and never goes upstream like that.
        ("X: y\nContent-Length: 2\r\n\r\n{}", sized),
    ] {
        let post = format!("POST /api/x HTTP/1.1\r\n{HOST}Connection: close\r\n{framing}");
        let answer = app.raw(&post).await;
        assert!(answer.contains("HTTP/1.1 200 "), "{framing:?}: {answer}");
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
async fn a_chunk_that_is_none_ends_the_connection_on_both_sides() {
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
        let answer = app.raw(&format!("{post}{chunks}")).await;
        assert!(answer.starts_with("HTTP/1.1 400 "), "{chunks:?}: {answer}");
    }
    assert_eq!(stub.requests(), Vec::<String>::new());
    // Behind a piece that was fine the upstream has heard of the request already, and never hears its end.
    let answer = app.raw(&format!("{post}2\r\nhello0\r\n\r\n")).await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 400 "), "{answer}");
    let whole = |request: &String| request.ends_with("0\r\n\r\n");
    assert!(!stub.requests().iter().any(whole), "{:?}", stub.requests());
}

#[actix_web::test]
async fn heads_have_a_limit() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::with(&["--upstream", &stub.url, "--head-limit", "2000"]).await;
    let long = "x".repeat(2000);
    refused(&app, &format!("GET /api/x HTTP/1.1\r\n{HOST}X-Long: {long}\r\n\r\n"), 431).await;
    refused(&app, &format!("GET /api/{long} HTTP/1.1\r\n{HOST}\r\n"), 431).await;
    let many = "X: 1\r\n".repeat(97);
    cut_off(&app, &format!("GET /api/x HTTP/1.1\r\n{HOST}{many}\r\n"), 431).await;
    // As much as is ever read of one that does not end.
    let begun = format!("GET /api/x HTTP/1.1\r\n{HOST}X: ");
    let answer = app.raw(&format!("{begun}{}", "x".repeat(131_072 - begun.len()))).await;
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    assert_eq!(stub.requests(), Vec::<String>::new());
    let fine = "x".repeat(1500);
    let answer =
        app.raw(&format!("GET /api/x HTTP/1.1\r\n{HOST}Connection: close\r\nX: {fine}\r\n\r\n")).await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}

#[actix_web::test]
async fn bodies_have_a_limit_by_their_length_and_while_they_come() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::with(&["--upstream", &stub.url, "--body-limit", "1000"]).await;
    let announced = format!("POST /api/x HTTP/1.1\r\n{HOST}Content-Length: 1001\r\n\r\n");
    let answer = app.raw(&announced).await;
    assert!(answer.starts_with("HTTP/1.1 413 ") && answer.contains("body_too_large"), "{answer}");
    assert_eq!(stub.requests(), Vec::<String>::new(), "nothing went upstream");
    let chunk = format!("1f4\r\n{}\r\n", "x".repeat(500));
    let chunked = format!("POST /api/x HTTP/1.1\r\n{HOST}Transfer-Encoding: chunked\r\n\r\n");
    let answer = app.raw(&format!("{chunked}{chunk}{chunk}1\r\nx\r\n0\r\n\r\n")).await;
    assert!(answer.starts_with("HTTP/1.1 413 ") && answer.contains("body_too_large"), "{answer}");
    assert!(!stub.requests().iter().any(|request| request.ends_with("0\r\n\r\n")), "{:?}", stub.requests());
    let most = "x".repeat(1000);
    let answer = app.send(actix_web::http::Method::POST, "/api/x", &[], &most).await;
    let came = stub.requests().iter().filter(|request| request.ends_with(&most)).count();
    assert_eq!((answer.status.as_u16(), came), (200, 1));
}

#[actix_web::test]
async fn odd_paths_are_a_400_and_go_nowhere() {
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
        let answer = app.raw(&format!("GET {path} HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n")).await;
        assert!(answer.starts_with("HTTP/1.1 400 "), "{path:?}: {answer}");
    }
    // An absolute address is one of ours whatever host it names, and goes to the upstream alone.
    for path in ["/api/a%2Fb", "/health", "/health/x", "http://elsewhere.example/api/x"] {
        let answer = app.raw(&format!("GET {path} HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n")).await;
        assert!(answer.starts_with("HTTP/1.1 200 "), "{path:?}: {answer}");
    }
    let lines: Vec<_> =
        stub.requests().iter().map(|request| request.lines().next().unwrap().to_owned()).collect();
    assert_eq!(
        lines,
        ["/api/a%2Fb", "/health", "/health/x", "/api/x"].map(|path| format!("GET {path} HTTP/1.1"))
    );
}

#[actix_web::test]
async fn tunnels_and_upgrades_are_refused_everywhere_and_end_the_connection() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::beside(&stub.url).await;
    for request in [
        "CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example:443\r\n\r\n",
        "GET /api/x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    ] {
        cut_off(&app, request, 400).await;
    }
    for path in ["/", "/api/x"] {
        cut_off(&app, &format!("TRACE {path} HTTP/1.1\r\n{HOST}\r\n"), 400).await;
        let upgrade = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n";
        cut_off(&app, &format!("GET {path} HTTP/1.1\r\n{HOST}{upgrade}\r\n"), 400).await;
    }
    assert_eq!(stub.requests(), Vec::<String>::new());
}

#[actix_web::test]
async fn requests_on_one_connection_are_answered_in_their_order() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::beside(&stub.url).await;
    let mut connection = app.connect().await;
    let requests = format!(
        "POST /api/a HTTP/1.1\r\n{HOST}Content-Length: 2\r\n\r\n{{}}GET /api/%00 HTTP/1.1\r\n{HOST}\r\n\
         GET /api/b HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n"
    );
    connection.write_all(requests.as_bytes()).await.unwrap();
    let mut answers = String::new();
    connection.read_to_string(&mut answers).await.unwrap();
    let statuses: Vec<_> = answers.split("HTTP/1.1 ").skip(1).map(|answer| &answer[..3]).collect();
    assert_eq!(statuses, ["200", "400", "200"], "{answers}");
}
