//! The effective value and the source of each setting, for `flagdeck check`.

use std::fmt;

use super::{Declaration, Settings, declarations};

/// A setting with its effective value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectiveSetting {
    /// Name, as in flags and settings files.
    pub name: &'static str,
    /// Value as it was written, or the default.
    pub value: String,
    /// Source of the value.
    pub source: SettingSource,
}

/// Sources of values, in descending priority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingSource {
    /// A command-line flag.
    Flag,
    /// The environment variable with this name.
    Variable(String),
    /// The settings file.
    File,
    /// Another setting, which needs the value.
    Setting(&'static str),
    /// The default value.
    Default,
}

impl fmt::Display for SettingSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => formatter.write_str("flag"),
            Self::Variable(name) => formatter.write_str(name),
            Self::File => formatter.write_str("file"),
            Self::Setting(name) => formatter.write_str(name),
            Self::Default => formatter.write_str("default"),
        }
    }
}

/// Returns all settings in the order of the help.
pub(super) fn effective_settings(
    flags: &Settings,
    environment: &Settings,
    file: &Settings,
) -> Vec<EffectiveSetting> {
    declarations()
        .map(|setting| {
            let layers = [
                (SettingSource::Flag, flags),
                (SettingSource::Variable(setting.variable()), environment),
                (SettingSource::File, file),
            ];
            let set =
                layers.into_iter().find_map(|(source, layer)| Some((source, layer.get(setting.name())?)));
            let (source, value) = set.map_or_else(
                || (SettingSource::Default, setting.default().to_owned()),
                |(source, values)| (source, values.join(",")),
            );
            EffectiveSetting { name: setting.name(), value, source }
        })
        .collect()
}

/// Sets the value that a setting has because of another one.
pub(super) fn imply(
    effective: &mut [EffectiveSetting],
    implied: &dyn Declaration,
    value: &str,
    cause: &dyn Declaration,
) {
    for setting in effective.iter_mut().filter(|setting| setting.name == implied.name()) {
        value.clone_into(&mut setting.value);
        setting.source = SettingSource::Setting(cause.name());
    }
}

/// Hides the secret in the value of a setting.
pub(super) fn redact(
    effective: &mut [EffectiveSetting],
    secret: &dyn Declaration,
    redacted: impl Fn(&str) -> String,
) {
    for setting in effective.iter_mut().filter(|setting| setting.name == secret.name()) {
        setting.value = redacted(&setting.value);
    }
}

#[cfg(test)]
mod tests {
    use super::{SettingSource, effective_settings};
    use crate::config::Settings;
    use crate::config::listen::LISTEN;

    #[test]
    fn names_the_source_and_a_value_for_every_setting() {
        let set = |listen: &str| Settings::default().with(&LISTEN, listen);
        let (empty, file, variables, flags) =
            (Settings::default(), set("file:1"), set("env:1"), set("flag:1"));
        let variable = SettingSource::Variable("FLAGDECK_LISTEN".to_owned());
        for (flags, variables, file, value, source) in [
            (&flags, &variables, &file, "flag:1", SettingSource::Flag),
            (&empty, &variables, &file, "env:1", variable),
            (&empty, &empty, &file, "file:1", SettingSource::File),
            (&empty, &empty, &empty, "127.0.0.1:4242", SettingSource::Default),
        ] {
            let settings = effective_settings(flags, variables, file);
            let listen = settings.iter().find(|setting| setting.name == "listen").unwrap();
            assert_eq!((listen.value.as_str(), &listen.source), (value, &source));
            for setting in settings {
                assert!(!setting.value.is_empty(), "{} has no default", setting.name);
            }
        }
    }
}
