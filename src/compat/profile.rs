//! The profile of a user of the flag service, as far as Flagdeck decides with it itself.

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::permissions;
use crate::middleware::signed_in_user::UserHash;

/// The response of the flag service to `GET user`.
#[derive(Debug)]
pub(super) struct Profile {
    /// Email address, user name or display name.
    pub(super) name: String,
    /// Hash of everything that identifies the user.
    pub(super) hash: UserHash,
    /// Permissions; `None` if the server has none, so that every user may change everything.
    permissions: Option<Vec<Value>>,
}

impl Profile {
    /// Returns a hash of what identifies the user, whatever the credentials of a request are.
    pub(super) fn identity(&self) -> [u8; 32] {
        Sha256::digest(&self.name).into()
    }

    /// Parses the response; `None` if it does not describe a user.
    pub(super) fn parse(body: &[u8]) -> Option<Self> {
        let response: Value = serde_json::from_slice(body).ok()?;
        let user = response.get("user").filter(|user| user.is_object()).unwrap_or(&response);
        let name = ["email", "username", "name"].iter().find_map(|field| user.get(field)?.as_str())?;
        // An address can change, and numbers of custom sign-ins need not be unique.
        let identifier = |field: &str| user.get(field).map(Value::to_string).unwrap_or_default();
        let identifiers = ["id", "username", "email"].map(identifier);
        let hash = UserHash::new("upstream", &identifiers.each_ref().map(String::as_str));
        let lists = [response.get("permissions"), user.get("permissions")];
        let list = lists.into_iter().flatten().find_map(Value::as_array);
        Some(Self { name: name.to_owned(), hash, permissions: list.cloned() })
    }

    /// Returns true if the user may update the toggles of a project; without one, of all projects.
    pub(super) fn may_update(&self, project: Option<&str>) -> bool {
        let grants = |entry: &Value| {
            let name = entry.get("permission").unwrap_or(entry);
            permissions::is_admin(entry)
                || (name == "UPDATE_FEATURE" && permissions::applies(entry.get("project"), project))
        };
        self.permissions.as_ref().is_none_or(|list| list.iter().any(grants))
    }

    /// Returns true if the user may change everything.
    pub(super) fn is_administrator(&self) -> bool {
        self.permissions.as_ref().is_none_or(|list| list.iter().any(permissions::is_admin))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Profile;

    #[test]
    fn permission_to_update_toggles_applies_to_its_project() {
        for (user, project, expected) in [
            (json!({ "email": "a@b" }), "default", Some(true)),
            (json!({ "username": "a", "permissions": ["UPDATE_FEATURE"] }), "default", Some(true)),
            (json!({ "username": "a", "permissions": [] }), "default", Some(false)),
            (
                json!({ "user": { "email": "a@b" }, "permissions": [{ "permission": "ADMIN" }] }),
                "shop",
                Some(true),
            ),
            (
                json!({ "user": { "email": "a@b" }, "permissions": [{ "permission": "ADMIN", "project": "till" }] }),
                "shop",
                Some(false),
            ),
            (
                json!({ "user": { "id": 1, "username": "a" }, "permissions": [{ "permission": "UPDATE_FEATURE", "project": "shop" }] }),
                "shop",
                Some(true),
            ),
            (
                json!({ "user": { "username": "a" }, "permissions": [{ "permission": "UPDATE_FEATURE", "project": "shop" }] }),
                "till",
                Some(false),
            ),
            (json!({ "permissions": [] }), "default", None),
        ] {
            let found =
                Profile::parse(user.to_string().as_bytes()).map(|profile| profile.may_update(Some(project)));
            assert_eq!(found, expected, "{user}");
        }
    }
}
