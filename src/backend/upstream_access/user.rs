//! The person in front of an upstream, for the console. Pure.

use serde_json::Value;

use crate::api::{self, User};
use crate::config::Permission;

/// Permissions of newer servers for one environment. They belong to `UPDATE_FEATURE`.
const ENVIRONMENT_PERMISSIONS: [&str; 6] = [
    "UPDATE_FEATURE_ENVIRONMENT",
    "CREATE_FEATURE_STRATEGY",
    "UPDATE_FEATURE_STRATEGY",
    "DELETE_FEATURE_STRATEGY",
    "UPDATE_FEATURE_ENVIRONMENT_VARIANTS",
    "UPDATE_FEATURE_VARIANTS",
];

/// Returns the person with the permissions that the grants and the upstream allow together. `response` is the upstream's response
/// about its user; without a list of permissions, it allows everything.
pub(super) fn narrow(person: User, response: &[u8]) -> User {
    let upstream = upstream_permissions(response);
    let is_allowed_upstream = |name: &str| {
        upstream.as_ref().is_none_or(|names| names.iter().any(|other| other == name || other == "ADMIN"))
    };
    let has = |permission| person.has_permission(permission);
    let mut names: Vec<String> = match &upstream {
        Some(names) if has(Permission::Admin) => names.clone(),
        _ if has(Permission::Admin) => vec![Permission::Admin.to_string()],
        _ => {
            let granted = person.permissions.iter().flatten().map(api::Permission::name);
            let environment = has(Permission::UpdateFeature).then_some(ENVIRONMENT_PERMISSIONS);
            let all = granted.chain(environment.into_iter().flatten());
            all.filter(|name| is_allowed_upstream(name)).map(str::to_owned).collect()
        }
    };
    names.sort();
    names.dedup();
    let is_administrator = has(Permission::Admin).then_some(true);
    User {
        permissions: Some(names.into_iter().map(api::Permission::Name).collect()),
        is_administrator,
        ..person
    }
}

/// Returns the names in a response to `GET user`; `None` without a list.
fn upstream_permissions(response: &[u8]) -> Option<Vec<String>> {
    let user: Value = serde_json::from_slice(response).ok()?;
    let list = [user.get("permissions"), user.pointer("/user/permissions")];
    let list = list.into_iter().flatten().find_map(Value::as_array)?;
    let name = |entry: &Value| Some(entry.get("permission").unwrap_or(entry).as_str()?.to_owned());
    Some(list.iter().filter_map(name).collect())
}

#[cfg(test)]
mod tests {
    use super::narrow;
    use crate::api::{self, User};

    #[test]
    fn permissions_are_those_of_the_grants_and_of_the_upstream() {
        let editor = r#"{"user":{"id":1},"permissions":[{"permission":"CREATE_FEATURE","project":"default"},
            {"permission":"UPDATE_FEATURE"},{"permission":"UPDATE_FEATURE_ENVIRONMENT","environment":"dev"}]}"#;
        let admin = r#"{"permissions":[{"permission":"ADMIN"}]}"#;
        for (granted, upstream, expected) in [
            (&["CREATE_FEATURE"][..], editor, &["CREATE_FEATURE"][..]),
            (&["UPDATE_FEATURE"], editor, &["UPDATE_FEATURE", "UPDATE_FEATURE_ENVIRONMENT"]),
            (&["DELETE_FEATURE"], editor, &[]),
            (&["ADMIN"], editor, &["CREATE_FEATURE", "UPDATE_FEATURE", "UPDATE_FEATURE_ENVIRONMENT"]),
            (&["ADMIN"], admin, &["ADMIN"]),
            (&["CREATE_TAG"], admin, &["CREATE_TAG"]),
            (&[], admin, &[]),
            (&["CREATE_FEATURE"], r#"{"permissions":[]}"#, &[]),
            // 3.x has no permissions.
            (&["ADMIN"], r#"{"email":"a@b.c"}"#, &["ADMIN"]),
            (&["CREATE_FEATURE"], r#"{"email":"a@b.c","permissions":null}"#, &["CREATE_FEATURE"]),
            (&["CREATE_FEATURE"], "<html>", &["CREATE_FEATURE"]),
            (&["CREATE_TAG"], r#"{"user":{"permissions":["CREATE_TAG","DELETE_TAG"]}}"#, &["CREATE_TAG"]),
        ] {
            let permissions = granted.iter().map(|name| api::Permission::Name((*name).to_owned())).collect();
            let person = User { permissions: Some(permissions), ..User::default() };
            let narrowed = narrow(person, upstream.as_bytes());
            let permissions = narrowed.permissions.unwrap();
            let names: Vec<_> = permissions.iter().map(api::Permission::name).collect();
            assert_eq!(names, expected, "{granted:?} {upstream}");
            // Journal and sessions belong to this program.
            let is_administrator = granted.contains(&"ADMIN").then_some(true);
            assert_eq!(narrowed.is_administrator, is_administrator, "{granted:?} {upstream}");
        }
    }
}
