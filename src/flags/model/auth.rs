//! What a 401 says about signing in.

use serde::{Deserialize, Serialize};

/// How to sign in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AuthDetails {
    /// `password`, `unsecure` or `demo` (an email address is enough) or any other: a link to `path`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub kind: Option<String>,
    /// Where the form is posted to or the link leads; not to be trusted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub path: Option<String>,
    /// For people.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub message: Option<String>,
    /// Other ways to sign in.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub options: Option<Vec<AuthOption>>,
}

/// Another way to sign in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AuthOption {
    /// The provider.
    #[serde(rename = "type")]
    pub kind: String,
    /// Where it leads; not to be trusted.
    pub path: String,
    /// The button's text.
    pub value: String,
}
