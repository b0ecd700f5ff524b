//! Arguments of `flagdeck journal`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// A command of `flagdeck journal`.
#[derive(Debug, Subcommand)]
pub enum JournalCommand {
    /// Report the first line of a journal that was changed, lost, swapped or added
    #[command(
        after_help = "Exit code 0 if all lines are intact, 1 if the journal is damaged, 2 if it cannot be read, 3 if only the last line is incomplete because the program was killed or the end was cut off, 4 if the lines are intact but no key to trust was found for the signatures, 64 for invalid arguments. A cut end is found only with a checkpoint that is stored elsewhere, such as in the log of the server."
    )]
    Verify(VerifyArguments),
}

/// Arguments of `flagdeck journal verify`.
#[derive(Debug, Args)]
pub struct VerifyArguments {
    /// File of the journal; several rotated files in the order of their lines
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Checkpoint that must be in the journal: its whole line
    #[arg(long, value_name = "LINE")]
    pub checkpoint: Option<String>,

    /// Public key of the checkpoints, which the server logs when it starts [default: that of the key file beside the journal]
    #[arg(long, value_name = "HEX")]
    pub public_key: Option<String>,
}
