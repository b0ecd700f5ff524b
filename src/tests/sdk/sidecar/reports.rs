//! Reports of browsers, which the upstream gets with the token of the settings.

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use super::outage::wait_until;
use super::{NEVER, SERVER, SOON, TAGGED, WEB, start, start_upstream};
use crate::sdk::post;
use crate::support::app::TestApp;
use crate::support::client_api::ClientApi;

/// Returns the reports that the upstream got with the token of the settings: path and body.
fn delivered(api: &ClientApi) -> Vec<(String, Value)> {
    let requests = api.stub.requests();
    let posts = requests.iter().filter(|request| request.starts_with("POST "));
    let parsed = posts.filter_map(|request| {
        let (head, body) = request.split_once("\r\n\r\n")?;
        assert!(head.contains(&format!("authorization: {SERVER}\r\n")), "{head}");
        assert!(head.contains("content-type: application/json"), "{head}");
        Some((head.split(' ').nth(1)?.to_owned(), serde_json::from_str(body).ok()?))
    });
    parsed.collect()
}

fn counts(toggles: &[&str]) -> Value {
    let toggles = toggles
        .iter()
        .map(|name| ((*name).to_owned(), json!({ "yes": 3, "no": 1, "variants": { "blue": 3 } })));
    let bucket = json!({ "start": "s", "stop": "e", "toggles": toggles.collect::<Value>() });
    json!({ "appName": "web", "instanceId": "1", "bucket": bucket })
}

#[actix_web::test]
async fn upstream_gets_counts_of_visible_toggles() {
    let api = start_upstream().await;
    let app = start(&api, NEVER, &["--read-only"]).await;
    let registration = json!({ "appName": "phone", "sdkVersion": "x:1", "strategies": [] });
    let response = post(&app, WEB, "/api/frontend/client/register", &registration).await;
    assert_eq!((response.status, response.body.as_str()), (StatusCode::ACCEPTED, ""));
    let response = post(&app, TAGGED, "/api/proxy/client/metrics", &counts(&["pay", "till", "none"])).await;
    assert_eq!((response.status, response.body.as_str()), (StatusCode::ACCEPTED, ""));
    wait_until(async || {
        tokio::task::yield_now().await;
        delivered(&api).len() == 2
    })
    .await;
    let mut registered = registration.clone();
    registered["instanceId"] = "browser".into();
    let expected = [("/api/client/register", registered), ("/api/client/metrics", counts(&["till"]))];
    assert_eq!(delivered(&api), expected.map(|(path, body)| (path.to_owned(), body)));
    let invalid = post(&app, WEB, "/api/frontend/client/metrics", &json!({ "appName": 7 })).await;
    assert_eq!((invalid.status, &invalid.json()["code"]), (StatusCode::BAD_REQUEST, &json!("invalid")));
    let unknown = post(&app, "unknown", "/api/frontend/client/metrics", &counts(&["till"])).await;
    assert_eq!(unknown.status, StatusCode::UNAUTHORIZED);
}

#[actix_web::test]
async fn reports_of_an_outage_are_merged_and_delivered_later() {
    let api = start_upstream().await;
    let app = start(&api, SOON, &[]).await;
    assert_eq!(post(&app, WEB, "/api/frontend", &json!({})).await.status, StatusCode::OK);
    api.set_down(true);
    for _ in 0..20 {
        let response = post(&app, WEB, "/api/frontend/client/metrics", &counts(&["pay"])).await;
        assert_eq!(response.status, StatusCode::ACCEPTED, "{}", response.body);
    }
    let before = delivered(&api).len();
    api.set_down(false);
    let sum = |reports: &[(String, Value)]| -> u64 {
        reports.iter().filter_map(|(_, body)| body.pointer("/bucket/toggles/pay/yes")?.as_u64()).sum()
    };
    // Before that, the upstream has received the first report again and again, without a response.
    wait_until(async || {
        tokio::task::yield_now().await;
        sum(&delivered(&api)[before..]) >= 60
    })
    .await;
    // Reports are merged for each minute, and a minute may end during the test.
    assert!(delivered(&api).len() - before <= 4, "{:?}", &delivered(&api)[before..]);
}

#[actix_web::test]
async fn impact_metrics_of_browsers_are_merged_and_delivered() {
    let api = start_upstream().await;
    let app = start(&api, SOON, &["--admin-listen", "0"]).await;
    let sample = json!({ "value": 2, "labels": { "appName": "web", "pay": "enabled" } });
    let metric = json!({ "name": "clicks", "help": "h", "type": "counter", "samples": [sample] });
    let mut report = counts(&["pay"]);
    report["impactMetrics"] = json!([metric]);
    assert_eq!(post(&app, WEB, "/api/frontend", &json!({})).await.status, StatusCode::OK);
    api.set_down(true);
    for _ in 0..3 {
        let response = post(&app, WEB, "/api/frontend/client/metrics", &report).await;
        assert_eq!(response.status, StatusCode::ACCEPTED, "{}", response.body);
    }
    let before = delivered(&api).len();
    api.set_down(false);
    let sum = |reports: &[(String, Value)]| -> u64 {
        let values =
            reports.iter().filter_map(|(_, body)| body.pointer("/impactMetrics/0/samples/0/value")?.as_u64());
        values.sum()
    };
    wait_until(async || {
        tokio::task::yield_now().await;
        sum(&delivered(&api)[before..]) >= 6
    })
    .await;
    assert!(delivered(&api).len() - before <= 4, "{:?}", &delivered(&api)[before..]);
    let scraped = TestApp::at(app.admin_port.unwrap()).get("/metrics").await.body;
    let line = "flagdeck_impact_counter_total{metric=\"clicks\",application=\"web\",environment=\"\",sender=\"browser\",label_pay=\"enabled\"} 6.0\n";
    assert!(scraped.contains(line), "{scraped}");
}
