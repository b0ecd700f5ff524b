//! The commands of `flagdeck`: checks of a server, and work on the database of the embedded flag service.

mod backup;
mod check;
mod drift;
mod export;
mod file_checks;
mod file_source;
mod files;
mod health;
mod hold;
mod import;
mod journal;
mod journaling;
mod password;
mod progress;
mod recorder;
mod replica;
mod service;
mod toggle;
mod token;
mod transfer;
mod user;
mod why;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

pub use self::health::probe_edge;
use self::journaling::CommandRecording;
use self::service::TargetError;
use crate::backend::BackendError;
use crate::cli::{Command, TokenCommand, UserCommand};
use crate::config::{BackendSettings, Config, ConfigError, DataLocation, Settings};
use crate::database::inspect::check_exists;
use crate::database::{CopyError, OpenError, Store};
use crate::error::ApiError;
use crate::flags::open_store;
use crate::flags::state::ImportMode;
use crate::journal::JournalError;
use crate::recorder::reader::ReadError;

/// The reasons why a command fails. Each message is one sentence.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The command needs the embedded flag service.
    #[error("upstream: this command uses the data of the embedded flag service; remove upstream")]
    Upstream,
    /// `check` found failures.
    #[error("{failures} of {checks} checks failed")]
    Check {
        /// Number of failed checks.
        failures: usize,
        /// Number of all checks.
        checks: usize,
    },
    /// The server does not respond, or not with success.
    #[error("{url}: {reason}")]
    Unhealthy {
        /// URL of the request.
        url: String,
        /// Description of the failure.
        reason: String,
    },
    /// The command line of Edge begins with the command.
    #[error("edge and offline must be the first argument, because their flags differ from the settings")]
    EdgeFirst,
    /// The port of the server is unknown, because it selects a free one.
    #[error("listen: port 0 selects a free port, which this command cannot know; set a port")]
    NoPort,
    /// The server refuses the request. The message is its message.
    #[error("{0}")]
    Server(String),
    /// The command needs the listener for monitoring.
    #[error(
        "admin-listen: the running server receives this command on its listener for monitoring; set admin-listen"
    )]
    NoAdminListener,
    /// The command needs a database file.
    #[error("data: this command needs a database file; remove :memory: and demo")]
    Memory,
    /// `move` needs databases of both engines.
    #[error(
        "--from and --to must be a file and a PostgreSQL database; `flagdeck backup` copies a file, and pg_dump a PostgreSQL database"
    )]
    MoveEngines,
    /// The file of `move` begins like a URL.
    #[error("the file of `flagdeck move` {0}")]
    MoveFile(String),
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The file violates a rule. Nothing was imported.
    #[error("{} cannot be imported, and nothing was changed: {cause}", .path.display())]
    Import {
        /// The file.
        path: PathBuf,
        /// The rule and its location in the file.
        cause: String,
    },
    /// The source contains no toggles.
    #[error("{origin} contains no toggles in the format of an export or of /api/client/features: {cause}")]
    NoToggles {
        /// The file or URL.
        origin: String,
        /// The cause.
        cause: serde_json::Error,
    },
    /// The toggles of an environment cannot be read from an export.
    #[error("{origin}: {cause}")]
    Environment {
        /// The file.
        origin: String,
        /// The cause.
        cause: why::environments::EnvironmentError,
    },
    /// The toggle to evaluate does not exist.
    #[error("There is no toggle {0:?}")]
    UnknownToggle(String),
    /// Writing to standard output failed.
    #[error("standard output: {0}")]
    Output(io::Error),
    /// The database cannot be copied.
    #[error("the database cannot be copied to {}: {cause}", .path.display())]
    Copy {
        /// The new file.
        path: PathBuf,
        /// The cause.
        cause: CopyError,
    },
    /// The target of a command cannot be found.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The flag service of a target cannot be opened.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// A target refuses the request of the command, or fails.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// A target would change more than requested.
    #[error("{0}, and nothing was changed; confirm with --yes")]
    Unconfirmed(TargetError),
    /// A file with toggles or a plan cannot be used.
    #[error("{0}")]
    Files(String),
    /// Toggles have changed since the plan.
    #[error("{target}: {}; {}; {remedy}", .changed.join("; "), describe_stored(*.stored))]
    Outdated {
        /// Name of the target.
        target: String,
        /// Description of each change.
        changed: Vec<String>,
        /// Number of requests of this command that changed the target.
        stored: usize,
        /// The remedy.
        remedy: &'static str,
    },
    /// A plan is applied in part.
    #[error("{cause}; {}; {remedy}", .stored.join("; "))]
    Interrupted {
        /// The cause.
        cause: Box<CommandError>,
        /// Descriptions of the stored part.
        stored: Vec<String>,
        /// The remedy.
        remedy: &'static str,
    },
    /// The service refuses the change.
    #[error("{0}")]
    Refused(ApiError),
    /// An unexpected error.
    #[error("{0}")]
    Failed(Box<dyn std::error::Error + Send + Sync>),
    /// The last client token would be removed without confirmation.
    #[error(
        "{name} is the last client token, and nothing was removed: without it, requests of all client libraries are \
         accepted; confirm with --yes, or set require-client-tokens"
    )]
    LastClientToken {
        /// Name of the token.
        name: String,
    },
    /// The reply to a question cannot be read.
    #[error("The confirmation cannot be read: {0}")]
    Confirmation(io::Error),
    /// The password cannot be read.
    #[error("The password cannot be read: {0}")]
    Password(io::Error),
    /// The password and its repetition differ.
    #[error("The two passwords differ; nothing was changed")]
    PasswordsDiffer,
    /// The argument is no line of a journal with a checkpoint.
    #[error(
        "--checkpoint: this is not the whole line of a checkpoint; copy it from the log or from a copy of the journal"
    )]
    Checkpoint,
    /// The key file with which a journal is to be verified cannot be read.
    #[error("the key file {} cannot be used: {cause}; give the public key of the journal with --public-key", .path.display())]
    JournalKey {
        /// The key file.
        path: PathBuf,
        /// The cause.
        cause: io::Error,
    },
    /// The journal is required and cannot be written. Nothing was changed.
    #[error("{0}; nothing was changed")]
    Journal(JournalError),
    /// The change was made, and its line cannot be written.
    #[error(
        "the change was made, but its line of the journal cannot be written: {cause}; the line is {line}"
    )]
    Unrecorded {
        /// The cause.
        cause: JournalError,
        /// The line.
        line: String,
    },
    /// The command needs the flight recorder.
    #[error("data: this command reads the records in the database; set data to the database of the server")]
    NoRecords,
    /// The flight recorder cannot be read.
    #[error("recorder: {0}")]
    Recorder(#[from] ReadError),
    /// A file cannot be read or written.
    #[error("{}: {cause}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: io::Error,
    },
}

/// Describes how many requests of a command changed its target.
fn describe_stored(stored: usize) -> String {
    match stored {
        0 => "nothing was changed".to_owned(),
        1 => "1 request of this command was stored before".to_owned(),
        stored => format!("{stored} requests of this command were stored before"),
    }
}

impl From<ApiError> for CommandError {
    fn from(cause: ApiError) -> Self {
        match cause {
            // Clients do not see the cause, but users of the command line do.
            ApiError::Internal(cause) => Self::Failed(cause),
            refusal => Self::Refused(refusal),
        }
    }
}

/// Runs a command, and prints its result on standard output. `flags` are the settings of the command line. Returns the
/// exit code.
///
/// # Errors
/// See [`CommandError`].
pub async fn run(command: &Command, config: &Config, flags: &Settings) -> Result<ExitCode, CommandError> {
    match command {
        Command::Why(arguments) => why::run(arguments, config, flags).await,
        Command::Journal(command) => journal::run(command, config),
        Command::Toggle(command) => toggle::run(command, config, flags).await.map(|()| ExitCode::SUCCESS),
        Command::Pull(arguments) => files::pull(arguments, config, flags).await,
        Command::Plan(arguments) => files::plan(arguments, config, flags).await,
        Command::Apply(arguments) => files::apply(arguments, config, flags).await,
        Command::Drift(arguments) => drift::run(arguments, config, flags).await,
        _ => {
            let recording = CommandRecording::start(command, config)?;
            let result = run_action(command, config).await;
            match recording {
                Some(recording) => recording.finish(result),
                None => result,
            }?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Returns the exit code for an error of this command or of its settings.
#[must_use]
pub fn failure_code(command: Option<&Command>) -> ExitCode {
    match command {
        Some(Command::Why(_)) => ExitCode::from(why::UNKNOWN),
        Some(Command::Journal(_)) => ExitCode::from(journal::UNREADABLE),
        _ => ExitCode::FAILURE,
    }
}

/// Runs a command that either succeeds or fails.
async fn run_action(command: &Command, config: &Config) -> Result<(), CommandError> {
    match command {
        Command::Why(_)
        | Command::Journal(_)
        | Command::Toggle(_)
        | Command::Pull(_)
        | Command::Plan(_)
        | Command::Apply(_)
        | Command::Drift(_) => Ok(()),
        Command::State(arguments) => recorder::print_state(arguments, config),
        Command::Changes(arguments) => recorder::print_changes(arguments, config).await,
        Command::Edge | Command::Offline => Err(CommandError::EdgeFirst),
        Command::Check => check::run(config).await,
        Command::Health => health::run(config).await,
        Command::Ready => health::run_ready(config).await,
        Command::Backup { file } => backup::run(&open_existing_store(config)?, data_location(config)?, file),
        Command::Export { file } => export::run(&open_existing_store(config)?, file.as_deref()),
        Command::Import { file, environment, drop_before_import, keep_existing } => {
            let mode = ImportMode {
                drop_before_import: *drop_before_import,
                keep_existing: *keep_existing,
                replace_all: false,
            };
            import::run(&open_store(data_location(config)?)?, file, environment.as_deref(), mode)
        }
        Command::Move(arguments) => transfer::run(config, arguments),
        Command::Replica(command) => replica::run(config, command).await,
        Command::Hold(arguments) => hold::run(config, arguments).await,
        Command::Release(arguments) => hold::release(config, arguments).await,
        // Creates the database if necessary, so that the first user can be added before the server starts.
        Command::User(command @ UserCommand::Add(_)) => {
            user::run(&open_store(data_location(config)?)?, command)
        }
        Command::User(command) => user::run(&open_existing_store(config)?, command),
        Command::Token(command @ TokenCommand::Add { .. }) => {
            token::run(&open_store(data_location(config)?)?, requires_client_tokens(config), command)
        }
        Command::Token(command) => {
            token::run(&open_existing_store(config)?, requires_client_tokens(config), command)
        }
    }
}

/// Opens the database, which must exist.
fn open_existing_store(config: &Config) -> Result<Store, CommandError> {
    let data = data_location(config)?;
    check_exists(data)?;
    Ok(open_store(data)?)
}

/// Returns the database of the settings, which may not exist.
fn data_location(config: &Config) -> Result<&DataLocation, CommandError> {
    match config.backend.data() {
        None => Err(CommandError::Upstream),
        Some(DataLocation::Memory) => Err(CommandError::Memory),
        Some(data) => Ok(data),
    }
}

/// Returns true if client libraries need a token also while no client token exists.
fn requires_client_tokens(config: &Config) -> bool {
    matches!(&config.backend, BackendSettings::Embedded(embedded) if embedded.auth.requires_client_tokens)
}
