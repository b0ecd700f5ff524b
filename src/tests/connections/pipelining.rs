//! Pipelined requests: several requests that a client sends on one connection without waiting for the responses.

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::timeout;

use super::{HEALTH, PATIENCE, connect_with_window};
use crate::support::app::TestApp;
use crate::support::stub::{Stub, ok};

#[actix_web::test]
async fn requests_after_connection_close_are_not_processed() {
    let large = "x".repeat(1 << 20);
    for body in ["{}", &large] {
        let stub = Stub::start(ok("", body)).await;
        let app = TestApp::beside(&stub.url).await;
        for last in [
            "GET /api/last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            "GET /api/last HTTP/1.1\r\nHost: localhost\r\nConnection: x, Close\r\n\r\n",
            "GET /api/last HTTP/1.0\r\nHost: localhost\r\n\r\n",
            "POST /api/last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}",
            "POST /api/last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        ] {
            let further = "GET /api/further HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(3);
            let response = timeout(PATIENCE, app.raw(&format!("{last}{further}"))).await.unwrap();
            assert_eq!(response.matches("HTTP/1.").count(), 1, "{last:?}: {response:.300}");
            assert!(response.ends_with(body), "{last:?}: {}", response.len());
            assert_eq!(
                response.contains("connection: close"),
                response.starts_with("HTTP/1.1"),
                "{response:.300}"
            );
        }
        let requests = stub.requests();
        assert!(
            requests.len() == 5 && requests.iter().all(|request| request.contains("/api/last ")),
            "{requests:?}"
        );
    }
}

/// The HTTP library would read further requests while the last bytes of a complete response wait for a slow client.
#[actix_web::test]
async fn requests_after_connection_close_are_not_processed_while_the_client_is_slow() {
    for size in (0..16).map(|step| (1 << 20) + step * 4_096) {
        let stub = Stub::start(ok("", &"x".repeat(size))).await;
        let app = TestApp::with_workers(1, &["--upstream", &stub.url]).await;
        let mut client = connect_with_window(&app, 4_096).await;
        let further = "GET /api/further HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(3);
        let requests =
            format!("GET /api/last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n{further}");
        client.write_all(requests.as_bytes()).await.unwrap();
        let mut response = Vec::new();
        timeout(PATIENCE, client.read_to_end(&mut response)).await.unwrap().unwrap();
        assert!(response.ends_with(b"x"));
        assert_eq!(stub.requests().len(), 1, "{size}");
    }
}

#[actix_web::test]
async fn writes_after_connection_close_are_not_processed() {
    let app = TestApp::embedded().await;
    for (connection, status) in [("close", 404), ("keep-alive", 200)] {
        let first = format!("GET /-/health HTTP/1.1\r\nHost: localhost\r\nConnection: {connection}\r\n\r\n");
        let body = json!({ "name": "late", "strategies": [{ "name": "default" }] }).to_string();
        let change = format!(
            "POST /api/admin/features HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        timeout(PATIENCE, app.raw(&format!("{first}{change}"))).await.unwrap();
        assert_eq!(app.get("/api/admin/features/late").await.status.as_u16(), status, "{connection}");
    }
}

#[actix_web::test]
async fn pipelined_requests_do_not_change_the_framing_of_earlier_responses() {
    let stub = Stub::start(ok("", "body")).await;
    let app = TestApp::beside(&stub.url).await;
    let request = |line: &str| format!("{line}\r\nHost: localhost\r\n\r\n");
    let last = "GET /api/last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    for (requests, expected) in [
        (
            request("GET /api/a HTTP/1.1") + &request("HEAD /-/health HTTP/1.1") + last,
            "1.1 body,1.1 ,1.1 body",
        ),
        (
            request("HEAD /-/health HTTP/1.1") + &request("GET /api/b HTTP/1.1") + last,
            "1.1 ,1.1 body,1.1 body",
        ),
        (request("GET /api/a HTTP/1.1") + &request("GET /api/b HTTP/1.0") + last, "1.1 body,1.0 body"),
    ] {
        let responses = timeout(PATIENCE, app.raw(&requests)).await.unwrap();
        let summaries: Vec<_> = responses
            .split("HTTP/")
            .skip(1)
            .map(|response| format!("{} {}", &response[..3], response.split_once("\r\n\r\n").unwrap().1))
            .collect();
        assert_eq!(summaries.join(","), expected, "{requests}: {responses}");
    }
}

#[actix_web::test]
async fn queued_pipelined_requests_get_responses_after_the_client_half_closes() {
    let app = TestApp::embedded().await;
    let mut client = app.connect().await;
    let missing = "GET /-/x HTTP/1.1\r\nHost: localhost\r\n\r\n";
    client.write_all(format!("{HEALTH}{missing}{HEALTH}").as_bytes()).await.unwrap();
    client.shutdown().await.unwrap();
    let mut responses = String::new();
    timeout(PATIENCE, client.read_to_string(&mut responses)).await.unwrap().unwrap();
    let statuses: Vec<_> = responses.split("HTTP/1.1 ").skip(1).map(|response| &response[..3]).collect();
    assert_eq!(statuses, ["200", "404", "200"], "{responses}");
}

#[actix_web::test]
async fn fragmented_bodies_and_pipelined_requests_keep_their_boundaries() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::beside(&stub.url).await;
    let sized = format!(
        "POST /api/sized HTTP/1.1\r\nHost: localhost\r\nContent-Length: 30000\r\n\r\n{}",
        "s".repeat(30_000)
    );
    let chunk = format!("3e8\r\n{}\r\n", "c".repeat(1000));
    let chunked = format!(
        "POST /api/chunked HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n{}0\r\nX: 1\r\n\r\n",
        chunk.repeat(30)
    );
    let expected = "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}";
    let last = "GET /api/last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let all = format!(
        "{sized}{chunked}\r\n{sized}{HEALTH}{chunked}POST /api/x HTTP/1.1\r\nHost: localhost\r\n{expected}{last}"
    );
    for size in [1_013, 4_096, 65_536, all.len()] {
        let (mut from, mut to) = app.connect().await.into_split();
        let parts: Vec<_> = all.as_bytes().chunks(size).map(<[u8]>::to_vec).collect();
        let sending = actix_web::rt::spawn(async move {
            for part in parts {
                to.write_all(&part).await.unwrap();
                tokio::task::yield_now().await;
            }
            to
        });
        let mut responses = String::new();
        timeout(PATIENCE, from.read_to_string(&mut responses)).await.unwrap().unwrap();
        sending.await.unwrap();
        let responses = responses.replace("HTTP/1.1 100 Continue\r\n\r\n", "");
        assert_eq!(responses.matches("HTTP/1.1 200 ").count(), 7, "in parts of {size}: {responses}");
    }
}
