//! Commands that read and change a target: `flagdeck toggle`.

use std::fs;
use std::path::Path;
use std::process::Output;

use actix_web::web;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cli::settings_file;
use crate::support::app::TestApp;
use crate::support::binary::{Binary, flagdeck, output_of};
use crate::support::engine::{is_postgres, with_engine};
use crate::support::newer_server::{NewerServer, Version};
use crate::support::stub::{Reply, Stub};

/// Runs a command, and returns its exit code, its output and its errors. Servers of this test run meanwhile.
pub(super) async fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = flagdeck();
    command.args(arguments);
    let Output { status, stdout, stderr } = web::block(move || output_of(&mut command)).await.unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

/// Runs a command that must succeed, and returns its output.
async fn output(arguments: &[&str]) -> String {
    let (code, output, errors) = run(arguments).await;
    assert_eq!((code, errors.as_str()), (Some(0), ""), "{arguments:?}: {output}");
    output
}

/// Checks a JSON document with the published schema of this name.
fn assert_valid(schema: &str, document: &Value) {
    let schemas: Value = serde_json::from_str(include_str!("../../examples/toggle.schema.json")).unwrap();
    let mut schema = schemas["$defs"][schema].clone();
    assert!(schema.is_object(), "{schemas:#}");
    schema["$defs"] = schemas["$defs"].clone();
    let errors: Vec<_> =
        jsonschema::validator_for(&schema).unwrap().iter_errors(document).map(|e| e.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}\n{document:#}");
}

/// Creates, lists, shows, switches and archives a toggle.
async fn check_toggle_commands(target: &[&str]) {
    let toggle = async |arguments: &[&str]| output(&[&["toggle"], arguments, target].concat()).await;
    let json = async |arguments: &[&str], schema: &str| {
        let document = serde_json::from_str(&toggle(&[arguments, &["--json"]].concat()).await).unwrap();
        assert_valid(schema, &document);
        document
    };
    let name = target[1];
    assert_eq!(toggle(&["list"]).await, "There are no toggles\n");
    let created = toggle(&["create", "shop.pay", "--description", "One page", "--type", "experiment"]).await;
    assert_eq!(created, format!("{name}: shop.pay is created, and off\n"));
    assert_eq!(toggle(&["list"]).await, "shop.pay  off  experiment  default\n");
    assert_eq!(toggle(&["on", "shop.pay"]).await, format!("{name}: shop.pay is switched on\n"));
    assert_eq!(toggle(&["on", "shop.pay"]).await, format!("{name}: shop.pay is already on\n"));
    let list = json(&["list"], "ToggleList").await;
    assert_eq!((&list["target"], &list["toggles"][0]["enabled"]), (&json!(name), &json!(true)));
    let shown = json(&["show", "shop.pay"], "ShownToggle").await;
    assert_eq!(shown["toggle"]["strategies"][0]["name"], "default");
    let yaml = toggle(&["show", "shop.pay"]).await;
    assert!(yaml.starts_with("name: shop.pay\n") && yaml.contains("\ndescription: One page\n"), "{yaml}");
    let off = json(&["off", "shop.pay"], "ChangedToggle").await;
    assert_eq!(off, json!({ "target": name, "name": "shop.pay", "action": "off", "changed": true }));
    assert_eq!(toggle(&["archive", "shop.pay"]).await, format!("{name}: shop.pay is archived\n"));
    assert_eq!(toggle(&["list"]).await, "There are no toggles\n");
    let (code, _, errors) = run(&[&["toggle", "on", "shop.pay"], target].concat()).await;
    assert_eq!(code, Some(1));
    assert!(
        errors.contains("there is no active toggle \"shop.pay\"; flagdeck toggle list shows all"),
        "{errors}"
    );
}

#[actix_web::test]
async fn toggles_are_changed_on_a_running_server() {
    let app = TestApp::embedded().await;
    check_toggle_commands(&["--to", &app.url("")]).await;
    let archived = output(&["toggle", "list", "--archived", "--to", &app.url("")]).await;
    assert_eq!(archived, "shop.pay  off  experiment  default\n");
    let history = app.get("/api/admin/events/shop.pay").await.json();
    let kinds: Vec<_> =
        history["events"].as_array().unwrap().iter().map(|event| event["type"].clone()).collect();
    assert_eq!(kinds, ["feature-archived", "feature-updated", "feature-updated", "feature-created"]);
}

#[actix_web::test]
async fn toggles_are_changed_behind_a_console_and_on_a_server_with_environments() {
    for version in [Version::V5_12, Version::V8_2] {
        let server = NewerServer::start(version);
        check_toggle_commands(&["--to", &server.url, "--upstream-environment", "development"]).await;
        let (code, _, errors) = run(&["toggle", "list", "--to", &server.url]).await;
        assert_eq!(code, Some(1));
        let remedy = "it has several environments; set environment in the table of the target, or \
                      --upstream-environment, to one of development, production";
        assert!(errors.contains(remedy), "{errors}");
    }
    let server = NewerServer::start(Version::V8_2);
    let console = TestApp::beside(&server.url).await;
    check_toggle_commands(&["--to", &console.url(""), "--upstream-environment", "production"]).await;
}

#[actix_web::test]
async fn a_server_with_environments_asks_before_it_adds_a_rollout() {
    let server = NewerServer::start(Version::V8_2);
    server.model(|model| model.add("search", json!({})));
    let on = ["toggle", "on", "search", "--to", &server.url, "--upstream-environment", "development"];
    let (code, _, errors) = run(&on).await;
    assert_eq!(code, Some(1));
    assert!(
        errors.contains("would add a 100 % rollout to everyone, and nothing was changed; confirm with --yes"),
        "{errors}"
    );
    assert!(server.take_changes().is_empty());
    assert_eq!(
        output(&[&on[..], &["--yes"]].concat()).await,
        format!("{}: search is switched on\n", server.url)
    );
    assert_eq!(server.model(|model| model.state("search", "development")["enabled"].clone()), true);
}

#[actix_web::test]
async fn toggles_are_changed_in_a_database_that_no_server_uses() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("flags.db");
    let data = with_engine(&["--data", file.to_str().unwrap()]);
    let target: Vec<_> = ["--to"].into_iter().chain(data[1..].iter().map(String::as_str)).collect();
    if !is_postgres() {
        let (code, _, errors) = run(&[&["toggle", "list"], &target[..]].concat()).await;
        assert_eq!(code, Some(1));
        assert!(errors.contains("flags.db") && !file.exists(), "{errors}");
    }
    Binary::on(&file).kill();
    check_toggle_commands(&target).await;
    if !is_postgres() {
        let _server = Binary::on(&file);
        let (code, _, errors) = run(&[&["toggle", "list"], &target[..]].concat()).await;
        assert_eq!(code, Some(1));
        assert!(errors.contains("flags.db"), "{errors}");
    }
}

/// Returns the arguments to use a settings file.
fn with_file(file: &Path) -> [&str; 4] {
    ["toggle", "list", "--config", file.to_str().unwrap()]
}

#[actix_web::test]
async fn targets_are_tables_of_the_settings_file() {
    let server = NewerServer::start(Version::V8_2);
    let folder = TempDir::new().unwrap();
    let token = folder.path().join("token");
    fs::write(&token, "user:secret\n").unwrap();
    let prod = format!(
        "[target.prod]\nurl = \"{}\"\nheader = \"Authorization=@{}\"\nenvironment = \"production\"\n",
        server.url,
        token.display()
    );
    let file = settings_file(&format!("log-level = \"error\"\n\n{prod}"));
    server.model(|model| model.add("search", json!({})));
    assert_eq!(output(&with_file(file.path())).await, "search  off  release  default\n");
    let headers = server.take_headers();
    assert!(headers.iter().all(|headers| headers["authorization"] == "user:secret"), "{headers:?}");
    let file = settings_file(&format!("{prod}\n[target.stage]\nurl = \"http://127.0.0.1:1\"\n"));
    assert!(output(&[&with_file(file.path())[..], &["--to", "prod"]].concat()).await.starts_with("search"));
    for (more, text) in [
        (&[][..], "--to is missing, and the settings file has several targets; choose one of prod, stage"),
        (
            &["--to", "tests"],
            "there is no target \"tests\"; use a URL, a database such as ./flagdeck.db, or a table [target.tests]",
        ),
        (&["--to", "stage"], "stage: "),
    ] {
        let (code, _, errors) = run(&[&with_file(file.path())[..], more].concat()).await;
        assert_eq!(code, Some(1), "{more:?}");
        assert!(errors.contains(text), "{more:?}: {errors}");
    }
    let (_, _, errors) = run(&["toggle", "list"]).await;
    assert!(errors.contains("--to is missing: name a flag service by its URL, by its database"), "{errors}");
}

#[actix_web::test]
async fn faults_of_targets_in_the_settings_file_name_the_line() {
    for (text, fault) in [
        (
            "[target.prod]\nurl = \"http://x\"\ntoken = \"x\"\n",
            "line 3: \"token\" is not a key of a target; the keys are url, header",
        ),
        ("\n[target.prod]\nenvironment = \"x\"\n", "line 2: the target prod has no url"),
        ("[target]\nurl = \"http://x\"\n", "line 2: targets are tables such as [target.prod] with a url"),
        ("[target.prod]\nurl = \"ftp://x\"\n", "target prod: upstream: "),
        (
            "[target.prod]\nurl = \"http://x\"\nheader = \"Authorization=x\"\n",
            "target prod: upstream-header: ",
        ),
    ] {
        let file = settings_file(text);
        let (code, _, errors) = run(&with_file(file.path())).await;
        assert_eq!(code, Some(1), "{text}");
        assert!(errors.contains(fault), "{text}: {errors}");
    }
}

#[actix_web::test]
async fn refusals_of_a_target_name_the_remedy() {
    for (status, body, text) in [
        (
            "401 Unauthorized",
            "{}",
            "it requires a sign-in; send a credential: header = \"Authorization=@FILE\"",
        ),
        (
            "403 Forbidden",
            r#"{"message":"You need a permission","permission":"UPDATE_FEATURE"}"#,
            "You need a permission (\"UPDATE_FEATURE\"); use the credential of a user with this permission",
        ),
        (
            "500 Internal Server Error",
            "oops",
            "the request failed (GET /api/admin/features: 500 Internal Server Error)",
        ),
    ] {
        let response = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        let stub = Stub::start(Reply::Bytes(response)).await;
        let (code, _, errors) = run(&["toggle", "list", "--to", &stub.url]).await;
        assert_eq!(code, Some(1), "{status}");
        assert!(errors.starts_with(&format!("flagdeck: {}: {text}", stub.url)), "{status}: {errors}");
    }
}

#[actix_web::test]
async fn toggle_delete_names_the_command_that_archives() {
    for name in ["delete", "remove", "rm"] {
        let (code, output, errors) = run(&["toggle", name, "shop.pay", "--to", "prod"]).await;
        assert_eq!((code, output.as_str()), (Some(64), ""));
        let hint = "tip: toggles are archived and never deleted; use 'flagdeck toggle archive', which can be undone by reviving them";
        assert!(errors.contains(hint), "{errors}");
    }
    // Other commands do not archive toggles.
    let (code, _, errors) = run(&["user", "delete", "ann"]).await;
    assert!(code == Some(64) && !errors.contains("archive"), "{errors}");
}
