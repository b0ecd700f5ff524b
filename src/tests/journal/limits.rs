//! Lines that anyone can cause: their number is limited, so that nobody can fill the disk and thereby stop all changes.

use std::time::Instant;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;

use super::{FEATURES, Folder, JSON, lines, toggle};
use crate::support::stub::{Reply, Stub, ok};

/// More than the burst of 500 lines.
const REQUESTS: usize = 520;

/// Asserts that most requests have lines, and that the others are counted.
fn assert_limited(folder: &Folder, started: Instant, is_limited: impl Fn(&Value) -> bool) {
    let seconds = usize::try_from(started.elapsed().as_secs()).unwrap();
    let lines = lines(&folder.journal());
    let recorded = lines.iter().filter(|line| is_limited(line)).count();
    let omitted: u64 = lines.iter().filter_map(|line| line["lost"].as_u64()).sum();
    assert!((500..=501 + seconds).contains(&recorded), "{recorded}");
    assert_eq!(recorded + usize::try_from(omitted).unwrap(), REQUESTS);
}

#[actix_web::test]
async fn requests_of_disconnected_clients_do_not_fill_the_disk() {
    let stub = Stub::start(Reply::Silence).await;
    let folder = Folder::new();
    let app = folder.start(&["--upstream", &stub.url]).await;
    let started = Instant::now();
    for number in 0..REQUESTS {
        let mut connection = app.connect().await;
        let path = format!("/auth/simple/login?number={number}");
        let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
        connection.write_all(head.as_bytes()).await.unwrap();
        stub.wait_for(|request| request.contains(&format!("{path} "))).await;
    }
    app.stop().await;
    assert_limited(&folder, started, |line| line["status"] == 499);
}

#[actix_web::test]
async fn upstream_without_sign_in_has_a_line_for_each_accepted_change() {
    let not_found = Reply::Bytes("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}".to_owned());
    let stub = Stub::start(Reply::Computed(std::sync::Arc::new(move |request| {
        if request.starts_with("GET /api/admin/user ") { not_found.clone() } else { ok("", "{}") }
    })))
    .await;
    let folder = Folder::new();
    let app = folder.start(&["--upstream", &stub.url]).await;
    for _ in 0..REQUESTS {
        assert_eq!(app.post(FEATURES, &json!({})).await.status, StatusCode::OK);
    }
    app.stop().await;
    let lines = lines(&folder.journal());
    let changes: Vec<_> = lines.iter().filter(|line| line["kind"] == "change").collect();
    assert_eq!(changes.len(), REQUESTS);
    assert_eq!(changes[0]["person"]["known"], "no-sign-in");
}

#[actix_web::test]
async fn requests_during_an_outage_of_the_upstream_do_not_fill_the_disk() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let folder = Folder::new();
    let app = folder.start(&["--upstream", &format!("http://{closed}")]).await;
    let started = Instant::now();
    for _ in 0..REQUESTS {
        assert!(app.post(FEATURES, &json!({})).await.status.is_server_error());
    }
    app.stop().await;
    assert_limited(&folder, started, |line| line["status"].as_u64().is_some_and(|status| status >= 500));
}

#[actix_web::test]
async fn refused_sign_ins_do_not_hide_an_accepted_one() {
    let refused = Reply::Bytes("HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\n{}".to_owned());
    let accepted = ok("", "{}");
    let stub = Stub::start(Reply::Computed(std::sync::Arc::new(move |request| {
        if request.contains("right") { accepted.clone() } else { refused.clone() }
    })))
    .await;
    let folder = Folder::new();
    let app = folder.start(&["--upstream", &stub.url]).await;
    for _ in 0..REQUESTS {
        let status = app.post("/auth/simple/login", &json!({ "password": "wrong" })).await.status;
        assert_eq!(status, StatusCode::UNAUTHORIZED);
    }
    assert_eq!(app.post("/auth/simple/login", &json!({ "password": "right" })).await.status, 200);
    app.stop().await;
    let lines = lines(&folder.journal());
    assert!(lines.iter().any(|line| line["kind"] == "sign-in" && line["status"] == 200));
}

#[actix_web::test]
async fn sign_out_that_ends_no_session_has_no_line() {
    let sign_outs =
        |folder: &Folder| lines(&folder.journal()).iter().filter(|line| line["kind"] == "sign-out").count();
    let folder = Folder::new();
    let app = folder.start(&["--data", ":memory:", "--auth", "unsecure"]).await;
    assert_eq!(app.post("/-/logout", &Value::Null).await.status, StatusCode::OK);
    let foreign = [JSON, ("cookie", "flagdeck-session=unknown")];
    assert_eq!(app.send(Method::POST, "/-/logout", &foreign, "").await.status, StatusCode::OK);
    let cross_site = [JSON, ("sec-fetch-site", "cross-site")];
    assert_eq!(app.send(Method::POST, "/-/logout", &cross_site, "").await.status, StatusCode::FORBIDDEN);
    let signed_in = app.post("/api/admin/login", &json!({ "email": "anna@example.com" })).await;
    let cookie = signed_in.header("set-cookie").split(';').next().unwrap().to_owned();
    for _ in 0..2 {
        app.send(Method::POST, "/-/logout", &[JSON, ("cookie", &cookie)], "").await;
    }
    app.stop().await;
    assert_eq!(sign_outs(&folder), 1, "only the session of anna ended");

    let unauthorized = Reply::Bytes("HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\n{}".to_owned());
    let user = ok("Content-Type: application/json\r\n", r#"{"user":{"id":7,"email":"ben@example.com"}}"#);
    let stub = Stub::start(Reply::Computed(std::sync::Arc::new(move |request| {
        match (request.starts_with("GET /api/admin/user "), request.contains("cookie: session=ben")) {
            (true, true) => user.clone(),
            (true, false) => unauthorized.clone(),
            _ => Reply::Bytes("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n".to_owned()),
        }
    })))
    .await;
    let folder = Folder::new();
    let app = folder.start(&["--upstream", &stub.url]).await;
    for cookie in ["session=none", "session=ben"] {
        let signed_out = app.send(Method::POST, "/-/logout", &[JSON, ("cookie", cookie)], "").await;
        assert_eq!(signed_out.status, StatusCode::OK);
    }
    app.stop().await;
    assert_eq!(sign_outs(&folder), 1, "the upstream knows only ben");
}

#[actix_web::test]
async fn session_is_checked_before_the_body_of_a_hold_arrives() {
    let unauthorized = Reply::Bytes("HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\n{}".to_owned());
    let stub = Stub::start(unauthorized).await;
    for settings in
        [&["--data", ":memory:", "--auth", "unsecure"][..], &["--upstream", &stub.url, "--replica"]]
    {
        let folder = Folder::new();
        let app = folder.start(settings).await;
        let head = "POST /-/holds HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n";
        let response = app.raw(head).await;
        assert!(response.starts_with("HTTP/1.1 401 "), "{settings:?}: {response}");
        // With a body, the response is the same.
        assert_eq!(app.post("/-/holds", &toggle("shop.a")).await.status, StatusCode::UNAUTHORIZED);
        app.stop().await;
    }
}
