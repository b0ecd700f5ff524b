//! The pool of upstream connections with fewer connections than clients: slow clients do not hold connections, and a full
//! pool does not count as a failure of the upstream.

use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use flagdeck::config::Config;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::support::app::{TestApp, upstream_of};
use crate::support::stub::{Reply, Stub, ok};

/// Starts the app with one worker and this number of connections to the upstream, and its metrics.
async fn beside(
    stub: &Stub,
    pool_size: usize,
    arguments: &[&str],
    adjust: impl FnOnce(&mut Config),
) -> (TestApp, TestApp) {
    let arguments = [&["--upstream", &stub.url, "--admin-listen", "0"], arguments].concat();
    let app = TestApp::adjusted(&arguments, |config| {
        config.listen.workers = Some(1);
        upstream_of(config).pool_size = pool_size;
        adjust(config);
    });
    let app = app.await;
    let metrics = TestApp::at(app.admin_port.unwrap());
    (app, metrics)
}

/// Waits until the metrics contain a line.
async fn metric(metrics: &TestApp, line: &str) {
    let there = async {
        while !metrics.get("/metrics").await.body.lines().any(|found| found == line) {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(30), there).await.unwrap_or_else(|_| panic!("no metric {line}"));
}

/// Sends the start of a request and keeps the connection open.
async fn send_start(app: &TestApp, request: &str) -> TcpStream {
    let mut connection = app.connect().await;
    connection.write_all(request.as_bytes()).await.unwrap();
    connection
}

/// Reads a connection to its end.
async fn read_to_end(mut connection: TcpStream) -> String {
    let mut response = Vec::new();
    // The read may end with an error, because the server discards the rest of the request.
    drop(timeout(Duration::from_secs(30), connection.read_to_end(&mut response)).await.unwrap());
    String::from_utf8_lossy(&response).into_owned()
}

/// Asserts that reads and small writes succeed faster than the slow clients.
async fn assert_served(app: &TestApp) {
    for (method, body) in [(Method::GET, ""), (Method::POST, "{}"), (Method::GET, ""), (Method::PUT, "{}")] {
        let response =
            timeout(Duration::from_secs(10), app.send(method.clone(), "/api/fine", &[], body)).await;
        let response = response.unwrap_or_else(|_| panic!("{method} waits for slow clients"));
        assert_eq!(response.status, StatusCode::OK, "{method}: {}", response.body);
    }
}

#[actix_web::test]
async fn slow_small_bodies_do_not_hold_upstream_connections() {
    let stub = Stub::start(ok("", "{}")).await;
    let (app, metrics) = beside(&stub, 2, &[], |_| {}).await;
    let mut slow = Vec::new();
    for framing in ["Content-Length: 100\r\n\r\nx", "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"] {
        for _ in 0..20 {
            let request =
                format!("POST /api/slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{framing}");
            slow.push(send_start(&app, &request).await);
        }
    }
    metric(&metrics, "flagdeck_http_requests_in_flight 40").await;
    assert_served(&app).await;
    assert!(!stub.requests().iter().any(|request| request.contains("/api/slow")), "{:?}", stub.requests());
    // Once it is complete, each body goes upstream as it came.
    let chunked = slow.split_off(20);
    for (connections, rest_of_body, sent) in [
        (slow, "y".repeat(99), format!("\r\n\r\nx{}", "y".repeat(99))),
        (chunked, "2\r\nyz\r\n0\r\n\r\n".to_owned(), "\r\n\r\n3\r\nxyz\r\n0\r\n\r\n".to_owned()),
    ] {
        for mut connection in connections {
            connection.write_all(rest_of_body.as_bytes()).await.unwrap();
            let response = read_to_end(connection).await;
            assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
            assert!(stub.requests().pop().unwrap().ends_with(&sent), "{:?}", stub.requests().pop());
        }
    }
}

#[actix_web::test]
async fn slow_large_bodies_leave_connections_for_other_requests() {
    let stub = Stub::start(ok("", "{}")).await;
    let (app, metrics) = beside(&stub, 2, &["--upstream-connect-timeout", "1s"], |config| {
        config.limits.body_timeout = Duration::from_secs(18);
    })
    .await;
    let mut slow = Vec::new();
    for framing in [
        "Content-Length: 1000000\r\n\r\n".to_owned(),
        "Transfer-Encoding: chunked\r\n\r\nf4240\r\n".to_owned(),
    ] {
        for _ in 0..5 {
            let part = "x".repeat(70_000);
            let request =
                format!("POST /api/slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{framing}{part}");
            slow.push(send_start(&app, &request).await);
        }
    }
    stub.wait_for(|request| request.contains("/api/slow")).await;
    metric(&metrics, "flagdeck_http_requests_in_flight 10").await;
    assert_served(&app).await;
    // One client has the connection and loses it, because it is too slow. The others waited for that connection.
    let mut codes = Vec::new();
    for connection in slow {
        let response = read_to_end(connection).await;
        let code = response.split("\"code\":\"").nth(1).and_then(|rest| rest.split('"').next());
        codes.push(code.unwrap_or_else(|| panic!("{response}")).to_owned());
    }
    let count = |code: &str| codes.iter().filter(|found| *found == code).count();
    assert_eq!((count("body_too_slow"), count("upstream_busy")), (1, 9), "{codes:?}");
    assert_served(&app).await;
}

#[actix_web::test]
async fn client_that_stalls_in_a_large_body_is_disconnected_early() {
    let stub = Stub::start(ok("", "{}")).await;
    let (app, _) = beside(&stub, 2, &[], |config| config.limits.body_timeout = Duration::from_secs(6)).await;
    let part = "x".repeat(70_000);
    let head = "POST /api/slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n";
    // After one second plus the time allowed for the bytes after the first 64 KB.
    let response = read_to_end(send_start(&app, &format!("{head}{part}")).await).await;
    assert!(response.starts_with("HTTP/1.1 408 ") && response.contains("body_too_slow"), "{response}");
}

#[actix_web::test]
async fn bodies_above_the_buffer_limit_are_streamed() {
    let stub = Stub::start(ok("", "{}")).await;
    let (app, metrics) = beside(&stub, 2, &[], |config| upstream_of(config).body_memory = 100).await;
    let head = "HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length";
    let first = send_start(&app, &format!("POST /api/first {head}: 1000\r\n\r\n{}", "x".repeat(99))).await;
    metric(&metrics, "flagdeck_http_requests_in_flight 1").await;
    // The second body exceeds the buffer limit; below it, the proxy would wait for both bodies.
    let mut second = send_start(&app, &format!("POST /api/second {head}: 100\r\n\r\nx")).await;
    stub.wait_for(|request| request.ends_with("\r\n\r\nx")).await;
    // Bodies that arrive with their heads use neither this memory nor a connection of the uploads' share.
    for _ in 0..3 {
        let whole = send_start(&app, &format!("POST /api/fine {head}: 2\r\n\r\n{{}}")).await;
        let response = read_to_end(whole).await;
        assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
    }
    assert!(!stub.requests().iter().any(|request| request.contains("/api/first")), "{:?}", stub.requests());
    second.write_all("y".repeat(99).as_bytes()).await.unwrap();
    let response = read_to_end(second).await;
    assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
    drop(first);
}

#[actix_web::test]
async fn full_pool_returns_503_and_does_not_open_the_circuit() {
    let replies = vec![Reply::Silence, ok("", "{}")];
    let stub = Stub::start(Reply::InTurn(replies)).await;
    let arguments = ["--upstream-connect-timeout", "100ms"];
    let (app, metrics) = beside(&stub, 1, &arguments, |config| upstream_of(config).failures = 1).await;
    let holder = send_start(&app, "GET /api/slow HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
    stub.wait_for(|request| request.contains("/api/slow")).await;
    for (method, body) in [(Method::GET, ""), (Method::POST, "{}"), (Method::GET, "")] {
        let response = app.send(method.clone(), "/api/x", &[], body).await;
        assert_eq!(
            (response.status, response.header("x-flagdeck-error"), response.header("retry-after")),
            (StatusCode::SERVICE_UNAVAILABLE, "upstream_busy", "1"),
            "{method}: {}",
            response.body
        );
        assert_eq!(response.json()["code"], "upstream_busy");
        let message = response.json()["message"].as_str().unwrap().to_owned();
        assert!(message.contains(stub.authority()), "{message}");
    }
    metric(&metrics, "flagdeck_upstream_circuit_open 0").await;
    drop(holder);
    let free = async {
        while app.get("/api/x").await.status != StatusCode::OK {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(30), free).await.expect("the connection is free again");
    assert_eq!(stub.requests().len(), 2, "nothing else was sent");
}

#[actix_web::test]
async fn waiting_request_gets_the_next_free_connection() {
    let stub = Stub::start(Reply::InTurn(vec![Reply::Silence, ok("", "{}")])).await;
    let (app, metrics) = beside(&stub, 1, &[], |_| {}).await;
    let holder = send_start(&app, "GET /api/slow HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
    stub.wait_for(|request| request.contains("/api/slow")).await;
    let waiting =
        send_start(&app, "GET /api/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").await;
    metric(&metrics, "flagdeck_http_requests_in_flight 2").await;
    drop(holder);
    let response = read_to_end(waiting).await;
    assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
}
