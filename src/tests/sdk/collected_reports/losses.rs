//! No report is lost without a trace: responses of other programs, refusals, bounds and the numbers of the metrics.

use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use flagdeck::config::Config;
use serde_json::{Value, json};

use super::{
    ALL, BULK, PAY, SHOP, SHORT_PAUSE, SOON, START, STOP, accept, collect, counts, instances, registration,
    start, start_upstream, sum, sums, wait_until,
};
use crate::support::app::{TestApp, upstream_of};
use crate::support::client_api::{AcceptedReport, ClientApi};

const MONITORED: [&str; 2] = ["--admin-listen", "0"];
const HTML: &str = "<!DOCTYPE html><html><body>Back soon</body></html>";

/// Returns the numbers of reports: kept, delivered and dropped.
async fn numbers(app: &TestApp) -> [u64; 3] {
    let text = TestApp::at(app.admin_port.unwrap()).get("/metrics").await.body;
    ["kept", "delivered", "dropped"].map(|result| {
        let sample = format!("flagdeck_replica_reports_total{{result=\"{result}\"}} ");
        text.lines().find_map(|line| line.strip_prefix(&sample)?.parse().ok()).unwrap_or(0)
    })
}

/// Waits until all kept reports are delivered or dropped. Returns the numbers.
async fn settled(app: &TestApp) -> [u64; 3] {
    wait_until(async || {
        let [kept, delivered, dropped] = numbers(app).await;
        kept <= delivered + dropped
    })
    .await;
    numbers(app).await
}

/// Sets the response to all reports of the tokens.
fn respond(api: &ClientApi, head: &str, body: &str) {
    for path in [BULK, "/api/client/metrics", "/api/client/register"] {
        for token in [ALL, SHOP, PAY] {
            api.set_path(path, token, head, body);
        }
    }
}

/// Waits until a condition on the number of sent reports is true.
async fn wait_for_posts(api: &ClientApi, is_reached: impl Fn(usize) -> bool) {
    wait_until(async || {
        tokio::task::yield_now().await;
        is_reached(posts(api))
    })
    .await;
}

fn posts(api: &ClientApi) -> usize {
    api.stub.requests().iter().filter(|request| request.starts_with("POST ")).count()
}

/// Returns counts with an impact metric, which are sent alone.
fn with_impact(application: &str) -> Value {
    let mut body = counts(application, "1", &["a"]);
    body["impactMetrics"] =
        json!([{ "name": "m", "help": "h", "type": "counter", "samples": [{ "value": 2 }] }]);
    body
}

#[actix_web::test]
async fn reports_wait_while_another_program_responds_for_the_flag_service() {
    let html = |status: &str| format!("{status}\r\nContent-Type: text/html; charset=utf-8\r\n");
    for (head, body) in [
        (html("200 OK"), HTML),
        (html("403 Forbidden"), HTML),
        (html("404 Not Found"), HTML),
        ("401 Unauthorized".to_owned(), ""),
        ("401 Unauthorized\r\nContent-Type: text/plain\r\n".to_owned(), "Unauthorized"),
        ("400 Bad Request".to_owned(), ""),
        ("413 Payload Too Large".to_owned(), ""),
        ("404 Not Found".to_owned(), ""),
        ("404 Not Found".to_owned(), "{}"),
        ("302 Found\r\nLocation: /login\r\n".to_owned(), ""),
    ] {
        let api = start_upstream().await;
        let app = start(&api, &[ALL], SOON, &MONITORED).await;
        accept(&app, &[SHOP, PAY]).await;
        respond(&api, &head, body);
        collect(&app, SHOP, "register", &registration("shop", "1")).await;
        for instance in ["1", "2", "3"] {
            collect(&app, PAY, "metrics", &counts("pay", instance, &["a", "b"])).await;
        }
        collect(&app, SHOP, "metrics", &with_impact("impact")).await;
        // More attempts than a report has while others arrive.
        wait_for_posts(&api, |posts| posts > 60).await;
        let [kept, delivered, dropped] = numbers(&app).await;
        assert_eq!([kept, delivered, dropped], [5, 0, 0], "{head}");
        respond(&api, "202 Accepted", "");
        assert_eq!(settled(&app).await, [5, 5, 0], "{head}");
        let reports = api.accepted_reports();
        let sums =
            [("pay", "a"), ("pay", "b"), ("impact", "a")].map(|(name, toggle)| sum(&reports, name, toggle));
        assert_eq!(sums, [3, 3, 1], "{head}");
        wait_until(async || {
            tokio::task::yield_now().await;
            instances(&api.accepted_reports()).len() >= 4
        })
        .await;
        assert!(reports.iter().any(|report| report.path == BULK), "{head}: bulk is tried again");
    }
}

#[actix_web::test]
async fn empty_refusal_of_an_old_server_drops_only_the_report() {
    let api = start_upstream().await;
    api.set_path(BULK, ALL, "404 Not Found\r\nContent-Type: text/html\r\n", HTML);
    let app = start(&api, &[ALL], SOON, &MONITORED).await;
    accept(&app, &[SHOP]).await;
    collect(&app, SHOP, "metrics", &counts("shop", "1", &["a"])).await;
    assert_eq!(settled(&app).await, [1, 1, 0]);
    api.set_path("/api/client/register", SHOP, "400 Bad Request", "");
    collect(&app, SHOP, "register", &json!({ "appName": "shop", "instanceId": "1" })).await;
    collect(&app, SHOP, "metrics", &counts("shop", "1", &["a"])).await;
    assert_eq!(settled(&app).await, [3, 2, 1]);
    assert_eq!(sum(&api.accepted_reports(), "shop", "a"), 2);
}

#[actix_web::test]
async fn refused_reports_are_counted_as_dropped() {
    let api = start_upstream().await;
    api.refuse_reports_with("poison");
    let app = start(&api, &[], SOON, &MONITORED).await;
    accept(&app, &[ALL, SHOP, PAY]).await;
    // A part of a report, a registration, and all reports of a revoked token.
    collect(&app, SHOP, "metrics", &counts("shop", "1", &["a", "poison", "b"])).await;
    assert_eq!(settled(&app).await, [1, 0, 1], "a part");
    assert_eq!(sums(&api.accepted_reports()).len(), 2, "the rest");
    collect(&app, SHOP, "register", &registration("poison", "1")).await;
    assert_eq!(settled(&app).await, [2, 0, 2], "a registration");
    respond(&api, "401 Unauthorized", "{\"message\":\"no\"}");
    collect(&app, PAY, "metrics", &counts("pay", "1", &["a"])).await;
    collect(&app, PAY, "metrics", &with_impact("impact")).await;
    collect(&app, PAY, "register", &json!({ "appName": "old", "instanceId": "1" })).await;
    assert_eq!(settled(&app).await, [5, 0, 5], "a revoked token");
    respond(&api, "202 Accepted", "");
    collect(&app, ALL, "metrics", &counts("all", "1", &["a"])).await;
    assert_eq!(settled(&app).await, [6, 1, 5]);
}

#[actix_web::test]
async fn each_merged_report_is_counted_once() {
    for (interval, is_down) in [(SOON, false), (SOON, true), (Duration::ZERO, true)] {
        let api = start_upstream().await;
        let app = start(&api, &[ALL], interval, &MONITORED).await;
        accept(&app, &[SHOP, PAY]).await;
        api.set_down(is_down);
        let empty = json!({ "applications": [], "metrics": [] });
        for round in 0..5 {
            for (token, application) in [(SHOP, "shop"), (PAY, "pay")] {
                collect(&app, token, "register", &registration(application, "1")).await;
                for instance in ["1", "2", "3"] {
                    collect(&app, token, "metrics", &counts(application, instance, &["a", "b"])).await;
                }
            }
            let metric = json!({ "appName": "edge", "featureName": "a", "environment": "production", "timestamp": STOP, "yes": 1, "no": 0, "variants": {} });
            let body = json!({ "applications": [], "metrics": [metric, metric] });
            let body = if round == 0 { &empty } else { &body };
            collect(&app, ALL, "metrics/bulk", body).await;
        }
        api.set_down(false);
        assert_eq!(settled(&app).await, [45, 45, 0], "{interval:?} {is_down}");
        assert_eq!(sum(&api.accepted_reports(), "shop", "b"), 15);
    }
}

#[actix_web::test]
async fn reports_that_do_not_fit_are_counted_once() {
    let api = start_upstream().await;
    let app = start(&api, &[ALL], SOON, &MONITORED).await;
    accept(&app, &[SHOP]).await;
    api.set_down(true);
    for number in 0..1_100 {
        collect(&app, SHOP, "metrics", &counts(&format!("application-{number}"), "1", &["a"])).await;
    }
    api.set_down(false);
    let [kept, delivered, dropped] = settled(&app).await;
    assert_eq!((kept, delivered + dropped), (1_100, 1_100));
    assert!((50..=600).contains(&dropped), "{dropped}");
    let arrived = sums(&api.accepted_reports()).len();
    assert!(u64::try_from(arrived).unwrap() >= delivered, "{arrived} of {delivered}");
}

/// Returns all texts in a report: values and names of properties.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(fields) => {
            fields.iter().flat_map(|(name, value)| [vec![name.clone()], texts(value)].concat()).collect()
        }
        _ => Vec::new(),
    }
}

#[actix_web::test]
async fn names_that_a_flag_service_cannot_store_are_not_sent() {
    let api = start_upstream().await;
    let app = start(&api, &[ALL], SOON, &MONITORED).await;
    accept(&app, &[ALL, SHOP]).await;
    // The longest names have 255 characters, of several bytes each.
    let (longest, long, nul) = ("é".repeat(255), "é".repeat(256), "a\0b");
    let mut expected = 0;
    for bad in [&*long, nul] {
        collect(&app, SHOP, "metrics", &counts("shop", "1", &["a", bad])).await;
        let mut variant = counts("shop", "1", &["a"]);
        variant["bucket"]["toggles"]["a"]["variants"] = json!({ bad: 1, "red": 1 });
        collect(&app, SHOP, "metrics", &variant).await;
        let mut instance = counts("shop", bad, &["a"]);
        collect(&app, SHOP, "metrics", &instance).await;
        instance["instanceId"] = json!("1");
        instance["sdkVersion"] = json!(bad);
        collect(&app, SHOP, "metrics", &instance).await;
        let mut alone = with_impact("shop");
        alone["bucket"]["toggles"][bad] = json!({ "yes": 1 });
        collect(&app, SHOP, "metrics", &alone).await;
        collect(&app, SHOP, "metrics", &counts(bad, "1", &["a"])).await;
        collect(&app, SHOP, "register", &registration(bad, "1")).await;
        collect(&app, SHOP, "register", &registration("shop", bad)).await;
        let metric = |application: &str, toggle: &str, environment: &str| json!({ "appName": application, "featureName": toggle, "environment": environment, "timestamp": STOP, "yes": 1, "no": 0, "variants": {} });
        let bulk = json!({
            "applications": [{ "appName": bad, "instanceId": "1" }, { "appName": "shop", "instanceId": bad }],
            "metrics": [
                metric("shop", "a", "production"),
                metric(bad, "a", "production"),
                metric("shop", bad, "production"),
                metric("shop", "a", bad),
                metric("shop", "a", &"e".repeat(101)),
            ]
        });
        collect(&app, ALL, "metrics/bulk", &bulk).await;
        expected += 9;
    }
    assert_eq!(settled(&app).await, [expected, 0, expected], "each of them has lost a part");
    collect(&app, SHOP, "metrics", &counts(&longest, &longest, &[&longest])).await;
    assert_eq!(settled(&app).await, [expected + 1, 1, expected]);
    wait_until(async || {
        tokio::task::yield_now().await;
        sum(&api.accepted_reports(), "shop", "a") >= 12
    })
    .await;
    let reports = api.accepted_reports();
    assert_eq!((sum(&reports, "shop", "a"), sum(&reports, &longest, &longest)), (12, 1));
    let is_storable =
        |text: &String| text.chars().count() <= 255 && !text.contains('\0') && text != &"e".repeat(101);
    for AcceptedReport { body, .. } in &reports {
        assert!(texts(body).iter().all(is_storable), "{body}");
        let metrics = body["metrics"].as_array().into_iter().flatten();
        assert!(metrics.clone().all(|metric| metric["variants"].as_object().is_some()), "{body}");
    }
    assert!(reports.iter().any(|report| texts(&report.body).contains(&"red".to_owned())), "other variants");
}

#[actix_web::test]
async fn report_without_a_response_is_sent_again() {
    let api = start_upstream().await;
    let adjust = |config: &mut Config| {
        let upstream = upstream_of(config);
        (upstream.pause, upstream.head_timeout) = (SHORT_PAUSE, SOON);
        let replica = upstream.replica.as_mut().unwrap();
        (replica.report_interval, replica.refresh) = (SOON, SOON);
    };
    let own = ["--upstream", &api.stub.url, "--replica", "--read-only"];
    let app = TestApp::adjusted(&[&own[..], &MONITORED].concat(), adjust).await;
    let headers = [("authorization", SHOP)];
    wait_until(async || {
        app.send(Method::GET, "/api/client/features", &headers, "").await.status == StatusCode::OK
    })
    .await;
    api.set_reports_silent(true);
    collect(&app, SHOP, "metrics", &counts("shop", "1", &["a"])).await;
    wait_for_posts(&api, |posts| posts > 2).await;
    api.set_reports_silent(false);
    assert_eq!(settled(&app).await, [1, 1, 0]);
    assert_eq!(sum(&api.accepted_reports(), "shop", "a"), 1);
}

#[actix_web::test]
async fn end_of_the_program_waits_once_for_an_upstream_that_does_not_respond() {
    let api = start_upstream().await;
    let app = start(&api, &[ALL], SOON, &[]).await;
    accept(&app, &[SHOP]).await;
    api.set_reports_silent(true);
    // Without an instance: one request.
    let bucket = json!({ "start": START, "stop": STOP, "toggles": { "a": { "yes": 1, "no": 0 } } });
    collect(&app, SHOP, "metrics", &json!({ "appName": "shop", "bucket": bucket })).await;
    wait_for_posts(&api, |posts| posts == 1).await;
    app.stop().await;
    assert_eq!(posts(&api), 1, "it was waited for");
}
