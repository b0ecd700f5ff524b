//! The embedded flag service: `data` and `demo`. Who may use it is in `auth`.

use std::path::PathBuf;

use etcetera::BaseStrategy;

use super::{Auth, ConfigError};
use crate::cli::Settings;
use crate::flags::DataLocation;
use crate::flags::addons::retry_policy::RetryPolicy;

/// How the embedded flag service keeps its data.
#[derive(Debug, Clone)]
pub struct Embedded {
    /// `--data`, `FLAGDECK_DATA`.
    pub data: DataLocation,
    /// `--demo`, `FLAGDECK_DEMO`; false by default. Runs `flags/demo`.
    pub demo: bool,
    /// Who may use it.
    pub auth: Auth,
    /// How addons are told about events. No setting.
    pub retry_policy: RetryPolicy,
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
                        "the demo keeps everything in memory, so it cannot be used together with data {path:?}"
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

/// `flagdeck/flagdeck.db` in the data folder of the platform, such as `~/.local/share`.
fn default_file() -> Result<PathBuf, ConfigError> {
    etcetera::choose_base_strategy()
        .map(|folders| folders.data_dir().join("flagdeck").join("flagdeck.db"))
        .map_err(|error| {
            ConfigError::setting("data", format!("there is no default place for it ({error}); name a file"))
        })
}
