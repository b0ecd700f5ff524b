//! Items that toggles refer to, and the service's description of itself.

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use crate::support::app::TestApp;

/// Returns a property of each item of a list.
fn each<'l>(list: &'l Value, key: &str) -> Vec<&'l Value> {
    list.as_array().unwrap().iter().map(|item| &item[key]).collect()
}

#[actix_web::test]
async fn auth_mode_none_grants_every_permission() {
    let app = TestApp::embedded().await;
    // proves S7-019: the user
    assert_eq!(
        app.get("/api/admin/user").await.json(),
        json!({ "username": "operator", "imageUrl": "/-/avatars/O-6.svg", "permissions": ["ADMIN"] })
    );
}

#[actix_web::test]
async fn ui_config_reports_name_and_version() {
    let app = TestApp::embedded().await;
    let mut config = app.get("/api/admin/ui-config").await.json();
    assert!(config["versionInfo"]["instanceId"].take().is_string());
    // proves S7-025: the UI config
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        config,
        json!({
            "name": "Flagdeck", "version": version,
            "versionInfo": { "current": { "oss": version }, "latest": {}, "instanceId": null },
        })
    );
}

#[actix_web::test]
async fn index_links_to_existing_resources() {
    let app = TestApp::embedded().await;
    let document = app.get("/-/openapi.json").await.json();
    let paths: Vec<_> = document["paths"].as_object().unwrap().keys().collect();
    for (part, links) in [("admin", 9), ("client", 3)] {
        let uri = format!("/api/{part}");
        let listed = app.get(&uri).await.json();
        assert_eq!(listed["version"], 3);
        let listed = listed["links"].as_object().unwrap().clone();
        assert_eq!(listed.len(), links);
        for link in listed.values() {
            let uri = link["uri"].as_str().unwrap();
            assert!(paths.iter().any(|path| path.starts_with(uri)), "{uri}");
        }
    }
}

#[actix_web::test]
async fn index_of_the_admin_api_needs_a_session_and_that_of_client_libraries_a_token() {
    let app = TestApp::with(&["--data", ":memory:", "--auth", "unsecure", "--require-client-tokens"]).await;
    for path in ["/api/admin", "/api/client"] {
        assert_eq!(app.get(path).await.status, StatusCode::UNAUTHORIZED, "{path}");
    }
}

#[actix_web::test]
async fn lists_five_feature_types() {
    let app = TestApp::embedded().await;
    let response = app.get("/api/admin/feature-types").await.json();
    assert_eq!(response["version"], 1);
    // proves S3-013, S7-026: the list, and a type's id, name and description
    let types = &response["types"];
    assert_eq!(each(types, "id"), ["release", "experiment", "operational", "kill-switch", "permission"]);
    assert_eq!(each(types, "name"), ["Release", "Experiment", "Operational", "Kill switch", "Permission"]);
    assert_eq!(each(types, "lifetimeDays"), [&json!(40), &json!(40), &json!(7), &Value::Null, &Value::Null]);
    assert!(each(types, "description").iter().all(|text| text.as_str().is_some_and(|text| text.len() > 10)));
}

#[actix_web::test]
async fn lists_the_built_in_strategies() {
    let app = TestApp::embedded().await;
    let response = app.get("/api/admin/strategies").await.json();
    // proves S3-005, S7-043: definitions come under a strategies key
    assert_eq!(response["version"], 1);
    let found: Vec<(String, String)> = response["strategies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|strategy| {
            // proves S3-004: a definition's fields; built-in ones are not editable
            assert_eq!((&strategy["editable"], &strategy["deprecated"]), (&json!(false), &json!(false)));
            assert!(strategy["description"].as_str().is_some_and(|text| text.len() > 10));
            let parameters = strategy["parameters"].as_array().unwrap().iter().map(|parameter| {
                let required = if parameter["required"] == true { "!" } else { "" };
                format!(
                    "{}:{}{required}",
                    parameter["name"].as_str().unwrap(),
                    parameter["type"].as_str().unwrap()
                )
            });
            (strategy["name"].as_str().unwrap().to_owned(), parameters.collect::<Vec<_>>().join(" "))
        })
        .collect();
    let expected = [
        ("applicationHostname", "hostNames:list"),
        ("default", ""),
        ("flexibleRollout", "rollout:percentage stickiness:string! groupId:string!"),
        ("gradualRolloutRandom", "percentage:percentage"),
        ("gradualRolloutSessionId", "percentage:percentage groupId:string!"),
        ("gradualRolloutUserId", "percentage:percentage groupId:string!"),
        ("remoteAddress", "IPs:list!"),
        ("userWithId", "userIds:list"),
    ];
    assert_eq!(found, expected.map(|(name, parameters)| (name.to_owned(), parameters.to_owned())));
}

#[actix_web::test]
async fn returns_one_strategy() {
    let app = TestApp::embedded().await;
    let all = app.get("/api/admin/strategies").await.json();
    assert_eq!(app.get("/api/admin/strategies/applicationHostname").await.json(), all["strategies"][0]);
    assert_eq!(app.get("/api/admin/strategies/none").await.status, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn context_fields_are_sorted() {
    let app = TestApp::embedded().await;
    let fields = app.get("/api/admin/context").await.json();
    // proves S3-019, S3-020, S7-049: the built-in fields, sorted by sortOrder
    assert_eq!(each(&fields, "name"), ["environment", "userId", "appName"]);
    assert_eq!(each(&fields, "sortOrder"), [0, 1, 2]);
    assert_eq!(each(&fields, "stickiness"), [false, false, false]);
    assert!(
        each(&fields, "createdAt").iter().all(|time| time
            .as_str()
            .unwrap()
            .parse::<jiff::Timestamp>()
            .is_ok())
    );
    assert_eq!(app.get("/api/admin/context/userId").await.json(), fields[1]);
    assert_eq!(app.get("/api/admin/context/none").await.status, StatusCode::NOT_FOUND);
    for (name, order) in [("last", 9), ("fifth", 5)] {
        let field = json!({ "name": name, "sortOrder": order });
        assert_eq!(app.post("/api/admin/context", &field).await.status, StatusCode::CREATED);
    }
    let fields = app.get("/api/admin/context").await.json();
    assert_eq!(each(&fields, "name"), ["environment", "userId", "appName", "fifth", "last"]);
}

#[actix_web::test]
async fn new_service_has_no_metrics() {
    let app = TestApp::embedded().await;
    // proves S7-027, S7-028: the responses before the first report
    assert_eq!(
        app.get("/api/admin/metrics/feature-toggles").await.json(),
        json!({ "lastHour": {}, "lastMinute": {} })
    );
    assert_eq!(app.get("/api/admin/metrics/seen-apps").await.json(), json!({}));
}
