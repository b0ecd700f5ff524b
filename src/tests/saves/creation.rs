//! Creation of toggles, also as copies.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{Setup, assert_error, rollout};
use crate::support::newer_server::{Reaction, VERSIONS, Version};

const FEATURES: &str = "/api/admin/features";

#[actix_web::test]
async fn creates_a_toggle_with_its_state() {
    for version in VERSIONS {
        let setup = Setup::start(version, &[]).await;
        let body = json!({
            "name": "copy", "type": "experiment", "description": "d", "project": "default", "impressionData": true,
            "stale": true, "enabled": true, "createdAt": "2020-01-01T00:00:00Z", "tags": [{ "type": "no", "value": "such" }],
            "strategies": [{ "id": "other", "name": "default", "parameters": {} }, rollout(5)],
        });
        let created = setup.send(Method::POST, FEATURES, &[], &body).await;
        assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
        let toggle = created.json();
        for key in ["name", "type", "description", "impressionData", "stale", "enabled"] {
            assert_eq!(toggle[key], body[key], "{key}");
        }
        let stored = setup.server.model(|model| model.strategies("copy"));
        let names: Vec<_> = stored.iter().map(|strategy| strategy["name"].clone()).collect();
        assert_eq!(names, ["default", "flexibleRollout"]);
        assert_eq!(setup.server.take_changes().last().unwrap(), "POST /copy/environments/development/on");
        // The servers fail at unknown tags, and this request has other properties that they do not expect.
        assert_eq!(setup.server.model(|model| model.toggles["copy"]["tags"].clone()), Value::Null);
    }
}

#[actix_web::test]
async fn a_name_that_is_taken_is_refused_by_the_server() {
    let setup = Setup::start(Version::V8_2, &[]).await;
    let response = setup.send(Method::POST, FEATURES, &[], &json!({ "name": "search" })).await;
    assert_eq!(
        (response.status, &response.json()["name"]),
        (StatusCode::CONFLICT, &json!("NameExistsError"))
    );
    let unnamed = setup.send(Method::POST, FEATURES, &[], &json!({ "type": "release" })).await;
    assert_eq!(unnamed.status, StatusCode::BAD_REQUEST);
}

#[actix_web::test]
async fn asks_before_anything_is_created() {
    for (state, code) in [
        (json!({ "enabled": true }), "would_add_rollout"),
        (
            json!({ "enabled": true, "strategies": [{ "name": "x", "disabled": true }] }),
            "would_enable_strategies",
        ),
        (json!({ "variants": [{ "name": "blue", "weight": 1000 }] }), "variants_deprecated"),
    ] {
        let setup = Setup::start(Version::V8_2, &[]).await;
        let mut body = json!({ "name": "new", "type": "release" });
        body.as_object_mut().unwrap().extend(state.as_object().unwrap().clone());
        assert_error(&setup.send(Method::POST, FEATURES, &[], &body).await, StatusCode::CONFLICT, code);
        assert_eq!(setup.server.take_changes(), Vec::<String>::new());
        let confirmed = format!("{FEATURES}?confirm={code}");
        let created = setup.send(Method::POST, &confirmed, &[], &body).await;
        assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
    }
}

#[actix_web::test]
async fn a_creation_in_part_is_reported() {
    let setup = Setup::start(Version::V8_2, &[]).await;
    let refusal = json!({ "message": "Unknown strategy" });
    setup.server.react("POST /new/environments/development/strategies", Reaction::Refuse(400, refusal));
    let body =
        json!({ "name": "new", "type": "release", "enabled": true, "strategies": [rollout(1), rollout(2)] });
    let response = setup.send(Method::POST, FEATURES, &[], &body).await;
    assert_error(&response, StatusCode::BAD_REQUEST, "half_saved");
    let half = response.json();
    assert_eq!(
        (&half["done"], &half["of"], &half["refused"]),
        (&json!(1), &json!(4), &json!("Unknown strategy"))
    );
    assert_eq!((&half["toggle"]["name"], &half["toggle"]["enabled"]), (&json!("new"), &json!(false)));
}

#[actix_web::test]
async fn names_are_validated_by_the_server() {
    let setup = Setup::start(Version::V8_2, &[]).await;
    let path = format!("{FEATURES}/validate");
    assert_eq!(setup.send(Method::POST, &path, &[], &json!({ "name": "x" })).await.status, StatusCode::OK);
    assert_eq!(setup.server.take_changes(), ["POST /features/validate"]);
}
