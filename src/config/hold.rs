//! The file of holds: `hold-file`.

use std::path::PathBuf;

use super::kind::{FILE, Optional};
use super::setting::Setting;
use super::{BackendSettings, ConfigError, Declaration, Settings};

pub(super) static SETTINGS: &[&dyn Declaration] = &[&HOLD_FILE];

static HOLD_FILE: Setting<Optional<PathBuf>> = Setting {
    name: "hold-file",
    help: "JSON file with the toggles that SDKs get as off for a limited time (flagdeck hold), so that they survive a restart; other programs may write it; with upstream, it needs replica",
    default: "none",
    kind: FILE,
};

/// Returns the path of the file; `None` if holds end with the process.
pub(super) fn resolve(
    settings: &Settings,
    backend: &BackendSettings,
) -> Result<Option<PathBuf>, ConfigError> {
    let file = HOLD_FILE.resolve(settings)?;
    match backend {
        BackendSettings::Upstream(upstream) if upstream.replica.is_none() && file.is_some() => Err(HOLD_FILE.error(
            "needs replica with upstream, because SDKs get toggles from Flagdeck only with it; set replica, or remove hold-file",
        )),
        _ => Ok(file),
    }
}
