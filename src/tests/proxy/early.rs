//! Requests that are refused before their body has come: the answer arrives although the client goes on sending, and
//! then the connection ends.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::timeout;

use crate::support::app::TestApp;
use crate::support::stub::{Stub, ok};

/// Sends a head and a body that never ends, and returns what comes until the connection ends.
async fn answered(app: &TestApp, head: &str) -> String {
    let (mut from, mut to) = app.connect().await.into_split();
    to.write_all(head.as_bytes()).await.unwrap();
    let is_chunked = head.contains("chunked");
    let sending = actix_web::rt::spawn(async move {
        let piece = "x".repeat(4096);
        let piece = if is_chunked { format!("1000\r\n{piece}\r\n") } else { piece };
        while to.write_all(piece.as_bytes()).await.is_ok() {}
    });
    let mut answer = Vec::new();
    // It may end with an error: what else was sent is thrown away.
    drop(timeout(Duration::from_mins(1), from.read_to_end(&mut answer)).await.expect("the connection ends"));
    timeout(Duration::from_mins(1), sending).await.expect("nothing is taken any more").unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[actix_web::test]
async fn a_client_that_goes_on_sending_gets_its_answer_and_then_the_end() {
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
            let head = format!("{request}Host: x\r\n{framing}\r\n\r\n");
            asked.push(async move {
                let answer = answered(app, &head).await;
                let start = format!("HTTP/1.1 {status} ");
                assert!(answer.starts_with(&start) && answer.ends_with('}'), "{head}: {answer}");
            });
        }
    }
    futures_util::future::join_all(asked).await;
    assert!(!stub.requests().iter().any(|request| request.ends_with("0\r\n\r\n")), "none was whole");
}

#[actix_web::test]
async fn a_client_that_stops_sending_behind_its_answer_is_not_kept() {
    let app = TestApp::embedded().await;
    for framing in ["Content-Length: 10", "Transfer-Encoding: chunked"] {
        let request = format!("POST /none HTTP/1.1\r\nHost: x\r\n{framing}\r\n\r\n");
        let answer = timeout(Duration::from_mins(1), app.raw(&request)).await.expect("the connection ends");
        assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
    }
}

#[actix_web::test]
async fn a_client_whose_chunks_were_read_keeps_its_connection() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::beside(&stub.url).await;
    let chunked = "POST /api/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
    let next = "GET /-/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let answers = app.raw(&format!("{chunked}{chunked}{next}")).await;
    assert_eq!(answers.matches("HTTP/1.1 200 ").count(), 3, "{answers}");
}
