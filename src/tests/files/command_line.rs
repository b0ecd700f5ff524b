//! Paths, standard input, exit codes, colours and questions of the commands for files.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::process::{Command, Output, Stdio};

use actix_web::http::Method;
use actix_web::web;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Files, create_toggles};
use crate::support::app::TestApp;
use crate::support::binary::{flagdeck, output_of};
use crate::support::stub::{Reply, Stub};
use crate::targets::run;

const FILE: &str = "version: 1\ntoggles:\n  shop.pay: { enabled: false }\n";

/// Runs a command with this standard input.
async fn run_with_input(arguments: &[&str], input: &str) -> (Option<i32>, String) {
    let mut command = flagdeck();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let Output { status, stdout, stderr } =
        web::block(move || child.wait_with_output().unwrap()).await.unwrap();
    (status.code(), String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap())
}

/// Runs a command on a terminal, which `script` of util-linux makes, with these lines as input.
async fn run_on_terminal(variables: &[(&str, &str)], arguments: &[&str], input: &str) -> String {
    let quoted: Vec<_> = arguments.iter().map(|argument| format!("'{argument}'")).collect();
    let line = format!("{} {}; echo \"exit code $?\"", env!("CARGO_BIN_EXE_flagdeck"), quoted.join(" "));
    let mut command = Command::new("script");
    command
        .args(["-q", "-c", &line, "/dev/null"])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("SHELL", "/bin/sh");
    command.envs(variables.iter().copied());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    let output = web::block(move || child.wait_with_output().unwrap()).await.unwrap();
    drop(stdin);
    String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n")
}

#[actix_web::test]
async fn standard_input_and_folders_are_read() {
    let app = TestApp::embedded().await;
    create_toggles(&app).await;
    let (code, said) = run_with_input(&["plan", "-", "--to", &app.url("")], FILE).await;
    assert!(code == Some(2) && said.contains("~ change shop.pay"), "{said}");
    let (code, said) =
        run_with_input(&["plan", "-", "--to", &app.url("")], "version: 1\ntoggles: []\n").await;
    assert!(code == Some(1) && said.starts_with("flagdeck: standard input, line 2, column 10: "), "{said}");
    let (code, said) = run_with_input(&["drift", "-", &app.url("")], FILE).await;
    assert!(code == Some(2) && said.contains("shop.pay"), "{said}");
    let plan = run_with_input(&["plan", "-", "--json", "--to", &app.url("")], FILE).await.1;
    let (code, said) = run_with_input(&["apply", "-", "--to", &app.url("")], &plan).await;
    assert!(code == Some(0) && said.contains("shop.pay is changed"), "a plan needs no question: {said}");

    let files = Files::new(&[&app.url("")]);
    fs::create_dir_all(files.folder.path().join("team/deep")).unwrap();
    fs::create_dir(files.folder.path().join(".git")).unwrap();
    files.write("team/deep/a.YAML", FILE);
    files.write("b.json", r#"{ "version": 1, "toggles": { "null": { "description": "new" } } }"#);
    files.write("notes.txt", "no file with toggles");
    for hidden in [".git/a.yaml", ".a.yaml", "team/.b.yaml"] {
        files.write(hidden, "version: 1\ntoggles:\n  hidden: {}\n");
    }
    let (code, said) = files.plan().await;
    assert!(code == Some(2) && !said.contains("hidden"), "{said}");
    assert!(said.contains("change null") && !said.contains("shop.pay"), "shop.pay is off already: {said}");

    symlink("nowhere.yaml", files.folder.path().join("team/broken.yaml")).unwrap();
    let (code, said) = files.plan().await;
    assert!(code == Some(1) && said.contains("team/broken.yaml: No such file or directory"), "{said}");
    fs::remove_file(files.folder.path().join("team/broken.yaml")).unwrap();
    symlink("..", files.folder.path().join("team/loop")).unwrap();
    let (code, said) = files.plan().await;
    assert!(code == Some(1) && said.contains("team/loop is a link to a folder that contains it"), "{said}");
}

#[actix_web::test]
async fn invalid_arguments_are_no_changes() {
    for arguments in [&["plan"][..], &["plan", "a", "--no-such"], &["drift", "a"], &["apply"]] {
        let (code, output, errors) = run(arguments).await;
        assert_eq!((code, output.as_str()), (Some(64), ""), "{arguments:?}: {errors}");
    }
    for arguments in [&["plan", "--help"][..], &["--version"]] {
        let (code, _, errors) = run(arguments).await;
        assert_eq!((code, errors.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[actix_web::test]
async fn passwords_in_the_url_of_a_target_are_in_no_message() {
    let files = Files::new(&[]);
    let path = files.write("a.yaml", FILE);
    for url in
        ["http://user:s3cret@127.0.0.1:1", "postgres://user:s3cret@127.0.0.1:1/x", "http://user:s3cret@h:1:2"]
    {
        let (code, output, errors) = run(&["plan", path.to_str().unwrap(), "--to", url]).await;
        assert_eq!((code, output.as_str()), (Some(1), ""), "{errors}");
        assert!(errors.contains("user:***@") && !errors.contains("s3cret"), "{errors}");
    }
    let url = "http://user:s3cret@h";
    let (_, _, errors) = run(&["drift", url, url]).await;
    assert!(errors.contains("http://user:***@h is named twice") && !errors.contains("s3cret"), "{errors}");
}

#[actix_web::test]
async fn refusals_name_the_request_the_status_and_the_place_of_a_redirect() {
    let header = tempfile::NamedTempFile::new().unwrap();
    fs::write(header.path(), "token").unwrap();
    let credential = format!("Authorization=@{}", header.path().display());
    for (head, options, text) in [
        (
            "302 Found\r\nlocation: https://login.example/start",
            &[][..],
            "it redirects to https://login.example/start; use the URL of the flag service itself",
        ),
        ("401 Unauthorized", &[], "it requires a sign-in; send a credential"),
        ("401 Unauthorized", &["--upstream-header", &credential], "it refuses the credential; check that it"),
        ("503 Service Unavailable", &[], "the request failed"),
    ] {
        let response = format!("HTTP/1.1 {head}\r\ncontent-length: 0\r\n\r\n");
        let stub = Stub::start(Reply::Bytes(response)).await;
        let (code, _, errors) = run(&[&["toggle", "list", "--to", &stub.url], options].concat()).await;
        assert_eq!(code, Some(1), "{errors}");
        let status = head.lines().next().unwrap();
        assert!(errors.contains(&format!("flagdeck: {}: {text}", stub.url)), "{errors}");
        assert!(errors.contains(&format!(" (GET /api/admin/features: {status})")), "{errors}");
    }
}

#[actix_web::test]
async fn files_without_the_toggle_are_neither_missing_nor_existing() {
    let app = TestApp::embedded().await;
    let files = Files::new(&[]);
    let one = files.write("one.yaml", "version: 1\ntoggles:\n  one: { enabled: true }\n");
    let two = files.write("two.yaml", "version: 1\ntoggles:\n  two: { enabled: true }\n");
    let arguments = ["drift", &app.url(""), one.to_str().unwrap(), two.to_str().unwrap()];
    let (code, text, _) = run(&arguments).await;
    assert_eq!(code, Some(2));
    let cells = |name: &str| -> Vec<String> {
        let row = text.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap();
        row.split_whitespace().map(str::to_owned).collect()
    };
    assert_eq!(cells("one"), ["one", "toggle", "missing", "exists", "-"], "{text}");
    assert_eq!(cells("two"), ["two", "toggle", "missing", "-", "exists"], "{text}");
}

#[actix_web::test]
async fn a_terminal_gets_colours_unless_no_color_is_set() {
    let app = TestApp::embedded().await;
    create_toggles(&app).await;
    let files = Files::new(&[]);
    let path = files.write("a.yaml", FILE);
    let arguments = ["plan", path.to_str().unwrap(), "--to", &app.url("")];
    let line = "~ change shop.pay: narrows who gets the feature";
    for (variables, has_colour) in [
        (&[][..], true),
        (&[("NO_COLOR", "")], true),
        (&[("NO_COLOR", "1")], false),
        (&[("TERM", "dumb")], false),
    ] {
        let said = run_on_terminal(variables, &arguments, "").await;
        assert!(said.ends_with("exit code 2\n"), "{said:?}");
        assert_eq!(
            said.contains(&format!("\u{1b}[33m{line}\u{1b}[0m\n")),
            has_colour,
            "{variables:?}: {said:?}"
        );
        assert_eq!(said.contains(&format!("\n{line}\n")), !has_colour, "{variables:?}: {said:?}");
    }
    assert!(!run(&arguments).await.1.contains('\u{1b}'), "a pipe has no colours");
}

#[actix_web::test]
async fn files_are_applied_after_a_question() {
    let app = TestApp::embedded().await;
    create_toggles(&app).await;
    let files = Files::new(&[]);
    let path = files.write("a.yaml", FILE);
    let arguments = ["apply", path.to_str().unwrap(), "--to", &app.url("")];
    let is_on = async || app.get("/api/admin/features/shop.pay").await.json()["enabled"] == true;
    let (code, _, errors) = run(&arguments).await;
    assert!(code == Some(1) && errors.contains("and nothing was changed; confirm with --yes"), "{errors}");
    for reply in ["n\n", "\n"] {
        let said = run_on_terminal(&[("NO_COLOR", "1")], &arguments, reply).await;
        assert!(said.contains("\n~ change shop.pay: narrows who gets the feature\n"), "{said}");
        assert!(said.contains(&format!("Apply this plan to {}? [y/N] ", app.url(""))), "{said}");
        assert!(said.ends_with(": nothing was changed\nexit code 1\n"), "{said}");
        assert!(is_on().await, "{said}");
    }
    let said = run_on_terminal(&[("NO_COLOR", "1")], &arguments, "yes\n").await;
    assert!(said.contains("shop.pay is changed") && said.ends_with("exit code 0\n"), "{said}");
    assert!(!is_on().await);
    let (code, output, _) = run(&arguments).await;
    assert!(
        code == Some(0) && output.contains("nothing to do"),
        "without changes, nothing is asked: {output}"
    );
}

#[actix_web::test]
async fn files_are_checked_without_a_flag_service() {
    let files = Files::new(&[]);
    let offline = async |text: &str| {
        let path = files.write("a.yaml", text);
        let (code, output, errors) = run(&["plan", "--offline", path.to_str().unwrap()]).await;
        (code, output + &errors.replace(&path.display().to_string(), "a.yaml"))
    };
    let (code, said) =
        offline("version: 1\ntoggles:\n  a.b: { strategies: [{ name: custom, segments: [EU] }] }\n").await;
    assert!(code == Some(0) && said.starts_with("1 toggle in 1 file can be read; "), "{said}");
    for (toggle, fault) in [
        ("a: { enabled: yes }", "flagdeck: a.yaml, line 3, column 17: yes is a boolean in YAML 1.1"),
        (
            "a.b: { strategies: [{ name: default, constraints: [{ contextName: a, operator: NUM_GT, value: ten }] }] }",
            "flagdeck: a.yaml, line 3, column 97: toggle a.b, strategy 1 (default), constraint 1 on a: flagdeck plan --offline refuses it: \"value\" must be a number",
        ),
    ] {
        let (code, said) = offline(&format!("version: 1\ntoggles:\n  {toggle}\n")).await;
        assert!(code == Some(1) && said.contains(fault), "{said}");
    }
    let (code, said) =
        offline("version: 1\ntoggles:\n  a.b: { strategies: [{ name: flexibleRollout, parameters: { rollout: \"150\" } }] }\n")
            .await;
    assert!(code == Some(0) && said.contains("warning: a.yaml, line 3, column"), "{said}");
    let (code, _, _) = run(&["plan", "--offline", "a.yaml", "--to", "prod"]).await;
    assert_eq!(code, Some(64));
}

#[actix_web::test]
async fn a_plan_for_another_target_is_refused_unless_it_is_named() {
    let (app, other) = (TestApp::embedded().await, TestApp::embedded().await);
    let files = Files::new(&[&app.url("")]);
    let path = files.write("a.yaml", "version: 1\ntoggles:\n  shop.new: {}\n");
    let plan = files.folder.path().join("plan");
    let plan = plan.to_str().unwrap();
    files.run("--to", &["plan", path.to_str().unwrap(), "-o", plan]).await;
    let (code, _, errors) = run(&["apply", plan, "--to", &other.url("")]).await;
    let expected = format!("the plan is for {}, and --to names {};", app.url(""), other.url(""));
    assert!(code == Some(1) && errors.contains(&expected), "{errors}");
    assert_eq!(other.get("/api/admin/features/shop.new").await.status, 404);
    let named = ["apply", plan, "--to", &other.url(""), "--planned-for", &app.url("")];
    let (code, said, errors) = run(&named).await;
    assert!(code == Some(0) && said.contains("shop.new is created"), "{errors}");
}

#[actix_web::test]
async fn a_target_without_a_settings_file_says_that_none_was_read() {
    let files = Files::new(&[]);
    let path = files.write("a.yaml", FILE);
    for options in [&[][..], &["--to", "prod"]] {
        let (code, _, errors) = run(&[&["plan", path.to_str().unwrap()], options].concat()).await;
        assert!(code == Some(1) && errors.contains("none was read: name it with --config FILE"), "{errors}");
    }
}

/// JSON allows characters in texts that YAML only has as escapes. `serde_json` is the other implementation.
#[actix_web::test]
async fn control_characters_of_json_are_read() {
    let app = TestApp::embedded().await;
    let description = "a\u{7f}b\u{80}\u{9f}\u{ffff}";
    let files = Files::new(&[&app.url("")]);
    let document = json!({ "version": 1, "toggles": { "shop.new": { "description": description } } });
    let path = files.write("a.json", &document.to_string());
    let (code, said) = files.apply(&path, &[]).await;
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(app.get("/api/admin/features/shop.new").await.json()["description"], description);
    let pulled = files.pull(&[]).await;
    fs::remove_file(path).unwrap();
    let path = files.write("a.yaml", &pulled);
    assert_eq!(files.plan().await.0, Some(0), "{pulled}");
    fs::remove_file(path).unwrap();
    let faulty = format!(
        "{{ \"version\": 1, \"toggles\": {{ \"a\": {{ \"description\": \"{description}\", \"colour\": 1 }} }} }}"
    );
    files.write("a.json", &faulty);
    let column = faulty[..faulty.find("\"colour\"").unwrap()].chars().count() + 1;
    let said = files.plan().await.1;
    assert!(said.contains(&format!("line 1, column {column}: colour")), "{said}");
}

#[actix_web::test]
async fn parameters_of_any_name_count_and_the_order_of_segments_does_not() {
    let app = TestApp::embedded().await;
    for name in ["EU", "Beta"] {
        let segment = json!({ "name": name, "constraints": [] });
        assert_eq!(app.post("/api/admin/segments", &segment).await.status, 201);
    }
    let files = Files::new(&[&app.url("")]);
    let text = |id: &str, segments: &str| {
        format!(
            "version: 1\ntoggles:\n  shop.new:\n    strategies:\n    - name: custom\n      parameters: {{ id: \"{id}\", sortOrder: \"1\", title: \"\", stickiness: default }}\n      segments: [{segments}]\n"
        )
    };
    let path = files.write("a.yaml", &text("1", "EU, Beta"));
    let (code, said) = files.apply(&path, &[]).await;
    assert_eq!(code, Some(0), "{said}");
    files.write("a.yaml", &text("1", "Beta, EU, EU"));
    assert_eq!(files.plan().await.0, Some(0), "the order of segments has no meaning");
    files.write("a.yaml", &text("2", "EU, Beta"));
    assert_eq!(files.plan().await.0, Some(2), "the parameter id has changed");
    let (code, said) = files.apply(&path, &[]).await;
    assert_eq!(code, Some(0), "{said}");
    let toggle = app.get("/api/admin/features/shop.new").await.json();
    let parameters = json!({ "id": "2", "sortOrder": "1", "title": "", "stickiness": "default" });
    assert_eq!(toggle["strategies"][0]["parameters"], parameters);
}

/// The same segments have other ids on the second server.
#[actix_web::test]
async fn segments_are_promoted_by_their_names() {
    let (stage, prod) = (TestApp::embedded().await, TestApp::embedded().await);
    for (app, names) in [(&stage, ["EU", "Beta"]), (&prod, ["Beta", "EU"])] {
        for name in names {
            let values = json!([{ "contextName": "country", "operator": "IN", "values": [name] }]);
            let segment = json!({ "name": name, "constraints": values });
            assert_eq!(app.post("/api/admin/segments", &segment).await.status, 201);
        }
    }
    let toggle = json!({ "name": "shop.new", "enabled": true, "strategies": [{ "name": "default", "segments": [1] }] });
    assert_eq!(stage.post("/api/admin/features", &toggle).await.status, 201);
    let yaml = Files::new(&[&stage.url("")]).pull(&[]).await;
    assert!(yaml.contains("- EU\n"), "{yaml}");
    let files = Files::new(&[&prod.url("")]);
    let path = files.write("a.yaml", &yaml);
    let (code, said) = files.apply(&path, &[]).await;
    assert_eq!(code, Some(0), "{said}");
    let stored: Value = prod.get("/api/admin/features/shop.new").await.json();
    assert_eq!(stored["strategies"][0]["segments"], json!([2]), "EU of the other server");
    let (code, said, _) = run(&["drift", &stage.url(""), &prod.url("")]).await;
    assert!(code == Some(2) && !said.contains("strategies"), "only enabled differs: {said}");

    let removed =
        prod.send(Method::DELETE, "/api/admin/segments/1", &[("content-type", "application/json")], "");
    assert_eq!(removed.await.status, 204);
    files.write("a.yaml", &yaml.replace("- EU\n", "- Beta\n"));
    let (code, said) = files.plan().await;
    let line = yaml.lines().position(|line| line.ends_with("- EU")).unwrap() + 1;
    let expected = format!("line {line}, column ");
    assert!(
        code == Some(1)
            && said.contains(&expected)
            && said.contains("toggle shop.new, strategy 1 (default): the segment Beta does not exist on"),
        "{said}"
    );
}

#[test]
fn a_name_of_several_segments_is_refused_with_its_place() {
    use flagdeck::api::{NamedText, PlannedServer};
    use flagdeck::files::checks::{Items, PlanChecks};
    use flagdeck::files::document::Document;
    use flagdeck::files::plan::{Plan, ServerState};

    let text = "version: 1\ntoggles:\n  a.b:\n    strategies:\n    - name: default\n      segments: [EU]\n";
    let segments = json!([{ "id": 1, "name": "EU" }, { "id": 2, "name": "EU" }]);
    let server =
        ServerState { segments: serde_json::from_value(segments).unwrap(), ..ServerState::default() };
    let plan = Plan::new("prod", &Document::parse(text).unwrap(), &server).unwrap();
    let file = NamedText { name: "a.yaml".to_owned(), text: text.to_owned() };
    let facts = PlannedServer { is_embedded: true, ..PlannedServer::default() };
    let found = PlanChecks::new(&plan, &server).run(Some(&facts), &Items::new(), "prod", &[file]);
    let problems: Vec<_> = found.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        problems,
        [
            "a.yaml, line 6, column 18: toggle a.b, strategy 1 (default): several segments of prod have the name EU; rename all but one of them"
        ]
    );
}

/// The limit of the size of a file stands for a full disk, and for an interruption if the signal of the limit ends the program.
#[actix_web::test]
async fn a_plan_that_cannot_be_written_leaves_the_old_file_or_none() {
    let app = TestApp::embedded().await;
    create_toggles(&app).await;
    let url = app.url("");
    let folder = TempDir::new().unwrap();
    let toggles: Vec<_> =
        (0..20).map(|number| format!("  shop.new{number}: {{ enabled: false }}\n")).collect();
    let file = folder.path().join("toggles.yaml");
    fs::write(&file, format!("version: 1\ntoggles:\n{}", toggles.concat())).unwrap();
    let old = "{ \"version\": 1 }";
    for (signal, has_old) in [("trap '' XFSZ;", true), ("trap '' XFSZ;", false), ("", true), ("", false)] {
        let target = TempDir::new().unwrap();
        let plan = target.path().join("plan.json");
        if has_old {
            fs::write(&plan, old).unwrap();
        }
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -c 0; ulimit -f 1; {signal} exec \"$@\""), "sh"]);
        command.arg(env!("CARGO_BIN_EXE_flagdeck")).args(["plan", file.to_str().unwrap(), "--to", &url]);
        command.args(["-o", plan.to_str().unwrap()]).env_clear().env("PATH", "/usr/bin:/bin");
        let output = web::block(move || output_of(&mut command)).await.unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), (!signal.is_empty()).then_some(1), "{said}");
        assert_eq!(said.contains("plan.json"), !signal.is_empty(), "{said}");
        assert_eq!(fs::read_to_string(&plan).ok().as_deref(), has_old.then_some(old), "{signal} {has_old}");
        if !signal.is_empty() {
            let left = fs::read_dir(target.path()).unwrap().count();
            assert_eq!(left, usize::from(has_old), "an incomplete file is removed");
        }
    }
    let plan = folder.path().join("plan.json");
    fs::write(&plan, old).unwrap();
    let (code, said, _) =
        run(&["plan", file.to_str().unwrap(), "--to", &url, "-o", plan.to_str().unwrap()]).await;
    assert_eq!(code, Some(2), "{said}");
    let written: Value = serde_json::from_str(&fs::read_to_string(&plan).unwrap()).unwrap();
    assert_eq!(written["changes"].as_array().unwrap().len(), 20);
}

#[actix_web::test]
async fn line_breaks_are_shown_as_in_json() {
    let app = TestApp::embedded().await;
    let files = Files::new(&[&app.url("")]);
    files.write("all.json", r#"{ "version": 1, "toggles": { "one": { "description": "a\nb\t\r\u0007" } } }"#);
    let (code, text) = files.plan().await;
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains(r#"+ description: "a\nb\t\r\u0007""#), "{text}");
}

#[actix_web::test]
async fn json_files_are_json() {
    let app = TestApp::embedded().await;
    let files = Files::new(&[&app.url("")]);
    for text in ["{ \"version\": 1,\n \"toggles\": {}, }", "version: 1\ntoggles: {}\n"] {
        let path = files.write("all.JSON", text);
        let (code, text) = files.apply(&path, &[]).await;
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains("all.JSON, line ") && text.contains("it is not JSON"), "{text}");
        assert_eq!(files.plan().await.0, Some(1));
    }
}

/// As other programs, of which the shell reports 128 + SIGPIPE.
#[actix_web::test]
async fn a_closed_pipe_ends_a_command_silently() {
    let app = TestApp::embedded().await;
    let files = Files::new(&[&app.url("")]);
    files.write("all.yaml", "version: 1\ntoggles:\n  one: { description: new }\n");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = flagdeck();
    command.args(["plan", files.path(), "--to"]).args(&files.target).stdout(writer);
    let output = web::block(move || command.output().unwrap()).await.unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(141), String::new()));
}
