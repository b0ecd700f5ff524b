//! The operators' journal: `journal`, `journal-required` and `journal-key`.

use std::path::PathBuf;
use std::time::Duration;

use actix_web::http::header::HeaderName;

use super::embedded::default_file;
use super::kind::{FILE, Optional, Switch};
use super::public::TRUSTED_PROXY;
use super::setting::Setting;
use super::{ConfigError, Declaration, Settings};

/// Time between two checkpoints.
const CHECKPOINT_INTERVAL: Duration = Duration::from_hours(1);

pub(super) static SETTINGS: &[&dyn Declaration] =
    &[&JOURNAL, &JOURNAL_REQUIRED, &JOURNAL_KEY, &JOURNAL_USER_HEADER];

pub(super) static JOURNAL: Setting<Optional<JournalOutput>> = Setting {
    name: "journal",
    help: "File that records who changed something, when, from where and with which result; - for standard output",
    default: "none",
    kind: Optional("FILE", parse_output),
};

static JOURNAL_REQUIRED: Setting<Switch> = Setting {
    name: "journal-required",
    help: "Refuse changes while the journal cannot be written, for example because its disk is full",
    default: "true",
    kind: Switch,
};

static JOURNAL_KEY: Setting<Optional<PathBuf>> = Setting {
    name: "journal-key",
    help: "Key file that signs the checkpoints of the journal; it is created if it does not exist",
    default: "the file of the journal with the suffix .key",
    kind: FILE,
};

static JOURNAL_USER_HEADER: Setting<Optional<HeaderName>> = Setting {
    name: "journal-user-header",
    help: "Header in which proxies of trusted-proxy name the signed-in user for the journal, such as X-Forwarded-Email; they must remove it from requests of browsers",
    default: "none",
    kind: Optional("NAME", parse_header_name),
};

/// Settings of the journal.
#[derive(Debug, Clone)]
pub struct Journal {
    /// `JOURNAL`: the destination of the lines.
    pub output: JournalOutput,
    /// `JOURNAL_REQUIRED`: changes are refused while the journal cannot be written.
    pub is_required: bool,
    /// `JOURNAL_KEY`: file with the key of the checkpoints.
    pub key: PathBuf,
    /// `JOURNAL_USER_HEADER`: header in which trusted proxies name the user.
    pub user_header: Option<HeaderName>,
    /// The user who ran a command with `sudo`. Not a setting.
    pub sudo_user: Option<String>,
    /// Time between two checkpoints. Not a setting.
    pub checkpoint_interval: Duration,
}

/// The destination of a journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JournalOutput {
    /// A file, which is created if it does not exist.
    File(PathBuf),
    /// Standard output, between its other lines.
    StandardOutput,
}

impl Journal {
    /// Returns the settings; `None` without `journal`.
    pub(super) fn resolve(settings: &Settings) -> Result<Option<Self>, ConfigError> {
        let (is_required, key) = (JOURNAL_REQUIRED.resolve(settings)?, JOURNAL_KEY.resolve(settings)?);
        let user_header = JOURNAL_USER_HEADER.resolve(settings)?;
        if user_header.is_some() && !TRUSTED_PROXY.is_set(settings) {
            let fault = "it is only read from proxies; set trusted-proxy to their networks";
            return Err(JOURNAL_USER_HEADER.error(fault));
        }
        let Some(output) = JOURNAL.resolve(settings)? else { return Ok(None) };
        let key = match (key, &output) {
            (Some(key), _) => key,
            (None, JournalOutput::File(file)) => default_key(file.clone()),
            (None, JournalOutput::StandardOutput) => default_file("journal.key", &JOURNAL_KEY)?,
        };
        Ok(Some(Self {
            output,
            is_required,
            key,
            user_header,
            sudo_user: None,
            checkpoint_interval: CHECKPOINT_INTERVAL,
        }))
    }
}

/// Returns the path of the key file of a journal, unless `journal-key` is set.
#[must_use]
pub fn default_key(journal: PathBuf) -> PathBuf {
    let mut key = journal.into_os_string();
    key.push(".key");
    key.into()
}

fn parse_header_name(text: &str) -> Result<HeaderName, String> {
    HeaderName::try_from(text).map_err(|_invalid| format!("{text:?} is not a header name"))
}

fn parse_output(text: &str) -> Result<JournalOutput, String> {
    match text {
        "-" => Ok(JournalOutput::StandardOutput),
        "" => Err("is empty; write a path, or - for standard output".to_owned()),
        path => Ok(JournalOutput::File(path.into())),
    }
}
