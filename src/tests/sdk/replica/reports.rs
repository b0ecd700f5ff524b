//! Reports of SDKs: forwarded, or kept while the upstream does not respond.

use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::{SOON, start};
use crate::support::app::{Response, TestApp};
use crate::support::client_api::ClientApi;

async fn report(app: &TestApp, kind: &str, token: &str, body: &Value) -> Response {
    let headers =
        [("authorization", token), ("content-type", "application/json"), ("unleash-appname", "shop")];
    app.send(Method::POST, &format!("/api/client/{kind}"), &headers, &body.to_string()).await
}

fn counts(app: &str, instance: usize) -> Value {
    let toggles = json!({ "a": { "yes": 1, "no": 2, "variants": { "blue": 1 } } });
    json!({ "appName": app, "instanceId": instance.to_string(), "bucket": { "start": "s", "stop": "e", "toggles": toggles } })
}

/// Returns the reports that the upstream got after the first requests: path, credential and body.
fn delivered(api: &ClientApi, first: usize) -> Vec<(String, String, Value)> {
    let requests = api.stub.requests();
    let posts = requests.iter().skip(first).filter(|request| request.starts_with("POST "));
    let parsed = posts.filter_map(|request| {
        let (head, body) = request.split_once("\r\n\r\n")?;
        let token = head.lines().find_map(|line| line.strip_prefix("authorization: "))?;
        let path = head.split(' ').nth(1)?;
        assert!(head.contains("content-type: application/json"), "{head}");
        assert!(head.contains("unleash-appname: shop"), "{head}");
        Some((path.to_owned(), token.to_owned(), serde_json::from_str(body).ok()?))
    });
    parsed.collect()
}

#[actix_web::test]
async fn report_is_forwarded_while_the_upstream_responds() {
    let api = ClientApi::start(&["a"]).await;
    let app = start(&api, SOON, &["--read-only"]).await;
    for kind in ["register", "metrics"] {
        let response = report(&app, kind, "a", &counts("shop", 1)).await;
        assert_eq!((response.status, response.body.as_str()), (StatusCode::OK, "{\"other\":true}"));
    }
    let reports = delivered(&api, 0);
    let expected = |kind: &str| (format!("/api/client/{kind}"), "a".to_owned(), counts("shop", 1));
    assert_eq!(reports, [expected("register"), expected("metrics")]);
}

#[actix_web::test]
async fn reports_of_an_outage_are_merged_and_delivered() {
    let api = ClientApi::start(&["a", "b"]).await;
    let app = start(&api, SOON, &["--read-only"]).await;
    api.set_down(true);
    let registration = json!({ "appName": "shop", "instanceId": "1", "strategies": ["default"] });
    assert_eq!(report(&app, "register", "a", &registration).await.status, StatusCode::ACCEPTED);
    for instance in 0..10 {
        for (token, name) in [("a", "shop"), ("b", "other")] {
            let response = report(&app, "metrics", token, &counts(name, instance)).await;
            assert_eq!((response.status, response.body.as_str()), (StatusCode::ACCEPTED, ""));
        }
    }
    let first = api.stub.requests().len();
    api.set_down(false);
    let sum = |reports: &[(String, String, Value)], token: &str, pointer: &str| -> u64 {
        let of_token = reports.iter().filter(|(_, sender, _)| sender == token);
        of_token.filter_map(|(_, _, body)| body.pointer(pointer)?.as_u64()).sum()
    };
    let all = async {
        while ["a", "b"].iter().any(|token| sum(&delivered(&api, first), token, "/bucket/toggles/a/no") < 20)
        {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(30), all).await.expect("the reports are never delivered");
    let reports = delivered(&api, first);
    let of_a = reports.iter().find(|(_, sender, _)| sender == "a");
    assert_eq!(of_a, Some(&("/api/client/register".to_owned(), "a".to_owned(), registration)), "first");
    // Reports are merged for each minute, and a minute may end during the test.
    assert!(reports.len() <= 5, "{reports:?}");
    for (token, name) in [("a", "shop"), ("b", "other")] {
        let counted = ["yes", "no", "variants/blue"]
            .map(|count| sum(&reports, token, &format!("/bucket/toggles/a/{count}")));
        assert_eq!(counted, [10, 20, 10]);
        let names =
            reports.iter().filter(|(_, sender, _)| sender == token).map(|(.., body)| &body["appName"]);
        assert!(names.clone().count() > 0 && names.clone().all(|found| found == name), "{reports:?}");
    }
}

#[actix_web::test]
async fn body_that_is_no_report_is_not_kept() {
    let api = ClientApi::start(&["a"]).await;
    let app = start(&api, SOON, &[]).await;
    api.set_down(true);
    for body in [json!([]), json!({ "instanceId": "1" })] {
        let response = report(&app, "metrics", "a", &body).await;
        assert!(response.status.is_server_error(), "{}", response.status);
    }
}

#[actix_web::test]
async fn bulk_reports_of_an_outage_are_delivered_with_impact_metrics() {
    let api = ClientApi::start(&["a"]).await;
    let app = start(&api, SOON, &["--read-only"]).await;
    api.set_down(true);
    let impact = json!([{ "name": "m", "help": "h", "type": "counter", "samples": [{ "value": 2 }] }]);
    let body = json!({ "applications": [], "metrics": [], "impactMetrics": impact });
    assert_eq!(report(&app, "metrics/bulk", "a", &body).await.status, StatusCode::ACCEPTED);
    let first = api.stub.requests().len();
    api.set_down(false);
    let arrives = async {
        while !delivered(&api, first).contains(&(
            "/api/client/metrics/bulk".to_owned(),
            "a".to_owned(),
            body.clone(),
        )) {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(30), arrives).await.expect("the report is never delivered");
}

#[actix_web::test]
async fn reports_of_unknown_tokens_do_not_displace_others() {
    let api = ClientApi::start(&["a"]).await;
    let app = start(&api, SOON, &[]).await;
    assert_eq!(super::read(&app, "a").await.status, StatusCode::OK);
    api.set_down(true);
    assert_eq!(report(&app, "metrics", "a", &counts("shop", 1)).await.status, StatusCode::ACCEPTED);
    for number in 0..2_100 {
        let response = report(&app, "metrics", &format!("unknown-{number}"), &counts("junk", 1)).await;
        assert_eq!(response.status, StatusCode::ACCEPTED);
    }
    let first = api.stub.requests().len();
    // The upstream does not process reports of unknown tokens either.
    api.limit_unknown_reports();
    api.set_down(false);
    for name in ["shop", "later"] {
        // The second one is sent after the end of the outage.
        if name == "later" {
            let response = report(&app, "metrics", "a", &counts(name, 1)).await;
            assert!(response.status.is_success(), "{}", response.status);
        }
        let is_expected =
            |(_, token, body): &(String, String, Value)| token == "a" && *body == counts(name, 1);
        let arrives = async {
            while !delivered(&api, first).iter().any(is_expected) {
                tokio::task::yield_now().await;
            }
        };
        timeout(Duration::from_secs(15), arrives).await.expect("the report is never delivered");
    }
    let junk: std::collections::BTreeSet<_> =
        delivered(&api, first).into_iter().map(|(_, token, _)| token).filter(|token| token != "a").collect();
    assert!(junk.len() <= 50, "{}", junk.len());
}

#[actix_web::test]
async fn report_that_fails_while_others_arrive_is_dropped() {
    let api = ClientApi::start(&["a"]).await;
    let app = start(&api, SOON, &["--admin-listen", "0"]).await;
    let admin = TestApp::at(app.admin_port.unwrap());
    api.set_down(true);
    assert_eq!(report(&app, "metrics", "unknown", &counts("junk", 1)).await.status, StatusCode::ACCEPTED);
    // The upstream never processes the report.
    api.limit_unknown_reports();
    api.set_down(false);
    let is_dropped = async || {
        let metrics = admin.get("/metrics").await.body;
        metrics.contains("flagdeck_replica_reports_total{result=\"dropped\"} 1\n")
    };
    let dropped = async {
        let mut number = 0;
        while !is_dropped().await {
            report(&app, "metrics", "a", &counts(&format!("app-{number}"), 1)).await;
            number += 1;
        }
    };
    timeout(Duration::from_secs(30), dropped).await.expect("the report is never dropped");
    let delivered = delivered(&api, 0);
    assert!(delivered.iter().any(|(_, token, _)| token == "a"));
}
