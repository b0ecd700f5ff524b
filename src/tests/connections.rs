//! Client connections: HTTP/1.x requests on raw sockets, with an upstream and with the embedded flag service.

mod pipelining;

use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{interval, timeout};
use tokio_rustls::TlsConnector;

use crate::support::app::{TestApp, upstream_of};
use crate::support::authority::Authority;
use crate::support::stub::{Reply, Stub, ok};

const HEALTH: &str = "GET /-/health HTTP/1.1\r\nHost: localhost\r\n\r\n";
/// The timeout of each wait. Passing tests do not reach it.
const PATIENCE: Duration = Duration::from_secs(20);
/// Larger than all kernel buffers between the server and a client with a small window.
const LARGE: usize = 8 << 20;

/// Connects with a receive buffer of this many bytes.
async fn connect_with_window(app: &TestApp, bytes: u32) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(bytes).unwrap();
    socket.connect(([127, 0, 0, 1], app.port).into()).await.unwrap()
}

/// Starts an app with one worker and one upstream connection. The first response is large, the others are small.
async fn app_with_one_upstream_connection(more: &[&str]) -> (TestApp, Stub) {
    let stub = Stub::start(Reply::InTurn(vec![ok("", &"x".repeat(LARGE)), ok("", "{}")])).await;
    let arguments = [&["--upstream", &stub.url], more].concat();
    let app = TestApp::adjusted(&arguments, |config| {
        config.listen.workers = Some(1);
        config.limits.write_timeout = Duration::from_millis(500);
        upstream_of(config).pool_size = 1;
    });
    (app.await, stub)
}

/// Requests the large response and waits until it has begun.
async fn request_large(client: &mut (impl AsyncRead + AsyncWrite + Unpin)) {
    client.write_all(b"GET /api/large HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
    let mut start = [0; 12];
    client.read_exact(&mut start).await.unwrap();
    assert_eq!(&start, b"HTTP/1.1 200");
}

/// Reads up to this many bytes at each of 50 ticks.
async fn read_slowly(client: &mut TcpStream, bytes: usize, tick: Duration) -> usize {
    let (mut ticks, mut total, mut buffer) = (interval(tick), 0, vec![0; bytes]);
    for _ in 0..50 {
        ticks.tick().await;
        total += client.read(&mut buffer).await.unwrap();
    }
    total
}

#[actix_web::test]
async fn client_that_does_not_read_its_response_releases_the_upstream_connection() {
    let (app, _stub) = app_with_one_upstream_connection(&[]).await;
    let mut client = connect_with_window(&app, 16_384).await;
    request_large(&mut client).await;
    let other =
        timeout(PATIENCE, app.raw("GET /api/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
    let other = other.await.expect("the connection to the upstream is free again");
    assert!(other.starts_with("HTTP/1.1 200 "), "{other}");
    let mut rest = Vec::new();
    drop(client.read_to_end(&mut rest).await);
    assert!(rest.len() < LARGE, "the response is cut off");
}

#[actix_web::test]
async fn tls_client_that_does_not_read_its_response_releases_the_upstream_connection() {
    let authority = Authority::new();
    authority.sign("flags.example");
    let (certificate, key) = (authority.path("cert.pem"), authority.path("key.pem"));
    let (app, stub) =
        app_with_one_upstream_connection(&["--tls-cert", &certificate, "--tls-key", &key]).await;
    let config = ClientConfig::builder().with_root_certificates(authority.roots()).with_no_client_auth();
    let connector = TlsConnector::from(Arc::new(config));
    let connect = async || {
        let name = ServerName::try_from("flags.example").unwrap();
        connector.connect(name, connect_with_window(&app, 16_384).await).await.unwrap()
    };
    let mut client = connect().await;
    request_large(&mut client).await;
    let mut other = connect().await;
    other.write_all(b"GET /api/x HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
    let mut start = [0; 12];
    timeout(PATIENCE, other.read_exact(&mut start)).await.expect("the connection is free again").unwrap();
    assert_eq!((&start, stub.requests().len()), (b"HTTP/1.1 200", 2));
}

#[actix_web::test]
async fn client_that_reads_a_few_bytes_at_a_time_is_disconnected() {
    let (app, _stub) = app_with_one_upstream_connection(&[]).await;
    let mut client = connect_with_window(&app, 16_384).await;
    request_large(&mut client).await;
    let read = read_slowly(&mut client, 10, Duration::from_millis(200));
    let other = app.raw("GET /api/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    tokio::select! {
        read = read => panic!("the client still reads what kernels keep: {read:?}"),
        other = other => assert!(other.starts_with("HTTP/1.1 200 "), "{other}"),
    }
}

#[actix_web::test]
async fn slow_client_that_keeps_reading_gets_its_whole_response() {
    let (app, _stub) = app_with_one_upstream_connection(&[]).await;
    let mut client = connect_with_window(&app, 131_072).await;
    request_large(&mut client).await;
    // Slow for twice the timeout, then as fast as possible.
    let slowly = read_slowly(&mut client, 65_536, Duration::from_millis(20)).await;
    assert!(slowly < LARGE / 2, "{slowly}");
    let mut rest = vec![0; LARGE - slowly];
    timeout(PATIENCE, client.read_exact(&mut rest)).await.expect("the rest arrives").unwrap();
}

/// Starts an app with a head timeout of one second.
async fn app_with_short_head_timeout(more: &[&str]) -> TestApp {
    let arguments: Vec<_> = ["--data", ":memory:"].iter().chain(more).copied().collect();
    TestApp::adjusted(&arguments, |config| config.listen.head_timeout = Duration::from_secs(1)).await
}

#[actix_web::test]
async fn every_request_head_on_a_connection_has_a_deadline() {
    let app = app_with_short_head_timeout(&[]).await;
    let half = "GET /-/health HTTP/1.1\r\nHost:";
    for (requests, expected) in [
        (String::new(), 0),
        (half.to_owned(), 0),
        (format!("{HEALTH}{half}"), 1),
        (format!("{HEALTH}{HEALTH}\r\n"), 2),
        (format!("POST /-/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{{}}{half}"), 1),
    ] {
        let responses = timeout(PATIENCE, app.raw(&requests)).await.expect("the connection ends");
        assert_eq!(responses.matches("HTTP/1.1 ").count(), expected, "{requests:?}: {responses}");
    }
}

#[actix_web::test]
async fn slow_bytes_do_not_extend_the_head_deadline() {
    let app = app_with_short_head_timeout(&[]).await;
    let (mut from, mut to) = app.connect().await.into_split();
    to.write_all(HEALTH.as_bytes()).await.unwrap();
    let sending = actix_web::rt::spawn(async move {
        let mut ticks = interval(Duration::from_millis(50));
        drop(to.write_all(b"GET /-/health HTTP/1.1\r\nX: ").await);
        while to.write_all(b"x").await.is_ok() {
            ticks.tick().await;
        }
    });
    // The connection may end with a reset, because the server did not read the last bytes.
    drop(timeout(PATIENCE, from.read_to_end(&mut Vec::new())).await.expect("the connection ends"));
    timeout(PATIENCE, sending).await.expect("nothing is taken any more").unwrap();
}

#[actix_web::test]
async fn split_head_after_an_idle_time_gets_a_response() {
    let app = app_with_short_head_timeout(&[]).await;
    let mut client = app.connect().await;
    let mut ticks = interval(Duration::from_millis(1200));
    for _ in 0..2 {
        ticks.tick().await;
        let (first, second) = HEALTH.split_at(20);
        client.write_all(first.as_bytes()).await.unwrap();
        client.write_all(second.as_bytes()).await.unwrap();
        let mut response = vec![0; 4096];
        let count = timeout(PATIENCE, client.read(&mut response)).await.unwrap().unwrap();
        assert!(response[..count].starts_with(b"HTTP/1.1 200 "));
    }
}

#[actix_web::test]
async fn tls_handshake_has_a_deadline() {
    let authority = Authority::new();
    authority.sign("flags.example");
    let (certificate, key) = (authority.path("cert.pem"), authority.path("key.pem"));
    let app = app_with_short_head_timeout(&["--tls-cert", &certificate, "--tls-key", &key]).await;
    let response = timeout(PATIENCE, app.raw("\x16\x03\x01")).await.expect("the connection ends");
    assert_eq!(response, "");
}

#[actix_web::test]
async fn http_1_0_clients_get_no_chunked_bodies() {
    let chunked =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n6\r\nsecond\r\n0\r\n\r\n";
    let endless = "HTTP/1.1 200 OK\r\n\r\nfirstsecond";
    for (reply, body) in [
        (Reply::Bytes(chunked.to_owned()), "firstsecond"),
        (Reply::BytesThenEnd(endless.to_owned()), "firstsecond"),
        (ok("", "sized"), "sized"),
    ] {
        let app = TestApp::beside(&Stub::start(reply).await.url).await;
        for more in ["", "Connection: keep-alive\r\n"] {
            if body == "sized" && !more.is_empty() {
                continue;
            }
            let request = format!("GET /api/x HTTP/1.0\r\nHost: localhost\r\n{more}\r\n");
            let response = timeout(PATIENCE, app.raw(&request)).await.expect("the connection ends");
            let (head, sent) = response.split_once("\r\n\r\n").unwrap();
            assert!(head.starts_with("HTTP/1.0 200 ") && !head.contains("transfer-encoding"), "{head}");
            assert!(!head.contains("keep-alive"), "{head}");
            assert_eq!(sent, body);
        }
    }
    let head =
        Stub::start(Reply::Bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_owned())).await;
    let app = TestApp::beside(&head.url).await;
    let response =
        timeout(PATIENCE, app.raw("HEAD /api/x HTTP/1.0\r\nHost: localhost\r\n\r\n")).await.unwrap();
    assert!(response.ends_with("\r\n\r\n") && !response.contains("transfer-encoding"), "{response}");
}

#[actix_web::test]
async fn http_1_0_clients_do_not_close_upstream_connections() {
    let app = TestApp::with_workers(1, &["--data", ":memory:"]).await;
    for _ in 0..3 {
        app.raw("GET /-/health HTTP/1.0\r\nHost: localhost\r\n\r\n").await;
        let mut client = app.connect().await;
        for _ in 0..3 {
            client.write_all(HEALTH.as_bytes()).await.unwrap();
            let mut start = [0; 12];
            timeout(PATIENCE, client.read_exact(&mut start)).await.expect("the request is returned").unwrap();
            assert_eq!(&start, b"HTTP/1.1 200");
            let mut rest = [0; 4096];
            timeout(PATIENCE, client.read(&mut rest)).await.unwrap().unwrap();
        }
    }
}

#[actix_web::test]
async fn unneeded_request_body_does_not_delay_the_response_or_close_the_connection() {
    let app = TestApp::embedded().await;
    let mut client = app.connect().await;
    let deleted =
        "DELETE /api/admin/features/none HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}";
    client.write_all(format!("{deleted}{HEALTH}{deleted}").as_bytes()).await.unwrap();
    let mut responses = String::new();
    while responses.matches("HTTP/1.1 ").count() < 3 {
        let mut part = [0; 4096];
        let count = timeout(PATIENCE, client.read(&mut part)).await.unwrap().unwrap();
        assert!(count > 0, "{responses}");
        responses.push_str(&String::from_utf8_lossy(&part[..count]));
    }
}

#[actix_web::test]
async fn truncated_response_to_an_http_1_0_client_ends_with_a_reset() {
    let half = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n";
    let app = TestApp::beside(&Stub::start(Reply::BytesThenEnd(half.to_owned())).await.url).await;
    let mut client = app.connect().await;
    client.write_all(b"GET /api/x HTTP/1.0\r\nHost: localhost\r\n\r\n").await.unwrap();
    let end = timeout(PATIENCE, client.read_to_end(&mut Vec::new())).await.expect("the connection ends");
    assert_eq!(end.unwrap_err().kind(), ErrorKind::ConnectionReset);
}

#[actix_web::test]
async fn embedded_service_sends_content_length_to_http_1_0_clients() {
    let app = TestApp::embedded().await;
    let page = app.raw("GET / HTTP/1.0\r\nHost: localhost\r\n\r\n").await;
    let script = page.split('"').find(|text| text.contains("assets/index-")).unwrap().to_owned();
    for path in
        ["/", &format!("/{}", script.trim_start_matches("./").trim_start_matches('/')), "/api/admin/features"]
    {
        for (method, encoding) in [("GET", "gzip, br"), ("GET", "identity"), ("HEAD", "gzip, br")] {
            let request =
                format!("{method} {path} HTTP/1.0\r\nHost: localhost\r\nAccept-Encoding: {encoding}\r\n\r\n");
            let mut client = app.connect().await;
            client.write_all(request.as_bytes()).await.unwrap();
            let mut response = Vec::new();
            timeout(PATIENCE, client.read_to_end(&mut response)).await.unwrap().unwrap();
            let end = response.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap() + 4;
            let head = String::from_utf8_lossy(&response[..end]).into_owned();
            assert!(
                head.starts_with("HTTP/1.0 200 ") && !head.contains("transfer-encoding"),
                "{request}{head}"
            );
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
            let sent = if method == "HEAD" { 0 } else { length.parse().unwrap() };
            assert_eq!(response.len() - end, sent, "{request}{head}");
        }
    }
}
