//! Toggles in several projects.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use actix_web::http::{Method, StatusCode};
use serde_json::json;

use super::{ENVIRONMENTS, request_lines};
use crate::support::app::TestApp;
use crate::support::stub::{Reply, Stub, ok};

const SWITCH: &str = "/api/admin/features/one/toggle/off";
const PROJECTS: [&str; 2] = ["first", "second"];

/// Replies of a server whose toggle `one` is in the project with this index.
fn reply(request: &str, project: usize) -> Reply {
    let not_found = || Reply::Bytes("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}".to_owned());
    let path = request.split(' ').nth(1).unwrap_or_default();
    let path = path.strip_prefix("/api/admin").unwrap_or(path);
    let own = format!("/projects/{}/features", PROJECTS[project]);
    match path {
        "/environments" => ok("", ENVIRONMENTS),
        "/projects" => ok("", r#"{"projects":[{"id":"first"},{"id":"second"}]}"#),
        "/ui-config" => ok("", r#"{"version":"8.2.0"}"#),
        "/segments" => ok("", "{}"),
        path if path == own => ok("", r#"{"features":[{"name":"one"}]}"#),
        path if path.ends_with("/features") => ok("", r#"{"features":[]}"#),
        path if path.starts_with(&format!("{own}/one")) => {
            let state = json!({ "name": "production", "enabled": false, "strategies": [], "variants": [] });
            ok("", &json!({ "name": "one", "type": "release", "environments": [state] }).to_string())
        }
        _ => not_found(),
    }
}

#[actix_web::test]
async fn project_of_a_toggle_is_remembered_until_the_toggle_moves() {
    let project = Arc::new(AtomicUsize::new(1));
    let present = Arc::clone(&project);
    let compute = move |request: &str| reply(request, present.load(Ordering::SeqCst));
    let stub = Stub::start(Reply::Computed(Arc::new(compute))).await;
    let app = TestApp::with(&["--upstream", &stub.url, "--upstream-environment", "production"]).await;
    let lists = || request_lines(&stub).iter().filter(|line| line.ends_with("/features")).count();
    let switch = async || {
        let headers = [("content-type", "application/json")];
        app.send(Method::POST, SWITCH, &headers, "").await.status
    };
    for _ in 0..2 {
        assert_eq!(switch().await, StatusCode::OK);
        assert_eq!(lists(), 2);
    }
    // Another client moves the toggle.
    project.store(0, Ordering::SeqCst);
    assert_eq!(switch().await, StatusCode::OK);
    assert_eq!(lists(), 4);
    let last = request_lines(&stub).into_iter().rfind(|line| line.starts_with("POST ")).unwrap();
    assert_eq!(last, "POST /api/admin/projects/first/features/one/environments/production/off");
    assert_eq!(switch().await, StatusCode::OK);
    assert_eq!(lists(), 4);
    // The server does not know the toggle in any project.
    let unknown = app.get("/api/admin/features/other").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
}
