//! What `flagdeck COMMAND` does instead of serving: looking after a server, or work on the database of the embedded flag
//! service.

mod backup;
mod check;
mod export;
mod health;
mod import;
mod password;
mod token;
mod user;

use std::io;
use std::path::PathBuf;

use crate::cli::{Command, TokenCommand, UserCommand};
use crate::config::{Backend, Config, Embedded};
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
    /// What `check` found.
    #[error("{faults} of {checks} checks failed")]
    Check {
        /// How many say that the program would not work.
        faults: usize,
        /// How many there were.
        checks: usize,
    },
    /// No server, or one that does not answer as it should.
    #[error("{url}: {reason}")]
    Unhealthy {
        /// Where it was asked.
        url: String,
        /// What came instead.
        reason: String,
    },
    /// A server that took a free port cannot be found.
    #[error("listen: names port 0, so that nobody knows which port the server took")]
    NoPort,
    /// There is nothing to work on in memory.
    #[error("data: this command works on a database file, so :memory: and demo make no sense")]
    Memory,
    /// The database that was named is not there.
    #[error("data: there is no database {}", .0.display())]
    NoDatabase(PathBuf),
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
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
    /// What was asked for breaks a rule.
    #[error("{0}")]
    Refused(ApiError),
    /// What was asked for failed for a reason that the person cannot see otherwise.
    #[error("{0}")]
    Failed(Box<dyn std::error::Error + Send + Sync>),
    /// The password cannot be read.
    #[error("The password cannot be read: {0}")]
    Password(io::Error),
    /// The two passwords that were typed.
    #[error("The two passwords differ; nothing was changed")]
    PasswordsDiffer,
    /// A file that was named cannot be read or written.
    #[error("{}: {cause}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: io::Error,
    },
}

impl From<ApiError> for CommandError {
    fn from(cause: ApiError) -> Self {
        match cause {
            // Hidden from callers over HTTP, not from whoever runs the program.
            ApiError::Internal(cause) => Self::Failed(cause),
            refusal => Self::Refused(refusal),
        }
    }
}

/// Does what was asked for, and tells the outcome on standard output.
///
/// # Errors
/// See [`CommandError`].
pub async fn run(command: &Command, config: &Config) -> Result<(), CommandError> {
    match command {
        Command::Check => check::run(config).await,
        Command::Health => health::run(config).await,
        Command::Backup { file } => backup::run(&existing_store(config)?, location(config)?, file),
        Command::Export { file } => export::run(&existing_store(config)?, file.as_deref()),
        Command::Import { file, drop_before_import, keep_existing } => {
            let mode = ImportMode { drop_before_import: *drop_before_import, keep_existing: *keep_existing };
            import::run(&Store::open(location(config)?)?, file, mode)
        }
        // The first user can be there before the server is.
        Command::User(command @ UserCommand::Add(_)) => user::run(&Store::open(location(config)?)?, command),
        Command::User(command) => user::run(&existing_store(config)?, command),
        Command::Token(command @ TokenCommand::Add { .. }) => {
            token::run(&Store::open(location(config)?)?, command)
        }
        Command::Token(command) => token::run(&existing_store(config)?, command),
    }
}

/// The database, which has to be there already.
fn existing_store(config: &Config) -> Result<Store, CommandError> {
    let data = location(config)?;
    match data {
        DataLocation::File(path) if !path.exists() => Err(CommandError::NoDatabase(path.clone())),
        _ => Ok(Store::open(data)?),
    }
}

/// Where the database is, or is to be.
fn location(config: &Config) -> Result<&DataLocation, CommandError> {
    match &config.backend {
        Backend::Upstream(_) => Err(CommandError::Upstream),
        Backend::Embedded(Embedded { data: DataLocation::Memory, .. }) => Err(CommandError::Memory),
        Backend::Embedded(Embedded { data, .. }) => Ok(data),
    }
}
