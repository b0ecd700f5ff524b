//! Deletion of old events with `--history-keep`.

use std::path::Path;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::{sleep, timeout};

use super::{JSON, create, events_of, plain, switch};
use crate::support::app::TestApp;
use crate::support::engine::{assert_postgres, run_sql};
use crate::support::events::EventReader;
use crate::support::watched::MAX_WAIT;

const OLD: &str = "2020-01-31T12:00:00.000Z";

async fn app_on(file: &Path, arguments: &[&str]) -> TestApp {
    TestApp::with(&[&["--data", file.to_str().unwrap()], arguments].concat()).await
}

/// Adds this number of old events.
fn add_old_events(file: &Path, count: usize) {
    let insert = format!(
        "INSERT INTO events (type, created_by, created_at, entity, entity_name, data)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})
         SELECT 'feature-updated', 'anna', '{OLD}', 'feature', 'bulk', '{{}}' FROM n"
    );
    run_sql(file, &format!("{insert}; SELECT 1"));
}

/// Waits until the database has this number of events.
async fn wait_for_count(file: &Path, count: usize) {
    let read = || run_sql(file, "SELECT count(*) FROM events");
    let is_equal = async {
        while read() != count.to_string() {
            sleep(std::time::Duration::from_millis(10)).await;
        }
    };
    assert!(timeout(MAX_WAIT, is_equal).await.is_ok(), "{} instead of {count}", read());
}

/// Returns the version of the toggles that SDKs get.
async fn version(app: &TestApp) -> u64 {
    let mut stream = EventReader::open(app, "/api/client/streaming", "").await;
    stream.next().await.unwrap().id.parse().unwrap()
}

#[actix_web::test]
async fn old_events_are_deleted_except_those_that_wait_for_a_delivery() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("flags.db");
    let app = app_on(&file, &[]).await;
    create(&app, &plain("delivered")).await;
    create(&app, &plain("waiting")).await;
    let addon = json!({
        "provider": "webhook", "enabled": false, "events": ["feature-created"], "parameters": { "url": "http://127.0.0.1:9/" },
    });
    assert_eq!(app.post("/api/admin/addons", &addon).await.status, StatusCode::CREATED);
    app.stop().await;
    add_old_events(&file, 450);
    let wait = "INSERT INTO deliveries (addon, event) SELECT addons.id, events.id FROM addons, events
                WHERE events.entity_name = 'waiting'";
    run_sql(&file, &format!("UPDATE events SET created_at = '{OLD}'; {wait}; SELECT 1"));
    let app = app_on(&file, &[]).await;
    create(&app, &plain("recent")).await;
    app.stop().await;
    let app = app_on(&file, &["--history-keep", "30d"]).await;
    wait_for_count(&file, 2).await;
    for (toggle, events) in [("delivered", 0), ("bulk", 0), ("waiting", 1), ("recent", 1)] {
        assert_eq!(events_of(&app, toggle).await.len(), events, "{toggle}");
    }
    // The first event after a deletion has nothing to compare with.
    switch(&app, "delivered", "toggle/on").await;
    assert_eq!(events_of(&app, "delivered").await[0]["diffs"], Value::Null);
}

#[actix_web::test]
async fn version_of_toggles_never_decreases() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("flags.db");
    let app = app_on(&file, &[]).await;
    create(&app, &plain("probe")).await;
    app.stop().await;
    add_old_events(&file, 300);
    run_sql(&file, &format!("UPDATE events SET created_at = '{OLD}'; SELECT 1"));
    let app = app_on(&file, &[]).await;
    switch(&app, "probe", "toggle/off").await;
    let before = version(&app).await;
    assert_eq!(before, 302);
    app.stop().await;
    let app = app_on(&file, &["--history-keep", "1d"]).await;
    wait_for_count(&file, 1).await;
    assert_eq!(version(&app).await, before, "the newest change is kept");
    let mut stream = EventReader::open(&app, "/api/client/streaming", "").await;
    stream.next().await.unwrap();
    switch(&app, "probe", "toggle/on").await;
    assert_eq!(stream.next().await.unwrap().id, (before + 1).to_string());
    app.stop().await;
    assert_eq!(version(&app_on(&file, &[]).await).await, before + 1, "after a restart");
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn several_instances_delete_old_events_while_others_write() {
    assert_postgres();
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("flags.db");
    let app = app_on(&file, &[]).await;
    create(&app, &plain("probe")).await;
    add_old_events(&file, 1_000);
    switch(&app, "probe", "toggle/off").await;
    let keep = ["--history-keep", "1d"];
    let (first, second) = (app_on(&file, &keep).await, app_on(&file, &keep).await);
    for (number, instance) in [&app, &first, &second].into_iter().cycle().take(9).enumerate() {
        let body = plain(&format!("new-{number}")).to_string();
        let response = instance.send(Method::POST, super::FEATURES, &[JSON], &body).await;
        assert_eq!(response.status, StatusCode::CREATED, "{}", response.body);
    }
    wait_for_count(&file, 11).await;
}
