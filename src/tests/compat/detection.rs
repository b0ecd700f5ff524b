//! Detection of the flag service, and the server in the settings of the console.

use std::time::{Duration, Instant};

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

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
