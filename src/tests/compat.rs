//! The compatibility with flag services that have environments: requests that are converted, and requests that are not.

mod detection;
mod moves;
mod nouns;
mod operations;
mod shared;
mod signed_in_user;
mod usage;
mod users;

use actix_web::http::{Method, StatusCode};

use crate::support::app::TestApp;
use crate::support::stub::{Reply, Stub, ok};

const ENVIRONMENTS: &str = r#"{"version":1,"environments":[
    {"name":"development","type":"development","enabled":true,"sortOrder":1},
    {"name":"production","type":"production","enabled":true,"sortOrder":2}]}"#;
const LIST: &str = r#"{"version":2,"features":[{"name":"one","type":"release","stale":false,
    "createdAt":"2026-11-22T10:00:00Z","environments":[{"name":"production","enabled":true}]}]}"#;

/// The replies of a server with environments to the requests that detect it and that list the toggles.
fn newer_server() -> Vec<(&'static str, Reply)> {
    vec![
        ("GET /api/admin/environments ", ok("", ENVIRONMENTS)),
        ("GET /api/admin/projects ", ok("", r#"{"projects":[{"id":"default"}]}"#)),
        (
            "GET /api/admin/projects/default/overview ",
            ok("", r#"{"environments":["development","production"]}"#),
        ),
        ("GET /api/admin/ui-config ", ok("", r#"{"version":"8.2.0"}"#)),
        ("GET /api/admin/user ", ok("", "{}")),
        ("GET /api/admin/projects/default/features ", ok("", LIST)),
    ]
}

/// Starts the app in front of a server with environments and these additional replies.
async fn beside_newer(replies: Vec<(&'static str, Reply)>, arguments: &[&str]) -> (Stub, TestApp) {
    let stub = Stub::start(Reply::ByStart(replies.into_iter().chain(newer_server()).collect())).await;
    let own = ["--upstream", &stub.url, "--upstream-environment", "production"];
    let app = TestApp::with(&[&own, arguments].concat()).await;
    (stub, app)
}

/// Returns the methods and paths of the received requests.
fn request_lines(stub: &Stub) -> Vec<String> {
    let line = |request: &String| request.split(" HTTP/1.1").next().unwrap_or_default().to_owned();
    stub.requests().iter().map(line).collect()
}

#[actix_web::test]
async fn calls_that_newer_servers_lack_are_forwarded_unchanged() {
    let missing = r#"{"name":"NotFoundError","message":"The path is not available"}"#;
    let not_found = Reply::BytesThenEnd(format!(
        "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{missing}",
        missing.len()
    ));
    let calls = [
        (Method::GET, "/api/admin/state/export?format=yaml&download=1", "application/json", ""),
        (
            Method::POST,
            "/api/admin/state/import?drop=true",
            "multipart/form-data; boundary=x",
            "--x\r\n\r\n{}\r\n--x--",
        ),
        (Method::POST, "/api/admin/features/one/toggle", "application/json", ""),
    ];
    let starts = [
        "GET /api/admin/state/export?",
        "POST /api/admin/state/import?",
        "POST /api/admin/features/one/toggle ",
    ];
    let (stub, app) = beside_newer(starts.map(|start| (start, not_found.clone())).to_vec(), &[]).await;
    for (method, path, content_type, body) in calls {
        let response = app.send(method.clone(), path, &[("content-type", content_type)], body).await;
        assert_eq!((response.status, response.body.as_str()), (StatusCode::NOT_FOUND, missing), "{path}");
        let line = format!("{method} {path} HTTP/1.1\r\n");
        let sent = stub.requests().into_iter().find(|request| request.starts_with(&line)).unwrap();
        assert!(sent.contains(content_type) && sent.ends_with(body), "{sent}");
    }
}
