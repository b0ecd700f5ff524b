//! Segments: writes, refusals, and their effect on toggles, SDKs and the history.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{FEATURES, JSON, archive, create, message, replace};
use crate::support::app::{Response, TestApp};
use crate::support::events::EventReader;

const SEGMENTS: &str = "/api/admin/segments";
/// Header line of an SDK that supports segments.
const SPECIFICATION: &str = "unleash-client-spec: 5.1.0\r\n";

fn segment(name: &str, users: &[&str]) -> Value {
    json!({
        "name": name, "description": "Testers",
        "constraints": [{ "contextName": "userId", "operator": "IN", "values": users }],
    })
}

fn toggle_in(segments: &[u32], name: &str) -> Value {
    let strategy = json!({ "id": "1", "name": "default", "parameters": {}, "segments": segments });
    json!({ "name": name, "enabled": true, "strategies": [strategy] })
}

async fn create_segment(app: &TestApp, body: &Value) -> Value {
    let created = app.post(SEGMENTS, body).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
    created.json()
}

async fn put(app: &TestApp, id: u32, body: &Value) -> Response {
    app.send(Method::PUT, &format!("{SEGMENTS}/{id}"), &[JSON], &body.to_string()).await
}

async fn delete(app: &TestApp, id: u32) -> Response {
    app.send(Method::DELETE, &format!("{SEGMENTS}/{id}"), &[], "").await
}

fn assert_done(response: &Response) {
    assert_eq!((response.status, response.body.as_str()), (StatusCode::NO_CONTENT, ""));
}

fn assert_fails(response: &Response, status: StatusCode, said: &str) {
    assert_eq!((response.status, message(response).as_str()), (status, said));
}

#[actix_web::test]
async fn segments_are_created_replaced_and_deleted_with_their_history() {
    let app = TestApp::embedded().await;
    let created = create_segment(&app, &segment("testers", &["7"])).await;
    assert_eq!(
        (&created["id"], &created["name"], &created["project"]),
        (&json!(1), &json!("testers"), &Value::Null)
    );
    assert!(created["createdAt"].is_string() && created["createdBy"].is_string(), "{created}");
    assert_eq!(app.get(&format!("{SEGMENTS}/1")).await.json(), created);
    let mut edited = segment("beta", &["7", "8"]);
    edited["id"] = json!(5);
    assert_done(&put(&app, 1, &edited).await);
    let stored = app.get(&format!("{SEGMENTS}/1")).await.json();
    assert_eq!((&stored["name"], &stored["createdAt"]), (&json!("beta"), &created["createdAt"]));
    assert_eq!(stored["constraints"][0]["values"], json!(["7", "8"]));
    assert_done(&delete(&app, 1).await);
    assert_eq!(app.get(SEGMENTS).await.json(), json!({ "segments": [] }));
    for missing in
        [delete(&app, 1).await, put(&app, 1, &edited).await, app.get(&format!("{SEGMENTS}/x")).await]
    {
        assert_eq!(missing.status, StatusCode::NOT_FOUND, "{}", missing.body);
    }
    let events = app.get("/api/admin/events").await.json()["events"].take();
    let kinds: Vec<&str> =
        events.as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["segment-deleted", "segment-updated", "segment-created"]);
    let renamed = json!({ "kind": "E", "path": ["name"], "lhs": "testers", "rhs": "beta" });
    assert!(events[1]["diffs"].as_array().unwrap().contains(&renamed), "{}", events[1]);
    // The history of a deleted segment does not continue in another one.
    assert_eq!(create_segment(&app, &segment("new", &[])).await["id"], 2);
}

#[actix_web::test]
async fn names_are_validated() {
    let app = TestApp::embedded().await;
    create_segment(&app, &segment("testers", &["7"])).await;
    create_segment(&app, &segment("others", &["8"])).await;
    let validate = format!("{SEGMENTS}/validate");
    assert_done(&app.post(&validate, &json!({ "name": "Ö new one" })).await);
    let taken = "A segment with the name testers already exists";
    for (name, status, said) in [
        (json!("testers"), StatusCode::CONFLICT, taken),
        (json!(""), StatusCode::BAD_REQUEST, "\"name\" is not allowed to be empty"),
        (json!(1), StatusCode::BAD_REQUEST, "\"name\" must be a string"),
    ] {
        let body = json!({ "name": name, "constraints": [] });
        assert_fails(&app.post(&validate, &body).await, status, said);
        assert_fails(&app.post(SEGMENTS, &body).await, status, said);
    }
    assert_fails(&put(&app, 2, &segment("testers", &[])).await, StatusCode::CONFLICT, taken);
    assert_done(&put(&app, 1, &segment("testers", &[])).await);
    let incomplete = app.post(SEGMENTS, &json!({ "name": "x" })).await;
    assert_fails(&incomplete, StatusCode::BAD_REQUEST, "\"constraints\" is required");
    let of_project = json!({ "name": "x", "constraints": [], "project": "default" });
    let said = "\"project\" must be null: segments belong to all projects";
    assert_fails(&app.post(SEGMENTS, &of_project).await, StatusCode::BAD_REQUEST, said);
}

#[actix_web::test]
async fn segment_in_use_cannot_be_deleted() {
    let app = TestApp::embedded().await;
    create_segment(&app, &segment("testers", &["7"])).await;
    create(&app, &toggle_in(&[1], "shop.pay")).await;
    create(&app, &toggle_in(&[1], "shop.old")).await;
    archive(&app, "shop.old").await;
    let listed = app.get(SEGMENTS).await.json()["segments"][0].take();
    assert_eq!((&listed["usedInFeatures"], &listed["usedInProjects"]), (&json!(1), &json!(1)));
    let uses = app.get(&format!("{SEGMENTS}/1/strategies")).await.json();
    let one = json!({
        "id": "1", "strategyName": "default", "featureName": "shop.pay", "projectId": "default",
        "environment": "default",
    });
    assert_eq!(uses, json!({ "strategies": [one] }));
    let said =
        "The segment testers is used by shop.pay, shop.old (archived). Remove it from their strategies first";
    assert_fails(&delete(&app, 1).await, StatusCode::CONFLICT, said);
    for name in ["a", "b", "c", "d", "e"] {
        create(&app, &toggle_in(&[1], &format!("toggle.{name}"))).await;
    }
    let many = message(&delete(&app, 1).await);
    assert!(many.contains("shop.pay, toggle.a, toggle.b, toggle.c, toggle.d and 2 more"), "{many}");

    let unknown = app.post(FEATURES, &toggle_in(&[1, 2], "shop.new")).await;
    assert_fails(&unknown, StatusCode::BAD_REQUEST, "There is no segment with the id 2; create it first");
}

#[actix_web::test]
async fn change_of_a_segment_reaches_evaluations_and_sdks() {
    let app = TestApp::embedded().await;
    create_segment(&app, &segment("testers", &["7"])).await;
    create(&app, &toggle_in(&[1], "shop.pay")).await;
    create(&app, &toggle_in(&[], "shop.other")).await;
    let is_on = async |user: &str| {
        let body = json!({ "names": ["shop.pay"], "contexts": [{ "userId": user }] });
        app.post("/-/evaluate", &body).await.json()["toggles"][0]["saved"]["counts"]["on"] == 1
    };
    assert_eq!((is_on("7").await, is_on("8").await), (true, false));
    let mut listed = EventReader::open(&app, "/api/client/streaming", SPECIFICATION).await;
    let mut inlined = EventReader::open(&app, "/api/client/streaming", "").await;
    for reader in [&mut listed, &mut inlined] {
        reader.next().await.unwrap();
    }
    assert_done(&put(&app, 1, &segment("testers", &["8"])).await);
    assert_eq!((is_on("7").await, is_on("8").await), (false, true));
    let changes = listed.next().await.unwrap().data["events"].take();
    assert_eq!((changes.as_array().unwrap().len(), &changes[0]["type"]), (1, &json!("segment-updated")));
    assert_eq!(changes[0]["segment"]["constraints"][0]["values"], json!(["8"]));
    // SDKs without support for segments receive the toggles that use it.
    let changes = inlined.next().await.unwrap().data["events"].take();
    assert_eq!((changes.as_array().unwrap().len(), &changes[0]["feature"]["name"]), (1, &json!("shop.pay")));
    assert_eq!(changes[0]["feature"]["strategies"][0]["constraints"][0]["values"], json!(["8"]));

    assert_eq!(replace(&app, "shop.pay", &toggle_in(&[], "shop.pay")).await.status, StatusCode::OK);
    assert_done(&delete(&app, 1).await);
    let mut segments =
        app.send(Method::GET, "/api/client/features", &[("unleash-client-spec", "5.1.0")], "").await.json();
    assert_eq!(segments["segments"].take(), json!([]));
}

#[actix_web::test]
async fn there_are_at_most_1000_segments() {
    let app = TestApp::embedded().await;
    let segments: Vec<Value> = (1..=1000)
        .map(|id| json!({ "id": id, "name": format!("segment-{id}"), "constraints": [] }))
        .collect();
    let imported = app.post("/api/admin/state/import", &json!({ "segments": segments })).await;
    assert_eq!(imported.status, StatusCode::ACCEPTED, "{}", imported.body);
    let refused = app.post(SEGMENTS, &segment("one more", &[])).await;
    let said = "There are already 1000 segments, the maximum; delete one first";
    assert_fails(&refused, StatusCode::CONFLICT, said);
    assert_done(&delete(&app, 3).await);
    assert_eq!(create_segment(&app, &segment("one more", &[])).await["id"], 1001);
}
