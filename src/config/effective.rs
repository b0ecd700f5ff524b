//! The effective value and the source of each setting, for `flagdeck check`.

use std::fmt;

use serde_json::Value;

use crate::cli::Settings;

/// A setting with its effective value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectiveSetting {
    /// Name, as in flags and settings files.
    pub name: String,
    /// Value as it was written, or the default from the help text.
    pub value: String,
    /// Layer that sets the value.
    pub source: SettingSource,
}

/// Layers of the settings, in descending priority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingSource {
    /// A command-line flag.
    Flag,
    /// The environment variable with this name.
    Variable(String),
    /// The settings file.
    File,
    /// The default value.
    Default,
}

impl fmt::Display for SettingSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => formatter.write_str("flag"),
            Self::Variable(name) => formatter.write_str(name),
            Self::File => formatter.write_str("file"),
            Self::Default => formatter.write_str("default"),
        }
    }
}

/// Returns all settings in the order of the help. `variables` are the environment variables that are settings.
pub(super) fn effective_settings(
    file: &Settings,
    variables: &[&str],
    flags: &Settings,
    merged: &Settings,
) -> Vec<EffectiveSetting> {
    let [file, flags, merged] = [file, flags, merged].map(|layer| serde_json::to_value(layer).ok());
    let find = |layer: &Option<Value>, name: &str| {
        layer.as_ref().and_then(|layer| layer.get(name)).map(format_value)
    };
    <Settings as clap::Args>::augment_args(clap::Command::new(""))
        .get_arguments()
        .filter_map(|argument| {
            let name = argument.get_long()?;
            let variable = format!("FLAGDECK_{}", argument.get_id());
            let variable = variables.iter().find(|read| read.eq_ignore_ascii_case(&variable));
            let source = match variable {
                _ if find(&flags, name).is_some() => SettingSource::Flag,
                Some(variable) => SettingSource::Variable((*variable).to_owned()),
                None if find(&file, name).is_some() => SettingSource::File,
                None => SettingSource::Default,
            };
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            let value = find(&merged, name).unwrap_or_else(|| default_of(&help));
            Some(EffectiveSetting { name: name.to_owned(), value, source })
        })
        .collect()
}

fn format_value(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(format_value).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// Reads the default value, which is the end of the help text.
fn default_of(help: &str) -> String {
    let default = help.rsplit_once("[default: ").and_then(|(_, rest)| rest.strip_suffix(']'));
    default.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{SettingSource, effective_settings};
    use crate::cli::Settings;

    #[test]
    fn names_the_source_and_a_value_for_every_setting() {
        let set = |listen: &str| Settings { listen: Some(listen.to_owned()), ..Settings::default() };
        let (empty, file, flags) = (Settings::default(), set("file:1"), set("flag:1"));
        let variables = ["FLAGDECK_LISTEN"];
        for (file, variables, flags, merged, value, source) in [
            (&file, &variables[..], &flags, "flag:1", "flag:1", SettingSource::Flag),
            (
                &file,
                &variables[..],
                &empty,
                "env:1",
                "env:1",
                SettingSource::Variable("FLAGDECK_LISTEN".to_owned()),
            ),
            (&file, &[], &empty, "file:1", "file:1", SettingSource::File),
            (&empty, &[], &empty, "", "127.0.0.1:4242", SettingSource::Default),
        ] {
            let merged = if merged.is_empty() { Settings::default() } else { set(merged) };
            let settings = effective_settings(file, variables, flags, &merged);
            let listen = settings.iter().find(|one| one.name == "listen").unwrap();
            assert_eq!((listen.value.as_str(), &listen.source), (value, &source));
            for one in settings {
                assert!(!one.value.is_empty(), "the help of {} names no default", one.name);
            }
        }
    }
}
