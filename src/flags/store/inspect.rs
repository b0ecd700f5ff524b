//! Looks at a database without changing it, for the person who wonders whether the program would start on it.

use std::path::Path;

use rusqlite::Connection;

use super::migrate;
use super::open::{OpenError, is_foreign, reader, unusable};
use super::schema::newest;

/// What was found.
#[derive(Debug)]
pub struct Inspection {
    /// The version of its schema, and the one that this program makes of it.
    pub schema: (usize, usize),
    /// What SQLite finds wrong with it; empty where all is well.
    pub damage: Option<String>,
    /// Secrets of addons, sealed: addon, parameter and what is kept.
    pub secrets: Vec<(i64, String, Vec<u8>)>,
}

/// Looks at the file, which has to be there.
///
/// # Errors
/// [`OpenError`] where the program would not start on it either.
pub fn inspect(path: &Path) -> Result<Inspection, OpenError> {
    let connection = reader(path)?;
    let look = || -> rusqlite::Result<Option<Inspection>> {
        if is_foreign(&connection)? {
            return Ok(None);
        }
        let schema = (migrate::version(&connection)?, newest());
        let damage: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        let damage = (damage != "ok").then_some(damage);
        Ok(Some(Inspection { schema, damage, secrets: secrets(&connection)? }))
    };
    match look().map_err(|cause| unusable(path, cause))? {
        None => Err(OpenError::NotOurs { path: path.to_owned() }),
        Some(Inspection { schema: (found, newest), .. }) if found > newest => {
            Err(OpenError::Newer { path: path.to_owned() })
        }
        Some(inspection) => Ok(inspection),
    }
}

/// Older schemas have no table of them.
fn secrets(connection: &Connection) -> rusqlite::Result<Vec<(i64, String, Vec<u8>)>> {
    if !connection.table_exists(None, "addon_secrets")? {
        return Ok(Vec::new());
    }
    connection
        .prepare("SELECT addon, parameter, sealed FROM addon_secrets ORDER BY addon, parameter")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect()
}
