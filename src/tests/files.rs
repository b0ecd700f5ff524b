//! Toggles in files: `flagdeck pull`, `plan` and `apply`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

use actix_web::http::Method;
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
            self.run("--to", &[&["apply", path.to_str().unwrap()], more].concat()).await;
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
    assert_eq!(files.apply(files.folder.path(), &[]).await, (Some(0), String::new()));
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
        ~ change shop.pay: narrows who gets the feature\n    description: \"~\" → \"One page\"\n";
    assert!(text.contains(expected), "{text}");
    let last = "~ change null: widens who gets the feature\n    enabled: false → true\n";
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
        command.args(["apply", path.to_str().unwrap(), "--to"]).args(&files.target);
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

#[actix_web::test]
async fn properties_that_a_server_does_not_store_are_an_error() {
    let server = NewerServer::start(Version::V8_2);
    let files = Files::new(&[&server.url, "--upstream-environment", "development"]);
    server.model(|model| {
        model.add("one", json!({}));
        model.add("two", json!({}));
    });
    let path =
        files.write("all.yaml", "version: 1\ntoggles:\n  one:\n    dependencies: [{ feature: two }]\n");
    let (code, text) = files.apply(&path, &[]).await;
    assert_eq!(code, Some(1));
    assert!(
        text.contains(
            "one is changed, but the server does not store these properties as planned: dependencies;"
        ),
        "{text}"
    );
}

#[actix_web::test]
async fn faults_of_files_name_their_place() {
    let files = Files::new(&["http://127.0.0.1:1"]);
    let toggle = "version: 1\ntoggles:\n  shop.pay:\n";
    for (text, fault) in [
        ("    enabled: yes\n", "line 4, column 14: a boolean must be true or false"),
        ("    enabled: true\n    enabled: false\n", "line 5, column 5: duplicate key enabled"),
        ("    description: 010\n", "line 4, column 18: The string value [010] must be quoted"),
        ("    description: true\n", "line 4, column 18: The string value [true] must be quoted"),
        ("    variants: [{ name: a, weight: 010 }]\n", "line 4, column 35: invalid u32"),
        ("    colour: red\n", "line 4, column 5: unknown field `colour`"),
        (
            "    strategies: &all\n      - name: default\n",
            "anchors and aliases are not allowed; write the value at each place",
        ),
        ("    <<: { enabled: true }\n", "line 4, column 5: merge keys (<<) are not allowed"),
        ("    enabled: true\n  shop.pay: {}\n", "line 5, column 3: duplicate key shop.pay"),
        ("    enabled: true\n---\nversion: 1\n", "a file contains one document"),
    ] {
        let path = files.write("a.yaml", &format!("{toggle}{text}"));
        let (code, said) = files.plan().await;
        assert_eq!(code, Some(1), "{text}");
        assert!(
            said.starts_with(&format!("flagdeck: {}, ", path.display())) && said.contains(fault),
            "{text}: {said}"
        );
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
