//! Arguments of `flagdeck edge` and `flagdeck offline`: the command line of Unleash Edge, whose flags are those of [`EDGE_VARIABLES`]
//! and [`OFFLINE_VARIABLES`].
//!
//! They are parsed apart from the other arguments, because some flags of Edge have the names of settings with another notation.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command};

use super::print_error;
use crate::config::{
    EDGE_VARIABLES, EdgeMode, EdgeValues, EdgeVariable, Form, Meaning, OFFLINE_VARIABLES, ProbeTarget,
    variable_name,
};

/// Name of Edge's program.
const EDGE_PROGRAM: &str = "unleash-edge";
/// First argument that selects the command line of Edge.
const COMMAND: &str = "edge";

/// Command of Edge's mode with the toggles of a file; here also a first argument.
const OFFLINE: &str = "offline";

/// A command of Edge.
#[derive(Debug)]
pub enum EdgeCommand {
    /// Serve SDKs.
    Serve(EdgeMode, EdgeValues),
    /// Check the running server.
    Probe(EdgeProbe),
}

/// A check of the running server, for probes of containers.
#[derive(Debug)]
pub struct EdgeProbe {
    /// Last part of the path: `health` or `ready`.
    pub endpoint: &'static str,
    /// URL of the server and file of a certificate authority, if flags name them.
    pub target: ProbeTarget,
    /// Values of the other flags.
    pub values: EdgeValues,
}

impl EdgeCommand {
    /// Parses the arguments of this process if they are for Edge: the name of the program is `unleash-edge`, or the first argument is
    /// `edge` or `offline`. Returns `None` otherwise.
    ///
    /// # Errors
    /// The exit code for invalid arguments, after their message, and for `--help` and `--version`.
    pub fn read() -> Result<Option<Self>, ExitCode> {
        let arguments: Vec<_> = std::env::args_os().collect();
        Self::parse(&arguments).map_err(|error| print_error(&without_value(error)))
    }

    /// Does the same with these arguments, of which the first is the name of the program.
    ///
    /// # Errors
    /// The error of invalid arguments, which may contain a token, and the text of `--help` and `--version`.
    pub fn parse(arguments: &[OsString]) -> Result<Option<Self>, clap::Error> {
        let is_edge = arguments
            .first()
            .is_some_and(|program| Path::new(program).file_name() == Some(EDGE_PROGRAM.as_ref()));
        let (name, rest) = match arguments {
            [_, rest @ ..] if is_edge => (EDGE_PROGRAM, rest),
            [_, first, rest @ ..] if first == COMMAND => ("flagdeck edge", rest),
            [_, first, rest @ ..] if first == OFFLINE => {
                let name = "flagdeck offline";
                let command = offline(name).bin_name(name).version(crate::version::VERSION.as_str());
                let matches =
                    command.try_get_matches_from(std::iter::once(&OsString::from(name)).chain(rest))?;
                return Ok(Some(Self::Serve(EdgeMode::Offline, values_of(&matches))));
            }
            _ => return Ok(None),
        };
        let matches =
            command(name).try_get_matches_from(std::iter::once(&OsString::from(name)).chain(rest))?;
        let mut values = values_of(&matches);
        let Some((command, inner)) = matches.subcommand() else {
            return Ok(Some(Self::Serve(EdgeMode::Online, values)));
        };
        values.extend(values_of(inner));
        let probe = |endpoint| {
            Self::Probe(EdgeProbe {
                endpoint,
                target: ProbeTarget {
                    url: inner.get_one::<String>("edge-url").cloned(),
                    authority: inner.get_one::<String>("ca-certificate-file").cloned(),
                },
                values: values.clone(),
            })
        };
        Ok(Some(match command {
            "health" => probe("health"),
            "ready" => probe("ready"),
            OFFLINE => Self::Serve(EdgeMode::Offline, values),
            _ => Self::Serve(EdgeMode::Online, values),
        }))
    }
}

/// Removes an argument that is no flag from an error: it may be a token after a space in a list.
fn without_value(error: clap::Error) -> clap::Error {
    let context = match error.kind() {
        ErrorKind::UnknownArgument => error.get(ContextKind::InvalidArg),
        // After the flags, another item looks like a command.
        ErrorKind::InvalidSubcommand => error.get(ContextKind::InvalidSubcommand),
        _ => None,
    };
    if matches!(context, Some(ContextValue::String(text)) if !text.starts_with('-')) {
        let message = "an argument is no flag; the items of a list are separated by commas, without spaces\n";
        return clap::Error::raw(ErrorKind::UnknownArgument, message);
    }
    error
}

/// Creates the command line. `flagdeck edge` accepts the flags of Edge's command `edge` without the command.
fn command(name: &'static str) -> Command {
    let is_edge = name == EDGE_PROGRAM;
    let of_edge = || EDGE_VARIABLES.iter().filter(|variable| !variable.is_general);
    let general = || EDGE_VARIABLES.iter().filter(|variable| variable.is_general);
    let probe = |name: &'static str, about: &'static str| {
        let url = Arg::new("edge-url").long("edge-url").short('e').value_name("URL");
        let authority =
            Arg::new("ca-certificate-file").long("ca-certificate-file").short('c').value_name("FILE");
        Command::new(name)
            .about(about)
            .args(general().map(flag))
            .arg(url.help("URL of the server (EDGE_URL) [default: the port and path of the variables]"))
            .arg(authority.help("Additional certificate authority, in PEM format (CA_CERTIFICATE_FILE)"))
    };
    let edge = Command::new(name)
        .bin_name(name)
        .version(crate::version::VERSION.as_str())
        .about("Serves the toggles of a flag service to SDKs, with the variables and flags of Unleash Edge.\n\nEach flag can also be a variable: --upstream-url is UPSTREAM_URL. Settings of Flagdeck can be added as variables, such as FLAGDECK_REPLICA_MAX_STALE.")
        .subcommand(offline(OFFLINE))
        .subcommand(probe("health", "Check that the server has toggles of each environment of TOKENS; exit code 0 or 1"))
        .subcommand(probe("ready", "Check that the server has current answers for TOKENS, and is not stopping; exit code 0 or 1"));
    if is_edge {
        // Before the command, -p is the port; after it, the trusted tokens.
        let with_short = |variable| match flag(variable) {
            flag if flag.get_id() == "port" => flag.short('p'),
            flag if flag.get_id() == "interface" => flag.short('i'),
            flag => flag,
        };
        let serve = Command::new(COMMAND).about("Serve SDKs").args(general().chain(of_edge()).map(flag));
        edge.args(general().map(with_short)).subcommand(serve).subcommand_required(true)
    } else {
        edge.args(general().chain(of_edge()).map(flag))
    }
}

/// Creates the command line of the mode with the toggles of a file.
fn offline(name: &'static str) -> Command {
    Command::new(name)
        .about("Serves the toggles of a file to SDKs with a token, with the variables and flags of Unleash Edge.")
        .args(EdgeMode::Offline.variables().map(flag))
}

fn flag(variable: &EdgeVariable) -> Arg {
    let name = variable_name(variable.flag);
    let help = match variable.meaning {
        Meaning::Becomes(setting) => format!("{name}: {setting}"),
        Meaning::NoEffect(reason) => format!("{name}: no effect, {reason}"),
        Meaning::Refused(remedy) => format!("{name}: {remedy}"),
    };
    let flag = Arg::new(variable.flag).long(variable.flag).help(help);
    let flag = match variable.short {
        Some(short) => flag.short(short),
        None => flag,
    };
    let flag = flag.hide_short_help(!matches!(variable.meaning, Meaning::Becomes(_)));
    match variable.form {
        Form::Switch => flag.action(ArgAction::SetTrue),
        Form::List => flag.action(ArgAction::Append).value_delimiter(',').value_name("LIST"),
        Form::Text | Form::OptionalText => flag.value_name("VALUE"),
    }
}

fn values_of(matches: &ArgMatches) -> EdgeValues {
    let value = |variable: &EdgeVariable| {
        let id = variable.flag;
        // Each command has some of the flags.
        matches.try_contains_id(id).ok().filter(|is_set| *is_set)?;
        match variable.form {
            Form::Switch => matches.get_flag(id).then(|| vec!["true".to_owned()]),
            _ => Some(matches.get_many::<String>(id)?.cloned().collect()),
        }
    };
    let variables = EDGE_VARIABLES.iter().chain(OFFLINE_VARIABLES);
    variables.filter_map(|variable| Some((variable.flag, value(variable)?))).collect()
}
