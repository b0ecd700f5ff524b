//! Detection of the flag service, and the server in the settings of the console.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use actix_web::http::{Method, StatusCode};
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::{ENVIRONMENTS, LIST, beside_newer, newer_server, request_lines};
use crate::support::app::{Response, TestApp};
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
async fn requests_to_4_2_are_forwarded_and_those_to_later_servers_converted() {
    for (config, is_converted) in [
        (r#"{"version":"4.2.2"}"#, false),
        (r#"{"version":"4.2.2","flags":{}}"#, false),
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
    let detection = newer_server().into_iter().take(4).map(|(_, reply)| reply);
    // The requests of a detection are sent in another order than the replies of the stub are listed.
    let [environments, projects, overview, ui_config] =
        detection.collect::<Vec<_>>().try_into().ok().unwrap();
    let replies = vec![
        environments.clone(),
        projects,
        ui_config,
        overview,
        environments,
        status("401 Unauthorized"),
        Reply::Silence,
    ];
    let stub = Stub::start(Reply::InTurn(replies)).await;
    let app = TestApp::beside(&stub.url).await;
    let server = async || {
        let settings = app.get("/-/settings").await.json();
        assert_eq!(settings["capabilities"].is_null(), settings["server"].is_null());
        settings["server"].clone()
    };
    let detected = server().await;
    assert_eq!((&detected["version"], &detected["projects"]), (&json!("8.2.0"), &json!(["default"])));
    assert_eq!(detected["environments"].as_array().unwrap().len(), 2);
    assert_eq!(stub.requests().len(), 4);
    // One request verifies another user.
    assert_eq!(server().await, detected);
    assert_eq!(request_lines(&stub).split_off(4), ["GET /api/admin/environments"]);
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
            ok("", r#"{"environments":["production"]}"#),
            ok("", r#"{"user":{"email":"a@example.com"}}"#),
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
    for path in ["/environments", "/projects", "/overview"] {
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
    for path in ["/environments", "/projects", "/overview", "/ui-config"] {
        assert_eq!(lines.iter().filter(|line| line.ends_with(path)).count(), 1, "{path}");
    }
}

/// The server is replaced by another version during a failure.
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
            return ok("", r#"{"version":"5.12.8"}"#);
        }
        let known = replies.iter().find(|(start, _)| request.starts_with(start));
        known.map_or_else(|| status("404 Not Found"), |(_, reply)| reply.clone())
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
    // The request of one user verifies the version.
    get("/api/admin/features", "session=bob").await;
    for cookie in ["session=ann", "session=bob"] {
        let settings = get("/-/settings", cookie).await.json();
        assert_eq!(
            (&settings["server"]["version"], &settings["capabilities"]["storesVariantsInStrategies"]),
            (&json!("5.12.8"), &json!(false)),
            "{cookie}"
        );
    }
}

/// A failure of the probe is no property of the server.
#[actix_web::test]
async fn failing_detection_is_not_kept() {
    let failures = AtomicUsize::new(0);
    let replies = newer_server();
    let stub = Stub::start(Reply::Computed(Arc::new(move |request: &str| {
        if request.contains("/api/admin/ui-config ") && failures.fetch_add(1, Ordering::SeqCst) == 0 {
            return status("500 Error");
        }
        let known = replies.iter().find(|(start, _)| request.starts_with(start));
        known.map_or_else(|| status("404 Not Found"), |(_, reply)| reply.clone())
    })))
    .await;
    let app = TestApp::with(&["--upstream", &stub.url, "--upstream-environment", "production"]).await;
    assert_eq!(app.get("/api/admin/features").await.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(app.get("/api/admin/features").await.status, StatusCode::OK);
    let settings = app.get("/-/settings").await.json();
    assert_eq!(settings["server"]["version"], "8.2.0");
}

/// Each case: the version and flags that the server reports, and the status of the list of toggles.
#[actix_web::test]
async fn servers_4_with_environments_are_refused_with_the_supported_versions() {
    for (version, flags, status) in [
        ("4.2.2", r#"{"E":true}"#, StatusCode::NOT_IMPLEMENTED),
        ("4.3.0", "{}", StatusCode::NOT_IMPLEMENTED),
        ("4.19.5", "{}", StatusCode::NOT_IMPLEMENTED),
        ("5.0.0", "{}", StatusCode::OK),
    ] {
        let config = format!(r#"{{"version":"{version}","flags":{flags}}}"#);
        let (_stub, app) = beside_newer(vec![("GET /api/admin/ui-config ", ok("", &config))], &[]).await;
        let list = app.get("/api/admin/features").await;
        assert_eq!(list.status, status, "{version}: {}", list.body);
        if status != StatusCode::OK {
            let error = list.json();
            assert_eq!(error["code"], "unsupported_version");
            let message = error["message"].as_str().unwrap();
            let parts = [version, "3.10 to 4.2", "5 to 8.2"];
            assert!(parts.iter().all(|part| message.contains(part)), "{message}");
        }
    }
}

/// 5.6 has no overview of a project.
#[actix_web::test]
async fn environments_of_a_project_are_read_from_its_earlier_path() {
    let project = r#"{"environments":["production"]}"#;
    let replies = vec![
        ("GET /api/admin/projects/default/overview ", status("404 Not Found")),
        ("GET /api/admin/projects/default ", ok("", project)),
    ];
    let (_stub, app) = beside_newer(replies, &[]).await;
    let server = app.get("/-/settings").await.json()["server"].clone();
    let names: Vec<_> = server["environments"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["production"]);
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

/// State of a server without environments.
struct Older {
    version: &'static str,
    /// Cookies of the users who are signed in.
    sessions: Vec<&'static str>,
    /// Reply to all requests instead of the usual ones.
    failure: Option<Reply>,
}

const ANN: &str = "session=ann";
const BOB: &str = "session=bob";

/// Starts the app in front of a server without environments that requires a sign-in. The test can change its state.
async fn beside_older(version: &'static str) -> (Stub, TestApp, Arc<Mutex<Older>>) {
    let state = Arc::new(Mutex::new(Older { version, sessions: vec![ANN, BOB], failure: None }));
    let shared = Arc::clone(&state);
    let stub = Stub::start(Reply::Computed(Arc::new(move |request: &str| {
        let Older { version, sessions, failure } = &*shared.lock().unwrap();
        let request = request.to_ascii_lowercase();
        if let Some(failure) = failure {
            failure.clone()
        } else if !sessions.iter().any(|session| request.contains(&format!("cookie: {session}\r\n"))) {
            status("401 Unauthorized")
        } else if request.starts_with("get /api/admin/ui-config ") {
            ok("", &json!({ "version": version }).to_string())
        } else if request.starts_with("get /api/admin/features ") {
            ok("", r#"{"version":1,"features":[]}"#)
        } else {
            status("404 Not Found")
        }
    })))
    .await;
    let app = TestApp::beside(&stub.url).await;
    (stub, app, state)
}

/// Reads the capabilities of the user with this cookie.
async fn capabilities(app: &TestApp, cookie: &str) -> Value {
    app.send(Method::GET, "/-/settings", &[("cookie", cookie)], "").await.json()["capabilities"].clone()
}

/// Each case: the UI config, and two capabilities.
#[actix_web::test]
async fn settings_contain_the_capabilities_of_a_server_without_environments() {
    let unknown = status("404 Not Found");
    for (config, seen_apps, numbers_strategies) in [
        (ok("", r#"{"version":"3.10.1"}"#), "none", false),
        (ok("", r#"{"version":"3.17.6","versionInfo":{"current":{"oss":"3.17.6"}}}"#), "all", false),
        (ok("", r#"{"versionInfo":{"current":{"oss":"4.1.4","enterprise":""}}}"#), "all", true),
        (ok("", r#"{"version":"3.10.1","versionInfo":{"current":{"enterprise":"4.1.4"}}}"#), "all", true),
        (ok("", "{}"), "all", false),
        (unknown, "all", false),
    ] {
        let stub = Stub::start(Reply::ByStart(vec![("GET /api/admin/ui-config ", config)])).await;
        let app = TestApp::beside(&stub.url).await;
        let first = capabilities(&app, ANN).await;
        let expected = (&json!(seen_apps), &json!(numbers_strategies));
        assert_eq!((&first["seenApps"], &first["numbersStrategies"]), expected);
        let requests = ["GET /api/admin/environments", "GET /api/admin/ui-config"];
        assert_eq!(request_lines(&stub), requests);
        // The server needs no request for the same user soon afterwards.
        assert_eq!(capabilities(&app, ANN).await, first);
        assert_eq!(request_lines(&stub), requests);
    }
}

#[actix_web::test]
async fn capabilities_of_an_older_server_are_for_verified_users_only() {
    let (stub, app, _) = beside_older("3.10.1").await;
    let known = capabilities(&app, ANN).await;
    assert_eq!(known["seenApps"], "none");
    for (cookie, expected) in [("session=none", &Value::Null), (BOB, &known)] {
        let before = stub.requests().len();
        assert_eq!(capabilities(&app, cookie).await, *expected, "{cookie}");
        assert_eq!(request_lines(&stub).split_off(before), ["GET /api/admin/ui-config"], "{cookie}");
    }
    let before = stub.requests().len();
    assert_eq!(capabilities(&app, ANN).await, known);
    assert_eq!(stub.requests().len(), before);
}

#[actix_web::test]
async fn sign_in_and_sign_out_end_the_use_of_the_capabilities_of_the_user_before() {
    let (_stub, app, state) = beside_older("3.10.1").await;
    for path in ["/auth/simple/login", "/-/logout"] {
        assert_eq!(capabilities(&app, ANN).await["seenApps"], "none", "{path}");
        state.lock().unwrap().sessions.clear();
        app.send(Method::POST, path, &[JSON[0], ("cookie", ANN)], "{}").await;
        assert_eq!(capabilities(&app, ANN).await, Value::Null, "{path}");
        // The user signs in again.
        state.lock().unwrap().sessions.push(ANN);
    }
    assert_eq!(capabilities(&app, ANN).await["seenApps"], "none");
}

#[actix_web::test]
async fn capabilities_follow_an_upgrade_during_which_the_server_fails() {
    let (_stub, app, state) = beside_older("3.10.1").await;
    assert_eq!(capabilities(&app, ANN).await["seenApps"], "none");
    state.lock().unwrap().failure = Some(status("503 Service Unavailable"));
    let list = app.send(Method::GET, "/api/admin/features", &[("cookie", ANN)], "").await;
    assert_eq!(list.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(capabilities(&app, ANN).await, Value::Null);
    *state.lock().unwrap() = Older { version: "4.1.4", sessions: vec![ANN], failure: None };
    assert_eq!(capabilities(&app, ANN).await["numbersStrategies"], true);
}

#[actix_web::test]
async fn capabilities_are_null_if_the_server_is_slow_and_not_kept() {
    let (_stub, app, state) = beside_older("3.10.1").await;
    let list = async || app.send(Method::GET, "/api/admin/features", &[("cookie", ANN)], "").await.status;
    assert_eq!(list().await, StatusCode::OK);
    for failure in [Reply::Silence, status("500 Internal Server Error"), ok("", "<!doctype html>")] {
        state.lock().unwrap().failure = Some(failure);
        assert_eq!(capabilities(&app, ANN).await, Value::Null);
    }
    state.lock().unwrap().failure = None;
    assert_eq!(list().await, StatusCode::OK);
    assert_eq!(capabilities(&app, ANN).await["seenApps"], "none");
}

#[actix_web::test]
async fn simultaneous_settings_of_a_user_read_the_version_once() {
    let (stub, app, _) = beside_older("3.10.1").await;
    let all = join_all((0..8).map(|_| capabilities(&app, ANN))).await;
    assert!(all.iter().all(|one| one["seenApps"] == "none"), "{all:?}");
    let lines = request_lines(&stub);
    assert_eq!(lines.iter().filter(|line| line.ends_with("/ui-config")).count(), 1, "{lines:?}");
}

/// The settings of a server that was replaced by one with environments while the page is open.
#[actix_web::test]
async fn capabilities_are_those_of_a_newer_server_after_its_first_list() {
    let is_replaced = Arc::new(AtomicUsize::new(0));
    let step = Arc::clone(&is_replaced);
    let replies = newer_server();
    let stub =
        Stub::start(Reply::Computed(Arc::new(move |request: &str| match step.load(Ordering::SeqCst) {
            0 if request.starts_with("GET /api/admin/ui-config ") => ok("", r#"{"version":"3.17.6"}"#),
            0 => status("404 Not Found"),
            1 => status("502 Bad Gateway"),
            _ => {
                let known = replies.iter().find(|(start, _)| request.starts_with(start));
                known.map_or_else(|| status("404 Not Found"), |(_, reply)| reply.clone())
            }
        })))
        .await;
    let app = TestApp::with(&["--upstream", &stub.url, "--upstream-environment", "production"]).await;
    let list = async || app.send(Method::GET, "/api/admin/features", &[("cookie", ANN)], "").await.status;
    assert_eq!(capabilities(&app, ANN).await["hasEnvironments"], false);
    is_replaced.store(1, Ordering::SeqCst);
    assert_eq!(list().await, StatusCode::BAD_GATEWAY);
    is_replaced.store(2, Ordering::SeqCst);
    assert_eq!(list().await, StatusCode::OK);
    let capabilities = capabilities(&app, ANN).await;
    assert_eq!((&capabilities["hasEnvironments"], &capabilities["operators"]), (&json!(true), &json!("all")));
}

/// A sign-in in front of the server responds with its page until the user has signed in there.
#[actix_web::test]
async fn page_of_a_sign_in_in_front_is_no_server_without_environments() {
    let page = "<!doctype html><title>Sign in</title>";
    let respond = move |request: &str| {
        if !request.to_ascii_lowercase().contains("cookie: front=1") {
            return ok("Content-Type: text/html\r\n", page);
        }
        let known = newer_server().into_iter().find(|(start, _)| request.starts_with(start));
        known.map_or_else(|| status("404 Not Found"), |(_, reply)| reply)
    };
    let stub = Stub::start(Reply::Computed(Arc::new(respond))).await;
    let app = TestApp::with(&["--upstream", &stub.url, "--upstream-environment", "production"]).await;
    let list =
        async |cookie: &str| app.send(Method::GET, "/api/admin/features", &[("cookie", cookie)], "").await;
    let is_converted = |response: &Response| {
        response.status == StatusCode::OK && response.json()["features"][0]["name"] == "one"
    };
    for _ in 0..2 {
        assert_eq!(list("front=0").await.body, page, "the page says how to sign in");
        let settings = app.get("/-/settings").await.json();
        assert_eq!((&settings["capabilities"], &settings["server"]), (&Value::Null, &Value::Null));
        let signed_in = list("front=1").await;
        assert!(is_converted(&signed_in), "{}: {}", signed_in.status, signed_in.body);
    }
}

/// Servers up to 4.1 can respond to unknown paths with the page of their console.
#[actix_web::test]
async fn page_of_an_older_server_is_detected_once() {
    let replies = vec![
        ("GET /api/admin/environments ", ok("Content-Type: text/html\r\n", "<!doctype html>")),
        ("GET /api/admin/ui-config ", ok("", r#"{"version":"4.1.4"}"#)),
        ("GET /api/admin/features ", ok("", r#"{"version":1,"features":[]}"#)),
    ];
    let stub = Stub::start(Reply::ByStart(replies)).await;
    let app = TestApp::beside(&stub.url).await;
    for _ in 0..2 {
        assert_eq!(app.get("/api/admin/features").await.body, r#"{"version":1,"features":[]}"#);
    }
    assert_eq!(
        request_lines(&stub),
        [
            "GET /api/admin/environments",
            "GET /api/admin/ui-config",
            "GET /api/admin/features",
            "GET /api/admin/features"
        ]
    );
}
