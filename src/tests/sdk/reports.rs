//! Reports of browsers and phones.

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use super::{FLAGS, FRONTEND, create, everyone, frontend_token, get, post, start, token};
use crate::support::app::TestApp;

async fn last_minute(app: &TestApp) -> Value {
    app.get("/api/admin/metrics/feature-toggles").await.json()["lastMinute"].take()
}

#[actix_web::test]
async fn reports_count_toggles_that_the_token_can_see() {
    let app = start(&[]).await;
    app.post("/api/admin/tag-types", &json!({ "name": "frontend" })).await;
    for name in ["shop.pay", "shop.secret"] {
        create(&app, name, everyone(), json!({})).await;
    }
    app.post("/api/admin/features/shop.pay/tags", &json!({ "type": "frontend", "value": "shop" })).await;
    let web = token(&app, "web", "frontend", json!({ "tags": ["frontend:shop"] })).await;
    let counts = json!({ "yes": 3, "no": 1, "variants": { "blue": 3 } });
    let toggles = json!({ "shop.pay": counts, "shop.secret": counts, "shop.unknown": counts });
    for path in ["/api/frontend", "/api/proxy"] {
        let report =
            json!({ "appName": "web", "bucket": { "start": "2026-01-01T00:00:00Z", "toggles": toggles } });
        let response = post(&app, &web, &format!("{path}/client/metrics"), &report).await;
        assert_eq!((response.status, response.body.as_str()), (StatusCode::ACCEPTED, ""), "{path}");
    }
    assert_eq!(last_minute(&app).await, json!({ "shop.pay": { "yes": 6, "no": 2 } }));
    let registration = json!({ "appName": "phone", "sdkVersion": "x:1", "strategies": [] });
    let response = post(&app, &web, "/api/frontend/client/register", &registration).await;
    assert_eq!(response.status, StatusCode::ACCEPTED, "{}", response.body);
    let applications = app.get("/api/admin/metrics/applications").await.body;
    assert!(applications.contains(r#""appName":"web""#) && applications.contains(r#""appName":"phone""#));
    let server = json!({ "appName": "till", "instanceId": "1", "bucket": { "toggles": {} } });
    app.post("/api/client/metrics", &server).await;
    for (name, api) in [("web", "browser"), ("phone", "browser"), ("till", "server")] {
        let application = app.get(&format!("/api/admin/metrics/applications/{name}")).await.json();
        assert_eq!(application["instances"][0]["api"], api, "{name}");
    }
    let invalid = post(&app, &web, "/api/frontend/client/metrics", &json!({ "appName": 7 })).await;
    assert_eq!((invalid.status, &invalid.json()["code"]), (StatusCode::BAD_REQUEST, &json!("invalid")));
}

#[actix_web::test]
async fn evaluations_are_not_usage() {
    let app = start(&[]).await;
    create(&app, "shop.pay", everyone(), json!({})).await;
    let web = frontend_token(&app).await;
    for response in [
        get(&app, &web, FRONTEND).await,
        get(&app, &web, &format!("{FRONTEND}/features/shop.pay")).await,
        post(&app, &web, FLAGS, &json!({})).await,
        post(&app, &web, &format!("{FLAGS}/shop.pay"), &json!({})).await,
    ] {
        assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    }
    assert_eq!(last_minute(&app).await, json!({}));
    assert_eq!(app.get("/api/admin/features/shop.pay").await.json()["lastSeenAt"], Value::Null);
}

#[actix_web::test]
async fn bulk_report_registers_applications_and_counts_toggles() {
    let app = start(&["--read-only"]).await;
    let body = json!({
        "applications": [
            { "appName": "till", "instanceId": "7", "environment": "production", "sdkType": "backend" },
            { "appName": "web", "instanceId": "8", "environment": "production", "sdkType": "frontend" },
        ],
        "metrics": [
            { "appName": "till", "featureName": "shop.pay", "timestamp": "2026-01-01T00:00:00Z", "yes": 3, "no": 1 },
            { "appName": "other", "featureName": "shop.pay", "timestamp": "2026-01-01T00:00:00Z", "yes": 4 },
        ],
        "impactMetrics": [],
    });
    let response = app.post("/api/client/metrics/bulk", &body).await;
    assert_eq!((response.status, response.body.as_str()), (StatusCode::ACCEPTED, ""));
    assert_eq!(last_minute(&app).await, json!({ "shop.pay": { "yes": 7, "no": 1 } }));
    for (name, api, instance) in
        [("till", "server", "7"), ("web", "browser", "8"), ("other", "server", "edge")]
    {
        let application = app.get(&format!("/api/admin/metrics/applications/{name}")).await.json();
        assert_eq!(
            (&application["instances"][0]["api"], &application["instances"][0]["instanceId"]),
            (&json!(api), &json!(instance))
        );
    }
    let invalid = app.post("/api/client/metrics/bulk", &json!({ "applications": [] })).await;
    assert_eq!((invalid.status, &invalid.json()["code"]), (StatusCode::BAD_REQUEST, &json!("invalid")));
}
