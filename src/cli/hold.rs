//! Arguments of `flagdeck hold` and `flagdeck release`.

use clap::{Args, Subcommand};
use jiff::SignedDuration;

/// Arguments of `flagdeck hold`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct HoldArguments {
    /// Another command than holding a toggle.
    #[command(subcommand)]
    pub command: Option<HoldCommand>,

    /// Name of the toggle
    #[arg(required = true)]
    pub name: Option<String>,

    /// Duration, such as 30m or 2h, at most 24h
    #[arg(long = "for", value_name = "DURATION", default_value = "2h", value_parser = parse_duration)]
    pub duration: SignedDuration,

    /// Reason, which all users see
    #[arg(long, value_name = "TEXT", required = true)]
    pub reason: Option<String>,

    /// Hold the toggle only for tokens of this environment [default: all]
    #[arg(long, value_name = "NAME")]
    pub environment: Option<String>,
}

/// A command of `flagdeck hold`.
#[derive(Debug, Subcommand)]
pub enum HoldCommand {
    /// List the holds, and those that have ended
    List,
}

/// Arguments of `flagdeck release`.
#[derive(Debug, Args)]
pub struct ReleaseArguments {
    /// Name of the toggle
    pub name: String,

    /// Release only the holds of this environment
    #[arg(long, value_name = "NAME")]
    pub environment: Option<String>,
}

fn parse_duration(text: &str) -> Result<SignedDuration, String> {
    let bounds = SignedDuration::from_secs(1)..=SignedDuration::from_hours(24);
    let parsed = text.parse().ok().filter(|duration| bounds.contains(duration));
    parsed.ok_or_else(|| "it must be a duration from 1s to 24h, such as 30m or 2h".to_owned())
}
