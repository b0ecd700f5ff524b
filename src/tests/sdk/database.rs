//! The database in front of an upstream. No answer to SDKs depends on it.

use std::fs;
use std::path::Path;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::hold::until;
use super::{create, everyone};
use crate::support::app::TestApp;
use crate::support::binary::{Binary, flagdeck_with_file_limit, free_port};
use crate::support::client_api::ClientApi;
use crate::support::engine::{is_postgres, postgres_database};
use crate::support::postgres_server::{Server, run_sql};
use crate::support::skip::skipped;
use crate::support::stub::{Stub, ok};

const TOKEN: &str = "*:production.0123456789abcdef";
const FEATURES: &str = "/api/client/features";

/// Starts a flag service with one toggle.
async fn flag_service() -> ClientApi {
    let api = ClientApi::start(&[]).await;
    let toggle = json!({ "name": "shop.pay", "enabled": true, "strategies": [{ "name": "default" }] });
    api.set(TOKEN, &json!({ "version": 2, "features": [toggle] }).to_string(), "\"7\"");
    api
}

async fn replica(api: &ClientApi, data: &str) -> TestApp {
    let own = ["--upstream", &api.stub.url, "--replica", "--replica-refresh", "20ms", "--admin-listen", "0"];
    TestApp::with(&[&own[..], &["--data", data]].concat()).await
}

fn admin(app: &TestApp) -> TestApp {
    TestApp::at(app.admin_port.unwrap())
}

/// Returns whether SDKs get the toggle as on.
async fn is_on(app: &TestApp) -> bool {
    let response = app.send(Method::GET, FEATURES, &[("authorization", TOKEN)], "").await;
    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    response.json()["features"][0]["enabled"] == true
}

/// Holds the toggle, and returns whether the hold is stored.
async fn hold(app: &TestApp) -> bool {
    let draft = json!({ "toggle": "shop.pay", "reason": "INC-42" });
    let created = admin(app).post("/holds", &draft).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
    let created = created.json();
    let is_stored = created["hold"]["isStored"] == true;
    assert_eq!(created["storageFault"].is_null(), is_stored, "{created}");
    is_stored
}

async fn list(app: &TestApp) -> Value {
    admin(app).get("/holds").await.json()
}

/// Checks that SDKs are served and toggles can be held without the database, and that all places say so.
async fn assert_serves_without_database(app: &TestApp) {
    assert!(is_on(app).await);
    assert!(!hold(app).await);
    assert!(!is_on(app).await);
    let fault = list(app).await["storageFault"].clone();
    assert!(fault.is_string(), "{fault}");
    assert!(admin(app).get("/metrics").await.body.contains("flagdeck_hold_storage_failed 1"));
}

/// Waits until the database is used, with the hold that was made before.
async fn wait_until_stored(app: &TestApp) {
    let is_stored = async || (list(app).await["holds"][0]["isStored"] == true).then_some(());
    until(is_stored).await;
    assert_eq!(list(app).await["storageFault"], Value::Null);
}

#[actix_web::test]
async fn damaged_database_does_not_prevent_the_start() {
    let (api, folder) = (flag_service().await, tempfile::tempdir().unwrap());
    let data = folder.path().join("flagdeck.db");
    fs::write(&data, "x".repeat(8_192)).unwrap();
    let app = replica(&api, data.to_str().unwrap()).await;
    if !is_postgres() {
        assert_serves_without_database(&app).await;
        assert_eq!(fs::read_to_string(&data).unwrap(), "x".repeat(8_192), "it is not overwritten");
    }
}

/// A binary of one version before leaves it as it is.
#[actix_web::test]
async fn newer_database_does_not_prevent_the_start() {
    let (api, folder) = (flag_service().await, tempfile::tempdir().unwrap());
    let data = folder.path().join("flagdeck.db");
    let data = data.to_str().unwrap();
    let app = replica(&api, data).await;
    assert!(hold(&app).await);
    app.stop().await;
    if is_postgres() {
        run_sql(&postgres_database(data).0, "UPDATE schema_version SET version = 1000");
    } else {
        rusqlite::Connection::open(data).unwrap().execute_batch("PRAGMA user_version = 1000").unwrap();
    }
    let app = replica(&api, data).await;
    assert_serves_without_database(&app).await;
    app.stop().await;
}

#[actix_web::test]
async fn database_that_another_server_uses_is_opened_when_that_ends() {
    if is_postgres() {
        return skipped("several servers can use one PostgreSQL database");
    }
    let (api, folder) = (flag_service().await, tempfile::tempdir().unwrap());
    let data = folder.path().join("flagdeck.db");
    let data = data.to_str().unwrap();
    let other = Binary::on(Path::new(data));
    let app = replica(&api, data).await;
    assert_serves_without_database(&app).await;
    drop(other);
    wait_until_stored(&app).await;
    app.stop().await;
    assert!(!is_on(&replica(&api, data).await).await, "a restart keeps the hold");
}

#[actix_web::test]
async fn folder_that_cannot_be_created_does_not_prevent_the_start() {
    let (api, folder) = (flag_service().await, tempfile::tempdir().unwrap());
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    if is_postgres() {
        return skipped("PostgreSQL has no folder");
    }
    let app = replica(&api, file.join("flagdeck.db").to_str().unwrap()).await;
    assert_serves_without_database(&app).await;
    fs::remove_file(&file).unwrap();
    wait_until_stored(&app).await;
}

#[cfg(target_os = "linux")]
#[actix_web::test]
async fn full_disk_does_not_prevent_the_start() {
    if is_postgres() {
        return skipped("the limit of file sizes is one of SQLite");
    }
    let (api, folder) = (flag_service().await, tempfile::tempdir().unwrap());
    let (data, port) = (folder.path().join("flagdeck.db"), free_port());
    let mut command = flagdeck_with_file_limit("4096");
    command.args(["--listen", "127.0.0.1:0", "--log-level", "off", "--replica"]);
    command.args(["--upstream", &api.stub.url, "--data", data.to_str().unwrap()]);
    command.args(["--admin-listen", &port.to_string()]);
    let binary = actix_web::web::block(move || Binary::started(&mut command)).await.unwrap();
    let mut app = TestApp::at(binary.port);
    app.admin_port = Some(port);
    assert_serves_without_database(&app).await;
    binary.limit_files("unlimited");
    wait_until_stored(&app).await;
}

#[actix_web::test]
async fn holds_of_another_upstream_have_no_effect() {
    let (staging, production) = (flag_service().await, flag_service().await);
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("flagdeck.db");
    let app = replica(&staging, data.to_str().unwrap()).await;
    assert!(is_on(&app).await);
    assert!(hold(&app).await);
    app.stop().await;
    assert!(is_on(&replica(&production, data.to_str().unwrap()).await).await);
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn stopped_server_prevents_neither_the_start_nor_answers_to_sdks() {
    let (api, server) = (flag_service().await, Server::start("off"));
    let running = replica(&api, &server.url()).await;
    assert!(is_on(&running).await);
    server.suspend();
    let started = replica(&api, &server.url()).await;
    for app in [&running, &started] {
        assert_serves_without_database(app).await;
    }
    server.resume();
    for app in [&running, &started] {
        wait_until_stored(app).await;
    }
    // Each has the hold of the other one, too.
    for app in [&running, &started] {
        until(async || (list(app).await["holds"].as_array().unwrap().len() == 2).then_some(())).await;
    }
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn hold_of_one_instance_counts_on_all_and_is_announced_once() {
    let (folder, receiver) = (tempfile::tempdir().unwrap(), Stub::start(ok("", "")).await);
    let data = folder.path().join("flagdeck.db");
    let start =
        async || TestApp::with(&["--data", data.to_str().unwrap(), "--hold-webhook", &receiver.url]).await;
    let (first, second) = (start().await, start().await);
    create(&first, "shop.pay", everyone(), json!({})).await;
    let is_on = async |app: &TestApp| {
        app.send(Method::GET, FEATURES, &[], "").await.json()["features"][0]["enabled"] == true
    };
    let wait_for = async |app: &TestApp, expected: bool| {
        until(async || (is_on(app).await == expected).then_some(())).await;
    };
    wait_for(&second, true).await;
    let draft = |seconds: u32| json!({ "toggle": "shop.pay", "reason": "INC-42", "seconds": seconds });
    assert_eq!(first.post("/-/holds", &draft(3_600)).await.status, StatusCode::CREATED);
    wait_for(&second, false).await;
    assert_eq!(second.send(Method::DELETE, "/-/holds/shop.pay", &[], "").await.status, StatusCode::OK);
    wait_for(&first, true).await;
    assert_eq!(second.post("/-/holds", &draft(2)).await.status, StatusCode::CREATED);
    wait_for(&first, false).await;
    wait_for(&first, true).await;
    wait_for(&second, true).await;
    let ends = async || {
        let ended = first.get("/-/holds").await.json()["ended"].clone();
        let ends: Vec<_> = ended.as_array().unwrap().iter().map(|ended| ended["end"].clone()).collect();
        (ends == [json!("expired"), json!("released")]).then_some(())
    };
    until(ends).await;
    receiver.wait_for_number(4, |_| true).await;
    // The end of the program sends what waits.
    first.stop().await;
    second.stop().await;
    let requests = receiver.requests();
    let sent = |text: &str| requests.iter().filter(|request| request.contains(text)).count();
    assert_eq!((sent("hold-started"), sent("hold-ended")), (2, 2), "{requests:?}");
}
