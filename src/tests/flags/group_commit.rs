//! Group commit: one transaction of PostgreSQL with the writes of several requests. These tests need `FLAGDECK_TEST_ENGINE=postgres`.

use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use flagdeck::api::ToggleDraft;
use flagdeck::database::{Database, StorageFault, Transaction};
use flagdeck::error::ApiError;
use flagdeck::flags::events::Actor;
use flagdeck::flags::toggles::transactions;
use flagdeck::flags::validation::RequestBody as _;
use futures_util::future::{BoxFuture, join_all};
use futures_util::{FutureExt as _, poll};
use tokio::sync::oneshot;

use super::plain;
use super::postgres::database;
use crate::support::engine::{open_flags, run_sql};
use crate::support::postgres_server::END_SESSIONS;

/// A function of the database that refuses the toggle `poison`.
const REFUSE: &str = "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.name = 'poison' THEN RAISE 'refused by a trigger'; END IF;
        RETURN NEW;
    END $$";

type Created = BoxFuture<'static, Result<(), ApiError>>;

/// Creates a toggle; panics for the name `panic`.
fn create(database: &Database, name: &'static str) -> Created {
    create_after(database, name, move || assert_ne!(name, "panic", "a defect of a handler"))
}

/// Creates a toggle, after `prepare` in the same transaction.
fn create_after(database: &Database, name: &str, prepare: impl FnOnce() + Send + 'static) -> Created {
    let draft = ToggleDraft::parse(&plain(name)).unwrap();
    let database = database.clone();
    let work = move |tx: &Transaction<'_>| {
        prepare();
        transactions::create(tx, &draft, &Actor::now("test")).map(drop)
    };
    async move { database.write(work).await }.boxed()
}

/// Runs writes that all wait while another one runs. Returns their results, and the number of their transactions.
async fn run_group(
    file: &Path,
    begin: impl FnOnce(&Database) -> Vec<Created>,
    change: impl FnOnce(&mut Vec<Created>),
) -> (Vec<&'static str>, u64) {
    let database = open_flags(file).unwrap().database;
    let commits = || run_sql(file, "SELECT commits >> 24 FROM database_version").parse::<u64>().unwrap();
    let ((started, has_started), (end, ends)) = (oneshot::channel(), mpsc::channel::<()>());
    let first = actix_web::rt::spawn({
        let database = database.clone();
        async move {
            let wait = move |_tx: &Transaction<'_>| -> Result<(), ApiError> {
                started.send(()).unwrap();
                ends.recv_timeout(Duration::from_secs(30)).unwrap();
                // After a refusal, the transaction contains no other write.
                Err(ApiError::Conflict(String::new()))
            };
            database.write(wait).await
        }
    });
    has_started.await.unwrap();
    let mut writes = begin(&database);
    for write in &mut writes {
        assert!(poll!(write).is_pending());
    }
    change(&mut writes);
    let before = commits();
    end.send(()).unwrap();
    let outcomes = join_all(writes).await.into_iter().map(|outcome| match outcome {
        Ok(()) => "created",
        Err(ApiError::NameTaken(_)) => "taken",
        Err(ApiError::Internal(_)) => "internal",
        Err(ApiError::Storage(StorageFault::Unreachable)) => "unreachable",
        Err(_) => "other",
    });
    assert!(first.await.unwrap().is_err());
    (outcomes.collect(), commits() - before)
}

/// Returns the names of the toggles, and of those with events in the order of the events.
fn created(file: &Path) -> [String; 2] {
    let names = "SELECT string_agg(name, ' ' ORDER BY name) FROM toggles";
    let events = "SELECT string_agg(entity_name, ' ' ORDER BY id) FROM events WHERE type = 'feature-created'";
    [names, events].map(|sql| run_sql(file, sql))
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn refused_failed_and_abandoned_writes_of_a_group_leave_no_change() {
    let (_folder, file) = database();
    drop(open_flags(&file).unwrap());
    run_sql(&file, REFUSE);
    run_sql(&file, "CREATE TRIGGER refuse AFTER INSERT ON toggles FOR EACH ROW EXECUTE FUNCTION refuse()");
    let names = ["two", "poison", "one", "two", "abandoned", "panic", "six"];
    let begin = |database: &Database| names.map(|name| create(database, name)).into();
    let (outcomes, commits) = run_group(&file, begin, |writes| drop(writes.remove(4))).await;
    assert_eq!(outcomes, ["created", "internal", "created", "taken", "internal", "created"]);
    assert_eq!(created(&file), ["one six two", "two one six"]);
    assert_eq!(commits, 1);
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn no_write_of_a_group_is_confirmed_if_its_commit_fails() {
    let (_folder, file) = database();
    drop(open_flags(&file).unwrap());
    run_sql(&file, REFUSE);
    let trigger = "CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON toggles INITIALLY DEFERRED FOR EACH ROW
                   EXECUTE FUNCTION refuse()";
    run_sql(&file, trigger);
    let begin = |database: &Database| ["one", "poison", "one"].map(|name| create(database, name)).into();
    let (outcomes, commits) = run_group(&file, begin, |_| {}).await;
    // The last one is not "taken": the toggle with its name was not created.
    assert_eq!(outcomes, ["internal"; 3]);
    assert_eq!((created(&file), commits), (["", ""].map(str::to_owned), 0));
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn writes_before_a_lost_connection_fail_and_later_ones_use_another() {
    let (_folder, file) = database();
    let path = file.clone();
    let begin = move |database: &Database| {
        let end_connections = move || drop(run_sql(&path, END_SESSIONS));
        let end = create_after(database, "end", end_connections);
        vec![create(database, "one"), end, create(database, "three"), create(database, "two")]
    };
    let (outcomes, commits) = run_group(&file, begin, |_| {}).await;
    assert_eq!(outcomes, ["unreachable", "unreachable", "created", "created"]);
    assert_eq!((created(&file), commits), (["three two", "three two"].map(str::to_owned), 1));
}
