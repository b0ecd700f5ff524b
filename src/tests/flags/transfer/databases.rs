//! Databases of both engines for the tests of `flagdeck move`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use flagdeck::config::BackendSettings;
use flagdeck::flags::DataLocation;
use rusqlite::types::Value as Cell;
use tempfile::TempDir;

use crate::support::app::TestApp;
use crate::support::engine::{assert_postgres, postgres_database};

/// A folder with databases. Each path is a file of SQLite, and also names a PostgreSQL database.
pub(super) struct Databases(TempDir);

impl Databases {
    /// Returns an empty folder.
    pub(super) fn new() -> Self {
        assert_postgres();
        Self(tempfile::tempdir().unwrap())
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Returns the arguments of a move from a file to PostgreSQL.
    pub(super) fn to_postgres(&self, from: &str, to: &str) -> Vec<String> {
        let (url, key) = postgres_database(self.path(to).to_str().unwrap());
        let file = self.path(from).to_str().unwrap().to_owned();
        move_arguments(&file, &url, &key)
    }

    /// Returns the arguments of a move from PostgreSQL to a file.
    pub(super) fn to_file(&self, from: &str, to: &str) -> Vec<String> {
        let (url, key) = postgres_database(self.path(from).to_str().unwrap());
        let file = self.path(to).to_str().unwrap().to_owned();
        move_arguments(&url, &file, &key)
    }

    /// Starts the service on a file of SQLite.
    pub(super) async fn app_on_file(&self, name: &str) -> TestApp {
        let file = self.path(name);
        TestApp::adjusted(&["--data", ":memory:"], |config| {
            if let BackendSettings::Embedded(embedded) = &mut config.backend {
                embedded.data = DataLocation::File(file);
            }
        })
        .await
    }

    pub(super) async fn app_on_postgres(&self, name: &str) -> TestApp {
        TestApp::with(&["--data", self.path(name).to_str().unwrap()]).await
    }

    /// Runs statements on a file of SQLite.
    pub(super) fn run_on_file(&self, name: &str, sql: &str) {
        rusqlite::Connection::open(self.path(name)).unwrap().execute_batch(sql).unwrap();
    }

    /// Returns the rows of each table of a file, sorted, except the state of running processes.
    pub(super) fn rows(&self, name: &str) -> BTreeMap<String, Vec<String>> {
        let database = rusqlite::Connection::open(self.path(name)).unwrap();
        let read = |sql: &str| -> Vec<String> {
            let mut statement = database.prepare(sql).unwrap();
            let columns = statement.column_count();
            let row = |row: &rusqlite::Row<'_>| {
                (0..columns).map(|index| row.get(index)).collect::<Result<Vec<Cell>, _>>()
            };
            let mut rows: Vec<_> =
                statement.query_map([], row).unwrap().map(|row| format!("{:?}", row.unwrap())).collect();
            rows.sort();
            rows
        };
        let tables = read(
            "SELECT name FROM sqlite_schema
             WHERE type = 'table' AND name NOT IN ('sign_in_attempts', 'counted_minutes')",
        );
        let tables = tables.iter().map(|row| row.split('"').nth(1).unwrap().to_owned());
        tables
            .map(|table| {
                // The encryption of a secret differs each time.
                let columns = if table == "addon_secrets" { "addon, parameter" } else { "*" };
                let rows = read(&format!("SELECT {columns} FROM {table}"));
                (table, rows)
            })
            .collect()
    }
}

fn move_arguments(from: &str, to: &str, key: &str) -> Vec<String> {
    ["move", "--log-level", "off", "--from", from, "--to", to, "--data-key", key].map(str::to_owned).into()
}
