//! Arguments of the commands that read or change a flag service: `flagdeck toggle`, `pull`, `plan`, `apply` and `drift`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::config::DEFAULT_PROJECT;

/// The flag service that a command reads or changes, and the form of its output.
#[derive(Debug, Args)]
pub struct TargetArguments {
    /// Flag service: a table [target.NAME] of the settings file, a URL, or a database [default: the only table]
    #[arg(long, value_name = "TARGET")]
    pub to: Option<String>,

    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

/// A command of `flagdeck toggle`.
#[derive(Debug, Subcommand)]
pub enum ToggleCommand {
    /// List the toggles
    List {
        /// List archived toggles instead
        #[arg(long)]
        archived: bool,
        /// Flag service and output.
        #[command(flatten)]
        target: TargetArguments,
    },
    /// Show a toggle with its strategies and variants
    Show {
        /// Name of the toggle
        name: String,
        /// Flag service and output.
        #[command(flatten)]
        target: TargetArguments,
    },
    /// Create a toggle that is off, with a strategy for everyone
    Create(NewToggleArguments),
    /// Switch toggles on
    #[command(after_help = SWITCH_HELP)]
    On(SwitchArguments),
    /// Switch toggles off
    #[command(after_help = SWITCH_HELP)]
    Off(SwitchArguments),
    /// Archive toggles, which must have no dependent toggles
    #[command(after_help = SWITCH_HELP)]
    Archive(SwitchArguments),
}

const SWITCH_HELP: &str = "Toggles that are already in this state are left unchanged. The command stops at the first toggle that cannot be changed, with exit code 1; the toggles before it stay changed.";

/// Arguments of `flagdeck toggle create`.
#[derive(Debug, Args)]
pub struct NewToggleArguments {
    /// Name of the toggle: the name that applications use
    pub name: String,

    /// Description
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,

    /// Toggle type
    #[arg(long = "type", value_name = "TYPE", default_value = "release")]
    pub kind: String,

    /// Id of the project
    #[arg(long = "in-project", value_name = "ID", default_value = DEFAULT_PROJECT)]
    pub project: String,

    /// Flag service and output.
    #[command(flatten)]
    pub target: TargetArguments,
}

/// Arguments of `flagdeck toggle on`, `off` and `archive`.
#[derive(Debug, Args)]
pub struct SwitchArguments {
    /// Names of the toggles
    #[arg(required = true, value_name = "NAME")]
    pub names: Vec<String>,

    /// Confirm the additional changes of servers with environments, such as a rollout to everyone, without asking
    #[arg(long)]
    pub yes: bool,

    /// Flag service and output.
    #[command(flatten)]
    pub target: TargetArguments,
}

/// Arguments of `flagdeck pull`.
#[derive(Debug, Args)]
pub struct PullArguments {
    /// Names of the toggles [default: all]
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,

    /// Also write enabled, stale and the percentages of strategies, which the file then owns
    #[arg(long)]
    pub state: bool,

    /// Flag service: a table [target.NAME] of the settings file, a URL, or a database [default: the only table]
    #[arg(long, alias = "to", value_name = "TARGET")]
    pub from: Option<String>,
}

/// Arguments of `flagdeck plan`.
#[derive(Debug, Args)]
pub struct PlanArguments {
    /// Files with toggles, folders with such files (.yaml, .yml and .json), exports of a flag service, or - for standard input
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Also archive the toggles that the files managed until now and name no more; needs managedBy
    #[arg(long)]
    pub prune: bool,

    /// Only check the files, without a flag service
    #[arg(long, conflicts_with_all = ["prune", "output", "to", "json"])]
    pub offline: bool,

    /// Mark the toggles of all files as managed by files with this name, in place of managedBy in the files
    #[arg(long, value_name = "NAME")]
    pub managed_by: Option<String>,

    /// Environment of an export with several
    #[arg(long, value_name = "NAME")]
    pub environment: Option<String>,

    /// Write the plan to this file, for flagdeck apply
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Flag service and output.
    #[command(flatten)]
    pub target: TargetArguments,
}

/// Arguments of `flagdeck apply`.
#[derive(Debug, Args)]
pub struct ApplyArguments {
    /// Plan of flagdeck plan -o, or files with toggles as for flagdeck plan; - for standard input
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Also archive the toggles that the files managed until now and name no more; needs managedBy
    #[arg(long)]
    pub prune: bool,

    /// Apply a plan that was made for a target of this name to that of --to, because both are the same flag service
    #[arg(long, value_name = "TARGET", requires = "to")]
    pub planned_for: Option<String>,

    /// Mark the toggles of all files as managed by files with this name, in place of managedBy in the files
    #[arg(long, value_name = "NAME")]
    pub managed_by: Option<String>,

    /// Environment of an export with several
    #[arg(long, value_name = "NAME")]
    pub environment: Option<String>,

    /// Change the other toggles even if some have changed since the plan
    #[arg(long)]
    pub partial: bool,

    /// Apply files without asking, and confirm additional changes of servers with environments, such as a rollout to everyone
    #[arg(long, short)]
    pub yes: bool,

    /// Flag service and output.
    #[command(flatten)]
    pub target: TargetArguments,
}

/// Arguments of `flagdeck drift`.
#[derive(Debug, Args)]
pub struct DriftArguments {
    /// Flag services and files: tables [target.NAME] of the settings file, URLs, databases, files with toggles, folders with such files, or exports
    #[arg(required = true, num_args = 2.., value_name = "TARGET")]
    pub targets: Vec<String>,

    /// Environment of exports with several
    #[arg(long, value_name = "NAME")]
    pub environment: Option<String>,

    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}
