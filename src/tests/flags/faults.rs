//! Faults of the disk and of the database file: errors are reported and no completed write is lost.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use serde_json::{Map, Value, json};

use super::{FEATURES, largest_registration, plain};
use crate::support::binary::{self, Binary, Wire, flagdeck, flagdeck_with_file_limit};
use crate::support::engine::{skips_file_tests, with_engine};

const APPLICATIONS: &str = "/api/admin/metrics/applications";

/// A large toggle.
fn large_toggle(name: &str) -> String {
    let mut toggle = plain(name);
    toggle["description"] = json!("x".repeat(100_000));
    toggle.to_string()
}

fn message(response: &Value) -> &str {
    response["message"].as_str().unwrap_or_default()
}

fn names(wire: &mut Wire) -> Vec<String> {
    let (status, response) = wire.send("GET", FEATURES, "").unwrap();
    assert_eq!(status, 200, "{response}");
    let toggles = response["features"].as_array().unwrap();
    toggles.iter().map(|toggle| toggle["name"].as_str().unwrap().to_owned()).collect()
}

/// Creates toggles until one is rejected. Returns the number of created toggles, and the error.
fn create_until_rejected(wire: &mut Wire) -> (usize, u16, Value) {
    for count in 0..1000 {
        let (status, response) =
            wire.send("POST", FEATURES, &large_toggle(&format!("heavy.{count}"))).unwrap();
        if status != 201 {
            return (count, status, response);
        }
    }
    panic!("it never gets full");
}

/// Asserts that reads work, that all completed writes are there, and that usage reports are kept in memory.
fn assert_reads_work(wire: &mut Wire, created: usize) {
    assert_eq!(names(wire).len(), created);
    // Together larger than the space that may be left.
    let registration = largest_registration("shop").to_string();
    assert_eq!(wire.send("POST", "/api/client/register", &registration).unwrap().0, 202);
    let toggles: Map<_, _> =
        (0..3000).map(|number| (format!("{}.{number}", "x".repeat(90)), json!({ "yes": 1 }))).collect();
    let report = json!({ "appName": "shop", "instanceId": "1", "bucket": { "toggles": toggles } });
    assert_eq!(wire.send("POST", "/api/client/metrics", &report.to_string()).unwrap().0, 202);
    let nothing_yet = json!({ "applications": [] });
    assert_eq!(wire.send("GET", APPLICATIONS, "").unwrap(), (200, nothing_yet));
    assert_eq!(wire.send("GET", "/api/client/features", "").unwrap().0, 200);
}

fn assert_recovered(wire: &mut Wire, created: usize) {
    let deadline = Instant::now() + Duration::from_mins(1);
    // The space may take a moment to become free: child processes of other tests hold the removed file open until exec.
    while wire.send("POST", FEATURES, &large_toggle("afterwards")).unwrap().0 != 201 {
        assert!(Instant::now() < deadline, "writes never succeed again");
    }
    assert_eq!(names(wire).len(), created + 1);
    while wire.send("GET", APPLICATIONS, "").unwrap().1["applications"][0]["appName"] != "shop" {
        assert!(Instant::now() < deadline, "the usage reports are lost");
    }
}

/// Starts the binary with its own file system at `folder`, if the machine allows it.
fn in_own_file_system(mount: &str, folder: &Path) -> Option<Command> {
    binary::in_own_file_system(mount, folder, &Binary::arguments(&folder.join("flags.db")))
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_error_loses_no_data() {
    if skips_file_tests() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mount = "mount -t tmpfs -o size=4m tmpfs \"$0\"";
    let Some(mut command) = in_own_file_system(mount, folder.path()) else { return };
    let binary = Binary::started(&mut command);
    let mut wire = binary.wire();
    let inside = PathBuf::from(format!("/proc/{}/root{}", binary.child.id(), folder.path().display()));
    let filler = inside.join("filler");
    let mut file = File::create(&filler).unwrap();
    let half = vec![0; 1 << 21];
    file.write_all(&half).unwrap();
    let (created, status, refusal) = create_until_rejected(&mut wire);
    assert_eq!((status, refusal["code"].as_str()), (507, Some("storage_full")));
    assert_eq!(message(&refusal), "The disk that holds the database is full; make room on it and try again");
    drop(file);
    assert_reads_work(&mut wire, created);
    fs::remove_file(&filler).unwrap();
    assert_recovered(&mut wire, created);
}

#[cfg(target_os = "linux")]
#[test]
fn disk_write_error_loses_no_data() {
    if skips_file_tests() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let mut command = flagdeck_with_file_limit("unlimited");
    let binary = Binary::started(command.args(Binary::arguments(&file)));
    let mut wire = binary.wire();
    binary.limit_files("1000000");
    let (created, status, refusal) = create_until_rejected(&mut wire);
    assert_eq!((status, refusal["code"].as_str()), (500, Some("storage_failed")));
    assert!(
        message(&refusal).starts_with("The disk that holds the database returns read or write errors"),
        "{refusal}"
    );
    assert_reads_work(&mut wire, created);
    binary.limit_files("unlimited");
    assert_recovered(&mut wire, created);
}

#[cfg(target_os = "linux")]
#[test]
fn read_only_disk_fails_the_start() {
    if skips_file_tests() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    Binary::on(&file).kill();
    let mount = "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\"";
    let Some(mut command) = in_own_file_system(mount, folder.path()) else { return };
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    let start = format!("flagdeck: data: {} cannot be opened for writing: ", file.display());
    assert!(said.starts_with(&start) && said.lines().count() == 1, "{said}");
}

#[test]
fn database_locked_by_another_process_is_reported() {
    if skips_file_tests() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let binary = Binary::on(&file);
    let mut wire = binary.wire();
    let other = Connection::open(&file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let (status, refusal) = wire.send("POST", FEATURES, &plain("probe").to_string()).unwrap();
    assert_eq!((status, refusal["code"].as_str()), (503, Some("storage_busy")));
    assert_eq!(message(&refusal), "Another program keeps the database busy; try again in a moment");
    assert!(wire.head.contains("\r\nretry-after: 1\r\n"), "{}", wire.head);
    assert_reads_work(&mut wire, 0);
    other.execute_batch("COMMIT").unwrap();
    assert_recovered(&mut wire, 0);
}

/// Returns the resident memory of a process in bytes.
#[cfg(target_os = "linux")]
fn memory(process: u32) -> usize {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10
}

#[cfg(target_os = "linux")]
#[test]
fn unwritable_reports_use_limited_memory_and_keep_the_counts() {
    if skips_file_tests() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let binary = Binary::on(&file);
    let mut wire = binary.wire();
    assert_eq!(wire.send("POST", FEATURES, &plain("probe").to_string()).unwrap().0, 201);
    let other = Connection::open(&file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let before = memory(binary.child.id());
    for number in 0..400 {
        // Each has 200 KB, the maximum.
        let strategies: Vec<_> = (100..300).map(|name| format!("{name}{}", "🦀".repeat(252))).collect();
        let registration =
            json!({ "appName": format!("a{number}"), "instanceId": "i", "strategies": strategies });
        assert_eq!(wire.send("POST", "/api/client/register", &registration.to_string()).unwrap().0, 202);
    }
    let toggles = json!({ "probe": { "yes": 3, "no": 1 } });
    let report = json!({ "appName": "shop", "instanceId": "1", "bucket": { "toggles": toggles } });
    assert_eq!(wire.send("POST", "/api/client/metrics", &report.to_string()).unwrap().0, 202);
    let grown = memory(binary.child.id()).saturating_sub(before) >> 20;
    assert!(grown < 40, "{grown} MB for 80 MB of registrations");
    other.execute_batch("COMMIT").unwrap();
    let deadline = Instant::now() + Duration::from_mins(1);
    let sql = "SELECT yes FROM toggle_counts WHERE toggle = 'probe'";
    while other.query_row(sql, [], |row| row.get::<_, i64>(0)) != Ok(3) {
        assert!(Instant::now() < deadline, "the counts are lost");
        assert_eq!(wire.send("GET", APPLICATIONS, "").unwrap().0, 200);
    }
}

#[test]
fn commands_and_a_server_write_to_one_database() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let binary = Binary::on(&file);
    let data = file.to_str().unwrap();
    thread::scope(|scope| {
        for writer in 0..2 {
            let mut wire = binary.wire();
            scope.spawn(move || {
                for number in 0..25 {
                    let toggle = plain(&format!("by-{writer}.{number}")).to_string();
                    assert_eq!(wire.send("POST", FEATURES, &toggle).unwrap().0, 201);
                }
            });
            scope.spawn(move || {
                for number in 0..5 {
                    let name = format!("by-{writer}.{number}");
                    let arguments = ["token", "add", "--name", &name, "--data", data];
                    let output = flagdeck().args(with_engine(&arguments)).output().unwrap();
                    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
                }
            });
        }
    });
    let mut wire = binary.wire();
    assert_eq!(names(&mut wire).len(), 50);
    let tokens = wire.send("GET", "/api/admin/api-tokens", "").unwrap().1;
    assert_eq!(tokens["tokens"].as_array().unwrap().len(), 10);
}

/// Creates a database with some toggles, all in its main file.
fn database(folder: &Path) -> PathBuf {
    let file = folder.join("flags.db");
    let binary = Binary::on(&file);
    let mut wire = binary.wire();
    for number in 0..20 {
        assert_eq!(wire.send("POST", FEATURES, &large_toggle(&format!("heavy.{number}"))).unwrap().0, 201);
    }
    drop(binary);
    // The last connection to close runs a checkpoint, which moves the write-ahead log into the file.
    drop(Connection::open(&file).unwrap().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)"));
    file
}

/// Returns the byte range of the first page of a table in the file.
fn first_page(file: &Path, table: &str) -> std::ops::Range<usize> {
    let database = Connection::open(file).unwrap();
    let sql = "SELECT rootpage, page_size FROM sqlite_schema, pragma_page_size WHERE name = ?1";
    let (page, size): (i64, i64) =
        database.query_row(sql, [table], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let (page, size) = (usize::try_from(page).unwrap(), usize::try_from(size).unwrap());
    (page - 1) * size..page * size
}

#[test]
fn damaged_table_is_reported_and_the_others_work() {
    if skips_file_tests() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = database(folder.path());
    let page = first_page(&file, "toggles");
    let mut bytes = fs::read(&file).unwrap();
    bytes[page].fill(0xAA);
    fs::write(&file, &bytes).unwrap();
    let binary = Binary::on(&file);
    let mut wire = binary.wire();
    for (method, path, body) in [
        ("GET", FEATURES, ""),
        ("GET", "/api/client/features", ""),
        ("POST", FEATURES, &large_toggle("more")),
    ] {
        let (status, refusal) = wire.send(method, path, body).unwrap();
        assert_eq!((status, refusal["code"].as_str()), (500, Some("storage_failed")), "{method} {path}");
        let said = "The database is damaged, or the -wal and -shm files beside it belong to another database; stop Flagdeck, \
                    remove the database with its -wal and -shm files, and put a backup in its place";
        assert_eq!(message(&refusal), said);
    }
    assert_eq!(wire.send("GET", "/api/admin/events", "").unwrap().0, 200);
}

#[test]
fn unreadable_database_fails_the_start() {
    if skips_file_tests() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = database(folder.path());
    let whole = fs::read(&file).unwrap();
    let mut torn = whole.clone();
    torn[first_page(&file, "toggle_counts")].fill(0xAA);
    let damages = [("cut off", whole[..whole.len() / 2].to_vec()), ("overwritten", torn)];
    for (damage, bytes) in damages {
        fs::write(&file, &bytes).unwrap();
        let output = flagdeck().args(Binary::arguments(&file)).stdout(Stdio::null()).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let expected = format!(
            "flagdeck: data: the database {} cannot be used: the database is damaged, or the -wal and -shm files beside it \
             belong to another database; stop Flagdeck, remove the database with its -wal and -shm files, and put a backup \
             in its place\n",
            file.display()
        );
        assert_eq!((output.status.code(), said), (Some(1), expected), "{damage}");
        assert_eq!(fs::read(&file).unwrap(), bytes, "{damage}");
    }
}
