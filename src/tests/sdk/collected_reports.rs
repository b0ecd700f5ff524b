//! Reports of SDKs that the replica collects: `report-interval`. With an interval that does not end during a test, the end of the
//! program sends them.

mod compressed;
mod losses;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use flagdeck::config::Config;
use serde_json::{Value, json};

use super::JSON;
use super::sidecar::{SHORT_PAUSE, file, wait_until};
use crate::support::app::{Response, TestApp, upstream_of};
use crate::support::client_api::{AcceptedReport, ClientApi};

/// Tokens of the upstream: of all projects, and of one each.
const ALL: &str = "*:production.0123456789abcdef0123";
const SHOP: &str = "shop:production.0123456789abcdef0124";
const PAY: &str = "pay:production.0123456789abcdef0125";
const BULK: &str = "/api/client/metrics/bulk";
/// An interval that does not end during a test, and one of which a test waits for several.
const NEVER: Duration = Duration::from_hours(1);
const SOON: Duration = Duration::from_millis(20);
const START: &str = "2026-11-30T10:00:00Z";
const STOP: &str = "2026-11-30T10:01:00Z";

/// Starts a replica that collects reports, with these client tokens of the settings and other arguments.
async fn start(api: &ClientApi, tokens: &[&str], interval: Duration, more: &[&str]) -> TestApp {
    let (_file, tokens) = match tokens {
        [] => (None, None),
        tokens => {
            let (file, tokens) = file(&tokens.join("\n"));
            (Some(file), Some(tokens))
        }
    };
    let own = ["--upstream", &api.stub.url, "--replica", "--read-only"];
    let tokens: Vec<_> = tokens.iter().flat_map(|tokens| ["--upstream-token", tokens]).collect();
    let adjust = |config: &mut Config| {
        let upstream = upstream_of(config);
        upstream.pause = SHORT_PAUSE;
        let replica = upstream.replica.as_mut().unwrap();
        (replica.report_interval, replica.refresh) = (interval, Duration::from_millis(20));
    };
    TestApp::adjusted(&[&own, &tokens[..], more].concat(), adjust).await
}

/// Starts an upstream that knows the tokens.
async fn start_upstream() -> ClientApi {
    ClientApi::start(&[ALL, SHOP, PAY]).await
}

/// Reads the toggles with each token, so that the upstream has accepted it.
async fn accept(app: &TestApp, tokens: &[&str]) {
    for token in tokens {
        let headers = [("authorization", *token)];
        let response = app.send(Method::GET, "/api/client/features", &headers, "").await;
        assert_eq!(response.status, StatusCode::OK, "{token}");
    }
}

async fn report(app: &TestApp, token: &str, kind: &str, body: &Value) -> Response {
    let headers = [("authorization", token), JSON, ("unleash-appname", "shop")];
    app.send(Method::POST, &format!("/api/client/{kind}"), &headers, &body.to_string()).await
}

/// Sends a report that must be collected.
async fn collect(app: &TestApp, token: &str, kind: &str, body: &Value) {
    let response = report(app, token, kind, body).await;
    assert_eq!((response.status, response.body.as_str()), (StatusCode::ACCEPTED, ""), "{token} {body}");
}

fn registration(application: &str, instance: &str) -> Value {
    json!({
        "appName": application, "instanceId": instance, "sdkVersion": "unleash-client-node:6.0.0", "strategies": ["default"],
        "started": START, "interval": 10_000, "sdkType": "backend"
    })
}

fn counts(application: &str, instance: &str, toggles: &[&str]) -> Value {
    let count = |name: &&str| ((*name).to_owned(), json!({ "yes": 1, "no": 2, "variants": { "blue": 1 } }));
    let toggles: Value = toggles.iter().map(count).collect();
    let bucket = json!({ "start": START, "stop": STOP, "toggles": toggles });
    json!({ "appName": application, "instanceId": instance, "sdkVersion": "unleash-client-node:6.0.0", "bucket": bucket })
}

/// Returns the sums of `yes` in all accepted reports, by application and toggle.
fn sums(reports: &[AcceptedReport]) -> BTreeMap<(String, String), u64> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut sums = BTreeMap::new();
    for AcceptedReport { body, .. } in reports {
        for metric in body["metrics"].as_array().into_iter().flatten() {
            let key = (text(&metric["appName"]), text(&metric["featureName"]));
            *sums.entry(key).or_default() += metric["yes"].as_u64().unwrap();
        }
        for (toggle, counts) in body["bucket"]["toggles"].as_object().into_iter().flatten() {
            *sums.entry((text(&body["appName"]), toggle.clone())).or_default() +=
                counts["yes"].as_u64().unwrap();
        }
    }
    sums
}

fn sum(reports: &[AcceptedReport], application: &str, toggle: &str) -> u64 {
    sums(reports).get(&(application.to_owned(), toggle.to_owned())).copied().unwrap_or_default()
}

/// Returns the application and the instance of each entry of an accepted list of instances.
fn instances(reports: &[AcceptedReport]) -> Vec<(String, String)> {
    let applications =
        reports.iter().flat_map(|report| report.body["applications"].as_array().into_iter().flatten());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    applications.map(|entry| (text(&entry["appName"]), text(&entry["instanceId"]))).collect()
}

fn has_posts(api: &ClientApi) -> bool {
    api.stub.requests().iter().any(|request| request.starts_with("POST "))
}

#[actix_web::test]
async fn reports_of_all_tokens_of_an_environment_are_merged_in_three_requests() {
    let api = start_upstream().await;
    let app = start(&api, &[ALL], NEVER, &[]).await;
    accept(&app, &[ALL, SHOP, PAY]).await;
    for (token, application) in [(ALL, "web"), (SHOP, "shop"), (PAY, "pay")] {
        collect(&app, token, "register", &registration(application, "1")).await;
        for instance in ["1", "2", "3"] {
            collect(&app, token, "metrics", &counts(application, instance, &["a", "b"])).await;
        }
    }
    assert!(!has_posts(&api), "before the end of the interval");
    app.stop().await;
    let reports = api.accepted_reports();
    assert!(reports.iter().all(|report| report.path == BULK && report.token == ALL), "{reports:?}");
    let lists: BTreeSet<_> = reports
        .iter()
        .map(|report| ["applications", "metrics"].map(|list| report.body[list].as_array().unwrap().len()))
        .collect();
    // New applications are registered before their other instances are named.
    assert_eq!(lists, BTreeSet::from([[3, 0], [9, 0], [0, 6]]));
    let metrics = &reports.iter().find(|report| report.body["metrics"] != json!([])).unwrap().body["metrics"];
    let expected = json!({
        "appName": "shop", "environment": "production", "featureName": "a", "timestamp": STOP, "yes": 3, "no": 6, "variants": { "blue": 3 }
    });
    assert!(metrics.as_array().unwrap().contains(&expected), "{metrics}");
    let applications: Vec<_> =
        reports.iter().flat_map(|report| report.body["applications"].as_array().unwrap()).collect();
    let mut registered = registration("shop", "1");
    registered.as_object_mut().unwrap().remove("sdkType");
    registered
        .as_object_mut()
        .unwrap()
        .extend([("environment".to_owned(), json!("production")), ("projects".to_owned(), json!(["shop"]))]);
    let present = json!({
        "appName": "pay", "instanceId": "3", "environment": "production", "projects": ["pay"], "started": START, "interval": 0,
        "sdkVersion": "unleash-client-node:6.0.0"
    });
    for expected in [registered, present] {
        assert!(applications.contains(&&expected), "{expected} in {applications:?}");
    }
}

#[actix_web::test]
async fn collected_reports_are_sent_in_each_interval() {
    let api = start_upstream().await;
    let app = start(&api, &[ALL], SOON, &[]).await;
    accept(&app, &[SHOP]).await;
    for round in 1..=3 {
        collect(&app, SHOP, "metrics", &counts("shop", "1", &["a"])).await;
        wait_until(async || {
            tokio::task::yield_now().await;
            sum(&api.accepted_reports(), "shop", "a") == round
        })
        .await;
    }
    assert!(api.accepted_reports().iter().all(|report| report.path == BULK && report.token == ALL));
}

#[actix_web::test]
async fn token_with_other_projects_or_without_a_token_of_the_settings_sends_its_own_reports() {
    let api = start_upstream().await;
    for (settings, expected) in
        [(&[SHOP][..], [ALL, PAY, SHOP]), (&[], [ALL, PAY, SHOP]), (&[PAY, ALL], [ALL, PAY, ALL])]
    {
        let app = start(&api, settings, NEVER, &[]).await;
        accept(&app, &[ALL, SHOP, PAY]).await;
        let before = api.accepted_reports().len();
        for (token, application) in [(ALL, "all"), (PAY, "pay"), (SHOP, "shop")] {
            collect(&app, token, "metrics", &counts(application, "1", &["a"])).await;
        }
        app.stop().await;
        let reports = &api.accepted_reports()[before..];
        for (application, token) in ["all", "pay", "shop"].into_iter().zip(expected) {
            let of_application: Vec<_> = reports
                .iter()
                .filter(|report| sum(std::slice::from_ref(*report), application, "a") > 0)
                .collect();
            assert_eq!(of_application.len(), 1, "{settings:?} {application}");
            assert_eq!(
                (of_application[0].path.as_str(), of_application[0].token.as_str()),
                (BULK, token),
                "{settings:?}"
            );
        }
    }
}

#[actix_web::test]
async fn reports_of_300_tokens_take_few_small_requests() {
    let tokens: Vec<_> =
        (0..300).map(|number| format!("project-{number}:production.0123456789abcdef{number:04}")).collect();
    let names: Vec<_> = tokens.iter().map(String::as_str).collect();
    let api = ClientApi::start(&[&[ALL], &names[..]].concat()).await;
    let app = start(&api, &[ALL], NEVER, &[]).await;
    accept(&app, &names).await;
    let toggles: Vec<_> = (0..10).map(|toggle| format!("toggle-{toggle}")).collect();
    let toggles: Vec<_> = toggles.iter().map(String::as_str).collect();
    for (number, token) in names.iter().enumerate() {
        let application = format!("application-{number}");
        for instance in 0..3 {
            collect(&app, token, "metrics", &counts(&application, &format!("instance-{instance}"), &toggles))
                .await;
        }
    }
    app.stop().await;
    let reports = api.accepted_reports();
    assert!(reports.len() <= 20, "{} requests", reports.len());
    assert!(reports.iter().all(|report| report.size <= 95 << 10 && report.token == ALL));
    let sums = sums(&reports);
    assert_eq!((sums.len(), sums.values().all(|sum| *sum == 3)), (3_000, true));
    let instances: BTreeSet<_> = instances(&reports).into_iter().collect();
    assert_eq!(instances.len(), 900);
}

#[actix_web::test]
async fn fields_that_bulk_cannot_contain_are_sent_alone() {
    let api = start_upstream().await;
    let app = start(&api, &[ALL], NEVER, &[]).await;
    accept(&app, &[SHOP]).await;
    let impact = json!([{ "name": "m", "help": "h", "type": "counter", "samples": [{ "value": 2 }] }]);
    for (application, field, value) in [("impact", "impactMetrics", impact), ("custom", "team", json!("a"))] {
        let mut body = counts(application, "1", &["a"]);
        body[field] = value.clone();
        for _ in 0..2 {
            collect(&app, SHOP, "metrics", &body).await;
        }
    }
    collect(
        &app,
        SHOP,
        "register",
        &json!({ "appName": "old", "instanceId": "1", "strategies": ["default"] }),
    )
    .await;
    app.stop().await;
    let reports = api.accepted_reports();
    let find = |application: &str, path: &str| {
        let found =
            reports.iter().find(|report| report.path == path && report.body["appName"] == application);
        let found = found.unwrap_or_else(|| panic!("{application}: {reports:?}"));
        assert_eq!(found.token, SHOP, "its own token");
        found.body.clone()
    };
    assert_eq!(find("impact", "/api/client/metrics")["impactMetrics"][0]["samples"][0]["value"], 4);
    assert_eq!(find("custom", "/api/client/metrics")["team"], "a");
    assert_eq!(
        find("old", "/api/client/register")["strategies"],
        json!(["default"]),
        "a registration without a time"
    );
    assert_eq!([sum(&reports, "impact", "a"), sum(&reports, "custom", "a")], [2, 2]);
}

#[actix_web::test]
async fn older_server_gets_single_reports() {
    let api = start_upstream().await;
    for token in [ALL, SHOP, PAY] {
        api.set_path(BULK, token, "404 Not Found", "{}");
    }
    let app = start(&api, &[ALL], SOON, &[]).await;
    accept(&app, &[SHOP, PAY]).await;
    for round in 1..=3 {
        for (token, application) in [(SHOP, "shop"), (PAY, "pay")] {
            collect(&app, token, "register", &registration(application, "1")).await;
            for instance in ["1", "2"] {
                collect(&app, token, "metrics", &counts(application, instance, &["a"])).await;
            }
        }
        wait_until(async || {
            tokio::task::yield_now().await;
            let reports = api.accepted_reports();
            sum(&reports, "shop", "a") == 2 * round && sum(&reports, "pay", "a") == 2 * round
        })
        .await;
    }
    app.stop().await;
    let reports = api.accepted_reports();
    let has = |path: &str, token: &str, instance: &str| {
        let is_report = |report: &AcceptedReport| {
            report.path == path && report.token == token && report.body["instanceId"] == instance
        };
        assert!(reports.iter().any(is_report), "{path} {token} {instance}: {reports:?}");
    };
    for token in [SHOP, PAY] {
        has("/api/client/register", token, "1");
        has("/api/client/metrics", token, "2");
    }
    let start = format!("POST {BULK} ");
    let tried = api.stub.requests().iter().filter(|request| request.starts_with(&start)).count();
    assert!(tried <= 4, "{tried} requests in bulk: those of one batch");
}

#[actix_web::test]
async fn invalid_entry_is_dropped_alone() {
    let api = start_upstream().await;
    api.refuse_reports_with("poison");
    let app = start(&api, &[ALL], NEVER, &["--admin-listen", "0"]).await;
    accept(&app, &[SHOP, PAY]).await;
    let toggles: Vec<_> = (0..50).map(|toggle| format!("toggle-{toggle}")).collect();
    let mut toggles: Vec<_> = toggles.iter().map(String::as_str).collect();
    toggles.insert(20, "poison");
    collect(&app, SHOP, "metrics", &counts("shop", "1", &toggles)).await;
    for number in 0..20 {
        collect(&app, PAY, "metrics", &counts(&format!("pay-{number}"), "1", &["a"])).await;
    }
    collect(&app, PAY, "register", &registration("poison", "1")).await;
    app.stop().await;
    let reports = api.accepted_reports();
    let sums = sums(&reports);
    assert_eq!((sums.len(), sums.values().all(|sum| *sum == 1)), (70, true), "{sums:?}");
    let of_shop = sums.keys().filter(|(application, _)| application == "shop").count();
    assert_eq!(of_shop, 50);
    assert_eq!(instances(&reports).len(), 21, "presences of all instances");
}

#[actix_web::test]
async fn collected_reports_survive_an_outage() {
    let api = start_upstream().await;
    let app = start(&api, &[ALL], SOON, &[]).await;
    accept(&app, &[SHOP]).await;
    for status in
        ["500 Internal Server Error", "502 Bad Gateway", "503 Service Unavailable", "429 Too Many Requests"]
    {
        let (before, tried) = (sum(&api.accepted_reports(), "shop", "a"), api.stub.requests().len());
        api.set_path(BULK, ALL, status, "{}");
        for _ in 0..10 {
            collect(&app, SHOP, "metrics", &counts("shop", "1", &["a"])).await;
        }
        wait_until(async || {
            tokio::task::yield_now().await;
            api.stub.requests().iter().skip(tried).filter(|request| request.starts_with("POST ")).count() > 4
        })
        .await;
        assert_eq!(sum(&api.accepted_reports(), "shop", "a"), before, "{status}");
        api.set_path(BULK, ALL, "202 Accepted", "");
        wait_until(async || {
            tokio::task::yield_now().await;
            sum(&api.accepted_reports(), "shop", "a") >= before + 10
        })
        .await;
        assert_eq!(sum(&api.accepted_reports(), "shop", "a"), before + 10, "{status}");
    }
}

#[actix_web::test]
async fn unknown_tokens_send_a_bounded_number_of_reports() {
    let api = start_upstream().await;
    let app = {
        let (_file, tokens) = file(ALL);
        let arguments = ["--upstream", &api.stub.url, "--replica", "--upstream-token", &tokens];
        let adjust = |config: &mut Config| {
            let replica = upstream_of(config).replica.as_mut().unwrap();
            (replica.report_interval, replica.token_pause) = (SOON, NEVER);
        };
        TestApp::adjusted(&arguments, adjust).await
    };
    accept(&app, &[SHOP]).await;
    for number in 0..300 {
        let token = format!("*:production.unknown0123456789{number:04}");
        collect(&app, &token, "metrics", &counts("junk", "1", &["a"])).await;
        let invalid = report(&app, &token, "metrics", &json!({ "instanceId": "1" })).await;
        assert_eq!(invalid.status, StatusCode::BAD_REQUEST, "it is not forwarded");
        if number % 100 == 0 {
            collect(&app, SHOP, "metrics", &counts("shop", "1", &["a"])).await;
        }
    }
    wait_until(async || {
        tokio::task::yield_now().await;
        sum(&api.accepted_reports(), "shop", "a") == 3
    })
    .await;
    let is_unknown =
        |request: &&String| request.starts_with("POST ") && request.contains("unknown0123456789");
    let unknown = api.stub.requests().iter().filter(is_unknown).count();
    assert!((1..=4).contains(&unknown), "{unknown} requests");
}

#[actix_web::test]
async fn report_of_a_token_that_is_accepted_later_is_sent_in_bulk() {
    let api = start_upstream().await;
    let app = start(&api, &[ALL], NEVER, &[]).await;
    collect(&app, SHOP, "register", &registration("shop", "1")).await;
    collect(&app, SHOP, "metrics", &counts("shop", "1", &["a"])).await;
    accept(&app, &[SHOP]).await;
    app.stop().await;
    let reports = api.accepted_reports();
    assert!(reports.iter().all(|report| report.path == BULK && report.token == ALL), "{reports:?}");
    assert_eq!((sum(&reports, "shop", "a"), instances(&reports).len()), (1, 1));
}

#[actix_web::test]
async fn reports_of_a_revoked_token_are_dropped_and_those_of_others_arrive() {
    let api = start_upstream().await;
    let app = start(&api, &[], NEVER, &[]).await;
    accept(&app, &[SHOP, PAY]).await;
    for _ in 0..5 {
        for (token, application) in [(SHOP, "shop"), (PAY, "pay")] {
            collect(&app, token, "metrics", &counts(application, "1", &["a"])).await;
        }
    }
    api.set_path(BULK, SHOP, "401 Unauthorized", "{}");
    app.stop().await;
    let reports = api.accepted_reports();
    assert_eq!((sum(&reports, "shop", "a"), sum(&reports, "pay", "a")), (0, 5));
    let of_shop = api
        .stub
        .requests()
        .iter()
        .filter(|request| request.starts_with("POST ") && request.contains(SHOP))
        .count();
    assert_eq!(of_shop, 2, "instances and counts, once");
}

#[actix_web::test]
async fn token_of_the_settings_that_is_refused_loses_no_report_of_other_tokens() {
    let api = start_upstream().await;
    let app = start(&api, &[ALL], SOON, &[]).await;
    accept(&app, &[SHOP, PAY]).await;
    for status in ["401 Unauthorized", "403 Forbidden"] {
        api.set_path(BULK, ALL, status, "{}");
        let before = api.accepted_reports().len();
        for (token, application) in [(SHOP, "shop"), (PAY, "pay")] {
            collect(&app, token, "metrics", &counts(application, "1", &["a"])).await;
        }
        wait_until(async || {
            tokio::task::yield_now().await;
            let reports = &api.accepted_reports()[before..];
            sum(reports, "shop", "a") == 1 && sum(reports, "pay", "a") == 1
        })
        .await;
        let reports = &api.accepted_reports()[before..];
        let tokens: BTreeSet<_> =
            reports.iter().map(|report| (report.path.as_str(), report.token.as_str())).collect();
        assert_eq!(tokens, BTreeSet::from([(BULK, SHOP), (BULK, PAY)]));
    }
}

#[actix_web::test]
async fn delivery_that_has_begun_at_the_end_of_the_program_is_completed_once() {
    let api = start_upstream().await;
    let app = start(&api, &[ALL], SOON, &[]).await;
    accept(&app, &[SHOP]).await;
    let go = api.hold_next_report();
    // Without an instance: one request.
    let mut body = counts("shop", "1", &["a"]);
    body.as_object_mut().unwrap().remove("instanceId");
    collect(&app, SHOP, "metrics", &body).await;
    wait_until(async || {
        tokio::task::yield_now().await;
        api.holds_report()
    })
    .await;
    let stopping = TestApp::at(app.port);
    let released = async {
        wait_until(async || stopping.try_get("/-/health").await.is_none()).await;
        go.notify_one();
    };
    tokio::join!(app.stop(), released);
    assert_eq!(sum(&api.accepted_reports(), "shop", "a"), 1, "{:?}", api.accepted_reports());
}

#[actix_web::test]
async fn reports_of_unleash_edge_are_merged_with_others() {
    let api = start_upstream().await;
    let app = start(&api, &[ALL], NEVER, &[]).await;
    accept(&app, &[ALL]).await;
    let metric = |toggle: &str, environment: &str, yes: Value| json!({ "appName": "shop", "featureName": toggle, "environment": environment, "timestamp": STOP, "yes": yes, "no": 0, "variants": {} });
    let mut application = registration("shop", "1");
    application.as_object_mut().unwrap().extend([
        ("environment".to_owned(), json!("production")),
        ("projects".to_owned(), json!(["shop"])),
        ("connectVia".to_owned(), json!([{ "appName": "unleash-edge", "instanceId": "7" }])),
    ]);
    let valid = json!({ "applications": [application], "metrics": [metric("a", "production", json!(2)), metric("b", "production", json!(1))] });
    let other = json!({
        "applications": [], "metrics": [metric("a", "production", json!(3)), metric("a", "staging", json!(1)), metric("a", "production", json!("x"))],
        "seenTokens": ["x"]
    });
    collect(&app, ALL, "metrics/bulk", &valid).await;
    collect(&app, ALL, "metrics/bulk", &other).await;
    collect(&app, ALL, "metrics", &counts("shop", "2", &["a"])).await;
    app.stop().await;
    let reports = api.accepted_reports();
    let (rest, merged): (Vec<_>, Vec<_>) =
        reports.into_iter().partition(|report| report.body.get("seenTokens").is_some());
    assert_eq!((sum(&merged, "shop", "a"), sum(&merged, "shop", "b")), (6, 1));
    let entry = merged.iter().find_map(|report| {
        report.body["applications"].as_array()?.iter().find(|entry| entry["instanceId"] == "1")
    });
    assert_eq!(entry, Some(&application), "unchanged");
    let mut expected = other.clone();
    expected["metrics"].as_array_mut().unwrap().remove(0);
    assert_eq!(
        rest.iter().map(|report| &report.body).collect::<Vec<_>>(),
        [&expected],
        "as if it were forwarded"
    );
}
