//! Checks the permissions of users.

use crate::api::{self, User};

pub use crate::config::Permission;

impl User {
    /// Returns true if the user has the permission. A user with ADMIN or without a list of permissions has all.
    #[must_use]
    pub fn has_permission(&self, permission: Permission) -> bool {
        let has = |wanted: Permission| {
            let wanted = wanted.to_string();
            self.permissions.iter().flatten().any(|granted| granted.name() == wanted)
        };
        self.permissions.is_none() || has(Permission::Admin) || has(permission)
    }
}

impl api::Permission {
    /// Returns the name in the API, such as `CREATE_FEATURE`.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Name(name) | Self::Object { permission: name } => name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Permission::{self, Admin, CreateFeature, UpdateFeature};
    use crate::api::{self, User};

    fn user(permissions: Option<&[Permission]>) -> User {
        let names = |list: &[Permission]| {
            list.iter().map(|permission| api::Permission::Name(permission.to_string())).collect()
        };
        User { permissions: permissions.map(names), ..User::default() }
    }

    #[test]
    fn admin_and_a_missing_list_grant_all_permissions() {
        // proves S6-002 S6-003
        for (permissions, allowed) in [
            (None, true),
            (Some(&[Admin][..]), true),
            (Some(&[UpdateFeature, CreateFeature]), true),
            (Some(&[UpdateFeature]), false),
            (Some(&[]), false),
        ] {
            assert_eq!(user(permissions).has_permission(CreateFeature), allowed, "{permissions:?}");
        }
        assert!(!user(Some(&[CreateFeature])).has_permission(Admin));
    }
}
