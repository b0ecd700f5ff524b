//! Durability: the process is killed repeatedly during writes.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use serde_json::{Value, json};

use super::{FEATURES, plain};
use crate::support::binary::{Binary, Wire};
use crate::support::engine::{is_postgres, rounds};

/// The number of connections that write concurrently.
const WRITERS: usize = 4;

/// The knowledge of one writer: the last acknowledged state of its toggle, the state that may or may not have been
/// written, and the number of its acknowledged toggles.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    enabled: bool,
    attempted: bool,
    created: usize,
}

#[test]
fn completed_writes_survive_a_kill() {
    let kills = rounds("FLAGDECK_TEST_KILLS", 40);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let mut binary = Binary::on(&file);
    let mut wire = binary.wire();
    for writer in 0..WRITERS {
        assert_eq!(wire.send("POST", FEATURES, &plain(&name(writer)).to_string()).unwrap().0, 201);
    }
    let mut known = [Known::default(); WRITERS];
    for round in 0..kills {
        known = kill_while_writing(&mut binary, known, 1 + round % 13);
        binary = Binary::on(&file);
        known = verify_writes(&mut binary.wire(), known, round);
    }
    binary.kill();
    if !is_postgres() {
        assert_eq!(check_integrity(&file), "ok");
    }
    assert!(known.iter().map(|known| known.created).sum::<usize>() > kills / 4, "{known:?}");
}

fn name(writer: usize) -> String {
    format!("toggle-{writer}")
}

/// Runs all writers, and kills the process as soon as `enough` writes were acknowledged.
fn kill_while_writing(binary: &mut Binary, known: [Known; WRITERS], enough: usize) -> [Known; WRITERS] {
    let acknowledged = Arc::new(AtomicUsize::new(0));
    let (reached, wait) = mpsc::channel();
    let writers: Vec<_> = known
        .into_iter()
        .enumerate()
        .map(|(writer, known)| {
            let (mut wire, acknowledged, reached) =
                (binary.wire(), Arc::clone(&acknowledged), reached.clone());
            thread::spawn(move || {
                write_until_killed(&mut wire, writer, known, || {
                    if acknowledged.fetch_add(1, Ordering::Relaxed) + 1 == enough {
                        reached.send(()).unwrap();
                    }
                })
            })
        })
        .collect();
    wait.recv().unwrap();
    binary.kill();
    let after: Vec<_> = writers.into_iter().map(|writer| writer.join().unwrap()).collect();
    after.try_into().unwrap()
}

fn write_until_killed(wire: &mut Wire, writer: usize, mut known: Known, mut count: impl FnMut()) -> Known {
    loop {
        known.attempted = !known.enabled;
        let action = if known.attempted { "on" } else { "off" };
        let path = format!("{FEATURES}/{}/toggle/{action}", name(writer));
        let Some((status, _)) = wire.send("POST", &path, "") else { return known };
        assert_eq!(status, 200);
        known.enabled = known.attempted;
        count();
        let new = plain(&format!("{}.{}", name(writer), known.created)).to_string();
        let Some((status, _)) = wire.send("POST", FEATURES, &new) else { return known };
        assert_eq!(status, 201);
        known.created += 1;
        count();
    }
}

/// Checks that the restarted process has all acknowledged writes. Returns the actual state.
fn verify_writes(wire: &mut Wire, mut known: [Known; WRITERS], round: usize) -> [Known; WRITERS] {
    let features = wire.send("GET", FEATURES, "").unwrap().1["features"].take();
    let toggles: BTreeMap<&str, &Value> = features
        .as_array()
        .unwrap()
        .iter()
        .map(|toggle| (toggle["name"].as_str().unwrap(), toggle))
        .collect();
    for (writer, known) in known.iter_mut().enumerate() {
        let name = name(writer);
        let enabled = toggles[name.as_str()]["enabled"].as_bool().unwrap();
        assert!(enabled == known.enabled || enabled == known.attempted, "{name} in round {round}: {known:?}");
        let newest =
            wire.send("GET", &format!("/api/admin/events/{name}"), "").unwrap().1["events"][0].take();
        assert_eq!(newest["data"]["enabled"], enabled, "{name} and its newest event in round {round}");
        let own = toggles.keys().filter(|key| key.starts_with(&format!("{name}."))).count();
        assert!(
            (known.created..=known.created + 1).contains(&own),
            "{name} in round {round}: {known:?}, {own}"
        );
        *known = Known { enabled, attempted: enabled, created: own };
        if let Some(last) = own.checked_sub(1) {
            let path = format!("/api/admin/events/{name}.{last}");
            assert_eq!(wire.send("GET", &path, "").unwrap().1["events"][0]["type"], json!("feature-created"));
        }
    }
    known
}

fn check_integrity(file: &Path) -> String {
    let database = rusqlite::Connection::open(file).unwrap();
    database.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap()
}
