//! The changes of the database that this process knows of: its own, and with PostgreSQL changes by other processes, which
//! `postgres/observer.rs` reports.

use std::fmt::Display;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::{Notify, watch};

/// Number of random bits at the end of a version of a PostgreSQL database; the number of commits precedes them.
const RANDOM_BITS: u32 = 24;

/// The known changes of a database, and whether it can be reached.
#[derive(Debug, Default)]
pub struct Changes {
    /// The number of known commits.
    commits: AtomicU64,
    /// Whether commits of other processes are known too.
    is_observed: AtomicBool,
    is_unreachable: AtomicBool,
    /// Wakes the tasks that wait until the database does not respond.
    became_unreachable: Notify,
    /// The number of connections on which commits were observed.
    reconnects: AtomicU64,
    observation: Mutex<Observation>,
    /// Wakes the tasks that wait for a change.
    changed: watch::Sender<()>,
}

/// The last known state of a PostgreSQL database.
#[derive(Debug, Default)]
struct Observation {
    /// The number in `database_version`.
    version: i64,
    /// The time when the database confirmed that no other commit is missing.
    confirmed_at: Option<Instant>,
    /// The time since when the database does not respond.
    unreachable_since: Option<Instant>,
}

impl Changes {
    /// Returns the number of commits that this process knows of. A read that begins after this call sees all of them.
    #[must_use]
    pub fn commits(&self) -> u64 {
        self.commits.load(Ordering::Acquire)
    }

    /// Returns whether the number includes the commits of other processes, with the delay of a notification.
    #[must_use]
    pub fn is_observed(&self) -> bool {
        self.is_observed.load(Ordering::Acquire)
    }

    /// Returns whether the database does not respond.
    #[must_use]
    pub fn is_unreachable(&self) -> bool {
        self.is_unreachable.load(Ordering::Acquire)
    }

    /// Waits until the database does not respond.
    pub(crate) async fn wait_until_unreachable(&self) {
        // Before the check, so that no notification is missed.
        let notified = self.became_unreachable.notified();
        if !self.is_unreachable() {
            notified.await;
        }
    }

    /// Returns the number of connections on which commits of other processes were observed. Each may lead to another server,
    /// which may lack the last known commits.
    #[must_use]
    pub fn reconnects(&self) -> u64 {
        self.reconnects.load(Ordering::Acquire)
    }

    /// Counts a connection. Called before its first [`Self::confirm`].
    pub(super) fn count_reconnect(&self) {
        self.reconnects.fetch_add(1, Ordering::AcqRel);
    }

    /// Returns the time since the database has confirmed the known changes.
    #[must_use]
    pub fn age(&self) -> Duration {
        self.observation.lock().confirmed_at.map(|time| time.elapsed()).unwrap_or_default()
    }

    /// Returns the time since when the database does not respond; zero while it does.
    pub(super) fn outage(&self) -> Duration {
        self.observation.lock().unreachable_since.map(|time| time.elapsed()).unwrap_or_default()
    }

    /// Returns a receiver that is notified of each change of this process and of others.
    #[must_use]
    pub fn subscribe(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// Wakes the tasks that wait for a change.
    pub fn notify(&self) {
        self.changed.send_replace(());
    }

    /// Counts a commit of this process.
    pub(super) fn count_commit(&self) {
        self.commits.fetch_add(1, Ordering::AcqRel);
    }

    /// Counts a commit of this process, which led to a version of the database.
    pub(super) fn record_commit(&self, version: i64) {
        let mut observation = self.observation.lock();
        if count_of(version) > count_of(observation.version) + 1 {
            // Other processes committed in between, and their notifications are ignored from now on.
            self.notify();
        }
        observation.version = observation.version.max(version);
        self.count_commit();
        self.end_outage(&mut observation);
    }

    /// Records the version in a notification. Notifications of this process's own commits change nothing. An internal commit
    /// wakes no task, because it changes nothing that SDKs receive.
    pub(super) fn record_notification(&self, version: i64, is_internal: bool) {
        let mut observation = self.observation.lock();
        if version > observation.version {
            // Without the notifications of the versions between, their commits may be changes.
            let is_internal = is_internal && count_of(version) == count_of(observation.version) + 1;
            observation.version = version;
            self.count_commit();
            if !is_internal {
                self.notify();
            }
        }
    }

    /// Records the version that the database had at `time` or later. The version is lower than before if a standby without the
    /// last commits became the primary server.
    pub(super) fn confirm(&self, version: i64, time: Instant) {
        let mut observation = self.observation.lock();
        observation.confirmed_at = Some(time);
        if version != observation.version {
            observation.version = version;
            self.count_commit();
            self.notify();
        }
        self.is_observed.store(true, Ordering::Release);
        self.end_outage(&mut observation);
    }

    /// Records that no other process can change the database, which is in memory: nothing has to be read again without a commit here.
    pub(super) fn observe_alone(&self) {
        self.is_observed.store(true, Ordering::Release);
    }

    /// Records that the database does not respond.
    pub(crate) fn mark_unreachable(&self, cause: &dyn Display) {
        self.observation.lock().unreachable_since.get_or_insert_with(Instant::now);
        if !self.is_unreachable.swap(true, Ordering::AcqRel) {
            self.became_unreachable.notify_waiters();
            tracing::warn!(%cause, "the database does not respond; SDKs get toggles from memory");
        }
    }

    /// Records that the database responds.
    fn end_outage(&self, observation: &mut Observation) {
        let outage = observation.unreachable_since.take().map(|time| time.elapsed());
        if self.is_unreachable.swap(false, Ordering::AcqRel) {
            tracing::info!(?outage, "the database responds again");
        }
    }
}

/// Returns the number of commits in a version.
fn count_of(version: i64) -> i64 {
    version >> RANDOM_BITS
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use futures_util::FutureExt as _;

    use super::{Changes, RANDOM_BITS};

    /// Returns a version after this number of commits.
    fn version(commits: i64) -> i64 {
        (commits << RANDOM_BITS) + commits * 7919 % 1000
    }

    #[test]
    fn counts_each_commit_of_other_processes_once() {
        let changes = Changes::default();
        let now = Instant::now();
        changes.confirm(version(7), now);
        let start = changes.commits();
        changes.record_commit(version(8));
        changes.record_notification(version(8), false);
        changes.confirm(version(8), now);
        assert_eq!(changes.commits(), start + 1, "an own commit");
        changes.record_notification(version(10), false);
        changes.record_notification(version(9), false);
        changes.confirm(version(10), now);
        assert_eq!(changes.commits(), start + 2, "notifications in another order");
        changes.confirm(version(11), now);
        assert_eq!(changes.commits(), start + 3, "a commit without a notification");
        changes.confirm(version(5), now);
        changes.record_notification(version(6), true);
        assert_eq!(changes.commits(), start + 5, "another primary server");
    }

    #[test]
    fn internal_commits_wake_no_task_unless_a_notification_is_missing() {
        let changes = Changes::default();
        let mut waiting = changes.subscribe();
        changes.confirm(version(7), Instant::now());
        let mut is_woken = || waiting.changed().now_or_never().is_some();
        assert!(is_woken());
        for (commits, is_internal, wakes) in
            [(8, true, false), (9, false, true), (10, true, false), (12, true, true), (11, false, false)]
        {
            changes.record_notification(version(commits), is_internal);
            assert_eq!(is_woken(), wakes, "{commits}");
        }
        changes.record_commit(version(13));
        assert!(!is_woken(), "an own commit");
        changes.record_commit(version(15));
        assert!(is_woken(), "an own commit after one of another process");
    }

    #[test]
    fn a_commit_or_a_confirmation_ends_an_outage() {
        let changes = Changes::default();
        let end_outage: [&dyn Fn(); 2] =
            [&|| changes.record_commit(version(1)), &|| changes.confirm(version(1), Instant::now())];
        for end_outage in end_outage {
            changes.mark_unreachable(&"the server does not respond");
            assert!(changes.is_unreachable());
            end_outage();
            assert!(!changes.is_unreachable());
            assert_eq!(changes.outage(), Duration::ZERO);
        }
    }
}
