//! The flight recorder: `recorder` and `recorder-keep`.

use std::path::PathBuf;
use std::time::Duration;

use super::kind::{Days, Optional};
use super::setting::Setting;
use super::{BackendSettings, ConfigError, Declaration, Settings};

pub(super) static SETTINGS: &[&dyn Declaration] = &[&RECORDER, &RECORDER_KEEP];

/// Size of all files above which the oldest changes are removed: 256 MiB. 90 days with 200 changes a day of 2,000 toggles take 15 MB,
/// so that only a fault of a client that changes toggles all the time reaches it.
const MAX_SIZE: u64 = 256 << 20;

pub(super) static RECORDER: Setting<Optional<PathBuf>> = Setting {
    name: "recorder",
    help: "Folder in which the flight recorder keeps the toggles that SDKs got at any time; with upstream, it needs replica",
    default: "none",
    kind: Optional("FOLDER", parse_folder),
};

pub(super) static RECORDER_KEEP: Setting<Days> = Setting {
    name: "recorder-keep",
    help: "Time for which the flight recorder keeps changes, and the database ended holds, {bounds}",
    default: "90d",
    kind: Days { min: 1, max: 3_650, example: "90d" },
};

/// Settings of the flight recorder.
#[derive(Debug, Clone)]
pub struct Recorder {
    /// `RECORDER`: folder of the segment files.
    pub folder: PathBuf,
    /// `RECORDER_KEEP`: age at which changes are removed.
    pub keep: Duration,
    /// Size of all files above which the oldest changes are removed, in bytes. Not a setting.
    pub size: u64,
}

impl Recorder {
    /// Returns the settings; `None` without `recorder`. The other value is validated even then.
    pub(super) fn resolve(
        settings: &Settings,
        backend: &BackendSettings,
    ) -> Result<Option<Self>, ConfigError> {
        let keep = RECORDER_KEEP.resolve(settings)?;
        let Some(folder) = RECORDER.resolve(settings)? else { return Ok(None) };
        match backend {
            BackendSettings::Upstream(upstream) if upstream.replica.is_none() => Err(RECORDER.error(
                "needs replica with upstream, because SDKs get toggles that Flagdeck knows only from the replica; set replica, or remove recorder",
            )),
            _ => Ok(Some(Self { folder, keep, size: MAX_SIZE })),
        }
    }
}

fn parse_folder(text: &str) -> Result<PathBuf, String> {
    if text.is_empty() { Err("is empty; write the path of a folder".to_owned()) } else { Ok(text.into()) }
}
