//! The declaration of a setting. The flag, the environment variable, the key in the settings file, the help and the
//! output of `flagdeck check` are derived from it.

use std::fmt;

use super::kind::{Form, Kind};
use super::{ConfigError, Settings};

/// A setting with a value of kind `K`.
pub(super) struct Setting<K> {
    /// Name: the flag `--name`, the environment variable `FLAGDECK_NAME` and the key in the settings file.
    pub(super) name: &'static str,
    /// Text for `--help`, without the default. `{bounds}` stands for the bounds of the kind.
    pub(super) help: &'static str,
    /// Default value in the notation of users. If the kind has none: description of an unset value.
    pub(super) default: &'static str,
    /// Type and bounds of the value.
    pub(super) kind: K,
}

impl<K: Kind> Setting<K> {
    /// Parses the value, or the default.
    pub(super) fn resolve(&self, settings: &Settings) -> Result<K::Value, ConfigError> {
        debug_assert!(super::declaration(self.name).is_some(), "{} is not listed in SETTINGS", self.name);
        let default = K::FORM.has_default().then(|| self.default.to_owned());
        let values = settings.get(self.name);
        self.kind.parse(values.unwrap_or(default.as_slice())).map_err(|fault| self.error(fault))
    }

    /// Returns true if a layer sets the value.
    pub(super) fn is_set(&self, settings: &Settings) -> bool {
        settings.get(self.name).is_some()
    }

    /// Creates an error about this setting.
    pub(super) fn error(&self, fault: impl fmt::Display) -> ConfigError {
        ConfigError(format!("{}: {fault}", self.name))
    }
}

/// The declaration of a setting, independent of the type of its value.
pub trait Declaration: Sync {
    /// Returns the name of the flag and of the key in the settings file.
    fn name(&self) -> &'static str;
    /// Returns the text for `--help`, with the bounds and the default.
    fn help(&self) -> String;
    /// Returns the default value, or the description of an unset value.
    fn default(&self) -> &'static str;
    /// Returns the placeholder of the value in `--help`.
    fn placeholder(&self) -> &'static str;
    /// Returns the bounds of the value, such as `1ms to 24h`.
    fn bounds(&self) -> Option<String>;
    /// Returns the form of the value in the settings file.
    fn form(&self) -> Form;

    /// Returns the name of the environment variable.
    fn variable(&self) -> String {
        variable(self.name())
    }
}

/// Returns the name of the environment variable of a setting.
pub(super) fn variable(setting: &str) -> String {
    format!("FLAGDECK_{}", setting.replace('-', "_").to_ascii_uppercase())
}

impl<K: Kind> Declaration for Setting<K> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn help(&self) -> String {
        let help = self.help.replace("{bounds}", &self.kind.bounds().unwrap_or_default());
        format!("{help} [default: {}]", self.default)
    }

    fn default(&self) -> &'static str {
        self.default
    }

    fn placeholder(&self) -> &'static str {
        self.kind.placeholder()
    }

    fn bounds(&self) -> Option<String> {
        self.kind.bounds()
    }

    fn form(&self) -> Form {
        K::FORM
    }
}
