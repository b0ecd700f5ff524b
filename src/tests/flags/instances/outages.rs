//! Instances while PostgreSQL is stopped, restarted, full or unreachable.

use std::collections::HashSet;
use std::fs::{self, File, Permissions};
use std::io::Write as _;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use actix_web::http::{Method, StatusCode};
use actix_web::rt::task::spawn_blocking;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::load::{
    Load, Outcome, Requests, UNCONFIRMED, assert_unavailable, create_everywhere, is_current, polls,
    process_arguments, reads, start_process, switches,
};
use super::{CLIENT, STALE, contains, poll, start_instances, wait_until};
use crate::flags::{FEATURES, create, plain};
use crate::support::app::TestApp;
use crate::support::binary::{Binary, Wire, flagdeck};
use crate::support::engine::{copy_unreachable, replace_unreachable, set_reachable};
use crate::support::events::EventReader;
use crate::support::postgres_server::{self, END_SESSIONS, Server};
use crate::support::skip::skipped;

/// Returns the seconds for which the server is stopped under load, less than a minute without `make postgres`.
fn outage() -> u64 {
    std::env::var("FLAGDECK_TEST_OUTAGE").map_or(2, |seconds| seconds.parse().unwrap())
}

/// Starts a process that also listens on a port for monitoring, and returns this port.
fn start_monitored(server: &Server, folder: &Path) -> (Binary, u16) {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = server.url();
    let arguments = ["--admin-listen", &port.to_string()];
    let mut command = flagdeck();
    command.args(arguments).args(process_arguments(&url)).arg(folder.join("key"));
    (Binary::started(&mut command), port)
}

#[test]
#[ignore = "needs PostgreSQL"]
fn instances_recover_after_the_server_was_stopped_under_load() {
    let (mut server, folder) = (Server::start("off"), tempfile::tempdir().unwrap());
    let started = [(); 3].map(|()| start_monitored(&server, folder.path()));
    let monitoring = started.each_ref().map(|(_, port)| *port);
    let instances = started.map(|(instance, _)| instance);
    create_everywhere(&instances, "probe");
    let [sdks, readers, editors] =
        [polls, reads, switches].map(|requests: Requests| Load::start_on(&instances, requests));
    let loads = || sdks.iter().chain(&readers).chain(&editors);
    for load in loads() {
        load.wait_for(20, is_current);
    }
    server.control("stop -m immediate");
    let seconds = outage();
    for sdk in &sdks {
        sdk.wait_for(20, |outcome| outcome.age >= Some(seconds));
    }
    for load in readers.iter().chain(&editors) {
        load.wait_for(20, |outcome| outcome.code == "storage_unreachable");
    }
    for port in monitoring {
        assert_eq!(Wire::connect(port).unwrap().send("GET", "/readyz", "").unwrap().0, 200);
    }
    server.control("start");
    for load in loads() {
        load.wait_for(20, is_current);
    }
    for outcomes in sdks.map(Load::end) {
        let failure = outcomes.iter().find(|outcome| outcome.status != 200);
        assert!(failure.is_none(), "{failure:?}");
        let is_stale = |outcome: &Outcome| outcome.age.is_some();
        // In the first moments, a commit that the server confirmed before it stopped can be reported after a read that failed.
        let first = outcomes.iter().position(|outcome| outcome.age >= Some(1)).unwrap();
        let last = outcomes.iter().rposition(|outcome| outcome.age >= Some(seconds)).unwrap();
        assert!(outcomes[first..=last].iter().all(is_stale), "all responses of the outage state their age");
    }
    for reader in readers {
        assert_unavailable(&reader.end(), &["storage_unreachable"]);
    }
    for editor in editors {
        let outcomes = editor.end();
        assert_unavailable(&outcomes, &["storage_unreachable", UNCONFIRMED]);
        let unconfirmed = outcomes.iter().filter(|outcome| outcome.code == UNCONFIRMED).count();
        assert!(unconfirmed <= 1, "{unconfirmed}");
    }
    create_everywhere(&instances, "after");
}

#[test]
#[ignore = "needs PostgreSQL"]
fn at_most_one_request_of_a_connection_fails_in_a_restart_of_the_server() {
    let (mut server, folder) = (Server::start("off"), tempfile::tempdir().unwrap());
    let instances = [(); 2].map(|()| start_process(&server.url(), folder.path()));
    create_everywhere(&instances, "probe");
    let loads = [polls, reads, switches].map(|requests: Requests| Load::start_on(&instances, requests));
    let loads: Vec<_> = loads.into_iter().flatten().collect();
    let wait_for_successes = || {
        for load in &loads {
            load.wait_for(20, |outcome| outcome.status == 200);
        }
    };
    for restart in 1..=2 {
        wait_for_successes();
        server.control("restart -m fast");
        wait_for_successes();
        assert_ne!(postgres_server::run_sql(&server.url(), END_SESSIONS), "0", "{restart}");
    }
    wait_for_successes();
    for load in loads {
        let outcomes = load.end();
        assert_unavailable(&outcomes, &["storage_unreachable", UNCONFIRMED]);
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
#[ignore = "needs PostgreSQL"]
fn full_disk_of_the_server_loses_no_data() {
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
    let instance = start_process(&url, folder.path());
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

/// A server that hangs accepts connections, in contrast to one that has ended.
#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn hanging_server_delays_no_probe_and_does_not_move_the_end_of_a_hold() {
    let server = Server::start("off");
    let url = server.url();
    let app = TestApp::with(&["--data", &url, "--admin-listen", "0"]).await;
    let monitoring = TestApp::at(app.admin_port.unwrap());
    app.send(Method::GET, CLIENT, &[("unleash-client-spec", "5.2.0")], "").await;
    let mut toggle = plain("shop.pay");
    toggle["enabled"] = json!(true);
    create(&app, &toggle).await;
    // A client library that does not understand lists of segments. The other format was last read before.
    let current = app.get(CLIENT).await;
    assert!(current.body.contains("shop.pay"), "{}", current.body);
    server.suspend();
    let start_time = Instant::now();
    for _ in 0..50 {
        assert_eq!(monitoring.get("/readyz").await.status, StatusCode::OK);
    }
    assert!(start_time.elapsed() < Duration::from_secs(2), "{:?}", start_time.elapsed());
    let draft = json!({ "toggle": "shop.pay", "reason": "INC-42", "seconds": 600 });
    let held = app.post("/-/holds", &draft).await;
    assert_eq!(held.json()["hold"]["isStored"], json!(false), "{}", held.body);
    // If the list has changed and was not read again, it waits until the hang is detected (4 s), and then for the storage of the hold.
    assert!(start_time.elapsed() < Duration::from_secs(8), "{:?}", start_time.elapsed());
    wait_until(async || contains(&monitoring, "/metrics", "flagdeck_database_stale 1\n").await).await;
    wait_until(async || {
        let refused = app.post(FEATURES, &plain("during")).await;
        refused.json()["code"] == "storage_unreachable"
    })
    .await;
    server.resume();
    let is_stored = async || app.get("/-/holds").await.json()["holds"][0]["isStored"] == true;
    wait_until(is_stored).await;
    let other = TestApp::with(&["--data", &url]).await;
    let end = |hold: &Value| hold["expires"].as_str().unwrap().parse::<Timestamp>().unwrap().as_second();
    let shared = other.get("/-/holds").await.json()["holds"][0].clone();
    let difference = end(&shared) - end(&held.json()["hold"]);
    assert!(difference.abs() <= 1, "the other instance ends the hold {difference} s later");
}

/// The toggles have changed, so that they are read again, and the server stops to respond during that.
#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn sdks_do_not_wait_for_the_end_of_a_read_that_hangs() {
    let server = Server::start("off");
    let url = server.url();
    let app = TestApp::with(&["--data", &url]).await;
    create(&app, &plain("probe")).await;
    let current = app.get(CLIENT).await;
    assert!(current.body.contains("probe"), "{}", current.body);
    let mut lock = postgres_server::psql(&url);
    let mut statements = lock.stdin.take().unwrap();
    statements.write_all(b"BEGIN; LOCK TABLE toggles IN ACCESS EXCLUSIVE MODE;\n").unwrap();
    // On another thread: the background tasks of the app run on this one.
    let has_lock = async |mode: &str, is_granted: bool| {
        let sql =
            format!("SELECT count(*) > 0 FROM pg_locks WHERE mode = '{mode}' AND granted = {is_granted}");
        let url = url.clone();
        spawn_blocking(move || postgres_server::run_sql(&url, &sql) == "t").await.unwrap()
    };
    wait_until(async || has_lock("AccessExclusiveLock", true).await).await;
    let other = json!({ "name": "team", "description": "", "icon": "" });
    assert_eq!(app.post("/api/admin/tag-types", &other).await.status, StatusCode::CREATED);
    let hang = async {
        wait_until(async || has_lock("AccessShareLock", false).await).await;
        server.suspend();
        Instant::now()
    };
    let (stale, start_time) = tokio::join!(app.get(CLIENT), hang);
    assert_eq!((stale.status, &stale.body), (StatusCode::OK, &current.body));
    assert!(stale.header(STALE).parse::<u64>().is_ok(), "{:?}", stale.headers);
    // The server hangs longer than a statement waits.
    assert!(start_time.elapsed() < Duration::from_secs(10), "{:?}", start_time.elapsed());
    server.resume();
    drop(statements);
    lock.wait().unwrap();
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn sdks_get_toggles_from_memory_while_the_database_is_unreachable() {
    let (_folder, file, [first, second, third]) = start_instances(&[]).await;
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

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn streams_and_caches_follow_a_database_without_the_last_commits() {
    for new_commits in [false, true] {
        let (folder, file, [first, second, _third]) = start_instances(&[]).await;
        let standby = folder.path().join("standby.db");
        create(&first, &plain("kept")).await;
        set_reachable(&file, false);
        copy_unreachable(&file, &standby);
        set_reachable(&file, true);
        wait_until(async || first.post(FEATURES, &plain("lost")).await.status == StatusCode::CREATED).await;
        wait_until(async || contains(&second, CLIENT, "lost").await).await;
        let list = async || second.send(Method::GET, FEATURES, &[("accept-encoding", "gzip")], "").await;
        let (known_list, known_sdk) = (list().await, second.get(CLIENT).await);
        let mut stream = EventReader::open(&second, "/api/client/streaming", "").await;
        assert!(stream.next().await.unwrap().data.to_string().contains("lost"));

        // A failover: the new server does not know the last commit, and another one has its id and its number.
        set_reachable(&file, false);
        wait_until(async || !second.get(CLIENT).await.header(STALE).is_empty()).await;
        if new_commits {
            create(&TestApp::with(&["--data", standby.to_str().unwrap()]).await, &plain("new")).await;
        }
        replace_unreachable(&file, &standby);
        set_reachable(&file, true);

        let expected = if new_commits { "new" } else { "kept" };
        let is_current = |body: &str| body.contains(expected) && !body.contains("lost");
        wait_until(async || is_current(&second.get(CLIENT).await.body)).await;
        let event = stream.next().await.unwrap().data.to_string();
        assert!(event.contains(r#""featureName":"lost""#), "{event}");
        assert_eq!(event.contains(r#""name":"new""#), new_commits, "{event}");
        assert_ne!(second.get(CLIENT).await.header("etag"), known_sdk.header("etag"));
        assert_ne!(list().await.header("etag"), known_list.header("etag"));
        assert!(!contains(&second, FEATURES, "lost").await);
    }
}

#[test]
#[ignore = "needs PostgreSQL"]
fn each_fault_of_an_outage_is_logged_once_and_its_end_too() {
    let (mut server, folder) = (Server::start("off"), tempfile::tempdir().unwrap());
    let mut command = flagdeck();
    let url = server.url();
    let arguments = process_arguments(&url).map(|argument| if argument == "off" { "info" } else { argument });
    command.args(["--log-format", "json"]).args(arguments).arg(folder.path().join("key"));
    let log_file = folder.path().join("log");
    command.stderr(File::create(&log_file).unwrap());
    let mut instance = Binary::started(&mut command);
    let mut wire = instance.wire();
    let mut send = |method, path, body: &str| wire.send(method, path, body).unwrap().0;
    let report = json!({
        "appName": "shop", "instanceId": "i-1",
        "bucket": {
            "start": "2021-01-01T00:00:00Z", "stop": "2021-01-01T00:01:00Z",
            "toggles": { "unknown": { "yes": 1, "no": 1 } },
        },
    });
    // The tokens of SDKs are in memory afterwards.
    assert_eq!(send("POST", "/api/client/metrics", &report.to_string()), 202);
    server.control("stop -m immediate");
    while send("GET", FEATURES, "") != 503 {}
    for _ in 0..100 {
        assert_eq!(send("GET", FEATURES, ""), 503);
        assert_eq!(send("POST", FEATURES, &plain("probe").to_string()), 503);
        assert_eq!(send("POST", "/api/client/metrics", &report.to_string()), 202);
        assert_eq!(send("GET", "/health", ""), 500);
        assert_eq!(send("GET", "/api/admin/metrics/seen-apps", ""), 503);
    }
    server.control("start");
    let log = loop {
        send("GET", FEATURES, "");
        let log = fs::read_to_string(&log_file).unwrap();
        if log.contains("the database responds again") && log.ends_with('\n') {
            break log;
        }
    };
    instance.kill();
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    // Without the lines of requests, and without the notices of the server, which each session logs.
    let is_fault =
        |line: &Value| line["fields"]["message"] != "request" && line["fields"]["log.target"].is_null();
    let lines: Vec<Value> = lines.filter(is_fault).collect();
    let messages = lines.iter().map(|line| line["fields"]["message"].as_str().unwrap());
    for expected in
        ["the database cannot be used", "the database does not respond; SDKs get toggles from memory"]
    {
        assert_eq!(messages.clone().filter(|message| *message == expected).count(), 1, "{lines:#?}");
    }
    assert_eq!(messages.clone().filter(|message| *message == "the database responds again").count(), 1);
    let different: HashSet<&str> = messages.clone().collect();
    assert_eq!(different.len(), messages.count(), "each line once: {lines:#?}");
}
