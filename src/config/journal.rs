//! The operators' journal: `journal`, `journal-required` and `journal-user-header`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use actix_web::http::header::HeaderName;

use super::embedded::default_file;
use super::kind::{Optional, Switch};
use super::public::TRUSTED_PROXY;
use super::setting::Setting;
use super::{ConfigError, DataLocation, Declaration, Settings};
use crate::private_file::with_suffix;

/// Parts of the names of headers with secrets, in lower case.
const SECRET_WORDS: [&str; 7] =
    ["authorization", "cookie", "token", "secret", "password", "api-key", "apikey"];
/// Time between two checkpoints.
const CHECKPOINT_INTERVAL: Duration = Duration::from_hours(1);

pub(super) static SETTINGS: &[&dyn Declaration] = &[&JOURNAL, &JOURNAL_REQUIRED, &JOURNAL_USER_HEADER];

pub(super) static JOURNAL: Setting<Optional<JournalOutput>> = Setting {
    name: "journal",
    help: "File that records who changed something, when, from where and with which result; - for standard output; the key of its checkpoints is beside it, with the suffix .key",
    default: "none",
    kind: Optional("FILE", parse_output),
};

static JOURNAL_REQUIRED: Setting<Switch> = Setting {
    name: "journal-required",
    help: "Refuse changes while the journal cannot be written, for example because its disk is full",
    default: "true",
    kind: Switch,
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
    /// File with the key of the checkpoints.
    pub key: PathBuf,
    /// `JOURNAL_USER_HEADER`: header in which trusted proxies name the user.
    pub user_header: Option<HeaderName>,
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
        let is_required = JOURNAL_REQUIRED.resolve(settings)?;
        let user_header = JOURNAL_USER_HEADER.resolve(settings)?;
        if user_header.is_some() && !TRUSTED_PROXY.is_set(settings) {
            let fault = "it is only read from proxies; set trusted-proxy to their networks";
            return Err(JOURNAL_USER_HEADER.error(fault));
        }
        let Some(output) = JOURNAL.resolve(settings)? else { return Ok(None) };
        let key = match &output {
            JournalOutput::File(file) => key_of(file),
            JournalOutput::StandardOutput => default_file("journal.key", &JOURNAL)?,
        };
        Ok(Some(Self { output, is_required, key, user_header, checkpoint_interval: CHECKPOINT_INTERVAL }))
    }

    /// Refuses settings that name one file for several purposes, because one of them would damage the other.
    pub(super) fn refuse_shared_files(&self, data: Option<&DataLocation>) -> Result<(), ConfigError> {
        let journal = match &self.output {
            JournalOutput::File(path) => Some(("journal", path.clone())),
            JournalOutput::StandardOutput => None,
        };
        let database = match data {
            Some(DataLocation::File(path)) => Some(("data", path.clone())),
            _ => None,
        };
        let data_key = data.and_then(DataLocation::key_file).map(|path| ("data-key", path));
        let key = Some(("the key of journal", self.key.clone()));
        let mut seen: Vec<(PathBuf, &str)> = Vec::new();
        for (setting, path) in [database, data_key, journal, key].into_iter().flatten() {
            let resolved = resolve_links(&path);
            if let Some((_, other)) = seen.iter().find(|(file, _)| *file == resolved) {
                return Err(ConfigError(format!(
                    "{setting}: {} is also the file of {other}; set {setting} to another file",
                    path.display()
                )));
            }
            seen.push((resolved, setting));
        }
        Ok(())
    }
}

/// Returns the path of a file that may not exist yet, without symbolic links.
fn resolve_links(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_unusable| path.to_owned());
    let in_folder = || Some(absolute.parent()?.canonicalize().ok()?.join(absolute.file_name()?));
    absolute.canonicalize().ok().or_else(in_folder).unwrap_or(absolute)
}

/// Returns the path of the key file of a journal.
#[must_use]
pub fn key_of(journal: &Path) -> PathBuf {
    with_suffix(journal, ".key")
}

/// Parses the name of a header with a user. Headers with secrets are refused, because their values would be in the journal.
fn parse_header_name(text: &str) -> Result<HeaderName, String> {
    let name = HeaderName::try_from(text).map_err(|_invalid| format!("{text:?} is not a header name"))?;
    if SECRET_WORDS.iter().any(|word| name.as_str().contains(word)) {
        return Err(format!(
            "{text} contains a secret, which the journal must not contain; name a header with a user, such as X-Forwarded-Email"
        ));
    }
    Ok(name)
}

fn parse_output(text: &str) -> Result<JournalOutput, String> {
    match text {
        "-" => Ok(JournalOutput::StandardOutput),
        "" => Err("is empty; write a path, or - for standard output".to_owned()),
        path => Ok(JournalOutput::File(path.into())),
    }
}
