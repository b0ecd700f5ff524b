//! Tag types, tags, and tags of toggles.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{FEATURES, JSON, assert_empty, create, message, names, plain};
use crate::support::app::{Response, TestApp};

const TYPES: &str = "/api/admin/tag-types";
const TAGS: &str = "/api/admin/tags";
const PROBE_TAGS: &str = "/api/admin/features/probe/tags";

fn team() -> Value {
    json!({ "name": "team", "description": "Owning team", "icon": "T" })
}

async fn delete(app: &TestApp, path: &str) -> Response {
    app.send(Method::DELETE, path, &[], "").await
}

/// Returns all events, newest first: type, data and diffs.
async fn history(app: &TestApp) -> Vec<Value> {
    let events = app.get("/api/admin/events").await.json()["events"].take();
    let summary = |event: &Value| json!([event["type"], event["data"], event["diffs"]]);
    events.as_array().unwrap().iter().map(summary).collect()
}

#[actix_web::test]
async fn tag_types_can_be_created_changed_and_deleted() {
    let app = TestApp::embedded().await;
    // proves S7-035: the list, which starts with the built-in type
    let list = app.get(TYPES).await.json();
    assert_eq!((&list["version"], &list["tagTypes"][0]["name"]), (&json!(1), &json!("simple")));
    // proves S7-036: a free name
    let valid = app.post(&format!("{TYPES}/validate"), &json!({ "name": "team" })).await;
    assert_eq!(valid.json(), json!({ "valid": true, "tagType": { "name": "team" } }));
    // proves S7-037: the created type is returned
    let created = app.post(TYPES, &team()).await;
    assert_eq!((created.status, created.json()), (StatusCode::CREATED, team()));
    let path = format!("{TYPES}/team");
    assert_eq!(app.get(&path).await.json(), json!({ "version": 1, "tagType": team() }));
    let mut edited = team();
    edited["description"] = json!("Owner");
    // proves S7-038: update
    assert_empty(&app.send(Method::PUT, &path, &[JSON], &edited.to_string()).await);
    assert_eq!(app.get(TYPES).await.json()["tagTypes"][1], edited);
    // proves S7-039: delete, also of a missing type
    assert_empty(&delete(&app, &path).await);
    assert_empty(&delete(&app, &path).await);
    assert_eq!(app.get(&path).await.status, StatusCode::NOT_FOUND);
    assert_eq!(
        history(&app).await,
        [
            json!(["tag-type-deleted", { "name": "team" }, [
                { "kind": "D", "path": ["description"], "lhs": "Owner" },
                { "kind": "D", "path": ["icon"], "lhs": "T" },
            ]]),
            json!(["tag-type-updated", edited, [
                { "kind": "E", "path": ["description"], "lhs": "Owning team", "rhs": "Owner" },
            ]]),
            json!(["tag-type-created", team(), null]),
        ]
    );
}

#[actix_web::test]
async fn tag_type_names_are_validated() {
    let app = TestApp::embedded().await;
    let long = "x".repeat(51);
    for (name, status, said) in [
        ("simple", StatusCode::CONFLICT, "A tag type called simple already exists"),
        ("a b", StatusCode::BAD_REQUEST, "\"name\" must be URL friendly"),
        ("a", StatusCode::BAD_REQUEST, "\"name\" length must be at least 2 characters long"),
        (&long, StatusCode::BAD_REQUEST, "\"name\" length must be less than or equal to 50 characters long"),
    ] {
        for path in [format!("{TYPES}/validate"), TYPES.to_owned()] {
            let response = app.post(&path, &json!({ "name": name })).await;
            assert_eq!((response.status, message(&response).as_str()), (status, said), "{path}");
        }
    }
    let missing = app.send(Method::PUT, &format!("{TYPES}/none"), &[JSON], "{}").await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn tags_can_be_created_and_deleted() {
    let app = TestApp::embedded().await;
    // proves S7-040: the list
    assert_eq!(app.get(TAGS).await.json(), json!({ "version": 1, "tags": [] }));
    let tag = json!({ "type": "simple", "value": "50 % / off?" });
    let validate = format!("{TAGS}/validate");
    assert_empty(&app.post(&validate, &tag).await);
    // proves S7-041: create
    let created = app.post(TAGS, &tag).await;
    assert_eq!((created.status, created.body.as_str()), (StatusCode::CREATED, ""));
    for path in [TAGS, "/api/admin/tags/simple"] {
        assert_eq!(app.get(path).await.json()["tags"], json!([tag]));
    }
    assert_eq!(app.post(&validate, &tag).await.status, StatusCode::CONFLICT);
    for invalid in [json!({ "value": "" }), json!({ "type": "none", "value": "free" })] {
        assert_eq!(app.post(&validate, &invalid).await.status, StatusCode::BAD_REQUEST, "{invalid}");
    }
    let again = app.post(TAGS, &tag).await;
    assert_eq!((again.status, &again.json()["name"]), (StatusCode::CONFLICT, &json!("NameExistsError")));
    for (tag, said) in [
        (json!({ "type": "none", "value": "alpha" }), "There is no tag type called none; create it first"),
        (json!({ "type": "simple", "value": "x" }), "\"value\" length must be at least 2 characters long"),
        (json!({ "type": "simple" }), "\"value\" is required"),
    ] {
        let response = app.post(TAGS, &tag).await;
        assert_eq!((response.status, message(&response).as_str()), (StatusCode::BAD_REQUEST, said));
    }
    // proves S7-042: delete, also of a missing tag
    for _ in 0..2 {
        assert_empty(&delete(&app, "/api/admin/tags/simple/50%20%25%20%2F%20off%3F").await);
        assert_eq!(app.get(TAGS).await.json()["tags"], json!([]));
    }
    assert_eq!(history(&app).await, [json!(["tag-deleted", tag, []]), json!(["tag-created", tag, null])]);
}

#[actix_web::test]
async fn tag_without_a_type_is_simple() {
    let app = TestApp::embedded().await;
    create(&app, &plain("probe")).await;
    for (tag, value) in
        [(json!({ "value": "alpha" }), "alpha"), (json!({ "type": "", "value": "beta" }), "beta")]
    {
        // proves S3-015, S5-030, S9-012: the type is simple if it is missing or empty
        let created = app.post(TAGS, &tag).await;
        assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
        let tagged = app.post(PROBE_TAGS, &tag).await;
        assert_eq!(
            (tagged.status, tagged.json()),
            (StatusCode::CREATED, json!({ "type": "simple", "value": value }))
        );
    }
    let refused = app.post(TAGS, &json!({ "type": null, "value": "gamma" })).await;
    assert_eq!(
        (refused.status, message(&refused).as_str()),
        (StatusCode::BAD_REQUEST, "\"type\" must be a string")
    );
}

#[actix_web::test]
async fn toggles_can_be_tagged_and_filtered_by_tag() {
    let app = TestApp::embedded().await;
    app.post(TYPES, &team()).await;
    create(&app, &plain("probe")).await;
    create(&app, &plain("other")).await;
    let tag = json!({ "type": "team", "value": "blue:sky" });
    // proves S7-012: the tag is returned and created
    let tagged = app.post(PROBE_TAGS, &tag).await;
    assert_eq!((tagged.status, tagged.json()), (StatusCode::CREATED, tag.clone()));
    assert_eq!(app.get(TAGS).await.json()["tags"], json!([tag]));
    assert_eq!(app.post(PROBE_TAGS, &tag).await.status, StatusCode::CONFLICT);
    // proves S7-013: the tags of a toggle
    assert_eq!(app.get(PROBE_TAGS).await.json(), json!({ "version": 1, "tags": [tag] }));
    for (query, found) in [
        ("tag=team:blue%3Asky", vec!["probe"]),
        ("tag=team:red&tag=team:blue:sky", vec!["probe"]),
        ("tag=team:blue", vec![]),
    ] {
        assert_eq!(names(&app, &format!("{FEATURES}?{query}")).await, found, "{query}");
    }
    let colonless = app.get(&format!("{FEATURES}?tag=team")).await;
    assert_eq!(message(&colonless), "\"tag\" must have the format type:value");
    // proves S7-014: untag, also a missing tag; the tag itself remains
    for _ in 0..2 {
        assert_empty(&delete(&app, &format!("{PROBE_TAGS}/team/blue%3Asky")).await);
        assert_eq!(app.get(PROBE_TAGS).await.json()["tags"], json!([]));
    }
    assert_eq!(app.get(TAGS).await.json()["tags"], json!([tag]));
    let one = app.get(&format!("{TAGS}/team/blue%3Asky")).await.json();
    assert_eq!(one, json!({ "version": 1, "tag": tag }));
    assert_eq!(app.get(&format!("{TAGS}/team/none")).await.status, StatusCode::NOT_FOUND);
    let data = json!({ "featureName": "probe", "tag": tag });
    assert_eq!(
        history(&app).await[..3],
        [
            json!(["feature-untagged", data, []]),
            json!(["feature-tagged", data, null]),
            json!(["tag-created", tag, null]),
        ]
    );
}

#[actix_web::test]
async fn deleting_a_tag_type_deletes_its_tags() {
    let app = TestApp::embedded().await;
    app.post(TYPES, &team()).await;
    create(&app, &plain("probe")).await;
    app.post(PROBE_TAGS, &json!({ "type": "team", "value": "blue" })).await;
    app.post(PROBE_TAGS, &json!({ "type": "simple", "value": "stays" })).await;
    delete(&app, &format!("{TYPES}/team")).await;
    let left = json!([{ "type": "simple", "value": "stays" }]);
    assert_eq!(app.get(PROBE_TAGS).await.json()["tags"], left);
    assert_eq!(app.get(TAGS).await.json()["tags"], left);
}

#[actix_web::test]
async fn tags_of_a_missing_toggle_return_404() {
    let app = TestApp::embedded().await;
    let tag = json!({ "type": "simple", "value": "alpha" });
    assert_eq!(app.get(PROBE_TAGS).await.status, StatusCode::NOT_FOUND);
    assert_eq!(app.post(PROBE_TAGS, &tag).await.status, StatusCode::NOT_FOUND);
    assert_eq!(app.get(TAGS).await.json()["tags"], json!([]));
    create(&app, &plain("probe")).await;
    let unknown = app.post(PROBE_TAGS, &json!({ "type": "none", "value": "alpha" })).await;
    assert_eq!(unknown.status, StatusCode::BAD_REQUEST);
}
