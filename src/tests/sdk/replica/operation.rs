//! The replica for operators: metrics, `flagdeck check` and `flagdeck replica purge`.

use actix_web::http::{Method, StatusCode};
use actix_web::web;

use super::{NEVER, SOON, is_stale, read, read_until, start};
use crate::support::app::TestApp;
use crate::support::binary::flagdeck;
use crate::support::client_api::{ClientApi, body_of};

/// Runs a command with the settings of a running app, and returns its exit code, its output and its errors.
async fn run(api: &ClientApi, app: &TestApp, command: &[&str]) -> (Option<i32>, String, String) {
    let port = app.admin_port.unwrap().to_string();
    let arguments = ["--upstream", &api.stub.url, "--replica", "--admin-listen", &port];
    let mut command_line = flagdeck();
    command_line.args(arguments).args(command);
    let output = web::block(move || command_line.output()).await.unwrap().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[actix_web::test]
async fn metrics_count_requests_refreshes_and_refusals() {
    let api = ClientApi::start(&["a"]).await;
    let app = start(&api, NEVER, &["--admin-listen", "0"]).await;
    let admin = TestApp::at(app.admin_port.unwrap());
    for token in ["a", "a", "unknown"] {
        read(&app, token).await;
    }
    let metrics = admin.get("/metrics").await.body;
    for line in [
        "flagdeck_replica_requests_total{result=\"fresh\"} 2",
        "flagdeck_replica_requests_total{result=\"refused\"} 1",
        "flagdeck_replica_refreshes_total{result=\"changed\"} 1",
        "flagdeck_replica_refreshes_total{result=\"refused\"} 1",
        "flagdeck_replica_copies 1",
        "flagdeck_replica_stale_copies 0",
        "flagdeck_replica_age_seconds 0",
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line} in {metrics}");
    }
    let app = start(&api, SOON, &["--admin-listen", "0"]).await;
    read(&app, "a").await;
    api.set_down(true);
    read_until(&app, "a", is_stale).await;
    let metrics = TestApp::at(app.admin_port.unwrap()).get("/metrics").await.body;
    assert!(metrics.contains("\nflagdeck_replica_stale_copies 1\n"), "{metrics}");
}

#[actix_web::test]
async fn check_lists_the_end_of_each_token() {
    let token = "*:production.0123456789abcdef";
    let api = ClientApi::start(&[token]).await;
    let app = start(&api, NEVER, &["--admin-listen", "0"]).await;
    for instance in ["1", "2", "2"] {
        let headers = [("authorization", token), ("unleash-instanceid", instance)];
        app.send(Method::GET, super::PATH, &headers, "").await;
    }
    let (_, output, _) = run(&api, &app, &["check"]).await;
    let line =
        output.lines().find(|line| line.contains("ok    replica: ")).unwrap_or_else(|| panic!("{output}"));
    assert!(line.contains("token …cdef: 2 instances, ") && line.ends_with(" 0 s old"), "{line}");
    assert!(!output.contains("0123456789ab"), "{output}");
}

#[actix_web::test]
async fn purge_removes_all_copies_of_the_running_server() {
    let (api, folder) = (ClientApi::start(&["a"]).await, tempfile::tempdir().unwrap());
    let path = folder.path().join("replica");
    let arguments = ["--admin-listen", "0", "--replica-file", path.to_str().unwrap()];
    let app = start(&api, NEVER, &arguments).await;
    read(&app, "a").await;
    api.set("a", &body_of("a", 2), "\"2\"");
    assert_eq!(read(&app, "a").await.body, body_of("a", 1));
    let (code, output, errors) = run(&api, &app, &["replica", "purge"]).await;
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert!(output.starts_with("Removed copies: 1."), "{output}");
    assert_eq!(read(&app, "a").await.body, body_of("a", 2));
    api.set_down(true);
    run(&api, &app, &["replica", "purge"]).await;
    assert!(!String::from_utf8_lossy(&std::fs::read(&path).unwrap()).contains("\"token\":\"a\""));
    assert_eq!(read(&app, "a").await.status, StatusCode::SERVICE_UNAVAILABLE);
}

#[actix_web::test]
async fn pages_of_browsers_cannot_purge() {
    let api = ClientApi::start(&["a"]).await;
    let app = start(&api, NEVER, &["--admin-listen", "0"]).await;
    read(&app, "a").await;
    let admin = TestApp::at(app.admin_port.unwrap());
    let response = admin.send(Method::DELETE, "/replica", &[("origin", "http://rebound.example")], "").await;
    assert_eq!(response.status, StatusCode::FORBIDDEN);
    assert_eq!(admin.get("/replica").await.json()["copies"].as_array().unwrap().len(), 1);
    assert_eq!(app.get("/replica").await.json()["copies"].as_array(), None, "not on the port of the console");
}

#[actix_web::test]
async fn purge_without_a_running_server_fails_with_a_remedy() {
    let output = |arguments: &[&str]| {
        let output = flagdeck().args(arguments).args(["replica", "purge"]).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, errors) = output(&["--upstream", "http://127.0.0.1:9", "--replica"]);
    assert!(code == Some(1) && errors.contains("set admin-listen"), "{errors}");
    let (code, errors) = output(&["--upstream", "http://127.0.0.1:9", "--replica", "--admin-listen", "9"]);
    assert!(code == Some(1) && errors.contains("it refuses connections"), "{errors}");
    let replica = flagdeck().args(["--data", ":memory:", "--replica"]).output().unwrap();
    assert!(String::from_utf8(replica.stderr).unwrap().contains("replica: needs upstream"));
}
