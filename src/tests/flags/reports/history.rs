//! Counts per minute and per hour, by application.

use std::collections::BTreeMap;
use std::path::Path;

use flagdeck::api::ClientApi;
use flagdeck::flags::Flags;
use flagdeck::flags::usage::report::UsageReport;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::{assert_accepted, report, report_as};
use crate::flags::{archive, create, plain};
use crate::support::app::TestApp;
use crate::support::engine::{open_flags, run_sql};

const MINUTES: &str = "/api/admin/client-metrics/features/probe/minutes";
const HOURS: &str = "/api/admin/client-metrics/features/probe/raw?hoursBack=168";

async fn app_on(file: &Path) -> TestApp {
    TestApp::with(&["--data", file.to_str().unwrap()]).await
}

/// Returns the entries of a response after checking its envelope.
async fn entries(app: &TestApp, path: &str) -> Vec<Value> {
    let mut response = app.get(path).await.json();
    let data = response["data"].take();
    assert_eq!(response, json!({ "version": 1, "maturity": "stable", "data": null }));
    serde_json::from_value(data).unwrap()
}

/// Returns the sums of yes and no by application. A test may run in two periods.
async fn sums(app: &TestApp, path: &str) -> BTreeMap<String, (u64, u64)> {
    let mut sums = BTreeMap::new();
    for entry in entries(app, path).await {
        let sum: &mut (u64, u64) = sums.entry(entry["appName"].as_str().unwrap().to_owned()).or_default();
        sum.0 += entry["yes"].as_u64().unwrap();
        sum.1 += entry["no"].as_u64().unwrap();
    }
    sums
}

fn sum_of(application: &str, yes: u64, no: u64) -> (String, (u64, u64)) {
    (application.to_owned(), (yes, no))
}

/// Counts a report of `shop` as if it had arrived a number of hours ago.
async fn count_hours_ago(flags: &Flags, hours: i64, counts: Value) {
    let toggles = BTreeMap::from([("probe".to_owned(), serde_json::from_value(counts).unwrap())]);
    let report = UsageReport {
        app_name: "shop".to_owned(),
        instance_id: "i-1".to_owned(),
        toggles,
        api: ClientApi::Server,
    };
    flags.usage.count(&report, "127.0.0.1", Timestamp::now() - SignedDuration::from_hours(hours)).await;
    flags.usage.write_pending().await.unwrap();
}

#[actix_web::test]
async fn counts_are_listed_by_period_and_application() {
    let app = TestApp::embedded().await;
    create(&app, &plain("probe")).await;
    for path in [MINUTES, HOURS] {
        assert_eq!(entries(&app, path).await, Vec::<Value>::new());
    }
    for (name, yes, no) in [("shop", 3, 1), ("web", 0, 0), ("shop", 4, 0)] {
        assert_accepted(&report_as(&app, name, json!({ "probe": { "yes": yes, "no": no } })).await);
    }
    for (path, seconds) in [(MINUTES, 60), (HOURS, 3600)] {
        assert_eq!(sums(&app, path).await, BTreeMap::from([sum_of("shop", 7, 1), sum_of("web", 0, 0)]));
        for entry in entries(&app, path).await {
            assert_eq!((&entry["featureName"], &entry["environment"]), (&json!("probe"), &json!("default")));
            let start: Timestamp = entry["timestamp"].as_str().unwrap().parse().unwrap();
            assert_eq!(start.as_second() % seconds, 0);
            assert!((0..2 * seconds).contains(&(Timestamp::now().as_second() - start.as_second())));
        }
    }
}

#[actix_web::test]
async fn hours_of_the_last_week_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let app = app_on(&file).await;
    create(&app, &plain("probe")).await;
    archive(&app, "probe").await;
    app.stop().await;
    let flags = open_flags(&file).unwrap();
    for (hours, yes) in [(169, 1), (166, 2), (3, 4)] {
        count_hours_ago(&flags, hours, json!({ "yes": yes, "no": 1 })).await;
    }
    drop(flags);
    let app = app_on(&file).await;
    assert_accepted(&report(&app, json!({ "probe": { "yes": 8, "no": 0 } })).await);
    let yes = |entries: Vec<Value>| entries.iter().map(|entry| entry["yes"].clone()).collect::<Vec<_>>();
    assert_eq!(yes(entries(&app, HOURS).await), [2, 4, 8]);
    assert_eq!(yes(entries(&app, &HOURS.replace("168", "5")).await), [4, 8]);
    assert_eq!(yes(entries(&app, &HOURS.replace("168", "none")).await), [4, 8]);
    assert_eq!(yes(entries(&app, MINUTES).await), [8]);
    app.stop().await;
    let rows = "SELECT (SELECT count(*) FROM hour_counts), (SELECT count(*) FROM minute_counts)";
    assert_eq!(run_sql(&file, rows), "3|1", "others are deleted");
}

#[actix_web::test]
async fn pairs_are_deleted_a_week_after_their_last_report() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let app = app_on(&file).await;
    create(&app, &plain("probe")).await;
    app.stop().await;
    let flags = open_flags(&file).unwrap();
    count_hours_ago(&flags, 169, json!({ "yes": 1, "no": 1 })).await;
    drop(flags);
    assert_eq!(run_sql(&file, "SELECT count(*) FROM counted_uses"), "0");
}

#[actix_web::test]
async fn applications_above_the_limit_share_one_entry() {
    let app = TestApp::embedded().await;
    create(&app, &plain("probe")).await;
    create(&app, &plain("other")).await;
    let counts = json!({ "probe": { "yes": 1, "no": 2 } });
    for number in 0..60 {
        report_as(&app, &format!("app-{number:02}"), counts.clone()).await;
        // A read writes the report, so that the order of the applications is known.
        app.get(MINUTES).await;
    }
    report_as(&app, "app-00", counts.clone()).await;
    report_as(&app, "app-55", counts.clone()).await;
    for path in [MINUTES, HOURS] {
        let sums = sums(&app, path).await;
        assert_eq!(sums.len(), 51);
        assert_eq!((sums["app-00"], sums["app-49"], sums[""]), ((2, 4), (1, 2), (11, 22)));
    }
    report_as(&app, "app-55", json!({ "other": { "yes": 1, "no": 0 } })).await;
    let other = sums(&app, &MINUTES.replace("probe", "other")).await;
    assert_eq!(other, BTreeMap::from([sum_of("app-55", 1, 0)]), "the limit is per toggle");
}

#[actix_web::test]
async fn pairs_above_the_limit_of_the_service_are_not_stored() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let app = app_on(&file).await;
    create(&app, &plain("probe")).await;
    let counts = json!({ "probe": { "yes": 1, "no": 0 } });
    report_as(&app, "early", counts.clone()).await;
    app.stop().await;
    let hour = Timestamp::now().as_second() / 3600;
    let fill = |from: u32, to: u32| {
        let sql = format!(
            "WITH RECURSIVE numbers (number) AS (
                SELECT {from} UNION ALL SELECT number + 1 FROM numbers WHERE number + 1 < {to}
             )
             INSERT INTO counted_uses (toggle, application, last_hour)
             SELECT 'toggle-' || number, 'a', {hour} FROM numbers"
        );
        run_sql(&file, &sql);
    };
    fill(0, 19_999);
    let app = app_on(&file).await;
    for name in ["late", "early"] {
        report_as(&app, name, counts.clone()).await;
    }
    assert_eq!(sums(&app, HOURS).await, BTreeMap::from([sum_of("", 1, 0), sum_of("early", 2, 0)]));
    app.stop().await;
    fill(19_999, 29_998);
    let app = app_on(&file).await;
    create(&app, &plain("new")).await;
    report_as(&app, "early", json!({ "new": { "yes": 1, "no": 0 }, "probe": { "yes": 1, "no": 0 } })).await;
    assert_eq!(sums(&app, &HOURS.replace("probe", "new")).await, BTreeMap::new());
    assert_eq!(sums(&app, HOURS).await, BTreeMap::from([sum_of("", 1, 0), sum_of("early", 3, 0)]));
}

#[actix_web::test]
async fn counts_of_unknown_toggles_are_not_stored_by_application() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let app = app_on(&file).await;
    report(&app, json!({ "probe": { "yes": 1, "no": 0 } })).await;
    assert_eq!(entries(&app, MINUTES).await, Vec::<Value>::new());
    create(&app, &plain("probe")).await;
    report(&app, json!({ "probe": { "yes": 2, "no": 0 } })).await;
    assert_eq!(sums(&app, MINUTES).await, BTreeMap::from([sum_of("shop/web 100%", 2, 0)]));
    app.stop().await;
    assert_eq!(run_sql(&file, "SELECT toggle FROM counted_uses"), "probe");
}

#[actix_web::test]
async fn sums_stop_at_the_largest_integer() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let app = app_on(&file).await;
    create(&app, &plain("probe")).await;
    report(&app, json!({ "probe": { "yes": 1, "no": 1 } })).await;
    app.stop().await;
    let (nearly, hour) = (i64::MAX - 1, Timestamp::now().as_second() / 3600);
    run_sql(&file, &format!("UPDATE hour_counts SET yes = {nearly}, hour = {hour}"));
    let app = app_on(&file).await;
    report(&app, json!({ "probe": { "yes": 5, "no": 5 } })).await;
    let max = i64::MAX.unsigned_abs();
    assert_eq!(sums(&app, HOURS).await["shop/web 100%"], (max, 6));
}
