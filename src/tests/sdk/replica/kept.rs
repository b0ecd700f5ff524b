//! The copies in the database: restarts, refused tokens, and databases that cannot be used.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use actix_web::http::{Method, StatusCode};
use serde_json::Value;
use tempfile::TempDir;
use tokio::task::yield_now;
use tokio::time::timeout;

use super::{NEVER, SOON, is_stale, read, read_until, start};
use crate::support::app::{Response, TestApp};
use crate::support::binary::{Binary, flagdeck, flagdeck_with_file_limit};
use crate::support::client_api::{ClientApi, body_of};
use crate::support::engine::{rounds, skips_file_tests};
use crate::support::postgres_server::{Server, run_sql};

/// A location of `data`, and the database in which copies are kept.
struct Data {
    _folder: TempDir,
    /// The value of `data`.
    value: String,
}

impl Data {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let value = folder.path().join("flagdeck.db").to_str().unwrap().to_owned();
        Self { _folder: folder, value }
    }

    fn file(&self, suffix: &str) -> PathBuf {
        format!("{}.kept{suffix}", self.value).into()
    }

    /// Locks the database like another process that has not ended yet.
    fn lock(&self) -> File {
        let lock = File::options().write(true).open(self.file(".lock")).unwrap();
        lock.lock().unwrap();
        lock
    }

    /// With the recorder, whose records are in the same database.
    fn arguments(&self) -> [&str; 3] {
        ["--data", &self.value, "--recorder"]
    }

    /// Returns the number of copies in the database, and of those with this entity tag.
    fn count_copies(&self, tag: &str) -> (i64, i64) {
        let count = || -> rusqlite::Result<(i64, i64)> {
            let connection = rusqlite::Connection::open(self.file(""))?;
            let sql = "SELECT count(*), count(*) FILTER (WHERE etag = ?1) FROM copies";
            connection.query_row(sql, [tag], |row| Ok((row.get(0)?, row.get(1)?)))
        };
        count().unwrap_or_default()
    }

    /// Waits until the database contains this number of copies with the tag of the first edition.
    async fn wait_for_copies(&self, number: i64) {
        wait_until(|| self.count_copies("W/\"1\"") == (number, number)).await;
    }
}

/// Starts a flag service with these tokens, for a test about a file; `None` if the tests use PostgreSQL.
async fn start_on_file(tokens: &[&str]) -> Option<(ClientApi, Data)> {
    if skips_file_tests() {
        return None;
    }
    Some((ClientApi::start(tokens).await, Data::new()))
}

/// Runs a replica that gets the toggles of these tokens, and stores them when it ends.
async fn keep_copies(api: &ClientApi, data: &Data, tokens: &[&str]) {
    let app = start(api, NEVER, &data.arguments()).await;
    for token in tokens {
        read(&app, token).await;
    }
    app.stop().await;
}

async fn wait_until(check: impl Fn() -> bool) {
    let search = async {
        while !check() {
            yield_now().await;
        }
    };
    timeout(Duration::from_secs(30), search).await.expect("the condition is never true");
}

/// Starts a replica in a process of its own, which can be killed.
fn start_process(api: &ClientApi, refresh: &str, data: &str) -> (Binary, TestApp) {
    let arguments =
        ["--listen", "127.0.0.1:0", "--log-level", "off", "--replica", "--replica-refresh", refresh];
    let process =
        Binary::started(flagdeck().args(arguments).args(["--upstream", &api.stub.url, "--data", data]));
    let app = TestApp::at(process.port);
    (process, app)
}

fn assert_edition(response: &Response, token: &str, edition: u32) {
    assert_eq!(response.body, body_of(token, edition), "{}", response.status);
}

/// Reads the toggles of a token from a copy in the database. A busy machine opens it later than the first request.
async fn read_kept(app: &TestApp, token: &str) -> Response {
    read_until(app, token, |response| response.status == StatusCode::OK).await
}

#[actix_web::test]
async fn restart_during_an_outage_serves_kept_copies() {
    let Some((api, data)) = start_on_file(&["first-token", "other-token"]).await else { return };
    let app = start(&api, NEVER, &data.arguments()).await;
    for token in ["first-token", "other-token"] {
        assert_eq!(read(&app, token).await.status, StatusCode::OK);
    }
    app.stop().await;
    let file = fs::read(data.file("")).unwrap();
    assert!(!String::from_utf8_lossy(&file).contains("-token"), "neither credentials nor plain bodies");
    for suffix in ["", ".lock"] {
        assert_eq!(fs::metadata(data.file(suffix)).unwrap().permissions().mode() & 0o777, 0o600, "{suffix}");
    }
    api.set_down(true);
    let start_time = Instant::now();
    let app = start(&api, SOON, &data.arguments()).await;
    for token in ["first-token", "other-token"] {
        let response = read_kept(&app, token).await;
        assert_edition(&response, token, 1);
        assert_eq!(response.header("etag"), "W/\"1\"");
        assert!(is_stale(&response), "{:?}", response.headers);
    }
    assert!(start_time.elapsed() < Duration::from_secs(5));
    assert_eq!(read(&app, "unknown").await.status, StatusCode::SERVICE_UNAVAILABLE);
    api.set_down(false);
    read_until(&app, "first-token", |response| !is_stale(response)).await;
}

#[actix_web::test]
async fn copies_are_served_as_soon_as_the_database_can_be_opened() {
    let Some((api, data)) = start_on_file(&["a"]).await else { return };
    keep_copies(&api, &data, &["a"]).await;
    api.set_down(true);
    let lock = data.lock();
    let app = start(&api, SOON, &data.arguments()).await;
    assert_eq!(read(&app, "a").await.status, StatusCode::SERVICE_UNAVAILABLE);
    drop(lock);
    assert_edition(&read_until(&app, "a", is_stale).await, "a", 1);
}

#[actix_web::test]
async fn first_request_after_a_restart_is_conditional() {
    let Some((api, data)) = start_on_file(&["a"]).await else { return };
    keep_copies(&api, &data, &["a"]).await;
    let app = start(&api, NEVER, &data.arguments()).await;
    assert_edition(&read(&app, "a").await, "a", 1);
    let last =
        api.stub.requests().into_iter().rfind(|request| request.starts_with("GET /api/client/features"));
    assert!(last.unwrap().contains("if-none-match: W/\"1\"\r\n"));
}

#[actix_web::test]
async fn copies_are_written_soon_and_survive_a_kill() {
    let Some((api, data)) = start_on_file(&["a", "b"]).await else { return };
    let (mut process, app) = start_process(&api, SOON, &data.value);
    read(&app, "a").await;
    read(&app, "b").await;
    data.wait_for_copies(2).await;
    api.set("a", &body_of("a", 2), "\"2\"");
    wait_until(|| data.count_copies("\"2\"") == (2, 1)).await;
    process.kill();
    api.set_down(true);
    let app = start(&api, SOON, &data.arguments()).await;
    assert_edition(&read_kept(&app, "a").await, "a", 2);
    assert_edition(&read_kept(&app, "b").await, "b", 1);
}

#[actix_web::test]
async fn killed_process_leaves_copies_of_one_state() {
    let Some((api, data)) = start_on_file(&[]).await else { return };
    let tokens = ["a", "b", "c"];
    let set = |edition: u32| {
        for token in tokens {
            api.set(token, &body_of(token, edition), &format!("\"{edition}\""));
        }
    };
    let mut edition = 0;
    let rounds = rounds("FLAGDECK_TEST_RESTARTS", 20);
    for round in 1..=rounds {
        edition += 1;
        set(edition);
        let (mut process, app) = start_process(&api, SOON, &data.value);
        for token in tokens {
            read_until(&app, token, |response| response.body == body_of(token, edition)).await;
        }
        wait_until(|| data.count_copies(&format!("\"{edition}\"")).1 == 3).await;
        let oldest = edition;
        // A write may be in progress when the process ends.
        let (start_time, time) = (Instant::now(), Duration::from_millis(fastrand::u64(0..600)));
        while start_time.elapsed() < time {
            edition += 1;
            set(edition);
            read(&app, "a").await;
        }
        process.kill();
        api.set_down(true);
        let (mut process, app) = start_process(&api, SOON, &data.value);
        for token in tokens {
            let response = read_kept(&app, token).await;
            let tag: u32 = response.header("etag").trim_matches('"').parse().unwrap();
            assert!((oldest..=edition).contains(&tag), "round {round}: {tag}");
            assert_edition(&response, token, tag);
        }
        process.kill();
        api.set_down(false);
        assert!(!data.file(".unusable").exists(), "round {round}");
    }
}

#[actix_web::test]
async fn refused_token_stays_refused_after_a_kill_in_an_outage() {
    let Some((api, data)) = start_on_file(&["a", "b"]).await else { return };
    let (mut process, app) = start_process(&api, SOON, &data.value);
    read(&app, "b").await;
    read(&app, "a").await;
    data.wait_for_copies(2).await;
    api.revoke("a");
    read_until(&app, "a", |response| response.status == StatusCode::UNAUTHORIZED).await;
    // The copy was deleted before the refusal became visible.
    process.kill();
    assert_eq!(data.count_copies("W/\"1\""), (1, 1));
    api.set_down(true);
    let app = start(&api, SOON, &data.arguments()).await;
    assert_eq!(read(&app, "a").await.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_edition(&read_kept(&app, "b").await, "b", 1);
    app.stop().await;
    assert_eq!(data.count_copies("W/\"1\""), (1, 1), "after the shutdown");
}

#[actix_web::test]
async fn token_that_was_revoked_while_the_program_was_stopped_is_refused() {
    let Some((api, data)) = start_on_file(&["a"]).await else { return };
    keep_copies(&api, &data, &["a"]).await;
    api.revoke("a");
    let app = start(&api, NEVER, &data.arguments()).await;
    assert_eq!(read(&app, "a").await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(data.count_copies("").0, 0);
}

#[actix_web::test]
async fn refusal_while_the_database_cannot_be_changed_is_marked_on_the_disk() {
    let Some((api, data)) = start_on_file(&["a", "b"]).await else { return };
    keep_copies(&api, &data, &["a", "b"]).await;
    let lock = data.lock();
    let (mut process, app) = start_process(&api, SOON, &data.value);
    api.revoke("a");
    assert_eq!(read(&app, "a").await.status, StatusCode::UNAUTHORIZED);
    process.kill();
    assert!(data.file(".refused").exists());
    assert_eq!(data.count_copies("").0, 2);
    api.set_down(true);
    lock.unlock().unwrap();
    let (mut process, app) = start_process(&api, NEVER, &data.value);
    assert_eq!(read(&app, "a").await.status, StatusCode::SERVICE_UNAVAILABLE);
    wait_until(|| !data.file(".refused").exists()).await;
    assert_eq!(data.count_copies("").0, 0);
    process.kill();
    let app = start(&api, NEVER, &data.arguments()).await;
    assert_eq!(read(&app, "a").await.status, StatusCode::SERVICE_UNAVAILABLE);
}

#[actix_web::test]
async fn removal_is_completed_when_the_database_can_be_changed() {
    let Some((api, data)) = start_on_file(&["a", "b"]).await else { return };
    keep_copies(&api, &data, &["a", "b"]).await;
    let lock = data.lock();
    let app = start(&api, SOON, &data.arguments()).await;
    api.revoke("a");
    assert_eq!(read(&app, "a").await.status, StatusCode::UNAUTHORIZED);
    assert!(data.file(".refused").exists());
    assert_edition(&read(&app, "b").await, "b", 1);
    lock.unlock().unwrap();
    wait_until(|| !data.file(".refused").exists()).await;
    data.wait_for_copies(1).await;
}

#[actix_web::test]
async fn copies_of_another_upstream_are_not_used() {
    let Some((api, data)) = start_on_file(&["a"]).await else { return };
    keep_copies(&api, &data, &["a"]).await;
    let other = ClientApi::start(&[]).await;
    other.set_down(true);
    let app = start(&other, NEVER, &data.arguments()).await;
    assert_eq!(read(&app, "a").await.status, StatusCode::SERVICE_UNAVAILABLE);
    app.stop().await;
    api.set_down(true);
    let app = start(&api, SOON, &data.arguments()).await;
    assert_edition(&read_kept(&app, "a").await, "a", 1);
}

#[actix_web::test]
async fn copy_that_is_too_old_is_not_served() {
    let Some((api, data)) = start_on_file(&["a"]).await else { return };
    keep_copies(&api, &data, &["a"]).await;
    let connection = rusqlite::Connection::open(data.file("")).unwrap();
    connection.execute("UPDATE copies SET confirmed_at = confirmed_at - 90000000", []).unwrap();
    drop(connection);
    api.set_down(true);
    let app = start(&api, NEVER, &data.arguments()).await;
    assert_eq!(read(&app, "a").await.status, StatusCode::SERVICE_UNAVAILABLE);
}

#[actix_web::test]
async fn bodies_that_two_tokens_share_are_stored_once() {
    let Some((api, data)) = start_on_file(&[]).await else { return };
    for token in ["a", "b"] {
        api.set(token, &body_of("both", 1), "\"1\"");
    }
    keep_copies(&api, &data, &["a", "b"]).await;
    let connection = rusqlite::Connection::open(data.file("")).unwrap();
    let sql = "SELECT (SELECT count(*) FROM copies), (SELECT count(*) FROM bodies)";
    let counts: (i64, i64) = connection.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    assert_eq!(counts, (2, 1));
}

/// Checks that SDKs are served, and returns the reason why copies are not kept.
async fn assert_served(api: &ClientApi, data: &str) -> Option<String> {
    let start_time = Instant::now();
    let app = start(api, NEVER, &["--data", data, "--recorder", "--admin-listen", "0"]).await;
    assert_edition(&read(&app, "a").await, "a", 1);
    assert_edition(&read(&app, "a").await, "a", 1);
    assert!(start_time.elapsed() < Duration::from_secs(2), "{:?}", start_time.elapsed());
    let admin = TestApp::at(app.admin_port.unwrap());
    let fault = || async { admin.get("/replica").await.json()["fault"].as_str().map(str::to_owned) };
    let settled = async {
        loop {
            match fault().await {
                Some(fault) if fault.ends_with("is not open yet") => yield_now().await,
                settled => break settled,
            }
        }
    };
    let settled = timeout(Duration::from_secs(30), settled).await.unwrap();
    let metric = format!("flagdeck_replica_unkept {}", u8::from(settled.is_some()));
    assert!(admin.get("/metrics").await.body.contains(&metric));
    assert_eq!(app.get("/-/replica").await.json()["fault"].as_str(), settled.as_deref());
    app.stop().await;
    settled
}

#[actix_web::test]
async fn damaged_database_is_replaced_and_sdks_are_served() {
    let Some((api, data)) = start_on_file(&["a"]).await else { return };
    fs::write(data.file(""), "damaged ".repeat(1_000)).unwrap();
    assert_eq!(assert_served(&api, &data.value).await, None);
    assert!(data.file(".unusable").exists());
    api.set_down(true);
    let app = start(&api, SOON, &data.arguments()).await;
    assert_edition(&read_kept(&app, "a").await, "a", 1);
}

#[actix_web::test]
async fn newer_database_is_replaced_and_sdks_are_served() {
    let Some((api, data)) = start_on_file(&["a"]).await else { return };
    let connection = rusqlite::Connection::open(data.file("")).unwrap();
    connection.execute_batch("CREATE TABLE later (x); PRAGMA user_version = 99").unwrap();
    drop(connection);
    assert_eq!(assert_served(&api, &data.value).await, None);
    assert!(data.file(".unusable").exists());
}

#[actix_web::test]
async fn sdks_are_served_while_another_process_uses_the_database() {
    let Some((api, data)) = start_on_file(&["a"]).await else { return };
    let app = start(&api, NEVER, &data.arguments()).await;
    read(&app, "a").await;
    let fault = assert_served(&api, &data.value).await.unwrap();
    assert!(fault.contains("is in use by the process"), "{fault}");
    let app = start(&api, NEVER, &["--data", &data.value, "--admin-listen", "0"]).await;
    let admin = TestApp::at(app.admin_port.unwrap());
    let purged = admin.send(Method::DELETE, "/replica", &[], "").await.json();
    assert!(purged["fault"].as_str().unwrap().contains(".kept is "), "{purged}");
}

#[cfg(target_os = "linux")]
#[actix_web::test]
async fn full_disk_delays_no_sdk_and_copies_are_kept_when_it_has_space_again() {
    let Some((api, data)) = start_on_file(&["a", "b"]).await else { return };
    let mut command = flagdeck_with_file_limit("unlimited");
    command.args(["--listen", "127.0.0.1:0", "--log-level", "off", "--replica", "--replica-refresh", SOON]);
    command.args(["--upstream", &api.stub.url]).args(data.arguments());
    let mut process = actix_web::web::block(move || Binary::started(&mut command)).await.unwrap();
    let app = TestApp::at(process.port);
    read(&app, "a").await;
    data.wait_for_copies(1).await;
    process.limit_files("4096");
    api.set("a", &body_of("a", 2), "\"2\"");
    read_until(&app, "a", |response| response.body == body_of("a", 2)).await;
    assert_edition(&read(&app, "b").await, "b", 1);
    let fault = async { while app.get("/-/replica").await.json()["fault"] == Value::Null {} };
    timeout(Duration::from_secs(30), fault).await.expect("the fault is reported");
    process.limit_files("unlimited");
    wait_until(|| data.count_copies("\"2\"") == (2, 1)).await;
    process.kill();
    api.set_down(true);
    let app = start(&api, SOON, &data.arguments()).await;
    assert_edition(&read_kept(&app, "a").await, "a", 2);
    assert_edition(&read_kept(&app, "b").await, "b", 1);
}

#[actix_web::test]
async fn sdks_are_served_without_a_folder_for_the_database() {
    let Some((api, data)) = start_on_file(&["a"]).await else { return };
    fs::write(&data.value, "").unwrap();
    let below = Path::new(&data.value).join("flagdeck.db");
    let fault = assert_served(&api, below.to_str().unwrap()).await.unwrap();
    assert!(fault.contains("cannot be created"), "{fault}");
}

#[actix_web::test]
async fn upgrade_hands_the_database_to_the_new_process() {
    let Some((api, data)) = start_on_file(&["a"]).await else { return };
    let old = start(&api, NEVER, &data.arguments()).await;
    read(&old, "a").await;
    let new = start(&api, NEVER, &data.arguments()).await;
    old.stop().await;
    data.wait_for_copies(1).await;
    api.set("b", &body_of("b", 1), "W/\"1\"");
    read(&new, "b").await;
    data.wait_for_copies(2).await;
}

/// Stops or continues a process of a PostgreSQL server.
fn signal(process: &str, name: &str) {
    assert!(Command::new("kill").args([name, process]).status().unwrap().success());
}

/// Returns the process that accepts connections to a PostgreSQL server.
fn postmaster(url: &str) -> String {
    run_sql(url, "SELECT pg_read_file('postmaster.pid')").lines().next().unwrap().to_owned()
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn instance_that_starts_during_an_outage_serves_the_copies_of_another() {
    let (api, server) = (ClientApi::start(&["a", "b"]).await, Server::start("off"));
    let url = server.url();
    let count = |sql: &str| run_sql(&url, &format!("SELECT count(*) FROM {sql}"));
    let first = start(&api, SOON, &["--data", &url, "--recorder"]).await;
    wait_until(|| run_sql(&url, "SELECT count(*) FROM pg_tables WHERE tablename = 'copies'") == "1").await;
    read(&first, "a").await;
    wait_until(|| count("copies") == "1").await;
    let second = start(&api, SOON, &["--data", &url, "--recorder"]).await;
    read(&second, "b").await;
    wait_until(|| count("copies") == "2").await;
    api.set_down(true);
    let third = start(&api, SOON, &["--data", &url, "--recorder"]).await;
    for app in [&first, &second, &third] {
        for token in ["a", "b"] {
            let response = read_until(app, token, is_stale).await;
            assert_edition(&response, token, 1);
        }
    }
    // A refusal of one instance deletes the copy for all.
    api.set_down(false);
    api.revoke("a");
    read_until(&first, "a", |response| response.status == StatusCode::UNAUTHORIZED).await;
    assert_eq!(count("copies"), "1");
    api.set_down(true);
    let fourth = start(&api, SOON, &["--data", &url, "--recorder"]).await;
    assert_eq!(read(&fourth, "a").await.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_edition(&read_kept(&fourth, "b").await, "b", 1);
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn hanging_server_of_the_database_delays_no_sdk() {
    let (api, server) = (ClientApi::start(&["a", "b", "c"]).await, Server::start("off"));
    let url = server.url();
    let process = postmaster(&url);
    signal(&process, "-STOP");
    let start_time = Instant::now();
    let app = start(&api, SOON, &["--data", &url, "--recorder"]).await;
    assert_edition(&read(&app, "a").await, "a", 1);
    assert!(start_time.elapsed() < Duration::from_secs(2), "at the start: {:?}", start_time.elapsed());
    signal(&process, "-CONT");
    wait_until(|| run_sql(&url, "SELECT count(*) FROM pg_tables WHERE tablename = 'copies'") == "1").await;
    wait_until(|| run_sql(&url, "SELECT count(*) FROM copies") == "1").await;
    // The server processes of all sessions.
    let sessions = run_sql(
        &url,
        "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
    );
    let sessions: Vec<_> = sessions.lines().collect();
    assert!(!sessions.is_empty());
    for session in &sessions {
        signal(session, "-STOP");
    }
    for token in ["b", "c"] {
        let start_time = Instant::now();
        assert_edition(&read(&app, token).await, token, 1);
        assert!(start_time.elapsed() < Duration::from_secs(1), "{token}: {:?}", start_time.elapsed());
    }
    api.set("a", &body_of("a", 2), "\"2\"");
    read_until(&app, "a", |response| response.body == body_of("a", 2)).await;
    // In an outage, a token whose copy this instance has not read yet waits for the database, but not for long.
    api.set_down(true);
    let start_time = Instant::now();
    assert_eq!(read(&app, "d").await.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(start_time.elapsed() < Duration::from_secs(5), "{:?}", start_time.elapsed());
    api.set_down(false);
    for session in &sessions {
        signal(session, "-CONT");
    }
    wait_until(|| run_sql(&url, "SELECT count(*) FROM copies") == "3").await;
}
