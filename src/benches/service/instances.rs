//! Measures the time until a change on one of three instances on PostgreSQL is in the SDK responses of the others.

use std::path::Path;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tokio::time::sleep;

use crate::Outcome;
use crate::connection::Connection;
use crate::median::median;
use crate::postgres_server::Server as Database;
use crate::server::Server;

const CHANGES: usize = 100;
/// The number of toggles that the measured responses contain.
const TOGGLES: usize = 1_000;

/// Returns the result as one line.
pub(crate) async fn run() -> Outcome<String> {
    let database = Database::start("off");
    let url = database.url();
    let start = || Server::on(Path::new(&url), TempDir::new()?);
    let (first, others) = (start()?, [start()?, start()?]);
    let mut editor = Connection::open(first.address).await?;
    for index in 0..TOGGLES {
        first.create(&mut editor, index).await?;
    }
    let mut sdks = Vec::new();
    for server in &others {
        let mut sdk = Sdk { server, connection: Connection::open(server.address).await?, tag: String::new() };
        sdk.wait_for_change().await?;
        sdks.push(sdk);
    }
    let mut delays = Vec::new();
    for index in TOGGLES..TOGGLES + CHANGES {
        first.create(&mut editor, index).await?;
        let start = Instant::now();
        for sdk in &mut sdks {
            sdk.wait_for_change().await?;
        }
        delays.push(start.elapsed());
    }
    let slowest = delays.iter().max().copied().unwrap_or_default();
    Ok(format!(
        "a change on one of three instances on PostgreSQL is in the SDK responses of the others ({TOGGLES} toggles) after \
         {:.1} ms (median) and {:.1} ms (maximum)",
        milliseconds(median(delays.into_iter())),
        milliseconds(slowest),
    ))
}

/// The time between two polls. Without it, the polls would take the processor from the measured servers.
const PAUSE: Duration = Duration::from_millis(1);

/// An SDK that polls often.
struct Sdk<'s> {
    server: &'s Server,
    connection: Connection,
    tag: String,
}

impl Sdk<'_> {
    /// Polls until the toggles have changed.
    async fn wait_for_change(&mut self) -> Outcome<()> {
        let poll = self.server.poll(&self.tag);
        loop {
            let response = self.connection.exchange(&poll).await?;
            if response.status == 200 {
                response.header("etag").ok_or("no tag")?.clone_into(&mut self.tag);
                return Ok(());
            }
            sleep(PAUSE).await;
        }
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1_000.0
}
