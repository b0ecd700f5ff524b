//! The example toggles that an empty service offers.

use std::collections::BTreeSet;

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use super::{FEATURES, archive, create, events_of, names, plain};
use crate::support::app::TestApp;

#[actix_web::test]
async fn examples_cover_types_strategies_and_variants() {
    let app = TestApp::embedded().await;
    let response = app.post("/-/examples", &Value::Null).await;
    assert_eq!((response.status, response.json()), (StatusCode::CREATED, json!({ "created": 14 })));

    let list = app.get(FEATURES).await.json();
    let toggles = list["features"].as_array().unwrap();
    assert_eq!(toggles.len(), 14);
    let of = |key: &str| toggles.iter().map(|toggle| toggle[key].to_string()).collect::<BTreeSet<_>>().len();
    assert_eq!((of("type"), of("enabled"), of("stale")), (5, 2, 2));
    let strategies: BTreeSet<&str> = toggles
        .iter()
        .flat_map(|toggle| toggle["strategies"].as_array().unwrap())
        .map(|strategy| strategy["name"].as_str().unwrap())
        .collect();
    assert_eq!(strategies.len(), 8, "each built-in strategy is used: {strategies:?}");
    let text = list.to_string();
    for word in ["constraints", "NOT_IN", "overrides", "\"json\"", "\"csv\"", "\"string\"", "\"fix\""] {
        assert!(text.contains(word), "{word}");
    }
    assert!(toggles.iter().all(|toggle| toggle["description"].as_str().is_some_and(|text| text.len() > 20)));
    assert_eq!(events_of(&app, "search.ranking").await.len(), 1);
}

#[actix_web::test]
async fn examples_do_not_overwrite_toggles() {
    let app = TestApp::embedded().await;
    let mine = create(&app, &plain("search.ranking")).await.json();
    create(&app, &plain("ops.read-only-mode")).await;
    archive(&app, "ops.read-only-mode").await;
    assert_eq!(app.post("/-/examples", &Value::Null).await.json(), json!({ "created": 12 }));
    assert_eq!(app.get("/api/admin/features/search.ranking").await.json(), mine);
    assert_eq!(names(&app, "/api/admin/archive/features").await, ["ops.read-only-mode"]);
    assert_eq!(app.post("/-/examples", &Value::Null).await.json(), json!({ "created": 0 }));
}
