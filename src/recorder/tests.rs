//! Tests of the files with controlled times: any sequence of changes, restarts and damages.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::format::{GapReason, Scope, timestamp};
use super::reader::{MAX_CHANGED_BYTES, PastChanges, PastState, ReadError, Reader, Selection};
use super::segments;
use super::store::{NewDefinitions, OpenError, Outcome, Store};
use super::thread::RecorderState;
use crate::config;

/// The time of the first record. Milliseconds since 1970.
const START: u64 = 1_700_000_000_000;
const DAY: u64 = 86_400_000;

/// The version of each toggle.
type Toggles = BTreeMap<u8, u8>;

fn settings(folder: &Path) -> config::Recorder {
    config::Recorder { folder: folder.to_owned(), keep: Duration::from_hours(24 * 90), size: 256 << 20 }
}

fn scope(id: &str) -> Scope {
    Scope {
        id: id.to_owned(),
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

fn copy(id: &str, toggles: &Toggles, by: u64) -> NewDefinitions {
    NewDefinitions { scope: Arc::new(scope(id)), body: body(toggles).into(), after: None, by, missed: 0 }
}

fn read(folder: &Path, id: &str, at: u64) -> Result<PastState, ReadError> {
    Reader::new(folder, None).state_at(timestamp(at), &of_scope(id))
}

fn of_scope(id: &str) -> Selection {
    Selection { scope: Some(id.to_owned()), environment: None }
}

fn changes(folder: &Path, from: u64, to: u64) -> PastChanges {
    Reader::new(folder, None).changes(timestamp(from), timestamp(to), &of_scope("a")).unwrap()
}

fn toggles_of(state: &PastState) -> Toggles {
    let parse = |text: &str| -> (u8, u8) {
        let toggle: Value = serde_json::from_str(text).unwrap();
        let name = toggle["name"].as_str().unwrap().strip_prefix("t.").unwrap().parse().unwrap();
        (name, toggle["version"].as_u64().unwrap().try_into().unwrap())
    };
    let toggles: Toggles = state.features.iter().map(|text| parse(text.get())).collect();
    let segments: std::collections::BTreeSet<_> =
        toggles.values().filter(|version| *version % 2 == 0).collect();
    assert_eq!(state.segments.len(), segments.len());
    toggles
}

#[derive(Debug, Clone)]
enum Action {
    /// A scope gets these toggles.
    Record(u8, Toggles),
    Refuse(u8),
    Confirm,
    /// The process ends and starts again.
    Restart,
    /// The process is killed while it writes a record.
    Kill,
    /// The clock of the machine is set back.
    SetBack(u64),
}

fn actions() -> impl Strategy<Value = Vec<(u64, Action)>> {
    let toggles = proptest::collection::btree_map(0..6_u8, 0..4_u8, 0..6);
    let action = prop_oneof![
        12 => (0..3_u8, toggles).prop_map(|(scope, toggles)| Action::Record(scope, toggles)),
        1 => (0..3_u8).prop_map(Action::Refuse),
        2 => Just(Action::Confirm),
        1 => Just(Action::Restart),
        1 => Just(Action::Kill),
        1 => (0..5_000_u64).prop_map(Action::SetBack),
    ];
    proptest::collection::vec((0..2_000_u64, action), 1..80)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// The model is a list of the states of each scope with their times.
    #[test]
    fn state_at_any_time_equals_the_model(
        actions in actions(),
        size in prop_oneof![Just(256_u64 << 20), Just(2_000)],
        times in proptest::collection::vec(any::<prop::sample::Index>(), 20),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let settings = config::Recorder { size, ..settings(folder.path()) };
        let mut store = Some(Store::open(&settings).unwrap());
        // Before the first copy, nothing is recorded, so that times before it do not count.
        let (mut now, mut last) = (START, 0);
        let has_files = || !segments::list(folder.path()).unwrap().is_empty();
        store.as_mut().unwrap().resume(now).unwrap();
        let mut model: Vec<(u64, u8, Option<Toggles>)> = Vec::new();
        for (pause, action) in actions {
            now += pause;
            let by = now.max(last);
            let open = store.as_mut().unwrap();
            match action {
                Action::Record(scope, toggles) => {
                    let outcome = open.record(&copy(&scope.to_string(), &toggles, now)).unwrap();
                    let known = model.iter().rfind(|(_, known, _)| *known == scope).map(|(_, _, state)| state.clone());
                    prop_assert_eq!(outcome == Outcome::Unchanged, known == Some(Some(toggles.clone())));
                    if outcome == Outcome::Recorded {
                        model.push((by, scope, Some(toggles)));
                        last = by;
                    }
                }
                Action::Refuse(scope) => {
                    if open.refuse(&scope.to_string(), now).unwrap() == Outcome::Recorded {
                        model.push((by, scope, None));
                        last = by;
                    }
                }
                Action::Confirm => {
                    open.confirm(now, &[]).unwrap();
                    last = if has_files() { by } else { 0 };
                }
                Action::Restart | Action::Kill => {
                    drop(store.take());
                    let file = segments::list(folder.path()).unwrap().pop();
                    if let (Action::Kill, Some(file)) = (action, file) {
                        File::options().append(true).open(file.path).unwrap().write_all(&[9, 0, 0, 0, 1, 2]).unwrap();
                    }
                    let mut next = Store::open(&settings).unwrap();
                    next.resume(now).unwrap();
                    store = Some(next);
                    last = if has_files() { by } else { 0 };
                }
                Action::SetBack(time) => now -= time,
            }
        }
        let first = segments::list(folder.path()).unwrap().first().map(segments::SegmentFile::time);
        for index in times {
            let range = usize::try_from(last.saturating_sub(START) + 1).unwrap();
            let time = START + u64::try_from(index.index(range)).unwrap();
            for scope in 0..3 {
                let read = read(folder.path(), &scope.to_string(), time);
                let Some(first) = first else {
                    prop_assert!(matches!(read, Err(ReadError::Empty)), "{:?}", read);
                    continue;
                };
                if time < first {
                    prop_assert!(matches!(read, Err(ReadError::BeforeFirst { .. })), "{:?}", read);
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

/// Records a change each second. Returns the states.
fn record(store: &mut Store, count: u8) -> Vec<(u64, Toggles)> {
    store.resume(START).unwrap();
    let states = (1..=count).map(|version| {
        let toggles = Toggles::from([(1, version), (2, 0)]);
        let time = START + 1_000 * u64::from(version);
        store.record(&copy("a", &toggles, time)).unwrap();
        (time, toggles)
    });
    states.collect()
}

#[test]
fn file_that_is_cut_or_damaged_at_any_byte_is_readable_up_to_there_and_recording_continues() {
    let original = tempfile::tempdir().unwrap();
    let mut store = Store::open(&settings(original.path())).unwrap();
    let states = record(&mut store, 4);
    let file = segments::list(original.path()).unwrap().pop().unwrap();
    let content = fs::read(&file.path).unwrap();
    for position in 0..content.len() {
        for is_cut in [true, false] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(file.path.file_name().unwrap());
            let mut damaged = content.clone();
            if is_cut {
                damaged.truncate(position);
            } else {
                damaged[position] ^= 0x10;
            }
            fs::write(path, &damaged).unwrap();
            let mut is_readable = true;
            for (time, toggles) in &states {
                let now_readable = match read(folder.path(), "a", *time) {
                    Ok(state) if toggles_of(&state) == *toggles => true,
                    // After the last record, it says that no later one is known.
                    Ok(state) => {
                        let gap = state.recording.gap.unwrap();
                        assert!(
                            gap.reason == GapReason::NotConfirmed && gap.to.is_none(),
                            "{position}: {gap:?}"
                        );
                        false
                    }
                    Err(ReadError::Damaged { .. } | ReadError::Empty) => false,
                    Err(error) => panic!("{position}: {error}"),
                };
                assert!(is_readable || !now_readable, "{position}: readable after the damage");
                is_readable = now_readable;
            }
            // Starting a file waits for the disk.
            if position % 29 != 0 {
                continue;
            }
            let mut store = Store::open(&settings(folder.path())).unwrap();
            store.resume(START + 10_000).unwrap();
            let new = Toggles::from([(7, 7)]);
            store.record(&copy("a", &new, START + 11_000)).unwrap();
            assert_eq!(toggles_of(&read(folder.path(), "a", START + 11_000).unwrap()), new);
            if let Ok(state) = read(folder.path(), "a", START + 5_000) {
                assert!(state.recording.gap.is_some(), "{position}: the process did not run");
            }
        }
    }
}

#[test]
fn damage_before_the_last_file_is_reported_and_the_next_file_is_readable() {
    let folder = tempfile::tempdir().unwrap();
    let settings = config::Recorder { keep: Duration::from_secs(10), ..settings(folder.path()) };
    let mut store = Store::open(&settings).unwrap();
    let states = record(&mut store, 6);
    let files = segments::list(folder.path()).unwrap();
    assert!(files.len() > 2, "an eighth of the time has passed");
    let [first, second, ..] = files.as_slice() else { panic!() };
    // The file ends before its last record.
    let length = fs::metadata(&first.path).unwrap().len();
    File::options().write(true).open(&first.path).unwrap().set_len(length - 1).unwrap();
    let lost = second.time() - 1;
    let error = read(folder.path(), "a", lost).unwrap_err();
    assert!(error.to_string().contains("ask for a time before or after it"), "{error}");
    for (time, toggles) in states.iter().filter(|(time, _)| *time >= second.time()) {
        assert_eq!(toggles_of(&read(folder.path(), "a", *time).unwrap()), *toggles);
    }
    let changes = changes(folder.path(), START + 1_000, START + 6_000);
    assert!(changes.gaps.iter().any(|gap| gap.reason == GapReason::Damaged), "{:?}", changes.gaps);
    // A missing file is a damage, too.
    fs::remove_file(&second.path).unwrap();
    let error = read(folder.path(), "a", second.time() + 1).unwrap_err();
    assert!(matches!(error, ReadError::Damaged { .. }), "{error}");
}

#[test]
fn old_files_are_removed_by_time_and_the_state_at_the_limit_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let settings = settings(folder.path());
    let mut store = Store::open(&settings).unwrap();
    store.resume(START).unwrap();
    let mut states = Vec::new();
    for day in 0..250_u64 {
        let (time, toggles) = (START + day * DAY, Toggles::from([(1, u8::try_from(day).unwrap())]));
        store.record(&copy("a", &toggles, time)).unwrap();
        states.push((time, toggles));
    }
    let limit = START + (249 - 90) * DAY;
    for (time, toggles) in states.iter().filter(|(time, _)| *time >= limit) {
        assert_eq!(toggles_of(&read(folder.path(), "a", *time).unwrap()), *toggles);
    }
    let oldest = segments::list(folder.path()).unwrap()[0].time();
    assert!((limit - 13 * DAY..=limit).contains(&oldest), "{}", (limit - oldest) / DAY);
    let error = read(folder.path(), "a", START).unwrap_err();
    assert!(matches!(error, ReadError::BeforeFirst { .. }), "{error}");
    // Without changes, the last state is kept.
    store.confirm(START + 500 * DAY, &[]).unwrap();
    assert_eq!(toggles_of(&read(folder.path(), "a", START + 400 * DAY).unwrap()), states[249].1);
}

#[test]
fn old_files_are_removed_by_size() {
    let folder = tempfile::tempdir().unwrap();
    let size = 40_000;
    let mut store = Store::open(&config::Recorder { size, ..settings(folder.path()) }).unwrap();
    store.resume(START).unwrap();
    for number in 0..2_000_u64 {
        let toggles =
            (0..20).map(|name| (name, u8::try_from(number * u64::from(name) % 251).unwrap())).collect();
        store.record(&copy("a", &toggles, START + number)).unwrap();
        let total: u64 = segments::list(folder.path())
            .unwrap()
            .iter()
            .map(|file| fs::metadata(&file.path).unwrap().len())
            .sum();
        assert_eq!(total, store.size());
        assert!(total <= size, "{total}");
    }
    assert!(store.size() > size / 2);
    assert_eq!(read(folder.path(), "a", START + 1_999).unwrap().features.len(), 20);
}

#[test]
fn file_has_at_most_200_changes_and_only_this_user_may_read_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("recorder");
    let mut store = Store::open(&settings(&path)).unwrap();
    store.resume(START).unwrap();
    for number in 0..=200_u64 {
        let toggles = Toggles::from([(1, u8::try_from(number).unwrap())]);
        store.record(&copy("a", &toggles, START + number)).unwrap();
    }
    let files = segments::list(&path).unwrap();
    assert_eq!(files.iter().map(segments::SegmentFile::time).collect::<Vec<_>>(), [START, START + 200]);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&path), mode(&files[0].path), mode(&path.join("lock"))), (0o700, 0o600, 0o600));
    assert!(matches!(Store::open(&settings(&path)), Err(OpenError::InUse(_))));
}

#[test]
fn changes_have_one_entry_for_each_toggle_with_its_interval() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&settings(folder.path())).unwrap();
    store.resume(START).unwrap();
    for (time, after, toggles) in [
        (0, None, [(1, 1), (2, 1), (3, 1)].as_slice()),
        (1_000, Some(900), &[(1, 3), (2, 1), (3, 1)]),
        (2_000, Some(1_900), &[(1, 1), (2, 1), (3, 1)]),
        (3_000, Some(2_900), &[(1, 1), (3, 1), (4, 2)]),
    ] {
        let copy = copy("a", &toggles.iter().copied().collect(), START + time);
        store.record(&NewDefinitions { after: after.map(|after| START + after), ..copy }).unwrap();
    }
    let found = changes(folder.path(), START + 500, START + 3_000);
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
    let text = |time: u64| timestamp(START + time).to_string();
    assert_eq!((change.first.after.clone(), change.first.by.clone()), (Some(text(900)), text(1_000)));
    assert_eq!((change.last.after.clone(), change.last.by.clone()), (Some(text(1_900)), text(2_000)));
    assert!(found.gaps.is_empty() && !found.is_truncated, "{:?}", found.gaps);
    assert_eq!(describe(&changes(folder.path(), START + 1_000, START + 1_999)), []);
    assert_eq!(
        describe(&changes(folder.path(), START + 999, START + 1_000)),
        [entry("t.1", "~ version: 1 → 3", 1)]
    );
}

#[test]
fn gaps_are_stated_with_their_reasons() {
    let folder = tempfile::tempdir().unwrap();
    let settings = settings(folder.path());
    let mut store = Store::open(&settings).unwrap();
    let states = record(&mut store, 2);
    drop(store);
    let mut store = Store::open(&settings).unwrap();
    store.resume(START + 60_000).unwrap();
    let state = read(folder.path(), "a", START + 30_000).unwrap();
    assert_eq!(toggles_of(&state), states[1].1);
    let gap = state.recording.gap.unwrap();
    assert_eq!((gap.reason, gap.to), (GapReason::NotRunning, Some(timestamp(START + 60_000).to_string())));
    store.confirm(START + 70_000, &[]).unwrap();
    store.start_gap();
    store
        .record(&NewDefinitions { missed: 3, ..copy("a", &Toggles::from([(9, 9)]), START + 80_000) })
        .unwrap();
    let state = read(folder.path(), "a", START + 75_000).unwrap();
    assert_eq!(state.recording.gap.unwrap().reason, GapReason::NotWritten);
    assert!(read(folder.path(), "a", START + 65_000).unwrap().recording.gap.is_none());
    store.refuse("a", START + 90_000).unwrap();
    assert!(matches!(read(folder.path(), "a", START + 95_000), Err(ReadError::Refused { .. })));
    store.record(&copy("a", &Toggles::from([(9, 9)]), START + 100_000)).unwrap();
    let found = changes(folder.path(), START + 1_500, START + 110_000);
    let reasons: Vec<_> = found.gaps.iter().map(|gap| gap.reason).collect();
    let expected =
        [GapReason::NotRunning, GapReason::NotWritten, GapReason::Refused, GapReason::NotConfirmed];
    assert_eq!((reasons, found.missed), (expected.to_vec(), 3));

    // The process runs, but cannot write.
    let failing = Some((START + 105_000, "No space left".to_owned()));
    let reader = Reader::new(folder.path(), Some(RecorderState { failing, ..RecorderState::default() }));
    let range = (timestamp(START + 100_000), timestamp(START + 110_000));
    let gaps = reader.changes(range.0, range.1, &of_scope("a")).unwrap().gaps;
    assert_eq!(gaps.iter().map(|gap| gap.reason).collect::<Vec<_>>(), [GapReason::NotWritten]);
    assert_eq!((&gaps[0].from, &gaps[0].to), (&timestamp(START + 105_000).to_string(), &None));
    let state = reader.state_at(timestamp(START + 107_000), &of_scope("a")).unwrap();
    assert_eq!(state.recording.gap.as_ref(), gaps.first());
}

#[test]
fn change_in_a_lost_record_was_made_before_the_next_file() {
    let folder = tempfile::tempdir().unwrap();
    let settings = config::Recorder { keep: Duration::from_secs(10), ..settings(folder.path()) };
    let mut store = Store::open(&settings).unwrap();
    store.resume(START).unwrap();
    for (time, version) in [(1_000, 1), (1_100, 3), (2_500, 5)] {
        store.record(&copy("a", &Toggles::from([(1, version)]), START + time)).unwrap();
    }
    let files = segments::list(folder.path()).unwrap();
    let [first, _] = files.as_slice() else { panic!("{files:?}") };
    let length = fs::metadata(&first.path).unwrap().len();
    File::options().write(true).open(&first.path).unwrap().set_len(length - 1).unwrap();
    let found = changes(folder.path(), START + 1_000, START + 3_000);
    let change = &found.changes[0];
    let text = |time: u64| timestamp(START + time).to_string();
    assert_eq!(change.count, 2);
    assert_eq!((change.first.after.clone(), change.first.by.clone()), (Some(text(1_000)), text(2_500)));
    assert_eq!(change.last.by, text(2_500));
}

#[test]
fn token_that_was_not_confirmed_for_the_kept_time_is_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&settings(folder.path())).unwrap();
    store.resume(START).unwrap();
    let toggles = Toggles::from([(1, 1)]);
    for id in ["a", "b"] {
        store.record(&copy(id, &toggles, START)).unwrap();
    }
    let later = START + 91 * DAY;
    store.record(&copy("b", &Toggles::from([(1, 3)]), later)).unwrap();
    assert_eq!(toggles_of(&read(folder.path(), "a", START + DAY).unwrap()), toggles);
    assert!(matches!(read(folder.path(), "a", later), Err(ReadError::UnknownScope { .. })));
    // It is known again from its next request on.
    store.record(&copy("a", &toggles, later + DAY)).unwrap();
    assert_eq!(toggles_of(&read(folder.path(), "a", later + DAY).unwrap()), toggles);
}

#[test]
fn last_toggle_of_a_name_counts() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&settings(folder.path())).unwrap();
    store.resume(START).unwrap();
    let list =
        br#"{"features":[{"name":"t.1","version":1},{"name":"t.2","version":3},{"name":"t.1","version":5}]}"#;
    let copy = NewDefinitions { body: list.to_vec().into(), ..copy("a", &Toggles::new(), START) };
    store.record(&copy).unwrap();
    assert_eq!(toggles_of(&read(folder.path(), "a", START).unwrap()), Toggles::from([(1, 5), (2, 3)]));
}

#[test]
fn scope_is_selected_by_environment_or_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&settings(folder.path())).unwrap();
    store.resume(START).unwrap();
    let few = Scope { id: "few".to_owned(), name: "shop:a".to_owned(), ..scope("a") };
    store
        .record(&NewDefinitions { scope: Arc::new(few), ..copy("a", &Toggles::from([(1, 1)]), START) })
        .unwrap();
    store.record(&copy("a", &Toggles::from([(1, 1), (2, 2)]), START)).unwrap();
    let select = |scope: Option<&str>, environment: Option<&str>| {
        let selection = Selection {
            scope: scope.map(ToOwned::to_owned),
            environment: environment.map(ToOwned::to_owned),
        };
        Reader::new(folder.path(), None).state_at(timestamp(START), &selection).map(|state| {
            let others = state.recording.other_scopes.iter().map(|other| other.id.clone());
            (state.recording.scope.id, others.collect::<Vec<_>>())
        })
    };
    let most = ("a".to_owned(), vec!["few".to_owned()]);
    assert_eq!(select(None, None).unwrap(), most, "most toggles of the only environment");
    store.record(&copy("b", &Toggles::from([(1, 1)]), START)).unwrap();
    assert_eq!(select(None, Some("a")).unwrap(), most);
    assert_eq!(select(Some("shop:a"), None).unwrap().0, "few");
    let error = select(None, None).unwrap_err().to_string();
    assert!(
        error.contains("select one with environment or scope: a (*:a), few (shop:a), b (*:b)"),
        "{error}"
    );
    assert!(matches!(select(None, Some("c")), Err(ReadError::UnknownScope { .. })));
    // Tokens that are still accepted come first.
    store.refuse("a", START + 1).unwrap();
    let selection = Selection { scope: None, environment: Some("a".to_owned()) };
    let state = Reader::new(folder.path(), None).state_at(timestamp(START + 1), &selection).unwrap();
    assert_eq!(state.recording.scope.id, "few");
    let future = Reader::new(folder.path(), None);
    let tomorrow = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(24);
    assert!(matches!(future.state_at(tomorrow, &Selection::default()), Err(ReadError::Future { .. })));
}

#[test]
fn copy_that_is_no_list_of_toggles_is_not_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&settings(folder.path())).unwrap();
    store.resume(START).unwrap();
    for body in [&b"{}"[..], b"[", br#"{"features":[{}]}"#, br#"{"features":[1]}"#] {
        let copy = NewDefinitions { body: body.to_vec().into(), ..copy("a", &Toggles::new(), START) };
        assert_eq!(store.record(&copy).unwrap(), Outcome::Unreadable, "{body:?}");
    }
}

#[test]
fn list_of_changes_has_a_maximum_size() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&settings(folder.path())).unwrap();
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
        let copy =
            NewDefinitions { scope: Arc::new(scope("a")), body: body.into(), after: None, by, missed: 0 };
        assert!(matches!(store.record(&copy).unwrap(), Outcome::Recorded));
    }
    let found = changes(folder.path(), START, START + 2_000);
    assert_eq!((found.changes.len(), found.is_truncated), (4, true));
}
