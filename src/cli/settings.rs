//! The flags of the settings, derived from their declarations.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, value_parser};

use crate::config::{Declaration, Form, Settings, declarations};

impl Args for Settings {
    fn augment_args(command: Command) -> Command {
        command.args(declarations().map(flag))
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
