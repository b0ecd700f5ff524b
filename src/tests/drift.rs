//! Differences between targets: `flagdeck drift`.

use std::fs;

use actix_web::http::Method;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cli::settings_file;
use crate::support::app::TestApp;
use crate::support::binary::{Binary, flagdeck};
use crate::support::engine::skips_file_tests;
use crate::support::newer_server::{NewerServer, Version};
use crate::targets::run;

const JSON: [(&str, &str); 1] = [("content-type", "application/json")];

/// Creates three toggles and a segment, whose id depends on the number of segments before it.
async fn create_toggles(app: &TestApp, segments_before: usize) {
    for number in 0..=segments_before {
        let constraints = json!([{ "contextName": "country", "operator": "IN", "values": ["de", "fr"] }]);
        let segment = json!({ "name": format!("EU {number}"), "constraints": constraints });
        assert_eq!(app.post("/api/admin/segments", &segment).await.status, 201);
    }
    let rollout = json!({
        "name": "flexibleRollout", "parameters": { "rollout": "25", "stickiness": "userId", "groupId": "pay" },
        "segments": [segments_before + 1],
    });
    for (name, strategies) in [
        ("shop.pay", json!([rollout])),
        (
            "shop.search",
            json!([{ "name": "default" }, { "name": "userWithId", "parameters": { "userIds": "7" }, "disabled": true }]),
        ),
        ("shop.old", json!([{ "name": "default" }])),
    ] {
        let body = json!({ "name": name, "description": "One page", "strategies": strategies });
        let created = app.post("/api/admin/features", &body).await;
        assert_eq!(created.status, 201, "{}", created.body);
    }
}

async fn update(app: &TestApp, name: &str, change: impl FnOnce(&mut Value)) {
    let path = format!("/api/admin/features/{name}");
    let mut toggle = app.get(&path).await.json();
    change(&mut toggle);
    let updated = app.send(Method::PUT, &path, &JSON, &toggle.to_string()).await;
    assert_eq!(updated.status, 200, "{}", updated.body);
}

/// Compares targets, with the settings of `more`. Returns the exit code, and the output with the errors.
async fn drift(targets: &[&str], more: &[&str]) -> (Option<i32>, String) {
    let (code, text, errors) = run(&[&["drift"], targets, more].concat()).await;
    (code, text + &errors)
}

#[actix_web::test]
async fn toggles_that_differ_are_in_one_table() {
    let (prod, stage) = (TestApp::embedded().await, TestApp::embedded().await);
    create_toggles(&prod, 0).await;
    create_toggles(&stage, 2).await;
    let settings = settings_file(&format!(
        "[target.prod]\nurl = \"{}\"\n[target.stage]\nurl = \"{}\"\n",
        prod.url(""),
        stage.url("")
    ));
    let config = ["--config", settings.path().to_str().unwrap()];
    let (code, text) = drift(&["prod", "stage"], &config).await;
    assert_eq!(
        (code, text.as_str()),
        (Some(0), "3 toggles compared, no differences between prod, stage\n"),
        "segments are compared by their constraints"
    );

    update(&stage, "shop.pay", |toggle| {
        toggle["enabled"] = true.into();
        toggle["strategies"][0]["parameters"]["rollout"] = "50".into();
    })
    .await;
    let archived = stage.send(Method::DELETE, "/api/admin/features/shop.old", &JSON, "").await;
    assert_eq!(archived.status, 200);
    let (code, text) = drift(&["prod", "stage"], &config).await;
    assert_eq!(code, Some(2));
    let rows: Vec<String> =
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        rows,
        [
            "2 of 3 toggles differ between targets",
            "",
            "toggle difference prod stage",
            "shop.old toggle exists missing",
            "shop.pay enabled false true",
            "strategies[flexibleRollout].parameters.rollout \"25\" \"50\"",
        ]
    );
    let columns: Vec<_> =
        text.lines().skip(2).map(|line| line.chars().take(22).collect::<String>()).collect();
    assert_eq!(columns[2], "shop.pay  enabled     ", "{text}");

    let (code, text) = drift(&["prod", "stage"], &[&config[..], &["--json"]].concat()).await;
    assert_eq!(code, Some(2));
    let json: Value = serde_json::from_str(&text).unwrap();
    let schema: Value = serde_json::from_str(include_str!("../../examples/drift.schema.json")).unwrap();
    assert!(jsonschema::is_valid(&schema, &json), "{json:#}");
    assert_eq!((&json["targets"], &json["compared"]), (&json!(["prod", "stage"]), &json!(3)));
    assert_eq!(
        json["toggles"][0],
        json!({ "name": "shop.old", "missing": ["stage"], "existing": ["prod"], "differences": [] })
    );
    let first = &json["toggles"][1]["differences"][0];
    assert_eq!(first, &json!({ "property": "enabled", "values": { "prod": false, "stage": true } }));

    for (targets, fault) in [
        (&["prod", "prod"][..], "prod is named twice; compare different targets"),
        (&["prod", "test"], "there is no target \"test\""),
        (&["prod", "http://127.0.0.1:1"], "http://127.0.0.1:1: "),
    ] {
        let (code, text) = drift(targets, &config).await;
        assert!(code == Some(1) && text.contains(fault), "{text}");
    }
}

#[actix_web::test]
async fn a_client_token_suffices() {
    if skips_file_tests() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("flags.db");
    let open = TestApp::with(&["--data", file.to_str().unwrap()]).await;
    create_toggles(&open, 1).await;
    let token = open.post("/api/admin/api-tokens", &json!({ "name": "ci", "kind": "client" })).await.json();
    open.stop().await;
    let secret = folder.path().join("token");
    fs::write(&secret, token["secret"].as_str().unwrap()).unwrap();
    let closed = Binary::started(
        flagdeck()
            .args(["--listen", "127.0.0.1:0", "--log-level", "off", "--auth", "password", "--data"])
            .arg(&file),
    );
    let url = format!("http://127.0.0.1:{}", closed.port);
    let other = TestApp::embedded().await;
    create_toggles(&other, 0).await;
    let header = format!("Authorization=@{}", secret.display());
    let both = [url.as_str(), &other.url("")];
    let (code, text) = drift(&both, &["--upstream-header", &header]).await;
    assert_eq!(code, Some(0), "disabled strategies and descriptions are not compared: {text}");
    update(&other, "shop.search", |toggle| toggle["enabled"] = true.into()).await;
    let (code, text) = drift(&both, &["--upstream-header", &header]).await;
    assert!(code == Some(2) && text.contains("\nshop.search  enabled     false"), "{text}");
    let (code, text) = drift(&both, &[]).await;
    assert!(code == Some(1) && text.contains("it requires a sign-in; send a credential"), "{text}");
}

#[actix_web::test]
async fn order_of_strategies_for_clients_counts_only_with_variants() {
    let (app, folder) = (TestApp::embedded().await, TempDir::new().unwrap());
    let url = app.url("");
    let variants =
        json!([{ "name": "red", "weight": 1000, "weightType": "variable", "stickiness": "userId" }]);
    for (name, variants, code) in [("shop.plain", json!([]), 0), ("shop.variants", variants, 2)] {
        let rollout = |group: &str| {
            json!({
                "name": "flexibleRollout", "variants": variants,
                "parameters": { "rollout": "25", "stickiness": "userId", "groupId": group },
            })
        };
        let toggle = json!({ "name": name, "strategies": [rollout("one"), rollout("two")] });
        assert_eq!(app.post("/api/admin/features", &toggle).await.status, 201);
        // Unleash 4 sends another order to client libraries.
        let mut list = app.get("/api/client/features").await.json();
        let features = list["features"].as_array_mut().unwrap();
        for toggle in features {
            toggle["strategies"].as_array_mut().unwrap().reverse();
        }
        let client = folder.path().join("client.json");
        fs::write(&client, list.to_string()).unwrap();
        let (exit, text) = drift(&[&url, client.to_str().unwrap()], &[]).await;
        let row = format!("\n{name}  strategies");
        assert!(exit == Some(code) && text.contains(&row) == (code == 2), "{text}");
        assert!(!text.contains("shop.plain "), "{text}");
    }
}

#[actix_web::test]
async fn files_and_exports_are_targets() {
    let app = TestApp::embedded().await;
    create_toggles(&app, 0).await;
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let url = app.url("");
    // A strategy whose only parameter is the percentage.
    update(&app, "shop.old", |toggle| {
        toggle["strategies"] =
            json!([{ "name": "gradualRolloutRandom", "parameters": { "percentage": "5" } }]);
    })
    .await;
    let (_, yaml, _) = run(&["pull", "--from", &url, "shop.pay", "shop.old"]).await;
    let files = write("flags.yaml", &yaml);
    let export = write("state.json", &app.get("/api/admin/state/export").await.body);
    let client = write("client.json", &app.get("/api/client/features").await.body);
    for target in [&files, &export, &client] {
        let (code, text) = drift(&[&url, target], &[]).await;
        assert_eq!(code, Some(0), "{target}: {text}");
    }
    // Files own neither percentages nor switches, unless they contain them.
    update(&app, "shop.pay", |toggle| {
        toggle["enabled"] = true.into();
        toggle["strategies"][0]["parameters"]["rollout"] = "50".into();
    })
    .await;
    let (code, text) = drift(&[&url, &files], &[]).await;
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = drift(&[&files, &export, &client, &url], &[]).await;
    assert_eq!(code, Some(2));
    let row = text.lines().find(|line| line.contains(" enabled ")).unwrap();
    assert_eq!(
        row.split_whitespace().collect::<Vec<_>>(),
        ["shop.pay", "enabled", "-", "false", "false", "true"]
    );
    update(&app, "shop.pay", |toggle| toggle["description"] = "Two pages".into()).await;
    let (code, text) = drift(&[&files, &url], &[]).await;
    assert!(code == Some(2) && text.contains("\nshop.pay  description  \"One page\""), "{text}");
}

/// A property that one target does not tell still differs between the others.
#[actix_web::test]
async fn further_target_hides_no_difference_between_the_others() {
    let (prod, stage) = (TestApp::embedded().await, TestApp::embedded().await);
    create_toggles(&prod, 0).await;
    create_toggles(&stage, 0).await;
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (_, yaml, _) = run(&["pull", "--from", &prod.url(""), "shop.pay"]).await;
    let files = write("flags.yaml", &yaml);
    let client = write("client.json", &prod.get("/api/client/features").await.body);
    let (prod, stage) = (&prod, &stage);
    let row_of = async |toggle: &str, third: &str| {
        let (prod, stage) = (prod.url(""), stage.url(""));
        for targets in [[prod.as_str(), &stage, third], [third, &stage, &prod]] {
            let (code, text) = drift(&targets, &[]).await;
            let row = text.lines().find(|line| line.starts_with(&format!("{toggle} "))).unwrap_or_default();
            assert!(code == Some(2) && row.contains(" strategies"), "{text}");
        }
        drift(&[&prod, &stage, third], &[]).await.1
    };
    assert_eq!(drift(&[&prod.url(""), &stage.url(""), &files], &[]).await.0, Some(0));

    update(stage, "shop.pay", |toggle| toggle["strategies"][0]["parameters"]["rollout"] = "50".into()).await;
    let text = row_of("shop.pay", &files).await;
    let row: Vec<_> = text.lines().filter(|line| line.contains("parameters.rollout ")).collect();
    assert!(row.len() == 1 && row[0].contains("\"25\" ") && row[0].contains("\"50\" "), "{text}");
    update(stage, "shop.pay", |toggle| toggle["strategies"][0]["parameters"]["rollout"] = "25".into()).await;

    let constraints = json!([{ "contextName": "country", "operator": "IN", "values": ["de"] }]);
    let segment = json!({ "name": "EU 0", "constraints": constraints }).to_string();
    let updated = stage.send(Method::PUT, "/api/admin/segments/1", &JSON, &segment).await;
    assert!(updated.status.is_success(), "{}", updated.body);
    row_of("shop.pay", &files).await;

    update(stage, "shop.search", |toggle| toggle["strategies"].as_array_mut().unwrap().truncate(1)).await;
    row_of("shop.search", &client).await;
}

#[actix_web::test]
async fn environments_of_a_server_are_targets() {
    let server = NewerServer::start(Version::V8_2);
    server.model(|model| {
        model.add("one", json!({}));
        model.add("two", json!({}));
    });
    let table = |name: &str| format!("[target.{name}]\nurl = \"{}\"\nenvironment = \"{name}\"\n", server.url);
    let settings = settings_file(&(table("development") + &table("production")));
    let config = ["--config", settings.path().to_str().unwrap()];
    let (code, text) = drift(&["development", "production"], &config).await;
    assert_eq!(code, Some(0), "{text}");
    let file = TempDir::new().unwrap();
    let path = file.path().join("flags.yaml");
    fs::write(&path, "version: 1\ntoggles:\n  one:\n    strategies:\n      - { name: userWithId, parameters: { userIds: \"7\" } }\n").unwrap();
    let applied =
        run(&[&["apply", "--yes", path.to_str().unwrap(), "--to", "development"], &config[..]].concat())
            .await;
    assert_eq!(applied.0, Some(0), "{}", applied.2);
    let (code, text) = drift(&["development", "production"], &config).await;
    assert_eq!(code, Some(2));
    let rows: Vec<_> =
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert!(rows.contains(&"strategies[userWithId].parameters.userIds \"7\" -".to_owned()), "{text}");
}

#[actix_web::test]
async fn texts_of_servers_add_no_lines_and_control_no_terminal() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, toggle: &Value| {
        let path = folder.path().join(name);
        fs::write(&path, json!({ "version": 2, "features": [toggle], "segments": [] }).to_string()).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let strategies = json!([{ "name": "default\nshop.other  on\u{1b}[2J\u{9b}2J" }]);
    let toggle = json!({ "name": "shop.pay\n0 of 9", "enabled": true, "strategies": strategies });
    let none = json!({ "name": "shop.pay\n0 of 9", "enabled": true, "strategies": [] });
    let targets = [write("one.json", &toggle), write("two.json", &none)];
    let targets: Vec<_> = targets.iter().map(String::as_str).collect();
    let (code, text) = drift(&targets, &[]).await;
    assert_eq!(code, Some(2), "{text}");
    // The heading, an empty line, the header of the table and one row.
    assert_eq!(text.lines().count(), 4, "{text}");
    assert!(text.contains("\nshop.pay\\n0 of 9  strategies"), "{text}");
    assert!(!text.contains(['\u{1b}', '\u{9b}']), "{text}");
    let (_, json) = drift(&targets, &["--json"]).await;
    assert!(!json.contains(['\u{1b}', '\u{9b}']), "{json}");
}
