//! Detection of the flag service, and the server in the settings of the console.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use actix_web::http::{Method, StatusCode};
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::{ENVIRONMENTS, LIST, beside_newer, newer_server, request_lines};
use crate::support::app::TestApp;
use crate::support::stub::{Reply, Stub, ok};

const JSON: [(&str, &str); 1] = [("content-type", "application/json")];

fn status(status: &str) -> Reply {
    Reply::Bytes(format!("HTTP/1.1 {status}\r\nContent-Length: 2\r\n\r\n{{}}"))
}

/// Servers up to 4.2 have no environments. The stub responds like them with 404.
#[actix_web::test]
async fn all_requests_to_older_servers_are_forwarded_unchanged() {
    let stub = Stub::start(Reply::ByStart(vec![])).await;
    let app = TestApp::beside(&stub.url).await;
    let calls = [
        "GET features",
        "GET features?tag=a:b",
        "GET features/one",
        "POST features",
        "PUT features/one",
        "DELETE features/one",
        "POST features/one/toggle/on",
        "POST features/one/stale/off",
        "GET user",
        "GET events",
        "GET events/one",
        "GET archive/features",
        "GET metrics/feature-toggles",
        "GET metrics/seen-apps",
        "GET client-metrics/features/one/raw?hoursBack=1",
        "GET metrics/applications/one",
        "POST features/one/tags",
        "POST metrics/applications/one",
        "GET context",
        "POST context",
        "PUT context/userId",
        "PUT addons/1",
        "POST projects",
        "DELETE projects/default",
    ];
    for call in calls {
        let (method, path) = call.split_once(' ').unwrap();
        let method: Method = method.parse().unwrap();
        let body = if ["POST", "PUT"].contains(&method.as_str()) { "{}" } else { "" };
        let response = app.send(method, &format!("/api/admin/{path}"), &JSON, body).await;
        assert_eq!((response.status, response.body.as_str()), (StatusCode::NOT_FOUND, "{}"), "{call}");
    }
    let forwarded = calls.map(|call| call.replace(' ', " /api/admin/"));
    let mut expected = vec!["GET /api/admin/environments".to_owned()];
    expected.extend(forwarded);
    assert_eq!(request_lines(&stub), expected);
}

/// 4.2 has the endpoints of environments, but uses them only with its flag `E`.
#[actix_web::test]
async fn requests_to_4_2_are_converted_only_if_it_uses_environments() {
    for (config, is_converted) in [
        (r#"{"version":"4.2.2"}"#, false),
        (r#"{"version":"4.2.2","flags":{}}"#, false),
        (r#"{"version":"4.2.2","flags":{"E":true}}"#, true),
        (r#"{"version":"4.3.0","flags":{"E":true}}"#, true),
        (r#"{"version":"4.20.0"}"#, true),
        (r#"{"version":"5.12.8","flags":{}}"#, true),
        ("{}", true),
    ] {
        let forwarded = r#"{"version":1,"features":[]}"#;
        let replies = vec![
            ("GET /api/admin/ui-config ", ok("", config)),
            ("GET /api/admin/features ", ok("", forwarded)),
        ];
        let (_stub, app) = beside_newer(replies, &[]).await;
        let list = app.get("/api/admin/features").await.body;
        assert_eq!(list != forwarded, is_converted, "{config}: {list}");
        let server = app.get("/-/settings").await.json()["server"].clone();
        assert_eq!(server.is_object(), is_converted, "{config}: {server}");
    }
}

#[actix_web::test]
async fn settings_contain_the_server_for_verified_users_only() {
    let detection = newer_server().into_iter().take(5).map(|(_, reply)| reply);
    // The requests of a detection are sent in another order than the replies of the stub are listed.
    let [environments, projects, overview, ui_config, segments] =
        detection.collect::<Vec<_>>().try_into().ok().unwrap();
    let replies = vec![
        environments.clone(),
        projects,
        ui_config,
        segments,
        overview,
        environments,
        status("401 Unauthorized"),
        Reply::Silence,
    ];
    let stub = Stub::start(Reply::InTurn(replies)).await;
    let app = TestApp::beside(&stub.url).await;
    let server = async || app.get("/-/settings").await.json()["server"].clone();
    let detected = server().await;
    assert_eq!((&detected["version"], &detected["projects"]), (&json!("8.2.0"), &json!(["default"])));
    assert_eq!(detected["environments"].as_array().unwrap().len(), 2);
    assert_eq!(stub.requests().len(), 5);
    // One request verifies another user.
    assert_eq!(server().await, detected);
    assert_eq!(request_lines(&stub).split_off(5), ["GET /api/admin/environments"]);
    assert_eq!(server().await, Value::Null);
    // The server hangs.
    let start = Instant::now();
    assert_eq!(server().await, Value::Null);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[actix_web::test]
async fn settings_do_not_wait_for_an_unknown_server_that_hangs() {
    let stub = Stub::start(Reply::Silence).await;
    let app = TestApp::beside(&stub.url).await;
    let start = Instant::now();
    assert_eq!(app.get("/-/settings").await.json()["server"], Value::Null);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

/// The server is down during an upgrade or a downgrade.
#[actix_web::test]
async fn failure_of_the_server_causes_a_new_detection() {
    for failure in ["502 Bad Gateway", "503 Service Unavailable"] {
        let replies = [
            ok("", ENVIRONMENTS),
            ok("", r#"{"projects":[{"id":"default"}]}"#),
            ok("", "{}"),
            ok("", "{}"),
            ok("", r#"{"environments":["production"]}"#),
            ok("", LIST),
            status(failure),
            status("404 Not Found"),
            ok("", "{}"),
        ];
        let stub = Stub::start(Reply::InTurn(replies.to_vec())).await;
        let app = TestApp::beside(&stub.url).await;
        let list = async || app.get("/api/admin/features").await.status.as_u16();
        assert_eq!(list().await, 200);
        assert_eq!(list().await.to_string(), failure[..3]);
        assert_eq!(list().await, 200);
        let last = ["/projects/default/features", "/projects/default/features", "/environments", "/features"];
        let last = last.map(|path| format!("GET /api/admin{path}"));
        assert_eq!(request_lines(&stub).split_off(5), last, "{failure}");
    }
}

/// With configured credentials no user is needed.
#[actix_web::test]
async fn server_is_detected_at_start_and_reported_in_metrics() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut file, b"user:0123").unwrap();
    let header = format!("Authorization=@{}", file.path().display());
    let arguments = ["--upstream-header", &header, "--admin-listen", "127.0.0.1:0"];
    let (stub, app) = beside_newer(vec![], &arguments).await;
    stub.wait_for(|request| request.contains("/projects/default/overview ")).await;
    assert!(stub.requests().iter().all(|request| request.contains("uthorization: user:0123\r\n")));
    assert_eq!(app.get("/api/admin/features").await.status, StatusCode::OK);
    assert_eq!(app.get("/api/admin/events/one").await.status, StatusCode::NOT_FOUND);
    let metrics = TestApp::at(app.admin_port.unwrap()).get("/metrics").await.body;
    for line in [
        r#"flagdeck_upstream_server{version="8.2.0"} 1"#,
        r#"flagdeck_converted_requests_total{operation="list",result="ok"} 1"#,
        r#"flagdeck_converted_requests_total{operation="events",result="refused"} 1"#,
    ] {
        assert!(metrics.contains(line), "{line} in {metrics}");
    }
}

/// The list fails, while other requests succeed.
#[actix_web::test]
async fn failing_requests_do_not_repeat_the_whole_detection() {
    let (stub, app) = beside_newer(
        vec![("GET /api/admin/projects/default/features ", status("503 Service Unavailable"))],
        &[],
    )
    .await;
    for _ in 0..10 {
        assert_eq!(app.get("/api/admin/features").await.status, StatusCode::SERVICE_UNAVAILABLE);
    }
    let lines = request_lines(&stub);
    let count = |path: &str| lines.iter().filter(|line| line.ends_with(path)).count();
    assert_eq!(count("/default/features"), 10);
    for path in ["/environments", "/projects", "/segments", "/overview"] {
        assert_eq!(count(path), 1, "{path}");
    }
    // The version was verified after the first failure.
    assert!(count("/ui-config") >= 2, "{lines:?}");
}

#[actix_web::test]
async fn simultaneous_requests_of_a_user_detect_the_server_once() {
    let (stub, app) = beside_newer(vec![], &[]).await;
    let lists = join_all((0..8).map(|_| app.get("/api/admin/features"))).await;
    assert!(lists.iter().all(|list| list.status == StatusCode::OK));
    let lines = request_lines(&stub);
    for path in ["/environments", "/projects", "/segments", "/overview", "/ui-config"] {
        assert_eq!(lines.iter().filter(|line| line.ends_with(path)).count(), 1, "{path}");
    }
}

/// The server is replaced by another version during a failure. Only the second one has no segments.
#[actix_web::test]
async fn changed_version_causes_a_new_detection_for_all_users() {
    let is_replaced = Arc::new(AtomicUsize::new(0));
    let step = Arc::clone(&is_replaced);
    let replies = newer_server();
    let stub = Stub::start(Reply::Computed(Arc::new(move |request: &str| {
        let step = step.load(Ordering::SeqCst);
        if step == 1 && request.contains("/default/features") {
            return status("502 Bad Gateway");
        }
        if step > 0 && request.starts_with("GET /api/admin/ui-config ") {
            return ok("", r#"{"version":"4.19.5"}"#);
        }
        let known = replies.iter().find(|(start, _)| request.starts_with(start));
        let is_missing = step > 0 && request.starts_with("GET /api/admin/segments ");
        known.filter(|_| !is_missing).map_or_else(|| status("404 Not Found"), |(_, reply)| reply.clone())
    })))
    .await;
    let app = TestApp::with(&["--upstream", &stub.url, "--upstream-environment", "production"]).await;
    let get = async |path, cookie| app.send(Method::GET, path, &[("cookie", cookie)], "").await;
    for cookie in ["session=ann", "session=bob"] {
        assert_eq!(get("/api/admin/features", cookie).await.status, StatusCode::OK);
    }
    is_replaced.store(1, Ordering::SeqCst);
    assert_eq!(get("/api/admin/features", "session=ann").await.status, StatusCode::BAD_GATEWAY);
    is_replaced.store(2, Ordering::SeqCst);
    // The request of one user verifies the version. 4.19 has a second list with the descriptions.
    get("/api/admin/features", "session=bob").await;
    for cookie in ["session=ann", "session=bob"] {
        let server = get("/-/settings", cookie).await.json()["server"].clone();
        assert_eq!(
            (&server["version"], &server["strategyTitles"]),
            (&json!("4.19.5"), &json!(false)),
            "{cookie}"
        );
    }
}

/// A failure of one probe is no property of the server.
#[actix_web::test]
async fn failing_detection_is_not_kept() {
    for path in ["/api/admin/segments ", "/api/admin/ui-config "] {
        let failures = AtomicUsize::new(0);
        let replies = newer_server();
        let stub = Stub::start(Reply::Computed(Arc::new(move |request: &str| {
            if request.contains(path) && failures.fetch_add(1, Ordering::SeqCst) == 0 {
                return status("500 Error");
            }
            let known = replies.iter().find(|(start, _)| request.starts_with(start));
            known.map_or_else(|| status("404 Not Found"), |(_, reply)| reply.clone())
        })))
        .await;
        let app = TestApp::with(&["--upstream", &stub.url, "--upstream-environment", "production"]).await;
        assert_eq!(app.get("/api/admin/features").await.status, StatusCode::INTERNAL_SERVER_ERROR, "{path}");
        assert_eq!(app.get("/api/admin/features").await.status, StatusCode::OK, "{path}");
        let server = app.get("/-/settings").await.json()["server"].clone();
        assert_eq!(
            (&server["version"], &server["strategyTitles"]),
            (&json!("8.2.0"), &json!(true)),
            "{path}"
        );
    }
}

/// The result of a user who must sign in is not used for a user who is signed in.
#[actix_web::test]
async fn refused_user_does_not_refuse_others() {
    let go = Arc::new(Notify::new());
    let wait = Arc::clone(&go);
    let replies = newer_server();
    let stub = Stub::start(Reply::Computed(Arc::new(move |request: &str| {
        if !request.to_ascii_lowercase().contains("cookie: session=ann") {
            let refusal = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\n{}";
            return Reply::Halves(String::new(), refusal.to_owned(), Arc::clone(&wait));
        }
        let known = replies.iter().find(|(start, _)| request.starts_with(start));
        known.map_or_else(|| status("404 Not Found"), |(_, reply)| reply.clone())
    })))
    .await;
    let app = TestApp::with(&["--upstream", &stub.url, "--upstream-environment", "production"]).await;
    let get =
        async |cookie| app.send(Method::GET, "/api/admin/features", &[("cookie", cookie)], "").await.status;
    let (refused, ()) = tokio::join!(get("session=none"), async {
        stub.wait_for(|request| request.contains("session=none")).await;
        // The first detection still waits.
        assert_eq!(get("session=ann").await, StatusCode::OK);
        go.notify_one();
        // The request itself is then forwarded.
        stub.wait_for(|request| request.starts_with("GET /api/admin/features ")).await;
        go.notify_one();
    });
    assert_eq!(refused, StatusCode::UNAUTHORIZED);
}
