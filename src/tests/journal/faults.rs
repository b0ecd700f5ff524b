//! The journal with a removed file, a full disk at the start, a destination that does not respond, and lines of other
//! versions.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{FEATURES, Folder, Wire, items, lines, page, readiness, toggle, verify, wait_until};
use crate::support::binary::{Binary, flagdeck, free_port, in_own_file_system, output_of};
use crate::support::watched::MAX_WAIT;

/// Starts a server with a journal, its data in memory and a port for monitoring. `prepare` is a shell command before the start.
fn start(folder: &Folder, prepare: &str, admin: u16) -> Binary {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{prepare} \"$0\" \"$@\"")]).arg(flagdeck().get_program());
    command.args(["--listen", "127.0.0.1:0", "--data", ":memory:"]).stderr(Stdio::null());
    command.args(["--journal", &folder.path(), "--admin-listen", &admin.to_string()]);
    Binary::started(&mut command)
}

fn create(binary: &Binary, name: &str) -> (u16, Value) {
    binary.wire().send("POST", FEATURES, &toggle(name).to_string()).unwrap()
}

fn hang_up(binary: &Binary) {
    let status = Command::new("kill").args(["-HUP", &binary.child.id().to_string()]).status();
    assert!(status.unwrap().success());
}

#[test]
fn removed_file_refuses_changes_until_a_new_one_is_opened() {
    let (folder, admin) = (Folder::new(), free_port());
    let binary = start(&folder, "exec", admin);
    assert_eq!(create(&binary, "shop.a").0, 201);
    let removed = lines(&folder.journal());
    fs::remove_file(folder.journal()).unwrap();
    // The change may be made before the removal is noticed. Its line is not lost then.
    let early = create(&binary, "shop.early").0;
    wait_until(|| readiness(admin) == 503);
    let (status, error) = create(&binary, "shop.b");
    assert_eq!((status, &error["code"]), (503, &json!("journal_unavailable")));
    assert!(!folder.journal().exists());
    hang_up(&binary);
    wait_until(|| readiness(admin) == 200);
    assert_eq!(create(&binary, "shop.c").0, 201);
    let new = lines(&folder.journal());
    assert_eq!(new[0]["kind"], "start");
    assert_eq!(new[0]["previous"], removed.last().unwrap()["hash"], "the chain shows that lines are missing");
    let recorded = |name: &str| new.iter().any(|line| line["item"]["name"] == name);
    assert!(recorded("shop.c"));
    assert_eq!(recorded("shop.early"), early == 201);
    let (code, output) = verify(&[&folder.path()]);
    assert!(code == 0 && output.contains("are in other files"), "{output}");
}

#[test]
fn renamed_file_gets_lines_until_a_new_one_is_opened() {
    let (folder, admin) = (Folder::new(), free_port());
    let binary = start(&folder, "exec", admin);
    let old = folder.0.path().join("journal.1");
    fs::rename(folder.journal(), &old).unwrap();
    assert_eq!(create(&binary, "shop.a").0, 201);
    assert_eq!(readiness(admin), 200);
    assert_eq!(lines(&old).last().unwrap()["item"]["name"], "shop.a");
}

#[cfg(target_os = "linux")]
#[test]
fn restart_on_a_full_disk_serves_sdks_and_refuses_changes() {
    let (folder, admin) = (Folder::new(), free_port());
    let mut first = start(&folder, "exec", admin);
    assert_eq!(create(&first, "shop.a").0, 201);
    first.kill();
    let full = fs::metadata(folder.journal()).unwrap().len();
    // Ignoring this signal makes writes above the limit fail, instead of ending the process.
    let binary = start(&folder, &format!("trap '' XFSZ; exec prlimit --fsize={full}:unlimited --"), admin);
    assert_eq!(binary.wire().send("GET", "/api/client/features", "").unwrap().0, 200);
    let (status, error) = create(&binary, "shop.b");
    assert_eq!((status, &error["code"]), (503, &json!("journal_unavailable")));
    assert_eq!(readiness(admin), 503);
    binary.limit_files("unlimited");
    wait_until(|| readiness(admin) == 200);
    assert_eq!(create(&binary, "shop.c").0, 201);
    let facts: Vec<_> = lines(&folder.journal())
        .iter()
        .map(|line| (line["kind"].clone(), line["item"]["name"].clone(), line["status"].clone()))
        .collect();
    let expected = [
        (json!("start"), Value::Null, Value::Null),
        (json!("change"), json!("shop.a"), json!(201)),
        (json!("start"), Value::Null, Value::Null),
        (json!("change"), Value::Null, json!(503)),
        (json!("change"), json!("shop.c"), json!(201)),
    ];
    assert_eq!(facts, expected);
    assert_eq!(verify(&[&folder.path()]).0, 0);
}

#[test]
fn damaged_last_line_refuses_changes_until_the_file_is_moved_away() {
    let (folder, admin) = (Folder::new(), free_port());
    fs::write(folder.journal(), "{\"sequence\":1}\n").unwrap();
    let check = output_of(flagdeck().args(["check", "--data", ":memory:", "--journal", &folder.path()]));
    let findings = String::from_utf8(check.stdout).unwrap();
    assert!(
        findings.contains("is damaged, so that changes are refused") && !check.status.success(),
        "{findings}"
    );
    let log = folder.0.path().join("log");
    let prepare = format!("exec 2> {}; exec", log.display());
    let binary = start(&folder, &prepare, admin);
    assert_eq!(binary.wire().send("GET", "/api/client/features", "").unwrap().0, 200);
    assert_eq!(create(&binary, "shop.a").1["code"], "journal_unavailable");
    let log = fs::read_to_string(&log).unwrap();
    assert!(log.contains("is damaged; verify the file with"), "{log}");
    assert_eq!(fs::read_to_string(folder.journal()).unwrap(), "{\"sequence\":1}\n", "nothing follows it");
    fs::rename(folder.journal(), folder.0.path().join("damaged")).unwrap();
    wait_until(|| readiness(admin) == 200);
    assert_eq!(create(&binary, "shop.b").0, 201);
    assert_eq!(lines(&folder.journal()).last().unwrap()["item"]["name"], "shop.b");
    assert_eq!(verify(&[&folder.path()]).0, 0);
}

#[cfg(target_os = "linux")]
#[test]
fn read_only_disk_does_not_prevent_the_start() {
    let folder = Folder::new();
    let path = folder.path();
    let arguments =
        ["--listen", "127.0.0.1:0", "--log-level", "off", "--data", ":memory:", "--journal", &path];
    // The key was created before the disk became read-only.
    let mount = "mount -t tmpfs -o size=1m tmpfs \"$0\" && head -c 32 /dev/urandom >\"$0/journal.key\" && mount -o remount,ro \"$0\"";
    let Some(mut command) = in_own_file_system(mount, folder.0.path(), &arguments) else { return };
    let binary = Binary::started(&mut command);
    assert_eq!(binary.wire().send("GET", "/api/client/features", "").unwrap().0, 200);
    assert_eq!(create(&binary, "shop.a").1["code"], "journal_unavailable");
}

/// A server whose journal goes to a pipe that nobody reads after the start.
struct Unread {
    child: Child,
    port: u16,
    _output: BufReader<std::process::ChildStdout>,
}

impl Unread {
    /// Starts it with this folder for its key.
    fn start(home: &Path, arguments: &[&str]) -> Self {
        let mut command = flagdeck();
        command.args(arguments).env("HOME", home).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let port = loop {
            let mut line = String::new();
            assert!(output.read_line(&mut line).unwrap() > 0, "it has ended");
            if let Some(url) = line.trim_end().strip_prefix("Flagdeck is ready on http://127.0.0.1:") {
                break url.trim_end_matches('/').parse().unwrap();
            }
        };
        Self { child, port, _output: output }
    }
}

impl Drop for Unread {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn shutdown_does_not_wait_for_a_journal_that_does_not_respond() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("flags.db").to_str().unwrap().to_owned();
    let admin = free_port();
    let mut server = Unread::start(
        folder.path(),
        &[
            "--listen",
            "127.0.0.1:0",
            "--log-level",
            "off",
            "--data",
            &data,
            "--journal",
            "-",
            "--admin-listen",
            &admin.to_string(),
            "--shutdown-timeout",
            "1s",
        ],
    );
    let port = server.port;
    // Each line has some hundred bytes, and a pipe has space for 64 KiB.
    let writer = std::thread::spawn(move || {
        let mut wire = Wire::connect(port).unwrap();
        (0..1_000)
            .take_while(|number| {
                let body = toggle(&format!("shop.{number}")).to_string();
                wire.send("POST", FEATURES, &body).is_some_and(|(status, _)| status == 201)
            })
            .count()
    });
    wait_until(|| readiness(admin) == 503);
    assert!(Command::new("kill").args(["-TERM", &server.child.id().to_string()]).status().unwrap().success());
    let deadline = std::time::Instant::now() + MAX_WAIT;
    while server.child.try_wait().unwrap().is_none() {
        assert!(std::time::Instant::now() < deadline, "it never ends");
        std::thread::sleep(Duration::from_millis(10));
    }
    let made = writer.join().unwrap();
    assert!(made > 10, "{made}");
    // The database was closed: the next server can use it.
    let next = Binary::on(Path::new(&data));
    let count = next.wire().send("GET", FEATURES, "").unwrap().1["features"].as_array().unwrap().len();
    assert!(count >= made, "{count}");
}

#[test]
fn journal_on_standard_output_creates_the_folder_of_its_key() {
    let home = TempDir::new().unwrap();
    let mut command = flagdeck();
    command.args(["--listen", "127.0.0.1:0", "--log-level", "off", "--upstream", "http://127.0.0.1:9"]);
    command.args(["--journal", "-"]).env("HOME", home.path()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut text = String::new();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    while !text.contains("Flagdeck is ready") && output.read_line(&mut text).unwrap() > 0 {}
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(text.contains("Flagdeck is ready") && text.contains("\"kind\":\"start\""), "{text}");
    assert!(home.path().join(".local/share/flagdeck/journal.key").exists());
}

/// Returns a line whose hash is computed here. `content` is the line without its last brace.
fn foreign_line(content: &str) -> (String, String) {
    let hash = ring::digest::digest(&ring::digest::SHA256, content.as_bytes());
    let hash = data_encoding::HEXLOWER.encode(hash.as_ref());
    (format!("{content},\"hash\":\"{hash}\"}}\n"), hash)
}

#[test]
fn lines_of_a_newer_version_are_no_damage() {
    let folder = Folder::new();
    let none = "0".repeat(64);
    let time = "2026-03-01T10:00:00.000Z";
    let (start, first) = foreign_line(&format!(
        r#"{{"sequence":1,"region":"eu","time":"{time}","kind":"start","version":"99.0.0","key":"ab","previous":"{none}""#
    ));
    let (approval, second) = foreign_line(&format!(
        r#"{{"kind":"approval","sequence":2,"time":"{time}","by":["x",1.50],"previous":"{first}""#
    ));
    let (change, third) = foreign_line(&format!(
        r#"{{"sequence":3,"time":"{time}","kind":"change","person":{{"sub":"anna","known":"passkey","device":"phone"}},"item":{{"type":"toggle","name":"shop.a","id":7}},"status":201,"previous":"{second}""#
    ));
    fs::write(folder.journal(), [start, approval, change].concat()).unwrap();
    let (code, output) = verify(&[&folder.path()]);
    assert!(code == 0 && output.starts_with("3 lines are intact"), "{output}");
    let binary = folder.binary();
    assert_eq!(create(&binary, "shop.b").0, 201);
    assert_eq!(items(&page(&binary, "")), ["shop.b", "shop.a"]);
    let all = lines(&folder.journal());
    assert_eq!((&all[3]["sequence"], &all[3]["previous"]), (&json!(4), &json!(third)));
    let (code, output) = verify(&[&folder.path()]);
    assert_eq!(code, 0, "{output}");
}

#[test]
fn lines_with_a_wrong_clock_do_not_hide_others() {
    let folder = Folder::new();
    let mut previous = "0".repeat(64);
    let mut text = String::new();
    let facts = [
        ("start", "2026-03-01T09:00:00.000Z", ""),
        ("change", "2026-03-01T10:00:00.000Z", "shop.a"),
        // The machine started without a clock.
        ("change", "1970-01-01T00:00:02.000Z", "shop.old"),
        ("change", "2026-03-01T10:05:00.000Z", "shop.b"),
        ("change", "2099-01-01T00:00:00.000Z", "shop.new"),
        ("change", "2026-03-01T10:06:00.000Z", "shop.c"),
    ];
    for ((kind, time, name), sequence) in facts.into_iter().zip(1..) {
        let (line, hash) = foreign_line(&format!(
            r#"{{"sequence":{sequence},"time":"{time}","kind":"{kind}","item":{{"type":"toggle","name":"{name}"}},"status":201,"previous":"{previous}""#
        ));
        (text, previous) = (text + &line, hash);
    }
    fs::write(folder.journal(), text).unwrap();
    let binary = folder.binary();
    let period = "from=2026-03-01T09:59:00Z&to=2026-03-01T10:10:00Z";
    assert_eq!(items(&page(&binary, period)), ["shop.c", "shop.b", "shop.a"]);
    assert_eq!(page(&binary, "from=2100-01-01T00:00:00Z")["end"], "period");
}

/// The first line of a file was written while the clock was ahead.
#[test]
fn first_line_with_a_wrong_clock_does_not_hide_its_file() {
    let folder = Folder::new();
    let (start, previous) = foreign_line(&format!(
        r#"{{"sequence":1,"time":"2099-01-01T00:00:00.000Z","kind":"start","status":0,"previous":"{}""#,
        "0".repeat(64)
    ));
    let (change, _) = foreign_line(&format!(
        r#"{{"sequence":2,"time":"2026-03-01T10:00:00.000Z","kind":"change","item":{{"type":"toggle","name":"shop.a"}},"status":201,"previous":"{previous}""#
    ));
    fs::write(folder.journal(), start + &change).unwrap();
    let binary = folder.binary();
    assert_eq!(items(&page(&binary, "to=2026-03-01T10:10:00Z")), ["shop.a"]);
}

#[test]
fn paths_in_lines_have_no_characters_that_control_a_terminal() {
    let folder = Folder::new();
    let binary = folder.binary();
    let hostile = "a\u{7f}\u{9b}2J\u{85}\u{202e}b\u{2066}c\u{200e}\u{200f}\u{61c}\u{2028}";
    let encoded: String =
        percent_encoding::utf8_percent_encode(hostile, percent_encoding::NON_ALPHANUMERIC).to_string();
    assert!(binary.wire().send("PUT", &format!("{FEATURES}/{encoded}"), "{}").unwrap().0 >= 400);
    let text = fs::read_to_string(folder.journal()).unwrap();
    let directions = "\u{61c}\u{200e}\u{200f}\u{2028}\u{202e}\u{2066}";
    let is_hostile = |letter: &char| *letter != '\n' && (letter.is_control() || directions.contains(*letter));
    assert_eq!(text.chars().find(is_hostile), None);
    assert_eq!(lines(&folder.journal())[1]["item"]["name"], hostile, "nothing is lost");
    assert_eq!(verify(&[&folder.path()]).0, 0);
    assert_eq!(items(&page(&binary, "")), [hostile]);
}

#[test]
fn checkpoint_is_accepted_as_it_is_in_the_log() {
    for format in ["text", "json"] {
        let folder = Folder::new();
        let log = folder.0.path().join("log");
        let (path, data) = (folder.path(), folder.data());
        let mut command = flagdeck();
        command.args(["--listen", "127.0.0.1:0", "--data", data.to_str().unwrap(), "--journal", &path]);
        command.args(["--log-format", format]).stderr(File::create(&log).unwrap());
        let mut binary = Binary::started(&mut command);
        assert_eq!(create(&binary, "shop.a").0, 201);
        assert!(
            Command::new("kill").args(["-TERM", &binary.child.id().to_string()]).status().unwrap().success()
        );
        assert!(binary.child.wait().unwrap().success());
        let text = fs::read_to_string(&log).unwrap();
        let logged =
            text.lines().find(|line| line.contains("checkpoint") && line.contains("sequence")).unwrap();
        let word = &logged[logged.find("checkpoint").unwrap()..];
        let stored = fs::read_to_string(folder.journal()).unwrap();
        let own = stored.lines().last().unwrap();
        let quoted = Value::from(own).to_string();
        let cut = folder.0.path().join("cut");
        fs::write(&cut, stored.strip_suffix(&format!("{own}\n")).unwrap()).unwrap();
        for checkpoint in [logged, word, own, &quoted, quoted.trim_matches('"')] {
            let (code, output) = verify(&[&path, "--checkpoint", checkpoint]);
            assert_eq!(code, 0, "{checkpoint}: {output}");
            let (code, output) = verify(&[cut.to_str().unwrap(), "--checkpoint", checkpoint]);
            assert!(code == 1 && output.contains("the end was cut off"), "{output}");
        }
    }
}

#[test]
fn documented_verifier_finds_changes() {
    let manual = include_str!("../../../examples/journal.md");
    let Some(program) = manual.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()) else {
        panic!("the document has no program");
    };
    let interpreters = [concat!(env!("CARGO_MANIFEST_DIR"), "/target/python-sdk/bin/python"), "python3"];
    let can_run = |python: &&str| {
        let probe = Command::new(python).args(["-c", "import cryptography"]).stderr(Stdio::null()).status();
        probe.is_ok_and(|status| status.success())
    };
    let Some(python) = interpreters.into_iter().find(can_run) else {
        crate::support::skip::skipped(
            "Python has no module cryptography; the documented verifier is not tested",
        );
        return;
    };
    let folder = Folder::new();
    let mut binary = folder.binary();
    assert_eq!(create(&binary, "shop.a").0, 201);
    binary.wire().send("PUT", &format!("{FEATURES}/%C3%BC%E2%80%AE%22%5C"), "{}").unwrap();
    assert!(Command::new("kill").args(["-TERM", &binary.child.id().to_string()]).status().unwrap().success());
    assert!(binary.child.wait().unwrap().success());
    let text = fs::read_to_string(folder.journal()).unwrap();
    let key = lines(&folder.journal())[0]["key"].as_str().unwrap().to_owned();
    let changed = folder.0.path().join("changed");
    let verifies = |text: &str, key: &str| {
        fs::write(&changed, text).unwrap();
        output_of(Command::new(python).args(["-c", program]).arg(&changed).arg(key)).status.success()
    };
    assert!(verifies(&text, &key));
    assert!(!verifies(&text.replace("shop.a", "shop.b"), &key), "a changed line");
    assert!(!verifies(&text, &"0".repeat(64)), "another key");
    let without_second: Vec<_> =
        text.lines().enumerate().filter(|(index, _)| *index != 1).map(|(_, line)| line).collect();
    assert!(!verifies(&without_second.join("\n"), &key), "a removed line");
}
