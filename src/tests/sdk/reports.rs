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

/// Returns the metrics for Prometheus.
async fn scrape(app: &TestApp) -> String {
    TestApp::at(app.admin_port.unwrap()).get("/metrics").await.body
}

/// Verifies the number of samples that were dropped because of the limits.
fn assert_over_limit(scraped: &str, count: u64) {
    let line = format!("flagdeck_impact_dropped_samples_total{{reason=\"limit\"}} {count}\n");
    assert!(scraped.contains(&line), "{line}\n{scraped}");
}

#[actix_web::test]
async fn impact_metrics_are_counted_for_prometheus() {
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
    let scraped = scrape(&app).await;
    let shop = "application=\"shop\",environment=\"production\",sender=\"server\"";
    let pay = "label_shop_pay=\"enabled\",label_shop_pay_2=\"a\\\"b\\\\c\\nd\"";
    for line in [
        format!("flagdeck_impact_counter_total{{metric=\"purchases\",{shop},{pay}}} 5.0"),
        "flagdeck_impact_counter_total{metric=\"purchases\",application=\"till\",environment=\"\",sender=\"server\"} 9.0".to_owned(),
        "flagdeck_impact_gauge{metric=\"queue\",application=\"shop\",environment=\"\",sender=\"server\"} 7.5".to_owned(),
        "flagdeck_impact_histogram_count{metric=\"seconds\",application=\"shop\",environment=\"\",sender=\"server\",label_shop_pay=\"blue\"} 8".to_owned(),
        "flagdeck_impact_histogram_bucket{le=\"0.5\",metric=\"seconds\",application=\"shop\",environment=\"\",sender=\"server\",label_shop_pay=\"blue\"} 2".to_owned(),
        "flagdeck_impact_histogram_bucket{le=\"1.0\",metric=\"seconds\",application=\"shop\",environment=\"\",sender=\"server\",label_shop_pay=\"blue\"} 6".to_owned(),
        "flagdeck_impact_histogram_bucket{le=\"+Inf\",metric=\"seconds\",application=\"shop\",environment=\"\",sender=\"server\",label_shop_pay=\"blue\"} 8".to_owned(),
        "flagdeck_impact_series 4".to_owned(),
        "flagdeck_impact_dropped_samples_total{reason=\"invalid\"} 2".to_owned(),
        "flagdeck_impact_dropped_samples_total{reason=\"limit\"} 0".to_owned(),
    ] {
        assert!(scraped.contains(&format!("{line}\n")), "{line}\n{scraped}");
    }
}

#[actix_web::test]
async fn impact_metrics_that_are_not_valid_do_not_refuse_the_counts() {
    let app = start(&["--admin-listen", "0"]).await;
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
    let scraped = scrape(&app).await;
    assert_over_limit(&scraped, 50);
    for line in ["impact_dropped_samples_total{reason=\"invalid\"} 2", "impact_series 250"] {
        assert!(scraped.contains(&format!("flagdeck_{line}\n")), "{line}\n{scraped}");
    }
    let server = json!({ "appName": "till", "instanceId": "1", "bucket": { "toggles": {} }, "impactMetrics": [many[299]] });
    app.post("/api/client/metrics", &server).await;
    let scraped = scrape(&app).await;
    assert_over_limit(&scraped, 50);
    assert!(scraped.contains("metric=\"clicks\",application=\"till\""), "{scraped}");
    for without_counts in [
        json!({ "appName": "till", "instanceId": "1" }),
        json!({ "appName": "till", "instanceId": "1", "bucket": null }),
    ] {
        assert_eq!(app.post("/api/client/metrics", &without_counts).await.status, StatusCode::BAD_REQUEST);
    }
}

#[actix_web::test]
async fn browser_does_not_change_impact_metrics_of_servers() {
    let app = start(&["--admin-listen", "0"]).await;
    create(&app, "shop.pay", everyone(), json!({})).await;
    let web = frontend_token(&app).await;
    let labels = json!({ "appName": "shop", "environment": "production", "shop.pay": "enabled" });
    let report = |value: u64, gauge: u64| {
        let metrics = json!([
            metric("errors", "counter", json!({ "value": value }), labels.clone()),
            metric("queue", "gauge", json!({ "value": gauge }), labels.clone()),
        ]);
        json!({ "appName": "shop", "instanceId": "1", "bucket": { "toggles": {} }, "impactMetrics": metrics })
    };
    assert_eq!(app.post("/api/client/metrics", &report(2, 7)).await.status, StatusCode::ACCEPTED);
    let forged = post(&app, &web, "/api/frontend/client/metrics", &report(1_000, 0)).await;
    assert_eq!(forged.status, StatusCode::ACCEPTED);
    // The names of the applications of servers are no secret either.
    let others: Vec<_> = (0..248)
        .map(|user| {
            metric(
                "errors",
                "counter",
                json!({ "value": 1 }),
                json!({ "appName": "shop", "user": user.to_string() }),
            )
        })
        .collect();
    for part in others.chunks(90) {
        let report = json!({ "appName": "shop", "instanceId": "1", "bucket": { "toggles": {} }, "impactMetrics": part });
        post(&app, &web, "/api/frontend/client/metrics", &report).await;
    }
    let scraped = scrape(&app).await;
    let value = |family: &str, metric: &str, sender: &str| {
        let prefix = format!(
            "flagdeck_impact_{family}{{metric=\"{metric}\",application=\"shop\",environment=\"production\""
        );
        let line = scraped.lines().find(|line| line.starts_with(&prefix) && line.contains(sender));
        line.and_then(|line| line.rsplit_once(' ')?.1.parse::<f64>().ok())
    };
    let server = "sender=\"server\"";
    assert_eq!(
        (value("counter_total", "errors", server), value("gauge", "queue", server)),
        (Some(2.0), Some(7.0))
    );
    let browser = "sender=\"browser\"";
    assert_eq!(value("counter_total", "errors", browser), Some(1_000.0), "{scraped}");
    // Browsers take no place of the servers of the same application.
    let many: Vec<_> = (0..400)
        .map(|user| metric("calls", "counter", json!({ "value": 1 }), json!({ "user": user.to_string() })))
        .collect();
    for part in many.chunks(90) {
        let report = json!({ "appName": "shop", "instanceId": "1", "bucket": { "toggles": {} }, "impactMetrics": part });
        app.post("/api/client/metrics", &report).await;
    }
    assert_over_limit(&scrape(&app).await, 0);
}
