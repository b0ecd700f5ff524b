//! Measures the flight recorder: the size of its database, and the time of reads, for 90 days with 200 changes a day of 2,000
//! toggles. `RECORDER_DAYS` sets another number of days. Fails above the limits below.

#![expect(clippy::print_stdout, reason = "a benchmark prints its report")]

#[path = "../median.rs"]
mod median;

use std::error::Error;
use std::time::{Duration, Instant};

use bytes::Bytes;
use flagdeck::config::DataLocation;
use flagdeck::database::KeptDatabase;
use flagdeck::error::ApiError;
use flagdeck::recorder::reader::{ReadError, Reader, Selection};
use flagdeck::recorder::{BatchTime, NewDefinitions, RecordWriter, ScopeKey, ServedScope, Sharing};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use tokio::runtime::Builder;

use self::median::median;

const TOGGLES: usize = 2_000;
const CHANGES_PER_DAY: usize = 200;
const READS: usize = 50;
/// Time for which changes are kept, and the size of all records above which the oldest are removed.
const KEEP: Duration = Duration::from_hours(24 * 365);
const MAX_RECORDS: u64 = 512 << 20;
/// Maximum size of the database of 90 days, in bytes.
const MAX_SIZE: u64 = 150_000_000;
/// Maximum of the median time in which a state is read.
const MAX_READ_TIME: Duration = Duration::from_millis(100);

fn toggle(number: usize) -> String {
    let ids: Vec<_> = (0..5).map(|_| fastrand::u32(1_000..100_000).to_string()).collect();
    json!({
        "name": format!("team-{}.feature-{number}", number % 40), "type": "release", "enabled": fastrand::bool(),
        "stale": false, "variants": [],
        "strategies": [
            { "name": "userWithId", "parameters": { "userIds": ids.join(",") } },
            {
                "name": "flexibleRollout",
                "parameters": { "rollout": fastrand::u8(..=100).to_string(), "stickiness": "userId", "groupId": number.to_string() },
                "constraints": [{ "contextName": "plan", "operator": "IN", "values": ["gold", "silver"] }],
            },
        ],
    })
    .to_string()
}

fn body(toggles: &[String]) -> Bytes {
    format!("{{\"version\":2,\"features\":[{}],\"segments\":[]}}", toggles.join(",")).into()
}

/// The database of a benchmark, and the writer of its records.
struct Records {
    database: KeptDatabase,
    writer: RecordWriter,
}

impl Records {
    fn write(&mut self, new: &NewDefinitions<'_>, monotonic: Duration) -> Result<(), ApiError> {
        let now = BatchTime { wall: new.by, monotonic, complete: new.by };
        let progress = self.database.write_blocking(|tx| {
            let begun = self.writer.begin(tx, now)?;
            let mut batch =
                begun.map_err(|_progress| ApiError::BadBody("another instance records".to_owned()))?;
            batch.record(new)?;
            batch.prune(now.monotonic)?;
            Ok(batch.finish())
        })?;
        self.writer.commit(progress);
        Ok(())
    }

    fn read<T>(&self, find: impl FnOnce(Reader<'_>) -> Result<T, ReadError>) -> Result<T, ReadError> {
        self.database.read_blocking(|tx| Ok(find(Reader::new(tx, None))))?
    }
}

/// Records changes that end now. Returns the median time of a record.
fn record(records: &mut Records, days: usize) -> Result<Duration, Box<dyn Error>> {
    let scope = ServedScope {
        key: ScopeKey::Name("all"),
        name: "all".to_owned(),
        environment: None,
        query: String::new(),
        lists_segments: true,
    };
    let mut toggles: Vec<_> = (0..TOGGLES).map(toggle).collect();
    let changes = days * CHANGES_PER_DAY;
    let step = SignedDuration::from_hours(24) / i32::try_from(CHANGES_PER_DAY)?;
    let start = Timestamp::now() - step * i32::try_from(changes)?;
    let mut times = Vec::new();
    for change in 0..changes {
        let number = fastrand::usize(..TOGGLES);
        if let Some(changed) = toggles.get_mut(number) {
            *changed = toggle(number);
        }
        let elapsed = step * i32::try_from(change)?;
        let by = (start + elapsed).as_millisecond();
        let new =
            NewDefinitions { scope: &scope, body: body(&toggles), after: None, by, event: None, missed: 0 };
        let started = Instant::now();
        records.write(&new, elapsed.unsigned_abs())?;
        times.push(started.elapsed());
    }
    Ok(median(times.into_iter()))
}

/// Prints the median and the maximum time of reads, and returns the median.
fn measure<T, E: Error + 'static>(
    name: &str,
    mut read: impl FnMut() -> Result<T, E>,
) -> Result<Duration, Box<dyn Error>> {
    let mut times = Vec::new();
    for _ in 0..READS {
        let started = Instant::now();
        read()?;
        times.push(started.elapsed());
    }
    let max = times.iter().max().copied().unwrap_or_default();
    let median = median(times.into_iter());
    println!("| {name} | {median:.1?} | {max:.1?} |");
    Ok(median)
}

fn main() -> Result<(), Box<dyn Error>> {
    fastrand::seed(1);
    let days = std::env::var("RECORDER_DAYS").map_or(Ok(90), |days| days.parse())?;
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("flags.db");
    let database = KeptDatabase::new(&DataLocation::File(file.clone()));
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.spawn(database.clone().run());
    runtime.block_on(database.wait_until_open());
    let writer = RecordWriter::new(KEEP, MAX_RECORDS, Sharing::Alone, String::new());
    let mut records = Records { database, writer };
    let time = record(&mut records, days)?;
    let size = std::fs::metadata(file.with_extension("db.kept"))?.len();
    println!("\n## Flight recorder: {days} days, {CHANGES_PER_DAY} changes a day, {TOGGLES} toggles\n");
    println!(
        "Database: {:.1} MB, records: {:.1} MB. A record takes {time:.1?}.\n\n| read | median | maximum |\n|---|---|---|",
        to_megabytes(size),
        to_megabytes(records.writer.size())
    );
    let (first, last) = (records.read(|reader| reader.first())?, Timestamp::now());
    let range = u64::try_from(last.duration_since(first).as_millis())?;
    let random = || -> Result<Timestamp, jiff::Error> {
        let offset = fastrand::u64(..range.saturating_sub(86_400_000).max(1));
        first.checked_add(Duration::from_millis(offset))
    };
    let all = Selection::default();
    let mut times = (0..READS).map(|_| random()).collect::<Result<Vec<_>, _>>()?.into_iter().cycle();
    let mut next = || times.next().unwrap_or(first);
    let read_time = measure("state at a random time", || {
        let at = next();
        records.read(|reader| reader.state_at(Some(at), &all))
    })?;
    for (name, length) in [("changes in 15 minutes", 15 * 60), ("changes in a day", 86_400)] {
        measure(name, || {
            let from = next();
            let to = from + SignedDuration::from_secs(length);
            records.read(|reader| reader.changes(from, to, &all))
        })?;
    }
    if size > MAX_SIZE || read_time > MAX_READ_TIME {
        return Err("the database is larger, or the reads slower, than their limits".into());
    }
    Ok(())
}

/// Returns a size in megabytes.
fn to_megabytes(bytes: u64) -> f64 {
    let kilobytes = u32::try_from(bytes / 1_000).unwrap_or(u32::MAX);
    f64::from(kilobytes) / 1_000.0
}
