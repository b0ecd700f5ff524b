//! Toggles that are marked as stale or archived.

use std::sync::Arc;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::sync::Notify;

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

/// The server has the first change, and the second one waits for it.
#[actix_web::test]
async fn changes_of_disconnected_clients_run_in_their_order() {
    let setup = Setup::start(Version::V8_2, &[]).await;
    let (first, second) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    setup.server.react("PATCH /search", Reaction::Wait(Arc::clone(&first)));
    setup.server.react("PATCH /search", Reaction::Wait(Arc::clone(&second)));
    let begin = async |state: &str| {
        let mut connection = setup.app.connect().await;
        let head = format!(
            "POST {SEARCH}/stale/{state} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nFlagdeck-Environment: development\r\nContent-Length: 0\r\n\r\n"
        );
        connection.write_all(head.as_bytes()).await.unwrap();
        connection
    };
    let writing = begin("on").await;
    setup.server.wait_for("PATCH /search").await;
    let waiting = begin("off").await;
    // A request on another connection shows that the app has received the second change, and then the end of both.
    assert_eq!(setup.app.get("/-/health").await.status, StatusCode::OK);
    drop((writing, waiting));
    assert_eq!(setup.app.get("/-/health").await.status, StatusCode::OK);
    first.notify_one();
    setup.server.wait_for_number("PATCH /search", 2).await;
    second.notify_one();
    // A third change follows both.
    let third = setup.send(Method::POST, &format!("{SEARCH}/stale/on"), &[], &Value::Null).await;
    assert_eq!((third.status, &third.json()["stale"]), (StatusCode::OK, &json!(true)));
    assert_eq!(setup.server.take_changes(), ["PATCH /search"; 3]);
}
