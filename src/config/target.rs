//! Targets of commands: flag services that `--to` names. A target is a table of the settings file, a URL or a database.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::embedded::parse_file;
use super::listen::LISTEN;
use super::settings::Settings;
use super::upstream::UPSTREAM;
use super::{Config, ConfigError, declaration, is_postgres_url};

/// Name of the table of the settings file that contains the tables of the targets.
pub(super) const TABLE: &str = "target";
/// Key of the location of a target: a URL, or a database.
const URL: &str = "url";
/// The other keys of a target, and the settings that they stand for.
const KEYS: [(&str, &str); 11] = [
    ("header", "upstream-header"),
    ("environment", "upstream-environment"),
    ("project", "upstream-project"),
    ("ca", "upstream-ca"),
    ("client-cert", "upstream-client-cert"),
    ("client-key", "upstream-client-key"),
    ("server-name", "upstream-server-name"),
    ("insecure", "upstream-insecure"),
    ("connect-timeout", "upstream-connect-timeout"),
    ("head-timeout", "upstream-head-timeout"),
    ("data-key", "data-key"),
];
/// Environment variables for the password of a PostgreSQL database.
const VARIABLES: [&str; 3] = ["PGPASSFILE", "PGPASSWORD", "HOME"];

/// The targets of the settings file, and the variables with which commands reach a target.
#[derive(Clone, Default)]
pub struct Targets {
    tables: BTreeMap<String, Settings>,
    variables: BTreeMap<String, String>,
    /// The settings file; `None` if none was read.
    file: Option<PathBuf>,
}

/// A flag service that a command reads or changes.
#[derive(Debug)]
pub struct Target {
    /// Name of the table, or the URL or the database.
    pub name: String,
    /// Settings of a server for this flag service.
    pub config: Config,
}

/// Returns the setting that a key of a target stands for; `None` for `url`, whose setting depends on its value.
pub(super) fn setting_of_key(key: &str) -> Result<Option<&'static str>, String> {
    if key == URL {
        return Ok(None);
    }
    if let Some((_, setting)) = KEYS.iter().find(|(known, _)| *known == key) {
        return Ok(Some(setting));
    }
    let keys: Vec<_> = KEYS.iter().map(|(known, _)| *known).collect();
    Err(format!("{key:?} is not a key of a target; the keys are {URL}, {}", keys.join(", ")))
}

impl Targets {
    /// Adds the table of a target.
    pub(super) fn insert(&mut self, name: String, settings: Settings) {
        self.tables.insert(name, settings);
    }

    /// Remembers the environment variables with the password of a PostgreSQL database.
    pub(super) fn set_variables(&mut self, variables: &config::Map<String, String>) {
        let known = VARIABLES.iter().filter_map(|name| variables.get_key_value(*name));
        self.variables = known.map(|(name, value)| (name.clone(), value.clone())).collect();
    }

    /// Remembers the settings file.
    pub(super) fn set_file(&mut self, file: Option<&Path>) {
        self.file = file.map(Path::to_path_buf);
    }

    /// Describes the settings file for errors about its tables.
    fn describe_file(&self) -> String {
        match &self.file {
            Some(file) => format!("the settings file {}", file.display()),
            None => {
                "a settings file; none was read: name it with --config FILE or FLAGDECK_CONFIG".to_owned()
            }
        }
    }

    /// Returns true if the settings file has a table of this name.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.tables.contains_key(name)
    }

    /// Finds a target: the table with this name, or the URL or database. Without a name, the only table counts. `flags` are
    /// the settings of the command line.
    ///
    /// # Errors
    /// If there is no such target, or if a setting is invalid. The message contains the remedy.
    pub fn find(&self, name: Option<&str>, flags: &Settings) -> Result<Target, ConfigError> {
        let (name, table) = match (name, self.tables.iter().next()) {
            (Some(name), _) => (name, self.tables.get(name)),
            (None, Some((name, table))) if self.tables.len() == 1 => (name.as_str(), Some(table)),
            (None, None) => {
                return Err(ConfigError(format!(
                    "--to is missing: name a flag service by its URL, by its database, or by a table [{TABLE}.NAME] of {}",
                    self.describe_file()
                )));
            }
            (None, Some(_)) => {
                let names: Vec<_> = self.tables.keys().map(String::as_str).collect();
                return Err(ConfigError(format!(
                    "--to is missing, and the settings file has several targets; choose one of {}",
                    names.join(", ")
                )));
            }
        };
        let settings = match table {
            Some(table) => own_settings(flags).overridden_by(table),
            None if is_location(name) => own_settings(flags).with_location(name),
            None => {
                return Err(ConfigError(format!(
                    "--to: there is no target {name:?}; use a URL, a database such as ./flagdeck.db, or a table [{TABLE}.{name}] of {}",
                    self.describe_file()
                )));
            }
        };
        // The target may listen on the default port of this program. No port is opened.
        let settings = settings.with(&LISTEN, "127.0.0.1:0");
        let config =
            Config::resolve(None, &settings, self.variables.clone()).map_err(|ConfigError(fault)| {
                ConfigError(format!("target {}: {fault}", redact_location(name)))
            })?;
        Ok(Target { name: redact_location(name), config })
    }
}

/// Replaces the password in a URL by three asterisks. Names of targets are in messages and in plans.
#[must_use]
pub fn redact_location(location: &str) -> String {
    let Some((scheme, rest)) = location.split_once("://") else { return location.to_owned() };
    // A password can contain a slash or an @ that is not escaped.
    let rest = match rest.rsplit_once('@') {
        Some((user, host)) => match user.split_once(':') {
            Some((user, _)) => format!("{user}:***@{host}"),
            None => rest.to_owned(),
        },
        None => rest.to_owned(),
    };
    let rest = match rest.split_once("password=") {
        Some((before, after)) => {
            let others = after.find('&').and_then(|end| after.get(end..)).unwrap_or_default();
            format!("{before}password=***{others}")
        }
        None => rest,
    };
    format!("{scheme}://{rest}")
}

/// Returns the settings of the command line that apply to targets.
fn own_settings(flags: &Settings) -> Settings {
    let mut own = Settings::default();
    for (_, name) in KEYS {
        if let (Some(setting), Some(values)) = (declaration(name), flags.get(name)) {
            own.insert(setting, values.to_vec());
        }
    }
    own
}

/// Returns true for URLs and for paths of database files. Other texts are names of tables.
fn is_location(text: &str) -> bool {
    text.contains(['/', ':']) || Path::new(text).extension().is_some()
}

impl Settings {
    /// Sets the location of a target.
    pub(super) fn with_location(self, location: &str) -> Self {
        let is_database = is_postgres_url(location) || parse_file(location).is_ok();
        if is_database && !location.starts_with("unix:") {
            self.with_data(location)
        } else {
            self.with(&UPSTREAM, location)
        }
    }
}

impl std::fmt::Debug for Targets {
    /// The variables contain a password.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Targets").field("tables", &self.tables).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::redact_location;

    #[test]
    fn passwords_in_urls_are_redacted() {
        for (location, redacted) in [
            ("http://user:s3cret@host:1/x", "http://user:***@host:1/x"),
            ("postgres://user:s3/cr@et@host/db?a=b", "postgres://user:***@host/db?a=b"),
            ("postgres://user@host/db?password=s3cret&a=b", "postgres://user@host/db?password=***&a=b"),
            ("https://user@host", "https://user@host"),
            ("https://host:4242/path", "https://host:4242/path"),
            ("prod", "prod"),
        ] {
            assert_eq!(redact_location(location), redacted);
        }
    }
}
