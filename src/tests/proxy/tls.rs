//! TLS for browsers and upstreams, Unix sockets, and added credentials.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use actix_web::http::StatusCode;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, UnixListener};

use crate::support::app::TestApp;
use crate::support::authority::Authority;
use crate::support::binary::{Binary, flagdeck};

const ANSWER: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

#[actix_web::test]
async fn upstream_certificate_must_match_the_ca_and_the_name() {
    let authority = Authority::new();
    let ca = authority.path("ca.pem");
    let trusted = ["--upstream-ca", ca.as_str()];
    for (name, more, fine) in [
        ("127.0.0.1", &trusted[..], true),
        ("127.0.0.1", &[], false),
        ("flags.internal", &trusted, false),
        ("flags.internal", &[trusted[0], trusted[1], "--upstream-server-name", "flags.internal"], true),
        ("flags.internal", &["--upstream-insecure"], true),
    ] {
        authority.sign(name);
        let url = authority.upstream(false, ANSWER).await;
        let arguments: Vec<_> = ["--upstream", &url].into_iter().chain(more.iter().copied()).collect();
        let response = TestApp::with(&arguments).await.get("/api/x").await;
        let expected =
            if fine { (StatusCode::OK, "") } else { (StatusCode::BAD_GATEWAY, "upstream_unreachable") };
        assert_eq!(
            (response.status, response.header("x-flagdeck-error")),
            expected,
            "{name} {more:?} {}",
            response.body
        );
        assert!(fine || response.body.contains("certificate"), "{}", response.body);
    }
}

#[actix_web::test]
async fn upstream_certificate_of_a_system_ca_is_trusted() {
    let authority = Authority::new();
    authority.sign("127.0.0.1");
    let url = authority.upstream(false, ANSWER).await;
    let mut command = flagdeck();
    command.args(["--listen", "127.0.0.1:0", "--log-level", "off", "--upstream", &url]);
    // This variable overrides the path of the system's CA certificates.
    let binary = Binary::started(command.env("SSL_CERT_FILE", authority.path("ca.pem")));
    assert_eq!(TestApp::at(binary.port).get("/api/x").await.status, StatusCode::OK);
}

#[actix_web::test]
async fn upstream_gets_the_server_name_as_sni() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    let app = TestApp::with(&["--upstream", &url, "--upstream-server-name", "flags.internal"]).await;
    let (_, hello) = tokio::join!(app.get("/api/x"), async {
        let (mut connection, _) = listener.accept().await.unwrap();
        let mut bytes = [0; 4096];
        let count = connection.read(&mut bytes).await.unwrap();
        drop((connection, listener));
        String::from_utf8_lossy(&bytes[..count]).into_owned()
    });
    assert!(hello.contains("flags.internal"), "{hello:?}");
}

#[actix_web::test]
async fn upstream_gets_the_client_certificate() {
    let authority = Authority::new();
    authority.sign("127.0.0.1");
    let url = authority.upstream(true, ANSWER).await;
    let (ca, certificate, key) =
        (authority.path("ca.pem"), authority.path("cert.pem"), authority.path("key.pem"));
    let mut arguments = vec!["--upstream", &url, "--upstream-ca", &ca];
    assert_eq!(TestApp::with(&arguments).await.get("/api/x").await.status, StatusCode::BAD_GATEWAY);
    arguments.extend(["--upstream-client-cert", &certificate, "--upstream-client-key", &key]);
    assert_eq!(TestApp::with(&arguments).await.get("/api/x").await.status, StatusCode::OK);
}

#[actix_web::test]
async fn truncated_tls_response_is_truncated_for_the_client() {
    let authority = Authority::new();
    authority.sign("127.0.0.1");
    let cut = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n";
    let url = authority.upstream(false, cut).await;
    let app = TestApp::with(&["--upstream", &url, "--upstream-ca", &authority.path("ca.pem")]).await;
    let response = app.raw("GET /api/x HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
    assert!(!response.ends_with("0\r\n\r\n"), "{response}");
}

#[actix_web::test]
async fn upstream_can_use_a_unix_socket() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("flags.sock");
    let listener = UnixListener::bind(&path).unwrap();
    let app = TestApp::beside(&format!("unix:{}", path.display())).await;
    let (response, request) = tokio::join!(app.get("/api/x"), async {
        let (mut connection, _) = listener.accept().await.unwrap();
        let mut bytes = [0; 4096];
        let count = connection.read(&mut bytes).await.unwrap();
        connection.write_all(ANSWER.as_bytes()).await.unwrap();
        String::from_utf8_lossy(&bytes[..count]).to_ascii_lowercase()
    });
    assert_eq!((response.status, response.body.as_str()), (StatusCode::OK, "{}"));
    assert!(
        request.starts_with("get /api/x http/1.1\r\n") && request.contains("host: localhost\r\n"),
        "{request}"
    );
    drop(listener);
    fs::remove_file(&path).unwrap();
    assert_eq!(app.get("/api/x").await.status, StatusCode::BAD_GATEWAY);
}

#[actix_web::test]
async fn upstream_header_replaces_the_client_header() {
    let folder = TempDir::new().unwrap();
    let file: PathBuf = folder.path().join("token");
    fs::write(&file, "Bearer ours\n").unwrap();
    let stub = crate::support::stub::Stub::start(crate::support::stub::ok("", "{}")).await;
    let headers = ["Authorization", "X-API-Key"].map(|name| format!("{name}=@{}", file.display()));
    let [authorization, key] = &headers;
    let added = ["--upstream", &stub.url, "--upstream-header", authorization, "--upstream-header", key];
    let app = TestApp::with(&added).await;
    // Servers that follow CGI read an underscore as a hyphen.
    let theirs = [("authorization", "Bearer theirs"), ("X_API_KEY", "theirs"), ("x-api_key", "theirs")];
    app.send(actix_web::http::Method::GET, "/api/x", &theirs, "").await;
    let request = stub.requests()[0].to_ascii_lowercase();
    for ours in ["authorization: bearer ours\r\n", "x-api-key: bearer ours\r\n"] {
        assert!(request.contains(ours) && !request.contains("theirs"), "{request}");
    }
}

/// Returns the binary's response to a browser that expects this name in the certificate.
fn ask(authority: &Authority, port: u16, name: &str) -> Result<String, io::Error> {
    request_with_protocols(authority, port, name, &[]).map(|(response, _)| response)
}

/// Like the function above, for a browser that offers these ALPN protocols. Also returns the negotiated protocol.
fn request_with_protocols(
    authority: &Authority,
    port: u16,
    name: &str,
    offered: &[&str],
) -> Result<(String, Option<String>), io::Error> {
    let mut config = ClientConfig::builder().with_root_certificates(authority.roots()).with_no_client_auth();
    config.alpn_protocols = offered.iter().map(|name| name.as_bytes().to_vec()).collect();
    let name = ServerName::try_from(name.to_owned()).unwrap();
    let connection = ClientConnection::new(Arc::new(config), name).unwrap();
    let mut stream = StreamOwned::new(connection, std::net::TcpStream::connect(("127.0.0.1", port)).unwrap());
    stream.write_all(b"GET /-/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut response = String::new();
    stream.read_to_string(&mut response)?;
    let agreed = stream.conn.alpn_protocol().map(|name| String::from_utf8_lossy(name).into_owned());
    Ok((response, agreed))
}

#[actix_web::test]
async fn http_2_is_not_supported() {
    let authority = Authority::new();
    authority.sign("flags.example");
    let (certificate, key) = (authority.path("cert.pem"), authority.path("key.pem"));
    let arguments = ["--data", ":memory:", "--tls-cert", &certificate, "--tls-key", &key];
    let port = TestApp::with(&arguments).await.port;
    actix_web::web::block(move || {
        let request = |offered: &[&str]| request_with_protocols(&authority, port, "flags.example", offered);
        let (response, agreed) = request(&["h2", "http/1.1"]).unwrap();
        assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
        assert_eq!(agreed.as_deref(), Some("http/1.1"));
        assert!(request(&["h2"]).is_err(), "clients that only support HTTP/2 are rejected");
    })
    .await
    .unwrap();
    let plain = TestApp::with(&["--data", ":memory:"]).await;
    let response = plain.raw("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").await;
    assert!(response.starts_with("HTTP/1.1 400 "), "{response}");
}

#[test]
fn certificate_is_reloaded_on_sighup() {
    let authority = Authority::new();
    authority.sign("old.example");
    let (certificate, key) = (authority.path("cert.pem"), authority.path("key.pem"));
    let mut command = flagdeck();
    let binary = Binary::started(command.args(["--listen", "127.0.0.1:0", "--log-level", "off"]).args([
        "--data",
        ":memory:",
        "--tls-cert",
        &certificate,
        "--tls-key",
        &key,
    ]));
    let response = ask(&authority, binary.port, "old.example").unwrap();
    assert!(
        response.starts_with("HTTP/1.1 200 ") && response.contains("strict-transport-security: "),
        "{response}"
    );
    let hang_up = || Command::new("kill").args(["-HUP", &binary.child.id().to_string()]).status().unwrap();
    authority.sign("new.example");
    assert!(hang_up().success());
    while ask(&authority, binary.port, "new.example").is_err() {
        std::thread::yield_now();
    }
    fs::write(&certificate, "none").unwrap();
    assert!(hang_up().success());
    assert!(ask(&authority, binary.port, "new.example").is_ok(), "an unreadable certificate is ignored");
}
