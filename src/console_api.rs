//! Response types of the console's endpoints below `/-/`. Several modules return them.

use serde::{Deserialize, Serialize};

/// Response of `GET /-/settings`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// Backend of the API.
    pub mode: Mode,
    /// Host and port of the upstream flag service; null for the embedded one.
    pub upstream: Option<String>,
    /// Version of Flagdeck.
    pub version: String,
    /// True if users can sign out.
    pub sign_out: bool,
    /// True if all changes are refused, whatever permissions the user has.
    pub read_only: bool,
    /// True if switching a toggle requires confirmation.
    pub confirm_writes: bool,
    /// Additional origins from which images of users are loaded.
    pub image_origins: Vec<String>,
    /// Name of this deployment; null if the operator has not set one.
    pub environment: Option<Environment>,
}

/// Name and colours of a deployment. Colours are in CSS notation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Environment {
    /// The name.
    pub label: String,
    /// Background colour.
    pub colour: String,
    /// Text colour that is readable on the background.
    pub text_colour: String,
}

/// Backend of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    /// The embedded flag service.
    Embedded,
    /// An upstream flag service.
    Upstream,
}

/// Response of `POST /-/logout`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LoggedOut {
    /// URL on another origin to which the flag service redirects after the sign-out.
    pub location: Option<String>,
}

/// Response of `POST /-/examples`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ExamplesLoaded {
    /// Number of created toggles. Existing toggles are not changed.
    pub created: usize,
}
