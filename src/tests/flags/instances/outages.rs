//! Instances while PostgreSQL is stopped, restarted, full or unreachable.

use std::fs::{self, File, Permissions};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Instant;

use actix_web::http::StatusCode;
use serde_json::json;

use super::load::{Load, Outcome};
use super::{CLIENT, STALE, contains, poll, start_instances, wait_until};
use crate::flags::postgres::database;
use crate::flags::{FEATURES, create, plain};
use crate::support::app::TestApp;
use crate::support::binary::{Binary, Wire, flagdeck};
use crate::support::engine::set_reachable;
use crate::support::events::EventReader;
use crate::support::postgres_server::{self, Server};
use crate::support::skip::skipped;
use crate::support::watched::MAX_WAIT;

/// Starts a process on the database of a server of its own.
fn start_process(server: &Server, folder: &Path) -> Binary {
    let (url, key) = (server.url(), folder.join("key"));
    let arguments = ["--listen", "127.0.0.1:0", "--log-level", "off", "--data", &url, "--data-key"];
    Binary::started(flagdeck().args(arguments).arg(key))
}

/// Returns the requests of a client that reads toggles like an SDK.
fn polls(_number: usize) -> (&'static str, String) {
    ("GET", CLIENT.to_owned())
}

/// Returns the requests of a client that switches a toggle on and off.
fn switches(number: usize) -> (&'static str, String) {
    let action = if number.is_multiple_of(2) { "on" } else { "off" };
    ("POST", format!("{FEATURES}/probe/toggle/{action}"))
}

fn is_current(outcome: &Outcome) -> bool {
    outcome.status == 200 && outcome.age.is_none()
}

/// Creates a toggle on an instance, and waits until the SDK responses of all instances contain it.
fn create_everywhere(instances: &[Binary], name: &str) {
    let created = instances[0].wire().send("POST", FEATURES, &plain(name).to_string()).unwrap();
    assert_eq!(created.0, 201, "{}", created.1);
    let deadline = Instant::now() + MAX_WAIT;
    for instance in instances {
        let mut wire = instance.wire();
        while !wire.send("GET", CLIENT, "").unwrap().1.to_string().contains(name) {
            assert!(Instant::now() < deadline, "{name} is not in the SDK response");
        }
    }
}

#[test]
fn instances_recover_after_the_server_was_stopped_under_load() {
    if database().is_none() {
        return;
    }
    let (mut server, folder) = (Server::start("off"), tempfile::tempdir().unwrap());
    let instances = [(); 3].map(|()| start_process(&server, folder.path()));
    create_everywhere(&instances, "probe");
    let sdks = instances.each_ref().map(|instance| Load::start(instance.port, polls));
    let editors = instances.each_ref().map(|instance| Load::start(instance.port, switches));
    for load in sdks.iter().chain(&editors) {
        load.wait_for(20, is_current);
    }
    server.control("stop -m immediate");
    for sdk in &sdks {
        sdk.wait_for(20, |outcome| outcome.age >= Some(1));
    }
    for editor in &editors {
        editor.wait_for(20, |outcome| outcome.code == "storage_unreachable");
    }
    server.control("start");
    for load in sdks.iter().chain(&editors) {
        load.wait_for(20, is_current);
    }
    for outcome in sdks.into_iter().flat_map(Load::end) {
        assert_eq!(outcome.status, 200, "{outcome:?}");
    }
    for editor in editors {
        let failures: Vec<_> = editor.end().into_iter().filter(|outcome| outcome.status != 200).collect();
        let known = ["storage_unreachable", "storage_unconfirmed"];
        assert!(
            failures.iter().all(|outcome| outcome.status == 503 && known.contains(&outcome.code.as_str())),
            "{failures:?}"
        );
        let unconfirmed = failures.iter().filter(|outcome| outcome.code == known[1]).count();
        assert!(unconfirmed <= 1, "{failures:?}");
    }
    create_everywhere(&instances, "after");
}

#[test]
fn at_most_one_request_of_a_connection_fails_in_a_restart_of_the_server() {
    if database().is_none() {
        return;
    }
    let (mut server, folder) = (Server::start("off"), tempfile::tempdir().unwrap());
    let instances = [(); 2].map(|()| start_process(&server, folder.path()));
    create_everywhere(&instances, "probe");
    let reads = |_number| ("GET", FEATURES.to_owned());
    let loads: Vec<_> = instances
        .iter()
        .flat_map(|instance| {
            [
                Load::start(instance.port, reads),
                Load::start(instance.port, switches),
                Load::start(instance.port, polls),
            ]
        })
        .collect();
    let wait_for_successes = || {
        for load in &loads {
            load.wait_for(20, |outcome| outcome.status == 200);
        }
    };
    for restart in 1..=2 {
        wait_for_successes();
        server.control("restart -m fast");
        wait_for_successes();
        let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid()";
        assert_ne!(postgres_server::run_sql(&server.url(), end), "0", "{restart}");
    }
    wait_for_successes();
    for load in loads {
        let outcomes = load.end();
        let has_failed = |outcome: &Outcome| outcome.status != 200;
        let repeated = outcomes.windows(2).find(|pair| pair.iter().all(has_failed));
        assert!(repeated.is_none(), "{repeated:?}");
        assert!(
            outcomes.iter().filter(|&outcome| has_failed(outcome)).count() <= 4,
            "one in each interruption"
        );
    }
}

#[test]
fn full_disk_of_the_server_loses_no_data() {
    if database().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // PostgreSQL runs as another user.
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let disk = folder.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let Some(server) = Server::with_small_disk(&disk) else {
        return skipped("this user may not mount a file system; a full disk of PostgreSQL is not tested");
    };
    // A database in the root of the file system is refused.
    let sql = format!("CREATE TABLESPACE small LOCATION '{}'", disk.display());
    postgres_server::run_sql(&server.url(), &sql);
    postgres_server::run_sql(&server.url(), "CREATE DATABASE small TABLESPACE small");
    let url = server.url().replace("/postgres?", "/small?");
    let key = folder.path().join("key");
    let arguments = ["--listen", "127.0.0.1:0", "--log-level", "off", "--data", &url, "--data-key"];
    let instance = Binary::started(flagdeck().args(arguments).arg(key));
    let mut wire = instance.wire();
    let filler = server.path_of(&disk.join("filler"));
    File::create(&filler).unwrap().write_all(&vec![0; 4 << 20]).unwrap();
    let large = |number: u32| {
        // Random text, because PostgreSQL compresses large values.
        let mut random = number;
        let digits = (0..100_000).map(|_| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from_digit(random >> 28, 16).unwrap()
        });
        let mut toggle = plain(&format!("heavy-{number}"));
        toggle["description"] = json!(digits.collect::<String>());
        toggle.to_string()
    };
    let mut created = 0_u32;
    let refusal = loop {
        let (status, response) = wire.send("POST", FEATURES, &large(created)).unwrap();
        if status != 201 {
            break (status, response["code"].as_str().unwrap().to_owned());
        }
        created += 1;
        assert!(created < 1000, "it never gets full");
    };
    assert_eq!(refusal, (507, "storage_full".to_owned()));
    let count = |wire: &mut Wire, path| -> (u16, u32) {
        let (status, response) = wire.send("GET", path, "").unwrap();
        (status, response["features"].as_array().unwrap().len().try_into().unwrap())
    };
    assert_eq!(count(&mut wire, FEATURES), (200, created));
    assert_eq!(count(&mut wire, CLIENT), (200, created));
    fs::remove_file(&filler).unwrap();
    assert_eq!(wire.send("POST", FEATURES, &large(created)).unwrap().0, 201);
    assert_eq!(count(&mut wire, FEATURES), (200, created + 1));
}

#[actix_web::test]
async fn sdks_get_toggles_from_memory_while_the_database_is_unreachable() {
    let Some((_folder, file, [first, second, third])) = start_instances(&[]).await else { return };
    let token = first.post("/api/admin/api-tokens", &json!({ "name": "probe", "kind": "client" })).await;
    let secret = token.json()["secret"].as_str().unwrap().to_owned();
    create(&first, &plain("before")).await;
    for app in [&second, &third] {
        wait_until(async || poll(app, &secret, "").await.body.contains("before")).await;
        wait_until(async || poll(app, "unknown", "").await.status == StatusCode::UNAUTHORIZED).await;
    }
    let monitoring = TestApp::at(second.admin_port.unwrap());
    assert!(contains(&monitoring, "/metrics", "flagdeck_database_stale 0\n").await);

    set_reachable(&file, false);
    for app in [&second, &third] {
        wait_until(async || !poll(app, &secret, "").await.header(STALE).is_empty()).await;
        let stale = poll(app, &secret, "").await;
        assert_eq!(stale.status, StatusCode::OK);
        assert!(stale.body.contains("before"), "{}", stale.body);
        assert_eq!(stale.header("age"), stale.header(STALE));
        let unchanged = poll(app, &secret, stale.header("etag")).await;
        assert_eq!(unchanged.status, StatusCode::NOT_MODIFIED);
        assert!(!unchanged.header(STALE).is_empty());
        assert_eq!(poll(app, "unknown", "").await.status, StatusCode::UNAUTHORIZED);
    }
    let mut stream =
        EventReader::open(&second, "/api/client/streaming", &format!("authorization: {secret}\r\n")).await;
    assert!(stream.next().await.unwrap().data.to_string().contains("before"));
    let refused = second.post(FEATURES, &plain("during")).await;
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE, "{}", refused.body);
    assert!(contains(&monitoring, "/metrics", "flagdeck_database_stale 1\n").await);
    assert_eq!(monitoring.get("/readyz").await.status, StatusCode::OK);

    set_reachable(&file, true);
    wait_until(async || first.post(FEATURES, &plain("after")).await.status == StatusCode::CREATED).await;
    for app in [&second, &third] {
        wait_until(async || poll(app, &secret, "").await.body.contains("after")).await;
        wait_until(async || poll(app, &secret, "").await.header(STALE).is_empty()).await;
    }
    assert!(stream.next().await.unwrap().data.to_string().contains("after"));
    assert!(contains(&monitoring, "/metrics", "flagdeck_database_stale 0\n").await);
}
