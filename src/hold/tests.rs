//! Holds with controlled time, and derived lists for random toggles.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::{any, proptest};
use proptest::{collection, prop_assert, prop_assert_eq};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::Builder;
use tokio::task::spawn_blocking;

use super::body::{Derived, derive};
use super::{
    ActiveHolds, Clock, CopyScope, HeldToggles, Hold, HoldEnd, HoldEvent, Holds, Now, ToggleList, check_file,
};
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
    Hold {
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
        let holds = Holds::open(None, clock.clock());
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

    let holds = Holds::open(None, clock.clock());
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

#[tokio::test]
async fn file_keeps_holds_and_a_fault_keeps_the_previous_ones() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), TestClock::new());
    let path = folder.path().join("holds.json");
    let open = || Holds::open(Some(&path), clock.clock());
    let names = |holds: &Holds| {
        holds.list().holds.into_iter().map(|hold| (hold.toggle, hold.is_stored)).collect::<Vec<_>>()
    };
    let now = clock.now().wall;
    let holds = open();
    holds.add(hold("a", now, 2)).await.unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(names(&open()), [("a".to_owned(), true)], "after a restart");

    // Another program adds one and removes the other.
    let write = |holds: Value| fs::write(&path, json!({ "holds": holds }).to_string()).unwrap();
    let of_program = json!({ "toggle": "b", "reason": "INC-43", "start": now, "expires": now + SignedDuration::from_hours(1) });
    write(json!([of_program]));
    holds.synchronize().await;
    assert_eq!(names(&holds), [("b".to_owned(), true)]);
    assert_eq!(holds.list().holds[0].person, "the file of holds");

    for (fault, expected) in [
        (json!([{ "toggle": "c", "reason": "x", "start": now }]), "missing field `expires`"),
        (
            json!([{ "toggle": "c", "start": now, "expires": now + SignedDuration::from_hours(1) }]),
            "missing field `reason`",
        ),
        (
            json!([{ "toggle": "c", "reason": " ", "start": now, "expires": now + SignedDuration::from_hours(1) }]),
            "reason must not be empty",
        ),
        (
            json!([{ "toggle": "c", "reason": "x", "start": now, "expires": now + SignedDuration::from_hours(25) }]),
            "at most 24 hours",
        ),
        (
            json!([{ "toggle": "c", "reason": "x", "start": now + SignedDuration::from_hours(1), "expires": now + SignedDuration::from_hours(2) }]),
            "in the future",
        ),
        (
            json!([{ "toggle": "c", "reason": "x", "start": now, "expires": now + SignedDuration::from_hours(1), "on": true }]),
            "unknown field `on`",
        ),
        (
            json!([{ "toggle": "c", "environment": "", "reason": "x", "start": now, "expires": now + SignedDuration::from_hours(1) }]),
            "environment must not be empty",
        ),
        (
            json!([{ "toggle": "c", "environment": "e".repeat(1_001), "reason": "x", "start": now, "expires": now + SignedDuration::from_hours(1) }]),
            "environment must have at most 1000 bytes",
        ),
        (json!(vec![of_program.clone(); 2_001]), "contains 2001 holds, and the maximum is 2000; remove some"),
        (json!({}), "not a list of holds"),
    ] {
        write(fault.clone());
        holds.synchronize().await;
        assert_eq!(names(&holds), [("b".to_owned(), true)], "{fault}");
        assert!(
            holds.list().file_fault.unwrap().contains(expected),
            "{fault}: {:?}",
            holds.list().file_fault
        );
        assert!(check_file(&path, now).unwrap_err().to_string().contains("holds.json"));
        let is_started = expected.contains("2001");
        assert_eq!(!names(&open()).is_empty(), is_started, "a start: {fault}");
    }
    // A fault in one hold disables no other, and releases none.
    let faulty =
        json!({ "toggle": "c", "reason": " ", "start": now, "expires": now + SignedDuration::from_hours(1) });
    let added =
        json!({ "toggle": "e", "reason": "x", "start": now, "expires": now + SignedDuration::from_hours(1) });
    write(json!([faulty, added, 7]));
    holds.synchronize().await;
    assert_eq!(names(&holds), [("b".to_owned(), true), ("e".to_owned(), true)]);
    let fault = holds.list().file_fault.unwrap();
    assert!(
        fault
            .starts_with("is invalid: hold 1 (\"c\"): reason must not be empty; is invalid: hold 3 (\"\"): "),
        "{fault}"
    );
    assert_eq!(names(&open()), [("e".to_owned(), true)], "a start");
    let number = holds.current().number();
    holds.synchronize().await;
    assert_eq!(holds.current().number(), number, "the same fault counts once");
    assert_eq!(holds.release("e", None, "anna").await, 1);
    holds.synchronize().await;
    assert_eq!(names(&holds), [("b".to_owned(), true)], "a released hold does not start again");
    write(json!({}));
    holds.synchronize().await;
    // A hold counts although the file cannot be used, and is written when it can.
    holds.add(hold("d", now, 2)).await.unwrap();
    assert_eq!(names(&holds), [("b".to_owned(), true), ("d".to_owned(), false)]);
    assert!(fs::read_to_string(&path).unwrap().starts_with("{\"holds\":{}"), "not overwritten");
    write(json!([]));
    holds.synchronize().await;
    assert_eq!((names(&holds), holds.list().file_fault), (vec![("d".to_owned(), true)], None));
    assert_eq!(names(&open()), [("d".to_owned(), true)]);
    clock.pass(Duration::ZERO, SignedDuration::from_mins(-4));
    assert_eq!(open().list().holds[0].seconds_left, 7_200, "a clock that was set back before a start");
    clock.pass(Duration::from_hours(2), SignedDuration::from_mins(4));
    assert!(names(&open()).is_empty());
}

/// Opens holds with a file, and returns its path.
fn open_with_file(folder: &TempDir, clock: Clock) -> (Holds, PathBuf) {
    let path = folder.path().join("holds.json");
    (Holds::open(Some(&path), clock), path)
}

/// Writes the file as another program does.
fn write_file(path: &Path, holds: &[&Hold]) {
    fs::write(path, json!({ "holds": holds }).to_string()).unwrap();
}

fn toggles(holds: &Holds) -> Vec<String> {
    holds.current().iter().map(|active| active.hold.toggle.clone()).collect()
}

#[tokio::test]
async fn change_of_the_file_counts_although_the_client_that_caused_the_read_has_disconnected() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), TestClock::new());
    let (holds, path) = open_with_file(&folder, clock.clock());
    let now = clock.now().wall;
    write_file(&path, &[&hold("of-program", now, 1)]);
    let mut request = Box::pin(holds.add(hold("of-client", now, 2)));
    assert!(futures_util::poll!(&mut request).is_pending(), "the file is being read");
    drop(request);
    holds.synchronize().await;
    let mut held = toggles(&holds);
    held.sort();
    assert_eq!(held, ["of-client", "of-program"]);
}

#[tokio::test]
async fn hold_that_ends_while_it_is_written_does_not_start_again() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), TestClock::new());
    let held: Arc<OnceLock<Holds>> = Arc::default();
    // The clock is read after the holds to write were chosen. The flag service switches the toggle off at this moment.
    let (reads, ending) = (Arc::new(AtomicUsize::new(0)), Arc::clone(&held));
    let (read, times) = (Arc::clone(&reads), clock.clone());
    let clock_of_write = Clock::new(move || {
        if read.fetch_add(1, Ordering::SeqCst) == 3
            && let Some(holds) = ending.get()
        {
            holds.end_switched_off(|_| true);
        }
        times.now()
    });
    let (holds, path) = open_with_file(&folder, clock_of_write);
    held.set(holds.clone()).unwrap();
    reads.store(0, Ordering::SeqCst);
    let now = clock.now().wall;
    assert!(holds.add(hold("a", now, 1)).await.is_err());
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("INC-42"), "the moment is the right one");
    // Another program adds a hold before the file is written again.
    write_file(&path, &[&hold("a", now, 1), &hold("b", now, 1)]);
    holds.synchronize().await;
    assert_eq!(toggles(&holds), ["b"]);
    assert!(!fs::read_to_string(&path).unwrap().contains("\"a\""), "the file contains it no more");
    let (restarted, _) = open_with_file(&folder, clock.clock());
    assert_eq!(toggles(&restarted), ["b"]);
}

#[tokio::test]
async fn file_does_not_start_an_ended_hold_again_after_the_clock_was_set_back() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), TestClock::new());
    let (holds, path) = open_with_file(&folder, clock.clock());
    let now = clock.now().wall;
    let ended = hold("a", now, 2);
    holds.add(ended.clone()).await.unwrap();
    clock.pass(Duration::from_hours(2), SignedDuration::from_hours(-2));
    assert!(holds.current().is_empty());
    write_file(&path, &[&ended, &hold("b", now, 1)]);
    holds.synchronize().await;
    assert_eq!(toggles(&holds), ["b"]);
    // Removed and added again: another program wants it.
    write_file(&path, &[]);
    holds.synchronize().await;
    write_file(&path, &[&ended]);
    holds.synchronize().await;
    assert_eq!(toggles(&holds), ["a"]);
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
        () = pass => panic!("the disk delays the future"),
    }
}

#[tokio::test]
async fn disk_that_does_not_respond_delays_no_hold() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), TestClock::new());
    let (holds, path) = open_with_file(&folder, clock.clock());
    // A read of a pipe waits for its writer.
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    tokio::time::pause();
    let now = clock.now().wall;
    for toggle in ["a", "b"] {
        let request = holds.add(hold(toggle, now, 1));
        let observe = async {
            assert!(toggles(&holds).contains(&toggle.to_owned()), "it counts before the file");
            assert_eq!(holds.list().file_fault, None, "requests do not wait for the disk");
        };
        let (added, ()) = until_time_has_passed(async { tokio::join!(request, observe) }).await;
        assert!(!added.unwrap().is_stored);
    }
    let released = until_time_has_passed(holds.release("a", None, "anna")).await;
    assert_eq!((released, toggles(&holds)), (1, vec!["b".to_owned()]));
    tokio::time::resume();
    // The disk responds: the file is empty.
    drop(fs::OpenOptions::new().write(true).open(&path).unwrap());
    holds.synchronize().await;
    assert_eq!(
        holds.list().holds.iter().map(|hold| (hold.toggle.as_str(), hold.is_stored)).collect::<Vec<_>>(),
        [("b", true)]
    );
}

#[tokio::test]
async fn file_that_would_be_too_large_is_not_written() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), TestClock::new());
    let (holds, path) = open_with_file(&folder, clock.clock());
    let now = clock.now().wall;
    holds.add(hold("a", now, 1)).await.unwrap();
    let large = Hold { reason: "x".repeat(17 << 20), ..hold("b", now, 1) };
    assert!(!holds.add(large).await.unwrap().is_stored);
    let (restarted, _) = open_with_file(&folder, clock.clock());
    assert_eq!(toggles(&restarted), ["a"]);
    assert_eq!((toggles(&holds), holds.list().file_fault), (vec!["a".to_owned(), "b".to_owned()], None));
    assert!(path.exists());
}

#[tokio::test]
async fn receivers_get_each_start_and_end_once() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), TestClock::new());
    let (path, now) = (folder.path().join("holds.json"), clock.now().wall);
    Holds::open(Some(&path), clock.clock()).add(hold("a", now, 3)).await.unwrap();
    let holds = Holds::open(Some(&path), clock.clock());
    let mut receiver = holds.events();
    let mut events = move || {
        let mut events = Vec::new();
        while let Ok(event) = receiver.try_recv() {
            events.push(match event {
                HoldEvent::Started(hold) => format!("{} started", hold.toggle),
                HoldEvent::Ended(_, ended) => format!("{} {:?}", ended.toggle, ended.end),
            });
        }
        events
    };
    holds.add(hold("b", now, 1)).await.unwrap();
    assert_eq!(events(), ["b started"], "a restart does not start the hold of the file again");
    // Another program adds a hold and removes one.
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"a\"", "\"c\"")).unwrap();
    holds.synchronize().await;
    holds.synchronize().await;
    assert_eq!(events(), ["a Released", "c started"]);
    clock.pass(Duration::from_hours(1), SignedDuration::ZERO);
    assert_eq!(holds.current().len(), 1);
    assert_eq!(events(), ["b Expired"]);
    // The file does not start a hold again that the flag service has ended.
    holds.end_switched_off(|active| active.hold.toggle == "c");
    holds.synchronize().await;
    assert_eq!(events(), ["c SwitchedOff"]);
    assert!(holds.is_empty() && !fs::read_to_string(&path).unwrap().contains("INC-42"));
}

#[tokio::test]
async fn receivers_get_the_start_of_a_hold_that_ends_at_once_before_its_end() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), TestClock::new());
    let path = folder.path().join("holds.json");
    let draft = hold("a", clock.now().wall, 1);
    // Each read of the clock takes so long that the hold has ended while it is written.
    let slow = Clock::new(move || {
        clock.pass(Duration::from_mins(18), SignedDuration::ZERO);
        clock.now()
    });
    let holds = Holds::open(Some(&path), slow);
    let mut receiver = holds.events();
    assert!(holds.add(draft).await.is_err());
    assert!(matches!(receiver.try_recv(), Ok(HoldEvent::Started(hold)) if hold.toggle == "a"));
    let ended = receiver.try_recv();
    assert!(matches!(ended, Ok(HoldEvent::Ended(_, ended)) if ended.end == HoldEnd::Expired));
}

#[tokio::test]
async fn numbers_of_holds_and_of_ended_holds_are_limited() {
    let clock = TestClock::new();
    let holds = Holds::open(None, clock.clock());
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
    let holds = Holds::open(None, clock.clock());
    let cache = super::HeldCache::<Bytes>::default();
    let scope = CopyScope::default();
    let (old, new) = (body(&json!([on("a")])), body(&json!([on("a"), on("b")])));
    let get = async |source: &Bytes, number| {
        let served = cache.get(&holds, (source, number), &scope).await;
        (served.number, enabled(&served.value), served.held.names.clone())
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
    let served = cache.get(&holds, (&new, 2), &scope).await;
    assert_eq!((served.number, served.value.as_ptr()), (6, new.as_ptr()), "the original itself");
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
        let holds = Holds::open(None, clock.clock());
        let cache = super::HeldCache::<CountedList>::default();
        let source = CountedList(body(&json!([on("a")])), Arc::default());
        // Without holds, there is no work.
        let (end, ended) = channel::<()>();
        let occupy = |ended: Receiver<()>| drop(spawn_blocking(move || ended.recv().is_ok()));
        occupy(ended);
        assert!(enabled(&cache.get(&holds, (&source, 1), &scope).await.value.0)["a"]);
        // The only thread for such work is occupied, so that the requests wait and their own thread goes on.
        holds.add(hold("a", clock.now().wall, 1)).await.unwrap();
        let mut requests: Vec<_> =
            (0..10).map(|_| Box::pin(cache.get(&holds, (&source, 1), &scope))).collect();
        for request in &mut requests {
            assert!(futures_util::poll!(request).is_pending());
        }
        // The client that has started the work disconnects.
        drop(requests.remove(0));
        assert!(futures_util::poll!(&mut requests[0]).is_pending());
        end.send(()).unwrap();
        for served in join_all(requests).await {
            assert_eq!((enabled(&served.value.0)["a"], served.number), (false, 2));
        }
        assert_eq!(source.1.load(Ordering::SeqCst), 1);
        // Only another copy or another set of holds needs work.
        let (_end, ended) = channel::<()>();
        occupy(ended);
        assert_eq!(cache.get(&holds, (&source, 1), &scope).await.number, 2);
        assert!(futures_util::poll!(Box::pin(cache.get(&holds, (&source, 2), &scope))).is_pending());
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
        let mut known = std::collections::BTreeSet::new();
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
