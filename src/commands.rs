//! What `flagdeck COMMAND` does instead of serving: work on the database of the embedded flag service.

mod backup;
mod export;
mod import;

use std::io;
use std::path::PathBuf;

use crate::cli::Command;
use crate::config::{Backend, Config};
use crate::error::ApiError;
use crate::flags::state::ImportMode;
use crate::flags::store::{CopyError, Store};
use crate::flags::{DataLocation, OpenError};

/// Why a command was not done: a sentence for the person who typed it.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// Commands are for the embedded flag service.
    #[error("upstream: this command works on the data of the embedded flag service; leave upstream out")]
    Upstream,
    /// There is nothing to work on in memory.
    #[error("data: this command works on a database file, so :memory: and demo make no sense")]
    Memory,
    /// The database that was named is not there.
    #[error("data: there is no database {}", .0.display())]
    NoDatabase(PathBuf),
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database cannot be read or written.
    #[error("data: the database cannot be used: {0}")]
    Data(#[from] ApiError),
    /// What was to be imported breaks a rule. Nothing of it was.
    #[error("{} cannot be imported, and nothing was changed: {cause}", .path.display())]
    Import {
        /// The file.
        path: PathBuf,
        /// Which rule, and where.
        cause: String,
    },
    /// Standard output does not take what was asked for.
    #[error("standard output: {0}")]
    Output(io::Error),
    /// The database cannot be copied.
    #[error("the database cannot be copied to {}: {cause}", .path.display())]
    Copy {
        /// Where to.
        path: PathBuf,
        /// Why not.
        cause: CopyError,
    },
    /// A file that was named cannot be read or written.
    #[error("{}: {cause}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: io::Error,
    },
}

/// Does what was asked for, and tells the outcome on standard output.
///
/// # Errors
/// See [`CommandError`].
pub fn run(command: &Command, config: &Config) -> Result<(), CommandError> {
    match command {
        Command::Backup { file } => backup::run(&existing_store(config)?, file),
        Command::Export { file } => export::run(&existing_store(config)?, file.as_deref()),
        Command::Import { file, drop_before_import, keep_existing } => {
            let mode = ImportMode { drop_before_import: *drop_before_import, keep_existing: *keep_existing };
            import::run(&Store::open(database(config)?)?, file, mode)
        }
    }
}

/// The database, which has to be there already.
fn existing_store(config: &Config) -> Result<Store, CommandError> {
    let data = database(config)?;
    match data {
        DataLocation::File(path) if !path.exists() => Err(CommandError::NoDatabase(path.clone())),
        _ => Ok(Store::open(data)?),
    }
}

/// Where the database is, or is to be.
fn database(config: &Config) -> Result<&DataLocation, CommandError> {
    let Backend::Embedded(embedded) = &config.backend else { return Err(CommandError::Upstream) };
    match &embedded.data {
        DataLocation::Memory => Err(CommandError::Memory),
        file @ DataLocation::File(_) => Ok(file),
    }
}
