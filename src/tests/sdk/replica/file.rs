//! The file of the replica: restarts, refused tokens, and damaged files.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use actix_web::http::StatusCode;
use tempfile::TempDir;
use tokio::time::timeout;

use super::{NEVER, SOON, is_stale, read, read_until, start};
use crate::support::client_api::{ClientApi, body_of};

/// Waits until the content of the file matches a condition.
async fn wait_for_file(path: &Path, fulfilled: impl Fn(&str) -> bool) {
    let search = async {
        while !fs::read(path).is_ok_and(|content| fulfilled(&String::from_utf8_lossy(&content))) {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(30), search).await.expect("the file is never written");
}

/// Returns the value of `data`, and the path of the file of the replica beside it.
fn paths(folder: &TempDir) -> (String, PathBuf) {
    let data = folder.path().join("flagdeck.db").to_str().unwrap().to_owned();
    let file = PathBuf::from(format!("{data}.replica"));
    (data, file)
}

#[actix_web::test]
async fn restart_during_an_outage_serves_the_file() {
    let (api, folder) =
        (ClientApi::start(&["first-token", "other-token"]).await, tempfile::tempdir().unwrap());
    let (data, path) = paths(&folder);
    let arguments = ["--data", &data];
    let app = start(&api, NEVER, &arguments).await;
    for token in ["first-token", "other-token"] {
        assert_eq!(read(&app, token).await.status, StatusCode::OK);
    }
    app.stop().await;
    let content = fs::read(&path).unwrap();
    let text = String::from_utf8_lossy(&content);
    let without_bodies =
        text.replace("\"token\":\"first-token\"", "").replace("\"token\":\"other-token\"", "");
    assert!(text.contains("\"edition\":1") && !without_bodies.contains("-token"), "{text}");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    api.set_down(true);
    let app = start(&api, SOON, &arguments).await;
    for token in ["first-token", "other-token"] {
        let response = read(&app, token).await;
        assert_eq!(
            (response.body.as_str(), response.header("etag")),
            (body_of(token, 1).as_str(), "W/\"1\"")
        );
        assert!(is_stale(&response), "{:?}", response.headers);
    }
    assert_eq!(read(&app, "unknown").await.status, StatusCode::SERVICE_UNAVAILABLE);
    api.set_down(false);
    read_until(&app, "first-token", |response| !is_stale(response)).await;
}

#[actix_web::test]
async fn crash_keeps_the_last_written_copy() {
    let (api, folder) = (ClientApi::start(&["a"]).await, tempfile::tempdir().unwrap());
    let (data, path) = paths(&folder);
    let arguments = ["--data", &data];
    let app = start(&api, NEVER, &arguments).await;
    read(&app, "a").await;
    // The first app is never stopped, as after a crash.
    wait_for_file(&path, |content| content.contains("\"edition\":1")).await;
    api.set_down(true);
    let app = start(&api, NEVER, &arguments).await;
    assert_eq!(read(&app, "a").await.body, body_of("a", 1));
}

#[actix_web::test]
async fn refused_token_never_comes_back_from_the_file() {
    let (api, folder) = (ClientApi::start(&["a", "b"]).await, tempfile::tempdir().unwrap());
    let (data, path) = paths(&folder);
    let arguments = ["--data", &data];
    let app = start(&api, SOON, &arguments).await;
    read(&app, "b").await;
    read(&app, "a").await;
    wait_for_file(&path, |content| content.contains("\"a\"") && content.contains("\"b\"")).await;
    api.revoke("a");
    read_until(&app, "a", |response| response.status == StatusCode::UNAUTHORIZED).await;
    // The file was written before the refusal became visible. The first app is never stopped, as after a crash.
    let content = fs::read(&path).unwrap();
    assert!(!String::from_utf8_lossy(&content).contains("\"token\":\"a\""));
    api.set_down(true);
    let restarted = start(&api, SOON, &arguments).await;
    assert_eq!(read(&restarted, "a").await.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(read(&restarted, "b").await.body, body_of("b", 1));
    app.stop().await;
    let content = fs::read(&path).unwrap();
    assert!(!String::from_utf8_lossy(&content).contains("\"token\":\"a\""), "after the shutdown");
}

#[actix_web::test]
async fn token_that_was_revoked_while_the_program_was_stopped_is_refused() {
    let (api, folder) = (ClientApi::start(&["a"]).await, tempfile::tempdir().unwrap());
    let (data, path) = paths(&folder);
    let arguments = ["--data", &data];
    let app = start(&api, NEVER, &arguments).await;
    read(&app, "a").await;
    app.stop().await;
    api.revoke("a");
    let app = start(&api, NEVER, &arguments).await;
    assert_eq!(read(&app, "a").await.status, StatusCode::UNAUTHORIZED);
    assert!(!String::from_utf8_lossy(&fs::read(&path).unwrap()).contains("\"token\":\"a\""));
}

#[actix_web::test]
async fn damaged_file_and_file_of_another_upstream_are_not_used() {
    let (api, folder) = (ClientApi::start(&["a"]).await, tempfile::tempdir().unwrap());
    let (data, path) = paths(&folder);
    let arguments = ["--data", &data];
    let app = start(&api, NEVER, &arguments).await;
    read(&app, "a").await;
    app.stop().await;
    let other = ClientApi::start(&[]).await;
    other.set_down(true);
    let app = start(&other, NEVER, &arguments).await;
    assert_eq!(read(&app, "a").await.status, StatusCode::SERVICE_UNAVAILABLE, "another upstream");
    let mut content = fs::read(&path).unwrap();
    let last = content.len() - 1;
    content[last] ^= 1;
    fs::write(&path, content).unwrap();
    api.set_down(true);
    let app = start(&api, NEVER, &arguments).await;
    assert_eq!(read(&app, "a").await.status, StatusCode::SERVICE_UNAVAILABLE, "damaged");
}
