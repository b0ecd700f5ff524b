//! Copies of the database: `flagdeck backup`, and the copy before each migration.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use flagdeck::flags::{DataLocation, Flags};
use serde_json::json;

use super::{FEATURES, create, names, plain};
use crate::support::app::TestApp;
use crate::support::binary::{Binary, flagdeck};
use crate::support::engine::skips_file_tests;

/// The migrations of schema version 3.
const SCHEMA_3: [&str; 3] = [
    include_str!("../../database/schema/01-toggles-and-events.sql"),
    include_str!("../../database/schema/02-built-in-strategies-and-context.sql"),
    include_str!("../../database/schema/03-reported-usage.sql"),
];

async fn app_on(file: &Path) -> TestApp {
    TestApp::with(&["--data", file.to_str().unwrap()]).await
}

fn backup(data: &Path, to: &Path) -> Output {
    flagdeck()
        .args(["backup".as_ref(), "--data".as_ref(), data.as_os_str(), to.as_os_str()])
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn version(file: &Path) -> i64 {
    let database = rusqlite::Connection::open(file).unwrap();
    database.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
}

/// Returns the copies before migrations in a folder.
fn copies(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.file_name().unwrap().to_str().unwrap().contains(".before-"));
    files.sort();
    files
}

#[actix_web::test]
async fn backup_is_consistent_while_a_server_writes() {
    if skips_file_tests() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (file, copy) = (folder.path().join("flags.db"), folder.path().join("copy.db"));
    let app = app_on(&file).await;
    for number in 0..20 {
        create(&app, &plain(&format!("before.{number}"))).await;
    }
    let (data, to) = (file.clone(), copy.clone());
    let mut running = actix_web::rt::task::spawn_blocking(move || backup(&data, &to));
    let mut meanwhile = 0;
    let output = loop {
        tokio::select! {
            output = &mut running => break output.unwrap(),
            _ = async { create(&app, &plain(&format!("meanwhile.{meanwhile}"))).await } => meanwhile += 1,
        }
    };
    assert!(output.status.success() && meanwhile > 0, "{}", said(&output));
    let restored = app_on(&copy).await;
    let found = names(&restored, FEATURES).await;
    assert_eq!(found.iter().filter(|name| name.starts_with("before.")).count(), 20);
    for name in found {
        assert_eq!(super::events_of(&restored, &name).await.len(), 1, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn backup_is_private() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    let (file, copy) = (folder.path().join("flags.db"), folder.path().join("copy.db"));
    drop(Flags::open(&DataLocation::File(file.clone())).unwrap());
    assert!(backup(&file, &copy).status.success());
    assert_eq!(fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn backup_does_not_overwrite_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let (file, taken) = (folder.path().join("flags.db"), folder.path().join("taken"));
    drop(Flags::open(&DataLocation::File(file.clone())).unwrap());
    fs::write(&taken, "mine").unwrap();
    for (to, words) in [
        (taken.clone(), "the file already exists; choose another name"),
        (taken.join("below.db"), "Not a directory"),
    ] {
        let output = backup(&file, &to);
        let start = format!("flagdeck: the database cannot be copied to {}: ", to.display());
        assert_eq!(output.status.code(), Some(1));
        assert!(said(&output).starts_with(&start) && said(&output).contains(words), "{}", said(&output));
    }
    assert_eq!(fs::read_to_string(&taken).unwrap(), "mine");
}

#[test]
fn backup_message_names_the_key_file() {
    let folder = tempfile::tempdir().unwrap();
    let (file, key) = (folder.path().join("flags.db"), folder.path().join("flags.db.key"));
    drop(Flags::open(&DataLocation::File(file.clone())).unwrap());
    let stdout = |to: &str| String::from_utf8(backup(&file, &folder.path().join(to)).stdout).unwrap();
    assert_eq!(stdout("one.db").lines().count(), 1);
    fs::write(&key, "secret").unwrap();
    let words = stdout("two.db");
    assert!(words.lines().count() == 2 && words.trim_end().ends_with(key.to_str().unwrap()), "{words}");
}

#[test]
fn backup_needs_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let output = backup(&folder.path().join("none.db"), &folder.path().join("copy.db"));
    assert!(said(&output).starts_with("flagdeck: data: there is no database "), "{}", said(&output));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn incomplete_backup_is_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let (file, copy) = (folder.path().join("flags.db"), folder.path().join("copy.db"));
    drop(Flags::open(&DataLocation::File(file.clone())).unwrap());
    let database = rusqlite::Connection::open(&file).unwrap();
    let (page, size): (u64, u64) = database
        .query_row(
            "SELECT rootpage, page_size FROM sqlite_schema, pragma_page_size WHERE name = 'strategies'",
            [],
            |row| Ok((row.get::<_, i64>(0)?.try_into().unwrap(), row.get::<_, i64>(1)?.try_into().unwrap())),
        )
        .unwrap();
    drop(database);
    let mut bytes = fs::read(&file).unwrap();
    let start = usize::try_from((page - 1) * size).unwrap();
    bytes[start..start + usize::try_from(size).unwrap()].fill(0xAA);
    fs::write(&file, &bytes).unwrap();
    let output = backup(&file, &copy);
    assert!(said(&output).contains("the database is damaged"), "{}", said(&output));
    assert!(!copy.exists());
}

#[test]
fn old_schema_is_copied_before_the_migration() {
    if skips_file_tests() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let old = rusqlite::Connection::open(&file).unwrap();
    for step in SCHEMA_3 {
        old.execute_batch(step).unwrap();
    }
    old.execute(
        "INSERT INTO toggles (name, type, project, enabled, stale, strategies, variants, created_at)
         VALUES ('kept', 'release', 'shop', 1, 0, ?1, '[]', '2026-01-01T00:00:00.000Z')",
        [json!([{ "name": "default", "parameters": {} }]).to_string()],
    )
    .unwrap();
    old.pragma_update(None, "user_version", 3).unwrap();
    drop(old);
    for _ in 0..2 {
        let features = Binary::on(&file).wire().send("GET", FEATURES, "").unwrap().1;
        assert_eq!(features["features"][0]["name"], "kept");
    }
    let to = version(&file);
    assert!(to > 3);
    let expected = folder.path().join(format!("flags.db.before-3-to-{to}"));
    assert_eq!(copies(folder.path()), std::slice::from_ref(&expected));
    assert_eq!(version(&expected), 3);
    // After restoring the copy, the next migration writes a second copy.
    drop(fs::remove_file(folder.path().join("flags.db-wal")));
    drop(fs::remove_file(folder.path().join("flags.db-shm")));
    fs::copy(&expected, &file).unwrap();
    drop(Flags::open(&DataLocation::File(file.clone())).unwrap());
    let second = folder.path().join(format!("flags.db.before-3-to-{to}.2"));
    assert_eq!(copies(folder.path()), [expected, second]);
}

#[test]
fn failed_copy_prevents_the_migration() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    drop(Flags::open(&DataLocation::File(file.clone())).unwrap());
    assert_eq!(copies(folder.path()), Vec::<PathBuf>::new());
    let to = version(&file);
    // Simulates a missing migration, with all names for copies taken.
    let database = rusqlite::Connection::open(&file).unwrap();
    database.pragma_update(None, "user_version", to - 1).unwrap();
    drop(database);
    let first = folder.path().join(format!("flags.db.before-{}-to-{to}", to - 1));
    fs::create_dir(&first).unwrap();
    for number in 2..=100 {
        fs::create_dir(first.with_extension(format!("before-{}-to-{to}.{number}", to - 1)).as_path())
            .unwrap();
    }
    let refusal = Flags::open(&DataLocation::File(file.clone())).unwrap_err().to_string();
    assert!(
        refusal.contains("cannot be migrated to the newest schema, because it cannot be copied to"),
        "{refusal}"
    );
    assert_eq!(version(&file), to - 1);
}
