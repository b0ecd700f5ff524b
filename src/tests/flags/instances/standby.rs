//! Instances and a read-only server: a standby, or a server with such a setting.

use std::path::Path;
use std::process::Output;

use actix_web::http::StatusCode;

use super::load::{
    Load, Requests, UNCONFIRMED, assert_unavailable, create_everywhere, is_current, polls, process_arguments,
    reads, start_process, switches,
};
use super::{CLIENT, STALE, contains, start_instances, wait_until};
use crate::flags::moving::to_text;
use crate::flags::{FEATURES, create, plain};
use crate::support::app::TestApp;
use crate::support::binary::{flagdeck, output_of};
use crate::support::engine::{postgres_database, run_sql};
use crate::support::postgres_server::{self, END_SESSIONS, Server};

const READ_ONLY: &str = "storage_read_only";

fn check(url: &str, key: &Path) -> Output {
    flagdeck().args(["check"]).args(process_arguments(url)).arg(key).output().unwrap()
}

/// Checks that the server does not start on a read-only database, and that its error names the cause and the remedy.
fn assert_start_is_refused(url: &str, key: &Path) {
    let output = output_of(flagdeck().args(process_arguments(url)).arg(key));
    let said = to_text(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b""[..]), "{said}");
    for expected in [
        "data: the database postgres:///",
        "the database server is read-only",
        "set data to the primary server",
    ] {
        assert!(said.contains(expected), "{expected} in {said}");
    }
}

#[test]
#[ignore = "needs PostgreSQL"]
fn standby_is_refused_at_the_start() {
    let (primary, folder) = (Server::start("off"), tempfile::tempdir().unwrap());
    let key = folder.path().join("key");
    drop(start_process(&primary.url(), folder.path()));
    let standby = primary.start_standby();
    assert_start_is_refused(&standby.url(), &key);
    let checked = check(&standby.url(), &key);
    let said = to_text(&checked.stdout);
    assert!(said.contains("FAIL  server: read-only standby, clock differs by "), "{said}");
    assert!(said.contains("set data to the primary server"), "{said}");
    assert_eq!(checked.status.code(), Some(1), "{said}");
    // With both addresses, the primary server is used.
    let hosts = format!("{},{}", standby.folder.display(), primary.folder.display()).replace('/', "%2F");
    let both = format!("postgres://flags@{hosts}/postgres");
    let checked = check(&both, &key);
    let said = to_text(&checked.stdout);
    assert!(checked.status.success() && said.contains("server: primary server, "), "{said}");
    create_everywhere(&[start_process(&both, folder.path())], "probe");
}

#[test]
#[ignore = "needs PostgreSQL"]
fn instances_recover_after_a_standby_at_the_address_was_promoted() {
    let (mut primary, folder) = (Server::start("off"), tempfile::tempdir().unwrap());
    let url = primary.url();
    let instances = [(); 2].map(|()| start_process(&url, folder.path()));
    create_everywhere(&instances, "probe");
    let mut standby = primary.start_standby();
    let [sdks, readers, editors] =
        [polls, reads, switches].map(|requests: Requests| Load::start_on(&instances, requests));
    let loads = || sdks.iter().chain(&readers).chain(&editors);
    for load in loads() {
        load.wait_for(20, is_current);
    }
    // The standby gets the last changes before the end of the primary server, and then its address.
    primary.control("stop -m fast");
    standby.control(&format!("restart -o -k{}", primary.folder.display()));
    for sdk in &sdks {
        sdk.wait_for(20, |outcome| outcome.age >= Some(1));
    }
    for load in readers.iter().chain(&editors) {
        load.wait_for(20, |outcome| outcome.code == READ_ONLY);
    }
    assert_eq!(postgres_server::run_sql(&url, "SELECT pg_is_in_recovery()"), "t");
    assert_eq!(postgres_server::run_sql(&url, "SELECT pg_promote()"), "t");
    for load in loads() {
        load.wait_for(20, is_current);
    }
    for sdk in sdks {
        assert_unavailable(&sdk.end(), &[]);
    }
    for load in readers.into_iter().chain(editors) {
        assert_unavailable(&load.end(), &["storage_unreachable", UNCONFIRMED, READ_ONLY]);
    }
    create_everywhere(&instances, "after");
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn read_only_setting_refuses_writes_and_starts() {
    let (_folder, file, [first, second, _third]) = start_instances(&[]).await;
    create(&first, &plain("before")).await;
    for app in [&first, &second] {
        wait_until(async || contains(app, CLIENT, "before").await).await;
    }
    let (url, key) = postgres_database(file.to_str().unwrap());
    let name = url.strip_prefix("postgres:///").unwrap().split('?').next().unwrap();
    run_sql(&file, &format!("ALTER DATABASE {name} SET default_transaction_read_only = on; {END_SESSIONS}"));

    for app in [&first, &second] {
        wait_until(async || !app.get(CLIENT).await.header(STALE).is_empty()).await;
        let stale = app.get(CLIENT).await;
        assert!(stale.status == StatusCode::OK && stale.body.contains("before"), "{}", stale.body);
    }
    let refused = second.post(FEATURES, &plain("during")).await;
    let code = (refused.status, refused.header("x-flagdeck-error"), refused.header("retry-after"));
    assert_eq!(code, (StatusCode::SERVICE_UNAVAILABLE, READ_ONLY, "1"), "{}", refused.body);
    assert!(refused.body.contains("default_transaction_read_only"), "{}", refused.body);
    let monitoring = TestApp::at(second.admin_port.unwrap());
    assert!(contains(&monitoring, "/metrics", "flagdeck_database_stale 1\n").await);
    assert_eq!(monitoring.get("/readyz").await.status, StatusCode::OK);
    assert_start_is_refused(&url, Path::new(&key));
    let checked = check(&url, Path::new(&key));
    let said = to_text(&checked.stdout);
    assert!(said.contains("FAIL  server: primary server, "), "{said}");
    assert!(said.contains("default_transaction_read_only is on"), "{said}");

    let reset = format!("SET default_transaction_read_only = off; ALTER DATABASE {name} RESET ALL");
    run_sql(&file, &reset);
    wait_until(async || second.post(FEATURES, &plain("after")).await.status == StatusCode::CREATED).await;
    // The other instance recovers without a write of its own.
    wait_until(async || contains(&first, CLIENT, "after").await).await;
    wait_until(async || first.get(CLIENT).await.header(STALE).is_empty()).await;
}
