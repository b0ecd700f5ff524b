//! The pipelines and the promotion of toggles: their shell steps run in a folder like a checkout.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

use actix_web::web;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::example;
use crate::support::app::TestApp;
use crate::support::binary::flagdeck;

const FILE: &str = "version: 1\ntoggles:\n  shop.pay:\n    description: One page\n    enabled: true\n";

/// A checkout with the targets `stage` and `prod`.
struct Checkout(TempDir);

impl Checkout {
    fn new(stage: &TestApp, prod: &TestApp) -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path();
        let table = |name: &str, app: &TestApp| {
            format!("[target.{name}]\nurl = \"{}\"\nheader = \"Authorization=@flags-token\"\n", app.url(""))
        };
        fs::write(path.join("flagdeck.toml"), table("stage", stage) + &table("prod", prod)).unwrap();
        fs::create_dir_all(path.join("flags")).unwrap();
        fs::create_dir(path.join("bin")).unwrap();
        symlink(flagdeck().get_program(), path.join("bin/flagdeck")).unwrap();
        // The client of GitHub copies the comment.
        let client = path.join("bin/gh");
        fs::write(&client, "#!/bin/sh\necho \"$@\" > gh-arguments\ncp comment.md gh-comment\n").unwrap();
        fs::set_permissions(client, fs::Permissions::from_mode(0o755)).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    /// Runs a script like a runner. Returns its output, which includes standard error.
    async fn run(&self, script: &str, options: &'static str) -> (Option<i32>, String) {
        let path = format!("{}:{}", self.path("bin").display(), std::env::var("PATH").unwrap());
        let mut command = Command::new("bash");
        command.args([options, "-o", "pipefail", "-c", script]).current_dir(self.0.path()).env_clear();
        command.envs([
            ("PATH", path.as_str()),
            ("FLAGDECK_CONFIG", "flagdeck.toml"),
            ("FLAGS_TOKEN", "secret"),
            ("PULL_REQUEST", "https://github.example/1"),
        ]);
        let output = web::block(move || command.output().unwrap()).await.unwrap();
        let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        (output.status.code(), text)
    }
}

/// Plans a file with one script, and applies it with another, from a pipeline.
async fn check_pipeline(plan: &[String], apply: &[String]) {
    let (stage, prod) = (TestApp::embedded().await, TestApp::embedded().await);
    let checkout = Checkout::new(&stage, &prod);
    fs::write(checkout.path("flags/shop.yaml"), FILE).unwrap();
    for step in plan {
        let (code, text) = checkout.run(step, "-e").await;
        assert_eq!(code, Some(0), "{step}: {text}");
    }
    let text = fs::read_to_string(checkout.path("plan.txt")).unwrap();
    assert!(
        text.starts_with("prod: 1 change, 1 of which may widen who gets the feature\n+ create shop.pay"),
        "{text}"
    );
    let plan_file: Value =
        serde_json::from_str(&fs::read_to_string(checkout.path("plan.json")).unwrap()).unwrap();
    assert_eq!(plan_file["changes"][0]["name"], "shop.pay");
    assert_eq!(prod.get("/api/admin/features/shop.pay").await.status, 404, "a plan changes nothing");
    let mode = fs::metadata(checkout.path("flags-token")).unwrap().permissions().mode();
    assert_eq!(mode & 0o77, 0, "only the runner can read the credential");
    for step in apply {
        let (code, text) = checkout.run(step, "-e").await;
        assert_eq!(code, Some(0), "{step}: {text}");
    }
    assert_eq!(prod.get("/api/admin/features/shop.pay").await.json()["enabled"], true);
    // Without changes and after a failure.
    fs::write(checkout.path("flags/shop.yaml"), "version: 1\ntoggles: []\n").unwrap();
    let mut codes = Vec::new();
    for step in plan {
        codes.push(checkout.run(step, "-e").await.0);
    }
    assert!(codes.contains(&Some(1)), "a failed plan fails its step: {codes:?}");
}

/// Reads a pipeline without comments of GitHub's expressions.
fn pipeline(name: &str) -> Value {
    serde_saphyr::from_str(&example(&Path::new("pipelines").join(name).display().to_string())).unwrap()
}

#[actix_web::test]
async fn github_workflow_plans_and_applies() {
    let workflow = pipeline("github.yml");
    assert_eq!(workflow["env"]["FLAGDECK_CONFIG"], "flagdeck.toml");
    let steps = |job: &str| -> Vec<String> {
        let steps = workflow["jobs"][job]["steps"].as_array().unwrap().iter();
        steps.filter_map(|step| Some(step.get("run")?.as_str()?.to_owned())).collect()
    };
    check_pipeline(&steps("plan"), &steps("apply")).await;
}

#[actix_web::test]
async fn github_workflow_comments_the_plan() {
    let (stage, prod) = (TestApp::embedded().await, TestApp::embedded().await);
    let checkout = Checkout::new(&stage, &prod);
    fs::write(checkout.path("plan.txt"), "prod: nothing to do, it is as in the files\n").unwrap();
    let workflow = pipeline("github.yml");
    let steps = workflow["jobs"]["plan"]["steps"].as_array().unwrap();
    let comment = steps.iter().find(|step| step["name"] == "Comment").unwrap();
    let (code, text) = checkout.run(comment["run"].as_str().unwrap(), "-e").await;
    assert_eq!(code, Some(0), "{text}");
    let posted = fs::read_to_string(checkout.path("gh-comment")).unwrap();
    assert_eq!(posted, "```\nprod: nothing to do, it is as in the files\n```\n");
    let arguments = fs::read_to_string(checkout.path("gh-arguments")).unwrap();
    assert!(arguments.starts_with("pr comment https://github.example/1 "), "{arguments}");
}

#[actix_web::test]
async fn gitlab_pipeline_plans_and_applies() {
    let file = pipeline("gitlab.yml");
    assert_eq!(file["variables"]["FLAGDECK_CONFIG"], "flagdeck.toml");
    let lines = |list: &Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_owned()).collect()
    };
    // GitLab runs the lines of a job in one shell.
    let job = |name: &str| {
        [lines(&file["default"]["before_script"]), lines(&file[name]["script"])].concat().join("\n")
    };
    check_pipeline(&[job("plan")], &[job("apply")]).await;
}

#[actix_web::test]
async fn promotion_copies_toggles_from_stage_to_production() {
    let (stage, prod) = (TestApp::embedded().await, TestApp::embedded().await);
    for (app, percentage) in [(&stage, "100"), (&prod, "10")] {
        let strategy = json!({
            "name": "flexibleRollout",
            "parameters": { "rollout": percentage, "stickiness": "default", "groupId": "shop.pay" },
        });
        let body = json!({ "name": "shop.pay", "enabled": true, "description": "Two pages", "strategies": [strategy] });
        assert_eq!(app.post("/api/admin/features", &body).await.status, 201);
    }
    let path = "/api/admin/features/shop.pay";
    let mut toggle = stage.get(path).await.json();
    toggle["description"] = "One page".into();
    let json = [("content-type", "application/json")];
    let changed = stage.send(actix_web::http::Method::PUT, path, &json, &toggle.to_string()).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    let checkout = Checkout::new(&stage, &prod);
    fs::write(checkout.path("flags-token"), "secret").unwrap();
    let text = example("files.md");
    let (_, section) = text.split_once("## Promotion").unwrap();
    let (_, script) = section.split_once("```sh\n").unwrap();
    let (script, _) = script.split_once("```").unwrap();
    // This toggle exists on both.
    let (_, script) = script.split_once("flagdeck drift").unwrap();
    let script = format!("flagdeck drift{script}").replace("shop.checkout", "shop.pay");
    let (code, text) = checkout.run(&script, "-u").await;
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains(r#""One page"  "Two pages""#), "{text}");
    let promoted = prod.get(path).await.json();
    assert_eq!(promoted["description"], "One page");
    assert_eq!(promoted["strategies"][0]["parameters"]["rollout"], "10", "percentages are kept");
}
