//! The replica for operators: metrics, `flagdeck check`, `flagdeck replica purge` and the button of the console.

use actix_web::http::{Method, StatusCode};
use actix_web::web;
use serde_json::json;

use super::{NEVER, SOON, is_stale, read, read_until, start};
use crate::support::app::{Response, TestApp};
use crate::support::binary::flagdeck;
use crate::support::client_api::{ClientApi, body_of};
use crate::support::engine::skips_file_tests;

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
async fn only_a_limited_number_of_instances_with_accepted_tokens_is_counted() {
    let api = ClientApi::start(&["a"]).await;
    let app = start(&api, NEVER, &["--trusted-proxy", "127.0.0.1"]).await;
    let poll = async |token: &str, instance: usize| {
        let id = instance.to_string();
        let headers = [("authorization", token), ("unleash-instanceid", id.as_str())];
        app.send(Method::GET, super::PATH, &headers, "").await;
    };
    let instances = async || {
        let summary = app.get("/-/replica").await.json();
        (summary["instances"].clone(), summary["hasMoreInstances"].clone())
    };
    poll("refused", 1).await;
    for instance in 0..1_000 {
        poll("a", instance).await;
    }
    assert_eq!(instances().await, (json!(1_000), json!(false)));
    poll("a", 1_000).await;
    assert_eq!(instances().await, (json!(1_000), json!(true)));
}

#[actix_web::test]
async fn purge_removes_all_copies_of_the_running_server() {
    if skips_file_tests() {
        return;
    }
    let (api, folder) = (ClientApi::start(&["a"]).await, tempfile::tempdir().unwrap());
    let data = folder.path().join("flagdeck.db");
    let arguments = ["--admin-listen", "0", "--data", data.to_str().unwrap()];
    let app = start(&api, NEVER, &arguments).await;
    read(&app, "a").await;
    api.set("a", &body_of("a", 2), "\"2\"");
    assert_eq!(read(&app, "a").await.body, body_of("a", 1));
    let (code, output, errors) = run(&api, &app, &["replica", "purge"]).await;
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert!(output.starts_with("Removed copies: 1."), "{output}");
    assert_eq!(read(&app, "a").await.body, body_of("a", 2));
    api.set_down(true);
    let (_, output, _) = run(&api, &app, &["replica", "purge"]).await;
    assert_eq!(
        output,
        "Removed copies: 1. SDKs get toggles again as soon as the upstream responds, and the status 503 until then\n"
    );
    let database = rusqlite::Connection::open(folder.path().join("flagdeck.db.kept")).unwrap();
    let count = |sql| database.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!((count("SELECT count(*) FROM copies"), count("SELECT count(*) FROM bodies")), (0, 0));
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

/// Requests the removal of the copies, like the console.
async fn purge(app: &TestApp, headers: &[(&str, &str)]) -> Response {
    app.send(Method::DELETE, "/-/replica", headers, "").await
}

/// Returns the number of copies.
async fn copies(app: &TestApp) -> u64 {
    app.get("/-/replica").await.json()["copies"].as_u64().unwrap()
}

/// Asserts that nothing was removed, for this reason.
async fn assert_refused(app: &TestApp, response: &Response, status: StatusCode, code: &str) {
    let body = response.json();
    assert_eq!((response.status, body["code"].as_str()), (status, Some(code)), "{body}");
    let is_remedy = body["message"].as_str().unwrap().contains("flagdeck replica purge");
    assert_eq!(is_remedy, code.starts_with("admin_"), "{body}");
    assert_eq!(copies(app).await, 1);
}

#[actix_web::test]
async fn administrators_of_the_upstream_remove_all_copies() {
    for user in [
        r#"{"user":{"id":1},"permissions":[{"permission":"ADMIN"}]}"#,
        r#"{"user":{"permissions":[{"permission":"ADMIN","project":"","environment":null}]}}"#,
        r#"{"email":"anna@example.com","permissions":["CREATE_TAG","ADMIN"]}"#,
        // Unleash 3.17.6 has no permissions.
        r#"{"email":"anna@example.com","imageUrl":"https://gravatar.com/avatar/1"}"#,
    ] {
        let api = ClientApi::start(&["a", "b"]).await;
        api.set_user("session=admin", "200 OK", user);
        let app = start(&api, NEVER, &[]).await;
        read(&app, "b").await;
        read(&app, "a").await;
        api.set("a", &body_of("a", 2), "");
        assert_eq!(read(&app, "a").await.body, body_of("a", 1));
        let response = purge(&app, &[("cookie", "session=admin"), ("authorization", "own")]).await;
        assert_eq!(
            (response.status, response.body.as_str()),
            (StatusCode::OK, r#"{"copies":2,"fault":null}"#),
            "{user}"
        );
        assert_eq!(read(&app, "a").await.body, body_of("a", 2));
        let requests = api.stub.requests();
        let request = requests.iter().find(|request| request.starts_with("GET /api/admin/user ")).unwrap();
        assert!(request.contains("cookie: session=admin\r\n") && request.contains("authorization: own\r\n"));
    }
}

#[actix_web::test]
async fn other_users_cannot_remove_copies() {
    let api = ClientApi::start(&["a"]).await;
    let app = start(&api, NEVER, &[]).await;
    read(&app, "a").await;
    for (status, user) in [
        ("200 OK", r#"{"user":{"id":2},"permissions":[{"permission":"CREATE_FEATURE"}]}"#),
        ("200 OK", r#"{"user":{"id":2},"permissions":[{"permission":"ADMIN","project":"shop"}]}"#),
        ("200 OK", r#"{"user":{"id":2},"permissions":[{"permission":"ADMIN","environment":"test"}]}"#),
        ("200 OK", r#"{"user":{"id":2},"permissions":[]}"#),
        ("200 OK", r#"{"user":{"id":2},"permissions":"ADMIN"}"#),
        ("200 OK", r#"["ADMIN"]"#),
        ("200 OK", r#"{"status":"ok"}"#),
        ("403 Forbidden", r#"{"message":"blocked"}"#),
        ("404 Not Found", "{}"),
    ] {
        api.set_user("session=other", status, user);
        let response = purge(&app, &[("cookie", "session=other")]).await;
        assert_refused(&app, &response, StatusCode::FORBIDDEN, "admin_only").await;
    }
    for cookie in [&[][..], &[("cookie", "session=expired")]] {
        let response = purge(&app, cookie).await;
        assert_eq!(response.status, StatusCode::UNAUTHORIZED);
        assert_eq!(response.json()["type"], "password", "the upstream describes how to sign in");
        assert_eq!(copies(&app).await, 1);
    }
}

#[actix_web::test]
async fn console_removes_no_copies_during_an_outage() {
    let api = ClientApi::start(&["a"]).await;
    let app = start(&api, NEVER, &[]).await;
    read(&app, "a").await;
    for (status, body) in
        [("500 Internal Server Error", "{}"), ("429 Too Many Requests", "{}"), ("200 OK", "<html>")]
    {
        api.set_user("session=admin", status, body);
        let response = purge(&app, &[("cookie", "session=admin")]).await;
        assert_refused(&app, &response, StatusCode::SERVICE_UNAVAILABLE, "admin_unverified").await;
    }
    api.set_user("session=admin", "200 OK", r#"{"email":"anna@example.com"}"#);
    api.set_down(true);
    let response = purge(&app, &[("cookie", "session=admin")]).await;
    assert_refused(&app, &response, StatusCode::SERVICE_UNAVAILABLE, "admin_unverified").await;
    assert!(response.body.contains(api.stub.authority()), "names the cause: {}", response.body);
}

#[actix_web::test]
async fn read_only_mode_and_pages_of_other_sites_remove_no_copies() {
    let api = ClientApi::start(&["a"]).await;
    api.set_user("session=admin", "200 OK", r#"{"email":"anna@example.com"}"#);
    let admin = ("cookie", "session=admin");
    let app = start(&api, NEVER, &["--read-only"]).await;
    read(&app, "a").await;
    assert_refused(&app, &purge(&app, &[admin]).await, StatusCode::FORBIDDEN, "read_only").await;
    let app = start(&api, NEVER, &[]).await;
    read(&app, "a").await;
    for header in [("sec-fetch-site", "cross-site"), ("origin", "https://evil.example")] {
        let response = purge(&app, &[admin, header]).await;
        assert_refused(&app, &response, StatusCode::FORBIDDEN, "cross_site").await;
    }
    assert_eq!(purge(&app, &[admin, ("sec-fetch-site", "same-origin")]).await.status, StatusCode::OK);
    let app = TestApp::beside(&api.stub.url).await;
    assert_eq!(purge(&app, &[admin]).await.json()["code"], "unknown_path", "without a replica");
}
