//! The console's own endpoints.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::stub::{Reply, Stub};

#[actix_web::test]
async fn settings_tell_who_answers_the_api() {
    let version = env!("CARGO_PKG_VERSION");
    let embedded = TestApp::embedded().await.get("/-/settings").await.json();
    let usual = json!({ "version": version, "readOnly": false, "confirmWrites": false, "environment": null });
    let with = |more: Value| {
        let mut all = usual.clone();
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    assert_eq!(embedded, with(json!({ "mode": "embedded", "upstream": null, "signOut": false })));
    let stub = Stub::start(Reply::Silence).await;
    let sidecar = TestApp::beside(&stub.url).await.get("/-/settings").await.json();
    assert_eq!(sidecar, with(json!({ "mode": "upstream", "upstream": stub.authority(), "signOut": true })));
    assert_eq!(stub.requests(), Vec::<String>::new());
}

#[actix_web::test]
async fn settings_name_the_environment_with_a_colour_that_its_name_can_be_read_on() {
    let arguments =
        ["--data", ":memory:", "--env-label", "production", "--env-colour", "#ffd400", "--confirm-writes"];
    let settings = TestApp::with(&arguments).await.get("/-/settings").await.json();
    assert_eq!(
        settings["environment"],
        json!({ "label": "production", "colour": "#ffd400", "textColour": "#000000" })
    );
    assert_eq!(settings["confirmWrites"], json!(true));
}

#[actix_web::test]
async fn an_empty_service_is_filled_with_examples_once() {
    let app = TestApp::embedded().await;
    let first = app.post("/-/examples", &Value::Null).await;
    assert_eq!(first.status, StatusCode::CREATED);
    let features = app.get("/api/admin/features").await.json()["features"].as_array().unwrap().len();
    assert!(features >= 10, "{features}");
    assert_eq!(first.json()["created"], features);
    assert_eq!(app.post("/-/examples", &Value::Null).await.json()["created"], 0);
}

#[actix_web::test]
async fn an_upstreams_data_is_not_ours_to_fill() {
    let stub = Stub::start(Reply::Silence).await;
    let answer = TestApp::beside(&stub.url).await.post("/-/examples", &Value::Null).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert_eq!(stub.requests(), Vec::<String>::new());
}

#[actix_web::test]
async fn what_is_unknown_is_said_in_json() {
    let answer = TestApp::embedded().await.get("/-/none").await;
    assert_eq!(
        (answer.status, answer.json()["code"].as_str()),
        (StatusCode::NOT_FOUND, Some("unknown_path"))
    );
}

#[actix_web::test]
async fn a_form_of_another_site_fills_nothing() {
    let app = TestApp::embedded().await;
    let form = [("content-type", "text/plain"), ("origin", "http://elsewhere.example")];
    let answer = app.send(Method::POST, "/-/examples", &form, "").await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    // An old browser that does not say where it comes from.
    let answer = app.send(Method::POST, "/-/examples", &form[..1], "").await;
    assert_eq!(answer.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(app.get("/api/admin/features").await.json()["features"], json!([]));
}
