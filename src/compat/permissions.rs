//! The permissions of the user in one project and environment.

use actix_web::HttpResponse;
use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::failure::Failure;
use super::{Call, json as json_response, scope};
use crate::config::DEFAULT_PROJECT;
use crate::error::ApiError;

/// Responds with the user and the permissions in the selected environment.
pub(super) async fn read_user(call: &Call) -> Result<HttpResponse, Failure> {
    let reply = call.caller.request(Method::GET, "/user", None).await?;
    let mut user: Value = reply.parse("/user")?;
    call.caches.sessions.apply(call.user, call.caller.address(), Ok(reply)).await?;
    // Without a selected environment nothing that is limited to one applies.
    let environment = call.environment().ok();
    let project = scope::projects(&call.server).first().copied().unwrap_or(DEFAULT_PROJECT);
    select(&mut user, project, environment);
    Ok(json_response(StatusCode::OK, serde_json::to_vec(&user).map_err(ApiError::internal)?))
}

/// Selects the permissions of the response to `GET user` that apply to the project and the environment. Newer servers
/// list permissions with the project and the environment for which they were granted; a permission without them applies
/// to all.
///
/// Other responses, such as from a server without permissions, stay unchanged.
pub(super) fn select(user: &mut Value, project: &str, environment: Option<&str>) {
    let Some(permissions) = user.get_mut("permissions").and_then(Value::as_array_mut) else { return };
    permissions.retain(|entry| {
        applies(entry.get("project"), Some(project)) && applies(entry.get("environment"), environment)
    });
    let has = |name: &str| permissions.iter().any(|entry| entry.get("permission") == Some(&json!(name)));
    // These servers have no permissions for tags: UPDATE_FEATURE includes them.
    if has("UPDATE_FEATURE") {
        for name in ["CREATE_TAG", "DELETE_TAG"] {
            permissions.push(json!({ "permission": name }));
        }
    }
}

/// Returns whether a permission that was granted for `granted` applies to `selected`. Servers write missing values as null,
/// as an empty text or not at all, and `*` for all projects.
pub(super) fn applies(granted: Option<&Value>, selected: Option<&str>) -> bool {
    match granted.and_then(Value::as_str) {
        None | Some("" | "*") => true,
        Some(granted) => Some(granted) == selected,
    }
}

/// Returns true for the permission ADMIN without limits. Servers write a permission as its name or as an object.
pub(super) fn is_admin(entry: &Value) -> bool {
    let name = entry.get("permission").unwrap_or(entry);
    let is_global = ["project", "environment"].iter().all(|limit| applies(entry.get(limit), None));
    name == "ADMIN" && is_global
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::select;

    fn names(user: &Value) -> Vec<&str> {
        let permissions = user["permissions"].as_array().unwrap();
        permissions.iter().map(|entry| entry["permission"].as_str().unwrap()).collect()
    }

    #[test]
    fn selects_by_project_and_environment() {
        let user = json!({ "user": { "id": 1 }, "permissions": [
            { "permission": "CREATE_ADDON" },
            { "permission": "CREATE_FEATURE", "project": "shop" },
            { "permission": "DELETE_FEATURE", "project": "other" },
            { "permission": "MOVE_FEATURE", "project": "*" },
            { "permission": "UPDATE_FEATURE_ENVIRONMENT", "project": "shop", "environment": "development" },
            { "permission": "CREATE_FEATURE_STRATEGY", "project": "shop", "environment": "production" },
            { "permission": "UPDATE_FEATURE_STRATEGY", "project": "shop", "environment": "" },
            { "permission": "DELETE_FEATURE_STRATEGY", "project": null, "environment": null },
        ] });
        for (environment, expected) in [
            (Some("development"), vec!["UPDATE_FEATURE_ENVIRONMENT"]),
            (Some("production"), vec!["CREATE_FEATURE_STRATEGY"]),
            // Without a selected environment nothing that is limited to one applies.
            (None, vec![]),
        ] {
            let mut user = user.clone();
            select(&mut user, "shop", environment);
            let mut all = vec!["CREATE_ADDON", "CREATE_FEATURE", "MOVE_FEATURE"];
            all.extend(expected);
            all.extend(["UPDATE_FEATURE_STRATEGY", "DELETE_FEATURE_STRATEGY"]);
            assert_eq!(names(&user), all, "{environment:?}");
        }
    }

    #[test]
    fn update_feature_includes_tags_and_an_empty_list_stays_empty() {
        let mut editor = json!({ "permissions": [{ "permission": "UPDATE_FEATURE", "project": "shop" }] });
        select(&mut editor, "shop", None);
        assert_eq!(names(&editor), ["UPDATE_FEATURE", "CREATE_TAG", "DELETE_TAG"]);
        let mut viewer = json!({ "permissions": [] });
        select(&mut viewer, "shop", None);
        assert_eq!(viewer, json!({ "permissions": [] }));
    }

    #[test]
    fn keeps_responses_without_permissions() {
        for user in [json!({ "user": {} }), json!({ "permissions": null }), json!("text")] {
            let mut selected = user.clone();
            select(&mut selected, "shop", None);
            assert_eq!(selected, user);
        }
    }
}
