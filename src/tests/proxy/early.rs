//! Responses that precede the end of the request body: the client gets the response although it keeps sending, and then
//! the connection ends.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::timeout;

use crate::support::app::TestApp;
use crate::support::stub::{Stub, ok};

/// Sends a head and an endless body, and returns all bytes until the connection ends.
async fn send_endless_body(app: &TestApp, head: &str) -> String {
    let (mut from, mut to) = app.connect().await.into_split();
    to.write_all(head.as_bytes()).await.unwrap();
    let is_chunked = head.contains("chunked");
    let sending = actix_web::rt::spawn(async move {
        let piece = "x".repeat(4096);
        let piece = if is_chunked { format!("1000\r\n{piece}\r\n") } else { piece };
        while to.write_all(piece.as_bytes()).await.is_ok() {}
    });
    let mut response = Vec::new();
    // The read may end with an error, because the server discards the rest of the body.
    drop(
        timeout(Duration::from_mins(1), from.read_to_end(&mut response)).await.expect("the connection ends"),
    );
    timeout(Duration::from_mins(1), sending).await.expect("nothing is taken any more").unwrap();
    String::from_utf8_lossy(&response).into_owned()
}

#[actix_web::test]
async fn client_that_keeps_sending_gets_its_response_before_the_close() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::with(&["--upstream", &stub.url, "--body-limit", "10000000"]).await;
    let embedded = TestApp::embedded().await;
    let json = "Content-Type: application/json\r\n";
    let mut asked = Vec::new();
    for (app, request, status) in [
        (&app, "POST /api/x HTTP/1.1\r\n".to_owned(), "413"),
        (&app, "POST /api/x HTTP/1.1\r\nSec-Fetch-Site: cross-site\r\n".to_owned(), "403"),
        (&app, "POST /api/%00 HTTP/1.1\r\n".to_owned(), "400"),
        (&app, "POST /none HTTP/1.1\r\n".to_owned(), "404"),
        (&embedded, format!("POST /api/admin/features HTTP/1.1\r\n{json}"), "413"),
        (&embedded, "POST /api/admin/features HTTP/1.1\r\n".to_owned(), "415"),
        (&embedded, "POST /-/health HTTP/1.1\r\n".to_owned(), "404"),
    ] {
        for framing in ["Content-Length: 1000000000000", "Transfer-Encoding: chunked"] {
            let head = format!("{request}Host: localhost\r\n{framing}\r\n\r\n");
            asked.push(async move {
                let response = send_endless_body(app, &head).await;
                let start = format!("HTTP/1.1 {status} ");
                assert!(response.starts_with(&start) && response.ends_with('}'), "{head}: {response}");
            });
        }
    }
    futures_util::future::join_all(asked).await;
    assert!(!stub.requests().iter().any(|request| request.ends_with("0\r\n\r\n")), "no request was complete");
}

#[actix_web::test]
async fn client_that_stalls_after_an_early_response_is_disconnected() {
    let app = TestApp::embedded().await;
    for framing in ["Content-Length: 10", "Transfer-Encoding: chunked"] {
        let request = format!("POST /none HTTP/1.1\r\nHost: localhost\r\n{framing}\r\n\r\n");
        let response = app.raw(&request).await;
        assert!(response.starts_with("HTTP/1.1 404 "), "{response}");
    }
}

#[actix_web::test]
async fn connection_is_kept_after_all_chunks_were_read() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::beside(&stub.url).await;
    let chunked =
        "POST /api/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
    let next = "GET /-/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let responses = app.raw(&format!("{chunked}{chunked}{next}")).await;
    assert_eq!(responses.matches("HTTP/1.1 200 ").count(), 3, "{responses}");
}
