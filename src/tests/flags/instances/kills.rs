//! Instances are killed at random while others write.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::thread;

use actix_web::web::block;
use serde_json::{Value, json};

use crate::flags::postgres::database;
use crate::flags::{FEATURES, plain};
use crate::support::binary::{Binary, Wire};
use crate::support::engine::{rounds, run_sql};
use crate::support::stub::{Reply, Stub};
use crate::support::watched::Watched;

/// The number of clients that write concurrently.
const WRITERS: usize = 6;

/// The state that the writers and the test share.
#[derive(Default)]
struct Shared {
    ports: [AtomicU16; 3],
    acknowledged: Watched<usize>,
    has_ended: AtomicBool,
}

/// A client that sends its requests to any instance that responds.
struct Client<'s> {
    shared: &'s Shared,
    instance: usize,
    wire: Option<Wire>,
}

impl Client<'_> {
    /// Sends a request until a response arrives. Returns its status, and whether an earlier attempt may have succeeded.
    fn send(&mut self, path: &str, body: &str) -> (u16, bool) {
        let mut is_uncertain = false;
        loop {
            let port = self.shared.ports[self.instance % 3].load(Ordering::Relaxed);
            if self.wire.is_none() {
                self.wire = Wire::connect(port);
            }
            match self.wire.as_mut().and_then(|wire| wire.send("POST", path, body)) {
                Some((503, _)) => {}
                Some((status, _)) => return (status, is_uncertain),
                None => {
                    is_uncertain = true;
                    self.instance += 1;
                    self.wire = None;
                }
            }
        }
    }
}

/// Creates toggles and switches them on until the test ends. Returns the names of all that were acknowledged.
fn write(shared: &Shared, writer: usize) -> Vec<String> {
    let mut client = Client { shared, instance: writer, wire: None };
    let mut names = Vec::new();
    while !shared.has_ended.load(Ordering::Relaxed) {
        let name = format!("toggle-{writer}.{}", names.len());
        let (status, is_uncertain) = client.send(FEATURES, &plain(&name).to_string());
        assert!(status == 201 || (status == 409 && is_uncertain), "{name}: {status}");
        let (status, _) = client.send(&format!("{FEATURES}/{name}/toggle/on"), "");
        assert_eq!(status, 200, "{name}");
        names.push(name);
        shared.acknowledged.update(|count| *count += 1);
    }
    names
}

/// Kills instances at random while clients write. Returns the instances and the acknowledged toggles.
fn kill_at_random(file: &Path, mut instances: Vec<Binary>, kills: usize) -> (Vec<Binary>, BTreeSet<String>) {
    let shared = Arc::new(Shared::default());
    for (port, instance) in shared.ports.iter().zip(&instances) {
        port.store(instance.port, Ordering::Relaxed);
    }
    let writers = [(); WRITERS].map(|()| Arc::clone(&shared)).into_iter().enumerate();
    let writers: Vec<_> =
        writers.map(|(writer, shared)| thread::spawn(move || write(&shared, writer))).collect();
    let mut random = 1_u32;
    for _kill in 0..kills {
        // A linear congruential generator: each run has the same order.
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let [index, more] = [random >> 30, (random >> 27) & 7].map(|bits| usize::try_from(bits).unwrap());
        let enough = *shared.acknowledged.get() + 1 + more;
        shared.acknowledged.wait(|count| *count >= enough);
        instances[index % 3].kill();
        instances[index % 3] = Binary::on(file);
        shared.ports[index % 3].store(instances[index % 3].port, Ordering::Relaxed);
    }
    shared.has_ended.store(true, Ordering::Relaxed);
    let names = writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect();
    (instances, names)
}

/// Returns the events of the creation of toggles, oldest first: id and name.
fn list_created(file: &Path) -> Vec<(u64, String)> {
    let rows = run_sql(file, "SELECT id, entity_name FROM events WHERE type = 'feature-created' ORDER BY id");
    let event = |line: &str| {
        let (id, name) = line.split_once('|').unwrap();
        (id.parse().unwrap(), name.to_owned())
    };
    rows.lines().map(event).collect()
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn acknowledged_writes_and_deliveries_survive_kills() {
    let (_folder, file) = database();
    let kills = rounds("FLAGDECK_TEST_KILLS", 10);
    let reply = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    let stub = Stub::start(Reply::BytesThenEnd(reply.to_owned())).await;
    let instances: Vec<_> = (0..3).map(|_| Binary::on(&file)).collect();
    let addon = json!({
        "provider": "webhook", "enabled": true, "events": ["feature-created"],
        "parameters": { "url": stub.url },
    });
    let added = instances[0].wire().send("POST", "/api/admin/addons", &addon.to_string()).unwrap();
    assert_eq!(added.0, 201, "{}", added.1);
    let database = file.clone();
    let (instances, names) = block(move || kill_at_random(&database, instances, kills)).await.unwrap();
    let created = list_created(&file);
    let created_names: BTreeSet<_> = created.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(created.len(), created_names.len(), "each toggle is created once");
    for instance in &instances {
        let listed = instance.wire().send("GET", FEATURES, "").unwrap().1["features"].take();
        let toggles = listed.as_array().unwrap().iter();
        let states: BTreeMap<_, _> =
            toggles.map(|toggle| (toggle["name"].as_str().unwrap(), &toggle["enabled"])).collect();
        assert_eq!(states.keys().copied().collect::<BTreeSet<_>>(), created_names, "toggles and events");
        for name in &names {
            assert_eq!(states.get(name.as_str()), Some(&&json!(true)), "{name} is lost");
        }
    }
    for (id, _) in &created {
        let id = format!("\"id\":{id},");
        stub.wait_for(|request| request.contains(&id)).await;
    }
    let mut delivered: Vec<(u64, String)> = Vec::new();
    for request in stub.requests() {
        let body: Value = serde_json::from_str(request.split_once("\r\n\r\n").unwrap().1).unwrap();
        let event = (body["id"].as_u64().unwrap(), body["data"]["name"].as_str().unwrap().to_owned());
        if !delivered.contains(&event) {
            delivered.push(event);
        }
    }
    assert_eq!(delivered, created, "at least once, and in order");
}
