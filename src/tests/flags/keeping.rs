//! The database: persistence, file permissions, and errors when it is opened.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::thread;

use flagdeck::flags::{DataLocation, Flags};

use super::{FEATURES, archive, create, edited_probe, plain, probe, replace};
use crate::support::app::TestApp;
use crate::support::binary::{Binary, flagdeck, output_of};
use crate::support::engine::skips_file_tests;

async fn app_on(file: &Path) -> TestApp {
    TestApp::with(&["--data", file.to_str().unwrap()]).await
}

fn open_error(file: &Path) -> String {
    Flags::open(&DataLocation::File(file.to_owned())).unwrap_err().to_string()
}

#[actix_web::test]
async fn data_survives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("new/folders/flags.db");
    let reads = [
        FEATURES,
        "/api/admin/archive/features",
        "/api/admin/events",
        "/api/admin/ui-config",
        "/api/admin/strategies",
        "/api/admin/context",
    ];
    let mut before = Vec::new();
    {
        let app = app_on(&file).await;
        create(&app, &probe()).await;
        replace(&app, "probe.one", &edited_probe()).await;
        create(&app, &plain("gone")).await;
        archive(&app, "gone").await;
        for path in reads {
            before.push(app.get(path).await.json());
        }
        app.stop().await;
    }
    let app = app_on(&file).await;
    for (path, before) in reads.iter().zip(before) {
        assert_eq!(app.get(path).await.json(), before, "{path}");
    }
}

/// Returns the error of a server that cannot start on a database.
fn refusal(file: &Path) -> String {
    let output = output_of(flagdeck().args(Binary::arguments(file)));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b""[..]), "{said}");
    said
}

#[test]
fn second_server_on_a_database_does_not_start() {
    if skips_file_tests() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("data/flags.db");
    let (link, linked_folder) = (folder.path().join("link.db"), folder.path().join("linked"));
    symlink(&file, &link).unwrap();
    symlink(folder.path().join("data"), &linked_folder).unwrap();
    let mut first = Binary::on(&file);
    let process = first.child.id();
    thread::scope(|scope| {
        for path in [file.clone(), link.clone(), linked_folder.join("flags.db")] {
            scope.spawn(move || {
                let said = refusal(&path);
                let expected =
                    format!("flagdeck: data: {} is in use by the process {process} on ", path.display());
                assert!(said.starts_with(&expected) && said.contains("; stop that server"), "{said}");
                assert_eq!(said.lines().count(), 1, "{said}");
            });
        }
    });
    // The operating system releases the lock of a killed process, whose id stays in the file.
    first.kill();
    let second = Binary::on(&link);
    let lock = fs::read_to_string(folder.path().join("data/flags.db.lock")).unwrap();
    assert!(lock.starts_with(&format!("{} ", second.child.id())), "{lock}");
}

#[test]
fn database_with_several_hard_links_is_refused() {
    if skips_file_tests() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [file, link] = ["flags.db", "link.db"].map(|name| folder.path().join(name));
    drop(Binary::on(&file));
    fs::hard_link(&file, &link).unwrap();
    let check = output_of(flagdeck().args(["check", "--data", link.to_str().unwrap()]));
    let said = String::from_utf8(check.stdout).unwrap();
    assert!(said.contains("FAIL  database: data: ") && said.contains(" has 2 hard links; "), "{said}");
    for path in [&file, &link] {
        let said = refusal(path);
        let expected = format!("flagdeck: data: {} has 2 hard links; ", path.display());
        assert!(said.starts_with(&expected) && said.contains("remove the other names"), "{said}");
    }
    fs::remove_file(&link).unwrap();
    drop(Binary::on(&file));
}

#[test]
fn start_waits_for_the_end_of_the_previous_server() {
    if skips_file_tests() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    // A server that ends keeps the lock during the delay.
    let start =
        || Binary::started(flagdeck().args(Binary::arguments(&file)).args(["--shutdown-delay", "500ms"]));
    let mut server = start();
    for number in 0..3 {
        let toggle = plain(&format!("probe-{number}")).to_string();
        assert_eq!(server.wire().send("POST", FEATURES, &toggle).unwrap().0, 201);
        let process = server.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &process]).status().unwrap().success());
        let next = start();
        assert!(server.child.wait().unwrap().success());
        server = next;
    }
    let stored = server.wire().send("GET", FEATURES, "").unwrap().1;
    assert_eq!(stored["features"].as_array().unwrap().len(), 3);
}

#[test]
fn damaged_text_of_the_lock_has_no_effect() {
    if skips_file_tests() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (file, lock) = (folder.path().join("flags.db"), folder.path().join("flags.db.lock"));
    for text in [&b"1 host"[..], b"\xff\xff", &vec![b'x'; 100_000]] {
        fs::write(&lock, text).unwrap();
        let server = Binary::on(&file);
        fs::write(&lock, text).unwrap();
        let said = refusal(&file);
        assert!(said.contains(" is in use by "), "{said}");
        drop(server);
    }
}

#[test]
fn commands_work_while_a_server_runs() {
    if skips_file_tests() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let file = path("flags.db");
    let server = Binary::on(Path::new(&file));
    let (copy, export) = (path("copy.db"), path("export.json"));
    let commands: [&[&str]; 8] = [
        &["check", "--listen", "127.0.0.1:0"],
        &["backup", &copy],
        &["export", &export],
        &["import", &export, "--keep-existing"],
        &["token", "add", "--name", "probe"],
        &["token", "list"],
        &["token", "remove", "probe", "--yes"],
        &["user", "list"],
    ];
    for command in commands {
        let output = output_of(flagdeck().args(command).args(["--data", &file]));
        assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    drop(server);
}

#[cfg(unix)]
#[actix_web::test]
async fn database_files_are_private() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("made/flags.db");
    drop(Flags::open(&DataLocation::File(file.clone())).unwrap());
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(file.parent().unwrap()), mode(&file)), (0o700, 0o600));
}

#[actix_web::test]
async fn each_database_has_its_own_instance_id() {
    let (one, other) = (TestApp::embedded().await, TestApp::embedded().await);
    let mut ids = Vec::new();
    for app in [&one, &other] {
        let id = app.get("/api/admin/ui-config").await.json()["versionInfo"]["instanceId"].take();
        let id = id.as_str().unwrap().to_owned();
        let groups: Vec<usize> = id.split('-').map(str::len).collect();
        assert_eq!(groups, [8, 4, 4, 4, 12], "{id}");
        assert!(id.chars().all(|c| c == '-' || c.is_ascii_digit() || ('a'..='f').contains(&c)), "{id}");
        assert!(id[14..].starts_with('4') && "89ab".contains(&id[19..20]), "{id}");
        ids.push(id);
    }
    assert_ne!(ids[0], ids[1]);
}

#[test]
fn file_that_is_not_a_database_is_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    let text = "not a database, and too long for an empty one\n".repeat(20);
    fs::write(&file, &text).unwrap();
    assert_eq!(open_error(&file), format!("data: {} is not a Flagdeck database", file.display()));
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
}

#[test]
fn database_of_another_program_is_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("other.db");
    let other = rusqlite::Connection::open(&file).unwrap();
    other.execute_batch("CREATE TABLE toggles (name TEXT)").unwrap();
    drop(other);
    let before = fs::read(&file).unwrap();
    assert_eq!(open_error(&file), format!("data: {} is not a Flagdeck database", file.display()));
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn database_with_a_newer_schema_is_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    drop(Flags::open(&DataLocation::File(file.clone())).unwrap());
    let newer = rusqlite::Connection::open(&file).unwrap();
    newer.pragma_update(None, "user_version", 1000).unwrap();
    drop(newer);
    let said = open_error(&file);
    assert!(said.starts_with("data: ") && said.contains("newer version of Flagdeck"), "{said}");
}

#[test]
fn error_names_a_path_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    for (path, words) in [
        (folder.path().to_owned(), "cannot be opened for writing"),
        (file.join("below/flags.db"), "cannot be created"),
    ] {
        let said = open_error(&path);
        assert!(said.starts_with("data: ") && said.contains(words) && !said.contains('\n'), "{said}");
    }
}
