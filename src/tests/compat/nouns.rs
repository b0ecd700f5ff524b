//! Requests for items other than toggles.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{beside_newer, request_lines};
use crate::support::app::TestApp;
use crate::support::stub::{Reply, Stub, ok};

async fn change(app: &TestApp, method: Method, path: &str, body: &Value) -> (StatusCode, String) {
    let path = format!("/api/admin/{path}");
    let response = app.send(method, &path, &[("content-type", "application/json")], &body.to_string()).await;
    (response.status, response.body)
}

/// Returns the body of the received request that starts with a text.
fn body_of(stub: &Stub, start: &str) -> Value {
    let requests = stub.requests();
    let request = requests.iter().find(|request| request.starts_with(start)).unwrap();
    serde_json::from_str(request.split_once("\r\n\r\n").unwrap().1).unwrap()
}

#[actix_web::test]
async fn addon_keeps_its_projects_and_environments_and_its_secret_is_not_sent() {
    let stored = r#"{"id":1,"provider":"webhook","parameters":{"url":"*****"},"projects":["default"],"environments":["production"]}"#;
    let replies = vec![
        ("GET /api/admin/addons/1 ", ok("", stored)),
        ("PUT /api/admin/addons/1 ", ok("", r#"{"parameters":{"url":"http://s3cret"}}"#)),
    ];
    let (stub, app) = beside_newer(replies, &[]).await;
    let addon = json!({ "provider": "webhook", "enabled": false, "parameters": { "url": "*****" }, "environments": [] });
    let (status, body) = change(&app, Method::PUT, "addons/1", &addon).await;
    assert_eq!((status, body.as_str()), (StatusCode::OK, stored));
    let mut expected = addon;
    expected["projects"] = json!(["default"]);
    assert_eq!(body_of(&stub, "PUT /api/admin/addons/1 "), expected);
}

#[actix_web::test]
async fn tag_that_the_toggle_already_has_is_refused() {
    let stored = r#"{"version":1,"tags":[{"type":"simple","value":"winter"}]}"#;
    let replies = vec![
        ("GET /api/admin/features/shop%2Fone/tags ", ok("", stored)),
        ("POST /api/admin/features/shop%2Fone/tags ", ok("", "{}")),
    ];
    let (stub, app) = beside_newer(replies, &[]).await;
    for (value, expected, sent) in [("winter", StatusCode::CONFLICT, 0), ("summer", StatusCode::OK, 1)] {
        let tag = json!({ "type": "simple", "value": value });
        let (status, body) = change(&app, Method::POST, "features/shop%2Fone/tags", &tag).await;
        assert_eq!(status, expected, "{body}");
        assert_eq!(body.contains("shop/one already has the tag simple:winter"), sent == 0, "{body}");
        let lines = request_lines(&stub);
        assert_eq!(lines.iter().filter(|line| line.starts_with("POST /api/admin/features")).count(), sent);
    }
}

#[actix_web::test]
async fn application_contains_the_unknown_toggles_that_it_requests() {
    let stored = r#"{"appName":"my app","seenToggles":[{"name":"one"}]}"#;
    let unknown = r#"{"unknownFlags":[
        {"name":"new","reports":[{"appName":"web"},{"appName":"my app"}]},
        {"name":"other","reports":[{"appName":"web"}]}]}"#;
    let application = ("GET /api/admin/metrics/applications/my%20app ", ok("", stored));
    let list = ("GET /api/admin/metrics/unknown-flags ", ok("", unknown));
    for (replies, expected) in [
        (vec![application.clone(), list], json!([{ "name": "one" }, { "name": "new", "notFound": true }])),
        (vec![application], json!([{ "name": "one" }])),
    ] {
        let (_stub, app) = beside_newer(replies, &[]).await;
        let response = app.send(Method::GET, "/api/admin/metrics/applications/my%20app", &[], "").await;
        let body: Value = serde_json::from_str(&response.body).unwrap();
        assert_eq!(body, json!({ "appName": "my app", "seenToggles": expected }));
    }
}

#[actix_web::test]
async fn description_of_an_application_contains_its_name() {
    let replies = vec![("POST /api/admin/metrics/applications/my%20app ", ok("", ""))];
    let (stub, app) = beside_newer(replies, &[]).await;
    let (status, _) =
        change(&app, Method::POST, "metrics/applications/my%20app", &json!({ "icon": "x" })).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(body_of(&stub, "POST /api/admin/metrics/"), json!({ "icon": "x", "appName": "my app" }));
}

#[actix_web::test]
async fn projects_can_be_changed_only_if_the_server_has_the_endpoint() {
    let replies = vec![("PUT /api/admin/projects/shop ", ok("", r#"{"id":"shop"}"#))];
    let (stub, app) = beside_newer(replies, &[]).await;
    let project = json!({ "id": "shop", "name": "Shop" });
    let changed = change(&app, Method::PUT, "projects/shop", &project).await;
    assert_eq!(changed, (StatusCode::OK, r#"{"id":"shop"}"#.to_owned()));
    assert_eq!(body_of(&stub, "PUT /api/admin/projects/shop "), project);
    for (method, path) in
        [(Method::POST, "projects"), (Method::POST, "projects/validate"), (Method::DELETE, "projects/shop")]
    {
        let (status, body) = change(&app, method, path, &project).await;
        assert_eq!(status, StatusCode::NOT_IMPLEMENTED, "{path}");
        assert!(body.contains("unsupported_by_server") && body.contains("Unleash Enterprise"), "{body}");
    }
}

#[actix_web::test]
async fn context_field_is_replaced_only_if_more_than_its_values_changes() {
    let stored = r#"{"name":"region","description":"R","sortOrder":5,"legalValues":[{"value":"eu","description":"Europe"}]}"#;
    let replies = vec![
        ("GET /api/admin/context/region ", ok("", stored)),
        ("POST /api/admin/context/region/legal-values ", ok("", "")),
        ("PUT /api/admin/context/region ", ok("", "")),
        ("POST /api/admin/context ", ok("", stored)),
    ];
    let (stub, app) = beside_newer(replies, &[]).await;
    let field = |description: &str| json!({ "name": "region", "description": description, "legalValues": ["eu", "us"] });
    assert_eq!(change(&app, Method::PUT, "context/region", &field("R")).await.0, StatusCode::OK);
    assert_eq!(body_of(&stub, "POST /api/admin/context/region/legal-values "), json!({ "value": "us" }));
    assert!(request_lines(&stub).iter().all(|line| !line.starts_with("PUT ")));
    assert_eq!(change(&app, Method::PUT, "context/region", &field("New")).await.0, StatusCode::OK);
    let sent = body_of(&stub, "PUT /api/admin/context/region ");
    assert_eq!(sent["legalValues"], json!([{ "value": "eu", "description": "Europe" }, { "value": "us" }]));
    let (_, created) = change(&app, Method::POST, "context", &field("R")).await;
    assert!(created.contains(r#""legalValues":["eu"]"#), "{created}");
    let sent = body_of(&stub, "POST /api/admin/context ");
    assert_eq!(sent["legalValues"], json!([{ "value": "eu" }, { "value": "us" }]));
}

#[actix_web::test]
async fn archive_is_the_endpoint_or_all_pages_of_the_search() {
    let row = |name: &str| {
        format!(
            r#"{{"features":[{{"name":"{name}","type":"release","stale":false,"createdAt":""}}],"total":150}}"#
        )
    };
    let search: [(&str, Reply); 2] = [
        (
            "GET /api/admin/search/features?archived=IS%3Atrue&sortBy=createdAt&sortOrder=desc&limit=100&offset=0 ",
            ok("", &row("b")),
        ),
        (
            "GET /api/admin/search/features?archived=IS%3Atrue&sortBy=createdAt&sortOrder=desc&limit=100&offset=100 ",
            ok("", &row("a")),
        ),
    ];
    let endpoint = ("GET /api/admin/archive/features ", ok("", &row("only")));
    for (replies, expected) in [(search.to_vec(), vec!["a", "b"]), (vec![endpoint], vec!["only"])] {
        let (_stub, app) = beside_newer(replies, &[]).await;
        let list = app.get("/api/admin/archive/features").await.json();
        let rows = list["features"].as_array().unwrap();
        assert_eq!(rows.iter().map(|row| &row["name"]).collect::<Vec<_>>(), expected);
        assert_eq!(list.get("total"), None);
        assert!(rows.iter().all(|row| row["enabled"] == false && row["strategiesKnown"] == false), "{list}");
    }
}

/// The server limits the number of searches.
#[actix_web::test]
async fn archive_contains_the_number_of_all_toggles_if_some_are_missing() {
    let page = r#"{"total":1001,"features":[{"name":"a","type":"release","stale":false,"createdAt":""}]}"#;
    let (_stub, app) = beside_newer(
        vec![("GET /api/admin/search/features?", ok("RateLimit-Policy: 15;w=60\r\n", page))],
        &[],
    )
    .await;
    let list = app.get("/api/admin/archive/features").await.json();
    assert_eq!((list["features"].as_array().unwrap().len(), &list["total"]), (10, &json!(1001)));
}

#[actix_web::test]
async fn history_of_a_toggle_contains_the_selected_environment_only() {
    let counts = |name: &str| json!({ "environment": name, "yes": 1, "no": 0 });
    let history = json!({ "version": 1, "data": [counts("production"), counts("development")] }).to_string();
    let path = "GET /api/admin/client-metrics/features/one/raw?hoursBack=168 ";
    let (_stub, app) = beside_newer(vec![(path, ok("", &history))], &[]).await;
    let response = app.get("/api/admin/client-metrics/features/one/raw?hoursBack=168").await;
    assert_eq!(response.json()["data"], json!([counts("production")]));
}
