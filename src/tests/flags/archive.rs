//! Archiving and reviving toggles.

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use super::{
    FEATURES, archive, assert_empty, create, edited_probe, events_of, message, names, plain, replace, revive,
    switch,
};
use crate::support::app::TestApp;

const ARCHIVE: &str = "/api/admin/archive/features";

#[actix_web::test]
async fn archiving_moves_a_toggle_and_switches_it_off() {
    let app = TestApp::embedded().await;
    let mut toggle = create(&app, &edited_probe()).await.json();
    create(&app, &plain("stays")).await;
    // proves S7-011: deleting archives
    assert_empty(&archive(&app, "probe.one").await);
    assert_eq!(names(&app, FEATURES).await, ["stays"]);
    toggle["enabled"] = json!(false);
    // proves S3-035, S7-015: archived toggles come in a features field
    assert_eq!(app.get(ARCHIVE).await.json(), json!({ "features": [toggle] }));
}

#[actix_web::test]
async fn reviving_brings_a_toggle_back_switched_off() {
    let app = TestApp::embedded().await;
    let mut toggle = create(&app, &edited_probe()).await.json();
    archive(&app, "probe.one").await;
    assert_empty(&revive(&app, "probe.one").await);
    toggle["enabled"] = json!(false);
    assert_eq!(app.get("/api/admin/features/probe.one").await.json(), toggle);
    assert_eq!(names(&app, ARCHIVE).await, [""; 0]);
    // proves S4-005, S4-006, S7-016: from active to archived to revived, any number of times
    archive(&app, "probe.one").await;
    assert_eq!(names(&app, ARCHIVE).await, ["probe.one"]);
}

#[actix_web::test]
async fn only_archived_toggles_can_be_revived() {
    let app = TestApp::embedded().await;
    create(&app, &plain("live")).await;
    for name in ["live", "none.such"] {
        let response = revive(&app, name).await;
        assert_eq!(response.status, StatusCode::NOT_FOUND);
        assert_eq!(response.json()["error"], "There is no archived toggle with that name");
    }
    assert_eq!(events_of(&app, "live").await.len(), 1);
    assert_eq!(events_of(&app, "none.such").await, Vec::<Value>::new());
}

#[actix_web::test]
async fn archived_toggle_cannot_be_read_or_changed() {
    let app = TestApp::embedded().await;
    create(&app, &plain("gone")).await;
    archive(&app, "gone").await;
    assert_eq!(app.get("/api/admin/features/gone").await.status, StatusCode::NOT_FOUND);
    assert_eq!(switch(&app, "gone", "toggle/on").await.status, StatusCode::NOT_FOUND);
    assert_eq!(archive(&app, "gone").await.status, StatusCode::NOT_FOUND);
    assert_eq!(app.get(ARCHIVE).await.json()["features"][0]["enabled"], false);
    assert_eq!(events_of(&app, "gone").await.len(), 2);
}

/// Returns a toggle that depends on another one.
fn child_of(parent: &str, name: &str) -> Value {
    let mut toggle = plain(name);
    toggle["dependencies"] = json!([{ "feature": parent }]);
    toggle
}

#[actix_web::test]
async fn toggle_is_revived_only_with_a_parent_that_it_may_depend_on() {
    let app = TestApp::embedded().await;
    for toggle in [plain("parent"), child_of("parent", "child"), plain("other")] {
        create(&app, &toggle).await;
    }
    assert_empty(&archive(&app, "child").await);
    assert_empty(&archive(&app, "parent").await);
    let events = events_of(&app, "child").await.len();
    let refused = async |problem: &str| {
        let response = revive(&app, "child").await;
        let said = format!("The toggle child cannot be revived. {problem}");
        assert_eq!((response.status, message(&response)), (StatusCode::CONFLICT, said));
        assert!(names(&app, ARCHIVE).await.contains(&"child".to_owned()), "the child stays archived");
        assert_eq!(events_of(&app, "child").await.len(), events);
    };
    refused("The parent toggle parent is archived; revive it first").await;

    assert_empty(&revive(&app, "parent").await);
    assert_eq!(replace(&app, "parent", &child_of("other", "parent")).await.status, StatusCode::OK);
    refused(
        "The toggle parent cannot be a parent of child because it has dependencies itself; remove them first",
    )
    .await;

    assert_eq!(replace(&app, "parent", &plain("parent")).await.status, StatusCode::OK);
    assert_empty(&revive(&app, "child").await);
    let revived = app.get(&format!("{FEATURES}/child")).await.json();
    assert_eq!(revived["dependencies"], child_of("parent", "child")["dependencies"]);
}

#[actix_web::test]
async fn archiving_a_parent_while_its_child_is_revived_never_leaves_the_child_alone() {
    let app = TestApp::embedded().await;
    create(&app, &plain("parent")).await;
    create(&app, &child_of("parent", "child")).await;
    archive(&app, "child").await;
    for round in 0..10 {
        let (revived, archived) = futures_util::join!(revive(&app, "child"), archive(&app, "parent"));
        let statuses = [revived.status, archived.status].map(|status| status.as_u16());
        assert!(matches!(statuses, [200, 409] | [409, 200]), "{statuses:?} in {round}");
        if archived.status == StatusCode::OK {
            assert_empty(&revive(&app, "parent").await);
        } else {
            assert_empty(&archive(&app, "child").await);
        }
    }
}
