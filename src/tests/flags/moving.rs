//! The commands `flagdeck import` and `flagdeck export`.
//!
//! `unleash-3.17.6.json` contains an export of a real server of that version, and its responses at that time.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{FEATURES, archive, create, events_of, names, plain, switch};
use crate::support::app::TestApp;
use crate::support::binary::flagdeck;
use crate::support::engine::with_engine;

const CLIENT: &str = "/api/client/features";

/// A database file, and files to import.
pub(super) struct Installation {
    folder: TempDir,
}

impl Installation {
    pub(super) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn database(&self) -> PathBuf {
        self.folder.path().join("flags.db")
    }

    pub(super) async fn app(&self) -> TestApp {
        TestApp::with(&["--data", self.database().to_str().unwrap()]).await
    }

    pub(super) fn run(&self, arguments: &[&str]) -> Output {
        let database = self.database();
        let data = ["--data", database.to_str().unwrap()];
        flagdeck().args(with_engine(&[arguments, &data].concat())).output().unwrap()
    }

    pub(super) fn import(&self, state: &Value, options: &[&str]) -> Output {
        let file = self.folder.path().join("state.json");
        fs::write(&file, state.to_string()).unwrap();
        self.run(&[&["import", file.to_str().unwrap()], options].concat())
    }

    pub(super) fn export(&self) -> Value {
        let output = self.run(&["export"]);
        assert!(output.status.success(), "{}", to_text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

pub(super) fn to_text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

pub(super) fn assert_imported(output: &Output, end: &str) {
    let (out, err) = (to_text(&output.stdout), to_text(&output.stderr));
    assert!(output.status.success() && out.trim_end().ends_with(end), "{out}{err}");
}

fn recorded() -> (Value, Value) {
    let text = include_str!("moving/unleash-3.17.6.json");
    let mut recorded: Value = serde_json::from_str(text).unwrap();
    (recorded["export"].take(), recorded["answers"].take())
}

/// Returns a list sorted by its JSON text.
fn sorted(list: &Value) -> Vec<String> {
    let mut texts: Vec<_> = list.as_array().unwrap().iter().map(Value::to_string).collect();
    texts.sort();
    texts
}

/// Deliberate: variants of a toggle without any are an empty list here, and null in the recording.
fn with_variants(toggles: &Value) -> Value {
    let mut toggles = toggles.clone();
    for toggle in toggles.as_array_mut().unwrap() {
        if toggle["variants"].is_null() {
            toggle["variants"] = json!([]);
        }
    }
    toggles
}

#[actix_web::test]
async fn import_of_an_unleash_export_returns_the_same_responses() {
    let (export, responses) = recorded();
    let installation = Installation::new();
    let imported = installation.import(&export, &[]);
    // The tag of an archived toggle: archived toggles are not exported.
    assert!(
        to_text(&imported.stdout)
            .starts_with("Left out: featureTags[3], gone: there is no toggle named gone\n")
    );
    let app = installation.app().await;
    assert_eq!(
        app.get(FEATURES).await.json()["features"],
        with_variants(&responses["/features"]["features"])
    );
    let mut strategies = app.get("/api/admin/strategies").await.json()["strategies"].take();
    strategies.as_array_mut().unwrap().retain(|strategy| strategy["editable"] == true);
    for strategy in strategies.as_array().unwrap() {
        let name = &strategy["name"];
        let there = responses["/strategies"]["strategies"].as_array().unwrap();
        let mut there = there.iter().find(|there| there["name"] == *name).unwrap().clone();
        // Deliberate: the embedded service has no display names.
        there.as_object_mut().unwrap().remove("displayName");
        assert_eq!(*strategy, there);
    }
    for (path, key) in [
        ("/tag-types", "tagTypes"),
        ("/tags", "tags"),
        ("/features/plain/tags", "tags"),
        ("/features/stale-one/tags", "tags"),
    ] {
        let here = app.get(&format!("/api/admin{path}")).await.json();
        assert_eq!(sorted(&here[key]), sorted(&responses[path][key]), "{path}");
    }
    let newest = events_of(&app, "stale-one").await;
    assert_eq!(
        (&newest[0]["type"], &newest[0]["createdBy"]),
        (&json!("feature-import"), &json!("flagdeck import"))
    );
}

#[test]
fn export_equals_the_import() {
    let (mut export, _) = recorded();
    let installation = Installation::new();
    installation.import(&export, &[]);
    let mut again = installation.export();
    // Deliberate: the default project has the creation time of the installation.
    for state in [&mut export, &mut again] {
        state["projects"][0].as_object_mut().unwrap().remove("createdAt").unwrap();
    }
    // Deliberate: tags of toggles that are not exported are not exported either.
    export["featureTags"].as_array_mut().unwrap().retain(|tag| tag["featureName"] != "gone");
    export["features"] = with_variants(&export["features"]);
    for key in ["features", "strategies", "projects", "tagTypes", "tags", "featureTags"] {
        assert_eq!(sorted(&again[key]), sorted(&export[key]), "{key}");
    }
    assert_eq!(again.as_object().unwrap().keys().count(), export.as_object().unwrap().keys().count());
    assert_imported(&installation.import(&again, &[]), " 0 added, 0 updated, 17 as they were");
}

#[actix_web::test]
async fn import_is_visible_in_a_running_server() {
    let installation = Installation::new();
    let app = installation.app().await;
    assert_eq!(app.get(CLIENT).await.json()["features"], json!([]));
    installation.import(&recorded().0, &[]);
    assert_eq!(names(&app, FEATURES).await, ["checkout.express-pay", "plain", "stale-one"]);
    let deadline = Instant::now() + Duration::from_secs(20);
    while app.get(CLIENT).await.json()["features"].as_array().unwrap().len() != 3 {
        assert!(Instant::now() < deadline, "the import never reaches the client API");
    }
}

#[test]
fn import_with_one_error_changes_nothing() {
    let installation = Installation::new();
    assert_imported(
        &installation.import(&json!({ "version": 1 }), &[]),
        " 0 added, 0 updated, 0 as they were",
    );
    let before = installation.export();
    let valid = plain("valid");
    let cases = [
        (json!([]), "the file: an export is an object with sections, such as features"),
        (
            json!({ "version": 2 }),
            "the file: the export format has version 2, but it contains no featureEnvironments",
        ),
        (json!({ "features": {} }), "features: must be an array"),
        (json!({ "features": [valid, plain("a b")] }), "features[1], a b: \"name\" must be URL friendly"),
        (
            json!({ "features": [valid, { "name": "none", "strategies": [] }] }),
            "features[1], none: \"strategies\" must contain at least 1 items",
        ),
        (
            json!({ "features": [valid, { "name": "lost", "project": "nowhere", "strategies": [{ "name": "default" }] }] }),
            "features[1], lost: There is no project with the id nowhere; create it first",
        ),
        (
            json!({ "features": [valid], "tags": [{ "type": "none", "value": "xx" }] }),
            "tags[0], xx: There is no tag type called none; create it first",
        ),
        (
            json!({ "features": [valid], "projects": [{ "id": "shop" }] }),
            "projects[0], shop: \"name\" is required",
        ),
        (
            json!({ "features": [{ "name": "old", "strategies": [{ "name": "default" }], "createdAt": "long ago" }] }),
            "features[0], old: \"createdAt\" must be a time such as 2026-01-31T12:00:00Z",
        ),
    ];
    for (state, said) in cases {
        let output = installation.import(&state, &["--drop-before-import"]);
        let file = installation.folder.path().join("state.json");
        let expected =
            format!("flagdeck: {} cannot be imported, and nothing was changed: {said}\n", file.display());
        assert_eq!((output.status.code(), to_text(&output.stderr)), (Some(1), expected));
        assert_eq!(installation.export(), before, "{said}");
    }
}

#[actix_web::test]
async fn import_modes_update_keep_or_drop_existing_items() {
    let installation = Installation::new();
    let app = installation.app().await;
    create(&app, &plain("there")).await;
    create(&app, &plain("other")).await;
    create(&app, &plain("archived")).await;
    archive(&app, "archived").await;
    switch(&app, "there", "toggle/on").await;
    let state = json!({ "features": [plain("there"), plain("archived"), plain("new")] });
    assert_imported(
        &installation.import(&state, &["--keep-existing"]),
        " 1 added, 0 updated, 2 as they were",
    );
    assert_eq!(names(&app, FEATURES).await, ["new", "other", "there"]);
    assert_eq!(app.get(FEATURES).await.json()["features"][2]["enabled"], true);
    assert_imported(&installation.import(&state, &[]), " 0 added, 2 updated, 1 as they were");
    assert_eq!(names(&app, FEATURES).await, ["archived", "new", "other", "there"]);
    assert_eq!(app.get(FEATURES).await.json()["features"][3]["enabled"], false);
    assert_imported(
        &installation.import(&state, &["--drop-before-import"]),
        " 3 added, 0 updated, 0 as they were",
    );
    assert_eq!(names(&app, FEATURES).await, ["archived", "new", "there"]);
    let newest = app.get("/api/admin/events").await.json()["events"].take();
    assert!(newest.as_array().unwrap().iter().any(|event| event["type"] == "drop-features"));
}

#[test]
fn import_rejects_toggles_whose_project_would_be_dropped() {
    let installation = Installation::new();
    installation.import(&recorded().0, &[]);
    let output = installation.import(&json!({ "projects": [] }), &["--drop-before-import"]);
    let said = to_text(&output.stderr);
    assert!(said.contains("belongs to the project shop, which would not exist after the import"), "{said}");
    let whole = installation.export();
    assert_imported(&installation.import(&whole, &["--drop-before-import"]), " as they were");
    assert_eq!(installation.export()["features"], whole["features"]);
}

#[test]
fn export_does_not_overwrite_a_file() {
    let installation = Installation::new();
    installation.import(&recorded().0, &[]);
    let file: &Path = &installation.folder.path().join("out.json");
    for expected in [Some(0), Some(1)] {
        let output = installation.run(&["export", file.to_str().unwrap()]);
        assert_eq!(output.status.code(), expected, "{}", to_text(&output.stderr));
    }
    let exported: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    assert_eq!(exported, installation.export());
}
