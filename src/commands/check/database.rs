//! Checks the database of the embedded flag service, and the key file of the addons' secrets.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;

use super::finding::Finding;
use crate::config::{DataLocation, PostgresLocation};
use crate::database::OpenError;
use crate::database::inspect::{
    Inspection, PostgresInspection, ServerState, StoredSecret, inspect, inspect_postgres,
};
use crate::error::StorageFault;
use crate::flags::addons::secrets::Secrets;
use crate::private_file;

/// A larger difference between the clocks is a hint.
const MAX_CLOCK_DIFFERENCE_MS: i64 = 2_000;
/// An instance opens one connection for each concurrent request that needs the database.
const MIN_FREE_CONNECTIONS: i64 = 10;

/// Checks the database of these settings.
pub(super) fn check(data: &DataLocation) -> Vec<Finding> {
    let path = match data {
        DataLocation::File(path) => path,
        DataLocation::Postgres(location) => return check_server(location, data),
        DataLocation::Memory => {
            return vec![Finding::note("database", "in memory: all data is lost when the program ends", "")];
        }
    };
    match fs::metadata(path) {
        Ok(_) => {}
        Err(cause) if is_missing(&cause) => return vec![missing_file(path)],
        Err(cause) => return vec![unusable(path, &cause)],
    }
    // The server could not start: SQLite writes to the file, and to new files next to it.
    let folder = fs::canonicalize(path).map(|target| private_file::folder_of(&target).to_owned());
    let written =
        OpenOptions::new().append(true).open(path).map_err(|cause| (path.to_owned(), cause)).and_then(|_| {
            let folder = folder.map_err(|cause| (path.to_owned(), cause))?;
            private_file::check_folder(&folder).map_err(|cause| (folder, cause))
        });
    if let Err((path, cause)) = written {
        return vec![unusable(&path, &cause)];
    }
    match inspect(path) {
        Err(error) => vec![cannot_open(&error)],
        Ok(inspection) => {
            let mut findings = vec![check_integrity(path, &inspection), check_schema(&inspection)];
            findings.extend(check_privacy("database", path));
            findings.extend(check_key(data, &inspection.secrets));
            findings
        }
    }
}

/// Checks a PostgreSQL server and its database.
fn check_server(location: &PostgresLocation, data: &DataLocation) -> Vec<Finding> {
    match inspect_postgres(location) {
        Err(error) => vec![cannot_open(&error)],
        Ok(inspection) => {
            let name = location.name.display();
            let PostgresInspection { server, state, schema, secrets } = inspection;
            let mut findings = vec![Finding::pass("database", format!("{name} is {server}"))];
            findings.push(check_state(&state));
            findings.push(match schema {
                (found, newest) if found < newest && !state.can_create_tables => Finding::fail(
                    "schema",
                    "the user of the database may not create tables",
                    "make this user the owner of the database",
                ),
                (0, _) => {
                    Finding::note("schema", "the database is empty; the program creates its tables", "")
                }
                (found, newest) if found == newest => Finding::pass("schema", format!("version {found}")),
                (found, newest) => {
                    let message =
                        format!("version {found}; when the program starts, it migrates it to {newest}");
                    Finding::note("schema", message, "back up the database first, with pg_dump")
                }
            });
            findings.extend(check_key(data, &secrets));
            findings
        }
    }
}

/// Returns the failure for a database that cannot be opened. The message of a fault contains its remedy.
fn cannot_open(error: &OpenError) -> Finding {
    let has_remedy =
        matches!(error, OpenError::Database { cause, .. } if cause.downcast_ref::<StorageFault>().is_some());
    let remedy = if has_remedy { "" } else { "see the setting `data` in examples/settings.md" };
    Finding::fail("database", error.to_string(), remedy)
}

/// Checks the role, the clock and the connections of a server.
fn check_state(state: &ServerState) -> Finding {
    let ServerState { clock_difference, free_connections: (free, maximum), .. } = *state;
    let role = if state.is_standby { "read-only standby" } else { "primary server" };
    let message =
        format!("{role}, clock differs by {clock_difference} ms, {free} of {maximum} connections are free");
    if state.is_standby {
        return Finding::fail("server", message, "set data to the primary server");
    }
    if state.is_read_only {
        return Finding::fail(
            "server",
            format!("{message}, default_transaction_read_only is on"),
            "turn this setting off for the server, the database and the user",
        );
    }
    if clock_difference.abs() > MAX_CLOCK_DIFFERENCE_MS {
        return Finding::note(
            "server",
            message,
            "synchronise the clocks: times in the history come from them",
        );
    }
    if free < MIN_FREE_CONNECTIONS {
        return Finding::note("server", message, "raise max_connections of the server");
    }
    Finding::pass("server", message)
}

fn missing_file(path: &Path) -> Finding {
    let message = format!("{} does not exist yet; it is created when the program starts", path.display());
    // The program creates missing folders in the nearest one that exists.
    let folder = path
        .ancestors()
        .skip(1)
        .map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let exists = |folder: &&Path| !fs::metadata(folder).is_err_and(|cause| is_missing(&cause));
    let Some(folder) = folder.into_iter().find(exists) else { return Finding::note("database", message, "") };
    match fs::metadata(folder) {
        Ok(found) if !found.is_dir() => Finding::fail(
            "database",
            message,
            "a part of the path is a file and not a folder; set data to another path",
        ),
        found => match found.and_then(|_| private_file::check_folder(folder)) {
            Ok(()) => Finding::note("database", message, ""),
            Err(cause) => unusable(folder, &cause),
        },
    }
}

fn is_missing(cause: &io::Error) -> bool {
    matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Returns the failure for a file or folder that this user cannot write.
fn unusable(path: &Path, cause: &io::Error) -> Finding {
    let message = format!("{} cannot be written: {cause}", path.display());
    Finding::fail(
        "database",
        message,
        "give the user of this process write access to the file and its folder, or run the command as the user of the server",
    )
}

fn check_integrity(path: &Path, inspection: &Inspection) -> Finding {
    match &inspection.damage {
        None => Finding::pass("database", format!("{} is intact", path.display())),
        Some(damage) => Finding::fail(
            "database",
            format!("{} is damaged: {damage}", path.display()),
            "stop the program and restore a backup",
        ),
    }
}

fn check_schema(inspection: &Inspection) -> Finding {
    let (found, newest) = inspection.schema;
    if found == newest {
        return Finding::pass("schema", format!("version {found}"));
    }
    let message = format!(
        "version {found}; when the program starts, it copies the database and migrates it to version {newest}"
    );
    Finding::note("schema", message, "")
}

/// Checks that the key decrypts all secrets of addons.
fn check_key(data: &DataLocation, stored: &[StoredSecret]) -> Vec<Finding> {
    let Some(file) = data.key_file() else { return Vec::new() };
    if stored.is_empty() {
        return if file.exists() { check_privacy("key", &file) } else { Vec::new() };
    }
    let finding = match Secrets::for_database(data).check(stored) {
        Ok(()) => {
            let count = stored.len();
            Finding::pass("key", format!("{} decrypts all {count} secrets of addons", file.display()))
        }
        Err(error) => {
            Finding::fail("key", error.to_string(), format!("restore the key at {}", file.display()))
        }
    };
    let mut findings = vec![finding];
    if file.exists() {
        findings.extend(check_privacy("key", &file));
    }
    findings
}

/// Warns if other users of the machine can read the file.
fn check_privacy(subject: &'static str, path: &Path) -> Vec<Finding> {
    #[cfg(unix)]
    let is_readable = fs::metadata(path)
        .is_ok_and(|file| std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o077 != 0);
    #[cfg(not(unix))]
    let is_readable = false;
    if !is_readable {
        return Vec::new();
    }
    let message = format!("other users of this machine can read {}", path.display());
    vec![Finding::note(subject, message, format!("chmod 600 {}", path.display()))]
}
