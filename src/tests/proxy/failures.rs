//! Failing upstreams and disconnecting clients: error responses, retries and cancellation.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::support::app::{TestApp, upstream_of};
use crate::support::stub::{Reply, Stub, ok};

fn whole(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

#[actix_web::test]
async fn reads_are_retried_on_a_stale_connection() {
    for method in [Method::GET, Method::HEAD] {
        let stub =
            Stub::start(Reply::InTurn(vec![Reply::Bytes(whole("")), Reply::End, Reply::Bytes(whole(""))]))
                .await;
        let app = TestApp::with_workers(1, &["--upstream", &stub.url]).await;
        assert_eq!(app.get("/api/first").await.status, StatusCode::OK);
        let response = app.send(method.clone(), "/api/second", &[], "").await;
        assert_eq!(response.status, StatusCode::OK, "{method} {}", response.body);
        assert_eq!(stub.requests().len(), 3);
    }
}

#[actix_web::test]
async fn writes_are_never_sent_twice() {
    for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
        for body in ["", "{}"] {
            let stub = Stub::start(Reply::InTurn(vec![Reply::Bytes(whole("")), Reply::End])).await;
            let app = TestApp::with_workers(1, &["--upstream", &stub.url]).await;
            assert_eq!(app.get("/api/first").await.status, StatusCode::OK);
            let response = app.send(method.clone(), "/api/second", &[], body).await;
            assert_eq!(response.status, StatusCode::BAD_GATEWAY);
            assert_eq!(stub.requests().len(), 2, "{method}");
        }
    }
}

#[actix_web::test]
async fn reads_are_not_retried_after_a_partial_response_or_on_a_new_connection() {
    let begun = Reply::BytesThenEnd("HTTP/1.1 200 O".to_owned());
    for (replies, seen) in [(vec![Reply::Bytes(whole("")), begun], 2), (vec![Reply::End], 1)] {
        let stub = Stub::start(Reply::InTurn(replies)).await;
        let app = TestApp::with_workers(1, &["--upstream", &stub.url]).await;
        while stub.requests().len() < seen {
            app.get("/api/x").await;
        }
        assert_eq!(stub.requests().len(), seen);
    }
}

#[actix_web::test]
async fn unsent_requests_are_retried_once() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    let tries = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&tries);
    actix_web::rt::spawn(async move {
        // Each connection ends before its first request, during the TLS handshake.
        while let Ok((mut connection, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::SeqCst);
            drop(connection.read(&mut [0; 4096]).await);
        }
    });
    let app =
        TestApp::adjusted(&["--upstream", &url], |config| upstream_of(config).failures = u32::MAX).await;
    for (method, body) in [(Method::GET, ""), (Method::POST, "{}"), (Method::DELETE, "")] {
        let response = app.send(method.clone(), "/api/x", &[], body).await;
        assert_eq!(
            (response.status, response.header("x-flagdeck-error")),
            (StatusCode::BAD_GATEWAY, "upstream_unreachable")
        );
        assert_eq!(tries.swap(0, Ordering::SeqCst), 2, "{method}");
    }
}

#[actix_web::test]
async fn hundreds_of_requests_run_concurrently() {
    let stub = Stub::start(Reply::Silence).await;
    let app = TestApp::with_workers(1, &["--upstream", &stub.url]).await;
    let mut connections = Vec::new();
    for _ in 0..300 {
        let mut connection = app.connect().await;
        connection.write_all(b"GET /api/x HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
        connections.push(connection);
    }
    let all = async {
        while stub.requests().len() < connections.len() {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_mins(1), all).await.unwrap();
}

#[actix_web::test]
async fn circuit_opens_after_repeated_failures() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let url = format!("http://{address}");
    let app = TestApp::adjusted(&["--upstream", &url], |config| {
        upstream_of(config).pause = Duration::from_millis(300);
    })
    .await;
    for _ in 0..5 {
        assert_eq!(app.get("/api/x").await.status, StatusCode::BAD_GATEWAY);
    }
    let response = app.get("/api/x").await;
    assert_eq!(
        (response.status, response.header("x-flagdeck-error"), response.header("retry-after")),
        (StatusCode::SERVICE_UNAVAILABLE, "circuit_open", "1")
    );
    assert_eq!(app.get("/-/settings").await.status, StatusCode::OK, "the console is still available");
    let _stub = Stub::at(TcpListener::bind(address).await.unwrap(), ok("", "{}"));
    let back = async {
        while app.get("/api/x").await.status != StatusCode::OK {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(30), back).await.unwrap();
}

#[actix_web::test]
async fn request_of_a_disconnected_client_is_cancelled() {
    let stub = Stub::start(Reply::Silence).await;
    let app = TestApp::beside(&stub.url).await;
    let mut connection = app.connect().await;
    connection.write_all(b"GET /api/x HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
    stub.wait_for(|request| request.contains("/api/x")).await;
    drop(connection);
    timeout(Duration::from_secs(30), stub.wait_for_end()).await.unwrap();
}

#[actix_web::test]
async fn connect_timeout_returns_504() {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    // Connections are not accepted, so that the kernel stops completing handshakes when the backlog is full.
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    let mut waiting = Vec::new();
    while let Ok(connected) = timeout(Duration::from_millis(500), TcpStream::connect(address)).await {
        waiting.push(connected.unwrap());
    }
    let url = format!("http://{address}");
    let app = TestApp::with(&["--upstream", &url, "--upstream-connect-timeout", "100ms"]).await;
    let response = app.get("/api/x").await;
    assert_eq!(
        (response.status, response.header("x-flagdeck-error")),
        (StatusCode::GATEWAY_TIMEOUT, "upstream_timeout"),
        "{}",
        response.body
    );
}

#[actix_web::test]
async fn origin_wide_upstream_headers_are_removed() {
    let stub = Stub::start(ok(
        "Content-Type: text/html\r\nContent-Security-Policy: default-src *\r\nServer: x\r\nX-Powered-By: x\r\n\
         Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Credentials: true\r\nClear-Site-Data: \"*\"\r\n\
         Strict-Transport-Security: max-age=1\r\nAlt-Svc: h3=\":1\"\r\nX-Flagdeck-Error: forged\r\n\
         NEL: {}\r\nReport-To: {}\r\nReporting-Endpoints: x=\"https://x\"\r\nService-Worker-Allowed: /\r\n\
         SourceMap: /x\r\nRefresh: 0; url=https://x\r\nLink: <https://x>; rel=preload\r\nSet-Cookie2: s=1\r\n\
         Content-Security-Policy-Report-Only: default-src *\r\nSpeculation-Rules: \"https://x\"\r\n\
         Origin-Trial: x\r\nTiming-Allow-Origin: *\r\nX-Accel-Redirect: /x\r\n",
        "<script>",
    ))
    .await;
    let response = TestApp::beside(&stub.url).await.get("/api/x").await;
    let policy = response.header("content-security-policy");
    assert_eq!(policy, "sandbox; default-src 'none'; frame-ancestors 'none'");
    for lost in [
        "server",
        "x-powered-by",
        "access-control-allow-origin",
        "access-control-allow-credentials",
        "clear-site-data",
        "strict-transport-security",
        "alt-svc",
        "x-flagdeck-error",
        "nel",
        "report-to",
        "reporting-endpoints",
        "service-worker-allowed",
        "sourcemap",
        "refresh",
        "link",
        "set-cookie2",
        "content-security-policy-report-only",
        "speculation-rules",
        "origin-trial",
        "timing-allow-origin",
        "x-accel-redirect",
    ] {
        assert_eq!(response.header(lost), "", "{lost}");
    }
}

#[actix_web::test]
async fn responses_are_not_cached_unless_the_upstream_allows_it() {
    for (headers, caching) in [("", "no-store"), ("Cache-Control: max-age=60\r\n", "max-age=60")] {
        let stub = Stub::start(ok(headers, "{}")).await;
        assert_eq!(TestApp::beside(&stub.url).await.get("/api/x").await.header("cache-control"), caching);
    }
}
