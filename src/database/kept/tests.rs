//! The database of copies and records in a file, with its faults. `tests/flags/instances/kept.rs` tests PostgreSQL.

use std::fs;
use std::future::Future;
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

use actix_web::rt::spawn;
use futures_util::FutureExt as _;
use tempfile::TempDir;
use tokio::task::yield_now;
use tokio::time::timeout;

use super::{KeptDatabase, MAX_WAITING};
use crate::config::DataLocation;
use crate::database::{DataLock, OpenError, StorageFault, StoreError, Transaction, params};
use crate::error::ApiError;
use crate::private_file::with_suffix;

const MAX_WAIT: Duration = Duration::from_secs(30);
/// Size of a page of the file in bytes.
const PAGE_SIZE: usize = 4096;

impl Transaction<'_> {
    fn insert_source(&self, url: &str) -> Result<(), StoreError> {
        let sql = "INSERT INTO sources (url, salt) VALUES (?1, ?2)";
        self.execute(sql, params![url, &[0_u8; 5_000][..]]).map(drop)
    }

    fn list_sources(&self) -> Result<Vec<String>, StoreError> {
        self.query("SELECT url FROM sources WHERE length(salt) = 5000 ORDER BY url", &[], |row| row.get(0))
    }
}

/// The location of a database, whose file for copies is beside it.
fn location(folder: &TempDir) -> (DataLocation, PathBuf) {
    let file = folder.path().join("flagdeck.db");
    (DataLocation::File(file.clone()), with_suffix(&file, ".kept"))
}

fn start(data: &DataLocation) -> KeptDatabase {
    let database = KeptDatabase::new(data);
    spawn(database.clone().run());
    database
}

async fn wait_for<T>(found: impl Future<Output = T>) -> T {
    timeout(MAX_WAIT, found).await.expect("the condition is never true")
}

async fn wait_for_fault(database: &KeptDatabase, text: &str) {
    wait_for(async {
        while !database.fault().is_some_and(|fault| fault.contains(text)) {
            yield_now().await;
        }
    })
    .await;
}

async fn insert(database: &KeptDatabase, url: &'static str) -> Result<(), ApiError> {
    database.write(move |tx| Ok(tx.insert_source(url)?)).await
}

async fn list(database: &KeptDatabase) -> Result<Vec<String>, ApiError> {
    database.read(|tx| Ok(tx.list_sources()?)).await
}

/// Waits until the database is open, and returns its content.
async fn content(database: &KeptDatabase) -> Vec<String> {
    wait_for(database.wait_until_open()).await;
    list(database).await.unwrap()
}

#[actix_web::test]
async fn transactions_fail_at_once_until_the_database_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let (data, file) = location(&folder);
    let database = KeptDatabase::new(&data);
    let refused = list(&database).now_or_never().unwrap();
    assert!(matches!(refused, Err(ApiError::Storage(StorageFault::NotOpen))), "{refused:?}");
    assert!(matches!(
        database.write_blocking(|tx| Ok(tx.insert_source("early")?)),
        Err(ApiError::Storage(StorageFault::NotOpen))
    ));
    assert!(database.fault().unwrap().ends_with("flagdeck.db.kept is not open yet"));
    assert!(!file.exists());
    spawn(database.clone().run());
    wait_for(database.wait_until_open()).await;
    assert_eq!(database.fault(), None);
    insert(&database, "one").await.unwrap();
    assert!(insert(&database, "one").await.is_err(), "the transaction is rolled back");
    database.write_blocking(|tx| Ok(tx.insert_source("two")?)).unwrap();
    assert_eq!(database.read_blocking(|tx| Ok(tx.list_sources()?)).unwrap(), ["one", "two"]);
    database.close().await;
    assert!(matches!(list(&database).await, Err(ApiError::Storage(StorageFault::NotOpen))));
    assert!(!with_suffix(&file, "-wal").exists(), "the files are closed");
    assert_eq!(content(&start(&data)).await, ["one", "two"]);
}

#[actix_web::test]
async fn file_that_cannot_be_used_is_moved_aside_and_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (data, file) = location(&folder);
    let aside = with_suffix(&file, ".unusable");
    let newer = || {
        let connection = rusqlite::Connection::open(&file).unwrap();
        connection.execute_batch("CREATE TABLE later (x); PRAGMA user_version = 99").unwrap();
    };
    let foreign = || {
        let connection = rusqlite::Connection::open(&file).unwrap();
        connection.execute_batch("CREATE TABLE other (x)").unwrap();
    };
    let damaged = || fs::write(&file, "no database\n".repeat(1_000)).unwrap();
    let prepare: [&dyn Fn(); 3] = [&newer, &foreign, &damaged];
    for prepare in prepare {
        for suffix in ["", "-wal", "-shm"] {
            drop(fs::remove_file(with_suffix(&file, suffix)));
        }
        prepare();
        let before = fs::read(&file).unwrap();
        let database = start(&data);
        assert_eq!(content(&database).await, [""; 0]);
        insert(&database, "new").await.unwrap();
        assert!(fs::read(&aside).unwrap() == before);
        database.close().await;
    }
}

#[actix_web::test]
async fn damage_that_a_transaction_finds_leads_to_a_new_file() {
    let folder = tempfile::tempdir().unwrap();
    let (data, file) = location(&folder);
    let database = start(&data);
    wait_for(database.wait_until_open()).await;
    for url in ["a", "b", "c", "d", "e"] {
        insert(&database, url).await.unwrap();
    }
    database.close().await;
    // A task of the database can close the last connection a moment later, which moves the write-ahead log into the file.
    wait_for(async {
        while with_suffix(&file, "-wal").exists() {
            yield_now().await;
        }
    })
    .await;
    let root = "SELECT rootpage FROM sqlite_schema WHERE name = 'sources'";
    let connection = rusqlite::Connection::open(&file).unwrap();
    let page: u16 = connection.query_row(root, [], |row| row.get(0)).unwrap();
    let page = usize::from(page);
    drop(connection);
    let mut bytes = fs::read(&file).unwrap();
    bytes[(page - 1) * PAGE_SIZE..page * PAGE_SIZE].fill(0xff);
    fs::write(&file, &bytes).unwrap();
    let database = start(&data);
    wait_for(database.wait_until_open()).await;
    let failed = list(&database).await;
    assert!(matches!(failed, Err(ApiError::Storage(StorageFault::Damaged))), "{failed:?}");
    assert!(database.fault().is_some_and(|fault| fault.contains("damaged")));
    assert_eq!(content(&database).await, [""; 0]);
    assert_eq!(database.fault(), None);
    assert!(fs::read(with_suffix(&file, ".unusable")).unwrap()[PAGE_SIZE..] == bytes[PAGE_SIZE..]);
}

#[actix_web::test]
async fn deleted_file_is_created_again() {
    let folder = tempfile::tempdir().unwrap();
    let (data, file) = location(&folder);
    let database = start(&data);
    wait_for(database.wait_until_open()).await;
    fs::remove_file(&file).unwrap();
    let failed = insert(&database, "lost").await;
    assert!(matches!(failed, Err(ApiError::Storage(StorageFault::Replaced))), "{failed:?}");
    wait_for(database.wait_until_open()).await;
    insert(&database, "one").await.unwrap();
    database.close().await;
    assert_eq!(content(&start(&data)).await, ["one"]);
}

#[actix_web::test]
async fn file_in_use_is_opened_when_the_other_process_ends() {
    let folder = tempfile::tempdir().unwrap();
    let (data, _file) = location(&folder);
    let other = DataLock::acquire(&data.kept()).unwrap();
    let database = start(&data);
    wait_for_fault(&database, "flagdeck.db.kept is in use by the process").await;
    assert!(matches!(list(&database).await, Err(ApiError::Storage(StorageFault::NotOpen))));
    drop(other);
    assert_eq!(content(&database).await, [""; 0]);
}

#[actix_web::test]
async fn folder_that_cannot_be_created_is_a_fault_until_it_can() {
    let folder = tempfile::tempdir().unwrap();
    let obstacle = folder.path().join("file");
    fs::write(&obstacle, "").unwrap();
    let database = start(&DataLocation::File(obstacle.join("flagdeck.db")));
    wait_for_fault(&database, "cannot be created").await;
    fs::remove_file(&obstacle).unwrap();
    assert_eq!(content(&database).await, [""; 0]);
}

#[actix_web::test]
async fn transactions_do_not_queue_without_bound() {
    let folder = tempfile::tempdir().unwrap();
    let (data, _file) = location(&folder);
    let database = start(&data);
    wait_for(database.wait_until_open()).await;
    let (end, ended) = mpsc::channel::<()>();
    // A disk that hangs.
    let hanging = spawn({
        let database = database.clone();
        async move { database.write(move |_| Ok(ended.recv().is_ok())).await }
    });
    wait_for(async {
        while database.0.write_permits.available_permits() > 0 {
            yield_now().await;
        }
    })
    .await;
    let mut waiting: Vec<_> = (1..MAX_WAITING).map(|_| Box::pin(insert(&database, "late"))).collect();
    assert!(waiting.iter_mut().all(|write| write.now_or_never().is_none()));
    let refused = insert(&database, "refused").now_or_never().unwrap();
    assert!(matches!(refused, Err(ApiError::Storage(StorageFault::Busy))), "{refused:?}");
    drop(waiting);
    assert_eq!(list(&database).await.unwrap(), [""; 0], "reads do not wait for writes");
    end.send(()).unwrap();
    assert!(hanging.await.unwrap().unwrap());
    insert(&database, "one").await.unwrap();
}

#[actix_web::test]
async fn commands_read_the_file_of_a_running_server_and_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (data, file) = location(&folder);
    let open = || KeptDatabase::open_read_only(&data).map(|reader| reader.read(|tx| Ok(tx.list_sources()?)));
    assert!(matches!(open(), Err(OpenError::Missing { .. })));
    assert!(!file.exists());
    let database = start(&data);
    wait_for(database.wait_until_open()).await;
    insert(&database, "one").await.unwrap();
    assert_eq!(open().unwrap().unwrap(), ["one"]);
    let reader = KeptDatabase::open_read_only(&data).unwrap();
    assert!(reader.read(|tx| Ok(tx.insert_source("two")?)).is_err());
    database.close().await;
    for (version, text) in [(0, "has the schema version 0"), (99, "was written by a newer version")] {
        let connection = rusqlite::Connection::open(&file).unwrap();
        connection.pragma_update(None, "user_version", version).unwrap();
        drop(connection);
        let refusal = open().unwrap_err().to_string();
        assert!(refusal.contains(text), "{refusal}");
    }
}
