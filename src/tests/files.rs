//! Toggles in files: `flagdeck pull`, `plan` and `apply`.

mod acceptance;
mod applying;
mod command_line;
mod format;
mod order;
mod outdated;
mod roundtrip;
mod storage;

use std::fs;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use actix_web::dev::ServerHandle;
use actix_web::http::Method;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use flagdeck::files::document::Document;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::Notify;

use crate::support::app::TestApp;
use crate::support::binary::flagdeck;
use crate::support::newer_server::{NewerServer, Reaction, Version};
use crate::targets::run;

/// A folder with files, and a target.
struct Files {
    folder: TempDir,
    target: Vec<String>,
}

impl Files {
    fn new(target: &[&str]) -> Self {
        let target = target.iter().map(|&text| text.to_owned()).collect();
        Self { folder: TempDir::new().unwrap(), target }
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn path(&self) -> &str {
        self.folder.path().to_str().unwrap()
    }

    /// Runs a command with the target.
    async fn run(&self, option: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
        let target = self.target.iter().map(String::as_str);
        run(&arguments.iter().copied().chain([option]).chain(target).collect::<Vec<_>>()).await
    }

    async fn pull(&self, more: &[&str]) -> String {
        let (code, yaml, errors) = self.run("--from", &[&["pull"], more].concat()).await;
        assert_eq!((code, errors.as_str()), (Some(0), ""));
        yaml
    }

    /// Plans the folder.
    async fn plan(&self) -> (Option<i32>, String) {
        let (code, text, errors) = self.run("--to", &["plan", self.path()]).await;
        (code, text + &errors)
    }

    async fn apply(&self, path: &Path, more: &[&str]) -> (Option<i32>, String) {
        let (code, text, errors) =
            self.run("--to", &[&["apply", "--yes", path.to_str().unwrap()], more].concat()).await;
        (code, text + &errors)
    }
}

fn rollout(percentage: &str) -> Value {
    json!({
        "name": "flexibleRollout",
        "parameters": { "rollout": percentage, "stickiness": "userId", "groupId": "no" },
        "constraints": [{ "contextName": "country", "operator": "NOT_IN", "values": ["no", "010", "yes"] }],
    })
}

/// Creates toggles whose texts look like other values in YAML.
async fn create_toggles(app: &TestApp) {
    let variant = json!({
        "name": "on", "weight": 1000, "weightType": "variable", "stickiness": "default",
        "payload": { "type": "string", "value": "a: b\n# c" },
        "overrides": [{ "contextName": "userId", "values": ["1e3", "null"] }],
    });
    let segment = json!({ "name": "EU", "constraints": [{ "contextName": "country", "operator": "IN", "values": ["de"] }] });
    assert_eq!(app.post("/api/admin/segments", &segment).await.status, 201);
    for (name, enabled, more) in [
        ("null", false, json!({})),
        ("shop.pay", true, json!({ "description": "~", "variants": [variant], "impressionData": true })),
        ("shop.pay.button", true, json!({ "dependencies": [{ "feature": "shop.pay" }], "stale": true })),
    ] {
        let mut strategies = vec![rollout("25"), json!({ "name": "default" })];
        strategies[1]["segments"] = json!([1]);
        let mut body = json!({ "name": name, "enabled": enabled, "strategies": strategies });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let created = app.post("/api/admin/features", &body).await;
        assert_eq!(created.status, 201, "{}", created.body);
    }
}

#[actix_web::test]
async fn a_plan_of_pulled_toggles_is_empty() {
    let app = TestApp::embedded().await;
    create_toggles(&app).await;
    for more in [&[][..], &["--state"]] {
        let files = Files::new(&[&app.url("")]);
        let yaml = files.pull(more).await;
        assert_eq!(yaml.contains("enabled:"), !more.is_empty(), "{yaml}");
        assert_eq!(yaml.contains("rollout: \"25\""), !more.is_empty(), "{yaml}");
        files.write("all.yaml", &yaml);
        assert_eq!(
            files.plan().await,
            (Some(0), format!("{}: nothing to do, it is as in the files\n", app.url("")))
        );
        // The schema for editors accepts the file.
        let schema = app.get("/-/files.schema.json").await.json();
        let document: Value = serde_saphyr::from_str(&yaml).unwrap();
        assert!(jsonschema::is_valid(&schema, &document), "{document:#}");
    }
    let one = Files::new(&[&app.url("")]).pull(&["shop.pay"]).await;
    assert!(one.starts_with("version: 1\ntoggles:\n  shop.pay:\n    description: \"~\"\n"), "{one}");
}

#[actix_web::test]
async fn files_are_applied_to_another_server() {
    let (stage, prod) = (TestApp::embedded().await, TestApp::embedded().await);
    create_toggles(&stage).await;
    let segment = json!({ "name": "EU", "constraints": [] });
    prod.post("/api/admin/segments", &segment).await;
    let yaml = Files::new(&[&stage.url("")]).pull(&["--state"]).await;
    let files = Files::new(&[&prod.url("")]);
    files.write("all.yaml", &yaml);
    let (code, text) = files.plan().await;
    assert_eq!(code, Some(2), "{text}");
    assert!(
        text.starts_with(&format!(
            "{}: 3 changes, 2 of which may widen who gets the feature\n",
            prod.url("")
        )),
        "{text}"
    );
    assert!(text.contains("\n+ create null: does not change who gets the feature\n"), "{text}");
    let (code, text) = files.apply(files.folder.path(), &[]).await;
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(Files::new(&[&prod.url("")]).pull(&["--state"]).await, yaml);
    assert_eq!(files.plan().await.0, Some(0));
    let nothing = format!("{}: nothing to do, it is as in the files\n", prod.url(""));
    assert_eq!(files.apply(files.folder.path(), &[]).await, (Some(0), nothing));
    assert_eq!(files.apply(files.folder.path(), &["--json"]).await, (Some(0), String::new()));
}

#[actix_web::test]
async fn files_own_what_they_name() {
    let app = TestApp::embedded().await;
    create_toggles(&app).await;
    let files = Files::new(&[&app.url("")]);
    let strategies = "    strategies:\n      - name: flexibleRollout\n        parameters: { stickiness: userId, groupId: \"no\" }\n        constraints:\n          - { contextName: country, operator: NOT_IN, values: [\"no\", \"010\", \"yes\", se] }\n";
    files.write(
        "a.yaml",
        &format!("version: 1\ntoggles:\n  shop.pay:\n    description: One page\n{strategies}"),
    );
    files.write("b.json", r#"{ "version": 1, "toggles": { "null": { "enabled": true } } }"#);
    let (code, text) = files.plan().await;
    assert_eq!(code, Some(2));
    let expected = "2 changes, 1 of which may widen who gets the feature\n\
        ~ change shop.pay: narrows who gets the feature\n    \
        ~ description: \"~\" → \"One page\"\n    ~ strategies: [\"flexibleRollout\",\"default\"] → [\"flexibleRollout\"]\n    \
        ~ strategies[flexibleRollout].constraints[country NOT_IN].values: [\"no\",\"010\",\"yes\"] → \
        [\"no\",\"010\",\"yes\",\"se\"]\n    - strategies[default].segments: [\"EU\"]\n";
    assert!(text.contains(expected), "{text}");
    let last = "~ change null: widens who gets the feature\n    ~ enabled: false → true\n";
    assert!(text.ends_with(last), "narrowing changes come first: {text}");
    let (code, text) = files.apply(files.folder.path(), &["--json"]).await;
    assert_eq!(code, Some(0), "{text}");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        lines[0],
        json!({ "target": app.url(""), "name": "shop.pay", "action": "change", "changed": true })
    );
    let toggle = app.get("/api/admin/features/shop.pay").await.json();
    assert_eq!(toggle["strategies"][0]["parameters"]["rollout"], "25", "the percentage is kept");
    assert_eq!((&toggle["enabled"], &toggle["variants"][0]["name"]), (&json!(true), &json!("on")));
    assert_eq!(toggle["strategies"].as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn a_toggle_that_changed_since_the_plan_is_refused() {
    let app = TestApp::embedded().await;
    create_toggles(&app).await;
    let files = Files::new(&[&app.url("")]);
    let text = "version: 1\ntoggles:\n  shop.pay:\n    enabled: false\n  \"null\":\n    description: x\n";
    files.write("all.yaml", text);
    let plan = files.folder.path().join("plan");
    let (code, json, _) =
        files.run("--to", &["plan", files.path(), "--json", "-o", plan.to_str().unwrap()]).await;
    assert_eq!((code, json.as_str()), (Some(2), fs::read_to_string(&plan).unwrap().as_str()));
    let schema: Value = serde_json::from_str(include_str!("../../examples/plan.schema.json")).unwrap();
    assert!(jsonschema::is_valid(&schema, &serde_json::from_str(&json).unwrap()), "{json}");
    let changed = app.send(
        Method::POST,
        "/api/admin/features/null/toggle/on",
        &[("content-type", "application/json")],
        "",
    );
    assert_eq!(changed.await.status, 200);
    let (code, _, errors) = run(&["apply", plan.to_str().unwrap()]).await;
    assert_eq!(code, Some(1));
    assert!(errors.contains("which is no table of the settings file; name the target with --to"), "{errors}");
    let (code, text) = files.apply(&plan, &[]).await;
    assert_eq!(code, Some(1));
    assert!(text.contains("null has changed since the plan (by operator, 2"), "{text}");
    assert!(text.contains("nothing was changed; make a new plan"), "{text}");
    assert_eq!(app.get("/api/admin/features/shop.pay").await.json()["enabled"], true);
    let (code, text) = files.apply(&plan, &["--partial"]).await;
    assert_eq!(code, Some(1));
    assert!(text.contains("shop.pay is changed: narrows who gets the feature\n"), "{text}");
    assert!(text.contains("null has changed since the plan"), "{text}");
    assert_eq!(app.get("/api/admin/features/shop.pay").await.json()["enabled"], false);
    assert_eq!(app.get("/api/admin/features/null").await.json()["description"], Value::Null);
}

#[actix_web::test]
async fn archived_toggles_are_revived() {
    let app = TestApp::embedded().await;
    create_toggles(&app).await;
    let archived =
        app.send(Method::DELETE, "/api/admin/features/null", &[("content-type", "application/json")], "");
    assert_eq!(archived.await.status, 200);
    let files = Files::new(&[&app.url("")]);
    files.write("all.yaml", "version: 1\ntoggles:\n  \"null\":\n    description: again\n");
    let (code, text) = files.plan().await;
    assert_eq!(code, Some(2));
    assert!(text.contains("+ revive null: does not change who gets the feature"), "{text}");
    assert_eq!(files.apply(files.folder.path(), &[]).await.0, Some(0));
    let toggle = app.get("/api/admin/features/null").await.json();
    assert_eq!(
        (&toggle["description"], &toggle["strategies"][0]["name"]),
        (&json!("again"), &json!("flexibleRollout"))
    );
    assert_eq!(files.plan().await.0, Some(0));
}

#[actix_web::test]
async fn an_interrupted_change_of_a_server_with_environments_is_finished() {
    let server = NewerServer::start(Version::V8_2);
    let files = Files::new(&[&server.url, "--upstream-environment", "development"]);
    let toggle = |name: &str| {
        format!(
            "  {name}:\n    description: new\n    strategies:\n      - name: default\n      - name: userWithId\n        parameters: {{ userIds: \"7\" }}\n"
        )
    };
    let path = files.write("all.yaml", &format!("version: 1\ntoggles:\n{}{}", toggle("one"), toggle("two")));
    server.model(|model| model.add("one", json!({})));
    let yaml = files.pull(&[]).await;
    assert!(yaml.contains("  one:\n    description: \"\"\n"), "{yaml}");
    for point in ["PATCH /one", "POST /one/environments", "POST /two/environments"] {
        server.react(point, Reaction::Wait(Arc::new(Notify::new())));
        server.take_changes();
        let mut command = flagdeck();
        command.args(["apply", "--yes", path.to_str().unwrap(), "--to"]).args(&files.target);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        server.wait_for(point).await;
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(files.plan().await.0, Some(2), "{point}");
    }
    let (code, text) = files.apply(&path, &[]).await;
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(files.plan().await.0, Some(0), "{}", files.plan().await.1);
    for name in ["one", "two"] {
        let strategies = server.model(|model| model.strategies(name));
        let names: Vec<_> = strategies.iter().map(|strategy| strategy["name"].clone()).collect();
        assert_eq!(names, ["default", "userWithId"], "{name}");
    }
}

/// Sends a change without a body.
async fn change(app: &TestApp, method: Method, path: &str) {
    let changed =
        app.send(method, &format!("/api/admin{path}"), &[("content-type", "application/json")], "").await;
    assert!(changed.status.is_success(), "{path}: {}", changed.body);
}

#[actix_web::test]
async fn toggles_that_the_files_managed_are_archived_with_prune() {
    let app = TestApp::embedded().await;
    create_toggles(&app).await;
    let files = Files::new(&[&app.url("")]);
    let managed = "version: 1\nmanagedBy: acme/flags\ntoggles:\n  \"null\":\n    description: kept\n";
    files.write("all.yaml", &format!("{managed}  shop.pay: {{}}\n  shop.pay.button: {{}}\n"));
    assert_eq!(files.apply(files.folder.path(), &[]).await.0, Some(0));
    // Toggles of other files, and of none.
    files.write("all.yaml", "version: 1\nmanagedBy: acme/other\ntoggles:\n  other: {}\n");
    assert_eq!(files.apply(files.folder.path(), &[]).await.0, Some(0));
    let body = json!({ "name": "unmanaged", "strategies": [{ "name": "default" }] });
    assert_eq!(app.post("/api/admin/features", &body).await.status, 201);

    files.write("all.yaml", managed);
    assert_eq!(files.plan().await.0, Some(0), "without --prune, nothing is archived");
    let plan = files.folder.path().join("plan");
    let plan = plan.to_str().unwrap();
    let (code, text, errors) = files.run("--to", &["plan", files.path(), "--prune", "-o", plan]).await;
    assert_eq!(code, Some(2), "{errors}");
    let summary = "2 changes, 0 of which may widen who gets the feature, 2 of which archive toggles that the files name no more\n";
    assert!(text.contains(summary), "{text}");
    let last = "\n- archive shop.pay.button: narrows who gets the feature\n- archive shop.pay: narrows who gets the feature\n";
    assert!(text.ends_with(last), "dependent toggles come first: {text}");
    let schema: Value = serde_json::from_str(include_str!("../../examples/plan.schema.json")).unwrap();
    let stored = serde_json::from_str(&fs::read_to_string(plan).unwrap()).unwrap();
    assert!(jsonschema::is_valid(&schema, &stored), "{stored:#}");
    let (code, text) = files.apply(Path::new(plan), &["--prune"]).await;
    assert!(code == Some(1) && text.contains("a plan contains all its changes"), "{text}");

    // An edit of a toggle to archive is not lost, and neither is a toggle that the files manage no more.
    change(&app, Method::POST, "/features/shop.pay/toggle/off").await;
    change(&app, Method::DELETE, "/features/shop.pay.button/tags/managed-by/acme%2Fflags").await;
    let (code, text) = files.apply(Path::new(plan), &[]).await;
    assert_eq!(code, Some(1));
    for name in ["shop.pay", "shop.pay.button"] {
        assert!(text.contains(&format!("{name} has changed since the plan (by operator, 2")), "{text}");
    }
    assert_eq!(app.get("/api/admin/features/shop.pay.button").await.status, 200, "nothing was changed");
    let tag = json!({ "type": "managed-by", "value": "acme/flags" });
    assert_eq!(app.post("/api/admin/features/shop.pay.button/tags", &tag).await.status, 201);
    let (code, text) = files.apply(files.folder.path(), &["--prune"]).await;
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("shop.pay.button is archived: narrows"), "{text}");
    let names = |list: &Value| -> Vec<Value> {
        list["features"].as_array().unwrap().iter().map(|toggle| toggle["name"].clone()).collect()
    };
    assert_eq!(names(&app.get("/api/admin/features").await.json()), ["null", "other", "unmanaged"]);
    assert_eq!(names(&app.get("/api/admin/archive/features").await.json()), ["shop.pay", "shop.pay.button"]);
    let (code, text) = files.apply(files.folder.path(), &["--prune"]).await;
    assert!(code == Some(0) && text.contains("nothing to do"), "{text}");
}

#[actix_web::test]
async fn prune_refuses_files_that_would_archive_too_much() {
    let app = TestApp::embedded().await;
    create_toggles(&app).await;
    let files = Files::new(&[&app.url("")]);
    let all = "version: 1\nmanagedBy: acme/flags\ntoggles:\n  \"null\": {}\n  shop.pay: {}\n  shop.pay.button: {}\n";
    files.write("all.yaml", all);
    assert_eq!(files.apply(files.folder.path(), &[]).await.0, Some(0));
    files.write("other.yaml", "version: 1\nmanagedBy: acme/other\ntoggles: { other: {} }\n");
    assert_eq!(files.apply(files.folder.path(), &[]).await.0, Some(0));
    files.write("other.yaml", "version: 1\nmanagedBy: acme/other\ntoggles: {}\n");
    let (code, said) = files.apply(files.folder.path(), &["--prune"]).await;
    let fault = "--prune: the files of acme/other name no toggles, and all toggles that they managed would be archived;";
    assert!(code == Some(1) && said.contains(fault), "{said}");
    fs::remove_file(files.folder.path().join("other.yaml")).unwrap();
    for (text, fault) in [
        (
            "version: 1\nmanagedBy: acme/flags\ntoggles: {}\n",
            "--prune: the files name no toggles, and all toggles that they managed would be archived;",
        ),
        (
            "version: 1\ntoggles:\n  shop.pay.button: {}\n",
            "--prune: only toggles that the same files managed can be archived; write managedBy at the top of the files",
        ),
        (
            "version: 1\nmanagedBy: acme/flags\ntoggles:\n  shop.pay.button:\n    stale: false\n",
            "--prune would archive shop.pay, on which shop.pay.button depends; add shop.pay to the files",
        ),
    ] {
        files.write("all.yaml", text);
        let (code, said) = files.apply(files.folder.path(), &["--prune"]).await;
        assert!(code == Some(1) && said.contains(fault), "{said}");
    }
    assert_eq!(app.get("/api/admin/features").await.json()["features"].as_array().unwrap().len(), 4);
}

#[actix_web::test]
async fn files_own_tags_that_they_contain() {
    let app = TestApp::embedded().await;
    create_toggles(&app).await;
    let tag = json!({ "type": "simple", "value": "a/b" });
    assert_eq!(app.post("/api/admin/features/shop.pay/tags", &tag).await.status, 201);
    let files = Files::new(&[&app.url("")]);
    let yaml = files.pull(&["shop.pay", "null"]).await;
    assert_eq!(yaml.matches("tags:").count(), 1, "toggles without tags do not own them: {yaml}");
    files.write("all.yaml", &yaml);
    assert_eq!(files.plan().await.0, Some(0), "{}", files.plan().await.1);

    let text = "version: 1\ntoggles:\n  shop.pay:\n    tags:\n      - { type: team, value: \"on\" }\n";
    files.write("all.yaml", text);
    let (code, text) = files.plan().await;
    assert_eq!(code, Some(2));
    assert!(
        text.contains(
            "~ change shop.pay: changes who gets the feature or a variant\n    ~ tags: [\"simple:a/b\"] → [\"team:on\"]\n"
        ),
        "{text}"
    );
    let plan = files.folder.path().join("plan");
    files.run("--to", &["plan", files.path(), "-o", plan.to_str().unwrap()]).await;
    change(&app, Method::DELETE, "/features/shop.pay/tags/simple/a%2Fb").await;
    let (code, text) = files.apply(&plan, &[]).await;
    assert!(code == Some(1) && text.contains("shop.pay has changed since the plan"), "{text}");
    let (code, text) = files.apply(files.folder.path(), &[]).await;
    assert_eq!(code, Some(0), "a missing tag type is created: {text}");
    assert!(
        text.contains("shop.pay is changed: widens who gets the feature\n    + tags: [\"team:on\"]\n"),
        "{text}"
    );
    let tags = app.get("/api/admin/features/shop.pay/tags").await.json();
    assert_eq!(tags["tags"], json!([{ "type": "team", "value": "on" }]));
    assert_eq!(files.plan().await.0, Some(0));

    // Tags that no file contains are kept.
    files.write("all.yaml", "version: 1\ntoggles:\n  shop.pay:\n    description: One page\n");
    assert_eq!(files.apply(files.folder.path(), &[]).await.0, Some(0));
    let tags = app.get("/api/admin/features/shop.pay/tags").await.json();
    assert_eq!(tags["tags"], json!([{ "type": "team", "value": "on" }]));
}

async fn tags_of(app: &TestApp, toggle: &str) -> Vec<String> {
    let list = app.get(&format!("/api/admin/features/{toggle}/tags")).await.json();
    let text = |tag: &Value| format!("{}:{}", tag["type"].as_str().unwrap(), tag["value"].as_str().unwrap());
    let mut tags: Vec<_> = list["tags"].as_array().unwrap().iter().map(text).collect();
    tags.sort();
    tags
}

async fn count_events(app: &TestApp) -> usize {
    app.get("/api/admin/events").await.json()["events"].as_array().unwrap().len()
}

#[actix_web::test]
async fn files_with_a_name_mark_the_toggles_that_they_manage() {
    let app = TestApp::embedded().await;
    create_toggles(&app).await;
    for toggle in ["shop.pay", "null"] {
        let tag = json!({ "type": "simple", "value": "a/b" });
        assert_eq!(app.post(&format!("/api/admin/features/{toggle}/tags"), &tag).await.status, 201);
    }
    change(&app, Method::DELETE, "/features/null").await;
    let files = Files::new(&[&app.url("")]);
    let toggles = "toggles:\n  shop.pay: {}\n  \"null\": {}\n  shop.new: {}\n";
    files.write("all.yaml", &format!("version: 1\nmanagedBy: acme/flags\n{toggles}"));
    let (code, text) = files.plan().await;
    assert_eq!(code, Some(2));
    let change_of_tag =
        "~ change shop.pay: does not change who gets the feature\n    + managedBy: \"acme/flags\"\n";
    assert!(text.contains(change_of_tag), "{text}");
    // Other users' tags do not outdate the plan.
    let plan = files.folder.path().join("plan");
    files.run("--to", &["plan", files.path(), "-o", plan.to_str().unwrap()]).await;
    let tag = json!({ "type": "simple", "value": "new" });
    assert_eq!(app.post("/api/admin/features/shop.pay/tags", &tag).await.status, 201);
    let (code, text) = files.apply(&plan, &[]).await;
    assert_eq!(code, Some(0), "the tag type is created: {text}");
    for (toggle, tags) in [
        ("shop.pay", &["managed-by:acme/flags", "simple:a/b", "simple:new"][..]),
        ("null", &["managed-by:acme/flags", "simple:a/b"]),
        ("shop.new", &["managed-by:acme/flags"]),
        ("shop.pay.button", &[]),
    ] {
        assert_eq!(tags_of(&app, toggle).await, tags, "{toggle}");
    }

    // Twice is once.
    let events = count_events(&app).await;
    assert_eq!(files.plan().await.0, Some(0));
    let (code, text) = files.apply(files.folder.path(), &[]).await;
    assert!(code == Some(0) && text.ends_with(": nothing to do, it is as in the files\n"), "{text}");
    assert!(files.apply(&plan, &[]).await.1.contains("shop.pay is already as planned"));
    assert_eq!(count_events(&app).await, events);

    // Pulled files own neither the mark nor its removal, and other tags can be removed.
    let pulled = files.pull(&[]).await;
    assert!(!pulled.contains("managed") && pulled.contains("value: a/b"), "{pulled}");
    files.write("all.yaml", &pulled);
    assert_eq!(files.plan().await.0, Some(0));
    files.write("all.yaml", "version: 1\ntoggles:\n  shop.pay: { tags: [] }\n");
    assert_eq!(files.apply(files.folder.path(), &[]).await.0, Some(0));
    assert_eq!(tags_of(&app, "shop.pay").await, ["managed-by:acme/flags"]);

    // Another name replaces the mark. A toggle that no file names keeps it.
    files.write("all.yaml", "version: 1\nmanagedBy: acme/flags\ntoggles:\n  shop.pay: {}\n");
    let (code, text) = files.apply(files.folder.path(), &["--managed-by", "acme/other"]).await;
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(tags_of(&app, "shop.pay").await, ["managed-by:acme/other"]);
    assert_eq!(tags_of(&app, "shop.new").await, ["managed-by:acme/flags"]);

    for (text, options, fault) in [
        (
            "version: 1\nmanagedBy: a\ntoggles: {}\n",
            &[][..],
            "line 2, column 12: \"a\" must have 2 to 50 characters",
        ),
        (
            "version: 1\nmanagedBy: https://example.com/flags\ntoggles: {}\n",
            &[][..],
            "line 2, column 12: \"https://example.com/flags\" must not contain a colon, because Unleash 3.x to 4.2 cannot list toggles with such a tag; leave out",
        ),
        (
            "version: 1\ntoggles:\n  shop.pay: { tags: [{ type: managed-by, value: me }] }\n",
            &[],
            "the tags of shop.pay contain one of the type managed-by, which only managedBy sets; remove it",
        ),
        (
            "version: 1\ntoggles: {}\n",
            &["--managed-by", "me "],
            "--managed-by \"me \" must not begin or end with a space",
        ),
    ] {
        let path = files.write("all.yaml", text);
        let (code, said) = files.apply(&path, options).await;
        assert!(code == Some(1) && said.contains(fault), "{said}");
    }
    let (code, said) = files.apply(&plan, &["--managed-by", "acme/other"]).await;
    assert!(code == Some(1) && said.contains("use --prune, --managed-by and --environment"), "{said}");
}

#[actix_web::test]
async fn exports_are_files() {
    let (stage, prod) = (TestApp::embedded().await, TestApp::embedded().await);
    create_toggles(&stage).await;
    let tag = json!({ "type": "simple", "value": "team" });
    stage.post("/api/admin/features/shop.pay/tags", &tag).await;
    prod.post("/api/admin/segments", &json!({ "name": "EU", "constraints": [] })).await;
    let files = Files::new(&[&prod.url("")]);
    let export = stage.get("/api/admin/state/export").await.body;
    let path = files.write("state.json", &export);
    let (code, text) = files.apply(&path, &[]).await;
    assert_eq!(code, Some(0), "{text}");
    let pull = async |app: &TestApp| Files::new(&[&app.url("")]).pull(&["--state"]).await;
    assert_eq!(pull(&prod).await, pull(&stage).await);
    let (code, text) = files.apply(&path, &[]).await;
    assert!(code == Some(0) && text.contains("nothing to do"), "the second time changes nothing: {text}");
    // From this version of the client specification on, responses list segments.
    let listing = [("unleash-client-spec", "5.1.0")];
    let client = stage.send(Method::GET, "/api/client/features", &listing, "").await;
    let path = files.write("client.json", &client.body);
    let (code, text, _) = files.run("--to", &["plan", path.to_str().unwrap()]).await;
    assert_eq!(code, Some(0), "{text}");
}

#[actix_web::test]
async fn exports_of_newer_servers_have_environments() {
    let app = TestApp::embedded().await;
    for name in ["eu", "second"] {
        app.post("/api/admin/segments", &json!({ "name": name, "constraints": [] })).await;
    }
    for (version, environment) in [
        ("4.19.5", "development"),
        ("5.12.8", "development"),
        ("6.10.1", "development"),
        ("8.2.0", "production"),
    ] {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/evaluation/exports");
        let recording = fs::read_to_string(format!("{folder}/unleash-{version}.json")).unwrap();
        let recording: Value = serde_json::from_str(&recording).unwrap();
        let files = Files::new(&[&app.url("")]);
        let path = files.write("export.json", &recording["export"].to_string());
        let path = path.to_str().unwrap();
        let (code, text, errors) = files.run("--to", &["plan", path, "--environment", environment]).await;
        assert_eq!(code, Some(2), "{version}: {errors}");
        assert_eq!(
            text.matches("\n+ create ").count(),
            recording["export"]["features"].as_array().unwrap().len(),
            "{version}: {text}"
        );
        assert!(text.contains("+ create shop.pay: widens who gets the feature"), "{version}: {text}");
        let (code, _, errors) = files.run("--to", &["plan", path, "--environment", "test"]).await;
        assert_eq!(code, Some(1));
        assert!(errors.contains("it has no environment \"test\"; its environments: "), "{errors}");
    }
}

#[actix_web::test]
async fn progress_of_long_work_has_a_line_for_each_tenth() {
    let app = TestApp::embedded().await;
    for number in 0..120 {
        let body = json!({ "name": format!("toggle-{number}"), "strategies": [{ "name": "default" }] });
        assert_eq!(app.post("/api/admin/features", &body).await.status, 201);
    }
    let (code, yaml, errors) = Files::new(&[&app.url("")]).run("--from", &["pull"]).await;
    assert_eq!((code, yaml.lines().filter(|line| line.starts_with("  toggle-")).count()), (Some(0), 120));
    let lines: Vec<_> = errors.lines().collect();
    assert_eq!(lines.len(), 10, "{errors}");
    assert_eq!(lines[0], format!("{}: 12 of 120 toggles read (10 %)", app.url("")));
    assert_eq!(lines[9], format!("{}: 120 of 120 toggles read (100 %)", app.url("")));
}

/// Applies a file, and kills the command after each number of writes. Applying the file again finishes the changes.
#[actix_web::test]
async fn an_interrupted_apply_is_finished_by_the_next() {
    let app = TestApp::embedded().await;
    create_toggles(&app).await;
    change(&app, Method::DELETE, "/features/null").await;
    let file = "version: 1\ntoggles:\n  \"null\":\n    description: again\n    tags: [{ type: team, value: one }, { type: team, value: two }]\n  \
                shop.new:\n    description: new\n    tags: [{ type: team, value: one }]\n  shop.pay:\n    enabled: false\n";
    let yaml = Files::new(&[&app.url("")]);
    yaml.write("all.yaml", file);
    let (mut kills, mut writes) = (0, Vec::new());
    loop {
        // Each run gets one write further than the one before, because the writes before are done.
        let gate = Gate::start(&app, 1);
        let mut command = flagdeck();
        command.args(["apply", "--yes", yaml.path(), "--to", &gate.url]);
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let log = Arc::clone(&gate.writes);
        if !gate.kill_after_writes(child).await {
            break;
        }
        writes.append(&mut log.lock().unwrap());
        kills += 1;
        assert!(kills < 30, "each run makes progress: {writes:?}");
    }
    // A tag type, three toggles of which one is revived, and three tags; the write of a description follows its revival.
    assert!(kills >= 7, "{kills}");
    assert_eq!(yaml.plan().await.0, Some(0), "{}", yaml.plan().await.1);
    let toggle = app.get("/api/admin/features/null").await.json();
    assert_eq!(
        (&toggle["description"], &toggle["strategies"][0]["name"]),
        (&json!("again"), &json!("flexibleRollout"))
    );
}

/// A proxy that forwards requests to a server, and stops after a number of writes: it forwards the last one, and does not respond.
struct Gate {
    url: String,
    is_reached: Arc<Notify>,
    writes: Arc<Mutex<Vec<String>>>,
    /// Paths of the requests that only read.
    reads: Arc<Mutex<Vec<String>>>,
    handle: ServerHandle,
}

impl Gate {
    fn start(app: &TestApp, writes: usize) -> Self {
        let (left, is_reached) = (Arc::new(AtomicUsize::new(writes)), Arc::new(Notify::new()));
        let writes_done = Arc::new(Mutex::new(Vec::new()));
        let reads = Arc::new(Mutex::new(Vec::new()));
        let (port, shared, log) = (app.port, Arc::clone(&is_reached), Arc::clone(&writes_done));
        let read_log = Arc::clone(&reads);
        let server = HttpServer::new(move || {
            let (left, shared, log) = (Arc::clone(&left), Arc::clone(&shared), Arc::clone(&log));
            let read_log = Arc::clone(&read_log);
            App::new().default_service(web::to(move |request: HttpRequest, body: web::Bytes| {
                let (left, shared, log) = (Arc::clone(&left), Arc::clone(&shared), Arc::clone(&log));
                let read_log = Arc::clone(&read_log);
                async move {
                    let mut headers: Vec<_> = request.headers().iter().collect();
                    headers
                        .retain(|(name, _)| ["content-type", "if-match", "accept"].contains(&name.as_str()));
                    let headers: Vec<_> = headers
                        .iter()
                        .map(|(name, value)| (name.as_str(), value.to_str().unwrap()))
                        .collect();
                    let path = request.uri().path_and_query().unwrap().as_str();
                    let app = TestApp::at(port);
                    let text = std::str::from_utf8(&body).unwrap();
                    let response = app.send(request.method().clone(), path, &headers, text).await;
                    if request.method() == Method::GET {
                        read_log.lock().unwrap().push(request.path().to_owned());
                    } else {
                        let write = format!("{} {path} {}", request.method(), response.status);
                        log.lock().unwrap().push(write);
                    }
                    if request.method() != Method::GET && left.fetch_sub(1, Ordering::SeqCst) == 1 {
                        shared.notify_one();
                        std::future::pending::<()>().await;
                    }
                    let mut reply = HttpResponse::build(response.status);
                    reply.content_type("application/json");
                    if let Some(tag) = response.headers.get("etag") {
                        reply.insert_header(("etag", tag.to_str().unwrap()));
                    }
                    reply.body(response.body)
                }
            }))
        });
        let server = server.workers(1).disable_signals().bind(("127.0.0.1", 0)).unwrap();
        let url = format!("http://{}", server.addrs()[0]);
        let server = server.run();
        let handle = server.handle();
        drop(actix_web::rt::spawn(server));
        Self { url, is_reached, writes: writes_done, reads, handle }
    }

    /// Runs a command, and kills it after the last write. Returns false if the command ended before by itself.
    async fn kill_after_writes(self, mut child: Child) -> bool {
        let process = child.id().to_string();
        let mut end = pin!(web::block(move || child.wait().unwrap()));
        let is_killed = tokio::select! {
            () = self.is_reached.notified() => true,
            status = &mut end => {
                assert!(status.unwrap().success());
                false
            }
        };
        if is_killed {
            assert!(Command::new("kill").args(["-9", &process]).status().unwrap().success());
            end.await.unwrap();
        }
        self.handle.stop(false).await;
        is_killed
    }
}

/// A file with references to items that no server has.
const REFERENCES: &str = "version: 1
toggles:
  one:
    strategies:
      - name: beta-group
        constraints:
          - { contextName: userId, operator: IN, values: [\"1\"] }
          - { contextName: plan, operator: IN, values: [gold] }
  two: { strategies: [{ name: beta-group }] }
";

#[actix_web::test]
async fn references_that_the_server_refuses_are_errors_before_the_first_write() {
    for (version, is_strategy_refused, is_field_refused) in
        [(Version::V5_12, true, true), (Version::V6_10, true, true), (Version::V8_2, true, false)]
    {
        let server = NewerServer::start(version);
        server.model(|model| model.add("two", json!({})));
        let files = Files::new(&[&server.url, "--upstream-environment", "development"]);
        let path = files.write("all.yaml", REFERENCES);
        let (code, text) = files.apply(&path, &[]).await;
        assert_eq!((code, server.take_changes()), (Some(1), Vec::new()), "{version:?}: {text}");
        let line = |is_refused: bool,
                    place: &str,
                    item: &str,
                    others: &str,
                    remedy: &str,
                    consequence: &str| {
            let kind = if is_refused { "" } else { "warning: " };
            let end = if is_refused { remedy } else { consequence };
            let expected = format!(
                "{kind}{}, {place}: toggle one, strategy 1 (beta-group){item} does not exist on {}{others}; {end}\n",
                path.display(),
                server.url
            );
            assert!(text.contains(&expected), "{version:?}: {expected}{text}");
        };
        line(
            is_strategy_refused,
            "line 5, column 15",
            ": the strategy beta-group",
            ", and another toggle refers to it",
            "files do not define strategies: create it first, or correct its name",
            "it is never on unless applications implement it",
        );
        line(
            is_field_refused,
            "line 8, column 28",
            ", constraint 2 on plan: the context field plan",
            "",
            "files do not define context fields: create it first, or correct its name",
            "the constraint sees no value unless applications send the property",
        );
    }
}

#[actix_web::test]
async fn references_of_the_embedded_flag_service_are_checked() {
    let app = TestApp::embedded().await;
    create_toggles(&app).await;
    let files = Files::new(&[&app.url("")]);
    let text = "version: 1\ntoggles:\n  one:\n    project: shop\n    dependencies: [{ feature: two }]\n    strategies:\n      - name: default\n        segments: [EU, Missing]\n";
    let path = files.write("all.yaml", text);
    let (code, said) = files.plan().await;
    assert_eq!(code, Some(1), "{said}");
    for (place, item, remedy) in [
        (
            "line 4, column 14",
            ": the project shop",
            "files do not define projects: create it first, or correct its id",
        ),
        (
            "line 8, column 24",
            ", strategy 1 (default): the segment Missing",
            "files do not define segments: create it first, or correct its name",
        ),
        (
            "line 5, column 31",
            ", parent 1 (two): the parent toggle two",
            "add it to the files, create it first, or correct its name",
        ),
    ] {
        let expected = format!(
            "{}, {place}: toggle one{item} does not exist on {}; {remedy}",
            path.display(),
            app.url("")
        );
        assert!(said.contains(&expected), "{expected}\n{said}");
    }
    assert_eq!(said.matches("does not exist").count(), 3, "{said}");

    // Applications can know strategies and properties that the server does not.
    files.write("all.yaml", REFERENCES);
    let (code, said) = files.plan().await;
    assert_eq!((code, said.matches("flagdeck: warning: ").count()), (Some(2), 2), "{said}");
    let (code, said) = files.apply(&path, &[]).await;
    assert_eq!((code, said.matches("flagdeck: warning: ").count()), (Some(0), 2), "{said}");
    // Stored references are no news.
    files.write("all.yaml", &REFERENCES.replace("gold", "silver"));
    let (code, said) = files.plan().await;
    assert_eq!((code, said.matches("warning").count()), (Some(2), 0), "{said}");
}

#[actix_web::test]
async fn values_that_the_server_refuses_are_errors_before_the_first_write() {
    let text = "version: 1\ntoggles:\n  one:\n    strategies:\n      - name: default\n        constraints: [{ contextName: userId, operator: STR_START_WITH, values: [a] }]\n  \"two three\": {}\n";
    let server = NewerServer::start(Version::V8_2);
    let app = TestApp::embedded().await;
    let newer = Files::new(&[&server.url, "--upstream-environment", "development"]);
    let embedded = Files::new(&[&app.url("")]);
    for (files, url, is_operator_refused) in
        [(&newer, server.url.clone(), true), (&embedded, app.url(""), false)]
    {
        let path = files.write("all.yaml", text);
        let (code, said) = files.apply(&path, &[]).await;
        assert_eq!(code, Some(1), "{said}");
        let path = path.display();
        let name = format!(
            "{path}, line 7, column 3: toggle two three: {url} refuses it: \"name\" must be URL friendly; use only letters, digits and - _ . ! ~ * ' ( )\n"
        );
        assert!(said.contains(&name), "{name}{said}");
        let operator = if is_operator_refused {
            format!(
                "{path}, line 6, column 56: toggle one, strategy 1 (default), constraint 1 on userId: {url} does not know the operator STR_START_WITH; did you mean STR_STARTS_WITH?\n"
            )
        } else {
            format!(
                "flagdeck: warning: {path}, line 6, column 56: toggle one, strategy 1 (default), constraint 1 on userId: with the unknown operator STR_START_WITH, it never matches unless applications implement it; did you mean STR_STARTS_WITH?\n"
            )
        };
        assert!(said.contains(&operator), "{operator}{said}");
    }
    assert_eq!(server.take_changes(), Vec::<String>::new());
    assert_eq!(app.get("/api/admin/features").await.json()["features"], json!([]));
}

#[actix_web::test]
async fn values_of_a_stored_plan_are_errors_before_the_first_write() {
    let app = TestApp::embedded().await;
    let files = Files::new(&[&app.url("")]);
    app.post("/api/admin/features", &json!({ "name": "base", "strategies": [{ "name": "default" }] })).await;
    let file = files.write(
        "all.yaml",
        "version: 1\ntoggles:\n  aa: {}\n  one:\n    dependencies: [{ feature: base }]\n    strategies: [{ name: default, constraints: [{ contextName: userId, operator: NUM_GT, value: \"10\" }] }]\n",
    );
    let plan = files.folder.path().join("plan.json");
    let arguments = ["plan", file.to_str().unwrap(), "-o", plan.to_str().unwrap()];
    assert_eq!(files.run("--to", &arguments).await.0, Some(2));
    let text = fs::read_to_string(&plan).unwrap();
    let edited = files.write("edited.json", &text.replace("\"10\"", "\"ten\""));
    let (code, said) = files.apply(&edited, &[]).await;
    let expected = format!(
        "{}: toggle one, strategy 1 (default), constraint 1 on userId: {} refuses it: \"value\" must be a number, such as 1.5; correct it",
        edited.display(),
        app.url("")
    );
    assert!(code == Some(1) && said.contains(&expected), "{expected}\n{said}");
    let names = async || {
        let list = app.get("/api/admin/features").await.json();
        list["features"].as_array().unwrap().iter().map(|toggle| toggle["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(names().await, ["base"]);

    // The parent is not part of the plan.
    let missing =
        files.write("missing.json", &text.replace("\"feature\": \"base\"", "\"feature\": \"other\""));
    let (code, said) = files.apply(&missing, &[]).await;
    assert!(
        code == Some(1)
            && said.contains("toggle one, parent 1 (other): the parent toggle other does not exist"),
        "{said}"
    );
    assert_eq!(names().await, ["base"]);
    let (code, said) = files.apply(&plan, &[]).await;
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(names().await, ["aa", "base", "one"]);
}

#[actix_web::test]
async fn definitions_of_strategies_are_read_once() {
    let app = TestApp::embedded().await;
    let gate = Gate::start(&app, usize::MAX);
    let files = Files::new(&[&gate.url]);
    files.write("all.yaml", REFERENCES);
    assert_eq!(files.plan().await.0, Some(2));
    let reads = gate.reads.lock().unwrap().iter().filter(|path| path.ends_with("/strategies")).count();
    assert_eq!(reads, 1);
}

#[actix_web::test]
async fn new_parents_are_created_before_the_toggles_that_depend_on_them() {
    let app = TestApp::embedded().await;
    create_toggles(&app).await;
    let files = Files::new(&[&app.url("")]);
    let path = files.write(
        "all.yaml",
        "version: 1\ntoggles:\n  \"null\":\n    dependencies: [{ feature: shop.new }]\n  shop.new:\n    enabled: true\n",
    );
    let (code, text) = files.apply(&path, &[]).await;
    assert_eq!(code, Some(0), "{text}");
    assert!(text.find("shop.new is created") < text.find("null is changed"), "{text}");
    assert_eq!(files.plan().await.0, Some(0));
}

#[actix_web::test]
async fn properties_that_a_server_does_not_store_are_an_error() {
    let server = NewerServer::start(Version::V8_2);
    let files = Files::new(&[&server.url, "--upstream-environment", "development"]);
    server.model(|model| {
        model.add("one", json!({}));
        model.add("two", json!({}));
    });
    let path = files.write("all.yaml", "version: 1\ntoggles:\n  one:\n    description: new\n");
    server.react("PATCH /one", Reaction::Refuse(200, json!({})));
    let (code, text) = files.apply(&path, &[]).await;
    assert_eq!(code, Some(1));
    assert!(
        text.contains(
            "one is changed, but the server does not store these properties as planned: description;"
        ),
        "{text}"
    );
}

#[actix_web::test]
async fn faults_of_files_name_their_place() {
    let files = Files::new(&["http://127.0.0.1:1"]);
    let toggle = "version: 1\ntoggles:\n  shop.pay:\n";
    for (text, fault) in [
        (
            "    enabled: yes\n",
            "line 4, column 14: yes is a boolean in YAML 1.1 and a text in YAML 1.2; write true",
        ),
        ("    enabled: maybe\n", "line 4, column 14: a boolean must be true or false"),
        ("    description: Off\n", "line 4, column 18: Off is a boolean in YAML 1.1"),
        ("    enabled: true\n    enabled: false\n", "line 5, column 5: duplicate key enabled"),
        (
            "    description: 010\n",
            "line 4, column 18: 010 is a number with several notations; write it in decimal",
        ),
        ("    description: 1_000\n", "line 4, column 18: 1_000 is a number with several notations"),
        ("    description: 12:30\n", "line 4, column 18: 12:30 is a number with several notations"),
        ("    description: 10\n", "line 4, column 18: 10 must be a text; write it in quotes"),
        ("    description: true\n", "line 4, column 18: true must be a text; write it in quotes"),
        ("    variants: [{ name: a, weight: 010 }]\n", "line 4, column 35: 010 is a number with several"),
        ("    variants: [{ name: a, weight: 0o10 }]\n", "line 4, column 35: 0o10 is a number with several"),
        ("    variants: [{ name: a, weight: 0x1F }]\n", "line 4, column 35: 0x1F is a number with several"),
        ("    variants: [{ name: a, weight: +5 }]\n", "line 4, column 35: +5 is a number with several"),
        (
            "    variants: [{ name: a, weight: -5 }]\n",
            "line 4, column 35: a number must be a whole number from 0 to 4294967295",
        ),
        (
            "    enabled: \"true\"\n",
            "line 4, column 14: enabled is a boolean; write true or false without quotes",
        ),
        ("    stale: 'false'\n", "line 4, column 12: stale is a boolean"),
        ("    impressionData: |\n      true\n", "line 5, column 7: impressionData is a boolean"),
        ("    enabled: 1\n", "line 4, column 14: a boolean must be true or false"),
        (
            "    strategies: [{ name: a, disabled: \"\" }]\n",
            "line 4, column 39: disabled is a boolean; write true or false without quotes",
        ),
        (
            "    strategies:\n      - name: a\n        constraints: [{ contextName: b, operator: IN, inverted: \"true\" }]\n",
            "line 6, column 65: inverted is a boolean",
        ),
        (
            "    strategies: [{ name: a, segments: [\"2\", 1] }]\n",
            "line 4, column 45: 1 must be a text; write it in quotes",
        ),
        ("    description: [a]\n", "line 4, column 18: this must be a text"),
        (
            "    dependencies: [{ feature: a, enabled: \"true\" }]\n",
            "line 4, column 43: enabled is a boolean",
        ),
        (
            "    variants: [{ name: a, weight: \"1000\" }]\n",
            "line 4, column 35: weight is a number; write it without quotes",
        ),
        (
            "    strategies: [{ name: flexibleRollout, parameters: { rollout: 25 } }]\n",
            "line 4, column 66: 25 must be a text; write it in quotes",
        ),
        (
            "    strategies: [{ name: a, constraints: [{ contextName: b, operator: IN, values: [7] }] }]\n",
            "line 4, column 84: 7 must be a text; write it in quotes",
        ),
        ("    description: 1.5\n", "line 4, column 18: 1.5 must be a text; write it in quotes"),
        (
            "    strategies: default\n",
            "line 4, column 17: this must be a list, in brackets or with - before each item",
        ),
        ("    strategies: [default]\n", "line 4, column 18: this must be properties, each as NAME: VALUE"),
        (
            "    colour: red\n",
            "line 4, column 5: colour is no property of the format here; remove it. The properties are description, type,",
        ),
        (
            "    strategies: &all\n      - name: default\n",
            "line 4, column 17: anchors and aliases are not allowed; write the value at each place",
        ),
        ("    description: *all\n", "line 4, column 18: anchors and aliases are not allowed"),
        ("    description: !!str 7\n", "the tag tag:yaml.org,2002:str is not allowed; remove it"),
        ("    <<: { enabled: true }\n", "line 4, column 5: merge keys (<<) are not allowed"),
        ("    enabled: true\n  shop.pay: {}\n", "line 5, column 3: duplicate key shop.pay"),
        ("    enabled: true\n---\nversion: 1\n", "a file contains one document"),
        (
            "    description: a: b\n",
            "line 4, column 19: a colon and a space follow the name of a property only",
        ),
        ("\tenabled: true\n", "line 4, column 2: tabs cannot indent; use spaces"),
        (
            "    description: \"\\q\"\n",
            "line 4, column 18: an unknown escape in quotes; write \\\\ for a backslash",
        ),
    ] {
        let path = files.write("a.yaml", &format!("{toggle}{text}"));
        let (code, said) = files.plan().await;
        assert_eq!(code, Some(1), "{text}");
        assert!(
            said.starts_with(&format!("flagdeck: {}, ", path.display())) && said.contains(fault),
            "{text}: {said}"
        );
    }
    files.write("a.yaml", "{ \"version\": \"1\", \"toggles\": {} }\n");
    assert!(files.plan().await.1.contains("line 1, column 14: version is a number; write it without quotes"));
    // Parameters and the names of toggles are texts, whatever they are called.
    let named = "version: 1\ntoggles:\n  enabled: { strategies: [{ name: a, parameters: { stale: \"true\", weight: \"5\" } }] }\n";
    assert!(Document::parse(named).is_ok());
    for (text, fault) in [
        ("", "line 1, column 1: the file is empty; it contains version: 1 and toggles"),
        ("toggles: {}\n", "line 1, column 1: version: 1 is missing; add it before toggles"),
        (
            "{ \"version\": 1, \"target\": \"prod\", \"changes\": [] }",
            "a.yaml is a plan, not a file with toggles; apply it alone",
        ),
    ] {
        files.write("a.yaml", text);
        let (_, said) = files.plan().await;
        assert!(said.contains(fault), "{said}");
    }
    files.write("a.yaml", "version: 2\ntoggles: {}\n");
    assert!(files.plan().await.1.contains("the version of the format is 2, and this program reads 1"));
    files.write("a.yaml", &format!("{toggle}    enabled: true\n"));
    files.write("b.yml", &format!("{toggle}    stale: true\n"));
    let (code, said) = files.plan().await;
    assert_eq!(code, Some(1));
    assert!(
        said.contains("a.yaml and ") && said.contains("b.yml both own the toggle shop.pay; remove it"),
        "{said}"
    );
    let empty = TempDir::new().unwrap();
    let (code, _, said) = files.run("--to", &["plan", empty.path().to_str().unwrap()]).await;
    assert_eq!(code, Some(1));
    assert!(said.contains("contains no files with the extension yaml, yml, json"), "{said}");
}
