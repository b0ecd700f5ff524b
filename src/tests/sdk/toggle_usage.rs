//! Counts of evaluations under the name of Unleash Edge (`toggle-metrics`).

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use super::sidecar::wait_until;
use super::{create, everyone, post, start, token};
use crate::support::app::TestApp;
use crate::support::client_api::ClientApi;

const SERVER: &str = "*:production.0123456789abcdef0123";

fn report(application: &str, yes: u64, no: u64) -> Value {
    let toggles = json!({ "shop.pay": { "yes": yes, "no": no, "variants": {} } });
    let bucket =
        json!({ "start": "2026-01-01T00:00:00Z", "stop": "2026-01-01T00:01:00Z", "toggles": toggles });
    json!({ "appName": application, "instanceId": "1", "bucket": bucket })
}

fn series(application: &str, active: bool, number: u64) -> String {
    format!(
        "feature_toggle_usage_total{{appName=\"{application}\",toggle=\"shop.pay\",active=\"{active}\"}} {number}\n"
    )
}

#[actix_web::test]
async fn evaluations_of_servers_browsers_and_edge_are_counted() {
    let app = start(&["--toggle-metrics", "--admin-listen", "0"]).await;
    // Counts of browsers are of existing toggles only.
    create(&app, "shop.pay", everyone(), json!({})).await;
    let web = token(&app, "web", "frontend", json!({})).await;
    let of_browser = post(&app, &web, "/api/frontend/client/metrics", &report("web\"", 0, 7)).await;
    assert_eq!(of_browser.status, StatusCode::ACCEPTED, "{}", of_browser.body);
    for body in [report("shop", 3, 1), report("shop", 2, 0)] {
        assert_eq!(app.post("/api/client/metrics", &body).await.status, StatusCode::ACCEPTED);
    }
    let metric = json!({ "appName": "edge", "featureName": "shop.pay", "environment": "default", "timestamp": "2026-01-01T00:00:00Z", "yes": 4, "no": 2, "variants": {} });
    let bulk = json!({ "applications": [], "metrics": [metric] });
    assert_eq!(app.post("/api/client/metrics/bulk", &bulk).await.status, StatusCode::ACCEPTED);
    let text = TestApp::at(app.admin_port.unwrap()).get("/metrics").await.body;
    for line in [
        series("shop", true, 5),
        series("shop", false, 1),
        series("web\\\"", false, 7),
        series("edge", true, 4),
        "feature_toggle_usage_over_limit_total 0\n".to_owned(),
    ] {
        assert!(text.contains(&line), "{line}: {text}");
    }
}

#[actix_web::test]
async fn evaluations_are_counted_in_place_of_edge_only_on_request() {
    let api = ClientApi::start(&[]).await;
    api.set(SERVER, r#"{"version":2,"features":[]}"#, "\"1\"");
    api.add_token(SERVER, "client", &["*"]);
    let own = [("UPSTREAM_URL", api.stub.url.as_str()), ("TOKENS", SERVER)];
    for is_on in [true, false] {
        let value = is_on.to_string();
        let app = TestApp::edge(&[&own[..], &[("FLAGDECK_TOGGLE_METRICS", &value)]].concat(), |_| {}).await;
        wait_until(async || app.get("/internal-backstage/ready").await.status == StatusCode::OK).await;
        let sent = post(&app, SERVER, "/api/client/metrics", &report("shop", 3, 1)).await;
        assert_eq!(sent.status, StatusCode::ACCEPTED, "{}", sent.body);
        let text = app.get("/internal-backstage/metrics").await.body;
        assert_eq!(text.contains(&series("shop", true, 3)), is_on, "{text}");
        assert_eq!(text.contains("feature_toggle_usage"), is_on, "{text}");
    }
}
