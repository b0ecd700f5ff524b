//! Monitoring, logging of secrets, and shutdown.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use serde_json::json;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::sync::Notify;

use crate::support::app::TestApp;
use crate::support::binary::{Binary, flagdeck};
use crate::support::engine::skips_file_tests;
use crate::support::stub::{Reply, Stub, ok};

async fn with(arguments: &[&str]) -> (TestApp, TestApp) {
    let arguments: Vec<_> = arguments.iter().copied().chain(["--admin-listen", "0"]).collect();
    let app = TestApp::with(&arguments).await;
    let admin = TestApp::at(app.admin_port.unwrap());
    (app, admin)
}

#[actix_web::test]
async fn monitoring_uses_its_own_listener() {
    let (app, admin) = with(&["--data", ":memory:"]).await;
    for path in ["/livez", "/readyz", "/metrics"] {
        assert_eq!(admin.get(path).await.status, StatusCode::OK, "{path}");
        assert_eq!(app.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(admin.get("/api/admin/features").await.status, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn metrics_do_not_contain_toggle_names() {
    let stub = Stub::start(ok("", "{}")).await;
    let (app, admin) = with(&["--upstream", &stub.url, "--base-path", "/flags"]).await;
    app.get("/flags/api/admin/features/secret-plan").await;
    app.send(Method::from_bytes(b"BREW").unwrap(), "/flags/secret-page?secret-query", &[], "").await;
    app.get("/flags/api/%2e%2e").await;
    let response = admin.get("/metrics").await;
    assert!(response.header("content-type").starts_with("application/openmetrics-text"));
    for line in [
        "flagdeck_http_requests_total{method=\"GET\",route=\"api\",status=\"200\"} 1",
        "flagdeck_http_requests_total{method=\"other\",route=\"other\",status=\"404\"} 1",
        "flagdeck_errors_total{code=\"bad_path\"} 1",
        "flagdeck_http_request_duration_seconds_count 3",
        "flagdeck_http_requests_in_flight 0",
        "flagdeck_upstream_circuit_open 0",
        "# EOF",
    ] {
        assert!(response.body.lines().any(|found| found == line), "{line} in {}", response.body);
    }
    assert!(response.body.contains("flagdeck_resident_memory_bytes "), "{}", response.body);
    assert!(!response.body.contains("secret") && !response.body.contains("BREW"), "{}", response.body);
}

#[actix_web::test]
async fn open_circuit_is_in_the_metrics_and_does_not_fail_readiness() {
    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let (app, admin) = with(&["--upstream", &format!("http://{gone}")]).await;
    for _ in 0..5 {
        app.get("/api/x").await;
    }
    let metrics = admin.get("/metrics").await.body;
    assert!(metrics.contains("flagdeck_upstream_circuit_open 1\n"), "{metrics}");
    assert_eq!(admin.get("/readyz").await.status, StatusCode::OK);
}

#[actix_web::test]
async fn shutdown_fails_readiness_first_and_completes_running_requests() {
    let go = Arc::new(Notify::new());
    let response = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nfirst".to_owned();
    let stub = Stub::start(Reply::Halves(response, "!".to_owned(), Arc::clone(&go))).await;
    let (app, admin) = with(&["--upstream", &stub.url, "--shutdown-delay", "300ms"]).await;
    let mut connection = app.connect().await;
    connection.write_all(b"GET /api/x HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
    stub.wait_for(|request| request.contains("/api/x")).await;
    let port = app.port;
    let ended = actix_web::rt::spawn(app.stop());
    while admin.get("/readyz").await.status != StatusCode::SERVICE_UNAVAILABLE {
        tokio::task::yield_now().await;
    }
    let health = TestApp::at(port).get("/-/health").await;
    assert_eq!(health.status, StatusCode::OK, "it still accepts requests");
    assert_eq!(health.header("connection"), "close", "the next request goes to another instance");
    assert_eq!(admin.get("/livez").await.status, StatusCode::OK);
    while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_ok() {
        tokio::task::yield_now().await;
    }
    go.notify_one();
    let mut whole = String::new();
    connection.read_to_string(&mut whole).await.unwrap();
    assert!(whole.ends_with("first!"), "{whole}");
    ended.await.unwrap();
}

#[actix_web::test]
async fn shutdown_closes_idle_connections_at_once() {
    let (app, _admin) = with(&["--data", ":memory:", "--shutdown-timeout", "5m"]).await;
    let mut connection = app.connect().await;
    connection.write_all(b"GET /-/health HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
    assert!(connection.read(&mut [0]).await.unwrap() > 0, "the response");
    tokio::time::timeout(Duration::from_mins(1), app.stop()).await.unwrap();
    connection.read_to_end(&mut Vec::new()).await.unwrap();
}

#[actix_web::test]
async fn no_log_level_contains_a_secret() {
    for format in ["text", "json"] {
        logs_no_secret(format).await;
    }
}

async fn logs_no_secret(format: &str) {
    let stub = Stub::start(ok("Set-Cookie: session=s3cret-cookie\r\n", r#"{"token":"s3cret-answer"}"#)).await;
    let folder = TempDir::new().unwrap();
    let (token, log) = (folder.path().join("token"), folder.path().join("log"));
    fs::write(&token, "Bearer s3cret-credential\n").unwrap();
    let client_token = folder.path().join("client-token");
    fs::write(&client_token, "*:production.s3cret-client-token\n").unwrap();
    let client_token = format!("@{}", client_token.display());
    let header = format!("X-Credential=@{}", token.display());
    let mut command = flagdeck();
    command.args(["--listen", "127.0.0.1:0", "--log-level", "trace", "--upstream", &stub.url]);
    command.args(["--upstream-header", &header, "--log-format", format]);
    let journal = folder.path().join("journal");
    command.args(["--journal", journal.to_str().unwrap()]);
    command.args(["--upstream-token", &client_token]).stderr(File::create(&log).unwrap());
    let mut binary = Binary::started(&mut command);
    let headers = [
        ("authorization", "Bearer s3cret-token"),
        ("cookie", "session=s3cret-session"),
        ("content-type", "application/json"),
    ];
    let sign_in = r#"{"username":"anna","password":"s3cret-password"}"#;
    let app = TestApp::at(binary.port);
    let response = app.send(Method::POST, "/auth/simple/login?code=s3cret-code", &headers, sign_in).await;
    assert!(response.body.contains("s3cret-answer"), "{}", response.body);
    let api_token = "/api/admin/api-tokens/*:production.s3cret-api-token";
    app.send(Method::PUT, api_token, &headers, "{}").await;
    for path in [
        "/api/admin/api-tokens//*:production.s3cret-api-token",
        "/api/admin/API-TOKENS/%2A%3Aproduction.s3cret-api-token",
        "/api/admin/api-tokens%2F*:production.s3cret-api-token",
        "/api/admin/api-tokens/./*:production.s3cret-api-token",
        "/api/admin/projects/default/api-tokens/*:production.s3cret-api-token",
        "/api/admin/invite-link/tokens/s3cret-invitation",
        "/api/admin/invite-link/tokens%2fs3cret-invitation",
        "/invite/s3cret-invitation/signup",
        "/invite//s3cret-invitation/validate",
    ] {
        app.send(Method::PUT, path, &headers, "{}").await;
    }
    // Rejected requests are logged as well.
    app.send(Method::POST, "/api/%2e%2e?code=s3cret-code", &headers, sign_in).await;
    let request = stub.requests().into_iter().find(|request| request.starts_with("POST ")).unwrap();
    assert!(request.contains("s3cret-credential") && request.contains("s3cret-code"), "{request}");
    binary.kill();
    let log = fs::read_to_string(&log).unwrap();
    assert!(log.contains("/auth/simple/login") && log.contains("TRACE"), "{log}");
    assert!(log.contains("/api/admin/api-tokens/…"), "{log}");
    let leaks: Vec<_> = log.lines().filter(|line| line.contains("s3cret")).collect();
    assert!(leaks.is_empty(), "{leaks:#?}");
    let journal = fs::read_to_string(&journal).unwrap();
    assert!(journal.contains("/api/admin/invite-link/tokens/…") && !journal.contains("s3cret"), "{journal}");
}

#[test]
fn second_signal_exits_at_once() {
    let arguments = ["--listen", "127.0.0.1:0", "--data", ":memory:", "--shutdown-delay", "10m"];
    let mut child = flagdeck().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut String::new()).unwrap();
    let signal = |child: &std::process::Child| {
        assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    };
    signal(&child);
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("shutting down")));
    signal(&child);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

/// A copy that is restored beside the write-ahead log of another database is read as a mixture of both.
#[test]
fn clean_stop_leaves_no_write_ahead_log() {
    if skips_file_tests() {
        return;
    }
    // Threads of the server end in any order.
    for stop in 0..8 {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("flags.db");
        let mut binary = Binary::on(&file);
        let mut wires: Vec<_> = (0..3).map(|_| binary.wire()).collect();
        for (number, wire) in wires.iter_mut().enumerate() {
            let toggle = json!({ "name": format!("toggle.{number}"), "strategies": [{ "name": "default" }] });
            assert_eq!(wire.send("POST", "/api/admin/features", &toggle.to_string()).unwrap().0, 201);
        }
        let signalled = Command::new("kill").args(["-TERM", &binary.child.id().to_string()]).status();
        assert!(signalled.unwrap().success() && binary.child.wait().unwrap().success());
        for suffix in ["-wal", "-shm"] {
            let beside = folder.path().join(format!("flags.db{suffix}"));
            assert!(!beside.exists(), "stop {stop}: {} remains", beside.display());
        }
        let database = rusqlite::Connection::open(&file).unwrap();
        let count: i64 = database.query_row("SELECT count(*) FROM toggles", [], |row| row.get(0)).unwrap();
        assert_eq!(count, 3, "stop {stop}");
    }
}
