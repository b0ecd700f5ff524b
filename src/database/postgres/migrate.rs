//! Migrates the schema of a PostgreSQL database. Its versions are the versions of the SQLite schema.

use super::open_error;
use super::session::Session;
use crate::config::PostgresLocation;
use crate::database::schema::newest_version;
use crate::database::{OpenError, StorageFault, StoreError};

/// The migrations with the versions to which they lead. The first one creates all tables.
const STEPS: &[(usize, &str)] = &[
    (12, include_str!("../schema/postgres/12-all-tables.sql")),
    (13, include_str!("../schema/postgres/13-shared-state.sql")),
    (14, include_str!("../schema/postgres/14-provider-sessions.sql")),
    (15, include_str!("../schema/postgres/15-session-details.sql")),
    (16, include_str!("../schema/postgres/16-identities.sql")),
    (17, include_str!("../schema/postgres/17-holds.sql")),
    (18, include_str!("../schema/postgres/18-accounts.sql")),
];

/// Begins a transaction and waits until no other process migrates the database. The number is arbitrary.
const LOCK: &str = "BEGIN; SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0; \
     SELECT pg_advisory_xact_lock(7205759403792)";

/// Waits for the write transactions of running instances, and lets new ones wait: they begin with a change of this table.
const LOCK_WRITES: &str = "LOCK TABLE database_version IN EXCLUSIVE MODE";
/// The maximum number of attempts, because reads of running instances can lead to deadlocks.
const MAX_ATTEMPTS: u32 = 10;

/// Whether the database has a schema version, and whether it has any table of another program: with `kept_version`, it is a database
/// of Flagdeck.
const FIND_TABLES: &str =
    "SELECT to_regclass('schema_version') IS NOT NULL, to_regclass('kept_version') IS NULL AND EXISTS (
        SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = current_schema()
     )";

/// Runs the missing migrations in one transaction. Instances of the version before can use the database meanwhile.
pub(super) fn migrate_to_newest(session: &Session, location: &PostgresLocation) -> Result<(), OpenError> {
    let failed = |cause| open_error(location, cause);
    let mut attempt = 1;
    loop {
        session.run(LOCK).map_err(failed)?;
        let found = check_version(session, location)?;
        match run_steps(session, found) {
            Err(cause) if can_repeat(&cause, attempt) && session.end_transaction() => {
                tracing::info!(attempt, %cause, "the migration of the database is repeated");
                attempt += 1;
            }
            outcome => return outcome.map_err(failed),
        }
    }
}

/// Returns whether a migration failed because of transactions that ran at the same time. Its waits have no limit: the server has
/// ended a deadlock.
fn can_repeat(cause: &StoreError, attempt: u32) -> bool {
    cause.fault() == Some(StorageFault::Busy) && attempt < MAX_ATTEMPTS
}

/// Returns the schema version; 0 for an empty database.
pub(super) fn check_version(session: &Session, location: &PostgresLocation) -> Result<usize, OpenError> {
    let path = location.name.clone();
    match schema_version(session).map_err(|cause| open_error(location, cause))? {
        Found::Version(found) if found > newest_version() => Err(OpenError::Newer { path }),
        Found::OtherTables => Err(OpenError::NotFlagdeck { path }),
        Found::Version(found) => Ok(found),
        Found::Nothing => Ok(0),
    }
}

/// The state of the schema.
enum Found {
    Version(usize),
    /// Another program uses the database.
    OtherTables,
    Nothing,
}

fn schema_version(session: &Session) -> Result<Found, StoreError> {
    let mut found = Found::Nothing;
    let mut has_version = false;
    session.visit_rows(FIND_TABLES, &[], &mut |row| {
        has_version = row.get(0)?;
        if row.get(1)? {
            found = Found::OtherTables;
        }
        Ok(true)
    })?;
    if has_version {
        session.visit_rows("SELECT version FROM schema_version", &[], &mut |row| {
            found = Found::Version(row.get::<u32>(0)?.try_into().unwrap_or(usize::MAX));
            Ok(true)
        })?;
    }
    Ok(found)
}

fn run_steps(session: &Session, found: usize) -> Result<(), StoreError> {
    if (1..newest_version()).contains(&found) {
        session.run(LOCK_WRITES)?;
    }
    for (version, sql) in STEPS.iter().filter(|(version, _)| *version > found) {
        if found > 0 {
            tracing::info!(from = found, to = version, "migrating the database to a newer schema");
        }
        session.run(sql)?;
        session.run(&format!("UPDATE schema_version SET version = {version}"))?;
    }
    session.run("COMMIT")
}

#[cfg(test)]
mod tests {
    use super::{STEPS, newest_version};

    #[test]
    fn versions_are_those_of_sqlite() {
        assert_eq!(STEPS.last().map(|(version, _)| *version), Some(newest_version()));
        assert!(STEPS.is_sorted_by(|(one, _), (next, _)| one < next));
    }
}
