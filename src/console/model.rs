//! The wire types of the console's own endpoints.

use serde::{Deserialize, Serialize};

/// The answer of `GET /-/settings`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// Who answers the flag service's calls.
    pub mode: Mode,
    /// Host and port of the flag service behind this binary; null when embedded.
    pub upstream: Option<String>,
    /// This binary's version.
    pub version: String,
    /// Whether there is a session to end.
    pub sign_out: bool,
}

/// Who answers the flag service's calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    /// This binary itself.
    Embedded,
    /// A flag service behind it.
    Upstream,
}

/// The answer of `POST /-/logout`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LoggedOut {
    /// Where the flag service sends the browser next, when that is another origin.
    pub location: Option<String>,
}

/// The answer of `POST /-/examples`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ExamplesLoaded {
    /// How many toggles are new; names that existed are left alone.
    pub created: usize,
}
