//! Projects, and their toggles.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{FEATURES, JSON, archive, assert_empty, create, message, names, plain, replace, revive};
use crate::support::app::{Response, TestApp};

const PROJECTS: &str = "/api/admin/projects";

async fn delete(app: &TestApp, id: &str) -> Response {
    app.send(Method::DELETE, &format!("{PROJECTS}/{id}"), &[], "").await
}

async fn ids(app: &TestApp) -> Vec<String> {
    let projects = app.get(PROJECTS).await.json()["projects"].take();
    projects.as_array().unwrap().iter().map(|project| project["id"].as_str().unwrap().to_owned()).collect()
}

fn toggle_in(project: &str, name: &str) -> Value {
    let mut toggle = plain(name);
    toggle["project"] = json!(project);
    toggle
}

#[actix_web::test]
async fn projects_can_be_created_changed_and_deleted() {
    let app = TestApp::embedded().await;
    // proves S7-053: the list, which starts with the default project
    let list = app.get(PROJECTS).await.json();
    assert_eq!((&list["version"], &list["projects"][0]["name"]), (&json!(1), &json!("Default")));
    assert_eq!(ids(&app).await, ["default"]);
    let web = json!({ "id": "web", "name": "Web", "description": "Web team" });
    // proves S7-054: the created project is returned
    let created = app.post(PROJECTS, &web).await;
    assert_eq!(created.status, StatusCode::CREATED);
    let mut project = created.json();
    assert!(project["createdAt"].is_string());
    // proves S7-055: update and delete
    let edited = json!({ "id": "other", "name": "Web 2", "description": null });
    let path = format!("{PROJECTS}/web");
    assert_empty(&app.send(Method::PUT, &path, &[JSON], &edited.to_string()).await);
    project["name"] = json!("Web 2");
    project["description"] = Value::Null;
    assert_eq!(app.get(PROJECTS).await.json()["projects"][1], project);
    assert_empty(&delete(&app, "web").await);
    assert_eq!(ids(&app).await, ["default"]);
    let events = app.get("/api/admin/events").await.json()["events"].take();
    let kinds: Vec<&str> =
        events.as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["project-deleted", "project-updated", "project-created"]);
    assert_eq!(events[1]["diffs"][1], json!({ "kind": "E", "path": ["name"], "lhs": "Web", "rhs": "Web 2" }));
}

#[actix_web::test]
async fn project_ids_are_validated() {
    let app = TestApp::embedded().await;
    let validate = format!("{PROJECTS}/validate");
    // proves S7-056: a free id, a taken id, an invalid id
    assert_empty(&app.post(&validate, &json!({ "id": "web" })).await);
    for (id, status, said) in [
        ("default", StatusCode::CONFLICT, "A project with the id default already exists"),
        ("a b", StatusCode::BAD_REQUEST, "\"id\" must be URL friendly"),
    ] {
        for path in [validate.as_str(), PROJECTS] {
            let response = app.post(path, &json!({ "id": id, "name": "Any" })).await;
            assert_eq!((response.status, message(&response).as_str()), (status, said), "{path}");
        }
    }
    let nameless = app.post(PROJECTS, &json!({ "id": "web" })).await;
    assert_eq!(message(&nameless), "\"name\" is required");
    let missing = app.send(Method::PUT, &format!("{PROJECTS}/none"), &[JSON], "{\"name\":\"N\"}").await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
    assert_eq!(delete(&app, "none").await.status, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn project_with_active_toggles_cannot_be_deleted() {
    let app = TestApp::embedded().await;
    let refused = delete(&app, "default").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert_eq!(message(&refused), "The default project cannot be deleted");
    app.post(PROJECTS, &json!({ "id": "web", "name": "Web" })).await;
    create(&app, &toggle_in("web", "probe")).await;
    let refused = delete(&app, "web").await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert_eq!(message(&refused), "The project web still has active toggles: 1. Archive or move them first");
    archive(&app, "probe").await;
    assert_empty(&delete(&app, "web").await);
    revive(&app, "probe").await;
    assert_eq!(app.get("/api/admin/features/probe").await.json()["project"], "default");
}

#[actix_web::test]
async fn toggles_can_be_filtered_by_project_and_name_prefix() {
    let app = TestApp::embedded().await;
    for id in ["web", "app"] {
        app.post(PROJECTS, &json!({ "id": id, "name": id })).await;
    }
    for (project, name) in [("web", "shop.one"), ("web", "tool.one"), ("app", "shop.two")] {
        create(&app, &toggle_in(project, name)).await;
    }
    for (query, found) in [
        ("project=web", vec!["shop.one", "tool.one"]),
        ("project=web&project=app", vec!["shop.one", "shop.two", "tool.one"]),
        ("project=none", vec![]),
        ("namePrefix=shop.", vec!["shop.one", "shop.two"]),
        ("namePrefix=shop.&project=app", vec!["shop.two"]),
        ("namePrefix=%25", vec![]),
        ("unknown=x", vec!["shop.one", "shop.two", "tool.one"]),
    ] {
        assert_eq!(names(&app, &format!("{FEATURES}?{query}")).await, found, "{query}");
    }
}

#[actix_web::test]
async fn rejects_toggles_of_missing_projects() {
    let app = TestApp::embedded().await;
    create(&app, &plain("probe")).await;
    let created = app.post(FEATURES, &toggle_in("web", "new")).await;
    for response in [created, replace(&app, "probe", &toggle_in("web", "probe")).await] {
        let said = "There is no project with the id web; create it first";
        assert_eq!((response.status, message(&response).as_str()), (StatusCode::BAD_REQUEST, said));
    }
    assert_eq!(names(&app, FEATURES).await, ["probe"]);
    assert_eq!(app.get("/api/admin/features/probe").await.json()["project"], "default");
}
