//! The signed-in user, their permissions, and the health of the service.

use serde::{Deserialize, Serialize};

/// The signed-in user. Servers return the fields that they know.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// User name. Changes are recorded under it if there is no email.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub username: Option<String>,
    /// Display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub name: Option<String>,
    /// Email address, under which changes are recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub email: Option<String>,
    /// URL of the avatar, often on another host.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub image_url: Option<String>,
    /// Permissions. If the list is missing, the user has all permissions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub permissions: Option<Vec<Permission>>,
    /// True if the user administers this program, although the permissions, which are those at the upstream, do not include `ADMIN`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub is_administrator: Option<bool>,
    /// Groups of the identity provider that grant permissions. Missing if the user did not sign in there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub grants: Option<Vec<PermissionGrant>>,
}

impl User {
    /// Returns the name under which changes of the user are recorded: the email address, or else the user name.
    #[must_use]
    pub fn recorded_name(&self) -> Option<&str> {
        self.email.as_deref().or(self.username.as_deref())
    }
}

/// Groups that grant a permission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PermissionGrant {
    /// Name of the permission.
    pub permission: String,
    /// Groups of the user that grant the permission; or else, if the user lacks it, all groups that would grant it.
    pub groups: Vec<String>,
    /// True if the user has the permission because of these groups.
    pub is_granted: bool,
}

/// A permission, in the formats of 3.x and 4.x servers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Permission {
    /// Name, the format of 3.x servers.
    Name(String),
    /// Object with the name, the format of 4.x servers.
    Object {
        /// Name, such as `ADMIN` or `CREATE_FEATURE`.
        permission: String,
    },
}

/// Response of `GET api/admin/user`, in the formats of 3.x and 4.x servers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum UserResponse {
    /// Format of 4.x servers.
    Wrapped {
        /// The user without permissions.
        user: User,
        /// Permissions of the user.
        #[cfg_attr(test, schemars(extend("x-may-be" = "absent")))]
        permissions: Option<Vec<Permission>>,
    },
    /// Format of 3.x servers.
    Plain(User),
}

/// Response of `GET health`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct HealthResponse {
    /// `GOOD` if the database can be used.
    pub health: HealthStatus,
}

/// Health of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum HealthStatus {
    /// The service works.
    Good,
    /// The database cannot be used.
    Bad,
}

/// Response of `GET api/admin/user/logout` and `GET logout`. The console does not read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SignedOut {
    /// Always true.
    pub signed_out: bool,
}
