//! Malformed responses of upstreams. Each has a defined result, and later requests on the same connections are not
//! affected.

use actix_web::http::{Method, StatusCode};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::support::app::TestApp;
use crate::support::stub::{Reply, Stub, ok};

const OK: &str = "HTTP/1.1 200 OK\r\n";
const FIRST: &str = "Content-Length: 5\r\n\r\nfirst";

/// Returns the response for a client whose upstream sends these bytes. A second client must get a normal response.
async fn first(method: &str, reply: Reply, shown: &str) -> String {
    let stub = Stub::start(Reply::InTurn(vec![reply, ok("", "second")])).await;
    let app = TestApp::with_workers(1, &["--upstream", &stub.url, "--upstream-head-timeout", "10s"]).await;
    let response = app
        .raw(&format!("{method} /api/first HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
        .await;
    let next = app.get("/api/second").await;
    assert_eq!((next.status, next.body.as_str()), (StatusCode::OK, "second"), "after {shown:?}");
    assert_eq!(stub.requests().len(), 2, "{shown:?}");
    response
}

#[actix_web::test]
async fn unambiguous_responses_are_forwarded() {
    let hints = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n";
    for (bytes, whole) in [
        (format!("{hints}{OK}{FIRST}"), "first"),
        (format!("{hints}HTTP/1.1 100 Continue\r\n\r\n{OK}{FIRST}"), "first"),
        (
            format!("{OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n0\r\n\r\n"),
            "first",
        ),
        (format!("{OK}Transfer-Encoding: chunked\r\n\r\n5;x=\"y\"\r\nfirst\r\n0\r\n\r\n"), "first"),
        (
            format!("{OK}Transfer-Encoding: chunked\r\nTrailer: X\r\n\r\n5\r\nfirst\r\n0\r\nX: 1\r\n\r\n"),
            "first",
        ),
        // Bytes after the end of the response are discarded.
        (format!("{OK}{FIRST}{OK}Content-Length: 4\r\n\r\nevil"), "first"),
        (format!("{OK}Content-Length: 0\r\n\r\n{OK}{FIRST}"), ""),
    ] {
        let response = first("GET", Reply::Bytes(bytes.clone()), &bytes).await;
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200 OK"), "{bytes:?}: {response}");
        let chunked = format!("{:x}\r\n{whole}\r\n0\r\n\r\n", whole.len());
        assert_eq!(body, if head.contains("chunked") { &chunked } else { whole }, "{bytes:?}");
        assert!(!(head.contains("chunked") && head.contains("content-length")), "{head}");
        for lost in ["trailer", "link"] {
            assert!(!head.contains(lost), "{head}");
        }
    }
}

#[actix_web::test]
async fn response_without_a_length_ends_with_the_connection() {
    for start in ["HTTP/1.0 200 OK\r\n", OK, "HTTP/1.1 200 OK\r\nConnection: close\r\n"] {
        let reply = Reply::BytesThenEnd(format!("{start}\r\nall of it, also {OK}{FIRST}"));
        let response = first("GET", reply, start).await;
        assert!(
            response.contains("\r\nall of it, also HTTP/1.1 200 OK\r\n") && response.ends_with("0\r\n\r\n"),
            "{response}"
        );
    }
}

#[actix_web::test]
async fn responses_without_a_body_ignore_framing_headers() {
    for (method, head) in [
        ("GET", "HTTP/1.1 204 No Content\r\n"),
        ("GET", "HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n"),
        ("HEAD", OK),
    ] {
        for rest in ["\r\n", FIRST, "Content-Length: 4096\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n"] {
            if method == "HEAD" && rest == "\r\n" {
                continue; // ends only with the connection, which stays open here
            }
            let bytes = format!("{head}{rest}");
            let response = first(method, Reply::Bytes(bytes.clone()), &bytes).await;
            assert!(
                response.starts_with(&head[..12]) && response.ends_with("\r\n\r\n"),
                "{bytes:?}: {response}"
            );
        }
    }
}

#[actix_web::test]
async fn ambiguous_or_malformed_responses_return_502() {
    let many = "X: 1\r\n".repeat(97);
    for bytes in [
        format!("{OK}Content-Length: 5\r\n{FIRST}"),
        format!("{OK}Content-Length: 4\r\n{FIRST}"),
        format!("{OK}Content-Length: 5, 5\r\n\r\nfirst"),
        format!("{OK}Content-Length: +5\r\n\r\nfirst"),
        format!("{OK}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        format!("{OK}X: a\r\n folded: b\r\n{FIRST}"),
        format!("{OK}X: a\0b\r\n{FIRST}"),
        format!("{OK}X: a\rSet-Cookie: b=1\r\n{FIRST}"),
        format!("{OK}{many}{FIRST}"),
        format!("{OK}X: {}\r\n{FIRST}", "x".repeat(200_000)),
        format!("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n{OK}{FIRST}"),
        format!("HTTP/1.1 2000 OK\r\n{FIRST}"),
        format!("HTTP/2.0 200 OK\r\n{FIRST}"),
        "<html>".to_owned() + &"x".repeat(100),
        String::from("\r\n\r\nnonsense\r\n\r\n"),
    ] {
        let shown = &bytes[..bytes.len().min(100)];
        let response = first("GET", Reply::Bytes(bytes.clone()), shown).await;
        assert!(
            response.starts_with("HTTP/1.1 502 ") && response.contains("upstream_unreachable"),
            "{shown:?}: {response}"
        );
    }
}

#[actix_web::test]
async fn early_upstream_response_is_forwarded() {
    for hangs_up in [true, false] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        actix_web::rt::spawn(async move {
            let mut held = Vec::new();
            while let Ok((mut connection, _)) = listener.accept().await {
                drop(connection.read(&mut [0; 1024]).await);
                let response = b"HTTP/1.1 413 Too Large\r\nContent-Length: 5\r\n\r\nfirst";
                drop(connection.write_all(response).await);
                held.extend((!hangs_up).then_some(connection));
            }
        });
        let app = TestApp::with_workers(1, &["--upstream", &url]).await;
        for _ in 0..10 {
            let response = app.send(Method::POST, "/api/x", &[], &"x".repeat(8 << 20)).await;
            assert_eq!((response.status, response.body.as_str()), (StatusCode::PAYLOAD_TOO_LARGE, "first"));
        }
    }
}
