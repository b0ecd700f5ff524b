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

/// An impact metric with one sample.
fn metric(name: &str, kind: &str, mut sample: Value, labels: Value) -> Value {
    sample["labels"] = labels;
    json!({ "name": name, "help": "Some help", "type": kind, "samples": [sample] })
}

/// Returns the metrics of a toggle, without the times of their minutes.
async fn impact_metrics(app: &TestApp, query: &str) -> Value {
    let mut response = app.get(&format!("/-/impact-metrics?{query}")).await.json();
    for metric in response["metrics"].as_array_mut().unwrap() {
        for result in metric["results"].as_array_mut().unwrap() {
            let minutes = result["minutes"].as_array().unwrap();
            // A minute may end during the test.
            let sum: f64 = minutes.iter().map(|minute| minute["value"].as_f64().unwrap()).sum();
            result["minutes"] = json!(sum);
        }
    }
    response
}

#[actix_web::test]
async fn impact_metrics_are_counted_by_toggle_and_for_prometheus() {
    let app = start(&["--read-only", "--admin-listen", "0"]).await;
    let labels = json!({ "appName": "shop", "environment": "production", "shop.pay": "enabled", "shop_pay": "a\"b\\c\nd" });
    let buckets = json!([{ "le": 0.5, "count": 1 }, { "le": 1, "count": 3 }, { "le": "+Inf", "count": 4 }]);
    let metrics = json!([
        metric("purchases", "counter", json!({ "value": 2 }), labels.clone()),
        metric("queue", "gauge", json!({ "value": 7.5 }), json!({})),
        metric(
            "seconds",
            "histogram",
            json!({ "count": 4, "sum": 3.5, "buckets": buckets }),
            json!({ "shop.pay": "blue" })
        ),
        metric("purchases", "counter", json!({ "value": -1 }), json!({})),
    ]);
    let report = json!({ "appName": "shop", "instanceId": "1", "bucket": null, "impactMetrics": metrics });
    for _ in 0..2 {
        let response = app.post("/api/client/metrics", &report).await;
        assert_eq!((response.status, response.body.as_str()), (StatusCode::ACCEPTED, ""));
    }
    let bulk = json!({ "applications": [], "metrics": [], "impactMetrics": [
        metric("purchases", "counter", json!({ "value": 1 }), labels),
        metric("purchases", "counter", json!({ "value": 9 }), json!({ "appName": "till" })),
    ] });
    assert_eq!(app.post("/api/client/metrics/bulk", &bulk).await.status, StatusCode::ACCEPTED);
    let listed = |name: &str, kind: &str, environment: &str, result: Value, value: f64| {
        let results = json!([{ "result": result, "minutes": value }]);
        json!({ "name": name, "help": "Some help", "type": kind, "appName": "shop", "environment": environment, "results": results })
    };
    let of_toggle = [
        listed("purchases", "counter", "production", json!("enabled"), 5.0),
        listed("seconds", "histogram", "", json!("blue"), 7.0),
    ];
    let [purchases, seconds] = of_toggle.clone();
    assert_eq!(
        impact_metrics(&app, "toggle=shop.pay").await,
        json!({ "metrics": of_toggle, "droppedSamples": 2 })
    );
    let with_application = [purchases, listed("queue", "gauge", "", Value::Null, 7.5), seconds];
    let response = impact_metrics(&app, "toggle=shop.pay&application=shop").await;
    assert_eq!(response["metrics"], json!(with_application));
    assert_eq!(impact_metrics(&app, "toggle=other").await["metrics"], json!([]));
    assert_eq!(app.get("/-/impact-metrics").await.status, StatusCode::BAD_REQUEST);

    let scraped = TestApp::at(app.admin_port.unwrap()).get("/metrics").await.body;
    let shop = "application=\"shop\",environment=\"production\"";
    let pay = "label_shop_pay=\"enabled\",label_shop_pay_2=\"a\\\"b\\\\c\\nd\"";
    for line in [
        format!("flagdeck_impact_counter_total{{metric=\"purchases\",{shop},{pay}}} 5.0"),
        "flagdeck_impact_counter_total{metric=\"purchases\",application=\"till\",environment=\"\"} 9.0".to_owned(),
        "flagdeck_impact_gauge{metric=\"queue\",application=\"shop\",environment=\"\"} 7.5".to_owned(),
        "flagdeck_impact_histogram_count{metric=\"seconds\",application=\"shop\",environment=\"\",label_shop_pay=\"blue\"} 8".to_owned(),
        "flagdeck_impact_histogram_bucket{le=\"0.5\",metric=\"seconds\",application=\"shop\",environment=\"\",label_shop_pay=\"blue\"} 2".to_owned(),
        "flagdeck_impact_histogram_bucket{le=\"1.0\",metric=\"seconds\",application=\"shop\",environment=\"\",label_shop_pay=\"blue\"} 6".to_owned(),
        "flagdeck_impact_histogram_bucket{le=\"+Inf\",metric=\"seconds\",application=\"shop\",environment=\"\",label_shop_pay=\"blue\"} 8".to_owned(),
        "flagdeck_impact_series 4".to_owned(),
        "flagdeck_impact_dropped_samples_total{reason=\"invalid\"} 2".to_owned(),
        "flagdeck_impact_dropped_samples_total{reason=\"limit\"} 0".to_owned(),
    ] {
        assert!(scraped.contains(&format!("{line}\n")), "{line}\n{scraped}");
    }
}

#[actix_web::test]
async fn impact_metrics_that_are_not_valid_do_not_refuse_the_counts() {
    let app = start(&[]).await;
    create(&app, "shop.pay", everyone(), json!({})).await;
    let web = frontend_token(&app).await;
    let toggles = json!({ "shop.pay": { "yes": 1, "no": 0 } });
    let body = json!({ "appName": "web", "instanceId": "1", "bucket": { "toggles": toggles } });
    let labels = |user: usize| json!({ "user": user.to_string(), "shop.pay": "enabled" });
    let many: Vec<_> =
        (0..300).map(|user| metric("clicks", "counter", json!({ "value": 1 }), labels(user))).collect();
    for reported in [json!("text"), json!([7]), json!(many[..100]), json!(many[100..200]), json!(many[200..])]
    {
        let mut report = body.clone();
        report["impactMetrics"] = reported;
        let response = post(&app, &web, "/api/frontend/client/metrics", &report).await;
        assert_eq!(response.status, StatusCode::ACCEPTED, "{}", response.body);
    }
    assert_eq!(last_minute(&app).await, json!({ "shop.pay": { "yes": 5, "no": 0 } }));
    // Browsers have a share of the series, and two metrics were not valid.
    let listed = impact_metrics(&app, "toggle=shop.pay").await;
    assert_eq!(
        (&listed["droppedSamples"], &listed["metrics"][0]["results"][0]["minutes"]),
        (&json!(52), &json!(250.0))
    );
    let server = json!({ "appName": "till", "instanceId": "1", "bucket": { "toggles": {} }, "impactMetrics": [many[299]] });
    app.post("/api/client/metrics", &server).await;
    assert_eq!(impact_metrics(&app, "toggle=shop.pay").await["metrics"][0]["appName"], "till");
    for without_counts in [
        json!({ "appName": "till", "instanceId": "1" }),
        json!({ "appName": "till", "instanceId": "1", "bucket": null }),
    ] {
        assert_eq!(app.post("/api/client/metrics", &without_counts).await.status, StatusCode::BAD_REQUEST);
    }
}
