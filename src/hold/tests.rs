//! Holds with controlled time, and derived lists for random toggles.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::{Just, Strategy, any, proptest};
use proptest::{collection, prop_assert, prop_assert_eq, prop_oneof};
use serde_json::{Value, json};
use tokio::runtime::Builder;
use tokio::task::spawn_blocking;

use super::body::{Derived, derive};
use super::set::{Ending, StoredHolds, UnsavedChanges};
use super::{
    ActiveHolds, CopyScope, HeldToggles, Hold, HoldEnd, HoldEvent, HoldStorage, Holds, Source, SourceNumber,
    ToggleList,
};
use crate::clock::{Clock, Now};
use crate::config::DataLocation;
use crate::database::{Database, Store};
use crate::error::ApiError;

/// Both clocks, which a test sets.
#[derive(Clone)]
struct TestClock(Arc<Mutex<Now>>);

impl TestClock {
    fn new() -> Self {
        let wall = "2026-11-24T14:00:00Z".parse().unwrap();
        Self(Arc::new(Mutex::new(Now { monotonic: Duration::from_secs(1_000), wall })))
    }

    fn clock(&self) -> Clock {
        let now = Arc::clone(&self.0);
        Clock::new(move || *now.lock().unwrap())
    }

    fn now(&self) -> Now {
        *self.0.lock().unwrap()
    }

    /// Lets time pass, in which the clock of the machine is also set by `jump`.
    fn pass(&self, time: Duration, jump: SignedDuration) {
        let mut now = self.0.lock().unwrap();
        now.monotonic += time;
        now.wall = now.wall + time + jump;
    }
}

fn hold(toggle: &str, now: Timestamp, hours: i64) -> Hold {
    static NEXT: AtomicUsize = AtomicUsize::new(1);
    Hold {
        id: NEXT.fetch_add(1, Ordering::Relaxed).to_string(),
        toggle: toggle.to_owned(),
        environment: None,
        reason: "INC-42".to_owned(),
        person: "anna".to_owned(),
        start: now,
        expires: now + SignedDuration::from_hours(hours),
    }
}

fn body(toggles: &Value) -> Bytes {
    json!({ "version": 2, "features": toggles, "segments": [] }).to_string().into()
}

fn on(name: &str) -> Value {
    json!({ "name": name, "enabled": true, "strategies": [{ "name": "default" }] })
}

/// Derives a list for holds of a scope.
fn derived(body: &Bytes, holds: &[Hold], scope: &CopyScope) -> Derived {
    let (mut set, now) = (ActiveHolds::default(), TestClock::new().now());
    for hold in holds {
        set.add(Arc::new(hold.clone()), now);
    }
    derive(body, &set, scope).unwrap()
}

fn enabled(body: &Bytes) -> BTreeMap<String, bool> {
    let list: Value = serde_json::from_slice(body).unwrap();
    let toggle = |toggle: &Value| (toggle["name"].as_str().unwrap().to_owned(), toggle["enabled"] == true);
    list["features"].as_array().unwrap().iter().map(toggle).collect()
}

#[tokio::test]
async fn clock_that_is_set_does_not_lengthen_a_hold() {
    let hour = Duration::from_hours(1);
    for (jump, passes, is_held) in [
        (SignedDuration::ZERO, Duration::from_mins(119), true),
        (SignedDuration::ZERO, 2 * hour, false),
        // Back: the monotonic clock ends the hold.
        (SignedDuration::from_hours(-5), Duration::from_mins(119), true),
        (SignedDuration::from_hours(-5), 2 * hour, false),
        // Forward: the clock of the machine ends the hold.
        (SignedDuration::from_hours(1), Duration::from_mins(59), true),
        (SignedDuration::from_hours(1), hour, false),
    ] {
        let clock = TestClock::new();
        let holds = Holds::new(None, clock.clock());
        holds.add(hold("a", clock.now().wall, 2)).await.unwrap();
        clock.pass(passes, jump);
        assert_eq!(!holds.current().is_empty(), is_held, "{jump} {passes:?}");
        assert_eq!(holds.is_empty(), !is_held);
        let ends: Vec<_> = holds.list().ended.iter().map(|ended| ended.end).collect();
        assert_eq!(ends, if is_held { vec![] } else { vec![HoldEnd::Expired] });
    }
}

#[tokio::test]
async fn holds_of_one_toggle_are_independent() {
    let clock = TestClock::new();
    let now = clock.now().wall;
    let scope = CopyScope { environment: Some("production".to_owned()), ..CopyScope::default() };
    let list = body(&json!([on("a"), on("b")]));
    for (environment, is_held) in [(None, true), (Some("production"), true), (Some("test"), false)] {
        let held = Hold { environment: environment.map(str::to_owned), ..hold("a", now, 1) };
        assert_eq!(derived(&list, &[held], &scope).body.is_some(), is_held, "{environment:?}");
    }

    let holds = Holds::new(None, clock.clock());
    let short = holds.add(hold("a", now, 1)).await.unwrap();
    holds.add(hold("a", now, 3)).await.unwrap();
    assert_eq!(holds.current().len(), 1, "the longer one replaces {short:?}");
    holds.add(hold("a", now, 2)).await.unwrap();
    assert_eq!(holds.current().len(), 2);
    clock.pass(Duration::from_hours(2), SignedDuration::ZERO);
    assert_eq!(holds.current().len(), 1, "a shorter one does not end the longer one");
    assert_eq!(
        (holds.release("a", Some("test"), "anna").await, holds.release("a", None, "anna").await),
        (0, 1)
    );
}

/// Opens the holds of a database file, as a start of the server does.
async fn open(path: &Path, clock: Clock) -> Holds {
    let store = Store::open(&DataLocation::File(path.to_owned()), |_, _| Ok(())).unwrap();
    let storage = HoldStorage::new(Database::new(store).unwrap(), "https://flags.test");
    let holds = Holds::new(Some(storage), clock);
    holds.synchronize().await;
    holds
}

fn toggles(holds: &Holds) -> Vec<String> {
    holds.current().iter().map(|active| active.hold.toggle.clone()).collect()
}

/// Returns the toggles of the holds, and whether each is stored.
fn stored(holds: &Holds) -> Vec<(String, bool)> {
    holds.list().holds.into_iter().map(|hold| (hold.toggle, hold.is_stored)).collect()
}

/// Returns the toggles of the ended holds with the causes of their ends.
fn ends(holds: &Holds) -> Vec<(String, HoldEnd)> {
    holds.list().ended.into_iter().map(|ended| (ended.toggle, ended.end)).collect()
}

fn run_sql(path: &Path, sql: &str) {
    rusqlite::Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

#[tokio::test]
async fn database_keeps_holds_and_their_ends() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), TestClock::new());
    let path = folder.path().join("flagdeck.db");
    let now = clock.now().wall;
    let holds = open(&path, clock.clock()).await;
    for (toggle, hours) in [("a", 2), ("b", 1), ("c", 1), ("a", 3)] {
        holds.add(hold(toggle, now, hours)).await.unwrap();
    }
    assert_eq!(holds.release("b", None, "bert").await, 1);
    holds.end_switched_off(|active| active.hold.toggle == "c");
    holds.synchronize().await;
    assert_eq!(stored(&holds), [("a".to_owned(), true)], "a longer hold has replaced the first one");
    let restarted = open(&path, clock.clock()).await;
    assert_eq!(stored(&restarted), stored(&holds));
    assert_eq!(restarted.list().holds, holds.list().holds);
    assert_eq!(restarted.list().ended, holds.list().ended);
    let mut ended = ends(&restarted);
    ended.sort_by(|one, other| one.0.cmp(&other.0));
    assert_eq!(ended, [("b".to_owned(), HoldEnd::Released), ("c".to_owned(), HoldEnd::SwitchedOff)]);
    let of_b = restarted.list().ended.into_iter().find(|ended| ended.toggle == "b").unwrap();
    assert_eq!(of_b.person.as_deref(), Some("bert"));

    clock.pass(Duration::ZERO, SignedDuration::from_mins(-4));
    let seconds = open(&path, clock.clock()).await.list().holds[0].seconds_left;
    assert_eq!(seconds, 10_800, "a clock that was set back before a start does not lengthen a hold");
    clock.pass(Duration::from_hours(3), SignedDuration::from_mins(4));
    let restarted = open(&path, clock.clock()).await;
    assert_eq!(toggles(&restarted), Vec::<String>::new());
    assert_eq!(ends(&restarted)[0], ("a".to_owned(), HoldEnd::Expired), "it ended while no process ran");
}

#[tokio::test]
async fn holds_of_another_flag_service_have_no_effect() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), TestClock::new());
    let path = folder.path().join("flagdeck.db");
    open(&path, clock.clock()).await.add(hold("a", clock.now().wall, 1)).await.unwrap();
    run_sql(&path, "UPDATE holds SET source = 'https://staging.test'");
    assert!(open(&path, clock.clock()).await.is_empty());
}

#[tokio::test]
async fn hold_that_ended_by_the_monotonic_clock_does_not_start_again() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), TestClock::new());
    let path = folder.path().join("flagdeck.db");
    let holds = open(&path, clock.clock()).await;
    holds.add(hold("a", clock.now().wall, 2)).await.unwrap();
    clock.pass(Duration::from_hours(2), SignedDuration::from_hours(-2));
    assert!(holds.current().is_empty());
    holds.synchronize().await;
    assert!(open(&path, clock.clock()).await.is_empty());
}

#[tokio::test]
async fn change_is_stored_although_the_client_that_requested_it_has_disconnected() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), TestClock::new());
    let path = folder.path().join("flagdeck.db");
    let holds = open(&path, clock.clock()).await;
    let mut request = Box::pin(holds.add(hold("a", clock.now().wall, 2)));
    assert!(futures_util::poll!(&mut request).is_pending(), "the hold is being stored");
    drop(request);
    // Waits for the turn.
    holds.synchronize().await;
    assert_eq!(stored(&holds), [("a".to_owned(), true)]);
    assert_eq!(stored(&open(&path, clock.clock()).await), [("a".to_owned(), true)]);
}

#[tokio::test]
async fn old_holds_are_deleted() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), TestClock::new());
    let path = folder.path().join("flagdeck.db");
    let holds = open(&path, clock.clock()).await;
    let count = || -> i64 {
        let connection = rusqlite::Connection::open(&path).unwrap();
        connection.query_row("SELECT count(*) FROM holds", [], |row| row.get(0)).unwrap()
    };
    holds.add(hold("a", clock.now().wall, 1)).await.unwrap();
    clock.pass(Duration::from_hours(20), SignedDuration::ZERO);
    holds.add(hold("b", clock.now().wall, 24)).await.unwrap();
    for (hours, expected) in [(20, 2), (21, 1), (43, 1), (45, 0)] {
        holds
            .0
            .storage
            .as_ref()
            .unwrap()
            .delete_ended(TestClock::new().now().wall + SignedDuration::from_hours(hours))
            .await
            .unwrap();
        assert_eq!(count(), expected, "{hours}");
    }
}

/// Lets the paused time pass until a future ends, for a minute at most.
async fn until_time_has_passed<T>(future: impl Future<Output = T>) -> T {
    let pass = async {
        for _second in 0..60 {
            tokio::time::advance(Duration::from_secs(1)).await;
        }
    };
    tokio::select! {
        biased;
        result = future => result,
        () = pass => panic!("the database delays the future"),
    }
}

#[tokio::test]
async fn database_that_does_not_respond_delays_no_hold() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), TestClock::new());
    let path = folder.path().join("flagdeck.db");
    let holds = open(&path, clock.clock()).await;
    let lock = rusqlite::Connection::open(&path).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    tokio::time::pause();
    let now = clock.now().wall;
    for toggle in ["a", "b"] {
        let request = holds.add(hold(toggle, now, 1));
        let observe = async {
            assert!(toggles(&holds).contains(&toggle.to_owned()), "it counts before it is stored");
        };
        let (added, ()) = until_time_has_passed(async { tokio::join!(request, observe) }).await;
        assert!(!added.unwrap().is_stored);
    }
    assert_eq!(holds.list().storage_fault.as_deref(), Some("the database does not respond"));
    let released = until_time_has_passed(holds.release("a", None, "anna")).await;
    assert_eq!((released, toggles(&holds)), (1, vec!["b".to_owned()]));
    tokio::time::resume();
    lock.execute_batch("ROLLBACK").unwrap();
    let mut restarted = Vec::new();
    for _attempt in 0..2 {
        holds.synchronize().await;
        restarted = stored(&open(&path, clock.clock()).await);
    }
    assert_eq!((stored(&holds), holds.list().storage_fault), (vec![("b".to_owned(), true)], None));
    assert_eq!(restarted, [("b".to_owned(), true)]);
    assert_eq!(ends(&holds), [("a".to_owned(), HoldEnd::Released)]);
}

#[tokio::test]
async fn database_that_opens_later_adds_its_holds_and_gets_the_new_ones() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), TestClock::new());
    let path = folder.path().join("flagdeck.db");
    let now = clock.now().wall;
    open(&path, clock.clock()).await.add(hold("a", now, 1)).await.unwrap();
    let data = DataLocation::File(path.clone());
    let database = Database::unopened(&data);
    let storage = HoldStorage::new(database.clone(), "https://flags.test");
    let holds = Holds::new(Some(storage), clock.clock());
    assert!(!holds.add(hold("b", now, 1)).await.unwrap().is_stored);
    let fault = holds.list().storage_fault.unwrap();
    assert!(fault.contains("is not open"), "{fault}");
    database.open(data, |_, _| Ok(())).await;
    holds.synchronize().await;
    let mut all = stored(&holds);
    all.sort();
    assert_eq!(all, [("a".to_owned(), true), ("b".to_owned(), true)]);
    assert_eq!(holds.list().storage_fault, None);
}

/// Returns a function that describes the events since the last call.
fn observe(holds: &Holds) -> impl FnMut() -> Vec<String> + use<> {
    let mut receiver = holds.events();
    move || {
        let mut events = Vec::new();
        while let Ok(event) = receiver.try_recv() {
            events.push(match event {
                HoldEvent::Started(hold) => format!("{} started", hold.toggle),
                HoldEvent::Ended(_, ended) => format!("{} {:?}", ended.toggle, ended.end),
            });
        }
        events
    }
}

#[tokio::test]
async fn receivers_get_each_start_and_end_once() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), TestClock::new());
    let (path, now) = (folder.path().join("flagdeck.db"), clock.now().wall);
    open(&path, clock.clock()).await.add(hold("a", now, 3)).await.unwrap();
    let store = Store::open(&DataLocation::File(path), |_, _| Ok(())).unwrap();
    let storage = HoldStorage::new(Database::new(store).unwrap(), "https://flags.test");
    let holds = Holds::new(Some(storage), clock.clock());
    let mut events = observe(&holds);
    holds.add(hold("b", now, 1)).await.unwrap();
    assert_eq!(toggles(&holds).len(), 2);
    assert_eq!(events(), ["b started"], "a restart does not start the stored hold again");
    clock.pass(Duration::from_hours(1), SignedDuration::ZERO);
    assert_eq!(holds.current().len(), 1);
    holds.synchronize().await;
    assert_eq!(events(), ["b Expired"]);
    assert_eq!(holds.release("a", None, "anna").await, 1);
    holds.synchronize().await;
    assert_eq!(events(), ["a Released"]);
}

#[tokio::test]
async fn receivers_get_the_start_of_a_hold_that_ends_at_once_before_its_end() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), TestClock::new());
    let path = folder.path().join("flagdeck.db");
    // Each read of the clock takes so long that the hold has ended while it is stored.
    let slow = Clock::new(move || {
        clock.pass(Duration::from_mins(18), SignedDuration::ZERO);
        clock.now()
    });
    let holds = open(&path, slow).await;
    let mut events = observe(&holds);
    assert!(holds.add(hold("a", holds.now().wall, 1)).await.is_err());
    assert_eq!(events(), ["a started", "a Expired"]);
}

/// An operation of an instance in the model below.
#[derive(Debug, Clone)]
enum Operation {
    Add {
        hours: u8,
    },
    Release,
    /// Reads the changes to store, and stores them.
    Store,
    /// Applies the content of the database that the last `Store` has read.
    Merge,
    Restart,
    /// Time passes for all.
    Pass {
        hours: u8,
    },
}

/// The table of the model: each hold, and its end.
type Table = BTreeMap<String, (Hold, Option<Ending>)>;

/// An instance of the model: its holds, and the exchange that has not been applied yet.
#[derive(Default)]
struct Instance {
    set: ActiveHolds,
    exchange: Option<(UnsavedChanges, Table)>,
    /// Ids of holds whose end this instance knows since its start.
    ended: BTreeSet<String>,
}

impl Instance {
    fn store(&mut self, table: &mut Table) {
        let unsaved = self.set.unsaved();
        for hold in &unsaved.holds {
            table.entry(hold.id.clone()).or_insert_with(|| (Hold::clone(hold), None));
        }
        for end in &unsaved.ends {
            let (_, ended) =
                table.entry(end.hold.id.clone()).or_insert_with(|| (Hold::clone(&end.hold), None));
            ended.get_or_insert_with(|| end.clone());
        }
        self.exchange = Some((unsaved, table.clone()));
    }

    fn merge(&mut self, now: Now) {
        let Some((saved, table)) = self.exchange.take() else { return };
        let mut stored = StoredHolds::default();
        for (hold, end) in table.into_values().filter(|(hold, _)| hold.expires > now.wall) {
            match end {
                Some(end) => stored.ended.push(end),
                None => stored.active.push(hold),
            }
        }
        let changed = self.set.merge(stored, &saved, now);
        self.note(changed.ends);
        assert!(
            changed.started.iter().all(|hold| !self.ended.contains(&hold.id)),
            "an ended hold starts again"
        );
    }

    fn note(&mut self, ends: Vec<Ending>) {
        for end in ends {
            assert!(self.ended.insert(end.hold.id.clone()), "a hold ends twice: {:?}", end.hold);
        }
    }

    fn ids(&self) -> BTreeSet<String> {
        self.set.iter().map(|active| active.hold.id.clone()).collect()
    }
}

fn operations() -> impl Strategy<Value = Vec<(usize, Operation)>> {
    let operation = prop_oneof![
        (1_u8..5).prop_map(|hours| Operation::Add { hours }),
        Just(Operation::Release),
        Just(Operation::Store),
        Just(Operation::Merge),
        Just(Operation::Restart),
        (1_u8..3).prop_map(|hours| Operation::Pass { hours }),
    ];
    collection::vec((0..3_usize, operation), 0..40)
}

proptest! {
    /// Three instances on one database, in any order of changes, transactions and restarts.
    #[test]
    fn instances_agree_and_no_ended_hold_starts_again(operations in operations()) {
        let (clock, mut table, mut made) = (TestClock::new(), Table::new(), 0);
        let mut instances: [Instance; 3] = Default::default();
        let mut released = BTreeSet::new();
        for (index, operation) in operations {
            let (instance, now) = (&mut instances[index], clock.now());
            let ends = instance.set.expire(now);
            instance.note(ends);
            match operation {
                Operation::Add { hours } => {
                    made += 1;
                    let hold = Hold { id: made.to_string(), ..hold("a", now.wall, hours.into()) };
                    let changed = instance.set.add(Arc::new(hold), now);
                    instance.note(changed.ends);
                }
                Operation::Release => {
                    let end = |hold| Ending { hold, at: now.wall, cause: Some(HoldEnd::Released), person: None };
                    let ends = instance.set.end(|_| true, end);
                    released.extend(ends.iter().map(|end| end.hold.id.clone()));
                    instance.note(ends);
                }
                Operation::Store => instance.store(&mut table),
                Operation::Merge => instance.merge(now),
                // Changes that are not stored are lost: the hold ends with the process, or its release is.
                Operation::Restart => {
                    let unsaved = instance.set.unsaved();
                    for end in unsaved.ends {
                        released.remove(&end.hold.id);
                    }
                    *instance = Instance::default();
                }
                Operation::Pass { hours } => clock.pass(Duration::from_hours(hours.into()), SignedDuration::ZERO),
            }
        }
        let now = clock.now();
        for _round in 0..2 {
            for instance in &mut instances {
                let ends = instance.set.expire(now);
                instance.note(ends);
                instance.merge(now);
                instance.store(&mut table);
                instance.merge(now);
            }
        }
        for instance in &instances {
            prop_assert_eq!(instance.ids(), instances[0].ids());
            prop_assert!(instance.ids().is_disjoint(&released));
            prop_assert!(instance.set.unsaved().is_empty());
        }
    }
}

#[tokio::test]
async fn numbers_of_holds_and_of_ended_holds_are_limited() {
    let clock = TestClock::new();
    let holds = Holds::new(None, clock.clock());
    for number in 0..500 {
        holds.add(hold(&format!("t.{number}"), clock.now().wall, 1)).await.unwrap();
    }
    let error = holds.add(hold("a", clock.now().wall, 1)).await.unwrap_err();
    assert!(error.to_string().contains("There are 500 holds"), "{error}");
    clock.pass(Duration::from_hours(1), SignedDuration::ZERO);
    assert!(holds.current().is_empty());
    assert_eq!(holds.list().ended.len(), 50);
}

#[test]
fn header_names_as_many_toggles_as_fit() {
    let names = |count: usize| (0..count).map(|number| format!("shop, {number:03}")).collect();
    let header = |count| {
        let held = HeldToggles { names: names(count), ..HeldToggles::default() };
        held.header().map(|(_, value)| value.to_str().unwrap().to_owned())
    };
    assert_eq!(header(0), None);
    assert_eq!(header(2).unwrap(), "shop%2C%20000, shop%2C%20001");
    let many = header(500).unwrap();
    assert!(many.len() < 1_020 && many.ends_with(" more"), "{many}");
    let shown = many.matches("shop").count();
    assert!(shown > 50 && many.ends_with(&format!(", and {} more", 500 - shown)), "{many}");
}

#[tokio::test]
async fn results_of_the_cache_have_the_order_of_holds_and_sources() {
    let clock = TestClock::new();
    let holds = Holds::new(None, clock.clock());
    let cache = super::HeldCache::<Bytes>::default();
    let scope = CopyScope::default();
    let (old, new) = (body(&json!([on("a")])), body(&json!([on("a"), on("b")])));
    let get = async |list: &Bytes, number| {
        let source = Source { list: list.clone(), number: SourceNumber(number) };
        let served = cache.get(&holds, &source, &scope).await;
        (served.number.0, enabled(&served.value), served.held.names.clone())
    };
    let expect = |a: bool, b: Option<bool>| {
        [("a".to_owned(), a)].into_iter().chain(b.map(|b| ("b".to_owned(), b))).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(get(&old, 1).await, (1, expect(true, None), vec![]));
    assert_eq!(get(&old, 1).await, (1, expect(true, None), vec![]), "cached");
    holds.add(hold("a", clock.now().wall, 1)).await.unwrap();
    assert_eq!(get(&old, 1).await, (2, expect(false, None), vec!["a".to_owned()]));
    assert_eq!(
        get(&new, 2).await,
        (3, expect(false, Some(true)), vec!["a".to_owned()]),
        "a new copy stays held"
    );
    // A task with the source before has read it before another task published the new one.
    assert_eq!(get(&old, 1).await, (3, expect(false, Some(true)), vec!["a".to_owned()]));
    holds.add(hold("b", clock.now().wall, 2)).await.unwrap();
    assert_eq!(get(&old, 1).await, (4, expect(false, Some(false)), vec!["a".to_owned(), "b".to_owned()]));
    clock.pass(Duration::from_hours(1), SignedDuration::ZERO);
    assert_eq!(get(&new, 2).await, (5, expect(true, Some(false)), vec!["b".to_owned()]));
    clock.pass(Duration::from_hours(1), SignedDuration::ZERO);
    let source = Source { list: new.clone(), number: SourceNumber(2) };
    let served = cache.get(&holds, &source, &scope).await;
    assert_eq!((served.number.0, served.value.as_ptr()), (6, new.as_ptr()), "the original itself");
}

/// A list that counts how often another one is derived from it.
#[derive(Debug, Clone)]
struct CountedList(Bytes, Arc<AtomicUsize>);

impl ToggleList for CountedList {
    fn body(&self) -> &Bytes {
        &self.0
    }

    fn with_body(&self, body: Bytes) -> Result<Self, ApiError> {
        self.1.fetch_add(1, Ordering::SeqCst);
        Ok(Self(body, Arc::clone(&self.1)))
    }
}

#[test]
fn list_is_derived_once_on_a_thread_that_may_block() {
    let runtime = Builder::new_current_thread().max_blocking_threads(1).enable_time().build().unwrap();
    runtime.block_on(async {
        let (clock, scope) = (TestClock::new(), CopyScope::default());
        let holds = Holds::new(None, clock.clock());
        let cache = super::HeldCache::<CountedList>::default();
        let source =
            Source { list: CountedList(body(&json!([on("a")])), Arc::default()), number: SourceNumber(1) };
        // Without holds, there is no work.
        let (end, ended) = channel::<()>();
        let occupy = |ended: Receiver<()>| drop(spawn_blocking(move || ended.recv().is_ok()));
        occupy(ended);
        assert!(enabled(&cache.get(&holds, &source, &scope).await.value.0)["a"]);
        // The only thread for such work is occupied, so that the requests wait and their own thread goes on.
        holds.add(hold("a", clock.now().wall, 1)).await.unwrap();
        let mut requests: Vec<_> = (0..10).map(|_| Box::pin(cache.get(&holds, &source, &scope))).collect();
        for request in &mut requests {
            assert!(futures_util::poll!(request).is_pending());
        }
        // The client that has started the work disconnects.
        drop(requests.remove(0));
        assert!(futures_util::poll!(&mut requests[0]).is_pending());
        end.send(()).unwrap();
        for served in join_all(requests).await {
            assert_eq!((enabled(&served.value.0)["a"], served.number.0), (false, 2));
        }
        assert_eq!(source.list.1.load(Ordering::SeqCst), 1);
        // Only another copy or another set of holds needs work.
        let (_end, ended) = channel::<()>();
        occupy(ended);
        assert_eq!(cache.get(&holds, &source, &scope).await.number.0, 2);
        let newer = Source { number: SourceNumber(2), ..source };
        assert!(futures_util::poll!(Box::pin(cache.get(&holds, &newer, &scope))).is_pending());
    });
}

#[test]
fn children_of_held_toggles_are_off_in_all_generations() {
    let child = |name: &str, dependencies: Value| json!({ "name": name, "enabled": true, "dependencies": dependencies });
    let list = body(&json!([
        child("grandchild", json!([{ "feature": "x" }, { "feature": "child", "enabled": true }])),
        child("child", json!([{ "feature": "a", "variants": ["red"] }])),
        child("opposite", json!([{ "feature": "a", "enabled": false }])),
        child("other", json!([{ "feature": "x" }])),
        child("malformed", json!("a")),
        { "name": "a", "enabled": false },
        on("x"),
    ]));
    let held = derived(&list, &[hold("a", TestClock::new().now().wall, 1)], &CopyScope::default()).held;
    assert_eq!(held.children.into_iter().collect::<Vec<_>>(), ["child", "grandchild"]);
    assert!(held.names.is_empty(), "it is off already, but may be switched on at any time");
}

#[test]
fn toggle_that_cannot_be_edited_in_place_is_off() {
    for toggle in [
        r#"{ "name": "a", "enabled": "yes" }"#,
        r#"{ "name": "a", "enabled": true, "enabled": true }"#,
        r#"{ "enabled" : true , "name":"\u0061" }"#,
        r#"{ "name": "a", "enabled": {"x": [true]} }"#,
    ] {
        let list = Bytes::from(format!("{{ \"features\": [ {toggle}\n] }}"));
        let held = derived(&list, &[hold("a", TestClock::new().now().wall, 1)], &CopyScope::default());
        let list: Value = serde_json::from_slice(&held.body.unwrap()).unwrap();
        assert_eq!(list["features"][0]["enabled"], false, "{toggle}");
    }
}

proptest! {
    #[test]
    fn held_body_differs_only_in_enabled_of_held_toggles(
        toggles in collection::vec((0_u8..12, any::<bool>(), "[ -~é]{0,12}", any::<bool>()), 0..12),
        held in collection::btree_set(0_u8..12, 0..6),
        pretty in any::<bool>(),
    ) {
        let mut known = BTreeSet::new();
        let features: Vec<_> = toggles.into_iter().filter(|(name, ..)| known.insert(*name)).map(|(name, enabled, text, first)| {
            let rest = json!({ "description": text, "enabled": { "enabled": true }, "strategies": [{ "name": "default", "parameters": { "enabled": "true" } }] });
            let name = format!("t.{name}");
            if first { format!(r#"{{"enabled":{enabled} ,"name":"{name}","more":{rest}}}"#) } else { format!(r#"{{"name":"{name}","more":{rest}, "enabled" : {enabled}}}"#) }
        }).collect();
        let separator = if pretty { ",\n  " } else { "," };
        let list = Bytes::from(format!(r#"{{"version":2,"features":[{}],"segments":[]}}"#, features.join(separator)));
        let now = TestClock::new().now().wall;
        let holds: Vec<_> = held.iter().map(|name| hold(&format!("t.{name}"), now, 1)).collect();
        let result = derived(&list, &holds, &CopyScope::default());
        let before: Value = serde_json::from_slice(&list).unwrap();
        let mut expected = before.clone();
        for toggle in expected["features"].as_array_mut().unwrap() {
            if holds.iter().any(|hold| toggle["name"] == hold.toggle) {
                toggle["enabled"] = false.into();
            }
        }
        match result.body {
            None => prop_assert!(expected == before && result.held.names.is_empty()),
            Some(body) => {
                prop_assert_eq!(&serde_json::from_slice::<Value>(&body).unwrap(), &expected);
                prop_assert!(expected != before);
                // The rest of the text is the same: each edit replaces `true` by `false`.
                prop_assert_eq!(body.len(), list.len() + result.held.names.len());
                prop_assert!(derived(&body, &holds, &CopyScope::default()).body.is_none(), "held once");
            }
        }
        prop_assert!(derived(&list, &[], &CopyScope::default()).body.is_none());
    }
}
