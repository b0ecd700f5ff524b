//! Sign-in options in a 401 response.

use serde::{Deserialize, Serialize};

/// Body of a 401 response: how to sign in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AuthDetails {
    /// Sign-in method: `password`, `unsecure` or `demo` (an email address is sufficient). Any other value means a link
    /// to `path`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// URL that the form is posted to or that the link opens. Untrusted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Message for the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Alternative sign-in options.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<AuthOption>>,
    /// URL that signs the user in again without a question, if the identity provider still has a session of the user. The
    /// provider had confirmed the last session of this browser. Untrusted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silent_path: Option<String>,
}

/// An alternative sign-in option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AuthOption {
    /// Name of the provider.
    #[serde(rename = "type")]
    pub kind: String,
    /// URL to open. Untrusted.
    pub path: String,
    /// Label of the button.
    pub value: String,
}
