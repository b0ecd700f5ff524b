//! The option `--demo`: data for every screen, and simulated applications that react to changes.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::Value;

use super::{FEATURES, events_of, names, switch};
use crate::support::app::TestApp;

const METRICS: &str = "/api/admin/metrics/feature-toggles";
const APPLICATIONS: &str = "/api/admin/metrics/applications";
const PATIENCE: Duration = Duration::from_mins(1);

async fn demo() -> TestApp {
    TestApp::with(&["--demo"]).await
}

/// Returns the list in a response.
async fn list(app: &TestApp, path: &str, key: &str) -> Vec<Value> {
    let mut response = app.get(path).await.json();
    let list = if key.is_empty() { response } else { response[key].take() };
    serde_json::from_value(list).unwrap()
}

/// Returns the distinct values of a property as JSON.
fn values_of(list: &[Value], key: &str) -> BTreeSet<String> {
    list.iter().map(|item| item[key].to_string()).collect()
}

/// Requests the metrics until they match a condition.
async fn wait_for_metrics(app: &TestApp, wanted: impl Fn(&Value) -> bool) {
    let seen = async {
        while !wanted(&app.get(METRICS).await.json()) {
            actix_web::rt::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, seen).await.expect("the metrics never matched");
}

#[actix_web::test]
async fn demo_has_data_for_every_screen() {
    let app = demo().await;
    let features = list(&app, FEATURES, "features").await;
    let examples: Vec<Value> = serde_json::from_str(include_str!("../../../examples/toggles.json")).unwrap();
    assert!(values_of(&features, "name").is_superset(&values_of(&examples, "name")));
    assert!(features.iter().all(|toggle| toggle["createdAt"].as_str() < toggle["lastSeenAt"].as_str()
        || toggle["lastSeenAt"].is_null()));

    assert_eq!(names(&app, "/api/admin/archive/features").await, ["home.summer-banner"]);
    assert_eq!(list(&app, "/api/admin/projects", "projects").await.len(), 3);
    assert_eq!(values_of(&features, "project").len(), 3);
    assert!(names(&app, &format!("{FEATURES}?tag=team:checkout")).await.len() > 1);
    let strategies = list(&app, "/api/admin/strategies", "strategies").await;
    assert_eq!(
        (values_of(&strategies, "editable").len(), values_of(&strategies, "deprecated").len()),
        (2, 2)
    );
    let addons = list(&app, "/api/admin/addons", "addons").await;
    assert_eq!(
        (addons[0]["enabled"].as_bool(), addons[0]["parameters"]["url"].as_str()),
        (Some(false), Some("*****"))
    );
    let fields = list(&app, "/api/admin/context", "").await;
    assert!(fields.iter().any(|field| field["legalValues"][1] == "Germany, Austria, Switzerland"));
}

#[actix_web::test]
async fn demo_history_has_several_authors_in_chronological_order() {
    let app = demo().await;
    let events = list(&app, "/api/admin/events", "events").await;
    assert!(events.len() > 50 && events.len() < 100, "{}", events.len());
    assert!(values_of(&events, "createdBy").len() > 2);
    let times: Vec<_> = events.iter().map(|event| event["createdAt"].as_str().unwrap()).collect();
    assert!(times.is_sorted_by(|newer, older| newer >= older));
    let edited = events_of(&app, "checkout.one-page").await;
    assert_eq!(edited[0]["diffs"][0]["path"][0], "description");
}

#[actix_web::test]
async fn demo_applications_have_descriptions_and_report_missing_toggles() {
    let app = demo().await;
    let applications = list(&app, APPLICATIONS, "applications").await;
    assert!(applications.len() > 3);
    for application in &applications {
        let name = application["appName"].as_str().unwrap();
        let found = app.get(&format!("{APPLICATIONS}/{name}")).await.json();
        let instance = &found["instances"][0];
        assert!(instance["sdkVersion"].is_string() && instance["clientIp"] == "127.0.0.1", "{found}");
        assert!(found["createdAt"].as_str() < instance["createdAt"].as_str(), "{found}");
    }
    for key in ["icon", "url", "description"] {
        assert!(values_of(&applications, key).len() > 3, "{key}");
    }
    let checkout = app.get(&format!("{APPLICATIONS}/checkout-service")).await.json();
    for key in ["strategies", "seenToggles"] {
        let missing = checkout[key].as_array().unwrap().iter().filter(|known| known["notFound"] == true);
        assert_eq!(missing.count(), 1, "{key}");
    }
}

#[actix_web::test]
async fn demo_counts_exist_at_start_and_continue() {
    let app = demo().await;
    let first = app.get(METRICS).await.json();
    for window in ["lastMinute", "lastHour"] {
        let shares: BTreeSet<_> = first[window]
            .as_object()
            .unwrap()
            .values()
            // Rarely used toggles may have no counts in a minute.
            .filter_map(|counts| {
                let (yes, no) = (counts["yes"].as_u64().unwrap(), counts["no"].as_u64().unwrap());
                (yes * 10).checked_div(yes + no)
            })
            .collect();
        assert!(shares.len() > 3, "{window}: {shares:?}");
    }
    wait_for_metrics(&app, |metrics| metrics["lastMinute"] != first["lastMinute"]).await;
}

#[actix_web::test]
async fn demo_has_counts_for_every_hour_of_the_last_week() {
    let app = demo().await;
    let path = "/api/admin/client-metrics/features/checkout.one-page/raw?hoursBack=168";
    let counts = list(&app, path, "data").await;
    assert!(values_of(&counts, "timestamp").len() >= 167);
    assert_eq!(values_of(&counts, "appName").len(), 2);
}

#[actix_web::test]
async fn demo_applications_react_to_switched_toggles() {
    let app = demo().await;
    let name = "payments.card-provider";
    assert_eq!(app.get(METRICS).await.json()["lastHour"][name]["no"], 0);
    switch(&app, name, "toggle/off").await;
    wait_for_metrics(&app, |metrics| metrics["lastMinute"][name]["no"].as_u64() > Some(0)).await;
}
