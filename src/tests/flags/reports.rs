//! Usage reports of applications, and the metrics made from them.

mod history;
mod limits;

use actix_web::http::{Method, StatusCode};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{FEATURES, create, message, plain};
use crate::support::app::{Response, TestApp};
use crate::support::engine::run_sql;

const METRICS: &str = "/api/admin/metrics/feature-toggles";
const SEEN_TOGGLES: &str = "/api/admin/metrics/seen-toggles";
const SEEN: &str = "/api/admin/metrics/seen-apps";
const APPLICATIONS: &str = "/api/admin/metrics/applications";
const SHOP: &str = "/api/admin/metrics/applications/shop%2Fweb%20100%25";
/// The content type that SDKs send.
const CLIENT_JSON: (&str, &str) = ("content-type", "application/json; charset=utf-8");

async fn register(app: &TestApp) -> Response {
    let body = json!({
        "appName": "shop/web 100%", "instanceId": "i-1", "sdkVersion": "unleash-client-node:3.0.0",
        "strategies": ["default", "byRegion"], "started": "2021-01-01T00:00:00Z", "interval": 10_000,
    });
    app.send(Method::POST, "/api/client/register", &[CLIENT_JSON], &body.to_string()).await
}

async fn report(app: &TestApp, toggles: Value) -> Response {
    report_as(app, "shop/web 100%", toggles).await
}

async fn report_as(app: &TestApp, name: &str, toggles: Value) -> Response {
    let body = json!({
        "appName": name, "instanceId": "i-1",
        "bucket": { "start": "2021-01-01T00:00:00Z", "stop": "2021-01-01T00:01:00Z", "toggles": toggles },
    });
    app.send(Method::POST, "/api/client/metrics", &[CLIENT_JSON], &body.to_string()).await
}

fn assert_accepted(response: &Response) {
    assert_eq!((response.status, response.body.as_str()), (StatusCode::ACCEPTED, ""));
}

#[actix_web::test]
async fn times_of_reports_before_the_clock_was_set_back_are_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let reported = async || {
        let app = TestApp::with(&["--data", file.to_str().unwrap()]).await;
        app.post(FEATURES, &plain("probe")).await;
        assert_accepted(&report(&app, json!({ "probe": { "yes": 1, "no": 0 } })).await);
        app.stop().await;
    };
    reported().await;
    let set = ["toggles SET last_seen_at", "instances SET last_seen_at", "applications SET updated_at"];
    let set = set.map(|column| format!("UPDATE {column} = '2090-01-01T00:00:00.000Z'"));
    run_sql(&file, &format!("{}; SELECT 1", set.join("; ")));
    reported().await;
    let later = "(SELECT count(*) FROM toggles WHERE last_seen_at > '2089')
         + (SELECT count(*) FROM instances WHERE last_seen_at > '2089')
         + (SELECT count(*) FROM applications WHERE updated_at > '2089')";
    assert_eq!(run_sql(&file, &format!("SELECT {later}")), "0");
}

#[actix_web::test]
async fn usage_reports_are_summed() {
    let app = TestApp::embedded().await;
    for _ in 0..2 {
        assert_accepted(
            &report(&app, json!({ "probe": { "yes": 30, "no": 10, "variants": { "blue": 1 } }, "gone": {} }))
                .await,
        );
    }
    // proves S7-027: lastHour and lastMinute hold yes and no by toggle
    let sums = json!({ "probe": { "yes": 60, "no": 20 }, "gone": { "yes": 0, "no": 0 } });
    assert_eq!(app.get(METRICS).await.json(), json!({ "lastHour": sums, "lastMinute": sums }));
}

#[actix_web::test]
async fn usage_of_one_toggle_is_returned() {
    let app = TestApp::embedded().await;
    report(&app, json!({ "probe/1": { "yes": 30, "no": 10 }, "other": { "yes": 1 } })).await;
    report(&app, json!({ "probe": { "yes": 30, "no": 10 } })).await;
    let sums = json!({ "yes": 30, "no": 10 });
    assert_eq!(
        app.get(&format!("{METRICS}/probe")).await.json(),
        json!({ "lastHour": sums, "lastMinute": sums })
    );
    let none = app.get(&format!("{METRICS}/none")).await;
    assert_eq!((none.status, none.json()), (StatusCode::OK, json!({ "lastHour": {}, "lastMinute": {} })));
}

#[actix_web::test]
async fn applications_have_their_toggles_and_the_number_of_evaluations() {
    let app = TestApp::embedded().await;
    assert_eq!(app.get(SEEN_TOGGLES).await.json(), json!([]));
    create(&app, &plain("probe")).await;
    create(&app, &plain("busy")).await;
    register(&app).await;
    for _ in 0..2 {
        report(&app, json!({ "probe": { "yes": 3, "no": 1 }, "gone": { "yes": 5, "no": 0 } })).await;
    }
    report_as(&app, "api", json!({ "probe": { "yes": 7, "no": 0 }, "busy": { "yes": 4, "no": 1 } })).await;
    let seen = app.get(SEEN_TOGGLES).await.json();
    // The counts of toggles that do not exist are not stored.
    assert_eq!(seen[0]["metricsCount"].as_u64(), Some(12));
    assert_eq!(seen[0]["seenToggles"], json!(["busy", "probe"]));
    assert_eq!(
        seen[1],
        json!({ "appName": "shop/web 100%", "seenToggles": ["gone", "probe"], "metricsCount": 8 })
    );
}

#[actix_web::test]
async fn usage_counts_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let data = ["--data", file.to_str().unwrap()];
    let seen = {
        let app = TestApp::with(&data).await;
        register(&app).await;
        for _ in 0..2 {
            report(&app, json!({ "probe": { "yes": 3, "no": 1 } })).await;
            app.get(SEEN).await;
        }
        let seen = app.get(SEEN).await.json();
        app.stop().await;
        seen
    };
    let app = TestApp::with(&data).await;
    assert_eq!(app.get(METRICS).await.json()["lastHour"], json!({ "probe": { "yes": 6, "no": 2 } }));
    assert_eq!(app.get(SEEN).await.json(), seen);
}

#[actix_web::test]
async fn counts_are_complete_immediately_after_a_restart_with_many_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let data = ["--data", file.to_str().unwrap()];
    TestApp::with(&data).await.stop().await;
    let minute = Timestamp::now().as_second() / 60;
    let fill = format!(
        "BEGIN;
         WITH RECURSIVE numbers(number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number < 1999)
         INSERT INTO toggles (name, type, project, enabled, stale, strategies, variants, created_at)
         SELECT 'probe-' || number, 'release', 'default', FALSE, FALSE, '[]', '[]', '' FROM numbers;
         WITH RECURSIVE minutes(minute) AS (SELECT 0 UNION ALL SELECT minute + 1 FROM minutes WHERE minute < 49)
         INSERT INTO toggle_counts (minute, toggle, yes, no)
         SELECT {minute} - minute, name, 2, 1 FROM minutes, toggles;
         COMMIT"
    );
    run_sql(&file, &fill);
    for reports in 1..=2 {
        let app = TestApp::with(&data).await;
        assert_accepted(&report(&app, json!({ "probe-0": { "yes": 5, "no": 0 } })).await);
        let last_hour = app.get(METRICS).await.json()["lastHour"].take();
        assert_eq!(last_hour.as_object().unwrap().len(), 2000);
        assert_eq!(last_hour["probe-0"], json!({ "yes": 100 + 5 * reports, "no": 50 }));
        assert_eq!(last_hour["probe-1999"], json!({ "yes": 100, "no": 50 }));
        app.stop().await;
    }
}

#[actix_web::test]
async fn toggles_have_their_applications_and_last_use() {
    let app = TestApp::embedded().await;
    create(&app, &plain("probe")).await;
    create(&app, &plain("unused")).await;
    register(&app).await;
    report(&app, json!({ "probe": { "yes": 1, "no": 0 }, "gone": { "yes": 1, "no": 0 } })).await;
    let mut seen = app.get(SEEN).await.json();
    for toggle in ["probe", "gone"] {
        let mut used_by = seen[toggle][0].take();
        for time in ["createdAt", "updatedAt"] {
            assert!(used_by[time].take().as_str().unwrap().parse::<Timestamp>().is_ok());
        }
        // proves S7-028: the applications of each toggle
        assert_eq!(
            used_by,
            json!({
                "appName": "shop/web 100%", "createdAt": null, "updatedAt": null, "description": null,
                "strategies": ["byRegion", "default"], "createdBy": "127.0.0.1", "url": null, "color": null,
                "icon": null,
            })
        );
    }
    let toggles = app.get(FEATURES).await.json()["features"].take();
    assert!(toggles[0]["lastSeenAt"].is_string());
    assert_eq!(toggles[1]["lastSeenAt"], Value::Null);
}

#[actix_web::test]
async fn applications_are_created_from_reports() {
    let app = TestApp::embedded().await;
    create(&app, &plain("probe")).await;
    // proves S7-029: before any report there is none
    assert_eq!(app.get(APPLICATIONS).await.json(), json!({ "applications": [] }));
    assert_accepted(&register(&app).await);
    report(&app, json!({ "probe": { "yes": 1, "no": 0 }, "gone": { "yes": 1, "no": 0 } })).await;
    // proves S7-031: one application with its strategies, instances and toggles
    let mut shop = app.get(SHOP).await.json();
    assert!(shop["createdAt"].take().is_string());
    let toggle = app.get("/api/admin/features/probe").await.json();
    let strategy = app.get("/api/admin/strategies/default").await.json();
    let mut instance = shop["instances"][0].take();
    assert!(instance["createdAt"].take().is_string() && instance["lastSeen"].take().is_string());
    assert_eq!(
        instance,
        json!({
            "api": "server", "appName": "shop/web 100%", "instanceId": "i-1",
            "sdkVersion": "unleash-client-node:3.0.0",
            "clientIp": "127.0.0.1", "lastSeen": null, "createdAt": null,
        })
    );
    assert_eq!(
        shop,
        json!({
            "appName": "shop/web 100%", "createdAt": null, "description": null, "url": null, "color": null,
            "icon": null, "instances": [null],
            "strategies": [{ "name": "byRegion", "notFound": true }, strategy],
            "seenToggles": [{ "name": "gone", "notFound": true }, toggle],
            "links": { "self": "/applications/shop/web 100%" },
        })
    );
    let missing = app.get("/api/admin/metrics/applications/none").await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
    assert_eq!(missing.json()["message"], "Could not find application");
}

#[actix_web::test]
async fn applications_can_be_filtered_by_strategy() {
    let app = TestApp::embedded().await;
    register(&app).await;
    // proves S7-030: the strategy filters
    for (strategy, found) in [("byRegion", 1), ("default", 1), ("by", 0), ("userWithId", 0)] {
        let response = app.get(&format!("{APPLICATIONS}?strategyName={strategy}")).await.json();
        assert_eq!(response["applications"].as_array().unwrap().len(), found, "{strategy}");
    }
}

#[actix_web::test]
async fn application_description_can_be_edited() {
    let app = TestApp::embedded().await;
    register(&app).await;
    for (key, value) in [("icon", "web"), ("url", "https://example.com"), ("description", "Shop")] {
        // proves S7-032: one key and its value
        assert_accepted(&app.post(SHOP, &json!({ key: value })).await);
        // An empty text changes nothing, and neither does a new report.
        assert_accepted(&app.post(SHOP, &json!({ key: "" })).await);
        register(&app).await;
        assert_eq!(app.get(SHOP).await.json()[key], value);
    }
    assert_eq!(app.post(SHOP, &json!({ "url": 7 })).await.status, StatusCode::BAD_REQUEST);
    let missing = app.post("/api/admin/metrics/applications/none", &json!({ "url": "x" })).await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn application_can_be_deleted() {
    let app = TestApp::embedded().await;
    register(&app).await;
    report(&app, json!({ "probe": { "yes": 1, "no": 0 } })).await;
    for _ in 0..2 {
        assert_eq!(app.send(Method::DELETE, SHOP, &[], "").await.status, StatusCode::OK);
        assert_eq!(app.get(APPLICATIONS).await.json(), json!({ "applications": [] }));
        assert_eq!(app.get(SEEN).await.json(), json!({}));
    }
    register(&app).await;
    assert_eq!(app.get(SHOP).await.json()["seenToggles"], json!([]));
}

#[actix_web::test]
async fn rejects_malformed_reports() {
    let app = TestApp::embedded().await;
    for (path, body, said) in [
        ("register", json!({ "instanceId": "i" }), "\"appName\" is required"),
        ("register", json!({ "appName": "a" }), "\"instanceId\" is required"),
        (
            "register",
            json!({ "appName": "a", "instanceId": "i", "strategies": "default" }),
            "\"strategies\" must be an array",
        ),
        ("metrics", json!({ "appName": "a", "instanceId": "i" }), "\"bucket\" is required"),
        (
            "metrics",
            json!({ "appName": "a", "instanceId": "i", "bucket": { "toggles": { "probe": { "yes": -1 } } } }),
            "\"bucket.toggles.probe.yes\" must be a non-negative integer",
        ),
        ("metrics", json!([]), "\"value\" must be of type object"),
    ] {
        let response = app.post(&format!("/api/client/{path}"), &body).await;
        assert_eq!((response.status, message(&response).as_str()), (StatusCode::BAD_REQUEST, said));
    }
    let foreign =
        app.send(Method::POST, "/api/client/metrics", &[("content-type", "text/plain")], "{}").await;
    assert_eq!(foreign.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(app.get(METRICS).await.json(), json!({ "lastHour": {}, "lastMinute": {} }));
    assert_eq!(app.get(APPLICATIONS).await.json(), json!({ "applications": [] }));
}

#[actix_web::test]
async fn invalid_toggle_names_are_not_counted() {
    let app = TestApp::embedded().await;
    let long = "x".repeat(101);
    assert_accepted(
        &report(&app, json!({ "a b": { "yes": 1 }, long: { "yes": 1 }, "ok": { "yes": 1 } })).await,
    );
    assert_eq!(app.get(METRICS).await.json()["lastHour"], json!({ "ok": { "yes": 1, "no": 0 } }));
}
