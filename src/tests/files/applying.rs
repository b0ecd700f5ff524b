//! `flagdeck apply` stores what the plan says, or refuses before the first write.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;

use actix_web::http::Method;
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::{Files, change, count_events, create_toggles, tags_of};
use crate::support::app::TestApp;
use crate::support::binary::flagdeck;
use crate::support::newer_server::{NewerServer, Reaction, Version};

const ENVIRONMENT: [&str; 2] = ["--upstream-environment", "development"];

fn files_for(server: &NewerServer) -> Files {
    Files::new(&[&server.url, ENVIRONMENT[0], ENVIRONMENT[1]])
}

#[actix_web::test]
async fn dependencies_change_in_an_order_that_the_server_accepts() {
    let app = TestApp::embedded().await;
    create_toggles(&app).await;
    let files = Files::new(&[&app.url("")]);
    // The parent becomes a child. It narrows, and the removal of the other dependency widens.
    let path = files.write(
        "all.yaml",
        "version: 1\ntoggles:\n  shop.pay:\n    dependencies: [{ feature: \"null\" }]\n  shop.pay.button:\n    dependencies: []\n",
    );
    let (code, text) = files.apply(&path, &[]).await;
    assert_eq!(code, Some(0), "{text}");
    let toggle = app.get("/api/admin/features/shop.pay").await.json();
    assert_eq!(toggle["dependencies"], json!([{ "feature": "null" }]));
    assert_eq!(files.plan().await.0, Some(0));
}

#[actix_web::test]
async fn dependencies_that_no_server_stores_are_errors_before_the_first_write() {
    let app = TestApp::embedded().await;
    create_toggles(&app).await;
    let files = Files::new(&[&app.url("")]);
    let events = count_events(&app).await;
    for (toggle, parent, fault) in [
        ("shop.pay", "shop.pay", "toggle shop.pay: it depends on itself; remove the dependency"),
        ("shop.pay", "shop.pay.button", "toggle shop.pay: its parent shop.pay.button depends on shop.pay,"),
        ("shop.pay", "\"null\"", "toggle shop.pay: shop.pay.button depends on it,"),
        ("\"null\"", "shop.pay.button", "toggle null: its parent shop.pay.button depends on shop.pay,"),
        ("shop.new", "shop.new", "toggle shop.new: it depends on itself;"),
    ] {
        let text = format!(
            "version: 1\ntoggles:\n  aaa: {{ description: first }}\n  {toggle}:\n    dependencies: [{{ feature: {parent} }}]\n"
        );
        let path = files.write("all.yaml", &text);
        let (code, text) = files.apply(&path, &[]).await;
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains("all.yaml, line 5, column "), "{text}");
        assert!(text.contains(fault), "{fault}: {text}");
        assert_eq!(count_events(&app).await, events, "{text}");
    }
}

#[actix_web::test]
async fn a_revived_toggle_becomes_what_the_file_says() {
    let app = TestApp::embedded().await;
    create_toggles(&app).await;
    let variant = json!([{ "name": "one", "weight": 1000, "weightType": "variable" }]);
    let body = json!({
        "name": "old", "description": "old", "enabled": true, "stale": true, "impressionData": true, "variants": variant,
        "strategies": [{ "name": "default" }], "dependencies": [{ "feature": "null" }],
    });
    assert_eq!(app.post("/api/admin/features", &body).await.status, 201);
    assert_eq!(
        app.post("/api/admin/features/old/tags", &json!({ "type": "simple", "value": "old" })).await.status,
        201
    );
    change(&app, Method::DELETE, "/features/old").await;
    let files = Files::new(&[&app.url("")]);
    let path = files.write(
        "all.yaml",
        "version: 1\ntoggles:\n  old:\n    description: \"\"\n    stale: false\n    impressionData: false\n    variants: []\n    dependencies: []\n    tags: []\n",
    );
    let (code, text) = files.apply(&path, &[]).await;
    assert_eq!(code, Some(0), "{text}");
    let toggle = app.get("/api/admin/features/old").await.json();
    let empty = |key: &str| match &toggle[key] {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    };
    for key in ["description", "enabled", "stale", "impressionData", "variants", "dependencies"] {
        assert!(empty(key), "{key}: {toggle:#}");
    }
    assert_eq!(toggle["strategies"][0]["name"], "default", "kept");
    assert_eq!(tags_of(&app, "old").await, Vec::<String>::new());
    assert_eq!(files.plan().await.0, Some(0));
}

#[actix_web::test]
async fn properties_that_a_strategy_no_longer_has_are_removed_on_newer_servers() {
    let server = NewerServer::start(Version::V8_2);
    let strategy = json!({
        "id": "one", "name": "default", "title": "Beta", "disabled": true, "parameters": {}, "variants": [], "segments": [3],
        "constraints": [{ "contextName": "userId", "operator": "IN", "values": ["7"] }],
    });
    server.model(|model| {
        model.add("one", json!({}));
        model.state("one", "development")["strategies"] = json!([strategy]);
    });
    let files = files_for(&server);
    let path = files.write("all.yaml", "version: 1\ntoggles:\n  one:\n    strategies: [{ name: default }]\n");
    let (code, text) = files.apply(&path, &[]).await;
    assert_eq!(code, Some(0), "{text}");
    let body: Value = serde_json::from_slice(&server.last_body()).unwrap();
    let removed = json!({ "title": "", "disabled": false, "segments": [], "constraints": [] });
    for (key, value) in removed.as_object().unwrap() {
        assert_eq!(&body[key], value, "{key} in {body:#}");
    }
}

#[actix_web::test]
async fn an_error_after_a_write_says_that_something_is_stored() {
    let server = NewerServer::start(Version::V8_2);
    server.model(|model| {
        model.add("one", json!({}));
        model.add("two", json!({}));
    });
    let files = files_for(&server);
    let path = files.write(
        "all.yaml",
        "version: 1\ntoggles:\n  one: { description: new }\n  two: { description: new }\n",
    );
    let refusal =
        json!({ "name": "BadDataError", "message": "no", "details": [{ "message": "no such text" }] });
    server.react("PATCH /one", Reaction::Refuse(400, refusal.clone()));
    let (code, text) = files.apply(&path, &[]).await;
    assert_eq!(code, Some(1));
    assert!(text.contains("no such text") && !text.contains("stored before"), "{text}");
    server.react("PATCH /two", Reaction::Refuse(400, refusal));
    let (code, text) = files.apply(&path, &[]).await;
    assert_eq!(code, Some(1));
    assert!(
        text.contains(
            "two: no such text (PUT /api/admin/features/two: 400 Bad Request); 1 of 2 changes of the plan is made; remove the cause, and repeat"
        ),
        "{text}"
    );
    assert!(!text.contains("nothing was changed"), "{text}");
    let (code, text) = files.apply(&path, &[]).await;
    assert_eq!(code, Some(0), "{text}");
}

#[actix_web::test]
async fn a_plan_whose_application_was_interrupted_is_finished() {
    let server = NewerServer::start(Version::V8_2);
    server.model(|model| model.add("one", json!({ "description": "old" })));
    let files = files_for(&server);
    let strategies = "    strategies:\n      - name: default\n      - name: userWithId\n        parameters: { userIds: \"7\" }\n";
    let path = files.write(
        "all.yaml",
        &format!("version: 1\ntoggles:\n  one:\n    description: new\n{strategies}  two:\n    description: new\n{strategies}"),
    );
    let plan = files.folder.path().join("plan");
    let (code, _, errors) =
        files.run("--to", &["plan", path.to_str().unwrap(), "-o", plan.to_str().unwrap()]).await;
    assert_eq!(code, Some(2), "{errors}");
    for point in ["POST /one/environments", "POST /two/environments"] {
        server.react(point, Reaction::Wait(Arc::new(Notify::new())));
        server.take_changes();
        let mut command = flagdeck();
        command.args(["apply", plan.to_str().unwrap(), "--to"]).args(&files.target);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        server.wait_for(point).await;
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let (code, text) = files.apply(&plan, &[]).await;
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(files.plan().await.0, Some(0));
}

/// A toggle whose parent and strategies change, so that it is off meanwhile.
fn replaced_parent(server: &NewerServer, files: &Files) -> PathBuf {
    server.model(|model| {
        for name in ["old", "new"] {
            model.add(name, json!({}));
        }
        model.add("one", json!({ "dependencies": [{ "feature": "old", "enabled": true, "variants": [] }] }));
        let everyone = json!({ "id": "e", "name": "default", "parameters": {}, "constraints": [] });
        for name in ["old", "new", "one"] {
            let state = model.state(name, "development");
            state["enabled"] = true.into();
            state["strategies"] = json!([everyone]);
        }
    });
    files.write(
        "all.yaml",
        "version: 1\ntoggles:\n  one:\n    enabled: true\n    dependencies: [{ feature: new }]\n    strategies:\n      - name: userWithId\n        parameters: { userIds: \"7\" }\n",
    )
}

#[actix_web::test]
async fn an_interruption_names_the_toggles_that_are_off_and_how_to_finish() {
    let server = NewerServer::start(Version::V8_2);
    let files = files_for(&server);
    let path = replaced_parent(&server, &files);
    let plan = files.folder.path().join("plan");
    let (code, text, errors) =
        files.run("--to", &["plan", path.to_str().unwrap(), "-o", plan.to_str().unwrap()]).await;
    assert_eq!(code, Some(2), "{errors}");
    assert!(text.contains("\n    It is off for everyone while the plan is applied\n"), "{text}");
    let outage = json!({ "message": "no database" });
    server.react("POST /one/dependencies", Reaction::Refuse(503, outage));
    let (code, text) = files.apply(&plan, &[]).await;
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("0 of 1 change of the plan is made; one is off for everyone now; make a new plan"),
        "{text}"
    );
    assert!(!text.contains("repeat the command"), "{text}");
    // A repeated plan cannot know who switched the toggle off.
    for more in [&[][..], &["--partial"]] {
        let (code, text) = files.apply(&plan, more).await;
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains("one is off, and the plan does not switch it off"), "{text}");
        assert!(text.contains("make a new plan"), "{text}");
    }
    let (code, text) = files.apply(&path, &[]).await;
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(files.plan().await.0, Some(0));
    server.model(|model| assert_eq!(model.state("one", "development")["enabled"], true));
}

#[actix_web::test]
async fn a_refusal_names_the_toggle_the_request_and_the_stored_changes() {
    let server = NewerServer::start(Version::V8_2);
    server.model(|model| model.add("aa", json!({})));
    let files = files_for(&server);
    let path = files.write(
        "all.yaml",
        "version: 1\ntoggles:\n  aa: { description: new }\n  bb: { description: new, strategies: [{ name: default }] }\n",
    );
    let plan = files.folder.path().join("plan");
    files.run("--to", &["plan", path.to_str().unwrap(), "-o", plan.to_str().unwrap()]).await;
    let refusal =
        json!({ "name": "BadDataError", "message": "no", "details": [{ "message": "no such value" }] });
    for (file, remedy) in [(&plan, "make a new plan"), (&path, "repeat the command to finish it")] {
        server.react("POST /bb/environments", Reaction::Refuse(400, refusal.clone()));
        let (code, text) = files.apply(file, &[]).await;
        assert_eq!(code, Some(1), "{text}");
        let request = "POST /api/admin/projects/default/features/bb/environments/development/strategies";
        for part in ["bb: ", "no such value", request, "of 2 changes of the plan", "remove the cause", remedy]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        for part in ["changes are stored", "POST /api/admin/features:"] {
            assert!(!text.contains(part), "{part}: {text}");
        }
        server.model(|model| {
            model.toggles.remove("bb");
            model.toggles.get_mut("aa").unwrap()["description"] = "".into();
        });
    }
}

#[actix_web::test]
async fn reads_wait_for_the_limit_of_the_server() {
    let server = NewerServer::start(Version::V8_2);
    server.model(|model| model.add("one", json!({})));
    let files = files_for(&server);
    files.write("all.yaml", "version: 1\ntoggles:\n  one: { description: new }\n");
    server.react("GET /one", Reaction::Refuse(429, json!({ "message": "Too many requests" })));
    let (code, text) = files.plan().await;
    assert_eq!(code, Some(2), "{text}");
}

#[actix_web::test]
async fn tags_that_no_request_can_remove_are_not_created() {
    let app = TestApp::embedded().await;
    create_toggles(&app).await;
    for value in ["a\\b", "a\nb", "..", "%a7", "a/../b"] {
        let created =
            app.post("/api/admin/features/null/tags", &json!({ "type": "simple", "value": value })).await;
        assert_eq!(created.status, 400, "{value}: {}", created.body);
    }
    let files = Files::new(&[&app.url("")]);
    let events = count_events(&app).await;
    let path = files.write(
        "all.yaml",
        "version: 1\ntoggles:\n  \"null\":\n    tags: [{ type: simple, value: web }, { type: simple, value: \"%a7\" }]\n",
    );
    let (code, text) = files.apply(&path, &[]).await;
    assert_eq!(code, Some(1));
    assert!(text.contains("of its tag simple:%a7, "), "{text}");
    assert_eq!(count_events(&app).await, events);
}

/// A toggle that is archived in the project `other` of a server that does not move toggles.
#[actix_web::test]
async fn a_toggle_that_is_archived_in_another_project_is_revived_there_or_refused() {
    for version in [Version::V5_12, Version::V8_2] {
        let server = NewerServer::start(version);
        server.model(|model| {
            model.projects = vec!["default", "other"];
            model.add("one", json!({ "project": "other", "description": "old" }));
            model.add("two", json!({}));
            model.archive("one");
        });
        let files = files_for(&server);
        let write = |project: &str| {
            let two = "  two:\n    description: new\n";
            files.write(
                "all.yaml",
                &format!("version: 1\ntoggles:\n  one:\n{project}    description: new\n{two}"),
            )
        };
        let path = write("    project: default\n");
        let (code, text) = files.plan().await;
        assert!(code == Some(2) && text.contains("+ revive one"), "{version:?}: {text}");
        let (code, text) = files.apply(&path, &[]).await;
        assert_eq!(code, Some(1), "{version:?}: {text}");
        assert!(
            text.contains("one is archived in the project other") && text.contains("nothing was changed"),
            "{text}"
        );
        assert_eq!(server.take_changes(), Vec::<String>::new(), "{version:?}");
        for project in ["", "    project: other\n"] {
            let (code, text) = files.apply(&write(project), &[]).await;
            assert_eq!(code, Some(0), "{version:?}: {text}");
            server.model(|model| {
                let one = &model.toggles["one"];
                assert_eq!(
                    (&one["project"], &one["description"]),
                    (&json!("other"), &json!("new")),
                    "{version:?}"
                );
                assert_eq!(model.toggles["two"]["description"], "new");
                assert!(model.archived.is_empty());
                for name in ["one", "two"] {
                    model.toggles.get_mut(name).unwrap()["description"] = json!("old");
                }
                model.archive("one");
            });
        }
    }
}

/// The embedded service moves a revived toggle to the project of the file.
#[actix_web::test]
async fn a_toggle_that_is_archived_in_another_project_is_revived_in_the_project_of_the_file() {
    let app = TestApp::embedded().await;
    assert_eq!(app.post("/api/admin/projects", &json!({ "id": "other", "name": "Other" })).await.status, 201);
    let files = Files::new(&[&app.url("")]);
    for (project, expected) in [("", "other"), ("    project: default\n", "default")] {
        let body = json!({ "name": expected, "project": "other", "strategies": [{ "name": "default" }] });
        assert_eq!(app.post("/api/admin/features", &body).await.status, 201);
        change(&app, Method::DELETE, &format!("/features/{expected}")).await;
        let text = format!("version: 1\ntoggles:\n  {expected}:\n{project}    description: new\n");
        let (code, text) = files.apply(&files.write("all.yaml", &text), &[]).await;
        assert_eq!(code, Some(0), "{text}");
        let toggle = app.get(&format!("/api/admin/features/{expected}")).await.json();
        assert_eq!((&toggle["project"], &toggle["description"]), (&json!(expected), &json!("new")));
    }
}
