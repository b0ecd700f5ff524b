//! Copies of toggles.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{Setup, rollout};
use crate::support::newer_server::{Reaction, VERSIONS, Version};

const COPY: &str = "/api/admin/features?copyOf=search&replaceGroupId=";

/// A toggle that is on in `development` with two strategies, and has a strategy in `production` and a tag.
async fn start(version: Version) -> Setup {
    let mut grouped = rollout(20);
    grouped["parameters"]["groupId"] = json!("search");
    let setup = Setup::start(version, &[rollout(10), grouped.clone()]).await;
    setup.server.model(|model| {
        assert_eq!(model.add_strategy("search", "production", &grouped).0, 200);
        model.tags.insert("search".to_owned(), vec![json!({ "type": "simple", "value": "team a" })]);
    });
    setup
}

/// Returns the body that the console sends: the toggle with another name and without ids.
async fn body(setup: &Setup, name: &str, group_id: &str) -> Value {
    let (mut toggle, _) = setup.read().await;
    toggle["name"] = json!(name);
    for strategy in toggle["strategies"].as_array_mut().unwrap() {
        strategy.as_object_mut().unwrap().remove("id");
        if let Some(stored) = strategy["parameters"].get_mut("groupId") {
            *stored = json!(group_id);
        }
    }
    toggle
}

fn group_ids(setup: &Setup, environment: &str) -> Vec<Value> {
    let strategies = setup.server.model(|model| model.state("copy", environment)["strategies"].clone());
    let group_id = |strategy: &Value| strategy["parameters"].get("groupId").cloned();
    strategies.as_array().unwrap().iter().filter_map(group_id).collect()
}

#[actix_web::test]
async fn copies_all_environments_and_tags_with_one_request() {
    for version in VERSIONS {
        for (replaces, group_id) in [("true", "copy"), ("false", "search")] {
            let setup = start(version).await;
            let body = body(&setup, "copy", group_id).await;
            let copied = setup.send(Method::POST, &format!("{COPY}{replaces}"), &[], &body).await;
            assert_eq!(copied.status, StatusCode::CREATED, "{}", copied.body);
            assert_eq!((&copied.json()["name"], &copied.json()["enabled"]), (&json!("copy"), &json!(true)));
            assert_eq!(
                setup.server.take_changes(),
                ["POST /search/clone", "POST /features/copy/tags", "POST /copy/environments/development/on"]
            );
            let tags = setup.server.model(|model| model.tags["copy"].clone());
            assert_eq!(tags, [json!({ "type": "simple", "value": "team a" })]);
            for environment in ["development", "production"] {
                assert_eq!(group_ids(&setup, environment), [group_id], "{version:?} {environment}");
            }
            assert_eq!(
                setup.server.model(|model| model.state("copy", "production")["enabled"].clone()),
                false
            );
        }
    }
}

#[actix_web::test]
async fn other_changes_create_the_toggle_anew() {
    for change in
        [json!({ "description": "other" }), json!({ "strategies": [rollout(1)] }), json!({ "stale": true })]
    {
        let setup = start(Version::V8_2).await;
        let mut body = body(&setup, "copy", "copy").await;
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let created = setup.send(Method::POST, &format!("{COPY}true"), &[], &body).await;
        assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
        assert_eq!(setup.server.take_changes()[0], "POST ", "{change}");
    }
}

#[actix_web::test]
async fn a_copy_that_cannot_be_completed_is_reported() {
    let setup = start(Version::V8_2).await;
    setup.server.react("POST /features/copy/tags", Reaction::Refuse(403, json!({ "message": "You need X" })));
    let body = body(&setup, "copy", "copy").await;
    let response = setup.send(Method::POST, &format!("{COPY}true"), &[], &body).await;
    super::assert_error(&response, StatusCode::FORBIDDEN, "half_saved");
    assert_eq!((&response.json()["done"], &response.json()["of"]), (&json!(1), &json!(3)));
    assert_eq!(response.json()["toggle"]["name"], "copy");
}

#[actix_web::test]
async fn a_copy_asks_before_the_server_changes_more() {
    let setup = Setup::start(Version::V8_2, &[]).await;
    let body = body(&setup, "copy", "copy").await;
    let refused = setup.send(Method::POST, &format!("{COPY}true"), &[], &body).await;
    super::assert_error(&refused, StatusCode::CONFLICT, "would_add_rollout");
    assert_eq!(setup.server.take_changes(), Vec::<String>::new());
}
