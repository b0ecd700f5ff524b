//! Instances of two versions on one database, as during an upgrade. Statements that change the tables like a migration
//! of the next version stand for its first instance.

use std::path::Path;

use serde_json::{Value, json};

use super::load::{Load, Requests, create_everywhere, is_current, polls, reads, switches};
use crate::flags::postgres::database;
use crate::flags::{FEATURES, plain};
use crate::support::binary::{Binary, flagdeck, output_of};
use crate::support::engine::{run_sql, with_engine};

/// Takes the lock of migrations, adds columns and a table, replaces an index, and increases the schema version.
const NEXT_MIGRATION: &str = r#"BEGIN;
    SELECT pg_advisory_xact_lock(7205759403792);
    ALTER TABLE sessions ADD COLUMN later BIGINT NOT NULL DEFAULT 0;
    ALTER TABLE toggles ADD COLUMN later TEXT COLLATE "C";
    CREATE TABLE later (name TEXT COLLATE "C" NOT NULL PRIMARY KEY, "user" TEXT COLLATE "C" REFERENCES users);
    DROP INDEX sessions_of_user;
    CREATE INDEX sessions_of_user ON sessions ("user", issuer, later);
    UPDATE schema_version SET version = version + 1;
    COMMIT"#;

/// Sends a request and returns the status and the body of its response.
fn send(instance: &Binary, method: &str, path: &str, body: &Value) -> (u16, Value) {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    instance.wire().send(method, path, &body).unwrap()
}

/// Runs a command on the database, which fails, and returns its message.
fn refusal(file: &Path, arguments: &[&str]) -> String {
    let arguments = with_engine(&[arguments, &["--data", file.to_str().unwrap()]].concat());
    let output = output_of(flagdeck().args(&arguments));
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
#[ignore = "needs PostgreSQL"]
fn running_instances_continue_after_a_newer_version_has_added_columns_and_tables() {
    let (_folder, file) = database();
    let instances = [Binary::on(&file), Binary::on(&file)];
    create_everywhere(&instances, "probe");
    let loads = [polls, reads, switches].map(|requests: Requests| Load::start_on(&instances, requests));
    let all = || loads.iter().flatten();
    for load in all() {
        load.wait_for(20, is_current);
    }
    run_sql(&file, NEXT_MIGRATION);
    for load in all() {
        load.wait_for(50, is_current);
    }
    for outcomes in loads.into_iter().flatten().map(Load::end) {
        let failure = outcomes.iter().find(|outcome| !is_current(outcome));
        assert!(failure.is_none(), "{failure:?}");
    }
    create_everywhere(&instances, "after");
    for (path, body) in [
        ("/api/admin/projects", json!({ "id": "new", "name": "New" })),
        ("/api/admin/segments", json!({ "name": "new", "constraints": [] })),
        ("/api/admin/api-tokens", json!({ "name": "new", "kind": "frontend", "origins": ["*"] })),
        (
            "/api/client/register",
            json!({ "appName": "web", "instanceId": "1", "strategies": [], "started": "2026-11-28T12:00:00Z", "interval": 10 }),
        ),
    ] {
        let (status, response) = send(&instances[1], "POST", path, &body);
        assert!(matches!(status, 200..=202), "{path}: {response}");
    }
    assert_eq!(run_sql(&file, "SELECT count(*) FROM toggles WHERE later IS NULL"), "2");
}

#[test]
#[ignore = "needs PostgreSQL"]
fn older_version_does_not_start_on_the_tables_of_a_newer_one() {
    let (_folder, file) = database();
    let running = Binary::on(&file);
    run_sql(&file, NEXT_MIGRATION);
    for arguments in [&["--listen", "127.0.0.1:0"][..], &["user", "list"], &["export"]] {
        let said = refusal(&file, arguments);
        let expected = "was written by a newer version of Flagdeck; use that version or another database";
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
    assert_eq!(send(&running, "POST", FEATURES, &plain("probe")).0, 201, "the running instance continues");
}

#[test]
#[ignore = "needs PostgreSQL"]
fn running_instance_reports_a_removed_column_and_serves_sdks_from_memory() {
    let (_folder, file) = database();
    let instance = Binary::on(&file);
    create_everywhere(std::slice::from_ref(&instance), "probe");
    run_sql(&file, "ALTER TABLE toggles RENAME COLUMN impression_data TO removed");
    for (method, path, body) in [
        ("GET", FEATURES, Value::Null),
        ("POST", FEATURES, plain("new")),
        ("POST", "/api/admin/features/probe/toggle/on", Value::Null),
    ] {
        let (status, response) = send(&instance, method, path, &body);
        assert_eq!((status, &response["code"]), (500, &json!("internal")), "{method} {path}: {response}");
    }
    let (status, toggles) = send(&instance, "GET", super::CLIENT, &Value::Null);
    assert!(status == 200 && toggles.to_string().contains("probe"), "{toggles}");
    assert_eq!(run_sql(&file, "SELECT string_agg(name, ',') FROM toggles"), "probe");
    run_sql(&file, "ALTER TABLE toggles RENAME COLUMN removed TO impression_data");
    create_everywhere(std::slice::from_ref(&instance), "new");
}
