//! Limits of reported data, which every client of the client API can invent.

use actix_web::http::StatusCode;
use serde_json::{Map, Value, json};

use super::{APPLICATIONS, METRICS, SEEN, SHOP, assert_accepted, register, report, report_as};
use crate::flags::{create, largest_registration, message, plain};
use crate::support::app::TestApp;

/// Returns counts of names that no toggle has.
fn unknown_counts(prefix: &str, number: usize) -> Value {
    let counts = |number| (format!("{prefix}-{number}"), json!({ "yes": 1, "no": 0 }));
    (0..number).map(counts).collect::<Map<_, _>>().into()
}

#[actix_web::test]
async fn reported_data_is_limited() {
    let app = TestApp::embedded().await;
    let response = report(&app, unknown_counts("toggle", 10_001)).await;
    let said = "\"bucket.toggles\" must contain less than or equal to 10000 items";
    assert_eq!((response.status, message(&response).as_str()), (StatusCode::BAD_REQUEST, said));
    // The items of an overlong list are not validated: only one error.
    let registration = json!({ "appName": "a", "instanceId": "i", "strategies": vec![7; 201] });
    let response = app.post("/api/client/register", &registration).await;
    let said = "\"strategies\" must contain less than or equal to 200 items";
    assert_eq!((response.status, message(&response).as_str()), (StatusCode::BAD_REQUEST, said));
    let registration = json!({ "appName": "a", "instanceId": "i", "strategies": ["x".repeat(256)] });
    let response = app.post("/api/client/register", &registration).await;
    let said = "\"strategies[0]\" length must be less than or equal to 255 characters long";
    assert_eq!((response.status, message(&response).as_str()), (StatusCode::BAD_REQUEST, said));
    assert_eq!(app.get(APPLICATIONS).await.json(), json!({ "applications": [] }));
}

#[actix_web::test]
async fn oldest_undescribed_applications_are_deleted_above_the_limit() {
    let app = TestApp::embedded().await;
    let start = async |name: String| {
        let body = json!({ "appName": name, "instanceId": "i" });
        assert_accepted(&app.post("/api/client/register", &body).await);
    };
    start("described".to_owned()).await;
    start("app-oldest".to_owned()).await;
    let described = format!("{APPLICATIONS}/described");
    app.post(&described, &json!({ "value": "url", "url": "https://example.com" })).await;
    for number in 0..5000 {
        start(format!("app-{number}")).await;
    }
    let list = app.get(APPLICATIONS).await.json()["applications"].take();
    let names: Vec<_> = list.as_array().unwrap().iter().map(|app| app["appName"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 5000);
    assert!(names.contains(&"described") && names.contains(&"app-4999") && !names.contains(&"app-oldest"));
}

#[actix_web::test]
async fn unknown_names_share_a_quota_and_do_not_displace_toggles() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let data = ["--data", file.to_str().unwrap()];
    let app = TestApp::with(&data).await;
    create(&app, &plain("early")).await;
    report(&app, json!({ "gone": { "yes": 1, "no": 0 } })).await;
    for flood in ["a", "b", "c"] {
        assert_accepted(&report_as(&app, "stranger", unknown_counts(flood, 10_000)).await);
    }
    // A toggle that was just created counts as known.
    create(&app, &plain("late")).await;
    let counts = json!({ "yes": 2, "no": 1 });
    assert_accepted(&report(&app, json!({ "early": counts, "late": counts, "gone": counts })).await);
    let last_hour = app.get(METRICS).await.json()["lastHour"].take();
    assert_eq!((&last_hour["early"], &last_hour["late"]), (&counts, &counts));
    assert_eq!(last_hour["gone"], json!({ "yes": 3, "no": 1 }));
    assert_eq!(last_hour.as_object().unwrap().len(), 1000 + 2);
    let shop = app.get(SHOP).await.json();
    let names: Vec<_> =
        shop["seenToggles"].as_array().unwrap().iter().map(|toggle| &toggle["name"]).collect();
    assert_eq!(names, ["early", "gone", "late"]);
    let stranger = app.get(&format!("{APPLICATIONS}/stranger")).await.json();
    assert_eq!(stranger["seenToggles"].as_array().unwrap().len(), 999);
    app.stop().await;
    let again = TestApp::with(&data).await;
    assert_eq!(again.get(METRICS).await.json()["lastHour"], last_hour);
    report(&again, unknown_counts("d", 10)).await;
    assert_eq!(again.get(METRICS).await.json()["lastHour"], last_hour, "the quota is shared across restarts");
}

#[actix_web::test]
async fn uses_of_unknown_names_share_one_limit() {
    let app = TestApp::embedded().await;
    create(&app, &plain("probe")).await;
    report(&app, json!({ "probe": { "yes": 1, "no": 0 } })).await;
    for number in 0..16 {
        report_as(&app, &format!("stranger-{number}"), unknown_counts("gone", 1000)).await;
        app.get(APPLICATIONS).await;
    }
    let seen = app.get(SEEN).await.json();
    let uses = seen.as_object().unwrap().iter().filter(|(toggle, _)| *toggle != "probe");
    let uses: usize = uses.map(|(_, applications)| applications.as_array().unwrap().len()).sum();
    assert!((1..=12_000).contains(&uses), "{uses} uses of unknown names");
    assert_eq!(seen["probe"][0]["appName"], "shop/web 100%");
}

#[actix_web::test]
async fn reports_larger_than_a_transaction_are_written_completely() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let data = ["--data", file.to_str().unwrap()];
    let app = TestApp::with(&data).await;
    for name in ["a", "b", "c"] {
        assert_accepted(&report_as(&app, name, unknown_counts("gone", 1000)).await);
    }
    assert_eq!(app.get(APPLICATIONS).await.json()["applications"].as_array().unwrap().len(), 3);
    // A restart reads the counts from disk.
    app.stop().await;
    let other = TestApp::with(&data).await;
    let last_hour = other.get(METRICS).await.json()["lastHour"].take();
    let counts: Vec<_> = last_hour.as_object().unwrap().values().map(|counts| &counts["yes"]).collect();
    assert_eq!((counts.len(), counts.iter().all(|yes| **yes == json!(3))), (1000, true));
}

#[actix_web::test]
async fn seen_apps_omits_strategies_when_the_response_is_large() {
    let app = TestApp::embedded().await;
    app.post("/api/client/register", &largest_registration("a")).await;
    for (number, strategies) in [(70, 200), (1000, 0)] {
        report_as(&app, "a", unknown_counts("gone", number)).await;
        let seen = app.get(SEEN).await;
        assert!(seen.body.len() <= 16 << 20, "{} bytes", seen.body.len());
        let seen = seen.json();
        assert_eq!(seen.as_object().unwrap().len(), number);
        // proves S7-028: the applications of each toggle
        assert_eq!(seen["gone-0"][0]["appName"], "a");
        assert_eq!(seen["gone-0"][0]["strategies"].as_array().unwrap().len(), strategies);
    }
}

#[actix_web::test]
async fn longest_strategy_lists_are_dropped_above_the_limit() {
    let app = TestApp::embedded().await;
    register(&app).await;
    for number in 0..40 {
        let registration = largest_registration(&format!("app-{number}"));
        assert_accepted(&app.post("/api/client/register", &registration).await);
        // The read after each report forces a separate write.
        app.get(&format!("{APPLICATIONS}/app-{number}")).await;
    }
    let list = app.get(APPLICATIONS).await;
    assert!(list.body.len() < 5 << 20, "{} bytes", list.body.len());
    let list = list.json()["applications"].take();
    assert_eq!(list.as_array().unwrap().len(), 41);
    let shop = list.as_array().unwrap().iter().find(|app| app["appName"] == "shop/web 100%").unwrap();
    assert_eq!(shop["strategies"], json!(["byRegion", "default"]));
}

#[actix_web::test]
async fn application_lists_its_newest_instances() {
    let app = TestApp::embedded().await;
    for number in 0..2001 {
        // The oldest instance has the name that sorts last.
        let instance = format!("i-{:04}", 9999 - number);
        app.post("/api/client/register", &json!({ "appName": "a", "instanceId": instance })).await;
    }
    let list = app.get(&format!("{APPLICATIONS}/a")).await.json()["instances"].take();
    let ids: Vec<_> = list.as_array().unwrap().iter().map(|instance| &instance["instanceId"]).collect();
    assert_eq!((ids.len(), ids[0], ids[1999]), (2000, &json!("i-7999"), &json!("i-9998")));
}

#[actix_web::test]
async fn application_texts_are_limited() {
    let app = TestApp::embedded().await;
    register(&app).await;
    for (key, length) in [("icon", 255), ("url", 2000), ("description", 2000)] {
        assert_accepted(&app.post(SHOP, &json!({ key: "x".repeat(length) })).await);
        let refused = app.post(SHOP, &json!({ key: "x".repeat(length + 1) })).await;
        let said = format!("\"{key}\" length must be less than or equal to {length} characters long");
        assert_eq!((refused.status, message(&refused)), (StatusCode::BAD_REQUEST, said));
    }
}
