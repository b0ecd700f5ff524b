//! Command-line arguments. `config.rs` adds the defaults, the environment and the settings file.

mod access;
mod edge;
mod hold;
mod journal;
mod recorder;
mod replica;
mod settings;
mod target;
mod time;
mod transfer;
mod why;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{Error, Parser, Subcommand};

pub use self::access::{NewTokenArguments, NewUserArguments, TokenCommand, UserCommand};
pub use self::edge::{EdgeCommand, EdgeProbe};
pub use self::hold::{HoldArguments, HoldCommand, ReleaseArguments};
pub use self::journal::{JournalCommand, VerifyArguments};
pub use self::recorder::{ChangesArguments, ScopeArguments, StateArguments};
pub use self::replica::ReplicaCommand;
pub use self::target::{
    ApplyArguments, DriftArguments, NewToggleArguments, PlanArguments, PullArguments, SwitchArguments,
    TargetArguments, ToggleCommand,
};
pub use self::transfer::MoveArguments;
pub use self::why::WhyArguments;
use crate::config::Settings;
use crate::version::VERSION;

/// Exit code for invalid arguments: `EX_USAGE` of sysexits.h. Smaller numbers are results of commands, such as 2 for changes.
const INVALID_ARGUMENTS: u8 = 64;

/// The arguments of one call of `flagdeck`.
#[derive(Debug, Parser)]
#[command(
    version,
    long_version = VERSION.as_str(),
    about = "A feature-flag console in one binary.\n\nWith --upstream it serves the console for an existing flag service and forwards the API to it. Without --upstream it runs an embedded flag service on SQLite or PostgreSQL.",
    after_help = "These are the essential settings; --help shows all.\nEach setting can also be an environment variable (such as FLAGDECK_PUBLIC_URL) or a key in a TOML file (such as public-url).",
    after_long_help = "Each setting can also be an environment variable (such as FLAGDECK_BASE_PATH) or a key in a TOML file (such as base-path). Flags override the environment, the environment overrides the file. Durations are written as 5s or 1m30s. All commands accept all settings; the help of a command shows those that it uses. Invalid arguments have exit code 64."
)]
pub struct Arguments {
    /// TOML file to read settings from [default: none]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Settings from flags.
    #[command(flatten)]
    pub settings: Settings,

    /// Command to run instead of the server.
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Arguments {
    /// Reads the arguments of this process.
    ///
    /// # Errors
    /// The exit code for invalid arguments, after their message, and for `--help` and `--version`.
    pub fn read() -> Result<Self, ExitCode> {
        Self::try_parse().map_err(|error| print_error(&explain_archive(error)))
    }

    /// Returns the settings of the flags. The PostgreSQL database of `flagdeck move` takes the place of `data`, so that
    /// `data-key` applies to it.
    #[must_use]
    pub fn resolve_settings(&self) -> Settings {
        let settings = self.settings.clone();
        match &self.command {
            Some(Command::Move(arguments)) => settings.with_data(arguments.data()),
            _ => settings,
        }
    }
}

/// Prints an error about arguments, or the text of `--help` and `--version`, and returns the exit code.
fn print_error(error: &Error) -> ExitCode {
    // Standard error may be closed. There is no other place for the message.
    drop(error.print());
    if error.use_stderr() { ExitCode::from(INVALID_ARGUMENTS) } else { ExitCode::SUCCESS }
}

/// Adds to the error of `flagdeck toggle delete` that toggles are archived instead.
fn explain_archive(mut error: Error) -> Error {
    let is_deletion = matches!(
        error.get(ContextKind::InvalidSubcommand),
        Some(ContextValue::String(name)) if ["delete", "remove", "rm"].contains(&name.as_str())
    );
    let usage = error.get(ContextKind::Usage).map(ToString::to_string).unwrap_or_default();
    if is_deletion && usage.contains(" toggle ") {
        let hint = "toggles are archived and never deleted; use 'flagdeck toggle archive', which can be undone by reviving them";
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint.into()]));
    }
    error
}

/// A command that runs instead of the server.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print the settings, and check the ports, the certificates and the flag service or the database
    #[command(
        args = settings::flags(),
        after_help = "Each problem is reported with a remedy. Exit code 1 means that the program would not work."
    )]
    Check,
    /// Check that the server with these settings responds; exit code 0 or 1, for container probes
    #[command(args = settings::showing(&[settings::ADDRESS]))]
    Health,
    /// Check that new requests may be sent to the server with these settings, through --admin-listen; exit code 0 or 1
    #[command(args = settings::showing(&[&["admin-listen"]]))]
    Ready,
    /// Serve only SDKs, in place of Unleash Edge; its flags and variables: flagdeck edge --help
    Edge,
    /// Serve the toggles of a file to SDKs only, as Unleash Edge does offline; its flags and variables: flagdeck offline --help
    Offline,
    /// Copy the database to a new file, also while the server runs
    #[command(args = settings::showing(&[settings::DATABASE]))]
    Backup {
        /// File to create
        file: PathBuf,
    },
    /// Export toggles, strategies, projects, segments and tags in the format of Unleash 3.x
    #[command(args = settings::showing(&[settings::DATABASE]))]
    Export {
        /// File to create [default: standard output]
        file: Option<PathBuf>,
    },
    /// Import an export of Unleash 3.x, 4.x or 5.x or of `flagdeck export`, completely or not at all
    #[command(args = settings::showing(&[settings::DATABASE, settings::JOURNAL]))]
    Import {
        /// File to read
        file: PathBuf,
        /// Environment whose strategies and variants are imported, if the file contains several
        #[arg(long, value_name = "NAME")]
        environment: Option<String>,
        /// First remove all existing items of each section that the file contains
        #[arg(long)]
        drop_before_import: bool,
        /// Keep existing items unchanged, and only add new ones
        #[arg(long)]
        keep_existing: bool,
    },
    /// Copy all data to an empty database of the other engine: from SQLite to PostgreSQL, or back
    #[command(
        args = settings::showing(&[&["data-key"], settings::JOURNAL]),
        after_help = "Stop the server of the source first: the command fails if the source changes. The source is only read. The target gets everything in one transaction, which is compared with the source, or stays empty. --data-key belongs to the PostgreSQL database; the secrets of addons are encrypted with the key of the target."
    )]
    Move(MoveArguments),
    /// Evaluate a toggle for a context, and print the result with its reasons
    #[command(
        args = settings::showing(&[settings::DATABASE, settings::CONNECTION, &["admin-listen"]]),
        after_help = "Exit code 0 if the toggle is on, 1 if it is off, 2 if only the application or chance decides, or after an error, 64 for invalid arguments. With --to, the token of a client library comes from --upstream-header Authorization=@FILE. With --at, the toggles come from the flight recorder in the database (--data), and currentTime is that time."
    )]
    Why(WhyArguments),
    /// Print the toggles that SDKs got at a time, in the format of an export (--data)
    #[command(
        args = settings::showing(&[settings::DATABASE]),
        after_help = "Reads the records in the database, also while the server runs, or does not run. The output is an input of flagdeck why --state and of flagdeck import."
    )]
    State(StateArguments),
    /// Print which toggles changed between two times, as SDKs got them (--data)
    #[command(
        args = settings::showing(&[settings::DATABASE, &["admin-listen"]]),
        after_help = "Reads the records in the database, also while the server runs, or does not run. A change has an interval: the flag service was changed in it, and SDKs of this instance got the change at its end or later."
    )]
    Changes(ChangesArguments),
    /// List, show, create, switch and archive toggles of a flag service
    #[command(
        subcommand,
        args = settings::showing(&[settings::TARGET, settings::CONNECTION, settings::JOURNAL]),
        after_help = "The flag service is a running Flagdeck or Unleash from 3.x to 8.x, or a database that no server uses. Its credential comes from the table of the settings file, or from --upstream-header Authorization=@FILE."
    )]
    Toggle(ToggleCommand),
    /// Write toggles of a flag service as YAML, for files under version control
    #[command(
        args = settings::showing(&[settings::TARGET, settings::CONNECTION]),
        after_help = "The file owns the properties that it contains. It contains enabled, stale and percentages only with --state, so that they can still be changed in the console."
    )]
    Pull(PullArguments),
    /// Show what flagdeck apply would change, and whether more users get the feature
    #[command(
        args = settings::showing(&[settings::TARGET, settings::CONNECTION]),
        after_help = "Exit code 0 if there is nothing to do, 2 if there are changes, 1 after a failure, 64 for invalid arguments. Toggles that no file names are left unchanged; --prune archives those that the files managed. Nothing is ever deleted."
    )]
    Plan(PlanArguments),
    /// Change the toggles of a flag service as planned
    #[command(
        args = settings::showing(&[settings::TARGET, settings::CONNECTION, settings::JOURNAL]),
        after_help = "Files are planned, and the plan is applied after a question on the terminal, or with --yes. A plan needs no question. Nothing is changed if a toggle has changed since the plan; with --partial, the other toggles are changed. Changes that narrow who gets the feature come first. After an interruption, the command can be repeated."
    )]
    Apply(ApplyArguments),
    /// Compare the toggles of several flag services and files
    #[command(
        args = settings::showing(&[settings::TARGET, settings::CONNECTION]),
        after_help = "Exit code 0 if all toggles are equal, 2 if some differ, 1 after a failure, 64 for invalid arguments. The token of a client library suffices: properties that client libraries do not get, such as descriptions, are then not compared. Files are compared in the properties that they own."
    )]
    Drift(DriftArguments),
    /// Manage the users for --auth password
    #[command(subcommand, args = settings::showing(&[settings::DATABASE, settings::JOURNAL]))]
    User(UserCommand),
    /// Manage the tokens of client libraries
    #[command(subcommand, args = settings::showing(&[settings::DATABASE, settings::JOURNAL]))]
    Token(TokenCommand),
    /// Manage the replica of the running server (--replica), through --admin-listen
    #[command(subcommand, args = settings::showing(&[&["admin-listen"]]))]
    Replica(ReplicaCommand),
    /// Let SDKs get a toggle as off for a limited time, also while the flag service does not respond, through --admin-listen
    #[command(
        args = settings::showing(&[&["admin-listen"]]),
        after_help = "The flag service is not changed, and SDKs that connect to it directly do not see the hold. With --upstream, a hold needs --replica. A hold ends after its time, when it is released, and when the flag service itself has switched the toggle off."
    )]
    Hold(HoldArguments),
    /// End the holds of a toggle, through --admin-listen
    #[command(args = settings::showing(&[&["admin-listen"]]))]
    Release(ReleaseArguments),
    /// Verify the operators' journal (--journal)
    #[command(subcommand, args = settings::showing(&[&["journal"]]))]
    Journal(JournalCommand),
}

impl Command {
    /// Returns the names of the only settings that a command uses; `None` if it can use all.
    #[must_use]
    pub fn needed_settings(&self) -> Option<&'static [&'static str]> {
        match self {
            Self::Hold(_) | Self::Release(_) | Self::Replica(_) | Self::Ready => Some(&["admin-listen"]),
            Self::Health => Some(&["listen", "base-path", "tls-cert", "tls-key", "public-url"]),
            Self::State(_) => Some(&["data"]),
            Self::Changes(_) => Some(&["data", "admin-listen"]),
            _ => None,
        }
    }

    /// Returns true for commands that read or change a target.
    #[must_use]
    pub fn has_target(&self) -> bool {
        matches!(self, Self::Toggle(_) | Self::Pull(_) | Self::Plan(_) | Self::Apply(_) | Self::Drift(_))
    }
}
