//! The embedded flag service: `data` and `demo`. See `auth` for access to it.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::{Auth, ConfigError, RetryPolicy};
use crate::cli::Settings;

/// Settings of the embedded flag service.
#[derive(Debug, Clone)]
pub struct Embedded {
    /// `--data`, `FLAGDECK_DATA`. Location of the database.
    pub data: DataLocation,
    /// `--demo`, `FLAGDECK_DEMO`; false by default. Runs the demo.
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
        let demo = settings.demo.unwrap_or(false);
        let data = match settings.data.as_deref() {
            Some(":memory:") => DataLocation::Memory,
            Some(path) if demo => {
                return Err(ConfigError::setting(
                    "demo",
                    format!(
                        "cannot be combined with data {path:?}, because the demo keeps its data in memory; remove one of them"
                    ),
                ));
            }
            Some("") => return Err(ConfigError::setting("data", "is empty; write a path or :memory:")),
            Some(path) => DataLocation::File(path.into()),
            None if demo => DataLocation::Memory,
            None => DataLocation::File(default_file()?),
        };
        let auth = Auth::resolve(settings, &data)?;
        Ok(Self { data, demo, auth, retry_policy: RetryPolicy::default() })
    }
}

/// Returns `flagdeck/flagdeck.db` in the data folder of the platform, such as `~/.local/share`.
fn default_file() -> Result<PathBuf, ConfigError> {
    etcetera::choose_base_strategy()
        .map(|folders| folders.data_dir().join("flagdeck").join("flagdeck.db"))
        .map_err(|error| {
            ConfigError::setting(
                "data",
                format!("the default folder is unknown ({error}); set data to a file"),
            )
        })
}
