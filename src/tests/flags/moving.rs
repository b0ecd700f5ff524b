//! Moving in and out by `flagdeck import` and `flagdeck export`.
//!
//! `unleash-3.17.6.json` holds what a real server of that version exported, and what it answered at that time.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{FEATURES, archive, create, events_of, names, plain, switch};
use crate::support::app::TestApp;
use crate::support::binary::flagdeck;

const CLIENT: &str = "/api/client/features";

/// A database file, and files to import.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn database(&self) -> PathBuf {
        self.folder.path().join("flags.db")
    }

    async fn app(&self) -> TestApp {
        TestApp::with(&["--data", self.database().to_str().unwrap()]).await
    }

    fn run(&self, arguments: &[&str]) -> Output {
        flagdeck().args(arguments).arg("--data").arg(self.database()).output().unwrap()
    }

    fn import(&self, state: &Value, options: &[&str]) -> Output {
        let file = self.folder.path().join("state.json");
        fs::write(&file, state.to_string()).unwrap();
        self.run(&[&["import", file.to_str().unwrap()], options].concat())
    }

    fn export(&self) -> Value {
        let output = self.run(&["export"]);
        assert!(output.status.success(), "{}", words(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

fn words(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn assert_imported(output: &Output, end: &str) {
    let (out, err) = (words(&output.stdout), words(&output.stderr));
    assert!(output.status.success() && out.trim_end().ends_with(end), "{out}{err}");
}

fn recorded() -> (Value, Value) {
    let text = include_str!("moving/unleash-3.17.6.json");
    let mut recorded: Value = serde_json::from_str(text).unwrap();
    (recorded["export"].take(), recorded["answers"].take())
}

/// A list in an order that does not depend on who made it.
fn sorted(list: &Value) -> Vec<String> {
    let mut texts: Vec<_> = list.as_array().unwrap().iter().map(Value::to_string).collect();
    texts.sort();
    texts
}

/// Deliberate: a toggle without variants has an empty list of them here, and null there.
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
async fn what_a_real_server_exported_is_answered_as_it_did() {
    let (export, answers) = recorded();
    let place = Place::new();
    let imported = place.import(&export, &[]);
    // The tag of an archived toggle: toggles in the archive are not exported.
    assert!(
        words(&imported.stdout)
            .starts_with("Left out: featureTags[3], gone: there is no toggle named gone\n")
    );
    let app = place.app().await;
    assert_eq!(app.get(FEATURES).await.json()["features"], with_variants(&answers["/features"]["features"]));
    let mut strategies = app.get("/api/admin/strategies").await.json()["strategies"].take();
    strategies.as_array_mut().unwrap().retain(|strategy| strategy["editable"] == true);
    for strategy in strategies.as_array().unwrap() {
        let name = &strategy["name"];
        let there = answers["/strategies"]["strategies"].as_array().unwrap();
        let mut there = there.iter().find(|there| there["name"] == *name).unwrap().clone();
        // Deliberate: nobody here gives a strategy another name to show.
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
        assert_eq!(sorted(&here[key]), sorted(&answers[path][key]), "{path}");
    }
    let newest = events_of(&app, "stale-one").await;
    assert_eq!(
        (&newest[0]["type"], &newest[0]["createdBy"]),
        (&json!("feature-import"), &json!("flagdeck import"))
    );
}

#[test]
fn what_is_exported_is_what_was_imported() {
    let (mut export, _) = recorded();
    let place = Place::new();
    place.import(&export, &[]);
    let mut again = place.export();
    // Deliberate: the default project is as old as the installation.
    for state in [&mut export, &mut again] {
        state["projects"][0].as_object_mut().unwrap().remove("createdAt").unwrap();
    }
    // Deliberate: tags on toggles that are not exported are not either.
    export["featureTags"].as_array_mut().unwrap().retain(|tag| tag["featureName"] != "gone");
    export["features"] = with_variants(&export["features"]);
    for key in ["features", "strategies", "projects", "tagTypes", "tags", "featureTags"] {
        assert_eq!(sorted(&again[key]), sorted(&export[key]), "{key}");
    }
    assert_eq!(again.as_object().unwrap().keys().count(), export.as_object().unwrap().keys().count());
    assert_imported(&place.import(&again, &[]), " 0 added, 0 updated, 17 as they were");
}

#[actix_web::test]
async fn a_running_server_shows_what_was_imported() {
    let place = Place::new();
    let app = place.app().await;
    assert_eq!(app.get(CLIENT).await.json()["features"], json!([]));
    place.import(&recorded().0, &[]);
    assert_eq!(names(&app, FEATURES).await, ["checkout.express-pay", "plain", "stale-one"]);
    let deadline = Instant::now() + Duration::from_secs(20);
    while app.get(CLIENT).await.json()["features"].as_array().unwrap().len() != 3 {
        assert!(Instant::now() < deadline, "client libraries never hear of it");
    }
}

#[test]
fn one_broken_rule_and_nothing_is_imported() {
    let place = Place::new();
    assert_imported(&place.import(&json!({ "version": 1 }), &[]), " 0 added, 0 updated, 0 as they were");
    let before = place.export();
    let valid = plain("valid");
    let cases = [
        (json!([]), "the file: \"value\" must be of type object"),
        (json!({ "version": 2 }), "the file: the export format has version 2; only version 1 is supported"),
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
        let output = place.import(&state, &["--drop-before-import"]);
        let file = place.folder.path().join("state.json");
        let expected =
            format!("flagdeck: {} cannot be imported, and nothing was changed: {said}\n", file.display());
        assert_eq!((output.status.code(), words(&output.stderr)), (Some(1), expected));
        assert_eq!(place.export(), before, "{said}");
    }
}

#[actix_web::test]
async fn what_is_there_is_updated_or_kept_or_dropped() {
    let place = Place::new();
    let app = place.app().await;
    create(&app, &plain("there")).await;
    create(&app, &plain("other")).await;
    create(&app, &plain("archived")).await;
    archive(&app, "archived").await;
    switch(&app, "there", "toggle/on").await;
    let state = json!({ "features": [plain("there"), plain("archived"), plain("new")] });
    assert_imported(&place.import(&state, &["--keep-existing"]), " 1 added, 0 updated, 2 as they were");
    assert_eq!(names(&app, FEATURES).await, ["new", "other", "there"]);
    assert_eq!(app.get(FEATURES).await.json()["features"][2]["enabled"], true);
    assert_imported(&place.import(&state, &[]), " 0 added, 2 updated, 1 as they were");
    assert_eq!(names(&app, FEATURES).await, ["archived", "new", "other", "there"]);
    assert_eq!(app.get(FEATURES).await.json()["features"][3]["enabled"], false);
    assert_imported(&place.import(&state, &["--drop-before-import"]), " 3 added, 0 updated, 0 as they were");
    assert_eq!(names(&app, FEATURES).await, ["archived", "new", "there"]);
    let newest = app.get("/api/admin/events").await.json()["events"].take();
    assert!(newest.as_array().unwrap().iter().any(|event| event["type"] == "drop-features"));
}

#[test]
fn projects_are_not_dropped_below_their_toggles() {
    let place = Place::new();
    place.import(&recorded().0, &[]);
    let output = place.import(&json!({ "projects": [] }), &["--drop-before-import"]);
    let said = words(&output.stderr);
    assert!(said.contains("belongs to the project shop, which would not exist after the import"), "{said}");
    let whole = place.export();
    assert_imported(&place.import(&whole, &["--drop-before-import"]), " as they were");
    assert_eq!(place.export()["features"], whole["features"]);
}

#[test]
fn an_export_replaces_no_file() {
    let place = Place::new();
    place.import(&recorded().0, &[]);
    let file: &Path = &place.folder.path().join("out.json");
    for expected in [Some(0), Some(1)] {
        let output = place.run(&["export", file.to_str().unwrap()]);
        assert_eq!(output.status.code(), expected, "{}", words(&output.stderr));
    }
    let exported: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    assert_eq!(exported, place.export());
}
