//! The end of streams at the shutdown.

use std::time::Duration;

use serde_json::json;
use tokio::task::yield_now;
use tokio::time::timeout;

use super::limits::large;
use super::{SPECIFICATION, STREAMING};
use crate::sdk::{create, everyone};
use crate::support::app::TestApp;
use crate::support::events::EventReader;

const STREAMS: usize = 60;

#[actix_web::test]
async fn shutdown_closes_streams_one_after_the_other() {
    let app = TestApp::with(&["--data", ":memory:", "--shutdown-timeout", "2s"]).await;
    create(&app, "first", everyone(), json!({})).await;
    let mut streams = Vec::new();
    for _ in 0..STREAMS {
        let mut stream = EventReader::open(&app, STREAMING, SPECIFICATION).await;
        stream.next().await.unwrap();
        streams.push(stream);
    }
    let ended = actix_web::rt::spawn(app.stop());
    // The numbers of open streams that were seen, each once.
    let mut open = vec![STREAMS];
    while open.last() != Some(&0) {
        streams.retain_mut(|stream| !stream.has_ended());
        if open.last() != Some(&streams.len()) {
            open.push(streams.len());
        }
        yield_now().await;
    }
    assert!(open.len() > 5, "{open:?}");
    ended.await.unwrap();
}

#[actix_web::test]
async fn client_that_does_not_read_does_not_prolong_the_shutdown() {
    let app = TestApp::adjusted(&["--data", ":memory:", "--shutdown-timeout", "1s"], |config| {
        config.limits.write_timeout = Duration::from_hours(24);
    })
    .await;
    for number in 0..50 {
        create(&app, &format!("toggle.{number}"), large(), json!({})).await;
    }
    let slow = EventReader::open_slow(&app, STREAMING, SPECIFICATION).await;
    timeout(Duration::from_secs(30), app.stop()).await.expect("the program does not end");
    drop(slow);
}
