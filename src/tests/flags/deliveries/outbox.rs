//! The outbox loses no delivery: retries, restarts, disabled addons and lost keys.

use std::fs;
use std::path::Path;

use actix_web::http::Method;
use flagdeck::api::ToggleDraft;
use flagdeck::database::Transaction;
use flagdeck::error::ApiError;
use flagdeck::flags::events::Actor;
use flagdeck::flags::toggles;
use flagdeck::flags::validation::RequestBody as _;
use jiff::Timestamp;
use serde_json::json;

use super::{
    ADDONS, app, app_on, header, json_of, set_enabled, status, wait_for_deliveries, wait_for_requests,
    webhook,
};
use crate::flags::postgres::database;
use crate::flags::{JSON, assert_empty, create, plain};
use crate::support::engine::{open_flags, run_sql};
use crate::support::stub::{Reply, Stub};

#[actix_web::test]
async fn failed_deliveries_are_retried_in_order() {
    let replies = vec![status(503), Reply::BytesThenEnd(String::new()), status(200)];
    let (app, stub) = (app().await, Stub::start(Reply::InTurn(replies)).await);
    webhook(&app, &stub.url).await;
    create(&app, &plain("first")).await;
    create(&app, &plain("second")).await;
    let endings = wait_for_deliveries(&app, 2).await;
    let (first, second) = (&endings[0][1], &endings[1][1]);
    assert_eq!((&first["attempts"], &first["status"]), (&json!(3), &json!(200)));
    assert_eq!(second["attempts"], 1);
    let requests = wait_for_requests(&stub, 4).await;
    let names: Vec<_> = requests.iter().map(|(_, body)| json_of(body)["data"]["name"].take()).collect();
    assert_eq!(names, ["first", "first", "first", "second"]);
    let id = |index: usize| header(&requests[index].0, "x-flagdeck-delivery");
    assert_eq!((id(0), id(1)), (id(1), id(2)));
    assert_ne!(id(2), id(3));
}

#[actix_web::test]
async fn permanently_failed_deliveries_are_recorded_as_events() {
    let app = app().await;
    let (busy, gone, moved) = (
        Stub::start(status(500)).await,
        Stub::start(status(410)).await,
        Stub::start(Reply::BytesThenEnd(
            "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n".to_owned(),
        ))
        .await,
    );
    for url in [&busy.url, &gone.url, &moved.url] {
        webhook(&app, &format!("{url}/hunter2")).await;
    }
    create(&app, &plain("probe")).await;
    let mut endings = wait_for_deliveries(&app, 3).await;
    endings.sort_by_key(|ending| ending[1]["id"].as_u64());
    let failures: Vec<_> = endings
        .iter()
        .map(|ending| json!([ending[0], ending[1]["attempts"], ending[1]["reason"], ending[1]["status"]]))
        .collect();
    assert_eq!(
        failures,
        [
            json!(["addon-delivery-failed", 4, "the receiver responded with status 500", null]),
            json!(["addon-delivery-failed", 1, "the receiver responded with status 410", null]),
            json!(["addon-delivery-failed", 1, "the receiver responded with status 302", null]),
        ]
    );
    assert_eq!((busy.requests().len(), gone.requests().len(), moved.requests().len()), (4, 1, 1));
    let history = app.get("/api/admin/events").await.body;
    assert!(!history.contains("hunter2"), "{history}");
}

#[actix_web::test]
async fn hanging_receiver_does_not_delay_other_addons() {
    let (app, hangs, works) =
        (app().await, Stub::start(Reply::Silence).await, Stub::start(status(200)).await);
    let hanging = webhook(&app, &hangs.url).await;
    webhook(&app, &works.url).await;
    for name in ["first", "second", "third"] {
        create(&app, &plain(name)).await;
    }
    let endings = wait_for_deliveries(&app, 3).await;
    assert!(endings.iter().all(|ending| ending[1]["id"] == 2), "{endings:?}");
    assert_eq!(wait_for_requests(&hangs, 1).await.len(), 1);
    assert_empty(&app.send(Method::DELETE, &format!("{ADDONS}/{hanging}"), &[], "").await);
}

#[actix_web::test]
async fn large_deliveries_are_not_all_in_memory_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let (app, stub) = (app_on(&file).await, Stub::start(Reply::Silence).await);
    for _ in 0..16 {
        webhook(&app, &stub.url).await;
    }
    let mut toggle = plain("probe");
    toggle["description"] = json!("x".repeat(1_000_000));
    create(&app, &toggle).await;
    stub.wait_for(|request| request.starts_with("POST ")).await;
    // All that have room are taken in one transaction.
    let taken = run_sql(&file, "SELECT count(*) FROM deliveries WHERE attempts > 0");
    assert_eq!(taken, "9", "8 MiB and the last one");
}

/// Writes to the file like another process. The app under test is not notified.
async fn write_as_other_process<T: Send + 'static>(
    file: &Path,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, ApiError> + Send + 'static,
) -> T {
    open_flags(file).unwrap().database.write(work).await.unwrap()
}

async fn create_as_other_process(file: &Path, name: &str) {
    let draft = ToggleDraft::parse(&plain(name)).unwrap();
    write_as_other_process(file, move |tx| toggles::transactions::create(tx, &draft, &Actor::now("import")))
        .await;
}

/// Stores the webhook of a receiver, and a delivery for it, which a toggle of another process causes.
async fn leave_delivery(file: &Path, stub: &Stub) {
    let first = app_on(file).await;
    webhook(&first, &stub.url).await;
    first.stop().await;
    create_as_other_process(file, "probe").await;
}

#[actix_web::test]
async fn pending_deliveries_are_sent_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let stub = Stub::start(status(200)).await;
    leave_delivery(&file, &stub).await;
    let second = app_on(&file).await;
    assert_eq!(wait_for_deliveries(&second, 1).await[0][1]["attempts"], 1);
    assert_eq!(json_of(&wait_for_requests(&stub, 1).await[0].1)["data"]["name"], "probe");
    create_as_other_process(&file, "later").await;
    assert_eq!(wait_for_deliveries(&second, 2).await[1][1]["attempts"], 1);
}

#[actix_web::test]
async fn deliveries_of_a_killed_process_are_sent_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let stub = Stub::start(status(200)).await;
    leave_delivery(&file, &stub).await;
    let now = Timestamp::now().as_millisecond();
    let taken =
        write_as_other_process(&file, move |tx| Ok(tx.lease_delivery(now, now + 300, i64::MAX)?)).await;
    assert!(taken.is_some());
    let again =
        write_as_other_process(&file, move |tx| Ok(tx.lease_delivery(now, now + 300, i64::MAX)?)).await;
    assert!(again.is_none(), "the lease excludes other processes");
    let second = app_on(&file).await;
    assert_eq!(wait_for_deliveries(&second, 1).await[0][1]["attempts"], 2);
}

#[actix_web::test]
async fn delivery_that_was_delayed_before_the_clock_was_set_back_is_sent() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let stub = Stub::start(status(200)).await;
    leave_delivery(&file, &stub).await;
    let in_a_year = Timestamp::now().as_millisecond() + 31_536_000_000;
    let reschedule = move |tx: &Transaction<'_>| {
        let delivery = tx.lease_delivery(in_a_year, in_a_year + 300, i64::MAX)?.unwrap();
        Ok(tx.reschedule_delivery(delivery.id, delivery.attempts, in_a_year + 1_000)?)
    };
    write_as_other_process(&file, reschedule).await;
    let second = app_on(&file).await;
    assert_eq!(wait_for_deliveries(&second, 1).await[0][1]["attempts"], 2);
}

#[actix_web::test]
async fn expired_lease_does_not_change_the_lease_of_another_process() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let app = app_on(&file).await;
    webhook(&app, "http://localhost/hook").await;
    app.stop().await;
    create_as_other_process(&file, "probe").await;
    let lease = async |end: i64| {
        let now = 1_000_000;
        write_as_other_process(&file, move |tx| Ok(tx.lease_delivery(now, now + end, i64::MAX)?)).await
    };
    let expired = lease(0).await.unwrap();
    let current = lease(1).await.unwrap();
    assert_eq!((current.id, current.attempts), (expired.id, 2));
    for (attempts, is_due) in [(expired.attempts, false), (current.attempts, true)] {
        let reschedule = move |tx: &Transaction<'_>| Ok(tx.reschedule_delivery(current.id, attempts, 0)?);
        write_as_other_process(&file, reschedule).await;
        assert_eq!(lease(1).await.is_some(), is_due);
    }
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn processes_on_one_database_deliver_each_event_once_and_in_order() {
    let (_folder, file) = database();
    let stub = Stub::start(status(200)).await;
    let apps = [app_on(&file).await, app_on(&file).await, app_on(&file).await];
    webhook(&apps[0], &stub.url).await;
    let names: Vec<_> = (0..30).map(|number| format!("probe-{number}")).collect();
    for (name, app) in names.iter().zip(apps.iter().cycle()) {
        create(app, &plain(name)).await;
    }
    wait_for_deliveries(&apps[0], names.len()).await;
    let delivered = wait_for_requests(&stub, names.len()).await;
    let delivered: Vec<_> = delivered
        .iter()
        .map(|(_, body)| json_of(body)["data"]["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(delivered, names);
}

#[actix_web::test]
async fn disabled_addon_keeps_its_pending_deliveries() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let (kept, dropped) = (Stub::start(status(200)).await, Stub::start(status(200)).await);
    let first = app_on(&file).await;
    let addons = [webhook(&first, &kept.url).await, webhook(&first, &dropped.url).await];
    first.stop().await;
    create_as_other_process(&file, "before").await;
    for addon in addons {
        let addon = i64::try_from(addon).unwrap();
        write_as_other_process(&file, move |tx| {
            let mut draft = tx.find_addon(addon)?.unwrap().draft;
            draft.enabled = false;
            Ok(tx.replace_addon(addon, &draft)?)
        })
        .await;
    }
    let second = app_on(&file).await;
    create(&second, &plain("meanwhile")).await;
    second.send(Method::DELETE, &format!("{ADDONS}/{}", addons[1]), &[], "").await;
    set_enabled(&second, addons[0], true).await;
    create(&second, &plain("after")).await;
    let endings = wait_for_deliveries(&second, 2).await;
    assert!(endings.iter().all(|ending| ending[1]["id"] == addons[0]), "{endings:?}");
    let names: Vec<_> = wait_for_requests(&kept, 2)
        .await
        .iter()
        .map(|(_, body)| json_of(body)["data"]["name"].take())
        .collect();
    assert_eq!(names, ["before", "after"]);
    assert!(dropped.requests().is_empty());
}

#[actix_web::test]
async fn entering_the_secret_again_repairs_a_lost_key() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let key = folder.path().join("flags.db.key");
    let stub = Stub::start(status(200)).await;
    let app = app_on(&file).await;
    let id = webhook(&app, &stub.url).await;
    let right = fs::read(&key).unwrap();
    fs::remove_file(&key).unwrap();
    create(&app, &plain("missing")).await;
    wait_for_deliveries(&app, 1).await;
    fs::write(&key, [7; 32]).unwrap();
    create(&app, &plain("wrong")).await;
    wait_for_deliveries(&app, 2).await;
    fs::write(&key, right).unwrap();
    create(&app, &plain("right")).await;
    wait_for_deliveries(&app, 3).await;
    fs::write(&key, [7; 32]).unwrap();
    let mut addon = app.get(&format!("{ADDONS}/{id}")).await.json();
    assert_eq!(addon["parameters"]["url"], "*****", "reading an addon does not need the key");
    addon["parameters"]["url"] = json!(stub.url);
    assert_empty(&app.send(Method::PUT, &format!("{ADDONS}/{id}"), &[JSON], &addon.to_string()).await);
    create(&app, &plain("mended")).await;
    let endings = wait_for_deliveries(&app, 4).await;
    let reasons: Vec<_> =
        endings.iter().map(|ending| ending[1]["reason"].as_str().unwrap_or("none")).collect();
    assert!(reasons[0].starts_with("The key file flags.db.key is missing"), "{reasons:?}");
    assert!(reasons[1].contains("cannot be decrypted with the key file flags.db.key"), "{reasons:?}");
    assert_eq!(reasons[2..], ["none", "none"]);
}
