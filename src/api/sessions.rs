//! Sessions of signed-in users, as administrators see them.

use serde::{Deserialize, Serialize};

/// Session of a signed-in user. Times are in RFC 3339, UTC.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UserSession {
    /// Id, with which the session can be revoked. It does not authenticate.
    pub id: String,
    /// Display name of the person.
    pub name: String,
    /// Email address of the person; null if there is none, or if it is the display name.
    pub email: Option<String>,
    /// User name of the person's account; null for persons whom only the identity provider knows.
    pub username: Option<String>,
    /// Identity provider; null after a sign-in with a password.
    pub issuer: Option<String>,
    /// Id of the person at the identity provider; null after a sign-in with a password.
    pub subject: Option<String>,
    /// How the person signed in.
    pub method: SessionMethod,
    /// Address of the browser at the sign-in; null if it is not known.
    pub address: Option<String>,
    /// Name of the browser, such as `Firefox on Linux`; null if it is not known.
    pub client: Option<String>,
    /// Time of the sign-in.
    pub created_at: String,
    /// Time of the last use, accurate to two minutes.
    pub last_used_at: String,
    /// Time when the session ends unless it is used.
    pub expires_at: String,
    /// True for the session of the request.
    pub is_own: bool,
}

/// How a person signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum SessionMethod {
    /// With a password.
    Password,
    /// At the identity provider.
    Provider,
}

/// Response of `GET api/admin/sessions`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SessionsResponse {
    /// Sessions, the most recently used first.
    pub sessions: Vec<UserSession>,
    /// False if there are more sessions than the response may contain.
    pub is_complete: bool,
}

/// Response to the revocation of sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RevokedSessions {
    /// Number of revoked sessions.
    pub revoked: u64,
    /// True if the session of the request is among them.
    pub includes_own: bool,
}
