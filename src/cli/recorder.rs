//! Arguments of `flagdeck state` and `flagdeck changes`, which read the flight recorder.

use clap::Args;
use jiff::Timestamp;

use super::time::parse_time;

/// Selects the toggles of a token.
#[derive(Debug, Args)]
pub struct ScopeArguments {
    /// Environment of the token
    #[arg(long, value_name = "NAME")]
    pub environment: Option<String>,

    /// Token, by its name such as *:production, or by the identifier that an earlier output shows
    #[arg(long, value_name = "NAME")]
    pub scope: Option<String>,
}

/// Arguments of `flagdeck state`.
#[derive(Debug, Args)]
pub struct StateArguments {
    /// Time, such as 14:05 (the last one), "2026-11-24 14:05" or 2026-11-24T14:05:00Z
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub at: Timestamp,

    /// Toggles of a token.
    #[command(flatten)]
    pub scope: ScopeArguments,
}

/// Arguments of `flagdeck changes`.
#[derive(Debug, Args)]
pub struct ChangesArguments {
    /// Start, such as 14:00 (the last one), "2026-11-24 14:00" or 2026-11-24T14:00:00Z
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub from: Timestamp,

    /// End [default: now]
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub to: Option<Timestamp>,

    /// Toggles of a token.
    #[command(flatten)]
    pub scope: ScopeArguments,

    /// Print the changes as JSON, with the states before and after
    #[arg(long)]
    pub json: bool,
}
