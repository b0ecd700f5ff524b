//! The embedded flag service: `data`, `data-key`, `history-keep` and `demo`. See `auth` for access to it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use etcetera::BaseStrategy;
use rustls::ClientConfig;

use super::kind::{Days, FILE, Kind, Optional, OptionalDays, Switch};
use super::postgres::{PostgresLocation, is_postgres_url};
use super::setting::Setting;
use super::upstream_tls::default_client_config;
use super::{Auth, ConfigError, Declaration, Definitions, RetryPolicy, Settings};
use crate::private_file::with_suffix;

pub(super) static SETTINGS: &[&dyn Declaration] = &[&DATA, &DATA_KEY, &HISTORY_KEEP, &DEMO];

pub(super) static DATA: Setting<Optional<DataLocation>> = Setting {
    name: "data",
    help: "Database of the embedded flag service, with upstream of the sessions and holds: a file, which only one server can use at a time, postgres://USER@HOST/DATABASE, or :memory:; the copies of the replica survive a restart in a second database beside it, or in PostgreSQL; with upstream, it must be set, unless users sign in here",
    default: "flagdeck/flagdeck.db in the user's data folder",
    kind: Optional("PATH", parse_location),
};

static DATA_KEY: Setting<Optional<PathBuf>> = Setting {
    name: "data-key",
    help: "Key file of addon secrets in PostgreSQL; all instances need the same",
    default: "flagdeck/postgres.key in the user's data folder",
    kind: FILE,
};

static HISTORY_KEEP: Setting<OptionalDays> = Setting {
    name: "history-keep",
    help: "Time after which events of the history are deleted, such as 365d, {bounds}",
    default: "for ever",
    kind: OptionalDays(Days { min: 1, max: 36_500, example: "365d" }),
};

pub(super) static DEMO: Setting<Switch> = Setting {
    name: "demo",
    help: "Run a demo in memory, with example toggles and simulated applications",
    default: "false",
    kind: Switch,
};

/// The project that every flag service has. Toggles without a project belong to it.
pub const DEFAULT_PROJECT: &str = "default";

/// Schemes that other programs use also without slashes.
const SCHEMES: [&str; 8] =
    ["file", "sqlite", "sqlite3", "postgres", "postgresql", "mysql", "mariadb", "jdbc"];

const POSTGRES_ONLY: &str = "is only for PostgreSQL, and data names another database; remove it";

/// Settings of the embedded flag service.
#[derive(Debug, Clone)]
pub struct Embedded {
    /// `DATA`: location of the database.
    pub data: DataLocation,
    /// `HISTORY_KEEP`: the age at which events are deleted; `None` to keep them for ever.
    pub history_keep: Option<Duration>,
    /// `DEMO`: runs the demo.
    pub demo: bool,
    /// `DEFINITIONS`: the toggles come from a file.
    pub definitions: Option<Box<Definitions>>,
    /// Access to the service.
    pub auth: Auth,
    /// Deliveries to addons. Not a setting.
    pub deliveries: Deliveries,
}

/// How deliveries to addons are sent.
#[derive(Debug, Clone)]
pub struct Deliveries {
    /// Timing and retries.
    pub retry_policy: RetryPolicy,
    /// Trusted authorities of connections to the receivers.
    pub tls: Arc<ClientConfig>,
}

/// The location of the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DataLocation {
    /// Memory. The data is lost when the program ends.
    Memory,
    /// A file. It and its parent folders are created if they do not exist.
    File(PathBuf),
    /// A PostgreSQL database, which must exist.
    Postgres(Box<PostgresLocation>),
}

impl DataLocation {
    /// Returns the path of the file, the URL of the PostgreSQL database, or `:memory:`.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Memory => Path::new(":memory:"),
            Self::File(path) => path,
            Self::Postgres(location) => &location.name,
        }
    }
}

impl DataLocation {
    /// Returns the path of the key file of addon secrets, `flagdeck.db.key` for `flagdeck.db`. A database in memory has none.
    #[must_use]
    pub fn key_file(&self) -> Option<PathBuf> {
        match self {
            Self::Memory => None,
            Self::File(_) => self.file_beside(".key"),
            Self::Postgres(location) => Some(location.key.clone()),
        }
    }

    /// Returns the location of the data that can be lost without harm: `flagdeck.db.kept` for `flagdeck.db`, and otherwise the same.
    #[must_use]
    pub fn kept(&self) -> Self {
        self.file_beside(".kept").map_or_else(|| self.clone(), Self::File)
    }

    /// Returns the path of a file beside the database; `None` if the database is no file.
    fn file_beside(&self, suffix: &str) -> Option<PathBuf> {
        let Self::File(path) = self else { return None };
        Some(with_suffix(path, suffix))
    }
}

impl Settings {
    /// Replaces the location of the database.
    #[must_use]
    pub fn with_data(mut self, location: &str) -> Self {
        self.insert(&DATA, vec![location.to_owned()]);
        self
    }
}

impl Embedded {
    pub(super) fn resolve(
        settings: &Settings,
        definitions: Option<Box<Definitions>>,
    ) -> Result<Self, ConfigError> {
        let demo = DEMO.resolve(settings)?;
        let data = if definitions.is_some() { DataLocation::Memory } else { resolve_data(settings)? };
        let auth = Auth::resolve(settings, &data)?;
        let history_keep = HISTORY_KEEP.resolve(settings)?;
        // Each change of the file adds events, and they are in memory.
        let history_keep = history_keep.or_else(|| definitions.as_ref().map(|_| Duration::from_hours(24)));
        let tls = default_client_config().map_err(|error| DATA.error(error))?;
        let deliveries = Deliveries { retry_policy: RetryPolicy::default(), tls };
        Ok(Self { data, history_keep, demo, definitions, auth, deliveries })
    }
}

/// Returns the location of the database.
pub(super) fn resolve_data(settings: &Settings) -> Result<DataLocation, ConfigError> {
    let demo = DEMO.resolve(settings)?;
    let mut data = match DATA.resolve(settings)? {
        Some(data @ (DataLocation::File(_) | DataLocation::Postgres(_))) if demo => {
            let path = data.path().to_string_lossy();
            return Err(DEMO.error(format!(
                    "cannot be combined with data {path:?}, because the demo keeps its data in memory; remove one of them"
                )));
        }
        Some(data) => data,
        None if demo => DataLocation::Memory,
        None => DataLocation::File(default_file("flagdeck.db", &DATA)?),
    };
    match (&mut data, DATA_KEY.resolve(settings)?) {
        (DataLocation::Postgres(location), Some(file)) => location.key = file,
        (DataLocation::Postgres(location), None) => {
            location.key = default_file("postgres.key", &DATA_KEY)?;
        }
        (_, Some(_)) => return Err(DATA_KEY.error(POSTGRES_ONLY)),
        (_, None) => {}
    }
    Ok(data)
}

fn parse_location(text: &str) -> Result<DataLocation, String> {
    match text {
        ":memory:" => Ok(DataLocation::Memory),
        "" => Err("is empty; write a path or :memory:".to_owned()),
        url if is_postgres_url(url) => Ok(DataLocation::Postgres(Box::new(PostgresLocation::parse(url)?))),
        path => parse_file(path).map(DataLocation::File),
    }
}

/// Parses the path of a database file. A URL would create a folder with the name of its scheme. The error does not contain
/// the text, because a URL may contain a password.
///
/// # Errors
/// One clause if the path begins like a URL.
pub(crate) fn parse_file(text: &str) -> Result<PathBuf, String> {
    let Some((scheme, rest)) = text.split_once(':') else { return Ok(text.into()) };
    let is_name =
        |scheme: &str| scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let is_url = rest.starts_with("//") && scheme.starts_with(|first: char| first.is_ascii_alphabetic());
    if is_name(scheme) && (is_url || SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known))) {
        return Err(format!(
            "begins with {scheme}:, which is not supported; write the path of a file, postgres://USER@HOST/DATABASE or \
             :memory: (for a file whose name begins like that, write ./{scheme}:…)"
        ));
    }
    Ok(text.into())
}

/// Returns a file in `flagdeck` in the data folder of the platform, such as `~/.local/share`.
pub(super) fn default_file<K: Kind>(name: &str, setting: &Setting<K>) -> Result<PathBuf, ConfigError> {
    etcetera::choose_base_strategy().map(|folders| folders.data_dir().join("flagdeck").join(name)).map_err(
        |error| {
            setting.error(format!("the default folder is unknown ({error}); set {} to a file", setting.name))
        },
    )
}
