//! `flagdeck move`: copies all data from SQLite to PostgreSQL or back.

use super::{CommandError, data_location};
use crate::cli::MoveArguments;
use crate::config::{Config, DataLocation, is_postgres_url, parse_file};
use crate::database::DataLock;
use crate::database::inspect::check_is_current;
use crate::flags::addons::secrets::Secrets;
use crate::flags::open_store;
use crate::flags::transfer::{KeyedStore, TransferSummary, transfer};
use crate::terminal;

pub(super) fn run(config: &Config, arguments: &MoveArguments) -> Result<(), CommandError> {
    let (from, to) = locations(config, arguments)?;
    // Opening an old database would migrate it.
    check_is_current(&from)?;
    let (_source_lock, source) = open(&from)?;
    let (_target_lock, target) = open(&to)?;
    // Standard error may be closed, which is not an error.
    let summary = transfer(&source, &target, &mut |table, rows| {
        drop(terminal::print_error(&format!("{table}: {rows} rows")));
    })?;
    // Standard output may be closed, which is not an error.
    drop(terminal::print(&describe(&summary, &from, &to)));
    Ok(())
}

/// Opens a database that no server uses: changes after the copy would be lost.
fn open(data: &DataLocation) -> Result<(DataLock, KeyedStore), CommandError> {
    let lock = DataLock::acquire(data)?;
    Ok((lock, KeyedStore { store: open_store(data)?, secrets: Secrets::for_database(data) }))
}

/// Returns the locations of the source and of the target. The settings contain the PostgreSQL database.
fn locations(
    config: &Config,
    arguments: &MoveArguments,
) -> Result<(DataLocation, DataLocation), CommandError> {
    let MoveArguments { from, to } = arguments;
    let database = data_location(config)?.clone();
    let file = |path: &str| match path {
        ":memory:" => Err(CommandError::Memory),
        path => parse_file(path).map(DataLocation::File).map_err(CommandError::MoveFile),
    };
    match (is_postgres_url(from), is_postgres_url(to)) {
        (true, false) => Ok((database, file(to)?)),
        (false, true) => Ok((file(from)?, database)),
        _ => Err(CommandError::MoveEngines),
    }
}

fn describe(summary: &TransferSummary, from: &DataLocation, to: &DataLocation) -> String {
    let TransferSummary { tables, rows, secrets, replaced } = summary;
    let (from, target) = (from.path().display(), to.path().display());
    let mut lines =
        vec![format!("{rows} rows of {tables} tables were copied from {from} to {target} and compared")];
    if *replaced > 0 {
        lines.push(format!(
            "U+0000 was replaced by U+FFFD in {replaced} texts, because PostgreSQL cannot store it"
        ));
    }
    if let Some(key) = to.key_file().filter(|_| *secrets > 0) {
        lines.push(format!("The key of the addons' secrets is in {}; back it up separately", key.display()));
    }
    lines.join("\n")
}
