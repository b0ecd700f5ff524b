//! Arguments of `flagdeck why`.

use std::path::PathBuf;

use clap::Args;
use jiff::Timestamp;

use super::time::parse_time;

/// Arguments of `flagdeck why`.
#[derive(Debug, Args)]
pub struct WhyArguments {
    /// Name of the toggle
    pub name: String,

    /// Context fields, such as userId=7 or plan=gold
    #[arg(value_name = "FIELD=VALUE", value_parser = parse_field)]
    pub context: Vec<(String, String)>,

    /// File with toggles: an export, or a response of /api/client/features [default: the database of the settings]
    #[arg(long, value_name = "FILE", group = "file_or_time")]
    pub state: Option<PathBuf>,

    /// Time of a recorded state, such as 14:05 (the last one), "2026-11-24 14:05" or 2026-11-24T14:05:00Z
    #[arg(long, value_name = "TIME", value_parser = parse_time, group = "file_or_time")]
    pub at: Option<Timestamp>,

    /// Token of the recorded state, by its name such as *:production, or by its identifier
    #[arg(long, value_name = "NAME", requires = "at")]
    pub scope: Option<String>,

    /// Environment of the file, if it is an export of a server with environments, or of the token of the recorded state
    #[arg(long, value_name = "NAME", requires = "file_or_time")]
    pub environment: Option<String>,

    /// Flag service to read the toggles from
    #[arg(long, value_name = "URL", conflicts_with = "file_or_time")]
    pub to: Option<String>,

    /// Print the result and its reasons as JSON
    #[arg(long)]
    pub json: bool,
}

fn parse_field(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(field, _)| !field.is_empty());
    let (field, value) = pair.ok_or("it must be a context field and its value, such as userId=7")?;
    Ok((field.to_owned(), value.to_owned()))
}
