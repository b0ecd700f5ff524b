//! Holds: toggles that SDKs of this process get as off for a limited time (`flagdeck hold`).
//!
//! A hold changes nothing at the flag service, so that it works while that does not respond. It serves `enabled: false`. Holds of
//! one toggle are independent: each has its own end.
//!
//! # Bodies
//!
//! [`body`] derives the list of toggles that SDKs get. It differs only in the held toggles, has an entity tag of its own, and
//! is computed once for each copy and each change of the holds ([`HeldCache`]). Without a hold that has an effect on it, the
//! original is served, byte for byte and with its own tag.
//!
//! [`remove_results`] changes the results that the flag service evaluates for browsers itself: the held toggles, and those that
//! depend on them, are off.
//!
//! # Time
//!
//! A hold ends at its wall-clock time, or when its duration has passed on the monotonic clock, whichever is earlier: a clock
//! that is set back does not lengthen it. After a restart only the wall clock is known; the rest is at most the duration.
//!
//! # Database
//!
//! The table `holds` contains the holds of all instances on one database, and their ends: a hold that is missing there has not
//! ended. A hold counts before it is stored, because the incident is now; the task stores it until that succeeds. Without a
//! database, holds end with the process.
//!
//! Starts are announced by the instance that makes the hold, and ends that all instances observe by the one that stores them first.
//!
//! # Webhook
//!
//! [`HoldWebhook`] sends a message for each start and end of a hold. Holds never wait for it, and a message can be lost.
//!
//! # Concurrency
//!
//! Events that can occur during a request of an SDK: a hold is added, released or ends; the upstream sends another copy;
//! a stream opens; another instance changes the holds.
//!
//! - The holds are one value with a number ([`ActiveHolds`]), which changes in one step. Readers remove ended holds
//!   themselves, so that no request gets a held body after the end, also if the task is late.
//! - [`HeldCache`] reads the holds and derives the body in one turn, on a thread that may block, and numbers the results. Streams
//!   ignore a result with a lower number, so that two tasks can publish in any order. An older source than the last one is not used.
//! - Starts and ends are sent to receivers while the holds change, so that every receiver gets them in the order of the
//!   changes: a hold can end at once, and another of the toggle can start.
//! - Exchanges with the database take turns, in tasks of their own: an exchange also ends, with its effect on the holds, after the
//!   client that requested it has disconnected. A database that does not respond delays no hold for longer than [`MAX_STORE_TIME`],
//!   and no other exchange begins meanwhile.
//! - The set knows an end until it is stored, so that an exchange that has read the table before does not start the hold again.

mod announcement;
mod body;
mod cache;
mod list;
mod preview;
mod results;
mod set;
mod storage;
#[cfg(test)]
mod tests;
mod webhook;
pub mod words;

use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use parking_lot::Mutex;
use tokio::sync::{broadcast, watch};
use tokio::task::spawn;
use tokio::time::timeout;

pub use self::body::{
    Edit, HeldToggles, ToggleState, UpstreamHolds, apply_edits, find_toggle, find_toggles, list_names,
    range_of, read_toggle,
};
pub use self::cache::{HeldCache, Served, ServedNumber, Source, SourceNumber, ToggleList};
pub use self::list::{
    EndedHold, HoldChild, HoldDraft, HoldEvent, HoldList, HoldPreview, ListedHold, NewHold, ReleasedHolds,
};
pub use self::preview::{HeldCopy, preview};
pub use self::results::{HeldResults, remove_results};
pub use self::set::{ActiveHold, ActiveHolds, CopyScope, Hold, HoldEnd, MAX_DURATION};
use self::set::{Changed, Ending, UnsavedChanges};
use self::storage::Exchanged;
pub use self::storage::HoldStorage;
pub use self::webhook::HoldWebhook;
use crate::clock::{CautiousTime, Clock, Now};
use crate::error::{ApiError, DomainError};
use crate::log_limit::LogLimit;
use crate::metrics::HoldMetrics;

/// Interval in which changes of other instances are read and failed writes repeated, and in which the wall clock is compared.
const INTERVAL: Duration = Duration::from_secs(1);
/// Interval in which old holds are deleted.
const DELETE_INTERVAL: Duration = Duration::from_hours(1);
/// Maximum number of holds.
const MAX_HOLDS: usize = 500;
/// Number of ended holds that are listed.
const MAX_ENDED: usize = 50;
/// Number of starts and ends that wait for a slow receiver. It then misses the oldest ones.
const MAX_EVENTS: usize = 1_000;
/// Maximum time for which a change of the holds waits for the database. A release waits twice.
const MAX_STORE_TIME: Duration = Duration::from_secs(2);

/// The database cannot be used.
static UNUSABLE: LogLimit = LogLimit::new();

/// The holds of this process. Clones share them.
#[derive(Debug, Clone)]
pub struct Holds(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    set: watch::Sender<ActiveHolds>,
    /// Spares most requests the lock of `set`.
    has_holds: AtomicBool,
    /// Ended holds, the last one first.
    ended: Mutex<Vec<Ending>>,
    events: broadcast::Sender<HoldEvent>,
    clock: Clock,
    storage: Option<HoldStorage>,
    /// Why the database cannot be used.
    fault: Mutex<Option<String>>,
    /// Exchanges with the database take turns.
    turn: Arc<tokio::sync::Mutex<()>>,
    metrics: HoldMetrics,
}

impl Holds {
    /// Starts without holds. [`Self::synchronize`] reads those of the database.
    #[must_use]
    pub fn new(storage: Option<HoldStorage>, clock: Clock) -> Self {
        Self(Arc::new(Inner {
            has_holds: AtomicBool::new(false),
            set: watch::Sender::default(),
            ended: Mutex::default(),
            events: broadcast::Sender::new(MAX_EVENTS),
            clock,
            storage,
            fault: Mutex::default(),
            turn: Arc::default(),
            metrics: HoldMetrics::default(),
        }))
    }

    /// Creates the state without holds and without a database.
    #[must_use]
    pub fn none() -> Self {
        Self::new(None, Clock::system())
    }

    /// Returns the metrics.
    #[must_use]
    pub fn metrics(&self) -> &HoldMetrics {
        &self.0.metrics
    }

    /// Returns false if no toggle is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.0.has_holds.load(Ordering::Acquire)
    }

    /// Returns the holds that have not ended.
    #[must_use]
    pub fn current(&self) -> ActiveHolds {
        if self.is_empty() {
            // The number identifies the empty set too.
            return self.0.set.borrow().clone();
        }
        let current = self.0.set.borrow().clone();
        if !current.has_expired(self.now()) {
            return current;
        }
        self.expire();
        self.0.set.borrow().clone()
    }

    /// Returns a receiver that is notified of each change of the holds.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<ActiveHolds> {
        self.0.set.subscribe()
    }

    /// Returns a receiver of the starts and ends of holds from now on that this instance announces. It does not announce the holds that
    /// the database contains at its start.
    #[must_use]
    pub fn events(&self) -> broadcast::Receiver<HoldEvent> {
        self.0.events.subscribe()
    }

    /// Returns the clock.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// Returns the time.
    #[must_use]
    pub fn now(&self) -> Now {
        self.0.clock.now()
    }

    /// Ends holds, exchanges changes with the database, and deletes holds that have ended before `keep`, until the future is dropped.
    pub(crate) async fn run(self, keep: Duration) {
        let mut changes = self.changes();
        let (mut time, mut deleted_at) = (CautiousTime::new(self.now()), self.now().monotonic);
        loop {
            let next = self.0.set.borrow().next_end(self.now());
            let is_waiting = self.0.storage.is_some() || next.is_some();
            let pause = next.map_or(INTERVAL, |next| next.min(INTERVAL));
            if is_waiting {
                drop(timeout(pause, changes.changed()).await);
            } else {
                drop(changes.changed().await);
            }
            self.expire();
            self.synchronize().await;
            let now = self.now();
            if let Some(storage) = &self.0.storage
                && now.monotonic.saturating_sub(deleted_at) >= DELETE_INTERVAL
            {
                deleted_at = now.monotonic;
                // The next interval tries again.
                if let Ok(before) = time.advance(now).checked_sub(keep) {
                    drop(storage.delete_ended(before).await);
                }
            }
        }
    }

    /// Adds a hold. It is active at once, and in the database if [`ListedHold::is_stored`] says so when this function returns.
    ///
    /// # Errors
    /// If there are too many, or the hold has ended meanwhile.
    pub(crate) async fn add(&self, hold: Hold) -> Result<ActiveHold, ApiError> {
        self.expire();
        let hold = Arc::new(hold);
        let now = self.now();
        let start = |set: &mut ActiveHolds| {
            if set.len() >= MAX_HOLDS { Changed::default() } else { set.add(Arc::clone(&hold), now) }
        };
        let started = self.modify(start, Origin::Here);
        if started == 0 {
            let message = format!("There are {MAX_HOLDS} holds, which is the maximum. Release others first");
            return Err(
                DomainError::new("too_many_holds", actix_web::http::StatusCode::CONFLICT, message).into()
            );
        }
        self.synchronize().await;
        let active = self.current().find(&hold.id).cloned();
        active.ok_or_else(|| {
            let message = format!(
                "The hold of the toggle {:?} has ended at once; the list of holds says why",
                hold.toggle
            );
            DomainError::new("hold_ended", actix_web::http::StatusCode::CONFLICT, message).into()
        })
    }

    /// Ends the holds of a toggle; with an environment, only those of the environment. Returns their number.
    pub(crate) async fn release(&self, toggle: &str, environment: Option<&str>, person: &str) -> usize {
        // Another instance may have made holds of the toggle that were not read yet.
        self.synchronize().await;
        let is_released = |ActiveHold { hold, .. }: &ActiveHold| {
            hold.toggle == toggle
                && environment.is_none_or(|environment| hold.environment.as_deref() == Some(environment))
        };
        let released = self.end(is_released, HoldEnd::Released, Some(person));
        if released > 0 {
            self.synchronize().await;
        }
        released
    }

    /// Ends the holds of a toggle that the flag service itself has switched off since. `is_off` decides for one hold.
    pub(crate) fn end_switched_off(&self, is_off: impl Fn(&ActiveHold) -> bool) {
        let current = self.current();
        let off: Vec<_> =
            current.iter().filter(|active| is_off(active)).map(|active| &active.hold.id).collect();
        if !off.is_empty() {
            self.end(|active| off.contains(&&active.hold.id), HoldEnd::SwitchedOff, None);
        }
    }

    /// Returns the holds and the last ended ones.
    #[must_use]
    pub fn list(&self) -> HoldList {
        let (current, now) = (self.current(), self.now());
        HoldList {
            holds: current.iter().map(|active| ListedHold::new(active, now)).collect(),
            ended: self.0.ended.lock().iter().filter_map(EndedHold::new).collect(),
            storage_fault: self.storage_fault(),
        }
    }

    /// Returns why holds cannot be stored, as a clause.
    pub(crate) fn storage_fault(&self) -> Option<String> {
        self.0.fault.lock().clone()
    }

    /// Returns the entry of a hold in the list.
    #[must_use]
    pub fn describe(&self, active: &ActiveHold) -> ListedHold {
        let current = self.0.set.borrow();
        // It may be stored since.
        ListedHold::new(current.find(&active.hold.id).unwrap_or(active), self.now())
    }

    /// Updates the metrics when they are read: a hold may have reached its end since.
    pub fn refresh_metrics(&self) {
        self.expire();
        self.update_metrics();
    }

    fn update_metrics(&self) {
        let has_fault = self.0.fault.lock().is_some();
        self.0.metrics.set(self.0.set.borrow().len(), has_fault);
    }

    fn expire(&self) {
        let now = self.now();
        if self.0.set.borrow().has_expired(now) {
            self.modify(|set| Changed { ends: set.expire(now), ..Changed::default() }, Origin::Here);
        }
    }

    fn end(&self, is_ended: impl Fn(&ActiveHold) -> bool, cause: HoldEnd, person: Option<&str>) -> usize {
        let at = self.now().wall;
        let person = person.filter(|person| !person.trim().is_empty()).map(str::to_owned);
        let ending = |hold| Ending { hold, at, cause: Some(cause), person: person.clone() };
        self.modify(|set| Changed { ends: set.end(is_ended, ending), ..Changed::default() }, Origin::Here)
    }

    /// Changes the holds in one step. Returns the number of starts and ends.
    fn modify(&self, change: impl FnOnce(&mut ActiveHolds) -> Changed, origin: Origin) -> usize {
        let mut events = Vec::new();
        let mut ends = Vec::new();
        self.0.set.send_if_modified(|set| {
            let changed = change(set);
            self.0.has_holds.store(!set.is_empty(), Ordering::Release);
            if self.0.storage.is_none() {
                set.forget_ends();
            }
            events = end_events(&changed.ends);
            events.extend(changed.started.into_iter().map(HoldEvent::Started));
            // Before another change, so that receivers get the events in the order of the changes.
            for event in events.iter().filter(|event| origin == Origin::Here && !self.is_seen_by_all(event)) {
                self.announce(event.clone());
            }
            ends = changed.ends;
            !(events.is_empty() && ends.is_empty())
        });
        self.update_metrics();
        self.list_ends(ends);
        for event in &events {
            note(event);
        }
        events.len()
    }

    /// Returns true for an end that each instance on the same database observes. The one that stores it first announces it.
    fn is_seen_by_all(&self, event: &HoldEvent) -> bool {
        let is_shared = self.0.storage.as_ref().is_some_and(HoldStorage::is_shared);
        is_shared && matches!(event, HoldEvent::Ended(_, ended) if ended.end != HoldEnd::Released)
    }

    /// Sends an event to the receivers. An error means that there is none.
    fn announce(&self, event: HoldEvent) {
        drop(self.0.events.send(event));
    }

    /// Adds ends to the list of ended holds. They replace known ends of the same holds.
    fn list_ends(&self, ends: Vec<Ending>) {
        let mut ended = self.0.ended.lock();
        ended.retain(|known| !ends.iter().any(|end| end.hold.id == known.hold.id));
        ended.extend(ends.into_iter().filter(|end| end.cause.is_some()));
        ended.sort_by_key(|end| Reverse(end.at));
        ended.truncate(MAX_ENDED);
    }

    /// Stores the changes, and reads those of other instances. Waits a limited time for the database.
    pub(crate) async fn synchronize(&self) {
        let Some(storage) = self.0.storage.clone() else { return };
        let holds = self.clone();
        let work = async move {
            let turn = Arc::clone(&holds.0.turn).lock_owned().await;
            let exchange = async move {
                // The turn belongs to the exchange, which continues after the time limit and after its caller.
                let _turn = turn;
                holds.exchange(&storage).await;
            };
            spawn(exchange).await
        };
        match timeout(MAX_STORE_TIME, work).await {
            Ok(Ok(())) => {}
            Ok(Err(panic)) => tracing::error!(%panic, "holds cannot be exchanged with the database"),
            Err(_elapsed) => self.set_fault(Some("the database does not respond".to_owned())),
        }
    }

    /// Stores the changes, and reads those of other instances. The caller has the turn.
    async fn exchange(&self, storage: &HoldStorage) {
        let unsaved = self.0.set.borrow().unsaved();
        if unsaved.is_empty() && !storage.must_read() {
            return;
        }
        match storage.exchange(unsaved.clone(), MAX_ENDED, self.0.clock.clone()).await {
            Ok(exchanged) => {
                self.set_fault(None);
                self.apply(exchanged, &unsaved);
            }
            Err(ApiError::Storage(fault)) => self.set_fault(Some(fault.to_string())),
            Err(cause) => self.set_fault(Some(format!("the database cannot be used: {cause}"))),
        }
    }

    /// Applies the result of an exchange, which has saved changes.
    fn apply(&self, exchanged: Exchanged, saved: &UnsavedChanges) {
        let Exchanged { stored, last_ends, first_ends } = exchanged;
        let now = self.now();
        self.modify(|set| set.merge(stored, saved, now), Origin::Database);
        self.list_ends(last_ends);
        let is_first = |end: &&Ending| first_ends.contains(&end.hold.id);
        let first: Vec<_> = saved.ends.iter().filter(is_first).cloned().collect();
        for event in end_events(&first).into_iter().filter(|event| self.is_seen_by_all(event)) {
            self.announce(event);
        }
    }

    /// Sets why the database cannot be used, as a clause.
    fn set_fault(&self, fault: Option<String>) {
        if let Some(fault) = &fault {
            if let Some(repeated) = UNUSABLE.record() {
                tracing::error!(
                    fault,
                    repeated,
                    "holds and their ends cannot be stored, and those of other instances are not known; retrying each second"
                );
            }
        } else {
            UNUSABLE.end();
        }
        *self.0.fault.lock() = fault;
        self.update_metrics();
    }
}

/// Where a change of the holds was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Here,
    /// The database contains it: another instance, or this one before a restart, has made it.
    Database,
}

/// Logs a start or an end.
fn note(event: &HoldEvent) {
    match event {
        HoldEvent::Started(hold) => hold.log("a toggle is held for SDKs"),
        HoldEvent::Ended(hold, ended) => hold.log(ended.end.words()),
    }
}

/// Returns the events of ends. A hold that a longer one has replaced has no event.
fn end_events(ends: &[Ending]) -> Vec<HoldEvent> {
    ends.iter()
        .filter_map(|end| Some(HoldEvent::Ended(Arc::clone(&end.hold), EndedHold::new(end)?)))
        .collect()
}

/// Formats a time as RFC 3339 with seconds.
fn format_time(time: Timestamp) -> String {
    format!("{time:.0}")
}
