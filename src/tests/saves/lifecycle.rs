//! Toggles that are marked as stale or archived.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{SEARCH, Setup, assert_error};
use crate::support::newer_server::{Reaction, VERSIONS, Version};

#[actix_web::test]
async fn stale_changes_only_this_property() {
    for version in VERSIONS {
        let setup = Setup::start(version, &[]).await;
        for (state, expected) in [("on", true), ("off", false)] {
            let path = format!("{SEARCH}/stale/{state}");
            let response = setup.send(Method::POST, &path, &[], &Value::Null).await;
            assert_eq!((response.status, &response.json()["stale"]), (StatusCode::OK, &json!(expected)));
            assert_eq!(setup.server.model(|model| model.toggles["search"]["impressionData"].clone()), true);
        }
        assert_eq!(setup.server.take_changes(), ["PATCH /search", "PATCH /search"]);
    }
}

#[actix_web::test]
async fn archives_a_toggle() {
    let setup = Setup::start(Version::V8_2, &[]).await;
    let archived = setup.send(Method::DELETE, SEARCH, &[], &Value::Null).await;
    assert_eq!(archived.status, StatusCode::ACCEPTED);
    let missing = setup.send(Method::GET, SEARCH, &[], &Value::Null).await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn a_toggle_that_others_depend_on_is_not_archived() {
    let setup = Setup::start(Version::V8_2, &[]).await;
    setup.server.model(|model| {
        model.toggles.get_mut("search").unwrap()["children"] = json!(["search.beta", "search.new"]);
    });
    let refused = setup.send(Method::DELETE, SEARCH, &[], &Value::Null).await;
    assert_error(&refused, StatusCode::FORBIDDEN, "has_dependents");
    assert!(refused.body.contains("search.beta, search.new"), "{}", refused.body);
    // Another reason is passed on.
    let denied = json!({ "name": "PermissionError", "message": "You need DELETE_FEATURE" });
    setup.server.react("DELETE /search", Reaction::Refuse(403, denied.clone()));
    assert_eq!(setup.send(Method::DELETE, SEARCH, &[], &Value::Null).await.json(), denied);
}

#[actix_web::test]
async fn a_missing_toggle_is_not_found_on_every_version() {
    for version in VERSIONS {
        let setup = Setup::start(version, &[]).await;
        setup.server.model(|model| model.toggles.clear());
        let body = json!({ "description": "d" });
        for (method, path) in [
            (Method::GET, SEARCH.to_owned()),
            (Method::PUT, SEARCH.to_owned()),
            (Method::DELETE, SEARCH.to_owned()),
            (Method::POST, format!("{SEARCH}/stale/on")),
        ] {
            let response = setup.send(method.clone(), &path, &[], &body).await;
            assert_eq!(
                response.status,
                StatusCode::NOT_FOUND,
                "{version:?} {method} {path}: {}",
                response.body
            );
        }
    }
}
