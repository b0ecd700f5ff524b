//! Users with an account of this program, as administrators see them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// User with an account of this program. Times are in RFC 3339, UTC.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// User name, which identifies the account.
    pub username: String,
    /// Full name; null if it is not known.
    pub name: Option<String>,
    /// Email address, under which changes are recorded; null without one.
    pub email: Option<String>,
    /// Names of the permissions, such as `CREATE_FEATURE`; `ADMIN` includes all.
    pub permissions: Vec<String>,
    /// True if an administrator has disabled the account: the user cannot sign in.
    pub is_disabled: bool,
    /// Time when the one-time password expires; null if the user has chosen the password.
    pub one_time_until: Option<String>,
    /// Creation time.
    pub created_at: String,
}

/// User to add.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AccountDraft {
    /// User name.
    pub username: String,
    /// Full name.
    pub name: Option<String>,
    /// Email address, under which changes are recorded.
    pub email: Option<String>,
    /// Names of the permissions.
    pub permissions: Vec<String>,
}

/// Change of the permissions of a user. Permissions that are in neither list stay as they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PermissionChange {
    /// Names of the permissions to grant.
    pub granted: Vec<String>,
    /// Names of the permissions to revoke.
    pub revoked: Vec<String>,
}

/// User with a new one-time password, which no other response contains.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountWithPassword {
    /// The user.
    #[serde(flatten)]
    pub account: Account,
    /// Password for one sign-in, with which the user chooses another one.
    pub one_time_password: String,
}

/// Response of `GET api/admin/users`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UsersResponse {
    /// Users, sorted by name.
    pub users: Vec<Account>,
}

impl fmt::Debug for AccountWithPassword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccountWithPassword").field("account", &self.account).finish_non_exhaustive()
    }
}
