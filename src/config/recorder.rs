//! The flight recorder: `recorder`, `recorder-keep` and `recorder-size`.

use std::path::PathBuf;
use std::time::Duration;

use super::kind::{Days, Optional, Size};
use super::setting::Setting;
use super::{BackendSettings, ConfigError, Declaration, Settings};

pub(super) static SETTINGS: &[&dyn Declaration] = &[&RECORDER, &RECORDER_KEEP, &RECORDER_SIZE];

pub(super) static RECORDER: Setting<Optional<PathBuf>> = Setting {
    name: "recorder",
    help: "Folder in which the flight recorder keeps the toggles that SDKs got at any time; with upstream, it needs replica",
    default: "none",
    kind: Optional("FOLDER", parse_folder),
};

static RECORDER_KEEP: Setting<Days> = Setting {
    name: "recorder-keep",
    help: "Time for which the flight recorder keeps changes, {bounds}",
    default: "90d",
    kind: Days { min: 1, max: 3_650, example: "90d" },
};

static RECORDER_SIZE: Setting<Size> = Setting {
    name: "recorder-size",
    help: "Size of the flight recorder's folder above which the oldest changes are removed, {bounds}",
    default: "256MiB",
    kind: Size { min: 1, max: 1 << 20 },
};

/// Settings of the flight recorder.
#[derive(Debug, Clone)]
pub struct Recorder {
    /// `RECORDER`: folder of the segment files.
    pub folder: PathBuf,
    /// `RECORDER_KEEP`: age at which changes are removed.
    pub keep: Duration,
    /// `RECORDER_SIZE`: size of all files above which the oldest changes are removed. Bytes.
    pub size: u64,
}

impl Recorder {
    /// Returns the settings; `None` without `recorder`. The other values are validated even then.
    pub(super) fn resolve(
        settings: &Settings,
        backend: &BackendSettings,
    ) -> Result<Option<Self>, ConfigError> {
        let (keep, size) = (RECORDER_KEEP.resolve(settings)?, RECORDER_SIZE.resolve(settings)?);
        let Some(folder) = RECORDER.resolve(settings)? else { return Ok(None) };
        match backend {
            BackendSettings::Upstream(upstream) if upstream.replica.is_none() => Err(RECORDER.error(
                "needs replica with upstream, because SDKs get toggles that Flagdeck knows only from the replica; set replica, or remove recorder",
            )),
            _ => Ok(Some(Self { folder, keep, size })),
        }
    }
}

fn parse_folder(text: &str) -> Result<PathBuf, String> {
    if text.is_empty() { Err("is empty; write the path of a folder".to_owned()) } else { Ok(text.into()) }
}
