//! Arguments of `flagdeck move`.

use clap::Args;

use crate::config::is_postgres_url;

/// Arguments of `flagdeck move`.
#[derive(Debug, Args)]
pub struct MoveArguments {
    /// Database to read.
    #[arg(
        long,
        value_name = "DATABASE",
        help = "Database to read: a file, or postgres://USER@HOST/DATABASE"
    )]
    pub from: String,

    /// Empty database to write.
    #[arg(
        long,
        value_name = "DATABASE",
        help = "Empty database to write: a file, or postgres://USER@HOST/DATABASE"
    )]
    pub to: String,
}

impl MoveArguments {
    /// Returns the location of the PostgreSQL database, which takes the place of the setting `data`.
    pub(super) fn data(&self) -> &str {
        if is_postgres_url(&self.to) { &self.to } else { &self.from }
    }
}
