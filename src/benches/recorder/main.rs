//! Measures the flight recorder: the size of its files, and the time of reads, for 90 days with 200 changes a day of 2,000
//! toggles. `RECORDER_DAYS` sets another number of days. Fails above the limits below.

#![expect(clippy::print_stdout, reason = "a benchmark prints its report")]

#[path = "../median.rs"]
mod median;

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use flagdeck::config;
use flagdeck::recorder::reader::{Reader, Selection};
use flagdeck::recorder::{NewDefinitions, Scope, Store};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use self::median::median;

const TOGGLES: usize = 2_000;
const CHANGES_PER_DAY: usize = 200;
const READS: usize = 50;
/// Maximum size of the files of 90 days, in bytes.
const MAX_SIZE: u64 = 60_000_000;
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

/// Records changes that end now. Returns the size of the files, and the median time of a record.
fn record(folder: &Path, days: usize) -> Result<(u64, Duration), Box<dyn Error>> {
    let keep = Duration::from_hours(24 * 365);
    let mut store = Store::open(&config::Recorder { folder: folder.to_owned(), keep, size: 1 << 30 })?;
    let scope = Arc::new(Scope {
        id: "all".to_owned(),
        name: "all".to_owned(),
        environment: None,
        query: String::new(),
        lists_segments: true,
    });
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
        let by = u64::try_from((start + step * i32::try_from(change)?).as_millisecond())?;
        let copy =
            NewDefinitions { scope: Arc::clone(&scope), body: body(&toggles), after: None, by, missed: 0 };
        let started = Instant::now();
        store.record(&copy)?;
        times.push(started.elapsed());
    }
    Ok((store.size(), median(times.into_iter())))
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
    let (size, time) = record(folder.path(), days)?;
    println!("\n## Flight recorder: {days} days, {CHANGES_PER_DAY} changes a day, {TOGGLES} toggles\n");
    println!(
        "Files: {:.1} MB. A record takes {time:.1?}.\n\n| read | median | maximum |\n|---|---|---|",
        to_megabytes(size)
    );
    let reader = Reader::new(folder.path(), None);
    let (first, last) = (reader.first()?, Timestamp::now());
    let range = u64::try_from(last.duration_since(first).as_millis())?;
    let random = || -> Result<Timestamp, jiff::Error> {
        let offset = fastrand::u64(..range.saturating_sub(86_400_000).max(1));
        first.checked_add(Duration::from_millis(offset))
    };
    let all = Selection::default();
    let mut times = (0..READS).map(|_| random()).collect::<Result<Vec<_>, _>>()?.into_iter().cycle();
    let mut next = || times.next().unwrap_or(first);
    let read_time = measure("state at a random time", || reader.state_at(next(), &all))?;
    for (name, length) in [("changes in 15 minutes", 15 * 60), ("changes in a day", 86_400)] {
        measure(name, || {
            let from = next();
            reader.changes(from, from + SignedDuration::from_secs(length), &all)
        })?;
    }
    if size > MAX_SIZE || read_time > MAX_READ_TIME {
        return Err("the files are larger, or the reads slower, than their limits".into());
    }
    Ok(())
}

/// Returns a size in megabytes.
fn to_megabytes(bytes: u64) -> f64 {
    let kilobytes = u32::try_from(bytes / 1_000).unwrap_or(u32::MAX);
    f64::from(kilobytes) / 1_000.0
}
