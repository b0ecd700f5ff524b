//! Unparsed values of settings, and the layers that set them: the settings file, the environment and the flags.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use config::{Case, Environment, Source as _};
use serde::Deserialize as _;
use serde::de::Error as _;
use toml::de::{DeTable, DeValue};

use super::kind::{Form, Kind};
use super::setting::Setting;
use super::target::{self, Targets};
use super::{ConfigError, Declaration, declaration, declarations};

/// Prefix of the environment variables.
const PREFIX: &str = "FLAGDECK";
/// Environment variable with the path of the settings file.
pub(super) const CONFIG_FILE: &str = "FLAGDECK_CONFIG";
/// Tables of the settings file. A key of a table is the setting whose name begins with the name of the table.
const TABLES: [&str; 1] = ["oidc"];
/// Least similarity, from 0 to 1, at which a name counts as a misspelt setting.
const MIN_SIMILARITY: f64 = 0.8;

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

    /// Removes the settings whose names do not match.
    pub(super) fn retain(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.0.retain(|name, _| is_kept(name));
    }

    /// Returns the values of a setting; `None` if it is not set.
    pub(super) fn get(&self, name: &str) -> Option<&[String]> {
        self.0.get(name).map(Vec::as_slice)
    }

    /// Adds the settings of another layer, which override the settings of this layer.
    #[must_use]
    pub(super) fn overridden_by(mut self, other: &Self) -> Self {
        self.0.extend(other.0.clone());
        self
    }

    /// Reads the settings file: the settings and the targets.
    pub(super) fn read_file(path: &Path) -> Result<(Self, Targets), ConfigError> {
        let fault = |cause: String| {
            ConfigError(format!("The settings file {} cannot be used: {cause}", path.display()))
        };
        let text = fs::read_to_string(path).map_err(|error| fault(error.to_string()))?;
        let line = |offset: usize| text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1;
        let describe = |error: &toml::de::Error, message: &str| {
            fault(format!("line {}: {message}", line(error.span().unwrap_or_default().start)))
        };
        let table =
            DeTable::parse(&text).map_err(|error| describe(&error, &error.message().replace('\n', ", ")))?;
        check_keys(table.get_ref(), line).map_err(fault)?;
        // The message of an error may contain a secret.
        let values = config::Map::deserialize(toml::Deserializer::from(table))
            .map_err(|error| describe(&error, "a value cannot be read"))?;
        read(values).map_err(|error| fault(describe_error(&error)))
    }

    /// Reads the settings from environment variables. Empty variables and those that are not settings are ignored;
    /// [`unknown_variables`] reports the latter.
    pub(super) fn read_environment(variables: &config::Map<String, String>) -> Result<Self, ConfigError> {
        let variables = variables.iter().filter(|(name, value)| !value.is_empty() && is_setting(name));
        let variables = variables.map(|(name, value)| (name.clone(), value.clone())).collect();
        let environment = Environment::with_prefix(PREFIX).convert_case(Case::Kebab).source(Some(variables));
        let values = config::Config::builder().add_source(environment).build();
        values
            .and_then(|values| read(values.collect()?))
            .map(|(settings, _)| settings)
            .map_err(|error| ConfigError(format!("The settings cannot be read: {}", describe_error(&error))))
    }
}

/// Describes an error with its place, but without the line or the value, which may be a secret.
pub(super) fn describe_error(error: &config::ConfigError) -> String {
    use config::ConfigError::{At, FileParse, Message, Type};
    let place = |key: &Option<String>, origin: &Option<String>| {
        let key = key.iter().map(|key| format!(" for key `{key}`"));
        key.chain(origin.iter().map(|origin| format!(" in {origin}"))).collect::<String>()
    };
    match error {
        // The first line of the parser's message is its place. The others contain a part of the file.
        FileParse { cause, .. } => match cause.to_string().lines().next() {
            Some(line) if line.starts_with("TOML parse error at line ") => line.to_owned(),
            _ => "it cannot be read, or is not in the format TOML".to_owned(),
        },
        Type { origin, key, expected, .. } => {
            format!("a value has the wrong type, expected {expected}{}", place(key, origin))
        }
        At { error, origin, key } => format!("{}{}", describe_error(error), place(key, origin)),
        // Messages of serde about a value contain it. Others name a key.
        Message(text) if text.starts_with("invalid ") => "a value has the wrong type".to_owned(),
        other => other.to_string(),
    }
}

/// Checks the keys of a settings file. The message names the line, which `line` returns for an offset, but not its text, which may
/// contain a secret.
fn check_keys(table: &DeTable<'_>, line: impl Fn(usize) -> usize) -> Result<(), String> {
    for (key, value) in table {
        if let DeValue::Table(inner) = value.get_ref()
            && TABLES.contains(&key.get_ref().as_ref())
        {
            let table = key.get_ref();
            let unknown =
                inner.keys().find(|key| declaration(&format!("{table}-{}", key.get_ref())).is_none());
            if let Some(key) = unknown {
                let (line, key) = (line(key.span().start), key.get_ref());
                let hint = match declaration(key) {
                    Some(_) => format!("; write it above [{table}]"),
                    None => suggest(&format!("{table}-{key}")),
                };
                return Err(format!("line {line}: {key:?} is not a setting in the table [{table}]{hint}"));
            }
        } else if key.get_ref() == target::TABLE {
            check_targets(value.get_ref()).map_err(|(offset, fault)| {
                format!("line {}: {fault}", line(offset.unwrap_or(key.span().start)))
            })?;
        } else if declaration(key.get_ref()).is_none() {
            let line = line(key.span().start);
            return Err(format!(
                "line {line}: {:?} is not a setting{}",
                key.get_ref(),
                suggest(key.get_ref())
            ));
        }
    }
    Ok(())
}

/// Environment variables of the build, which `make run` also passes to the program.
const BUILD_VARIABLES: [&str; 2] = ["FLAGDECK_COMMIT", "FLAGDECK_FRONTEND_DIST"];
/// Checks the keys of the targets. Returns the offset of the fault, if it is known.
fn check_targets(targets: &DeValue<'_>) -> Result<(), (Option<usize>, String)> {
    let form = "targets are tables such as [target.prod] with a url";
    let DeValue::Table(targets) = targets else { return Err((None, form.to_owned())) };
    for (name, target) in targets {
        let offset = Some(name.span().start);
        let DeValue::Table(keys) = target.get_ref() else { return Err((offset, form.to_owned())) };
        for key in keys.keys() {
            target::setting_of_key(key.get_ref()).map_err(|fault| (Some(key.span().start), fault))?;
        }
        if !keys.contains_key("url") {
            return Err((offset, format!("the target {} has no url", name.get_ref())));
        }
    }
    Ok(())
}

/// Returns a hint for each environment variable with the prefix of this program that is not a setting, such as a misspelt
/// name. Variables of the build are left out, and those that container platforms set for a service of this name, such as
/// `FLAGDECK_PORT`.
pub(super) fn unknown_variables(variables: &config::Map<String, String>) -> Vec<String> {
    let is_service_link = |name: &str| {
        ["_SERVICE_HOST", "_SERVICE_PORT", "_PORT_"].iter().any(|part| name.contains(part))
            || name.ends_with("_PORT")
    };
    let names = variables.keys().filter(|name| {
        let name = name.as_str();
        let is_known = is_setting(name) || name == CONFIG_FILE || BUILD_VARIABLES.contains(&name);
        name.starts_with(PREFIX) && !is_known && !is_service_link(name)
    });
    let mut hints: Vec<_> = names
        .map(|name| {
            let key = name.trim_start_matches(PREFIX).trim_start_matches('_').to_ascii_lowercase();
            let similar = closest(&key.replace('_', "-")).map(Declaration::variable);
            let hint = similar.map(|similar| format!("; {similar} is")).unwrap_or_default();
            format!("the environment variable {name} is not a setting and is ignored{hint}")
        })
        .collect();
    hints.sort();
    hints
}

/// Returns a hint at the setting with the most similar name, or an empty text.
fn suggest(name: &str) -> String {
    closest(name).map(|setting| format!("; did you mean {}?", setting.name())).unwrap_or_default()
}

/// Returns the setting with the most similar name, if one is similar.
fn closest(name: &str) -> Option<&'static dyn Declaration> {
    let similarity = |setting: &dyn Declaration| strsim::jaro_winkler(name, setting.name());
    let best = declarations().max_by(|one, other| similarity(*one).total_cmp(&similarity(*other)));
    best.filter(|setting| similarity(*setting) > MIN_SIMILARITY)
}

/// Reads the settings and the targets of a source. Fails if a key is not a setting, or if its value has another form.
fn read(values: config::Map<String, config::Value>) -> Result<(Settings, Targets), config::ConfigError> {
    let (mut settings, mut targets) = (Settings::default(), Targets::default());
    for (key, value) in values {
        match value.kind {
            config::ValueKind::Table(table) if TABLES.contains(&key.as_str()) => {
                for (name, value) in table {
                    settings.read_value(&format!("{key}-{name}"), &format!("{key}.{name}"), value)?;
                }
            }
            config::ValueKind::Table(tables) if key == target::TABLE => {
                for (name, table) in tables {
                    targets.insert(name.clone(), read_target(&name, table)?);
                }
            }
            kind => settings.read_value(&key, &key, config::Value::new(None, kind))?,
        }
    }
    Ok((settings, targets))
}

/// Reads the table of a target.
fn read_target(name: &str, table: config::Value) -> Result<Settings, config::ConfigError> {
    let mut settings = Settings::default();
    for (key, value) in table.into_table()? {
        match target::setting_of_key(&key).map_err(config::ConfigError::Message)? {
            Some(setting) => {
                settings.read_value(setting, &format!("{}.{name}.{key}", target::TABLE), value)?;
            }
            None => settings = settings.with_location(&value.into_string()?),
        }
    }
    Ok(settings)
}

impl Settings {
    /// Reads the value of a setting, whose key in the source is `path`.
    fn read_value(
        &mut self,
        name: &str,
        path: &str,
        value: config::Value,
    ) -> Result<(), config::ConfigError> {
        static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| declarations().map(Declaration::name).collect());
        let setting =
            declaration(name).ok_or_else(|| config::ConfigError::unknown_field(name, NAMES.as_slice()))?;
        let values = match (setting.form(), value.kind.clone()) {
            (Form::Switch, _) => value.into_bool().map(|is_on| vec![is_on.to_string()]),
            (form @ Form::List, config::ValueKind::String(text)) => Ok(form.split(&text)),
            (Form::List, _) => {
                value.into_array().and_then(|list| list.into_iter().map(config::Value::into_string).collect())
            }
            (Form::Text | Form::OptionalText, _) => value.into_string().map(|text| vec![text]),
        };
        self.insert(setting, values.map_err(|error| error.extend_with_key(path))?);
        Ok(())
    }
}

/// Returns true if the variable is a setting. Container platforms set others with the same prefix, such as
/// `FLAGDECK_PORT` for a service of that name.
fn is_setting(variable: &str) -> bool {
    variable.starts_with(PREFIX)
        && declarations().any(|setting| setting.variable().eq_ignore_ascii_case(variable))
}
