//! The embedded flag service: `data` and `demo`. See `auth` for access to it.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::kind::{Optional, Switch};
use super::setting::Setting;
use super::{Auth, ConfigError, Declaration, RetryPolicy, Settings};

pub(super) static SETTINGS: &[&dyn Declaration] = &[&DATA, &DEMO];

static DATA: Setting<Optional<DataLocation>> = Setting {
    name: "data",
    help: "Database file of the embedded flag service, or :memory:",
    default: "flagdeck/flagdeck.db in the user's data folder",
    kind: Optional("PATH", parse_location),
};

pub(super) static DEMO: Setting<Switch> = Setting {
    name: "demo",
    help: "Run a demo in memory, with example toggles and simulated applications",
    default: "false",
    kind: Switch,
};

/// Settings of the embedded flag service.
#[derive(Debug, Clone)]
pub struct Embedded {
    /// `DATA`: location of the database.
    pub data: DataLocation,
    /// `DEMO`: runs the demo.
    pub demo: bool,
    /// Access to the service.
    pub auth: Auth,
    /// Schedule of delivery retries to addons. Not a setting.
    pub retry_policy: RetryPolicy,
}

/// The location of the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DataLocation {
    /// Memory. The data is lost when the program ends.
    Memory,
    /// A file. It and its parent folders are created if they do not exist.
    File(PathBuf),
}

impl DataLocation {
    /// Returns the path of the file, or `:memory:`.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Memory => Path::new(":memory:"),
            Self::File(path) => path,
        }
    }
}

impl Embedded {
    pub(super) fn resolve(settings: &Settings) -> Result<Self, ConfigError> {
        let demo = DEMO.resolve(settings)?;
        let data = match DATA.resolve(settings)? {
            Some(DataLocation::File(path)) if demo => {
                let path = path.to_string_lossy();
                return Err(DEMO.error(format!(
                    "cannot be combined with data {path:?}, because the demo keeps its data in memory; remove one of them"
                )));
            }
            Some(data) => data,
            None if demo => DataLocation::Memory,
            None => DataLocation::File(default_file()?),
        };
        let auth = Auth::resolve(settings, &data)?;
        Ok(Self { data, demo, auth, retry_policy: RetryPolicy::default() })
    }
}

fn parse_location(text: &str) -> Result<DataLocation, String> {
    match text {
        ":memory:" => Ok(DataLocation::Memory),
        "" => Err("is empty; write a path or :memory:".to_owned()),
        path => Ok(DataLocation::File(path.into())),
    }
}

/// Returns `flagdeck/flagdeck.db` in the data folder of the platform, such as `~/.local/share`.
fn default_file() -> Result<PathBuf, ConfigError> {
    etcetera::choose_base_strategy()
        .map(|folders| folders.data_dir().join("flagdeck").join("flagdeck.db"))
        .map_err(|error| DATA.error(format!("the default folder is unknown ({error}); set data to a file")))
}
