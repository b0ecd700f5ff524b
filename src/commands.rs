//! What `flagdeck COMMAND` does instead of serving: work on the database of the embedded flag service.

mod backup;

use std::io;
use std::path::PathBuf;

use crate::cli::Command;
use crate::config::{Backend, Config};
use crate::flags::store::{CopyError, Store, StoreError};
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
    #[error(transparent)]
    Store(#[from] StoreError),
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
    }
}

/// The database, which has to be there already.
fn existing_store(config: &Config) -> Result<Store, CommandError> {
    let Backend::Embedded(embedded) = &config.backend else { return Err(CommandError::Upstream) };
    let DataLocation::File(path) = &embedded.data else { return Err(CommandError::Memory) };
    if !path.exists() {
        return Err(CommandError::NoDatabase(path.clone()));
    }
    Ok(Store::open(&embedded.data)?)
}
