//! The command `flagdeck move`. The tests that need a PostgreSQL database need `FLAGDECK_TEST_ENGINE=postgres`.

mod databases;

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Output, Stdio};

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use self::databases::Databases;
use super::moving::to_text;
use super::{FEATURES, archive, create, edited_probe, names, plain, probe, replace};
use crate::support::app::TestApp;
use crate::support::binary::flagdeck;
use crate::support::engine::{postgres_database, psql, run_sql};

const ADDONS: &str = "/api/admin/addons";

/// Rows for the tables that [`fill`] does not fill by requests. Some tables have several pages of rows, and the names of
/// users differ in their case.
const ROWS: &str = "
    CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600) SELECT i FROM n;
    INSERT INTO users SELECT CASE i % 2 WHEN 0 THEN 'u' ELSE 'U' END || i, CASE i % 3 WHEN 0 THEN 'Ä ''\"' END, NULL, 'hash',
        '[\"ADMIN\"]', '2026-01-01T00:00:00.000Z', i % 2, CASE i % 3 WHEN 0 THEN 9223372036854775807 END FROM n;
    INSERT INTO identities VALUES ('https://login.example', '17', 'Ä ''\"', NULL, NULL, 'U1');
    INSERT INTO sessions (token_hash, user, created_at, expires_at)
        SELECT randomblob(32), 'U' || i, -i, 9223372036854775807 FROM n WHERE i % 2 = 1;
    INSERT INTO sessions VALUES
        (randomblob(32), NULL, 'carl@example.com', NULL, NULL, NULL, NULL, 1, 2, 3, '::1', 'Firefox', NULL),
        (randomblob(32), NULL, NULL, 'https://login.example', '17', 'Ä ''\"', '[\"ops\"]', 1, 2, NULL, NULL, NULL, 4);
    INSERT INTO api_tokens (name, token_hash, created_at) SELECT 'shop ' || i, randomblob(32), '2026' FROM n WHERE i < 3;
    INSERT INTO segments VALUES (7, 'beta', NULL, '[]', NULL, '2026');
    INSERT INTO applications (name, created_at, updated_at, created_by) VALUES ('shop', '1', '2', '');
    INSERT INTO instances VALUES ('shop', 'one', NULL, '::1', '1', '2', 'server');
    INSERT INTO toggle_uses VALUES ('shop', 'gone');
    INSERT INTO tags SELECT 'simple', '🦀' || i FROM n;
    INSERT INTO toggle_tags VALUES ('probe.one', 'simple', '🦀1');
    INSERT INTO toggle_counts SELECT i / 7, 'toggle ' || i, i, 0 FROM n;
    INSERT INTO counted_uses VALUES (41, 'probe.one', '', 5);
    INSERT INTO minute_counts SELECT i / 100, 41 + i, i, 0 FROM n;
    INSERT INTO hour_counts VALUES (5, 41, 9223372036854775807, 0);
    INSERT INTO holds VALUES
        ('7', 'https://flags.example', '🦀', NULL, 'Ä ''\"', 'anna', 1, 9223372036854775807, NULL, NULL, NULL),
        ('8', 'https://flags.example', 'probe.one', 'production', 'x', 'anna', 1, 2, 3, 'released', 'ben');
";

fn run(arguments: &[String]) -> Output {
    flagdeck().args(arguments).output().unwrap()
}

fn run_ok(arguments: &[String]) -> Output {
    let output = run(arguments);
    assert!(output.status.success(), "{}", to_text(&output.stderr));
    output
}

/// Runs a move that must fail, and returns its error.
fn run_failing(arguments: &[String]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(1), "{}", to_text(&output.stdout));
    to_text(&output.stderr).lines().last().unwrap().to_owned()
}

fn hook() -> Value {
    json!({
        "provider": "webhook", "enabled": true, "events": ["feature-created"],
        "parameters": { "url": "http://127.0.0.1:9/hook?token=hunter2" },
    })
}

/// Fills every table of a file.
async fn fill(databases: &Databases, name: &str) {
    let app = databases.app_on_file(name).await;
    for _ in 0..2 {
        assert_eq!(app.post(ADDONS, &hook()).await.status, StatusCode::CREATED);
    }
    let last = app.send(actix_web::http::Method::DELETE, &format!("{ADDONS}/2"), &[], "").await;
    assert!(last.status.is_success());
    create(&app, &probe()).await;
    replace(&app, "probe.one", &edited_probe()).await;
    create(&app, &plain("probe.archived")).await;
    archive(&app, "probe.archived").await;
    app.stop().await;
    databases.run_on_file(name, ROWS);
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn move_to_postgres_and_back_keeps_every_row() {
    let databases = Databases::new();
    fill(&databases, "one.db").await;
    let before = databases.rows("one.db");
    let empty: Vec<_> = before.iter().filter(|(_, rows)| rows.is_empty()).collect();
    assert!(empty.is_empty(), "the test does not prove anything about {empty:?}");
    let there = run_ok(&databases.to_postgres("one.db", "two"));
    let back = run_ok(&databases.to_file("two", "three.db"));
    let after = databases.rows("three.db");
    for (table, rows) in &before {
        assert_eq!(after.get(table), Some(rows), "{table}");
    }
    // Standard error lists all tables of both schemas.
    let listed = |output: &Output| -> BTreeSet<String> {
        to_text(&output.stderr).lines().map(|line| line.split(':').next().unwrap().to_owned()).collect()
    };
    let in_file: BTreeSet<_> = before.into_keys().filter(|table| table != "sqlite_sequence").collect();
    assert_eq!(listed(&there), in_file);
    let in_postgres = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'
                       AND tablename NOT IN ('schema_version', 'database_version', 'sign_in_attempts',
                                             'counted_minutes')";
    let in_postgres = run_sql(&databases.path("two"), in_postgres);
    assert_eq!(listed(&back), in_postgres.lines().map(str::to_owned).collect::<BTreeSet<_>>());
    let rows: usize =
        after.iter().filter(|(table, _)| *table != "sqlite_sequence").map(|(_, rows)| rows.len()).sum();
    assert!(
        to_text(&back.stdout).starts_with(&format!("{rows} rows of 25 tables ")),
        "{}",
        to_text(&back.stdout)
    );
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn moved_service_continues_with_its_ids_and_secrets() {
    let databases = Databases::new();
    fill(&databases, "one.db").await;
    let app = databases.app_on_file("one.db").await;
    let paths = [FEATURES, "/api/admin/archive/features", ADDONS, "/api/admin/context"];
    let read = async |app: &TestApp| {
        let mut bodies = Vec::new();
        for path in paths {
            bodies.push(app.get(path).await.json());
        }
        bodies
    };
    let before = read(&app).await;
    let newest =
        async |app: &TestApp| app.get("/api/admin/events").await.json()["events"][0]["id"].as_u64().unwrap();
    let last = newest(&app).await;
    app.stop().await;
    run_ok(&databases.to_postgres("one.db", "two"));
    let app = databases.app_on_postgres("two").await;
    assert_eq!(read(&app).await, before);
    create(&app, &plain("probe.new")).await;
    assert_eq!(newest(&app).await, last + 1);
    // The addon 2 was deleted before the move.
    assert_eq!(app.post(ADDONS, &hook()).await.json()["id"], 3);
    app.stop().await;
    let (url, key) = postgres_database(databases.path("two").to_str().unwrap());
    let check = flagdeck().args(["check", "--data", &url, "--data-key", &key]).output().unwrap();
    let said = to_text(&check.stdout);
    assert!(said.contains(" is PostgreSQL ") && said.contains("decrypts all 2 secrets of addons"), "{said}");
    assert_ne!(fs::read(&key).unwrap(), fs::read(databases.path("one.db.key")).unwrap());
    fs::remove_file(key).unwrap();
    assert!(run_failing(&databases.to_file("two", "three.db")).contains("The key file two.key is missing"));
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn move_into_a_database_with_data_is_refused() {
    let databases = Databases::new();
    for (name, app) in [
        ("file", databases.app_on_file("file").await),
        ("postgres", databases.app_on_postgres("postgres").await),
    ] {
        create(&app, &plain(name)).await;
        app.stop().await;
    }
    for (arguments, name) in [
        (databases.to_postgres("file", "postgres"), "postgres"),
        (databases.to_file("postgres", "file"), "file"),
    ] {
        let said = run_failing(&arguments);
        assert!(said.contains("the target contains data in the table toggles"), "{said}");
        let app = if name == "file" {
            databases.app_on_file(name).await
        } else {
            databases.app_on_postgres(name).await
        };
        assert_eq!(names(&app, FEATURES).await, [name]);
        app.stop().await;
    }
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn failed_move_leaves_the_target_empty() {
    let databases = Databases::new();
    fill(&databases, "one.db").await;
    run_ok(&databases.to_postgres("one.db", "two"));
    let broken = "INSERT INTO deliveries (id, addon, event) VALUES (999, 1, 999)";
    databases.run_on_file("one.db", &format!("PRAGMA foreign_keys = OFF; {broken}"));
    run_sql(
        &databases.path("two"),
        &format!("ALTER TABLE deliveries DROP CONSTRAINT deliveries_event_fkey; {broken}"),
    );
    let (to_postgres, to_file) =
        (databases.to_postgres("one.db", "target"), databases.to_file("two", "target.db"));
    for arguments in [&to_postgres, &to_file] {
        let said = run_failing(arguments);
        assert!(said.contains("deliveries") && said.contains("still empty"), "{said}");
    }
    let count = "SELECT (SELECT count(*) FROM toggles) + (SELECT count(*) FROM events), (SELECT count(*) FROM strategies)";
    assert_eq!(run_sql(&databases.path("target"), count), "0|8");
    assert_eq!(databases.rows("target.db")["toggles"], Vec::<String>::new());
    assert_eq!(databases.rows("target.db")["strategies"].len(), 8);
    databases.run_on_file("one.db", "DELETE FROM deliveries WHERE id = 999");
    run_sql(&databases.path("two"), "DELETE FROM deliveries WHERE id = 999");
    for arguments in [&to_postgres, &to_file] {
        run_ok(arguments);
    }
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn move_whose_result_differs_is_undone() {
    let databases = Databases::new();
    fill(&databases, "one.db").await;
    databases.app_on_postgres("two").await.stop().await;
    let trigger = "CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql
                   AS $$ BEGIN NEW.description = 'other'; RETURN NEW; END $$;
                   CREATE TRIGGER change BEFORE INSERT ON toggles FOR EACH ROW EXECUTE FUNCTION change()";
    run_sql(&databases.path("two"), trigger);
    let said = run_failing(&databases.to_postgres("one.db", "two"));
    assert!(said.contains("the table toggles of the target differs"), "{said}");
    assert_eq!(run_sql(&databases.path("two"), "SELECT count(*) FROM toggles"), "0");
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn move_with_another_key_is_refused() {
    let databases = Databases::new();
    fill(&databases, "one.db").await;
    let key = databases.path("one.db.key");
    let original = fs::read(&key).unwrap();
    let arguments = databases.to_postgres("one.db", "two");
    fs::write(&key, [7; 32]).unwrap();
    let said = run_failing(&arguments);
    assert!(said.contains("cannot be decrypted with the key file one.db.key"), "{said}");
    assert_eq!(run_sql(&databases.path("two"), "SELECT count(*) FROM toggles"), "0");
    fs::write(&key, original).unwrap();
    run_ok(&arguments);
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn source_with_an_older_schema_is_refused_and_not_migrated() {
    let databases = Databases::new();
    databases.app_on_file("one.db").await.stop().await;
    databases.app_on_postgres("two").await.stop().await;
    databases.run_on_file("one.db", "PRAGMA user_version = 11");
    run_sql(&databases.path("two"), "UPDATE schema_version SET version = 11");
    for arguments in [databases.to_postgres("one.db", "target"), databases.to_file("two", "target.db")] {
        let said = run_failing(&arguments);
        assert!(said.contains("has the schema version 11 instead of "), "{said}");
    }
    assert_eq!(run_sql(&databases.path("two"), "SELECT version FROM schema_version"), "11");
    let database = rusqlite::Connection::open(databases.path("one.db")).unwrap();
    let version: i64 = database.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    assert_eq!(version, 11);
    assert!(!databases.path("target.db").exists());
}

#[test]
#[ignore = "needs PostgreSQL"]
fn source_without_tables_is_refused_and_gets_none() {
    let databases = Databases::new();
    let said = run_failing(&databases.to_file("one", "target.db"));
    assert!(said.contains(" contains no tables of Flagdeck; "), "{said}");
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
    assert_eq!(run_sql(&databases.path("one"), tables), "0");
    assert!(!databases.path("target.db").exists());
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn change_of_the_source_during_the_move_undoes_it() {
    let databases = Databases::new();
    fill(&databases, "one.db").await;
    databases.app_on_postgres("two").await.stop().await;
    // This lock allows reads. The move waits for it at the last table.
    let mut lock = psql(&databases.path("two"));
    let mut statements = lock.stdin.take().unwrap();
    statements.write_all(b"BEGIN; LOCK TABLE hour_counts IN SHARE MODE;\n").unwrap();
    let locks =
        "SELECT count(*) FROM pg_locks WHERE relation = 'hour_counts'::regclass AND mode = 'ShareLock'";
    assert!((0..200).any(|_| run_sql(&databases.path("two"), locks) == "1"));
    let arguments = databases.to_postgres("one.db", "two");
    let mut moving = flagdeck().args(arguments).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(moving.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.starts_with("minute_counts: ")));
    databases.run_on_file("one.db", "UPDATE toggles SET enabled = 0");
    statements.write_all(b"COMMIT;\n").unwrap();
    drop(statements);
    let said = lines.last().unwrap();
    assert!(said.contains("the source was changed during the move"), "{said}");
    assert_eq!(moving.wait().unwrap().code(), Some(1));
    assert_eq!(run_sql(&databases.path("two"), "SELECT count(*) FROM toggles"), "0");
    lock.wait().unwrap();
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn texts_that_postgres_cannot_store_are_replaced_and_counted() {
    let databases = Databases::new();
    databases.app_on_file("one.db").await.stop().await;
    databases.run_on_file("one.db", "INSERT INTO tags VALUES ('simple', 'a' || char(0)), ('simple', 'b')");
    let output = run_ok(&databases.to_postgres("one.db", "two"));
    assert!(
        to_text(&output.stdout).contains("U+0000 was replaced by U+FFFD in 1 texts"),
        "{}",
        to_text(&output.stdout)
    );
    assert_eq!(run_sql(&databases.path("two"), "SELECT value FROM tags ORDER BY value"), "a\u{fffd}\nb");
}

#[test]
fn move_needs_a_file_and_a_postgres_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let url = format!("postgres:///flags?host={}", folder.path().display());
    let (one, two) = (path("one.db"), path("two.db"));
    for (from, to, reason) in [
        (one.as_str(), two.as_str(), "--from and --to must be a file and a PostgreSQL database"),
        (url.as_str(), url.as_str(), "--from and --to must be a file and a PostgreSQL database"),
        (url.as_str(), ":memory:", "needs a database file"),
        (one.as_str(), url.as_str(), "there is no database"),
        ("postgres://anna:hunter2@localhost/flags", one.as_str(), "contains a password"),
    ] {
        let arguments = ["move", "--from", from, "--to", to].map(str::to_owned);
        let said = run_failing(&arguments);
        assert!(said.contains(reason) && !said.contains("hunter2"), "{said}");
    }
    assert!(!Path::new(&one).exists() && !Path::new(&two).exists());
}
