//! Arguments of `flagdeck replica`.

use clap::Subcommand;

/// A command of `flagdeck replica`.
#[derive(Debug, Subcommand)]
pub enum ReplicaCommand {
    /// Remove all copies of toggles, so that SDKs get them again from the upstream
    #[command(
        after_help = "While the upstream does not respond, SDKs get no toggles after a purge, and use their own copies."
    )]
    Purge,
}
