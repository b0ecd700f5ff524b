//! Unparsed values of settings, and the layers that set them: the settings file, the environment and the flags.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use config::{Case, Environment, File, FileFormat, Source as _};
use serde::de::Error as _;

use super::kind::{Form, Kind};
use super::setting::Setting;
use super::{ConfigError, Declaration, declaration, declarations};

/// Prefix of the environment variables.
const PREFIX: &str = "FLAGDECK";

/// Unparsed values by the name of the setting: the items of a list, and otherwise one value.
#[derive(Debug, Clone, Default)]
pub struct Settings(BTreeMap<&'static str, Vec<String>>);

impl Settings {
    /// Sets the values of a setting.
    pub(crate) fn insert(&mut self, setting: &dyn Declaration, values: Vec<String>) {
        self.0.insert(setting.name(), values);
    }

    /// Adds a setting in the notation of environment variables.
    #[must_use]
    pub(super) fn with<K: Kind>(mut self, setting: &Setting<K>, text: &str) -> Self {
        self.insert(setting, K::FORM.split(text));
        self
    }

    /// Returns the values of a setting; `None` if it is not set.
    pub(super) fn get(&self, name: &str) -> Option<&[String]> {
        self.0.get(name).map(Vec::as_slice)
    }

    /// Adds the settings of another layer, which override those of this layer.
    #[must_use]
    pub(super) fn overridden_by(mut self, other: &Self) -> Self {
        self.0.extend(other.0.clone());
        self
    }

    /// Reads the settings file.
    pub(super) fn read_file(path: &Path) -> Result<Self, ConfigError> {
        read(config::Config::builder().add_source(File::from(path).format(FileFormat::Toml))).map_err(
            |error| ConfigError(format!("The settings file {} cannot be used: {error}", path.display())),
        )
    }

    /// Reads the settings from environment variables. Empty variables and those that are not settings are ignored.
    pub(super) fn read_environment(variables: &config::Map<String, String>) -> Result<Self, ConfigError> {
        let variables = variables.iter().filter(|(name, value)| !value.is_empty() && is_setting(name));
        let variables = variables.map(|(name, value)| (name.clone(), value.clone())).collect();
        let environment = Environment::with_prefix(PREFIX).convert_case(Case::Kebab).source(Some(variables));
        read(config::Config::builder().add_source(environment))
            .map_err(|error| ConfigError(format!("The settings cannot be read: {error}")))
    }
}

/// Reads the values of a source. Fails if a key is not a setting, or if its value has another form.
fn read(
    source: config::ConfigBuilder<config::builder::DefaultState>,
) -> Result<Settings, config::ConfigError> {
    static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| declarations().map(Declaration::name).collect());
    let source = source.build()?;
    let mut settings = Settings::default();
    for (key, value) in source.collect()? {
        let setting =
            declaration(&key).ok_or_else(|| config::ConfigError::unknown_field(&key, NAMES.as_slice()))?;
        let values = match (setting.form(), value.kind) {
            (Form::Switch, _) => vec![source.get_bool(&key)?.to_string()],
            (form @ Form::List, config::ValueKind::String(text)) => form.split(&text),
            (Form::List, _) => source.get(&key)?,
            (Form::Text | Form::OptionalText, _) => vec![source.get_string(&key)?],
        };
        settings.insert(setting, values);
    }
    Ok(settings)
}

/// Returns true if the variable is a setting. Container platforms set others with the same prefix, such as
/// `FLAGDECK_PORT` for a service of that name.
fn is_setting(variable: &str) -> bool {
    variable.starts_with(PREFIX)
        && declarations().any(|setting| setting.variable().eq_ignore_ascii_case(variable))
}
