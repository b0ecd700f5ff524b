//! The engine PostgreSQL: refused databases, lost connections and locks. These tests need `FLAGDECK_TEST_ENGINE=postgres`.

use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use flagdeck::error::ApiError;
use serde_json::json;
use tempfile::TempDir;

use super::instances::wait_until;
use super::{FEATURES, create, names, plain, switch};
use crate::support::app::TestApp;
use crate::support::authority::Authority;
use crate::support::binary::flagdeck;
use crate::support::engine::{assert_postgres, open_flags, run_sql, with_engine};
use crate::support::postgres_server::{END_SESSIONS, Server};

/// Returns a new database.
pub(super) fn database() -> (TempDir, PathBuf) {
    assert_postgres();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    (folder, file)
}

async fn app_on(file: &Path) -> TestApp {
    TestApp::with(&["--data", file.to_str().unwrap()]).await
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn database_with_a_newer_schema_is_refused() {
    let (_folder, file) = database();
    drop(open_flags(&file).unwrap());
    run_sql(&file, "UPDATE schema_version SET version = 1000");
    let said = open_flags(&file).unwrap_err().to_string();
    assert!(said.starts_with("data: ") && said.contains("newer version of Flagdeck"), "{said}");
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn database_of_another_program_is_refused() {
    let (_folder, file) = database();
    run_sql(&file, "CREATE TABLE toggles (name TEXT)");
    let said = open_flags(&file).unwrap_err().to_string();
    assert!(said.ends_with("is not a Flagdeck database"), "{said}");
    assert_eq!(run_sql(&file, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), "1");
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn requests_after_a_restart_of_the_server_succeed() {
    let (_folder, file) = database();
    let app = app_on(&file).await;
    create(&app, &plain("probe")).await;
    assert_ne!(run_sql(&file, END_SESSIONS), "0");
    assert_eq!(switch(&app, "probe", "toggle/on").await.status, StatusCode::OK);
    assert_eq!(names(&app, FEATURES).await, ["probe"]);
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn change_of_another_process_is_in_the_next_list() {
    let (_folder, file) = database();
    let (first, second) = (app_on(&file).await, app_on(&file).await);
    // The compressed list is cached until the database changes.
    let read = async || second.send(Method::GET, FEATURES, &[("accept-encoding", "gzip")], "").await;
    let mut tag = read().await.header("etag").to_owned();
    for name in ["one", "two"] {
        assert_eq!(read().await.header("etag"), tag);
        create(&first, &plain(name)).await;
        let changed = read().await;
        assert_ne!(changed.header("etag"), tag);
        tag = changed.header("etag").to_owned();
    }
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn write_that_waits_too_long_for_another_process_returns_503() {
    let (_folder, file) = database();
    let app = app_on(&file).await;
    let (other, (release, released)) = (open_flags(&file).unwrap(), std::sync::mpsc::channel::<()>());
    let (locked, is_locked) = tokio::sync::oneshot::channel();
    let holds = actix_web::rt::spawn(async move {
        other
            .database
            .write(move |_tx| {
                locked.send(()).unwrap();
                let _is_late = released.recv_timeout(Duration::from_secs(30)).is_err();
                Ok(())
            })
            .await
    });
    is_locked.await.unwrap();
    let body = plain("late").to_string();
    let head = format!(
        "POST {FEATURES} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n",
        body.len()
    );
    // Without the timeout of a client.
    let refused = app.raw(&(head + &body)).await;
    for expected in ["HTTP/1.1 503 ", "x-flagdeck-error: storage_busy", "retry-after: 1\r\n"] {
        assert!(refused.contains(expected), "{expected} in {refused}");
    }
    assert_eq!(names(&app, FEATURES).await, Vec::<String>::new(), "reads do not wait");
    release.send(()).unwrap();
    holds.await.unwrap().unwrap();
    create(&app, &plain("late")).await;
}

#[test]
#[ignore = "needs PostgreSQL"]
fn check_reports_the_server_and_the_schema_without_creating_tables() {
    let (_folder, file) = database();
    let arguments = with_engine(&["check", "--listen", "127.0.0.1:0", "--data", file.to_str().unwrap()]);
    let check = || {
        let output = flagdeck().args(&arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, text) = check();
    assert!(code == Some(0) && text.contains(" is PostgreSQL ") && text.contains("not encrypted"), "{text}");
    assert!(text.contains("the database is empty"), "{text}");
    assert!(text.contains("server: primary server, clock differs by "), "{text}");
    let maximum = run_sql(&file, "SELECT current_setting('max_connections')");
    assert!(text.contains(&format!(" of {maximum} connections are free")), "{text}");
    assert_eq!(run_sql(&file, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), "0");
    drop(open_flags(&file).unwrap());
    let version = run_sql(&file, "SELECT version FROM schema_version");
    let (code, text) = check();
    assert!(code == Some(0) && text.contains(&format!("version {version}")), "{text}");
}

#[test]
#[ignore = "needs PostgreSQL"]
fn check_refuses_a_user_that_may_not_create_tables() {
    let (_folder, file) = database();
    let arguments = with_engine(&["check", "--listen", "127.0.0.1:0", "--data", file.to_str().unwrap()]);
    run_sql(&file, "REVOKE CREATE ON SCHEMA public FROM PUBLIC; CREATE ROLE reader LOGIN");
    let url = arguments[4].replace("user=flags", "user=reader");
    let output = flagdeck().args(&arguments[..4]).arg(url).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("FAIL  schema: the user of the database may not create tables"), "{text}");
    run_sql(&file, "DROP ROLE reader");
}

#[test]
#[ignore = "needs PostgreSQL"]
fn commands_that_read_create_no_tables() {
    let (folder, file) = database();
    let copy = folder.path().join("copy.db");
    let run = |command: &[&str]| {
        let data = ["--data", file.to_str().unwrap()];
        flagdeck().args(with_engine(&[command, &data].concat())).output().unwrap()
    };
    let commands: [&[&str]; 6] = [
        &["user", "list"],
        &["user", "remove", "anna"],
        &["token", "list"],
        &["export"],
        &["backup", copy.to_str().unwrap()],
        &["why", "probe"],
    ];
    for command in commands {
        let output = run(command);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{command:?}");
        assert!(said.contains(" contains no tables of Flagdeck; "), "{command:?}: {said}");
    }
    assert_eq!(run_sql(&file, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), "0");
    drop(open_flags(&file).unwrap());
    let said = String::from_utf8(run(&["user", "list"]).stdout).unwrap();
    assert!(said.starts_with("There are no users"), "{said}");
}

#[test]
#[ignore = "needs PostgreSQL"]
fn backup_names_the_program_of_postgres() {
    let (folder, file) = database();
    drop(open_flags(&file).unwrap());
    let copy = folder.path().join("copy.db");
    let arguments = ["backup", copy.to_str().unwrap(), "--data", file.to_str().unwrap()];
    let output = flagdeck().args(with_engine(&arguments)).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && said.contains("use pg_dump"), "{said}");
    assert!(!copy.exists());
}

#[test]
fn server_that_cannot_be_reached_fails_the_start_without_the_password() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("postgres://anna@localhost/flags?host={}", folder.path().display());
    for command in ["check", "export"] {
        let mut flagdeck = flagdeck();
        let output = flagdeck.args([command, "--data", &url]).env("PGPASSWORD", "hunter2").output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(text).unwrap();
        assert!(
            !output.status.success() && text.contains("cannot be used: error connecting to server"),
            "{text}"
        );
        assert!(!text.contains("hunter2"), "{text}");
    }
}

#[test]
#[ignore = "needs PostgreSQL"]
fn tls_verifies_the_certificate_and_binds_the_password_to_it() {
    let (authority, other) = (Authority::new(), Authority::new());
    authority.sign("localhost");
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let _server = Server::with_tls(port, &authority.path("cert.pem"), &authority.path("key.pem"), "hunter2");
    let check = |parameters: &str| {
        let url = format!("postgres://flags@localhost:{port}/postgres?{parameters}");
        let mut check = flagdeck();
        let output = check.args(["check", "--data", &url]).env("PGPASSWORD", "hunter2").output().unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    let verified = |file: String| format!("sslmode=verify-full&channel_binding=require&sslrootcert={file}");
    let said = check(&verified(authority.path("ca.pem")));
    assert!(said.contains(", TLSv1.3"), "{said}");
    let said = check("sslmode=require&channel_binding=require");
    assert!(said.contains(", TLSv1.3"), "any certificate: {said}");
    let said = check(&verified(other.path("ca.pem")));
    assert!(said.contains("invalid peer certificate") && !said.contains("TLSv1.3"), "{said}");
    // The password file of libpq.
    let passwords = tempfile::NamedTempFile::new().unwrap();
    fs::write(passwords.path(), format!("localhost:{port}:*:flags:hunter2\n")).unwrap();
    let url = format!("postgres://flags@localhost:{port}/postgres?{}", verified(authority.path("ca.pem")));
    let check = |variable: &str, value: &Path| {
        let output = flagdeck().args(["check", "--data", &url]).env(variable, value).output().unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    let said = check("PGPASSFILE", passwords.path());
    assert!(said.contains(", TLSv1.3"), "{said}");
    let home = tempfile::tempdir().unwrap();
    fs::copy(passwords.path(), home.path().join(".pgpass")).unwrap();
    let said = check("HOME", home.path());
    assert!(said.contains(", TLSv1.3"), "{said}");
    fs::remove_file(home.path().join(".pgpass")).unwrap();
    let said = check("HOME", home.path());
    assert!(!said.contains(", TLSv1.3"), "{said}");
}

/// Returns the process ids of the sessions of a database, and the number of those with an open transaction.
fn sessions(file: &Path) -> (BTreeSet<String>, usize) {
    let sql = "SELECT pid, state LIKE 'idle in transaction%' FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let rows = run_sql(file, sql);
    let rows = rows.lines().map(|row| row.split_once('|').unwrap());
    let open = rows.clone().filter(|(_, is_open)| *is_open == "t").count();
    (rows.map(|(pid, _)| pid.to_owned()).collect(), open)
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn refused_requests_keep_their_sessions() {
    let (_folder, file) = database();
    let app = app_on(&file).await;
    create(&app, &plain("probe")).await;
    let refuse = async || {
        let statuses = [
            switch(&app, "unknown", "toggle/on").await.status,
            app.get(&format!("{FEATURES}/unknown")).await.status,
            app.post(FEATURES, &plain("probe")).await.status,
            app.post("/api/admin/tags", &json!({ "type": "unknown", "value": "x" })).await.status,
        ];
        assert!(statuses.iter().all(StatusCode::is_client_error), "{statuses:?}");
        assert!(statuses.contains(&StatusCode::CONFLICT) && statuses.contains(&StatusCode::NOT_FOUND));
    };
    refuse().await;
    let (before, _) = sessions(&file);
    for _ in 0..20 {
        refuse().await;
    }
    // Each session of the pool continues to work.
    create(&app, &plain("later")).await;
    wait_until(async || sessions(&file).1 == 0).await;
    let after = sessions(&file).0;
    assert!(after.is_superset(&before), "{before:?} {after:?}");
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn panic_keeps_the_session_and_rolls_its_transaction_back() {
    let (_folder, file) = database();
    let flags = open_flags(&file).unwrap();
    let before = sessions(&file).0;
    assert_eq!(before.len(), 1);
    for _ in 0..3 {
        let ended =
            flags.database.write(|_tx| -> Result<(), ApiError> { panic!("a defect of a handler") }).await;
        assert_eq!(ended.unwrap_err().code(), "internal");
        assert_eq!(sessions(&file), (before.clone(), 0));
    }
    flags.database.write(|_tx| Ok(())).await.unwrap();
    assert_eq!(sessions(&file), (before, 0));
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn failed_statement_keeps_the_session() {
    let (_folder, file) = database();
    let flags = open_flags(&file).unwrap();
    let read = async || flags.database.read(|tx| Ok(tx.list_token_scopes()?.len())).await;
    assert_eq!(read().await.unwrap(), 0);
    let before = sessions(&file);
    // A prepared statement returns other columns than before.
    run_sql(&file, "ALTER TABLE api_tokens RENAME TO renamed");
    assert_eq!(read().await.unwrap_err().code(), "internal");
    run_sql(&file, "ALTER TABLE renamed RENAME TO api_tokens");
    assert_eq!(read().await.unwrap(), 0);
    assert_eq!(sessions(&file), before);
}
