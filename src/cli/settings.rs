//! The flags of the settings, derived from their declarations.
//!
//! Every command accepts every setting, so that one set of flags or variables works for a server and the commands that
//! check it. The help of a command shows only the settings that it uses.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, value_parser};

use crate::config::{Declaration, ESSENTIAL_HEADING, Form, Settings, declarations, headings};

/// Names of settings that belong together in the help of a command.
type Group = &'static [&'static str];

/// Settings of the database of the embedded flag service.
pub(super) const DATABASE: Group = &["data"];
/// Settings of the journal, for commands that change data and record that.
pub(super) const JOURNAL: Group = &["journal", "journal-required"];
/// Settings of a server that responds to `flagdeck health`.
pub(super) const ADDRESS: Group = &["listen", "base-path", "tls-cert", "public-url"];
/// Settings of the connection to another flag service.
pub(super) const CONNECTION: Group = &[
    "upstream-header",
    "upstream-connect-timeout",
    "upstream-head-timeout",
    "upstream-ca",
    "upstream-client-cert",
    "upstream-client-key",
    "upstream-server-name",
    "upstream-insecure",
];
/// Further settings of targets: of a database, and of servers with environments.
pub(super) const TARGET: Group = &["data-key", "upstream-environment", "upstream-project"];

/// Returns the flags of all settings for a command whose help shows only those of these groups.
pub(super) fn showing(groups: &'static [Group]) -> impl Iterator<Item = Arg> {
    flags().map(|flag| {
        let is_shown = groups.iter().any(|names| names.contains(&flag.get_id().as_str()));
        flag.hide(!is_shown)
    })
}

/// Returns the flags of all settings, under their headings.
pub(super) fn flags() -> impl Iterator<Item = Arg> {
    headings().flat_map(|(heading, settings)| {
        settings.into_iter().map(move |setting| flag(setting).help_heading(heading))
    })
}

impl Args for Settings {
    fn augment_args(command: Command) -> Command {
        command.args(flags().map(|flag| {
            let is_essential = flag.get_help_heading() == Some(ESSENTIAL_HEADING);
            flag.hide_short_help(!is_essential)
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Settings {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut settings = Self::default();
        for setting in declarations() {
            let values = match setting.form() {
                Form::Switch => matches.get_one::<bool>(setting.name()).map(|on| vec![on.to_string()]),
                Form::Text | Form::OptionalText | Form::List => {
                    matches.get_many::<String>(setting.name()).map(|values| values.cloned().collect())
                }
            };
            if let Some(values) = values {
                settings.insert(setting, values);
            }
        }
        Ok(settings)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn flag(setting: &dyn Declaration) -> Arg {
    let flag = Arg::new(setting.name())
        .long(setting.name())
        .global(true)
        .value_name(setting.placeholder())
        .help(setting.help());
    match setting.form() {
        Form::Switch => flag
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true")
            .value_parser(value_parser!(bool))
            .hide_possible_values(true),
        Form::List => flag.action(ArgAction::Append).value_delimiter(','),
        Form::Text | Form::OptionalText => flag,
    }
}
