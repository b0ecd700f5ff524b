//! Custom strategy definitions and context fields.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{JSON, assert_empty, message};
use crate::support::app::{Response, TestApp};

const STRATEGIES: &str = "/api/admin/strategies";
const BY_REGION: &str = "/api/admin/strategies/byRegion";
const CONTEXT: &str = "/api/admin/context";
const REGION: &str = "/api/admin/context/region";

async fn put(app: &TestApp, path: &str, body: &Value) -> Response {
    app.send(Method::PUT, path, &[JSON], &body.to_string()).await
}

async fn delete(app: &TestApp, path: &str) -> Response {
    app.send(Method::DELETE, path, &[], "").await
}

fn by_region() -> Value {
    json!({
        "name": "byRegion", "description": "by region",
        "parameters": [{ "name": "regions", "type": "list", "description": "codes", "required": true }],
    })
}

fn region() -> Value {
    json!({
        "name": "region", "description": "Region", "legalValues": ["eu", "us, east"], "stickiness": true,
        "sortOrder": 5,
    })
}

/// Returns all events, newest first: type, data and diffs.
async fn history(app: &TestApp) -> Vec<Value> {
    let events = app.get("/api/admin/events").await.json()["events"].take();
    let summary = |event: &Value| json!([event["type"], event["data"], event["diffs"]]);
    events.as_array().unwrap().iter().map(summary).collect()
}

fn assert_created(response: &Response) {
    assert_eq!((response.status, response.body.as_str()), (StatusCode::CREATED, ""));
}

#[actix_web::test]
async fn strategies_can_be_created_changed_and_deleted() {
    let app = TestApp::embedded().await;
    // proves S7-044: create
    assert_created(&app.post(STRATEGIES, &by_region()).await);
    let mut strategy = by_region();
    strategy["editable"] = json!(true);
    strategy["deprecated"] = json!(false);
    assert_eq!(app.get(BY_REGION).await.json(), strategy);
    let again = app.post(STRATEGIES, &by_region()).await;
    assert_eq!((again.status, &again.json()["name"]), (StatusCode::CONFLICT, &json!("NameExistsError")));
    // proves S7-047, S7-048: deprecate and reactivate; an update in between does not change it
    for (action, deprecated) in [("deprecate", true), ("reactivate", false), ("deprecate", true)] {
        assert_empty(&app.post(&format!("{BY_REGION}/{action}"), &Value::Null).await);
        assert_eq!(app.get(BY_REGION).await.json()["deprecated"], deprecated);
    }
    // proves S7-045: update, with defaults for missing properties
    assert_empty(&put(&app, BY_REGION, &json!({ "parameters": [{ "name": "regions" }] })).await);
    let parameter = json!({ "name": "regions", "type": "string", "description": "", "required": false });
    let edited = json!({
        "name": "byRegion", "description": null, "parameters": [parameter], "editable": true,
        "deprecated": true,
    });
    assert_eq!(app.get(BY_REGION).await.json(), edited);
    // proves S7-046: delete
    assert_empty(&delete(&app, BY_REGION).await);
    assert_eq!(app.get(BY_REGION).await.status, StatusCode::NOT_FOUND);
    let history = history(&app).await;
    let kinds: Vec<&str> = history.iter().map(|event| event[0].as_str().unwrap()).collect();
    assert_eq!(
        kinds,
        [
            "strategy-deleted",
            "strategy-updated",
            "strategy-deprecated",
            "strategy-reactivated",
            "strategy-deprecated",
            "strategy-created"
        ]
    );
    assert_eq!(history[5], json!(["strategy-created", strategy, null]));
    assert_eq!(history[3], json!(["strategy-reactivated", { "name": "byRegion" }, []]));
}

#[actix_web::test]
async fn built_in_strategies_cannot_be_changed() {
    let app = TestApp::embedded().await;
    let before = app.get(STRATEGIES).await.json();
    let built_in = format!("{STRATEGIES}/userWithId");
    for (response, said) in [
        (put(&app, &built_in, &by_region()).await, "userWithId is built in and cannot be edited"),
        (delete(&app, &built_in).await, "userWithId is built in and cannot be deleted"),
        (
            app.post(&format!("{STRATEGIES}/default/deprecate"), &Value::Null).await,
            "The default strategy cannot be deprecated",
        ),
    ] {
        assert_eq!((response.status, message(&response).as_str()), (StatusCode::FORBIDDEN, said));
    }
    assert_eq!(app.get(STRATEGIES).await.json(), before);
    assert_eq!(history(&app).await, [Value::Null; 0]);
}

#[actix_web::test]
async fn rejects_invalid_strategies() {
    let app = TestApp::embedded().await;
    let body =
        json!({ "name": "bad strat", "parameters": [{ "type": "list" }, { "name": "n", "type": "map" }] });
    let response = app.post(STRATEGIES, &body).await;
    let said: Vec<Value> = response.json()["details"]
        .as_array()
        .unwrap()
        .iter()
        .map(|detail| detail["message"].clone())
        .collect();
    assert_eq!(
        said,
        [
            "\"name\" must be URL friendly",
            "\"parameters[0].name\" is required",
            "\"parameters[1].type\" must be one of [string, percentage, list, number, boolean]"
        ]
    );
    for response in [
        put(&app, BY_REGION, &by_region()).await,
        delete(&app, BY_REGION).await,
        app.post(&format!("{BY_REGION}/deprecate"), &Value::Null).await,
        app.post(&format!("{BY_REGION}/reactivate"), &Value::Null).await,
    ] {
        assert_eq!(response.status, StatusCode::NOT_FOUND);
    }
}

#[actix_web::test]
async fn context_fields_can_be_created_changed_and_deleted() {
    let app = TestApp::embedded().await;
    // proves S7-050: create; legal values may contain commas
    assert_created(&app.post(CONTEXT, &region()).await);
    let mut field = app.get(REGION).await.json();
    assert!(field["createdAt"].is_string());
    field.as_object_mut().unwrap().remove("createdAt");
    assert_eq!(field, region());
    // proves S7-051: update and delete
    let edited = json!({ "name": "region", "description": "R", "legalValues": [] });
    assert_empty(&put(&app, REGION, &edited).await);
    let mut field = app.get(REGION).await.json();
    field.as_object_mut().unwrap().remove("createdAt");
    assert_eq!(field, json!({ "name": "region", "description": "R", "stickiness": false, "sortOrder": 10 }));
    assert_empty(&delete(&app, REGION).await);
    let history = history(&app).await;
    assert_eq!(history[0][0], "context-field-deleted");
    assert_eq!(history[1][1], field);
    assert_eq!(history[2], json!(["context-field-created", region(), null]));
}

#[actix_web::test]
async fn context_field_names_are_validated() {
    let app = TestApp::embedded().await;
    let validate = format!("{CONTEXT}/validate");
    // proves S7-052: a free name, a taken name, an invalid name
    assert_empty(&app.post(&validate, &json!({ "name": "region" })).await);
    for (name, status, said) in [
        ("userId", StatusCode::CONFLICT, "A context field called userId already exists"),
        ("a b", StatusCode::BAD_REQUEST, "\"name\" must be URL friendly"),
    ] {
        for path in [validate.as_str(), CONTEXT] {
            let response = app.post(path, &json!({ "name": name })).await;
            assert_eq!((response.status, message(&response).as_str()), (status, said), "{path}");
        }
    }
    let disordered = app.post(CONTEXT, &json!({ "name": "region", "sortOrder": 1.5 })).await;
    assert_eq!(message(&disordered), "\"sortOrder\" must be an integer");
    for response in [put(&app, REGION, &region()).await, delete(&app, REGION).await] {
        assert_eq!(
            (response.status, message(&response).as_str()),
            (StatusCode::NOT_FOUND, "Could not find context field")
        );
    }
}
