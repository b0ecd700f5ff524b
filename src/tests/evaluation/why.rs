//! `flagdeck why`.

use std::fs;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::support::app::TestApp;
use crate::support::binary::{Binary, flagdeck};
use crate::support::engine::with_engine;

pub(super) fn run(command: &mut Command) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

fn state() -> Value {
    let rollout = json!({
        "name": "flexibleRollout", "parameters": { "rollout": "25", "groupId": "checkout", "stickiness": "userId" },
        "constraints": [{ "contextName": "plan", "operator": "IN", "values": ["gold", "silver"] }],
        "segments": [7],
    });
    let segment = json!({ "id": 7, "name": "EU", "constraints": [
        { "contextName": "version", "operator": "SEMVER_LT", "value": "2.0.0", "inverted": true },
    ] });
    json!({ "features": [
        { "name": "shop.pay", "enabled": true, "strategies": [rollout, { "name": "userWithId", "parameters": { "userIds": "8" } }],
          "variants": [{ "name": "blue", "weight": 1000 }] },
        { "name": "shop.beta", "enabled": true, "strategies": [{ "name": "beta-group" }] },
        { "name": "shop.some", "enabled": true, "strategies": [{ "name": "gradualRolloutRandom", "parameters": { "percentage": "20" } }] },
        { "name": "shop.off", "enabled": false, "strategies": [] },
    ], "segments": [segment] })
}

#[test]
fn why_reads_a_file_and_describes_the_result() {
    let file = NamedTempFile::new().unwrap();
    fs::write(&file, state().to_string()).unwrap();
    let path = file.path().to_str().unwrap();
    let why = |arguments: &[&str]| run(flagdeck().args(["why", "--state", path]).args(arguments));
    let (code, output, _) = why(&["shop.pay", "userId=4711", "plan=gold", "version=2.1.0"]);
    assert_eq!(
        (code, output.as_str()),
        (
            Some(1),
            "shop.pay is off.\nNo strategy matches.\n1. flexibleRollout: off\n   \
             25 % by userId in group \"checkout\": \"4711\" falls on 43 → no\n   \
             constraint plan IN gold, silver: plan is \"gold\" → yes\n   segment EU → yes\n      \
             constraint not version SEMVER_LT 2.0.0: version is \"2.1.0\" → yes\n\
             2. userWithId: off\n   the user \"4711\" is not listed\n"
        )
    );
    let (code, output, _) = why(&["shop.pay", "userId=8"]);
    assert!(output.starts_with("shop.pay is on.\nStrategy 2 decides.\n"), "{output}");
    assert!(output.ends_with("variant blue: it has all the weight\n"), "{output}");
    assert_eq!(code, Some(0));
    for (name, expected, start) in [
        ("shop.beta", 2, "shop.beta is decided by the application.\n"),
        ("shop.some", 2, "shop.some is on with a probability of 20.0 %.\n"),
        ("shop.off", 1, "shop.off is off.\nThe toggle is switched off.\n"),
    ] {
        let (code, output, _) = why(&[name]);
        assert_eq!(code, Some(expected), "{output}");
        assert!(output.starts_with(start), "{output}");
    }
    let (code, output, _) = why(&["--json", "shop.pay", "userId=8"]);
    let json: Value = serde_json::from_str(&output).unwrap();
    assert_eq!((code, &json["result"], &json["variant"]), (Some(0), &json!("on"), &json!("blue")));
    assert_eq!(json["reasons"]["strategies"][1]["rule"], json!({ "code": "listed", "value": "8" }));
}

#[test]
fn why_reports_errors_with_exit_codes_that_are_no_results() {
    let file = NamedTempFile::new().unwrap();
    fs::write(&file, "[]").unwrap();
    let path = file.path().to_str().unwrap();
    for (arguments, expected, cause) in [
        (&["why", "a", "--state", path][..], 2, "contains no toggles in the format"),
        (&["why", "a", "--state", "/nonexistent"], 2, "/nonexistent: "),
        (&["why", "a", "--data", "/nonexistent/flags.db"], 2, "there is no database"),
        (&["why", "a", "--to", "localhost"], 2, "neither a URL"),
        (&["why", "a", "--to", "http://127.0.0.1:1"], 2, "/api/client/features: "),
        (&["why", "a", "userId"], 64, "such as userId=7"),
        (&["why", "a", "--listen", "nowhere"], 2, "listen: "),
    ] {
        let (code, _, error) = run(flagdeck().args(arguments));
        assert_eq!(code, Some(expected), "{error}");
        assert!(error.contains(cause), "{error}");
    }
}

#[actix_web::test]
async fn why_reads_a_database_and_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("flags.db");
    let server = Binary::on(&database);
    let app = TestApp::at(server.port);
    let listed = json!({ "name": "userWithId", "parameters": { "userIds": "8" } });
    app.post("/api/admin/features", &json!({ "name": "shop.pay", "enabled": true, "strategies": [listed] }))
        .await;
    let url = app.url("");
    let data = database.to_str().unwrap();
    for source in [["--data", data], ["--to", &url]] {
        for (user, expected) in [("userId=8", 0), ("userId=9", 1)] {
            let (code, _, error) = run(flagdeck().args(["why", "shop.pay", user]).args(with_engine(&source)));
            assert_eq!(code, Some(expected), "{source:?}: {error}");
        }
        let (code, _, error) = run(flagdeck().args(["why", "none"]).args(with_engine(&source)));
        assert_eq!((code, error.as_str()), (Some(2), "flagdeck: There is no toggle \"none\"\n"));
    }
}

#[actix_web::test]
async fn why_sends_the_token_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("flags.db");
    let data = database.to_str().unwrap();
    let (code, output, _) =
        run(flagdeck().args(with_engine(&["token", "add", "--name", "why", "--data", data])));
    assert_eq!(code, Some(0));
    let token = output.split_whitespace().find(|word| word.len() > 30).unwrap_or_default();
    let file = folder.path().join("token");
    fs::write(&file, token).unwrap();
    let server = Binary::on(&database);
    let url = TestApp::at(server.port).url("");
    let (code, _, error) = run(flagdeck().args(["why", "none", "--to", &url]));
    assert_eq!(code, Some(2));
    assert!(error.contains("401") && error.contains("--upstream-header Authorization=@FILE"), "{error}");
    let header = format!("Authorization=@{}", file.display());
    let (_, _, error) = run(flagdeck().args(["why", "none", "--to", &url, "--upstream-header", &header]));
    assert_eq!(error, "flagdeck: There is no toggle \"none\"\n");
}

#[test]
fn texts_of_the_server_cannot_control_the_terminal() {
    let file = NamedTempFile::new().unwrap();
    let hostile = "\u{1b}]0;title\u{7}\u{9b}2J\u{202e}\nshop.pay is on.";
    let constraint = json!({ "contextName": hostile, "operator": "IN", "values": [hostile] });
    let strategy = json!({ "name": hostile, "constraints": [constraint], "segments": [hostile] });
    let toggle = json!({ "name": "shop.pay", "enabled": true, "strategies": [strategy] });
    fs::write(file.path(), json!({ "features": [toggle] }).to_string()).unwrap();
    let state = file.path().to_str().unwrap();
    let (code, output, _) = run(flagdeck().args(["why", "shop.pay", "--state", state]));
    assert_eq!(code, Some(1), "{output}");
    assert!(output.contains("\\u{1b}]0;title\\u{7}\\u{9b}2J\\u{202e}\\nshop.pay is on."), "{output}");
    assert!(!output.contains(|letter: char| letter != '\n' && letter.is_control()), "{output:?}");
    assert!(!output.contains("\nshop.pay is on."), "{output}");
    let (code, _, error) = run(flagdeck().args(["why", hostile, "--state", state]));
    assert_eq!(code, Some(2), "{error}");
    assert!(!error.trim_end().contains(char::is_control), "{error:?}");
}
