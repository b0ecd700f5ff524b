//! Who is signed in, and what they may do.

use serde::{Deserialize, Serialize};

/// The signed-in user. Servers answer as much of it as they know.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// How changes of somebody without an address are signed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional = nullable))]
    pub username: Option<String>,
    /// What people read.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional = nullable))]
    pub name: Option<String>,
    /// How changes are signed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional = nullable))]
    pub email: Option<String>,
    /// A picture, often on a foreign host.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional = nullable))]
    pub image_url: Option<String>,
    /// Left out: everything is allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional = nullable))]
    pub permissions: Option<Vec<Permission>>,
}

/// A permission, in the two ways that servers write one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(untagged)]
pub enum Permission {
    /// Its name, as 3.x servers write it.
    Name(String),
    /// Its name inside an object, as 4.x servers write it.
    Object {
        /// Such as `ADMIN` or `CREATE_FEATURE`.
        permission: String,
    },
}

/// The answer of `GET api/admin/user`, in the two ways that servers write it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(untagged)]
pub enum UserAnswer {
    /// As 4.x servers answer.
    Wrapped {
        /// The user without permissions.
        user: User,
        /// What they may do.
        #[cfg_attr(test, ts(optional = nullable))]
        permissions: Option<Vec<Permission>>,
    },
    /// As 3.x servers answer.
    Plain(User),
}

/// The response of `GET health`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Health {
    /// Whether the service can read and write its data.
    pub health: HealthStatus,
}

/// Whether the service works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum HealthStatus {
    /// It works.
    Good,
    /// The database cannot be used.
    Bad,
}

/// The response of `GET api/admin/user/logout` and `GET logout`. The console does not read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SignedOut {
    /// Always true.
    pub signed_out: bool,
}
