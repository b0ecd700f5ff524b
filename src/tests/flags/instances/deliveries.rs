//! The order of deliveries when instances are killed during one.

use serde_json::json;

use crate::flags::postgres::database;
use crate::flags::{FEATURES, plain};
use crate::support::binary::Binary;
use crate::support::engine::run_sql;
use crate::support::stub::{Reply, Stub};

const NAMES: [&str; 6] = ["toggle-0", "toggle-1", "toggle-2", "toggle-3", "toggle-4", "toggle-5"];

/// Sends a request to an instance that must create an item.
fn post(instance: &Binary, path: &str, body: &str) {
    let created = instance.wire().send("POST", path, body).unwrap();
    assert_eq!(created.0, 201, "{}", created.1);
}

/// Returns the names of the toggles in the received requests.
fn received(stub: &Stub) -> Vec<String> {
    let name = |request: &String| {
        let end = request.split("\"toggle-").nth(1)?.split('"').next()?;
        Some(format!("toggle-{end}"))
    };
    stub.requests().iter().map(|request| name(request).expect("no name of a toggle")).collect()
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn delivery_of_a_killed_instance_is_repeated_before_later_ones() {
    let (_folder, file) = database();
    let success = Reply::BytesThenEnd("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".to_owned());
    let silent_once = Stub::start(Reply::InTurn(vec![Reply::Silence, success.clone()])).await;
    let other = Stub::start(success).await;
    let mut instances = [(); 3].map(|()| Binary::on(&file));
    for stub in [&silent_once, &other] {
        let addon = json!({
            "provider": "webhook", "enabled": true, "events": ["feature-created"],
            "parameters": { "url": stub.url },
        });
        post(&instances[0], "/api/admin/addons", &addon.to_string());
    }
    for (name, instance) in NAMES.iter().zip(instances.iter().cycle()) {
        post(instance, FEATURES, &plain(name).to_string());
        // The deliveries to the other addon show that all instances look for due ones.
        other.wait_for(|request| request.contains(name)).await;
        silent_once.wait_for(|request| request.contains(NAMES[0])).await;
    }
    assert_eq!(received(&other), NAMES);
    assert_eq!(received(&silent_once), NAMES[..1], "the others wait for the first one");
    for instance in &mut instances {
        instance.kill();
    }
    // Otherwise the test would wait for the end of the lease.
    run_sql(&file, "UPDATE deliveries SET due_at = 0");
    let _instance = Binary::on(&file);
    silent_once.wait_for(|request| request.contains(NAMES[5])).await;
    assert_eq!(received(&silent_once), [&NAMES[..1], &NAMES].concat());
}
