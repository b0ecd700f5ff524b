//! Opens many event streams, and measures the memory of the server and the time until a change has reached all of them.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::Outcome;
use crate::connection::Connection;
use crate::fleet::max_open_files;
use crate::load::Figures;
use crate::server::Server;

const STREAMS: usize = 10_000;
/// The number of toggles. Their list has about 100 KB.
const TOGGLES: usize = 250;
/// The number of measured changes.
const CHANGES: usize = 10;
/// The number of streams that are opened at the same time.
const BATCH: usize = 200;
/// The number of other files that this process has open.
const OTHER_FILES: usize = 100;
/// Time after which a missing event is a failure.
const PATIENCE: Duration = Duration::from_mins(2);

/// Runs the measurements and returns a sentence with the results.
pub(crate) async fn run() -> Outcome<String> {
    let server = Server::flagdeck(TOGGLES).await?;
    let count = STREAMS.min(max_open_files().saturating_sub(OTHER_FILES));
    let request: Arc<[u8]> = server.request("GET", "/api/client/streaming", "", "").into();
    let (sender, mut events) = unbounded_channel();
    let mut streams = JoinSet::new();
    let memory_before = server.memory();
    for opened in 0..count {
        streams.spawn(receive(server.address, Arc::clone(&request), sender.clone()));
        if (opened + 1).is_multiple_of(BATCH) || opened + 1 == count {
            let batch = opened % BATCH + 1;
            await_events(&mut events, batch).await?;
        }
    }
    let memory = server.memory();
    let (mut connection, mut times) = (Connection::open(server.address).await?, Vec::new());
    for change in 0..CHANGES {
        let (name, state) = (crate::toggles::name(0), if change.is_multiple_of(2) { "off" } else { "on" });
        let path = format!("/api/admin/features/{name}/toggle/{state}");
        let start = Instant::now();
        let status = connection.exchange(&server.request("POST", &path, "", "")).await?.status;
        if status != 200 {
            return Err(format!("the change failed: {status}").into());
        }
        let received = await_events(&mut events, count).await?;
        times.extend(received.into_iter().map(|time| time.duration_since(start)));
    }
    let after = server.memory();
    let slowest = times.iter().max().copied().unwrap_or_default();
    let Figures { p50, p99, .. } = Figures::new(times, Duration::from_secs(1));
    Ok(format!(
        "{count} open event streams with {TOGGLES} toggles use {} MB ({} MB before them, {} MB after {CHANGES} changes).\n\
         A change reaches them after {:.0} ms (p50), {:.0} ms (p99), {:.0} ms (all).",
        memory >> 10,
        memory_before >> 10,
        after >> 10,
        p50.as_secs_f64() * 1_000.0,
        p99.as_secs_f64() * 1_000.0,
        slowest.as_secs_f64() * 1_000.0,
    ))
}

/// Waits until all streams have received an event. Returns the times.
async fn await_events(events: &mut UnboundedReceiver<Instant>, count: usize) -> Outcome<Vec<Instant>> {
    let mut times = Vec::with_capacity(count);
    while times.len() < count {
        let event = timeout(PATIENCE, events.recv()).await?;
        times.push(event.ok_or("all streams have ended")?);
    }
    Ok(times)
}

/// Opens a stream, and reports the time at which each event is complete.
async fn receive(
    address: SocketAddr,
    request: Arc<[u8]>,
    events: UnboundedSender<Instant>,
) -> io::Result<()> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(&request).await?;
    let (mut bytes, mut last) = ([0; 4_096], [0; 3]);
    loop {
        let length = stream.read(&mut bytes).await?;
        if length == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        for &byte in bytes.iter().take(length) {
            // JSON in one line contains no line break: an empty line is the end of an event, or of a comment.
            last = [last[1], last[2], byte];
            if last.ends_with(b"\n\n") {
                if last != *b":\n\n" && events.send(Instant::now()).is_err() {
                    return Ok(());
                }
                last = [0; 3];
            }
        }
    }
}
