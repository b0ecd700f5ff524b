//! The database of copies and records on PostgreSQL.

use std::process::Command;
use std::time::{Duration, Instant};

use actix_web::rt::spawn;
use flagdeck::config::{BackendSettings, Config, Settings};
use flagdeck::database::{KeptDatabase, OpenError};
use flagdeck::error::{ApiError, StorageFault};
use flagdeck::flags::{DataLocation, Flags};
use tokio::task::yield_now;
use tokio::time::timeout;

use crate::support::postgres_server::{Server, run_sql};
use crate::support::watched::MAX_WAIT;

const COMMITS: &str = "SELECT commits FROM database_version";

/// Returns the location of a database, and its key file in a temporary folder.
fn location(url: &str, key: &str) -> DataLocation {
    let settings = Settings::default().with_data(url);
    let environment = [("FLAGDECK_DATA_KEY".to_owned(), key.to_owned())];
    match Config::resolve(None, &settings, environment).unwrap().backend {
        BackendSettings::Embedded(embedded) => embedded.data,
        BackendSettings::Upstream(_) => unreachable!("the settings name no upstream"),
    }
}

fn start(data: &DataLocation) -> KeptDatabase {
    let database = KeptDatabase::new(data);
    spawn(database.clone().run());
    database
}

async fn wait_for_fault(database: &KeptDatabase, text: &str) {
    let search = async {
        while !database.fault().is_some_and(|fault| fault.contains(text)) {
            yield_now().await;
        }
    };
    timeout(MAX_WAIT, search).await.unwrap_or_else(|_| panic!("{:?}", database.fault()));
}

async fn wait_until_open(database: &KeptDatabase) {
    timeout(MAX_WAIT, database.wait_until_open()).await.unwrap_or_else(|_| panic!("{:?}", database.fault()));
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn tables_of_copies_have_a_version_of_their_own() {
    let (server, folder) = (Server::start("off"), tempfile::tempdir().unwrap());
    let (url, key) = (server.url(), folder.path().join("key"));
    let data = location(&url, key.to_str().unwrap());
    assert!(matches!(KeptDatabase::open_read_only(&data), Err(OpenError::NoTables { .. })));
    let first = start(&data);
    wait_until_open(&first).await;
    // The tables of the flag service can be added later, and before.
    let flags = Flags::open(&data).unwrap();
    let second = start(&data);
    wait_until_open(&second).await;
    let before = run_sql(&url, COMMITS);
    for database in [&first, &second] {
        database.write(|_| Ok(())).await.unwrap();
        database.read(|_| Ok(())).await.unwrap();
    }
    assert_eq!(run_sql(&url, COMMITS), before, "a write does not wait for those of the flag service");
    KeptDatabase::open_read_only(&data).unwrap().read(|_| Ok(())).unwrap();
    drop(flags);

    let current = run_sql(&url, "SELECT version FROM kept_version");
    run_sql(&url, "UPDATE kept_version SET version = 99");
    let older = start(&data);
    wait_for_fault(&older, "was written by a newer version of Flagdeck").await;
    assert!(matches!(KeptDatabase::open_read_only(&data), Err(OpenError::Newer { .. })));
    assert_eq!(run_sql(&url, "SELECT version FROM kept_version"), "99");
    run_sql(&url, &format!("UPDATE kept_version SET version = {current}"));
    wait_until_open(&older).await;
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn database_of_another_program_is_not_used() {
    let (server, folder) = (Server::start("off"), tempfile::tempdir().unwrap());
    let (url, key) = (server.url(), folder.path().join("key"));
    run_sql(&url, "CREATE TABLE orders (id BIGINT)");
    let database = start(&location(&url, key.to_str().unwrap()));
    wait_for_fault(&database, "is not a Flagdeck database").await;
    assert_eq!(run_sql(&url, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), "1");
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn server_that_stops_or_hangs_delays_nothing() {
    let (mut server, folder) = (Server::start("off"), tempfile::tempdir().unwrap());
    let (url, key) = (server.url(), folder.path().join("key"));
    let data = location(&url, key.to_str().unwrap());
    let database = start(&data);
    wait_until_open(&database).await;
    server.control("stop -m immediate");
    assert!(matches!(
        database.write(|_| Ok(())).await,
        Err(ApiError::Storage(StorageFault::Unreachable | StorageFault::Unconfirmed))
    ));
    let start_time = Instant::now();
    assert!(matches!(database.read(|_| Ok(())).await, Err(ApiError::Storage(StorageFault::NotOpen))));
    assert!(start_time.elapsed() < Duration::from_millis(500));
    wait_for_fault(&database, "onnect").await;
    server.control("start");
    wait_until_open(&database).await;
    assert_eq!(database.fault(), None);
    database.write(|_| Ok(())).await.unwrap();

    let process = run_sql(&url, "SELECT pg_read_file('postmaster.pid')").lines().next().unwrap().to_owned();
    let signal =
        |name: &str| assert!(Command::new("kill").args([name, &process]).status().unwrap().success());
    signal("-STOP");
    let hanging = start(&data);
    yield_now().await;
    let start_time = Instant::now();
    assert!(matches!(hanging.read(|_| Ok(())).await, Err(ApiError::Storage(StorageFault::NotOpen))));
    assert!(start_time.elapsed() < Duration::from_millis(500));
    signal("-CONT");
    wait_until_open(&hanging).await;
}
