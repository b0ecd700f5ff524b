//! Measures how long a restart takes without usage counts and with as many as the last hour of 10,000 toggles has.

use std::path::Path;
use std::time::{Duration, Instant};

use flagdeck::flags::{DataLocation, Flags};
use rusqlite::Connection as Database;
use tempfile::TempDir;

use crate::Outcome;
use crate::connection::Connection;
use crate::median::median;
use crate::server::Server;

const TOGGLES: u32 = 10_000;
const MINUTES: u32 = 60;
const STARTS: usize = 5;

/// Returns both results as one line.
pub(crate) async fn run() -> Outcome<String> {
    let folder = TempDir::new()?;
    let file = folder.path().join("flags.db");
    drop(Flags::open(&DataLocation::File(file.clone()))?);
    let mut database = Database::open(&file)?;
    database.execute(
        "WITH numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ?1)
         INSERT INTO toggles (name, type, project, enabled, stale, strategies, variants, created_at)
         SELECT 'toggle-' || number, 'release', 'default', 0, 0, '[]', '[]', '' FROM numbers",
        [TOGGLES],
    )?;
    let (empty, _) = starts(&file).await?;
    let insertion = database.transaction()?;
    insertion.execute(
        "WITH minutes(minute) AS (SELECT 0 UNION ALL SELECT minute + 1 FROM minutes WHERE minute < ?1 - 1)
         INSERT INTO toggle_counts (minute, toggle, yes, no)
         SELECT unixepoch() / 60 - minute, name, 2, 1 FROM minutes, toggles",
        [MINUTES],
    )?;
    insertion.commit()?;
    let (ready, complete) = starts(&file).await?;
    Ok(format!(
        "restart with {TOGGLES} toggles: ready after {} ms without usage counts, {} ms with {}; all counts after {} ms",
        empty.as_millis(),
        ready.as_millis(),
        TOGGLES * MINUTES,
        complete.as_millis()
    ))
}

/// The median times until the server is ready and until it has returned the counts of the last hour.
async fn starts(file: &Path) -> Outcome<(Duration, Duration)> {
    let (mut ready, mut complete) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let start = Instant::now();
        let server = Server::on(file, TempDir::new()?)?;
        ready.push(start.elapsed());
        let counts = server.request("GET", "/api/admin/metrics/feature-toggles", "", "");
        Connection::open(server.address).await?.exchange(&counts).await?;
        complete.push(start.elapsed());
    }
    Ok((median(ready.into_iter()), median(complete.into_iter())))
}
