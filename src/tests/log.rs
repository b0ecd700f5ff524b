//! The request log. `operation.rs` tests that it contains no secrets.

use std::fs::File;
use std::time::{Duration, Instant};

use actix_web::http::Method;
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::AsyncWriteExt as _;

use crate::support::app::TestApp;
use crate::support::binary::{Binary, flagdeck};
use crate::support::stub::{Reply, Stub, ok};

/// The binary with an upstream and a log file.
struct LoggedBinary {
    binary: Binary,
    folder: TempDir,
}

impl LoggedBinary {
    fn beside(upstream: &str, more: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        let file = File::create(folder.path().join("log")).unwrap();
        let arguments = ["--listen", "127.0.0.1:0", "--upstream", upstream];
        let binary = Binary::started(flagdeck().args(arguments).args(more).stderr(file));
        Self { binary, folder }
    }

    /// Waits until a line of the log contains these words, and returns all lines.
    async fn lines_with(&self, words: &str) -> Vec<String> {
        let end = Instant::now() + Duration::from_mins(1);
        loop {
            let log = std::fs::read_to_string(self.folder.path().join("log")).unwrap();
            if log.lines().any(|line| line.contains(words)) {
                return log.lines().map(str::to_owned).collect();
            }
            assert!(Instant::now() < end, "{words} in {log}");
            tokio::task::yield_now().await;
        }
    }
}

#[actix_web::test]
async fn log_line_has_the_request_id_of_the_response() {
    let stub = Stub::start(ok("", "{}")).await;
    let logged = LoggedBinary::beside(&stub.url, &["--log-format", "json"]);
    let response = TestApp::at(logged.binary.port).get("/api/admin/features?x").await;
    let lines = logged.lines_with("/api/admin/features").await;
    let line: Value = serde_json::from_str(lines.last().unwrap()).unwrap();
    let fields = &line["fields"];
    assert_eq!(
        (&fields["method"], &fields["path"], &fields["status"], &fields["client"], &fields["id"]),
        (
            &Value::from("GET"),
            &Value::from("/api/admin/features"),
            &Value::from(200),
            &Value::from("127.0.0.1"),
            &Value::from(response.header("x-request-id")),
        )
    );
    assert!(fields["microseconds"].as_u64().is_some(), "{line}");
}

#[actix_web::test]
async fn log_line_has_the_selected_environment() {
    let stub = Stub::start(ok("", "{}")).await;
    let logged = LoggedBinary::beside(&stub.url, &["--log-format", "json"]);
    let app = TestApp::at(logged.binary.port);
    app.send(Method::GET, "/api/admin/tags", &[("flagdeck-environment", "production")], "").await;
    app.get("/api/admin/context").await;
    let lines = logged.lines_with("/api/admin/context").await;
    let environment = |path: &str| {
        let line = lines.iter().find(|line| line.contains(path)).unwrap();
        let line: Value = serde_json::from_str(line).unwrap();
        line["fields"].get("environment").cloned()
    };
    assert_eq!(environment("/api/admin/tags"), Some("production".into()));
    assert_eq!(environment("/api/admin/context"), None);
}

#[actix_web::test]
async fn requests_of_disconnected_clients_are_logged() {
    let stub = Stub::start(Reply::Silence).await;
    let logged = LoggedBinary::beside(&stub.url, &[]);
    let mut connection = TestApp::at(logged.binary.port).connect().await;
    connection.write_all(b"GET /api/slow HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
    stub.wait_for(|request| request.contains("/api/slow")).await;
    drop(connection);
    let lines = logged.lines_with("/api/slow").await;
    let line = lines.iter().find(|line| line.contains("/api/slow")).unwrap();
    assert!(line.contains("status=499"), "{line}");
    let id = line.split("id=").nth(1).unwrap().trim_matches('"');
    assert_eq!(id.len(), 16, "{line}");
}

#[actix_web::test]
async fn insecure_upstream_logs_a_warning_at_start() {
    let logged = LoggedBinary::beside("https://127.0.0.1:9", &["--upstream-insecure"]);
    let lines = logged.lines_with("upstream-insecure").await;
    assert!(lines.iter().any(|line| line.contains("WARN") && line.contains("pretend")), "{lines:#?}");
}

#[actix_web::test]
async fn removal_of_copies_is_logged_with_the_request_id() {
    let stub = Stub::start(ok("", r#"{"email":"anna@example.com"}"#)).await;
    let logged = LoggedBinary::beside(&stub.url, &["--log-format", "json", "--replica"]);
    let response = TestApp::at(logged.binary.port).send(Method::DELETE, "/-/replica", &[], "").await;
    let lines = logged.lines_with("removed the copies").await;
    let line = lines.iter().find(|line| line.contains("removed the copies")).unwrap();
    let line: Value = serde_json::from_str(line).unwrap();
    assert_eq!(line["fields"]["id"], response.header("x-request-id"));
    assert_eq!(line["fields"]["copies"], 0);
}
