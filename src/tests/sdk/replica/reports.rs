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

#[actix_web::test]
async fn report_does_not_overtake_one_that_is_being_delivered() {
    let api = ClientApi::start(&["a"]).await;
    let app = start(&api, SOON, &["--read-only"]).await;
    assert_eq!(super::read(&app, "a").await.status, StatusCode::OK);
    let gauge = |value: i64| {
        let sample = json!({ "value": value, "labels": {} });
        let metric = json!({ "name": "queue", "help": "h", "type": "gauge", "samples": [sample] });
        json!({ "appName": "shop", "bucket": counts("shop", 1)["bucket"], "impactMetrics": [metric] })
    };
    api.set_down(true);
    assert_eq!(report(&app, "metrics", "a", &gauge(1)).await.status, StatusCode::ACCEPTED);
    let first = api.stub.requests().len();
    let go = api.hold_next_report();
    api.set_down(false);
    let is_delivering = async {
        while !api.holds_report() {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(30), is_delivering).await.expect("the report is never delivered");
    let second = report(&app, "metrics", "a", &gauge(2)).await;
    assert_eq!((second.status, second.body.as_str()), (StatusCode::ACCEPTED, ""), "it waits");
    let values = || -> Vec<Value> {
        let reports = delivered(&api, first).into_iter();
        reports.map(|(.., body)| body["impactMetrics"][0]["samples"][0]["value"].clone()).collect()
    };
    assert!(!values().contains(&json!(2)), "before the response to the first one");
    go.notify_one();
    let arrives = async {
        while !values().contains(&json!(2)) {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(30), arrives).await.expect("the report is never delivered");
    assert_eq!(values(), [json!(1), json!(2)]);
    // Afterwards, reports are forwarded again.
    let forwarded = async {
        while report(&app, "metrics", "a", &gauge(3)).await.status != StatusCode::OK {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(30), forwarded).await.expect("reports are kept for ever");
}

/// Returns the value of a sample in the text format of Prometheus; `None` without the sample.
async fn scraped(app: &TestApp, sample: &str) -> Option<f64> {
    let text = TestApp::at(app.admin_port.unwrap()).get("/metrics").await.body;
    text.lines().find_map(|line| line.strip_prefix(sample)?.trim().parse().ok())
}

#[actix_web::test]
async fn impact_metrics_count_once_when_the_upstream_accepts_them_or_will_receive_them() {
    let api = ClientApi::start(&["a"]).await;
    let app = start(&api, SOON, &["--read-only", "--admin-listen", "0"]).await;
    assert_eq!(super::read(&app, "a").await.status, StatusCode::OK);
    let body = |kind: &str, value: i64| {
        let sample = json!({ "value": value, "labels": { "appName": "shop", "pay": "enabled" } });
        let valid = json!({ "name": "m", "help": "h", "type": kind, "samples": [sample] });
        let invalid = json!({ "name": "m", "help": "h", "type": "other", "samples": [] });
        let counts = counts("shop", 1);
        json!({ "appName": "shop", "bucket": counts["bucket"], "impactMetrics": [valid, invalid] })
    };
    let counter = "flagdeck_impact_counter_total{metric=\"m\",application=\"shop\",environment=\"\",sender=\"server\",label_pay=\"enabled\"}";
    assert_eq!(report(&app, "metrics", "a", &body("counter", 1)).await.status, StatusCode::OK);
    assert_eq!(scraped(&app, counter).await, Some(1.0), "the upstream has accepted it");
    api.limit_unknown_reports();
    let refused = report(&app, "metrics", "unknown", &body("counter", 100)).await;
    assert_eq!((refused.status, scraped(&app, counter).await), (StatusCode::TOO_MANY_REQUESTS, Some(1.0)));
    api.set_down(true);
    for (token, value) in [("a", 2), ("a", 4), ("unknown", 100)] {
        for kind in ["gauge", "counter"] {
            assert_eq!(report(&app, "metrics", token, &body(kind, value)).await.status, StatusCode::ACCEPTED);
        }
    }
    assert_eq!(scraped(&app, counter).await, Some(7.0), "known credentials");
    let first = api.stub.requests().len();
    api.set_down(false);
    let values = |kind: &str| -> Vec<i64> {
        let reports = delivered(&api, first).into_iter().filter(|(_, token, _)| token == "a");
        let metrics: Vec<Value> =
            reports.flat_map(|(.., body)| body["impactMetrics"].as_array().unwrap().clone()).collect();
        assert!(
            metrics.iter().all(|metric| metric["type"] != "other"),
            "it would refuse the others: {metrics:?}"
        );
        let of_kind = metrics.iter().filter(|metric| metric["type"] == kind);
        of_kind.map(|metric| metric["samples"][0]["value"].as_i64().unwrap()).collect()
    };
    // Reports are merged for each minute, a minute may end during the test, and an attempt can have failed.
    let arrives = async {
        while values("counter").iter().sum::<i64>() < 6 || values("gauge").last() != Some(&4) {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(30), arrives)
        .await
        .expect("the metrics are never delivered, or the last value");
    assert_eq!(scraped(&app, counter).await, Some(7.0), "the delivery counts no report again");
    let invalid = "flagdeck_impact_dropped_samples_total{reason=\"invalid\"}";
    assert_eq!(scraped(&app, invalid).await, Some(5.0));
    app.stop().await;
}
