//! The flight recorder: `recorder` and `recorder-keep`.

use std::time::Duration;

use super::kind::{Days, Switch};
use super::setting::Setting;
use super::{BackendSettings, ConfigError, DataLocation, Declaration, Settings};

pub(super) static SETTINGS: &[&dyn Declaration] = &[&RECORDER, &RECORDER_KEEP];

pub(super) static RECORDER: Setting<Switch> = Setting {
    name: "recorder",
    help: "Record in the database which toggles SDKs got at any time; with upstream, it needs replica and data",
    default: "false",
    kind: Switch,
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
    /// Location of the database beside which, or in which, changes are recorded.
    pub data: DataLocation,
    /// `RECORDER_KEEP`: age at which changes are removed.
    pub keep: Duration,
    /// True if the toggles come from an upstream.
    pub has_upstream: bool,
}

impl Recorder {
    /// Returns the settings; `None` without `recorder`. The other value is validated even then.
    pub(super) fn resolve(
        settings: &Settings,
        backend: &BackendSettings,
    ) -> Result<Option<Self>, ConfigError> {
        let keep = RECORDER_KEEP.resolve(settings)?;
        if !RECORDER.resolve(settings)? {
            return Ok(None);
        }
        let has_upstream = match backend {
            BackendSettings::Upstream(upstream) if upstream.replica.is_none() => {
                return Err(RECORDER.error(
                    "needs replica with upstream, because SDKs get toggles that Flagdeck knows only from the replica; set replica, or remove recorder",
                ));
            }
            BackendSettings::Upstream(_) => true,
            BackendSettings::Embedded(_) => false,
        };
        match backend.data() {
            None => Err(RECORDER.error(
                "needs data with upstream, the database that contains the records; set data, or remove recorder",
            )),
            Some(DataLocation::Memory) => Err(RECORDER.error(
                "needs a database that survives a restart, and data is :memory:; set data to a file or a PostgreSQL database, or remove recorder",
            )),
            Some(data) => Ok(Some(Self { data: data.clone(), keep, has_upstream })),
        }
    }
}
