//! Toggles from a file: `definitions`, `override`, and `flagdeck offline`.

use std::fs;
use std::path::{Path, PathBuf};

use actix_web::http::{Method, StatusCode};
use flagdeck::config::{Config, EdgeMode, EdgeValues, Meaning, variable_name};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::edge_server::check_other_paths;
use super::sidecar::wait_until;
use super::{FRONTEND, names, post};
use crate::support::app::{Response, TestApp};
use crate::support::binary::{flagdeck, output_of};
use crate::support::events::EventReader;

const FEATURES: &str = "/api/client/features";
const SERVER: &str = "*:production.5ecre75ecre75ecre7";
const SHOP: &str = "shop:production.5ecre75ecre75ecre7";
const WEB: &str = "*:production.fedcba9876543210";

/// A folder with the file of a test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file at once, as editors do, and returns its path.
    fn write(&self, name: &str, content: &str) -> String {
        let (new, path) = (self.path("new"), self.path(name));
        fs::write(&new, content).unwrap();
        fs::rename(new, &path).unwrap();
        text(&path)
    }
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

/// A response of a flag service for SDKs, with toggles of these names.
fn response(toggles: &[&str]) -> Value {
    let toggle = |name: &&str| {
        let project = name.split('.').next().unwrap();
        json!({ "name": name, "project": project, "enabled": true, "strategies": [{ "name": "default" }] })
    };
    json!({ "version": 2, "features": toggles.iter().map(toggle).collect::<Value>(), "segments": [] })
}

async fn served(app: &TestApp, token: &str) -> Response {
    app.send(Method::GET, FEATURES, &[("authorization", token)], "").await
}

fn names_of(response: &Response) -> Vec<String> {
    let features = response.json()["features"].take();
    let names = features.as_array().unwrap_or_else(|| panic!("{}", response.body)).iter();
    names.map(|toggle| toggle["name"].as_str().unwrap().to_owned()).collect()
}

fn without_null(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let kept = object.iter().filter(|(_, value)| !value.is_null());
            kept.map(|(key, value)| (key.clone(), without_null(value))).collect()
        }
        Value::Array(items) => items.iter().map(without_null).collect(),
        other => other.clone(),
    }
}

/// The values exceed the limits of the embedded flag service.
#[actix_web::test]
async fn toggles_of_a_response_are_served_as_they_are() {
    let folder = Folder::new();
    let variants = json!([
        { "name": "a", "weight": 400, "weightType": "fix", "stickiness": "default", "payload": { "type": "number", "value": "1" } },
        { "name": "b", "weight": 600, "weightType": "variable", "stickiness": "userId",
          "overrides": [{ "contextName": "userId", "values": ["7"] }] },
    ]);
    let constraints = json!([
        { "contextName": "age", "operator": "NUM_GT", "value": "old", "inverted": true },
        { "contextName": "country", "operator": "IN", "values": ["", "NO"], "caseInsensitive": true },
        { "contextName": "email", "operator": "NEW_operator", "values": [] },
    ]);
    let features = json!([
        {
            "name": "x", "type": "kill-switch", "enabled": true, "stale": true, "impressionData": true,
            "strategies": [{
                "name": "flexibleRollout", "parameters": { "rollout": "50", "stickiness": "default", "groupId": "x" },
                "constraints": constraints, "segments": [7], "variants": variants,
            }],
            "variants": [], "dependencies": [{ "feature": "of another project", "enabled": false }],
        },
        {
            "name": "name with spaces", "type": "release", "enabled": false, "stale": false,
            "strategies": [{ "name": "ownStrategy", "parameters": { "servers": "a,b" } }], "variants": variants,
        },
    ]);
    let segments = json!([{ "id": 7, "name": "s", "constraints": constraints }]);
    let mut list = features.clone();
    list[0]["project"] = "shop".into();
    let content = json!({ "version": 2, "features": list, "segments": segments, "query": { "environment": "production" } });
    let file = folder.write("features.json", &content.to_string());
    let app = TestApp::with(&["--definitions", &file]).await;
    let headers = [("unleash-client-spec", "5.2.0")];
    let found = app.send(Method::GET, FEATURES, &headers, "").await.json();
    let mut expected = features;
    expected.as_array_mut().unwrap().reverse();
    assert_eq!(without_null(&found["features"]), expected);
    assert_eq!(found["segments"], segments);
}

#[actix_web::test]
async fn file_is_read_again_when_it_changes() {
    let folder = Folder::new();
    let file = folder.write("features.json", &response(&["shop.pay", "shop.old"]).to_string());
    let app = TestApp::with(&["--definitions", &file, "--admin-listen", "127.0.0.1:0"]).await;
    assert_eq!(names_of(&served(&app, SERVER).await), ["shop.old", "shop.pay"]);
    let tag = served(&app, SERVER).await.header("etag").to_owned();
    let mut stream = EventReader::open(&app, "/api/client/streaming", "").await;
    assert_eq!(stream.next().await.unwrap().name, "unleash-connected");

    folder.write("features.json", &response(&["shop.pay", "shop.new"]).to_string());
    wait_until(async || served(&app, SERVER).await.header("etag") != tag).await;
    assert_eq!(names_of(&served(&app, SERVER).await), ["shop.new", "shop.pay"]);
    let event = stream.next().await.unwrap();
    assert_eq!(event.name, "unleash-updated", "{event:?}");

    // In place, with the same size and time: tools that copy times write so.
    let time = fs::metadata(&file).unwrap().modified().unwrap();
    fs::write(&file, response(&["shop.pay", "shop.odd"]).to_string()).unwrap();
    fs::File::options().write(true).open(&file).unwrap().set_modified(time).unwrap();
    wait_until(async || names_of(&served(&app, SERVER).await) == ["shop.odd", "shop.pay"]).await;

    // A toggle that was removed comes back.
    folder.write("features.json", &response(&["shop.old"]).to_string());
    wait_until(async || names_of(&served(&app, SERVER).await) == ["shop.old"]).await;
}

#[actix_web::test]
async fn last_valid_content_is_served_while_the_file_is_invalid() {
    let folder = Folder::new();
    let file = folder.write("features.json", &response(&["shop.pay"]).to_string());
    let app = TestApp::with(&["--definitions", &file, "--admin-listen", "127.0.0.1:0"]).await;
    let admin = TestApp::at(app.admin_port.unwrap());
    let has_metric = async |value: u32| {
        let line = format!("flagdeck_definitions_valid {value}\n");
        admin.get("/metrics").await.body.contains(&line)
    };
    assert!(has_metric(1).await);
    let check = || output_of(flagdeck().args(["check", "--definitions", &file, "--listen", "127.0.0.1:0"]));
    assert!(check().status.success());

    let unknown = json!({ "name": "shop.pay", "strategies": [{ "name": "default", "constraints": [
        { "contextName": "userId", "operator": "IN", "values": ["1"], "except": true },
    ] }] });
    for (content, fault) in [
        ("{\"version\":2,\"features\":[{\"na".to_owned(), "it is not JSON"),
        (json!({ "features": [{ "enabled": true }] }).to_string(), "features[0]: \"name\" is required"),
        (
            json!({ "features": [unknown] }).to_string(),
            "features[0], shop.pay: \"strategies[0].constraints[0].except\" is not allowed",
        ),
    ] {
        folder.write("features.json", &content);
        wait_until(async || has_metric(0).await).await;
        assert_eq!(names_of(&served(&app, SERVER).await), ["shop.pay"]);
        let output = check();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(!output.status.success() && said.contains(&format!("FAIL  definitions: {file}")), "{said}");
        assert!(said.contains(fault), "{said}");

        folder.write("features.json", &response(&["shop.pay"]).to_string());
        wait_until(async || has_metric(1).await).await;
    }
    fs::remove_file(&file).unwrap();
    wait_until(async || has_metric(0).await).await;
    assert_eq!(names_of(&served(&app, SERVER).await), ["shop.pay"]);
    folder.write("features.json", &response(&["shop.new"]).to_string());
    wait_until(async || names_of(&served(&app, SERVER).await) == ["shop.new"]).await;
    wait_until(async || has_metric(1).await).await;
}

/// Kubernetes replaces the link to a folder when a config map changes.
#[actix_web::test]
async fn link_to_another_file_is_followed() {
    let folder = Folder::new();
    let (one, two) = (response(&["shop.one"]), response(&["shop.two"]));
    let targets = [folder.write("1.json", &one.to_string()), folder.write("2.json", &two.to_string())];
    let link = folder.path("features.json");
    std::os::unix::fs::symlink(&targets[0], &link).unwrap();
    let app = TestApp::with(&["--definitions", &text(&link)]).await;
    assert_eq!(names_of(&served(&app, SERVER).await), ["shop.one"]);
    let new = folder.path("new");
    std::os::unix::fs::symlink(&targets[1], &new).unwrap();
    fs::rename(&new, &link).unwrap();
    wait_until(async || names_of(&served(&app, SERVER).await) == ["shop.two"]).await;
}

#[actix_web::test]
async fn export_is_served_for_one_environment() {
    let folder = Folder::new();
    let strategy = |environment: &str, users: &str| {
        json!({
            "featureName": "shop.pay", "environment": environment, "strategyName": "userWithId",
            "parameters": { "userIds": users }, "constraints": [],
        })
    };
    let state =
        |environment: &str| json!({ "featureName": "shop.pay", "environment": environment, "enabled": true });
    let export = json!({
        "version": 4,
        "features": [{ "name": "shop.pay", "project": "default", "type": "release" }],
        "featureStrategies": [strategy("development", "1"), strategy("production", "2")],
        "featureEnvironments": [state("development"), state("production")],
        "projects": [{ "id": "default", "name": "Default" }], "segments": [],
    });
    let file = folder.write("export.json", &export.to_string());
    let output = output_of(flagdeck().args(["--definitions", &file, "--listen", "127.0.0.1:0"]));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("several environments") && said.contains("development, production"), "{said}");
    let app = TestApp::with(&["--definitions", &file, "--upstream-environment", "production"]).await;
    let strategies = &served(&app, SERVER).await.json()["features"][0]["strategies"];
    assert_eq!(strategies[0]["parameters"], json!({ "userIds": "2" }));
}

#[actix_web::test]
async fn file_of_pull_is_served() {
    let folder = Folder::new();
    let yaml = "version: 1\ntoggles:\n  shop.pay:\n    project: shop\n    enabled: true\n    tags:\n      - type: team\n        value: web\n";
    let file = folder.write("flags.yaml", yaml);
    let app = TestApp::with(&["--definitions", &file]).await;
    assert_eq!(names_of(&app.get("/api/client/features?tag=team:web&project=shop").await), ["shop.pay"]);
}

#[actix_web::test]
async fn overrides_replace_the_results_of_the_file_and_are_named() {
    let folder = Folder::new();
    let mut content = response(&["shop.a", "shop.b", "shop.c", "shop.d"]);
    content["features"][0]["enabled"] = false.into();
    let variant = |name: &str| json!({ "name": name, "weight": 500, "weightType": "variable" });
    content["features"][2]["variants"] = json!([variant("red"), variant("blue")]);
    let file = folder.write("features.json", &content.to_string());
    let overrides = "shop.a=on,shop.b=off,shop.c=blue";
    let app = TestApp::with(&["--definitions", &file, "--override", overrides]).await;
    let results = post(&app, WEB, FRONTEND, &json!({})).await;
    assert_eq!(names(&results), ["shop.a", "shop.c", "shop.d"]);
    assert_eq!(results.json()["toggles"][1]["variant"]["name"], "blue");
    assert_eq!(served(&app, SERVER).await.header("flagdeck-overridden"), "shop.a, shop.b, shop.c");
    let settings = app.get("/-/settings").await.json();
    let named = json!({ "file": "features.json", "overrides": ["shop.a=on", "shop.b=off", "shop.c=blue"] });
    assert_eq!((&settings["definitions"], &settings["readOnly"]), (&named, &json!(true)));

    // Without the overridden toggle, the file is not valid.
    folder.write("features.json", &response(&["shop.a", "shop.b"]).to_string());
    let said = output_of(flagdeck().args(["check", "--definitions", &file, "--override", overrides]));
    let said = String::from_utf8(said.stdout).unwrap();
    assert!(said.contains("override: the file contains no toggle \"shop.c\""), "{said}");
    content["features"][3]["name"] = "shop.e".into();
    folder.write("features.json", &content.to_string());
    wait_until(async || {
        names(&post(&app, WEB, FRONTEND, &json!({})).await) == ["shop.a", "shop.c", "shop.e"]
    })
    .await;
}

#[actix_web::test]
async fn operators_can_read_everything_and_change_nothing() {
    let folder = Folder::new();
    let file = folder.write("features.json", &response(&["shop.pay"]).to_string());
    let app = TestApp::with(&["--definitions", &file]).await;
    let toggles = app.get("/api/admin/features").await.json();
    assert_eq!(toggles["features"][0]["project"], "shop");
    for path in ["/api/admin/features/shop.pay/toggle/off", "/api/admin/features", "/api/admin/api-tokens"] {
        let response = app.post(path, &json!({})).await;
        let code = &response.json()["code"];
        assert_eq!((response.status, code), (StatusCode::FORBIDDEN, &json!("read_only")), "{path}");
    }
    let report = json!({ "appName": "shop", "instanceId": "1", "bucket": { "start": "2026-01-01T00:00:00Z", "stop": "2026-01-01T00:01:00Z", "toggles": {} } });
    assert_eq!(app.post("/api/client/metrics", &report).await.status, StatusCode::ACCEPTED);
}

/// Each case: the origin of a page, and whether it is served on this machine.
#[actix_web::test]
async fn without_tokens_every_token_is_accepted_from_pages_of_this_machine() {
    let folder = Folder::new();
    let file = folder.write("features.json", &response(&["shop.pay"]).to_string());
    let app = TestApp::with(&["--definitions", &file]).await;
    for token in [SERVER, WEB, "any"] {
        assert_eq!(names_of(&served(&app, token).await), ["shop.pay"]);
        assert_eq!(names(&post(&app, token, FRONTEND, &json!({})).await), ["shop.pay"]);
    }
    for (origin, is_local) in [
        ("http://localhost:3000", true),
        ("http://shop.localhost", true),
        ("https://127.0.0.1:8443", true),
        ("http://[::1]:5173", true),
        ("https://shop.example", false),
        ("http://localhost.shop.example", false),
        ("http://notlocalhost", false),
        ("null", false),
    ] {
        let headers = [("origin", origin), ("access-control-request-method", "GET")];
        let response = app.send(Method::OPTIONS, FRONTEND, &headers, "").await;
        let status = if is_local { StatusCode::NO_CONTENT } else { StatusCode::FORBIDDEN };
        assert_eq!(response.status, status, "{origin}: {}", response.body);
    }
}

async fn offline(folder: &Folder, more: &[(&str, &str)]) -> TestApp {
    let file = folder.write("features.json", &response(&["shop.pay", "till.pay"]).to_string());
    let clients = format!("{SERVER},{SHOP}");
    let own = [("BOOTSTRAP_FILE", &*file), ("CLIENT_TOKENS", &clients), ("FRONTEND_TOKENS", WEB)];
    TestApp::offline(&[&own, more].concat()).await
}

#[actix_web::test]
async fn offline_serves_sdks_with_a_token() {
    let folder = Folder::new();
    let app = offline(&folder, &[("CORS_ORIGIN", "https://shop.example")]).await;
    assert_eq!(names_of(&served(&app, SERVER).await), ["shop.pay", "till.pay"]);
    assert_eq!(names_of(&served(&app, SHOP).await), ["shop.pay"]);
    let query =
        app.send(Method::GET, "/api/client/features?project=till", &[("authorization", SHOP)], "").await;
    assert_eq!(names_of(&query), ["shop.pay"], "as Unleash does");
    for (name, status) in [("shop.pay", StatusCode::OK), ("till.pay", StatusCode::NOT_FOUND)] {
        let path = format!("{FEATURES}/{name}");
        let found = app.send(Method::GET, &path, &[("authorization", SHOP)], "").await;
        assert_eq!(found.status, status, "{name}: {}", found.body);
    }
    let mut stream =
        EventReader::open(&app, "/api/client/streaming", &format!("authorization: {SHOP}\r\n")).await;
    let toggles = stream.next().await.unwrap().data["events"][0]["features"].take();
    assert_eq!(toggles.as_array().unwrap().len(), 1, "{toggles}");
    for token in ["", "unknown"] {
        assert_eq!(served(&app, token).await.status, StatusCode::UNAUTHORIZED, "{token:?}");
        assert_eq!(post(&app, token, FRONTEND, &json!({})).await.status, StatusCode::UNAUTHORIZED);
    }
    assert_eq!(served(&app, WEB).await.status, StatusCode::FORBIDDEN);
    assert_eq!(names(&post(&app, WEB, FRONTEND, &json!({})).await), ["shop.pay", "till.pay"]);
    let all = post(&app, WEB, "/api/frontend/all", &json!({})).await;
    assert_eq!(names(&all), ["shop.pay", "till.pay"]);
    let tokens = json!({ "tokens": [SHOP, "unknown", WEB] });
    let listed = |token: &str, kind: &str, project: &str| json!({ "token": token, "type": kind, "environment": "production", "projects": [project] });
    let accepted = post(&app, "", "/edge/validate", &tokens).await.json();
    assert_eq!(accepted["tokens"], json!([listed(SHOP, "client", "shop"), listed(WEB, "frontend", "*")]));
    for (origin, status) in
        [("https://shop.example", StatusCode::OK), ("https://other.example", StatusCode::FORBIDDEN)]
    {
        let headers = [("authorization", WEB), ("origin", origin)];
        assert_eq!(app.send(Method::GET, FRONTEND, &headers, "").await.status, status, "{origin}");
    }
    let report = json!({ "appName": "shop", "instanceId": "1", "strategies": [], "started": "2026-01-01T00:00:00Z", "interval": 10 });
    assert_eq!(post(&app, SERVER, "/api/client/register", &report).await.status, StatusCode::ACCEPTED);
    for path in ["health", "ready", "metrics"] {
        let response = app.get(&format!("/internal-backstage/{path}")).await;
        assert_eq!(response.status, StatusCode::OK, "{path}");
    }
}

#[actix_web::test]
async fn offline_has_no_other_paths() {
    let folder = Folder::new();
    let app = offline(&folder, &[]).await;
    check_other_paths(&app, SERVER).await;
}

fn resolve(variables: &[(&str, &str)]) -> Result<Config, String> {
    let own = [("BOOTSTRAP_FILE", "features.json"), ("CLIENT_TOKENS", SERVER)];
    let own = own.into_iter().filter(|(name, _)| variables.iter().all(|(other, _)| other != name));
    let all = own.chain(variables.iter().copied());
    let all: Vec<_> = all.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    Config::resolve_edge(EdgeMode::Offline, EdgeValues::new(), all).map_err(|error| error.to_string())
}

#[test]
fn variables_of_offline_are_explained() {
    let config =
        resolve(&[("FRONTEND_TOKENS", WEB), ("RELOAD_INTERVAL", "5"), ("CORS_ORIGIN", "*")]).unwrap();
    assert_eq!(config.listen.address.to_string(), "0.0.0.0:3063");
    let edge = config.edge.unwrap();
    assert_eq!(edge.set.len(), 4, "{:?}", edge.set);
    for variable in EdgeMode::Offline.variables() {
        if let (Meaning::NoEffect(reason), "reload-interval") = (variable.meaning, variable.flag) {
            let note = format!("{} has no effect: {reason}", variable_name(variable.flag));
            assert_eq!(edge.ignored, [note]);
        }
    }
    let both = ("FRONTEND_TOKENS", SERVER);
    for (variables, fault) in [
        (&[("BOOTSTRAP_FILE", "")][..], "BOOTSTRAP_FILE: is missing"),
        (&[("CLIENT_TOKENS", "")], "CLIENT_TOKENS: is missing, and so is FRONTEND_TOKENS"),
        (
            &[("CLIENT_TOKENS", "[]:production.5ecre75ecre75ecre7")],
            "CLIENT_TOKENS: has a token of several projects",
        ),
        (&[both], "FRONTEND_TOKENS: has a token of CLIENT_TOKENS"),
        (&[("ALLOW_LIST", "10.0.0.0/8")], "ALLOW_LIST: addresses are not filtered"),
        (&[("CORS_ORIGIN", "x")], "CORS_ORIGIN: must be origins"),
        (&[("FLAGDECK_UPSTREAM", "http://flags")], "definitions: cannot be combined with upstream"),
    ] {
        let found = resolve(variables).unwrap_err();
        assert!(found.starts_with(fault) && !found.contains("5ecre7"), "{variables:?}: {found}");
    }
    // Variables of the other mode are not read.
    assert!(resolve(&[("TOKENS", "x"), ("UPSTREAM_URL", "x")]).is_ok());
}

#[test]
fn faults_end_the_program_with_their_cause() {
    let folder = Folder::new();
    let file = folder.write("features.json", &response(&["shop.pay"]).to_string());
    let missing = text(&folder.path("missing.json"));
    for (arguments, fault) in [
        (&["--definitions", &*missing][..], "cannot be read: No such file"),
        (&["--definitions", &text(folder.0.path())], "is not a file"),
        (
            &["--definitions", &file, "--override", "shop.pay=blue"],
            "has no variant \"blue\": it has none; use on or off",
        ),
        (&["--definitions", &file, "--listen", "0.0.0.0:0"], "use flagdeck offline"),
        (
            &["offline", "-b", &missing, "-c", SERVER, "--interface", "127.0.0.1", "--port", "0"],
            "definitions: ",
        ),
        (&["offline", "--no-such-flag"], "unexpected argument"),
        (&["--log-level", "off", "offline"], "must be the first argument"),
    ] {
        let output = output_of(flagdeck().args(arguments));
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(!output.status.success() && said.contains(fault), "{arguments:?}: {said}");
    }
}
