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
    /// Whether every change is refused here, whatever the user may do.
    pub read_only: bool,
    /// Whether each switch asks first.
    pub confirm_writes: bool,
    /// Origins, beside the console's own, from which pictures of users are loaded.
    pub image_origins: Vec<String>,
    /// Which deployment this is; null where the operator gave it no name.
    pub environment: Option<Environment>,
}

/// A name for a deployment, and how it is shown. Colours are written as in CSS.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Environment {
    /// The name.
    pub label: String,
    /// The ground that it stands on.
    pub colour: String,
    /// What can be read on that ground.
    pub text_colour: String,
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
