//! The history: one event for each change, with its diff.

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use super::{archive, create, edited_probe, events_of, message, plain, probe, replace, revive, switch};
use crate::support::app::TestApp;
use crate::support::engine::{is_postgres, run_sql};

/// Makes the same changes to a toggle as in the recording of a real server.
async fn change_in_every_way(app: &TestApp) {
    create(app, &probe()).await;
    replace(app, "probe.one", &edited_probe()).await;
    for action in ["toggle/off", "toggle/on", "stale/on", "stale/off"] {
        switch(app, "probe.one", action).await;
    }
    archive(app, "probe.one").await;
    revive(app, "probe.one").await;
}

/// Returns the data of the event that creates a plain toggle.
fn plain_data(name: &str) -> Value {
    json!({
        "name": name, "type": "release", "project": "default", "enabled": false, "stale": false,
        "strategies": [{ "name": "default", "parameters": {} }], "variants": [],
    })
}

fn kinds(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().unwrap()).collect()
}

#[actix_web::test]
async fn each_change_writes_an_event_listed_newest_first() {
    let app = TestApp::embedded().await;
    change_in_every_way(&app).await;
    let events = events_of(&app, "probe.one").await;
    // proves S3-024, S3-025, S7-034: an entry's fields, and entries by toggle
    assert_eq!(
        kinds(&events),
        [
            "feature-revived",
            "feature-archived",
            "feature-stale-off",
            "feature-stale-on",
            "feature-updated",
            "feature-updated",
            "feature-updated",
            "feature-created",
        ]
    );
    for pair in events.windows(2) {
        assert!(pair[0]["id"].as_i64() > pair[1]["id"].as_i64());
        assert!(pair[0]["createdAt"].as_str() >= pair[1]["createdAt"].as_str());
    }
    for event in &events {
        assert_eq!((&event["createdBy"], &event["tags"]), (&json!("operator"), &json!([])));
        assert_eq!(event["data"]["name"], "probe.one");
    }
    // proves S3-026, S7-033: the whole history comes in an events list
    let all = app.get("/api/admin/events").await.json();
    assert_eq!(all, json!({ "version": 1, "events": events }));
}

#[actix_web::test]
async fn event_contains_the_written_data() {
    let app = TestApp::embedded().await;
    change_in_every_way(&app).await;
    let events = events_of(&app, "probe.one").await;
    let mut stored = edited_probe();
    stored["createdAt"] = app.get("/api/admin/features/probe.one").await.json()["createdAt"].take();
    stored["lastSeenAt"] = Value::Null;
    assert_eq!(events[0]["data"], json!({ "name": "probe.one" }));
    assert_eq!(events[1]["data"], json!({ "name": "probe.one" }));
    assert_eq!(events[2]["data"], stored);
    assert_eq!(events[6]["data"], edited_probe());
    assert_eq!(events[7]["data"], probe());
}

#[actix_web::test]
async fn event_contains_the_diff_from_the_previous_event() {
    let app = TestApp::embedded().await;
    change_in_every_way(&app).await;
    let events = events_of(&app, "probe.one").await;
    assert_eq!(events[7]["diffs"], Value::Null, "the first event has no diff");
    let (before, after) = (probe(), edited_probe());
    assert_eq!(
        events[6]["diffs"],
        json!([
            { "kind": "E", "path": ["description"], "lhs": "first", "rhs": "edited" },
            {
                "kind": "A", "path": ["strategies"], "index": 1,
                "item": { "kind": "D", "lhs": before["strategies"][1] },
            },
            { "kind": "E", "path": ["type"], "lhs": "release", "rhs": "experiment" },
            { "kind": "A", "path": ["variants"], "index": 1, "item": { "kind": "N", "rhs": after["variants"][1] } },
            { "kind": "A", "path": ["variants"], "index": 0, "item": { "kind": "N", "rhs": after["variants"][0] } },
        ])
    );
    assert_eq!(events[4]["diffs"], json!([{ "kind": "E", "path": ["enabled"], "lhs": false, "rhs": true }]));
    assert_eq!(events[3]["diffs"], json!([{ "kind": "E", "path": ["stale"], "lhs": false, "rhs": true }]));
    let gone: Vec<&Value> = events[1]["diffs"].as_array().unwrap().iter().map(|diff| &diff["kind"]).collect();
    assert_eq!(gone, vec![&json!("D"); 9], "the event contains only the name");
    assert_eq!(events[0]["diffs"], json!([]));
}

#[actix_web::test]
async fn diffs_compare_events_of_the_same_toggle() {
    let app = TestApp::embedded().await;
    create(&app, &plain("first")).await;
    create(&app, &plain("second")).await;
    assert_eq!(events_of(&app, "second").await[0]["diffs"], Value::Null);
}

#[actix_web::test]
async fn event_list_has_at_most_100_events() {
    let app = TestApp::embedded().await;
    create(&app, &plain("busy")).await;
    for _ in 0..100 {
        switch(&app, "busy", "toggle/on").await;
    }
    for path in ["/api/admin/events", "/api/admin/events/busy"] {
        let events = app.get(path).await.json()["events"].take();
        let events = events.as_array().unwrap();
        assert_eq!(
            (events.len(), &events[0]["id"], &events[99]["id"]),
            (100, &json!(101), &json!(2)),
            "{path}"
        );
    }
}

#[actix_web::test]
async fn event_list_has_at_most_5_mib() {
    let app = TestApp::embedded().await;
    create(&app, &plain("busy")).await;
    let mut toggle = plain("busy");
    for letter in ["a", "b", "c", "d", "e"] {
        toggle["description"] = json!(letter.repeat(1_000_000));
        replace(&app, "busy", &toggle).await;
    }
    for path in ["/api/admin/events", "/api/admin/events/busy"] {
        let response = app.get(path).await;
        assert!(response.body.len() <= (5 << 20) + 100, "{} bytes", response.body.len());
        let events = response.json()["events"].take();
        let ids: Vec<_> =
            events.as_array().unwrap().iter().map(|event| event["id"].as_i64().unwrap()).collect();
        assert_eq!(ids, [6], "{path}");
        assert_eq!(events[0]["data"]["description"], toggle["description"]);
        assert_eq!(events[0]["diffs"][0]["rhs"], toggle["description"]);
    }
}

/// Earlier versions wrote diffs of any size, and an import can write data of any size.
#[actix_web::test]
async fn oversized_event_parts_are_omitted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let app = TestApp::with(&["--data", file.to_str().unwrap()]).await;
    create(&app, &plain("large")).await;
    create(&app, &plain("changed")).await;
    let set = |column: &str, name: &str, value: &Value| {
        run_sql(
            &file,
            &format!("UPDATE events SET {column} = '{value}' WHERE entity_name = '{name}' RETURNING 1"),
        )
    };
    let large = "x".repeat(6 << 20);
    assert_eq!(set("data", "large", &json!({ "name": "large", "description": large })), "1");
    let diff = json!([{ "kind": "E", "path": ["description"], "lhs": "", "rhs": large }]);
    assert_eq!(set("diffs", "changed", &diff), "1");
    let response = app.get("/api/admin/events").await;
    assert!(response.body.len() < 2000, "{} bytes", response.body.len());
    let events = response.json()["events"].take();
    assert_eq!((&events[0]["data"], &events[0]["diffs"]), (&plain_data("changed"), &Value::Null));
    assert_eq!(events[1]["data"], json!({ "name": "large" }));
}

#[actix_web::test]
async fn toggle_without_events_has_an_empty_history() {
    let app = TestApp::embedded().await;
    assert_eq!(
        app.get("/api/admin/events/none.such").await.json(),
        json!({ "toggleName": "none.such", "events": [] })
    );
}

/// Reads all pages of a history, and returns the ids of each.
async fn read_pages(app: &TestApp, path: &str) -> Vec<Vec<i64>> {
    let mut pages = Vec::new();
    let mut url = path.to_owned();
    loop {
        let page = app.get(&url).await.json();
        let events = page["events"].as_array().unwrap();
        pages.push(events.iter().map(|event| event["id"].as_i64().unwrap()).collect());
        let Some(before) = page.get("nextBefore") else { return pages };
        url = format!("{path}?before={before}");
    }
}

#[actix_web::test]
async fn pages_contain_each_event_once_although_newer_events_arrive() {
    let app = TestApp::embedded().await;
    create(&app, &plain("busy")).await;
    create(&app, &plain("other")).await;
    for _ in 0..124 {
        switch(&app, "busy", "toggle/on").await;
        switch(&app, "other", "toggle/on").await;
    }
    let pages = read_pages(&app, "/api/admin/events").await;
    let expected: Vec<Vec<i64>> =
        vec![(151..=250).rev().collect(), (51..=150).rev().collect(), (1..=50).rev().collect()];
    assert_eq!(pages, expected);
    let pages = read_pages(&app, "/api/admin/events/busy").await;
    assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [100, 25]);
    assert!(pages.concat().is_sorted_by(|newer, older| newer > older));

    let first = app.get("/api/admin/events").await.json();
    for _ in 0..3 {
        switch(&app, "busy", "toggle/off").await;
    }
    let second = app.get(&format!("/api/admin/events?before={}", first["nextBefore"])).await.json();
    assert_eq!((&first["events"][99]["id"], &second["events"][0]["id"]), (&json!(151), &json!(150)));
}

#[actix_web::test]
async fn page_of_exactly_100_events_is_the_last() {
    let app = TestApp::embedded().await;
    create(&app, &plain("busy")).await;
    for _ in 0..99 {
        switch(&app, "busy", "toggle/on").await;
    }
    for path in ["/api/admin/events", "/api/admin/events/busy"] {
        let page = app.get(path).await.json();
        assert_eq!(page["events"].as_array().unwrap().len(), 100, "{path}");
        assert_eq!(page.get("nextBefore"), None, "{path}");
    }
}

#[actix_web::test]
async fn page_that_reaches_the_size_limit_is_followed_by_the_other_events() {
    let app = TestApp::embedded().await;
    create(&app, &plain("busy")).await;
    let mut toggle = plain("busy");
    for letter in ["a", "b", "c"] {
        toggle["description"] = json!(letter.repeat(1_000_000));
        replace(&app, "busy", &toggle).await;
    }
    assert_eq!(read_pages(&app, "/api/admin/events/busy").await.concat(), [4, 3, 2, 1]);
    assert!(read_pages(&app, "/api/admin/events/busy").await.len() > 1);
}

#[actix_web::test]
async fn cursor_before_the_oldest_event_lists_nothing() {
    let app = TestApp::embedded().await;
    create(&app, &plain("busy")).await;
    assert_eq!(app.get("/api/admin/events?before=1").await.json(), json!({ "version": 1, "events": [] }));
}

#[actix_web::test]
async fn rejects_a_cursor_that_is_no_event_id() {
    let app = TestApp::embedded().await;
    for path in ["/api/admin/events", "/api/admin/events/busy"] {
        for cursor in ["", "0", "-1", "1.5", "ten", "9223372036854775808", "1%20OR%201=1"] {
            let response = app.get(&format!("{path}?before={cursor}")).await;
            assert_eq!(response.status, StatusCode::BAD_REQUEST, "{path} {cursor}");
            assert!(
                message(&response).contains("\"before\" must be the id of an event"),
                "{}",
                response.body
            );
        }
    }
}

/// A page costs the same at each depth: the query reads the primary key or the index, and sorts nothing.
#[actix_web::test]
async fn pages_use_an_index() {
    if is_postgres() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let app = TestApp::with(&["--data", file.to_str().unwrap()]).await;
    create(&app, &plain("busy")).await;
    for (filter, used) in [
        ("id < 50", "USING INTEGER PRIMARY KEY"),
        ("entity = 'feature' AND entity_name = 'busy' AND id < 50", "USING INDEX events_of_entity"),
    ] {
        let query = format!("SELECT data FROM events WHERE {filter} ORDER BY id DESC LIMIT 101");
        let plan = run_sql(&file, &format!("EXPLAIN QUERY PLAN {query}"));
        assert!(plan.contains(used) && !plan.contains("TEMP B-TREE"), "{plan}");
    }
}
