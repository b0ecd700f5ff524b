//! The database: persistence, file permissions, and errors when it is opened.

use std::fs;
use std::path::Path;

use flagdeck::flags::{DataLocation, Flags};

use super::{FEATURES, archive, create, edited_probe, events_of, plain, probe, replace};
use crate::support::app::TestApp;

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
    }
    let app = app_on(&file).await;
    for (path, before) in reads.iter().zip(before) {
        assert_eq!(app.get(path).await.json(), before, "{path}");
    }
}

#[actix_web::test]
async fn two_processes_can_share_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let (one, other) = (app_on(&file).await, app_on(&file).await);
    let (here, there) = (plain("here"), plain("there"));
    futures_util::future::join(create(&one, &here), create(&other, &there)).await;
    assert_eq!(one.get(FEATURES).await.json(), other.get(FEATURES).await.json());
    assert_eq!(events_of(&one, "there").await.len(), 1);
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
