//! Tokens with which SDKs authenticate.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::config::TokenScope;

/// A token to create: its name and its rights.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ApiTokenDraft {
    /// Name, such as the name of the application that uses the token.
    pub name: String,
    /// Rights.
    #[serde(flatten)]
    pub scope: TokenScope,
}

/// A token without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ApiToken {
    /// Name and rights.
    #[serde(flatten)]
    pub draft: ApiTokenDraft,
    /// Creation time: RFC 3339, UTC.
    pub created_at: String,
    /// Author; null if it is not known.
    pub created_by: Option<String>,
    /// Time of the last use: RFC 3339, UTC, accurate to a minute; null without a known use.
    pub last_used_at: Option<String>,
}

/// A new token with its secret, which no other response contains.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CreatedApiToken {
    /// The token.
    #[serde(flatten)]
    pub token: ApiToken,
    /// Secret that SDKs send in the header `Authorization`.
    pub secret: String,
}

/// Response of `DELETE api/admin/api-tokens/{name}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DeletedApiToken {
    /// Name of the deleted token.
    pub name: String,
    /// True if `api/client` accepts requests without a token from now on: no client token is left, and
    /// `require-client-tokens` is off.
    pub is_client_api_public: bool,
}

/// Response of `GET api/admin/api-tokens`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ApiTokensResponse {
    /// Tokens, sorted by name.
    pub tokens: Vec<ApiToken>,
}

impl fmt::Debug for CreatedApiToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CreatedApiToken").field("token", &self.token).field("secret", &"***").finish()
    }
}
