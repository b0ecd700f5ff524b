//! Tests of the records with controlled times: any sequence of changes, restarts and clocks.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

use super::reader::{MAX_CHANGED_BYTES, PastChanges, PastState, ReadError, Reader, RecorderState, Selection};
use super::rows::Range;
use super::scope::{GapReason, ScopeKey, ServedScope, timestamp};
use super::writer::{Batch, BatchTime, LEASE, NewDefinitions, NewestEvent, Outcome, RecordWriter, Sharing};
use crate::config::DataLocation;
use crate::database::{KeptDatabase, StoreError};
use crate::error::ApiError;

/// The time of the first record. Milliseconds since 1970.
const START: i64 = 1_700_000_000_000;
const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// The version of each toggle.
type Toggles = BTreeMap<u8, u8>;

/// A database, and the writer of a process with a clock.
struct Records {
    database: KeptDatabase,
    writer: RecordWriter,
    max_size: u64,
    sharing: Sharing,
    wall: i64,
    monotonic: Duration,
    /// Milliseconds since the first change that the recorder has not received.
    unread: i64,
    _runtime: Runtime,
    _folder: TempDir,
}

impl Records {
    fn new() -> Self {
        Self::with(512 << 20, Sharing::Alone)
    }

    fn with(max_size: u64, sharing: Sharing) -> Self {
        let folder = TempDir::new().unwrap();
        let database = KeptDatabase::new(&DataLocation::File(folder.path().join("flags.db")));
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        runtime.spawn(database.clone().run());
        while database.fault().is_some() {
            std::thread::yield_now();
        }
        let writer = writer(max_size, sharing, "a");
        let (wall, monotonic) = (START, Duration::ZERO);
        Self {
            database,
            writer,
            max_size,
            sharing,
            wall,
            monotonic,
            unread: 0,
            _runtime: runtime,
            _folder: folder,
        }
    }

    /// The time passes, and the clock shows this time.
    fn at(&mut self, wall: i64) -> &mut Self {
        self.monotonic += Duration::from_millis((wall - self.wall).try_into().unwrap_or_default());
        self.wall = wall;
        self
    }

    /// The clock is set.
    fn set_clock(&mut self, wall: i64) -> &mut Self {
        self.wall = wall;
        self
    }

    /// The process ends, and another one starts.
    fn restart(&mut self) {
        (self.writer, self.monotonic) = (writer(self.max_size, self.sharing, "a"), Duration::ZERO);
    }

    fn now(&self) -> BatchTime {
        BatchTime { wall: self.wall, monotonic: self.monotonic, complete: self.wall - self.unread }
    }

    /// Writes a transaction.
    fn write<T>(&mut self, work: impl FnOnce(&mut Batch<'_>) -> Result<T, StoreError>) -> T {
        let (now, mut writer) =
            (self.now(), std::mem::replace(&mut self.writer, writer(0, Sharing::Alone, "")));
        let written = write_as(&self.database, &mut writer, now, work);
        self.writer = writer;
        written.expect("another instance records")
    }

    fn record(&mut self, id: &'static str, toggles: &Toggles) -> Outcome {
        let (scope, body, by) = (scope(id), body(toggles).into(), self.wall);
        self.write(|batch| {
            batch.record(&NewDefinitions { scope: &scope, body, after: None, by, event: None, missed: 0 })
        })
    }

    fn confirm(&mut self) {
        self.write(|_| Ok(()));
    }

    fn read<T>(&self, find: impl FnOnce(Reader<'_>) -> Result<T, ReadError>) -> Result<T, ReadError> {
        self.database.read_blocking(|tx| Ok(find(Reader::new(tx, None))))?
    }

    fn state(&self, id: &str, at: i64) -> Result<PastState, ReadError> {
        self.read(|reader| reader.state_at(Some(timestamp(at)), &of_scope(id)))
    }

    fn toggles(&self, id: &str, at: i64) -> Toggles {
        toggles_of(&self.state(id, at).unwrap())
    }

    fn gap(&self, at: i64) -> Option<GapReason> {
        self.state("a", at).unwrap().recording.gap.map(|gap| gap.reason)
    }

    fn changes(&self, from: i64, to: i64) -> PastChanges {
        self.read(|reader| reader.changes(timestamp(from), timestamp(to), &of_scope("a"))).unwrap()
    }

    fn ranges(&self) -> Vec<Range> {
        self.database.read_blocking(|tx| Ok(tx.list_ranges()?)).unwrap()
    }
}

fn writer(max_size: u64, sharing: Sharing, instance: &str) -> RecordWriter {
    RecordWriter::new(Duration::from_hours(24 * 90), max_size, sharing, instance.to_owned())
}

/// Writes a transaction; `None` if another instance records.
fn write_as<T>(
    database: &KeptDatabase,
    writer: &mut RecordWriter,
    now: BatchTime,
    work: impl FnOnce(&mut Batch<'_>) -> Result<T, StoreError>,
) -> Option<T> {
    let (progress, written) = database
        .write_blocking(|tx| match writer.begin(tx, now)? {
            Err(progress) => Ok((progress, None)),
            Ok(mut batch) => {
                let written = work(&mut batch)?;
                batch.prune(now.monotonic)?;
                Ok((batch.finish(), Some(written)))
            }
        })
        .unwrap();
    writer.commit(progress);
    written
}

fn scope(id: &'static str) -> ServedScope {
    ServedScope {
        key: ScopeKey::Name(id),
        name: format!("*:{id}"),
        environment: Some(id.to_owned()),
        query: String::new(),
        lists_segments: true,
    }
}

/// Returns a list of toggles. Those with an even version use a segment.
fn body(toggles: &Toggles) -> Vec<u8> {
    let features = toggles.iter().map(|(name, version)| {
        json!({ "name": format!("t.{name}"), "enabled": true, "version": version, "strategies": [] })
    });
    let segments = toggles.values().filter(|version| *version % 2 == 0);
    let segments =
        segments.map(|version| json!({ "id": version, "name": format!("s.{version}"), "constraints": [] }));
    let list = json!({
        "version": 2, "features": features.collect::<Vec<_>>(), "segments": segments.collect::<Vec<_>>(),
    });
    list.to_string().into_bytes()
}

fn of_scope(id: &str) -> Selection {
    Selection { scope: Some(id.to_owned()), environment: None }
}

fn toggles_of(state: &PastState) -> Toggles {
    let parse = |text: &str| -> (u8, u8) {
        let toggle: Value = serde_json::from_str(text).unwrap();
        let name = toggle["name"].as_str().unwrap().strip_prefix("t.").unwrap().parse().unwrap();
        (name, toggle["version"].as_u64().unwrap().try_into().unwrap())
    };
    let toggles: Toggles = state.features.iter().map(|text| parse(text.get())).collect();
    let segments: BTreeSet<_> = toggles.values().filter(|version| *version % 2 == 0).collect();
    assert_eq!(state.segments.len(), segments.len());
    toggles
}

fn one(version: u8) -> Toggles {
    Toggles::from([(1, version)])
}

#[derive(Debug, Clone)]
enum Action {
    /// A scope gets these toggles.
    Record(usize, Toggles),
    Refuse(usize),
    Confirm,
    /// The process ends and starts again.
    Restart,
    /// The process is killed in a transaction.
    Kill(Toggles),
    /// The clock of the machine is set back.
    SetBack(i64),
}

const SCOPES: [&str; 3] = ["0", "1", "2"];

fn actions() -> impl Strategy<Value = Vec<(i64, Action)>> {
    let toggles = || proptest::collection::btree_map(0..6_u8, 0..4_u8, 0..6);
    let action = prop_oneof![
        12 => (0..3_usize, toggles()).prop_map(|(scope, toggles)| Action::Record(scope, toggles)),
        1 => (0..3_usize).prop_map(Action::Refuse),
        2 => Just(Action::Confirm),
        1 => Just(Action::Restart),
        1 => toggles().prop_map(Action::Kill),
        1 => (0..5_000_i64).prop_map(Action::SetBack),
    ];
    proptest::collection::vec((0..2_000_i64, action), 1..80)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// The model is a list of the states of each scope with their times.
    #[test]
    fn state_at_any_time_equals_the_model(
        actions in actions(),
        size in prop_oneof![Just(512_u64 << 20), Just(5_000)],
        times in proptest::collection::vec(any::<prop::sample::Index>(), 20),
    ) {
        let mut records = Records::with(size, Sharing::Alone);
        // Before the first list, nothing is recorded, so that times before it do not count.
        let mut last = 0;
        let mut model: Vec<(i64, usize, Option<Toggles>)> = Vec::new();
        for (pause, action) in actions {
            records.at(records.wall + pause);
            let (by, is_clock) = (records.wall.max(last), matches!(action, Action::SetBack(_)));
            match action {
                Action::Record(scope, toggles) => {
                    let outcome = records.record(SCOPES[scope], &toggles);
                    let known = model.iter().rfind(|(_, known, _)| *known == scope).map(|(_, _, state)| state.clone());
                    prop_assert_eq!(outcome == Outcome::Unchanged, known == Some(Some(toggles.clone())));
                    if outcome == Outcome::Recorded {
                        model.push((by, scope, Some(toggles)));
                    }
                }
                Action::Refuse(name) => {
                    let (served, wall) = (scope(SCOPES[name]), records.wall);
                    if records.write(|batch| batch.refuse(&served, wall)) == Outcome::Recorded {
                        model.push((by, name, None));
                    }
                }
                Action::Confirm => records.confirm(),
                Action::Restart => {
                    records.restart();
                    records.confirm();
                }
                Action::Kill(toggles) => {
                    let (served, body, by, now) = (scope("0"), body(&toggles).into(), records.wall, records.now());
                    let new = NewDefinitions { scope: &served, body, after: None, by, event: None, missed: 0 };
                    let killed: Result<(), _> = records.database.write_blocking(|tx| {
                        records.writer.begin(tx, now)?.unwrap().record(&new)?;
                        Err(ApiError::internal("killed"))
                    });
                    prop_assert!(killed.is_err());
                    records.restart();
                    records.confirm();
                }
                Action::SetBack(time) => { records.set_clock(records.wall - time); }
            }
            if !is_clock {
                last = if model.is_empty() { 0 } else { by };
            }
        }
        let first = records.read(|reader| reader.first()).ok().map(jiff::Timestamp::as_millisecond);
        for index in times {
            let range = usize::try_from((last - START).max(0) + 1).unwrap();
            let time = START + i64::try_from(index.index(range)).unwrap();
            for (scope, name) in SCOPES.iter().enumerate() {
                let read = records.state(name, time);
                let Some(first) = first else {
                    prop_assert!(matches!(read, Err(ReadError::Empty)), "{:?}", read);
                    continue;
                };
                if time < first {
                    prop_assert!(matches!(read, Err(ReadError::BeforeFirst { .. } | ReadError::Removed { .. })), "{:?}", read);
                    continue;
                }
                let expected = model.iter().rfind(|(by, known, _)| *known == scope && *by <= time);
                match (expected, read) {
                    (Some((_, _, Some(toggles))), Ok(state)) => prop_assert_eq!(&toggles_of(&state), toggles),
                    (Some((_, _, None)), Err(ReadError::Refused { .. }))
                    | (None, Err(ReadError::UnknownScope { .. })) => {}
                    (expected, read) => prop_assert!(false, "{time}: {read:?} instead of {expected:?}"),
                }
            }
        }
    }
}

#[test]
fn old_changes_are_removed_and_a_toggle_without_changes_is_in_every_state() {
    let mut records = Records::new();
    let state = |day: i64| Toggles::from([(1, 1), (2, u8::try_from(day % 200).unwrap())]);
    let days = 2 * 90 + 20;
    for day in 0..days {
        for hour in [0, 2] {
            records.at(START + day * DAY + hour * HOUR).record("a", &state(day));
        }
    }
    let first = records.read(|reader| reader.first()).unwrap().as_millisecond();
    let limit = START + (days - 1 - 90) * DAY;
    assert!((limit - DAY..=limit + DAY).contains(&first), "{}", (first - limit) / HOUR);
    for day in (first - START) / DAY + 1..days {
        assert_eq!(records.toggles("a", START + day * DAY), state(day));
    }
    assert!(matches!(records.state("a", START), Err(ReadError::BeforeFirst { .. })));
    let stored: i64 =
        records.database.read_blocking(|tx| Ok(tx.query_value("SELECT count(*) FROM items", &[])?)).unwrap();
    assert!(stored < 200, "{stored} items");
    // Without changes, the last state is kept.
    records.at(START + 500 * DAY).confirm();
    assert_eq!(records.toggles("a", START + 400 * DAY), state(days - 1));
}

#[test]
fn clock_that_is_far_ahead_removes_a_day_in_an_hour() {
    let mut records = Records::new();
    for day in 0..10 {
        records.at(START + day * DAY).record("a", &one(u8::try_from(day).unwrap()));
    }
    records.set_clock(START + 3_650 * DAY);
    for _ in 0..10 {
        records.at(records.wall + 10 * 60_000).confirm();
    }
    assert_eq!(records.toggles("a", START + DAY), one(1));
    assert_eq!(records.gap(START + 100 * DAY), Some(GapReason::ClockSet));
}

#[test]
fn oldest_changes_are_removed_if_all_are_too_large_and_the_gap_is_stated() {
    let max_size = 40_000;
    let mut records = Records::with(max_size, Sharing::Alone);
    for number in 0..500_i64 {
        let toggles =
            (0..20).map(|name| (name, u8::try_from(number * i64::from(name) % 251).unwrap())).collect();
        records.at(START + number).record("a", &toggles);
        assert!(records.writer.size() <= max_size, "{}", records.writer.size());
    }
    assert!(records.writer.size() > max_size / 2);
    assert_eq!(records.state("a", START + 499).unwrap().features.len(), 20);
    let error = records.state("a", START + 10).unwrap_err();
    assert!(matches!(error, ReadError::Removed { .. }), "{error}");
    assert_eq!(records.ranges()[0].reason, Some(GapReason::TooLarge));
    assert!(records.read(|reader| reader.first()).unwrap().as_millisecond() > START + 10);
}

#[test]
fn clock_that_is_set_forward_and_back_while_running_moves_the_records_back() {
    let mut records = Records::new();
    records.record("a", &one(1));
    records.at(START + HOUR).confirm();
    records.set_clock(START + HOUR + DAY).record("a", &one(3));
    records.at(START + DAY + 2 * HOUR).record("a", &one(5));
    assert_eq!(
        (records.toggles("a", START + HOUR), records.gap(START + 2 * HOUR)),
        (one(1), Some(GapReason::ClockSet))
    );
    // The true time.
    records.set_clock(START + 2 * HOUR).confirm();
    assert_eq!(records.toggles("a", START + 2 * HOUR), one(5));
    assert_eq!(records.gap(START + HOUR + 1), Some(GapReason::ClockSet));
    records.at(START + 3 * HOUR).record("a", &one(7));
    assert_eq!(records.toggles("a", START + 3 * HOUR), one(7));
    assert_eq!(records.toggles("a", START + 3 * HOUR - 1), one(5));
    assert_eq!(records.gap(START + 3 * HOUR - 1), None);
    assert_eq!(records.toggles("a", START + HOUR), one(1));
}

#[test]
fn clock_that_is_set_back_and_forward_loses_no_record() {
    let mut records = Records::new();
    for day in 0..3 {
        records.at(START + day * DAY).record("a", &one(u8::try_from(2 * day + 1).unwrap()));
    }
    // The wrong time: records exist for it.
    records.set_clock(START + DAY + HOUR).record("a", &one(9));
    let latest = records.read(|reader| reader.state_at(None, &of_scope("a"))).unwrap();
    assert_eq!(toggles_of(&latest), one(9));
    records.at(START + DAY + 2 * HOUR).record("a", &one(11));
    records.set_clock(START + 2 * DAY + HOUR).record("a", &one(13));
    for (time, version) in [(0, 1), (DAY, 3), (DAY + 2 * HOUR, 3), (2 * DAY - 1, 3), (2 * DAY + HOUR, 13)] {
        assert_eq!(records.toggles("a", START + time), one(version), "{time}");
    }
    assert_eq!(records.gap(START + 2 * DAY + 1), Some(GapReason::ClockSet));
    let changes = records.changes(START + DAY, START + 2 * DAY + HOUR);
    assert_eq!((changes.changes.len(), changes.changes[0].count), (1, 4));
}

#[test]
fn clock_that_was_wrong_before_a_start_loses_no_record() {
    let mut records = Records::new();
    for day in 0..3 {
        records.at(START + day * DAY).record("a", &one(u8::try_from(2 * day + 1).unwrap()));
    }
    // A machine without a battery starts in 1970.
    records.restart();
    records.set_clock(1_000).record("a", &one(9));
    records.set_clock(START + 3 * DAY).record("a", &one(11));
    for (time, version) in [(0, 1), (DAY, 3), (2 * DAY - 1, 3), (3 * DAY, 11)] {
        assert_eq!(records.toggles("a", START + time), one(version), "{time}");
    }
    // A machine starts with a clock a day ahead, and then gets the right time.
    records.restart();
    records.set_clock(START + 5 * DAY).record("a", &one(13));
    assert_eq!(records.gap(START + 4 * DAY), Some(GapReason::NotRunning));
    records.set_clock(START + 4 * DAY).record("a", &one(15));
    assert_eq!(records.toggles("a", START + 4 * DAY), one(15));
    assert_eq!(records.toggles("a", START + 3 * DAY), one(11));
    assert!(matches!(
        records.state("a", START + 3 * DAY + 1).unwrap().recording.gap.map(|gap| gap.reason),
        Some(GapReason::ClockSet)
    ));
}

#[test]
fn changes_have_one_entry_for_each_toggle_with_its_interval() {
    let mut records = Records::new();
    for (time, after, toggles) in [
        (0, None, [(1, 1), (2, 1), (3, 1)].as_slice()),
        (1_000, Some(900), &[(1, 3), (2, 1), (3, 1)]),
        (2_000, Some(1_900), &[(1, 1), (2, 1), (3, 1)]),
        (3_000, Some(2_900), &[(1, 1), (3, 1), (4, 2)]),
    ] {
        let (scope, body) = (scope("a"), body(&toggles.iter().copied().collect()).into());
        let (by, after) = (START + time, after.map(|after| START + after));
        records.at(by).write(|batch| {
            batch.record(&NewDefinitions { scope: &scope, body, after, by, event: None, missed: 0 })
        });
    }
    let found = records.changes(START + 500, START + 3_000);
    let describe = |changes: &PastChanges| -> Vec<_> {
        changes
            .changes
            .iter()
            .map(|change| (change.name.clone(), change.summary.clone(), change.count))
            .collect()
    };
    let entry = |name: &str, summary: &str, count| (name.to_owned(), summary.to_owned(), count);
    let expected = [
        entry("t.1", "changed, and changed back", 2),
        entry("t.2", "removed", 1),
        entry("t.4", "added, on", 1),
        entry("s.2", "added", 1),
    ];
    assert_eq!(describe(&found), expected);
    let change = &found.changes[0];
    let text = |time: i64| timestamp(START + time).to_string();
    assert_eq!((change.first.after.clone(), change.first.by.clone()), (Some(text(900)), text(1_000)));
    assert_eq!((change.last.after.clone(), change.last.by.clone()), (Some(text(1_900)), text(2_000)));
    assert!(found.gaps.is_empty() && !found.is_truncated, "{:?}", found.gaps);
    assert_eq!(describe(&records.changes(START + 1_000, START + 1_999)), []);
    assert_eq!(describe(&records.changes(START + 999, START + 1_000)), [entry("t.1", "~ version: 1 → 3", 1)]);
}

/// The recorder had not received a change that SDKs got before the kill.
#[test]
fn gap_begins_at_the_time_until_which_the_records_were_complete() {
    let mut records = Records::new();
    records.record("a", &one(1));
    records.at(START + 1_000).confirm();
    records.unread = 400;
    records.at(START + 2_000).confirm();
    records.unread = 0;
    records.restart();
    records.at(START + 60_000).record("a", &one(2));
    assert_eq!(records.gap(START + 1_600), None);
    assert_eq!(records.gap(START + 1_601), Some(GapReason::NotRunning));
}

#[test]
fn gaps_are_stated_with_their_reasons() {
    let mut records = Records::new();
    records.record("a", &one(1));
    records.at(START + 2_000).confirm();
    records.restart();
    records.at(START + 60_000).confirm();
    let state = records.state("a", START + 30_000).unwrap();
    assert_eq!(toggles_of(&state), one(1));
    let gap = state.recording.gap.unwrap();
    assert_eq!((gap.reason, gap.to), (GapReason::NotRunning, Some(timestamp(START + 60_000).to_string())));
    records.at(START + 70_000).confirm();
    records.writer.begin_gap();
    let (served, body, by) = (scope("a"), body(&one(9)).into(), START + 80_000);
    records.at(by).write(|batch| {
        batch.record(&NewDefinitions { scope: &served, body, after: None, by, event: None, missed: 3 })
    });
    assert_eq!(
        (records.gap(START + 75_000), records.gap(START + 65_000)),
        (Some(GapReason::NotWritten), None)
    );
    records.at(START + 90_000).write(|batch| batch.refuse(&scope("a"), START + 90_000));
    assert!(matches!(records.state("a", START + 95_000), Err(ReadError::Refused { .. })));
    records.at(START + 100_000).record("a", &one(9));
    let found = records.changes(START + 1_500, START + 110_000);
    let reasons: BTreeSet<_> = found.gaps.iter().map(|gap| format!("{:?}", gap.reason)).collect();
    let expected = ["NotConfirmed", "NotRunning", "NotWritten", "Refused"].map(str::to_owned);
    assert_eq!((reasons, found.missed), (BTreeSet::from(expected), 3));

    // The process runs, but cannot write.
    let failing = Some((START + 105_000, "No space left".to_owned()));
    let recording = RecorderState { failing, ..RecorderState::default() };
    let read = records.database.read_blocking(|tx| {
        let reader = Reader::new(tx, Some(recording));
        let range = (timestamp(START + 100_000), timestamp(START + 110_000));
        let changes = reader.changes(range.0, range.1, &of_scope("a")).unwrap();
        Ok((changes, reader.state_at(Some(timestamp(START + 107_000)), &of_scope("a")).unwrap()))
    });
    let (changes, state) = read.unwrap();
    assert_eq!(changes.gaps.iter().map(|gap| gap.reason).collect::<Vec<_>>(), [GapReason::NotWritten]);
    assert_eq!(
        (&changes.gaps[0].from, &changes.gaps[0].to),
        (&timestamp(START + 105_000).to_string(), &None)
    );
    assert_eq!(state.recording.gap.as_ref(), changes.gaps.first());
}

#[test]
fn token_that_was_not_confirmed_for_the_kept_time_is_forgotten() {
    let mut records = Records::new();
    for id in ["a", "b"] {
        records.record(id, &one(1));
    }
    let later = START + 91 * DAY;
    records.at(later).record("b", &one(3));
    assert!(matches!(records.state("a", later), Err(ReadError::UnknownScope { .. })));
    assert_eq!(records.toggles("b", later - 1), one(1), "the other one is kept");
    // It is known again from its next request on.
    records.at(later + HOUR).record("a", &one(1));
    assert_eq!(records.toggles("a", later + HOUR), one(1));
}

#[test]
fn last_toggle_of_a_name_counts() {
    let mut records = Records::new();
    let list =
        br#"{"features":[{"name":"t.1","version":1},{"name":"t.2","version":3},{"name":"t.1","version":5}]}"#;
    let (scope, body) = (scope("a"), list.to_vec().into());
    let new = NewDefinitions { scope: &scope, body, after: None, by: START, event: None, missed: 0 };
    records.write(|batch| batch.record(&new));
    assert_eq!(records.toggles("a", START), Toggles::from([(1, 5), (2, 3)]));
}

#[test]
fn scope_is_selected_by_environment_or_name() {
    let mut records = Records::new();
    let few = ServedScope { key: ScopeKey::Name("few"), name: "shop:a".to_owned(), ..scope("a") };
    let few = NewDefinitions {
        scope: &few,
        body: body(&one(1)).into(),
        after: None,
        by: START,
        event: None,
        missed: 0,
    };
    records.write(|batch| batch.record(&few));
    records.record("a", &Toggles::from([(1, 1), (2, 2)]));
    let select = |records: &Records, scope: Option<&str>, environment: Option<&str>| {
        let selection = Selection {
            scope: scope.map(ToOwned::to_owned),
            environment: environment.map(ToOwned::to_owned),
        };
        records.read(|reader| reader.state_at(Some(timestamp(START)), &selection)).map(|state| {
            let others = state.recording.other_scopes.iter().map(|other| other.id.clone());
            (state.recording.scope.id, others.collect::<Vec<_>>())
        })
    };
    let most = ("a".to_owned(), vec!["few".to_owned()]);
    assert_eq!(select(&records, None, None).unwrap(), most, "most toggles of the only environment");
    records.record("b", &one(1));
    assert_eq!(select(&records, None, Some("a")).unwrap(), most);
    assert_eq!(select(&records, Some("shop:a"), None).unwrap().0, "few");
    let error = select(&records, None, None).unwrap_err().to_string();
    assert!(
        error.contains("select one with environment or scope: a (*:a), b (*:b), few (shop:a)"),
        "{error}"
    );
    assert!(matches!(select(&records, None, Some("c")), Err(ReadError::UnknownScope { .. })));
    // Tokens that are still accepted come first.
    records.at(START + 1).write(|batch| batch.refuse(&scope("a"), START + 1));
    let selection = Selection { scope: None, environment: Some("a".to_owned()) };
    let state = records.read(|reader| reader.state_at(Some(timestamp(START + 1)), &selection)).unwrap();
    assert_eq!(state.recording.scope.id, "few");
    let tomorrow = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(24);
    let future = records.read(|reader| reader.state_at(Some(tomorrow), &Selection::default()));
    assert!(matches!(future, Err(ReadError::Future { .. })));
}

#[test]
fn copy_that_is_no_list_of_toggles_is_not_recorded() {
    let mut records = Records::new();
    let scope = scope("a");
    for body in [&b"{}"[..], b"[", br#"{"features":[{}]}"#, br#"{"features":[1]}"#] {
        let new = NewDefinitions {
            scope: &scope,
            body: body.to_vec().into(),
            after: None,
            by: START,
            event: None,
            missed: 0,
        };
        assert_eq!(records.write(|batch| batch.record(&new)), Outcome::Unreadable, "{body:?}");
    }
}

#[test]
fn list_of_changes_has_a_maximum_size() {
    let mut records = Records::new();
    let list = |enabled: bool| {
        let description = "x".repeat(MAX_CHANGED_BYTES / 10);
        let features: Vec<_> = (0..10)
            .map(
                |name| json!({ "name": format!("t.{name}"), "enabled": enabled, "description": description }),
            )
            .collect();
        json!({ "version": 1, "features": features }).to_string().into_bytes()
    };
    for (by, body) in [(START, list(false)), (START + 1_000, list(true))] {
        let scope = scope("a");
        let new =
            NewDefinitions { scope: &scope, body: body.into(), after: None, by, event: None, missed: 0 };
        assert_eq!(records.at(by).write(|batch| batch.record(&new)), Outcome::Recorded);
    }
    let found = records.changes(START, START + 2_000);
    assert_eq!((found.changes.len(), found.is_truncated), (4, true));
}

#[test]
fn credential_is_stored_as_a_salted_hash() {
    let records = [(); 2].map(|()| {
        let mut records = Records::new();
        let scope = ServedScope { key: ScopeKey::Credential([7; 32]), ..scope("a") };
        let new = NewDefinitions {
            scope: &scope,
            body: body(&one(1)).into(),
            after: None,
            by: START,
            event: None,
            missed: 0,
        };
        for _ in 0..2 {
            records.write(|batch| batch.record(&new));
            records.restart();
        }
        records.read(|reader| Ok(reader.status()?.scopes)).unwrap()
    });
    assert!(records.iter().all(|scopes| scopes.len() == 1 && scopes[0].id.len() == 12), "{records:?}");
    assert_ne!(records[0], records[1], "other databases have other salts");
}

#[test]
fn instances_of_the_embedded_service_record_an_event_once_with_its_time() {
    let mut records = Records::with(512 << 20, Sharing::Together);
    let mut other = writer(512 << 20, Sharing::Together, "b");
    let scope = scope("a");
    let new = |id: i64, version: u8, now: i64| {
        let event = Some(NewestEvent { id, time: START + 1_000 * id });
        NewDefinitions {
            scope: &scope,
            body: body(&one(version)).into(),
            after: None,
            by: now,
            event,
            missed: 0,
        }
    };
    records.at(START + 1_500).write(|batch| batch.record(&new(1, 1, START + 1_500)));
    records.at(START + 2_050);
    assert_eq!(records.write(|batch| batch.record(&new(2, 3, START + 2_050))), Outcome::Recorded);
    let mut write = |records: &Records, new: NewDefinitions<'_>| {
        write_as(&records.database, &mut other, records.now(), |batch| batch.record(&new)).unwrap()
    };
    assert_eq!(write(&records, new(2, 3, START + 2_050)), Outcome::Unchanged);
    // An instance that is behind.
    assert_eq!(write(&records, new(1, 1, START + 2_050)), Outcome::Unchanged);
    assert_eq!(records.toggles("a", START + 2_050), one(3));
    records.at(START + 3_100);
    assert_eq!(write(&records, new(3, 5, START + 3_100)), Outcome::Recorded);
    for (time, version) in [(1_999, 1), (2_000, 3), (2_999, 3), (3_000, 5)] {
        assert_eq!(records.toggles("a", START + time), one(version), "{time}");
    }
    // One of them restarts, and the others have recorded meanwhile.
    records.restart();
    records.at(START + 4_000).confirm();
    assert_eq!(records.ranges().len(), 1);
}

#[test]
fn one_instance_in_front_of_an_upstream_records_and_another_one_takes_over() {
    let mut records = Records::with(512 << 20, Sharing::Leased);
    let mut other = writer(512 << 20, Sharing::Leased, "b");
    records.record("a", &one(1));
    let scope = scope("a");
    let mut write = |records: &Records, version: u8| {
        let (by, body) = (records.wall, body(&one(version)).into());
        let new = NewDefinitions { scope: &scope, body, after: None, by, event: None, missed: 0 };
        write_as(&records.database, &mut other, records.now(), |batch| batch.record(&new))
    };
    records.at(START + 10_000);
    assert_eq!(write(&records, 3), None);
    records.confirm();
    records.at(START + 10_000 + LEASE - 1);
    assert_eq!(write(&records, 3), None);
    // It has not renewed its lease.
    records.at(START + 10_000 + LEASE);
    assert_eq!(write(&records, 3), Some(Outcome::Recorded));
    assert_eq!(records.toggles("a", START + 10_000 + LEASE), one(3));
    assert_eq!(records.gap(START + 20_000), Some(GapReason::HandedOver));
    assert_eq!(records.gap(START + 5_000), None);
    let (now, database) = (records.now(), records.database.clone());
    assert_eq!(write_as(&database, &mut records.writer, now, |_| Ok(())), None);
    // The instance that ends lets another one record at once.
    assert_eq!(write_as(&database, &mut other, now, |batch| batch.end_lease()), Some(()));
    assert_eq!(write_as(&database, &mut records.writer, now, |_| Ok(())), Some(()));
}
