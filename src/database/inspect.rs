//! Inspects a database without changing it, for `flagdeck check`.

use std::path::Path;

use rusqlite::Connection;

use super::open::{is_foreign, open_reader};
use super::open_error::{OpenError, to_open_error};
pub use super::postgres::{PostgresInspection, ServerState};
pub(crate) use super::schema::LIST_SECRETS;
pub use super::schema::StoredSecret;
use super::schema::newest_version;
use super::{migrate, postgres};
use crate::config::{DataLocation, PostgresLocation};

/// The findings of [`inspect`].
#[derive(Debug)]
pub struct Inspection {
    /// The schema version of the database, and the newest version, to which the server would migrate it.
    pub schema: (usize, usize),
    /// The first problem that SQLite's quick check reports; `None` without one.
    pub damage: Option<String>,
    /// The encrypted secrets of addons.
    pub secrets: Vec<StoredSecret>,
}

/// Checks that a database exists, and that a PostgreSQL database has the tables of Flagdeck. Opening it would create them.
pub(crate) fn check_exists(data: &DataLocation) -> Result<(), OpenError> {
    let path = data.path().to_owned();
    match data {
        DataLocation::File(file) if !file.exists() => Err(OpenError::Missing { path }),
        DataLocation::Postgres(location) if inspect_postgres(location)?.schema.0 == 0 => {
            Err(OpenError::NoTables { path })
        }
        _ => Ok(()),
    }
}

/// Checks that a database exists, is intact and needs no migration.
pub(crate) fn check_is_current(data: &DataLocation) -> Result<(), OpenError> {
    check_exists(data)?;
    let path = data.path().to_owned();
    let schema = match data {
        DataLocation::Memory => return Ok(()),
        DataLocation::Postgres(location) => inspect_postgres(location)?.schema,
        DataLocation::File(file) => match inspect(file)? {
            Inspection { damage: Some(damage), .. } => {
                return Err(OpenError::Database { path, cause: damage.into() });
            }
            inspection => inspection.schema,
        },
    };
    match schema {
        (0, _) => Err(OpenError::NotFlagdeck { path }),
        (found, newest) if found < newest => Err(OpenError::Older { path, found, newest }),
        _ => Ok(()),
    }
}

/// Inspects a PostgreSQL database, also on a read-only server.
pub(crate) fn inspect_postgres(location: &PostgresLocation) -> Result<PostgresInspection, OpenError> {
    postgres::inspect(location)
}

/// Inspects a database file, which must exist.
pub(crate) fn inspect(path: &Path) -> Result<Inspection, OpenError> {
    let connection = open_reader(path)?;
    let read = || -> rusqlite::Result<Option<Inspection>> {
        if is_foreign(&connection)? {
            return Ok(None);
        }
        let schema = (migrate::schema_version(&connection)?, newest_version());
        let damage: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        let damage = (damage != "ok").then_some(damage);
        Ok(Some(Inspection { schema, damage, secrets: read_secrets(&connection)? }))
    };
    match read().map_err(|cause| to_open_error(path, cause))? {
        None => Err(OpenError::NotFlagdeck { path: path.to_owned() }),
        Some(Inspection { schema: (found, newest), .. }) if found > newest => {
            Err(OpenError::Newer { path: path.to_owned() })
        }
        Some(inspection) => Ok(inspection),
    }
}

/// Reads the encrypted secrets of addons. Old schemas have no table for them.
fn read_secrets(connection: &Connection) -> rusqlite::Result<Vec<StoredSecret>> {
    if !connection.table_exists(None, "addon_secrets")? {
        return Ok(Vec::new());
    }
    connection
        .prepare(LIST_SECRETS)?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect()
}
