//! The operators' journal: its lines, crashes, a full disk, rotation, the page of the console, and `flagdeck journal verify`.

mod faults;
mod limits;
mod verification;

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::app::TestApp;
use crate::support::binary::{
    Binary, Wire, flagdeck, flagdeck_with_file_limit, free_port, in_own_file_system, output_of,
};
use crate::support::engine::with_engine;
use crate::support::stub::{Reply, Stub, ok};
use crate::support::watched::MAX_WAIT;

const FEATURES: &str = "/api/admin/features";
const JSON: (&str, &str) = ("content-type", "application/json");
/// The number of kills in a normal test run.
const KILLS: usize = 20;
/// The number of connections that write concurrently.
const WRITERS: usize = 4;

fn toggle(name: &str) -> Value {
    json!({ "name": name, "strategies": [{ "name": "default" }] })
}

/// Returns the lines of a journal.
fn lines(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Runs `flagdeck journal verify`. Returns the exit code and the output.
fn verify(arguments: &[&str]) -> (i32, String) {
    let output = output_of(flagdeck().args(["journal", "verify"]).args(arguments));
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(text).unwrap())
}

fn wait_until(is_reached: impl Fn() -> bool) {
    let deadline = Instant::now() + MAX_WAIT;
    while !is_reached() {
        assert!(Instant::now() < deadline, "the state is never reached");
        sleep(Duration::from_millis(5));
    }
}

/// A folder with a journal.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn journal(&self) -> PathBuf {
        self.0.path().join("journal")
    }

    fn path(&self) -> String {
        self.journal().to_str().unwrap().to_owned()
    }

    async fn start(&self, more: &[&str]) -> TestApp {
        TestApp::with(&[&["--journal", &self.path()], more].concat()).await
    }

    fn data(&self) -> PathBuf {
        self.0.path().join("flags.db")
    }

    /// Renames the file of the journal, and waits until the server has opened a new one.
    fn rotate(&self, binary: &Binary, name: &str) {
        fs::rename(self.journal(), self.0.path().join(name)).unwrap();
        let hang_up = Command::new("kill").args(["-HUP", &binary.child.id().to_string()]).status();
        assert!(hang_up.unwrap().success());
        wait_until(|| fs::metadata(self.journal()).is_ok_and(|metadata| metadata.len() > 0));
    }

    fn binary(&self) -> Binary {
        let path = self.path();
        let data = self.data();
        let arguments = [&Binary::arguments(&data)[..], &["--journal", &path]].concat();
        Binary::started(flagdeck().args(with_engine(&arguments)))
    }
}

#[actix_web::test]
async fn records_who_changed_what_from_where_with_which_result() {
    let folder = Folder::new();
    let app = folder.start(&["--data", ":memory:", "--auth", "unsecure"]).await;
    let refused = app.post(FEATURES, &toggle("early")).await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
    let signed_in = app.post("/api/admin/login", &json!({ "email": "anna@example.com" })).await;
    let cookie = signed_in.header("set-cookie").split(';').next().unwrap().to_owned();
    let send = async |method, path: &str, body: &Value| {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        app.send(method, path, &[JSON, ("cookie", &cookie)], &body).await
    };
    let created = send(Method::POST, &format!("{FEATURES}?token=geheim"), &toggle("shop.pay")).await;
    assert_eq!(created.status, StatusCode::CREATED);
    let switched = send(Method::POST, &format!("{FEATURES}/shop.pay/toggle/off"), &Value::Null).await;
    assert_eq!(switched.status, StatusCode::OK);
    let tag = json!({ "type": "simple", "value": "web" });
    assert_eq!(send(Method::POST, &format!("{FEATURES}/shop.pay/tags"), &tag).await.status, 201);
    let segment = json!({ "name": "Nordic", "constraints": [] });
    assert_eq!(send(Method::POST, "/api/admin/segments", &segment).await.status, 201);
    assert_eq!(send(Method::DELETE, "/api/admin/segments/1", &Value::Null).await.status, 204);
    // The project is imported before the toggle, and rolled back with it.
    let project = json!({ "id": "shop", "name": "Shop" });
    let mut state = json!({ "version": 1, "projects": [project], "features": [toggle("shop.new")] });
    state["features"][0]["project"] = json!("none");
    assert_eq!(send(Method::POST, "/api/admin/state/import", &state).await.status, 400);
    assert_eq!(send(Method::PUT, &format!("{FEATURES}/none"), &toggle("none")).await.status, 404);
    send(Method::POST, &format!("{FEATURES}/validate"), &json!({ "name": "x" })).await;
    send(Method::GET, FEATURES, &Value::Null).await;
    let cross_site = [JSON, ("cookie", &cookie), ("sec-fetch-site", "cross-site")];
    assert_eq!(app.send(Method::POST, FEATURES, &cross_site, "{}").await.status, StatusCode::FORBIDDEN);
    assert_eq!(send(Method::GET, "/api/admin/user/logout", &Value::Null).await.status, 302);
    let events = app.post("/api/admin/login", &json!({})).await;
    assert_eq!(events.status, StatusCode::BAD_REQUEST);
    app.stop().await;

    let lines = lines(&folder.journal());
    let facts: Vec<_> = lines
        .iter()
        .map(|line| {
            let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
            let person = text(&line["person"]["sub"]) + " " + &text(&line["person"]["known"]);
            (text(&line["kind"]), person, line["status"].as_u64().unwrap_or(0), text(&line["change"]))
        })
        .collect();
    let anna = "anna@example.com unverified-email";
    let expected = [
        ("start", "- -", 0, "-"),
        ("change", "- unknown", 401, "create a toggle"),
        ("sign-in", anna, 200, "-"),
        ("change", anna, 201, "created the toggle shop.pay (release in project default), which is off"),
        ("change", anna, 200, "saved the toggle shop.pay"),
        ("change", anna, 201, "created the tag simple:web; added the tag simple:web to the toggle shop.pay"),
        ("change", anna, 201, "created the segment Nordic"),
        ("change", anna, 204, "deleted the segment Nordic"),
        ("change", anna, 400, "import toggles"),
        ("change", anna, 404, "change the toggle none"),
        ("change", "- unknown", 403, "create a toggle"),
        ("sign-out", anna, 302, "-"),
        ("sign-in", "- unknown", 400, "-"),
        ("checkpoint", "- -", 0, "-"),
    ]
    .map(|(kind, person, status, change)| (kind.to_owned(), person.to_owned(), status, change.to_owned()));
    assert_eq!(facts, expected);
    let change = &lines[3];
    assert_eq!(change["item"], json!({ "type": "toggle", "name": "shop.pay" }));
    assert_eq!(change["address"], "127.0.0.1");
    assert_eq!((&change["method"], &change["path"]), (&json!("POST"), &json!(FEATURES)));
    assert_eq!(change["requestId"], created.header("x-request-id"));
    let hash = ring::digest::digest(&ring::digest::SHA256, toggle("shop.pay").to_string().as_bytes());
    assert_eq!(change["bodySha256"], data_encoding::HEXLOWER.encode(hash.as_ref()));
    assert!(change["events"][0].is_i64(), "{change}");
    let text = fs::read_to_string(folder.journal()).unwrap();
    let secret = cookie.split('=').nth(1).unwrap();
    for secret in [secret, "geheim", "strategies"] {
        assert!(!text.contains(secret), "{secret}");
    }
    let (code, output) = verify(&[&folder.path(), "--checkpoint", text.lines().last().unwrap()]);
    assert_eq!(code, 0, "{output}");
    assert!(output.starts_with("14 lines are intact: numbers 1 to 14, with 1 signed checkpoint"), "{output}");
}

#[actix_web::test]
async fn lines_of_sign_ins_contain_nothing_of_the_password() {
    let folder = Folder::new();
    let data = folder.0.path().join("flags.db");
    let app = folder.start(&["--data", data.to_str().unwrap(), "--auth", "password"]).await;
    let credentials = json!({ "username": "wrong-field", "password": "correct horse" });
    let failed = app.post("/auth/simple/login", &credentials).await;
    assert_eq!(failed.status, StatusCode::BAD_REQUEST);
    let user = json!({ "name": "anna", "password": "correct horse" });
    app.post("/api/admin/user-admin", &user).await;
    app.stop().await;
    let lines = lines(&folder.journal());
    let facts = |line: &Value| (line["kind"].clone(), line["status"].clone(), line["person"].clone());
    let unknown = json!({ "known": "unknown" });
    assert_eq!(facts(&lines[1]), (json!("sign-in"), json!(400), unknown.clone()));
    assert_eq!(lines[2]["kind"], "change");
    // Passwords could be tried against a hash of the body.
    assert!(lines.iter().all(|line| line.get("bodySha256").is_none()), "{lines:?}");
    let text = fs::read_to_string(folder.journal()).unwrap();
    assert!(!text.contains("wrong-field") && !text.contains("horse"), "{text}");
}

#[actix_web::test]
async fn refused_requests_without_a_session_do_not_fill_the_disk() {
    const REQUESTS: usize = 520;
    let folder = Folder::new();
    let app = folder.start(&["--data", ":memory:", "--auth", "unsecure"]).await;
    let started = Instant::now();
    for _ in 0..REQUESTS {
        assert_eq!(app.post("/-/examples", &json!({})).await.status, StatusCode::UNAUTHORIZED);
    }
    let seconds = usize::try_from(started.elapsed().as_secs()).unwrap();
    // Lines of signed-in users have no limit.
    let signed_in = app.post("/api/admin/login", &json!({ "email": "anna@example.com" })).await;
    assert_eq!(signed_in.status, StatusCode::OK);
    app.stop().await;
    let lines = lines(&folder.journal());
    let refused = lines.iter().filter(|line| line["status"] == 401).count();
    let omitted: u64 = lines.iter().filter_map(|line| line["lost"].as_u64()).sum();
    assert!((500..=501 + seconds).contains(&refused), "{refused}");
    assert_eq!(refused + usize::try_from(omitted).unwrap(), REQUESTS);
    assert!(lines.iter().any(|line| line["kind"] == "sign-in" && line["status"] == 200));
    let (code, output) = verify(&[&folder.path()]);
    assert_eq!(code, 0, "{output}");
}

#[actix_web::test]
async fn upstream_reports_the_person_of_a_session() {
    let user = json!({ "user": { "id": 7, "email": "ben@example.com", "name": "Ben" }, "permissions": [] });
    let user = ok("Content-Type: application/json\r\n", &user.to_string());
    let unauthorized = Reply::Bytes("HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\n{}".to_owned());
    let stub = Stub::start(Reply::Computed(std::sync::Arc::new(move |request| {
        match (request.starts_with("GET /api/admin/user "), request.contains("cookie: session=ben")) {
            (true, true) => user.clone(),
            (true, false) => unauthorized.clone(),
            _ => ok("", "{}"),
        }
    })))
    .await;
    let folder = Folder::new();
    let app = folder.start(&["--upstream", &stub.url]).await;
    let path = "/api/admin/projects/p/features/shop.pay/environments/production/on";
    for cookie in ["session=ben", "session=ben", "session=other"] {
        assert_eq!(app.send(Method::POST, path, &[JSON, ("cookie", cookie)], "").await.status, 200);
    }
    app.stop().await;
    let lookups =
        stub.requests().iter().filter(|request| request.starts_with("GET /api/admin/user ")).count();
    assert_eq!(lookups, 2, "the user of a session is read once");
    let lines = lines(&folder.journal());
    let ben = json!({
        "iss": stub.authority(), "sub": "ben@example.com", "name": "Ben", "known": "upstream",
    });
    assert_eq!([&lines[1]["person"], &lines[2]["person"]], [&ben, &ben]);
    let other = &lines[3]["person"];
    assert_eq!(other["known"], "session-digest");
    let digest = other["sub"].as_str().unwrap().strip_prefix("session ").unwrap();
    assert!(digest.len() == 12 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()), "{digest}");
    assert_eq!(lines[1]["environment"], "production");
    assert_eq!(lines[1]["change"], "switch on the toggle shop.pay");
    assert!(!fs::read_to_string(folder.journal()).unwrap().contains("session=other"));
}

#[actix_web::test]
async fn page_is_for_administrators_and_filters() {
    let folder = Folder::new();
    let app = folder.start(&["--data", ":memory:"]).await;
    for name in ["shop.a", "shop.b", "shop.c"] {
        app.post(FEATURES, &toggle(name)).await;
    }
    app.post(&format!("{FEATURES}/shop.c/toggle/off"), &Value::Null).await;
    app.post(FEATURES, &toggle("not a name")).await;
    let read = async |query: &str| {
        let page = app.get(&format!("/-/journal{query}")).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.body);
        page.json()
    };
    let names = |page: &Value| -> Vec<String> {
        let lines = page["lines"].as_array().unwrap();
        lines.iter().map(|line| line["item"]["name"].as_str().unwrap_or("-").to_owned()).collect()
    };
    assert_eq!(names(&read("").await), ["-", "shop.c", "shop.c", "shop.b", "shop.a", "-"]);
    let first = read("?limit=2").await;
    assert_eq!(names(&first), ["-", "shop.c"]);
    let second = read(&format!("?limit=3&before={}", first["next"].as_str().unwrap())).await;
    assert_eq!(names(&second), ["shop.c", "shop.b", "shop.a"]);
    let last = read(&format!("?before={}", second["next"].as_str().unwrap())).await;
    assert_eq!((names(&last), &last["next"]), (vec!["-".to_owned()], &Value::Null));
    for (query, expected) in [
        ("?item=P.B", &["shop.b"][..]),
        ("?person=oper&result=accepted", &["shop.c", "shop.c", "shop.b", "shop.a"]),
        ("?person=nobody", &[]),
        ("?result=refused", &["-"]),
        ("?result=failed", &[]),
        ("?to=2020-01-01T00:00:00Z", &[]),
        ("?from=2020-01-01T00:00:00Z&item=p.a", &["shop.a"]),
        ("?from=2999-01-01T00:00:00Z", &[]),
    ] {
        assert_eq!(names(&read(query).await), expected, "{query}");
    }
    assert_eq!(app.get("/-/journal?from=yesterday").await.status, StatusCode::BAD_REQUEST);
    let replaced = app.get("/-/journal?before=3.9").await;
    assert_eq!((replaced.status, &replaced.json()["code"]), (StatusCode::GONE, &json!("journal_replaced")));
    assert_eq!(app.get("/-/settings").await.json()["journal"], true);

    let without = TestApp::embedded().await;
    assert_eq!(without.get("/-/journal").await.status, StatusCode::NOT_FOUND);
    assert_eq!(without.get("/-/settings").await.json()["journal"], false);
    let stub =
        Stub::start(ok("", r#"{"user":{"id":1},"permissions":[{"permission":"CREATE_FEATURE"}]}"#)).await;
    let beside = Folder::new();
    let app = beside.start(&["--upstream", &stub.url]).await;
    let page = app.get("/-/journal").await;
    assert_eq!((page.status, &page.json()["code"]), (StatusCode::FORBIDDEN, &json!("admin_only")));
    let folder = Folder::new();
    let app = folder.start(&["--data", ":memory:", "--auth", "unsecure"]).await;
    assert_eq!(app.get("/-/journal").await.status, StatusCode::UNAUTHORIZED);
}

#[actix_web::test]
async fn checkpoints_are_written_while_the_server_runs() {
    let folder = Folder::new();
    let path = folder.path();
    let app = TestApp::adjusted(&["--data", ":memory:", "--journal", &path], |config| {
        config.journal.as_mut().unwrap().checkpoint_interval = Duration::from_millis(10);
    })
    .await;
    let has_checkpoints = |count: usize| {
        let file = folder.journal();
        move || lines(&file).iter().filter(|line| line["kind"] == "checkpoint").count() == count
    };
    actix_web::web::block({
        let reached = has_checkpoints(1);
        move || wait_until(reached)
    })
    .await
    .unwrap();
    app.post(FEATURES, &toggle("shop.a")).await;
    actix_web::web::block({
        let reached = has_checkpoints(2);
        move || wait_until(reached)
    })
    .await
    .unwrap();
    app.stop().await;
    assert!(has_checkpoints(2)(), "nothing was written after the last checkpoint");
    assert_eq!(verify(&[&path]).0, 0);
}

#[actix_web::test]
async fn webhook_receives_checkpoints_that_prove_a_cut_end() {
    let receiver = Stub::start(ok("", "")).await;
    let folder = Folder::new();
    let (path, data) = (folder.path(), folder.data());
    let start = async |interval| {
        let arguments = ["--data", data.to_str().unwrap(), "--journal", &path];
        TestApp::adjusted(&arguments, |config| {
            config.journal.as_mut().unwrap().checkpoint_interval = interval;
        })
        .await
    };
    let app = start(Duration::from_millis(10)).await;
    let addon = json!({
        "provider": "webhook", "enabled": true, "events": ["journal-checkpoint-created"],
        "parameters": { "url": format!("{}/checkpoints", receiver.url) },
    });
    // Without an addon that listens, checkpoints are no events.
    assert_eq!(app.post(FEATURES, &toggle("shop.a")).await.status, StatusCode::CREATED);
    let file = folder.journal();
    let has_checkpoint = move || lines(&file).iter().any(|line| line["kind"] == "checkpoint");
    actix_web::web::block(move || wait_until(has_checkpoint)).await.unwrap();
    assert_eq!(app.post("/api/admin/addons", &addon).await.status, StatusCode::CREATED);
    receiver.wait_for(|request| request.contains("journal-checkpoint-created")).await;
    app.stop().await;

    let received = || -> Vec<String> {
        let requests = receiver.requests();
        let events = requests.iter().map(|request| request.split_once("\r\n\r\n").unwrap().1);
        let events = events.map(|body| serde_json::from_str::<Value>(body).unwrap());
        events.map(|event| event["data"]["line"].as_str().unwrap().to_owned()).collect()
    };
    let first = received().remove(0);
    let text = fs::read_to_string(folder.journal()).unwrap();
    assert!(text.lines().any(|line| line == first), "{first}");
    let mut all: Vec<_> = text.lines().collect();
    assert!(all.iter().position(|line| line.contains("/api/admin/addons")).unwrap() < all.len());
    assert_eq!(verify(&[&path, "--checkpoint", &first]).0, 0);

    // The last checkpoint is delivered after the next start.
    let app = start(Duration::from_hours(1)).await;
    let last = (*all.last().unwrap()).to_owned();
    assert!(last.contains("\"kind\":\"checkpoint\""), "{last}");
    let sequence = format!("\"name\":\"{}\"", lines(&folder.journal())[all.len() - 1]["sequence"]);
    receiver.wait_for(|request| request.contains(&sequence)).await;
    assert!(received().contains(&last), "{last}");
    app.stop().await;
    let cut = folder.0.path().join("cut");
    all.truncate(all.len() - 1);
    fs::write(&cut, all.join("\n") + "\n").unwrap();
    let (code, output) = verify(&[cut.to_str().unwrap(), "--checkpoint", &last]);
    assert_eq!(code, 1, "{output}");
    assert!(output.contains("the end was cut off"), "{output}");
}

/// Reads the status of a server's readiness.
fn readiness(port: u16) -> u16 {
    Wire::connect(port).unwrap().send("GET", "/readyz", "").unwrap().0
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_refuses_changes_and_loses_no_line() {
    let folder = Folder::new();
    let (path, admin) = (folder.path(), free_port());
    let admin_listen = admin.to_string();
    let arguments = with_engine(&["--listen", "127.0.0.1:0", "--log-level", "off", "--data", ":memory:"]);
    let mut arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    arguments.extend(["--journal", &path, "--admin-listen", &admin_listen]);
    let mount = "mount -t tmpfs -o size=1m tmpfs \"$0\"";
    let Some(mut command) = in_own_file_system(mount, folder.0.path(), &arguments) else { return };
    let binary = Binary::started(&mut command);
    let inside = PathBuf::from(format!("/proc/{}/root{}", binary.child.id(), folder.0.path().display()));
    let filler = inside.join("filler");
    let mut wire = binary.wire();
    assert_eq!(
        (wire.send("POST", FEATURES, &toggle("t.first").to_string()).unwrap().0, readiness(admin)),
        (201, 200)
    );
    // Fails when the disk is full.
    let mut file = File::create(&filler).unwrap();
    while file.write_all(&[1; 4_096]).is_ok() {}
    let mut made = 1;
    let refusal = loop {
        let (status, response) =
            wire.send("POST", FEATURES, &toggle(&format!("t.{made}")).to_string()).unwrap();
        if status != 201 {
            break (status, response["code"].as_str().unwrap().to_owned());
        }
        made += 1;
        assert!(made < 100, "it never gets full");
    };
    assert_eq!(refusal, (503, "journal_unavailable".to_owned()));
    assert_eq!(readiness(admin), 503);
    // The refusal did not read the body, so that its connection ends.
    let mut wire = binary.wire();
    assert_eq!(wire.send("GET", FEATURES, "").unwrap().0, 200, "reads work");
    assert_eq!(wire.send("POST", "/-/logout", "").unwrap().0, 200, "sign-out works");
    let changes = || lines(&inside.join("journal")).iter().filter(|line| line["status"] == 201).count();
    assert_eq!(changes(), made, "each change has its line");
    drop(file);
    fs::remove_file(&filler).unwrap();
    wait_until(|| readiness(admin) == 200);
    assert_eq!(wire.send("POST", FEATURES, &toggle("t.last").to_string()).unwrap().0, 201);
    assert_eq!(changes(), made + 1);
    let copy = folder.0.path().join("copy");
    fs::copy(inside.join("journal"), &copy).unwrap();
    assert_eq!(verify(&[copy.to_str().unwrap()]).0, 0);
}

#[cfg(target_os = "linux")]
#[test]
fn faulty_disk_loses_no_line() {
    for (required, status, ready) in [("true", 503, 503), ("false", 201, 200)] {
        let folder = Folder::new();
        let (path, admin) = (folder.path(), free_port());
        let mut command = flagdeck_with_file_limit("unlimited");
        command.args(with_engine(&["--listen", "127.0.0.1:0", "--log-level", "off", "--data", ":memory:"]));
        command.args(["--journal", &path, &format!("--journal-required={required}")]);
        command.args(["--admin-listen", &admin.to_string()]);
        let binary = Binary::started(&mut command);
        let mut wire = binary.wire();
        assert_eq!(wire.send("POST", FEATURES, &toggle("shop.a").to_string()).unwrap().0, 201);
        // The next line does not fit. Its change is already made.
        binary.limit_files(&(fs::metadata(folder.journal()).unwrap().len() + 100).to_string());
        assert_eq!(wire.send("POST", FEATURES, &toggle("shop.b").to_string()).unwrap().0, 201);
        assert_eq!(
            wire.send("POST", FEATURES, &toggle("shop.c").to_string()).unwrap().0,
            status,
            "{required}"
        );
        assert_eq!(readiness(admin), ready);
        assert_eq!(lines(&folder.journal()).len(), 2);
        binary.limit_files("unlimited");
        // A refusal does not read the body, so that its connection ends.
        let created =
            binary.wire().send("GET", FEATURES, "").unwrap().1["features"].as_array().unwrap().len();
        let recorded = || lines(&folder.journal()).iter().filter(|line| line["status"] == 201).count();
        wait_until(|| recorded() == created);
        wait_until(|| wire_status(&binary, &toggle("shop.d")) == 201);
        let (code, output) = verify(&[&path]);
        assert_eq!(code, 0, "{output}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn file_that_replaces_a_full_one_starts_with_its_start_line() {
    let folder = Folder::new();
    let (path, old) = (folder.path(), folder.0.path().join("journal.1"));
    let mut command = flagdeck_with_file_limit("unlimited");
    command.args(with_engine(&["--listen", "127.0.0.1:0", "--log-level", "off", "--data", ":memory:"]));
    command.args(["--journal", &path]);
    let binary = Binary::started(&mut command);
    let pid = binary.child.id().to_string();
    binary.limit_files(&(fs::metadata(folder.journal()).unwrap().len() + 100).to_string());
    assert_eq!(wire_status(&binary, &toggle("shop.a")), 201);
    fs::rename(&path, &old).unwrap();
    assert!(Command::new("kill").args(["-HUP", &pid]).status().unwrap().success());
    wait_until(|| folder.journal().exists());
    binary.limit_files("unlimited");
    wait_until(|| lines(&folder.journal()).iter().any(|line| line["status"] == 201));
    assert_eq!(lines(&folder.journal())[0]["kind"], "start");
    for files in [&[&path][..], &[&old.to_str().unwrap().to_owned(), &path]] {
        let files: Vec<_> = files.iter().map(|file| file.as_str()).collect();
        let (code, output) = verify(&files);
        assert_eq!(code, 0, "{output}");
    }
}

/// Creates a toggle on a new connection, and returns the status.
fn wire_status(binary: &Binary, toggle: &Value) -> u16 {
    binary.wire().send("POST", FEATURES, &toggle.to_string()).unwrap().0
}

#[test]
fn file_is_used_by_one_process_and_continues_after_a_restart() {
    let folder = Folder::new();
    let path = folder.path();
    let mut binary = folder.binary();
    binary.wire().send("POST", FEATURES, &toggle("shop.a").to_string()).unwrap();
    let second = ["--listen", "127.0.0.1:0", "--data", ":memory:", "--journal", &path];
    let output = output_of(flagdeck().args(with_engine(&second)));
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    let expected = format!(
        "flagdeck: journal: another process writes to {path}; each instance needs a file of its own\n"
    );
    assert!(message.ends_with(&expected), "{message}");
    binary.kill();
    // As after a kill in the middle of a write.
    File::options().append(true).open(folder.journal()).unwrap().write_all(b"{\"sequence\":3,\"ti").unwrap();
    let (code, output) = verify(&[&path]);
    assert_eq!(code, 3, "{output}");
    assert!(
        output.contains("line 3 is incomplete: the program was killed while it wrote the line"),
        "{output}"
    );
    let mut binary = folder.binary();
    binary.wire().send("POST", FEATURES, &toggle("shop.b").to_string()).unwrap();
    binary.kill();
    let (code, output) = verify(&[&path]);
    assert_eq!(code, 0, "{output}");
    assert!(
        output.contains("Before line number 3, an incomplete line was removed: the program was killed"),
        "{output}"
    );
    let all = lines(&folder.journal());
    assert_eq!(all[2]["removedBytes"], 17);
    assert_eq!(all.iter().map(|line| line["sequence"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 3, 4]);

    let mut bytes = fs::read(folder.journal()).unwrap();
    let last = bytes.len() - 100;
    bytes[last] ^= 1;
    fs::write(folder.journal(), &bytes).unwrap();
    let (code, output) = verify(&[&path]);
    assert_eq!((code, output.contains("line 4 was changed")), (1, true), "{output}");
    assert_eq!(verify(&["/no/such/file"]).0, 2);
    assert_eq!(verify(&[&path, "--checkpoint", "{}"]).0, 2);
}

#[test]
fn rotated_file_ends_with_a_checkpoint_and_the_next_continues_its_chain() {
    let folder = Folder::new();
    let (path, old) = (folder.path(), folder.0.path().join("journal.1"));
    let binary = folder.binary();
    let mut wire = binary.wire();
    wire.send("POST", FEATURES, &toggle("shop.a").to_string()).unwrap();
    // Without a new file, nothing happens.
    assert!(Command::new("kill").args(["-HUP", &binary.child.id().to_string()]).status().unwrap().success());
    wire.send("POST", FEATURES, &toggle("shop.b").to_string()).unwrap();
    folder.rotate(&binary, "journal.1");
    wire.send("POST", FEATURES, &toggle("shop.c").to_string()).unwrap();
    let (before, after) = (lines(&old), lines(&folder.journal()));
    assert_eq!(before.last().unwrap()["kind"], "checkpoint");
    assert_eq!(before.len(), 4);
    assert_eq!((&after[0]["kind"], &after[0]["previous"]), (&json!("start"), &before[3]["hash"]));
    let old = old.to_str().unwrap();
    for (files, code) in [(vec![old, &path], 0), (vec![old], 0), (vec![&path], 0), (vec![&path, old], 1)] {
        let arguments = [files, vec!["--journal", "unused"]].concat();
        let (found, output) = verify(&arguments);
        assert_eq!(found, code, "{output}");
    }
    let text = fs::read_to_string(old).unwrap();
    let checkpoint = text.lines().last().unwrap();
    for (files, code) in [(vec![old, &path], 0), (vec![&path], 1)] {
        let (found, output) = verify(&[files, vec!["--checkpoint", checkpoint]].concat());
        assert_eq!(found, code, "{output}");
        assert_eq!(output.contains("checkpoint with number 4 is not in the journal"), code == 1, "{output}");
    }
}

/// Reads a page of the journal.
fn page(binary: &Binary, query: &str) -> Value {
    let (status, page) = binary.wire().send("GET", &format!("/-/journal?{query}"), "").unwrap();
    assert_eq!(status, 200, "{page}");
    page
}

/// Returns the names of the items on a page.
fn items(page: &Value) -> Vec<&str> {
    let lines = page["lines"].as_array().unwrap();
    lines.iter().filter_map(|line| line["item"]["name"].as_str()).collect()
}

#[test]
fn page_continues_in_rotated_files_beside_the_journal() {
    let folder = Folder::new();
    let binary = folder.binary();
    let create = |name: &str| assert_eq!(wire_status(&binary, &toggle(name)), 201);
    create("shop.a");
    // Names that logrotate gives files with different settings.
    folder.rotate(&binary, "journal.1");
    create("shop.b");
    folder.rotate(&binary, "journal-20260301");
    create("shop.c");
    // A journal of another instance, and a copy.
    let other = Folder::new();
    let stranger = other.binary();
    assert_eq!(wire_status(&stranger, &toggle("other.a")), 201);
    fs::copy(other.journal(), folder.0.path().join("journal.2")).unwrap();
    fs::copy(folder.journal(), folder.0.path().join("journal.copy")).unwrap();

    let whole = page(&binary, "");
    assert_eq!(items(&whole), ["shop.c", "shop.b", "shop.a"]);
    assert_eq!((&whole["next"], &whole["end"]), (&Value::Null, &json!("start")));
    let numbers: Vec<_> =
        whole["lines"].as_array().unwrap().iter().map(|line| line["sequence"].as_u64().unwrap()).collect();
    assert!(numbers.is_sorted_by(|later, earlier| later > earlier), "{numbers:?}");
    assert_eq!(items(&page(&binary, "item=shop.a&result=accepted")), ["shop.a"]);
    // Pages of one line each, while the file is rotated.
    let (mut found, mut query) = (Vec::new(), "limit=1".to_owned());
    loop {
        let part = page(&binary, &query);
        found.extend(items(&part).into_iter().map(str::to_owned));
        let Some(next) = part["next"].as_str() else {
            assert_eq!(part["end"], "start");
            break;
        };
        query = format!("limit=1&before={next}");
        if found.len() == 1 && !folder.0.path().join("journal.3").exists() {
            folder.rotate(&binary, "journal.3");
        }
    }
    assert_eq!(found, ["shop.c", "shop.b", "shop.a"]);
    // The time of a line in the oldest file.
    let time = lines(&folder.0.path().join("journal.1"))[1]["time"].as_str().unwrap().to_owned();
    assert_eq!(items(&page(&binary, &format!("to={time}"))), ["shop.a"]);
    let recent = page(&binary, "from=2999-01-01T00:00:00Z");
    assert_eq!((items(&recent), &recent["end"]), (Vec::new(), &json!("period")));

    let first = page(&binary, "limit=1");
    fs::remove_file(folder.0.path().join("journal-20260301")).unwrap();
    let part = page(&binary, "");
    assert_eq!((items(&part), &part["end"]), (vec!["shop.c"], &json!("missing")));
    // The file of a position was removed. Its copy is shorter.
    fs::remove_file(folder.0.path().join("journal.3")).unwrap();
    let next = format!("/-/journal?before={}", first["next"].as_str().unwrap());
    let (status, error) = binary.wire().send("GET", &next, "").unwrap();
    assert_eq!((status, &error["code"]), (410, &json!("journal_replaced")));
}

#[test]
fn page_reads_a_bounded_part_of_a_damaged_file() {
    let folder = Folder::new();
    let binary = folder.binary();
    assert_eq!(wire_status(&binary, &toggle("shop.a")), 201);
    // Damaged lines, and a line without an end.
    let damage = ["{}\n".repeat(4_000_000), "x".repeat(9 << 20)].concat();
    File::options().append(true).open(folder.journal()).unwrap().write_all(damage.as_bytes()).unwrap();
    let first = page(&binary, "");
    assert_eq!(items(&first), Vec::<&str>::new());
    let (mut next, mut requests) = (first["next"].as_str().map(str::to_owned), 1);
    while let Some(before) = next {
        let part = page(&binary, &format!("before={before}"));
        requests += 1;
        next = part["next"].as_str().map(str::to_owned);
        if next.is_none() {
            assert_eq!(items(&part), ["shop.a"]);
        }
    }
    assert_eq!(requests, 3, "a request reads 8 MiB of 20.4 MiB");
}

#[test]
fn commands_that_change_data_have_lines_in_a_file_of_their_own() {
    let folder = Folder::new();
    let path = folder.path();
    let binary = folder.binary();
    let data = folder.data();
    let run = |arguments: &[&str]| {
        let settings = ["--data", data.to_str().unwrap(), "--journal", &path];
        let output = output_of(flagdeck().args(arguments).args(settings).env("SUDO_USER", "anna"));
        (output.status.success(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    let (is_done, token) = run(&["token", "add", "--name", "ci"]);
    assert!(is_done, "{token}");
    assert!(run(&["token", "list"]).0);
    assert!(!run(&["user", "remove", "nobody"]).0);
    let export = folder.0.path().join("export.json");
    assert!(run(&["export", export.to_str().unwrap()]).0);
    assert!(run(&["import", export.to_str().unwrap()]).0);
    assert!(run(&["token", "remove", "--yes", "ci"]).0);
    let commands = folder.0.path().join("journal.commands");
    let recorded = lines(&commands);
    let facts: Vec<_> = recorded
        .iter()
        .map(|line| (line["change"].as_str().unwrap_or("-"), line["status"].as_u64().unwrap_or(0)))
        .collect();
    let import = format!("import {}", export.display());
    let expected = [
        ("-", 0),
        ("create the client token ci", 200),
        ("delete the user nobody", 404),
        (&import, 200),
        ("delete the API token ci", 200),
    ];
    assert_eq!(facts, expected);
    let person = &recorded[1]["person"];
    assert_eq!(person["known"], "command-line");
    let user = Command::new("id").arg("-un").output().unwrap().stdout;
    let user = String::from_utf8(user).unwrap().trim().to_owned();
    let name = if user == "root" { json!("root (sudo by anna)") } else { Value::Null };
    assert_eq!((&person["sub"], &person["name"]), (&json!(user), &name));
    assert_eq!(recorded[2]["item"], json!({ "type": "user", "name": "nobody" }));
    let text = fs::read_to_string(&commands).unwrap();
    assert!(token.lines().all(|line| !text.contains(line)), "the token is a secret");
    let (code, output) = verify(&[commands.to_str().unwrap()]);
    assert_eq!(code, 0, "{output}");
    assert_eq!(items(&page(&binary, "source=commands&result=accepted")), ["ci", "ci"]);
    assert_eq!(items(&page(&binary, "item=ci")), Vec::<&str>::new(), "the server's file has other lines");

    // Without its line, a change is refused.
    fs::remove_file(&commands).unwrap();
    fs::create_dir(&commands).unwrap();
    let (is_done, message) = run(&["token", "add", "--name", "second"]);
    assert!(!is_done && message.contains("nothing was changed"), "{message}");
    assert!(!run(&["token", "list"]).1.contains("second"));
    let (is_done, message) = run(&["token", "add", "--name", "second", "--journal-required=false"]);
    assert!(is_done, "{message}");
}

#[test]
fn commands_that_change_a_database_without_a_server_have_lines() {
    let folder = Folder::new();
    drop(folder.binary());
    let (path, data) = (folder.path(), folder.data());
    let run = |arguments: &[&str]| {
        let settings = ["--to", data.to_str().unwrap(), "--journal", &path];
        let output = output_of(flagdeck().args(["toggle"]).args(arguments).args(settings));
        (output.status.success(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    let (is_done, message) = run(&["create", "shop.pay"]);
    assert!(is_done, "{message}");
    assert!(run(&["on", "shop.pay"]).0);
    assert!(run(&["list"]).0);
    let commands = folder.0.path().join("journal.commands");
    let facts: Vec<_> = lines(&commands)
        .iter()
        .skip(1)
        .map(|line| (line["change"].clone(), line["item"]["name"].clone(), line["status"].clone()))
        .collect();
    let expected = ["create a toggle", "switch on the toggle shop.pay"]
        .map(|change| (json!(change), json!("shop.pay"), json!(200)));
    assert_eq!(facts, expected);

    // Without its line, a change is refused.
    fs::remove_file(&commands).unwrap();
    fs::create_dir(&commands).unwrap();
    let (is_done, message) = run(&["off", "shop.pay"]);
    assert!(!is_done && message.contains("nothing was changed"), "{message}");
    let (_, shown) = run(&["show", "shop.pay", "--json"]);
    let shown: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown["toggle"]["enabled"], true);
}

#[actix_web::test]
async fn trusted_proxy_names_the_person() {
    let stub = Stub::start(ok("", "{}")).await;
    let folder = Folder::new();
    let header = ["--journal-user-header", "X-Forwarded-Email"];
    let settings = [&["--upstream", &stub.url, "--trusted-proxy", "127.0.0.1"], &header[..]].concat();
    let app = folder.start(&settings).await;
    let email = ("x-forwarded-email", "anna@example.com");
    let forwarded = [JSON, email, ("x-forwarded-for", "192.0.2.7")];
    assert_eq!(app.send(Method::POST, FEATURES, &forwarded, "{}").await.status, 200);
    assert_eq!(app.send(Method::POST, FEATURES, &[JSON], "{}").await.status, 200);
    // A browser can send a value before that of the proxy.
    let second = ("x-forwarded-email", "eve@example.com");
    for values in [[second, email], [email, second], [email, email]] {
        let sent = [&[JSON][..], &values].concat();
        let refused = app.send(Method::POST, FEATURES, &sent, "{}").await;
        assert_eq!(
            (refused.status, &refused.json()["code"]),
            (StatusCode::BAD_REQUEST, &json!("journal_user_header"))
        );
        // Reads have no line.
        assert_eq!(app.send(Method::GET, FEATURES, &sent, "").await.status, 200);
    }
    app.stop().await;
    let forwarded_changes = stub.requests().iter().filter(|request| request.starts_with("POST ")).count();
    assert_eq!(forwarded_changes, 2);
    let recorded = lines(&folder.journal());
    for line in &recorded[3..6] {
        assert_eq!((&line["status"], &line["person"]["known"]), (&json!(400), &json!("unknown")));
    }
    let anna = json!({ "iss": "127.0.0.1", "sub": "anna@example.com", "known": "proxy" });
    assert_eq!((&recorded[1]["person"], &recorded[1]["address"]), (&anna, &json!("192.0.2.7")));
    assert_eq!(recorded[2]["person"]["known"], "session-digest");

    // Another client cannot name itself.
    let folder = Folder::new();
    let settings = [&["--upstream", &stub.url, "--trusted-proxy", "192.0.2.1"], &header[..]].concat();
    let app = folder.start(&settings).await;
    app.send(Method::POST, FEATURES, &forwarded, "{}").await;
    app.stop().await;
    assert_eq!(lines(&folder.journal())[1]["person"]["known"], "session-digest");
    let output = output_of(flagdeck().args(["--listen", "127.0.0.1:0", "--journal", "unused"]).args(header));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("journal-user-header: it is only read from proxies; set trusted-proxy"),
        "{message}"
    );
    // The journal must not contain secrets.
    for name in ["Authorization", "cookie", "Proxy-Authorization", "X-Forwarded-Access-Token", "X-Api-Key"] {
        let settings = ["--listen", "127.0.0.1:0", "--journal", "unused", "--trusted-proxy", "127.0.0.1"];
        let output = output_of(flagdeck().args(settings).args(["--journal-user-header", name]));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && message.contains("contains a secret"), "{name}: {message}");
    }
}

/// Kills the process repeatedly while it writes, and checks that each acknowledged change has its line.
fn kill_repeatedly(kills: usize) {
    let folder = Folder::new();
    let path = folder.path();
    let count = AtomicUsize::new(0);
    let mut acknowledged = Vec::new();
    for round in 0..kills {
        let mut binary = folder.binary();
        let (reached, wait) = mpsc::channel();
        let enough = 1 + round % 13;
        let port = binary.port;
        let done = AtomicUsize::new(0);
        let new = thread::scope(|scope| {
            let writers: Vec<_> = (0..WRITERS)
                .map(|_| {
                    let (count, done, reached) = (&count, &done, reached.clone());
                    scope.spawn(move || {
                        let mut created = Vec::new();
                        // The process may be killed before this connection.
                        let Some(mut wire) = Wire::connect(port) else { return created };
                        loop {
                            let name = format!("t.{}", count.fetch_add(1, Ordering::Relaxed));
                            let Some((status, _)) = wire.send("POST", FEATURES, &toggle(&name).to_string())
                            else {
                                return created;
                            };
                            assert_eq!(status, 201);
                            created.push(name);
                            if done.fetch_add(1, Ordering::Relaxed) + 1 == enough {
                                reached.send(()).unwrap();
                            }
                        }
                    })
                })
                .collect();
            wait.recv().unwrap();
            binary.kill();
            writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect::<Vec<_>>()
        });
        acknowledged.extend(new);
        let (code, output) = verify(&[&path]);
        assert!(code == 0 || code == 3, "round {round}: {output}");
    }
    let recorded: std::collections::HashSet<String> = fs::read_to_string(folder.journal())
        .unwrap()
        .lines()
        .filter_map(|line| {
            serde_json::from_str::<Value>(line).ok()?["item"]["name"].as_str().map(str::to_owned)
        })
        .collect();
    let missing: Vec<_> = acknowledged.iter().filter(|name| !recorded.contains(*name)).collect();
    assert!(missing.is_empty() && acknowledged.len() > kills, "{missing:?}");
}

#[test]
fn acknowledged_changes_have_their_lines_after_kills() {
    kill_repeatedly(KILLS);
}

#[test]
#[ignore = "takes minutes"]
fn acknowledged_changes_have_their_lines_after_1000_kills() {
    kill_repeatedly(1_000);
}
