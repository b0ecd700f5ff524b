//! Usage of toggles: sums over the last minute and the last hour. Pure: callers pass the time, in seconds since 1970.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::mem;
use std::sync::Arc;

use crate::api::{Counts, MetricsOfToggle, ReportedCounts, ToggleMetrics};

const SECONDS: i64 = 60;
const MINUTES: i64 = 60;
/// The maximum number of names in a window.
const MAX_NAMES: usize = 100_000;
/// The maximum number of names in a window that no toggle has. Clients can invent them, so they share a small quota.
pub const MAX_UNKNOWN_NAMES: usize = 1_000;
/// Number of slots by which the clock of another thread or process may be ahead.
const MAX_AHEAD: i64 = 1;
/// The maximum number of counts in a window: one for each name in each of its slots.
const MAX_COUNTS: usize = 1_000_000;

/// The sliding windows of the last minute and the last hour.
#[derive(Debug)]
pub struct Windows {
    minute: Window,
    hour: Window,
}

/// A sliding window of time slots with running sums, so that reading them needs no addition.
#[derive(Debug)]
struct Window {
    /// The length of a slot in seconds.
    slot_seconds: i64,
    /// The number of slots, including the current one.
    slots: i64,
    /// The slots with counts, oldest first.
    buckets: VecDeque<Bucket>,
    sums: HashMap<Arc<str>, Sum>,
    /// The number of names that no toggle had when they were last reported.
    unknown_names: usize,
    /// The number of entries in all buckets.
    entries: usize,
}

#[derive(Debug)]
struct Bucket {
    slot: i64,
    counts: HashMap<Arc<str>, Counts>,
}

#[derive(Debug, Default)]
struct Sum {
    counts: Counts,
    /// The number of buckets with this name. Reports of zeros have an entry too.
    buckets: usize,
    /// Whether a toggle had this name when it was last reported.
    exists: bool,
}

/// Returns the minute since 1970 that contains a second.
#[must_use]
pub fn minute_of(second: i64) -> i64 {
    second.div_euclid(SECONDS)
}

/// Returns the oldest minute of the last hour, as seen at `second`.
#[must_use]
pub fn oldest_minute(second: i64) -> i64 {
    minute_of(second) - MINUTES + 1
}

/// Adds counts, saturating at the maximum.
pub fn add(sum: &mut Counts, more: Counts) {
    sum.yes = sum.yes.saturating_add(more.yes);
    sum.no = sum.no.saturating_add(more.no);
}

impl Default for Windows {
    fn default() -> Self {
        Self { minute: Window::new(1, SECONDS), hour: Window::new(SECONDS, MINUTES) }
    }
}

impl Windows {
    /// Adds the counts of a report at `second`. `exists` is true if a toggle has this name. Returns false if the window
    /// is full and the name is not counted.
    pub fn add(&mut self, second: i64, toggle: &str, counts: Counts, exists: bool) -> bool {
        let counted = self.hour.add(second, toggle, counts, exists);
        if counted {
            self.minute.add(second, toggle, counts, exists);
        }
        counted
    }

    /// Adds the stored counts of a past minute to the last hour.
    pub fn restore(&mut self, minute: i64, toggle: &str, counts: Counts, exists: bool) {
        self.hour.add_to_slot(minute, toggle, counts, exists);
    }

    /// Raises the counts of a minute to the counts of all processes, if they are higher. Of the current and the previous minute,
    /// the difference was reported recently, and counts as reported at `second`. Ignores minutes that no correct clock has reached.
    pub fn raise(&mut self, second: i64, minute: i64, toggle: &str, total: Counts, exists: bool) {
        if minute > minute_of(second) + MAX_AHEAD {
            return;
        }
        let known = self.hour.find(minute, toggle);
        let counts = known.unwrap_or_default();
        let more =
            Counts { yes: total.yes.saturating_sub(counts.yes), no: total.no.saturating_sub(counts.no) };
        if known.is_some() && more == Counts::default() {
            return;
        }
        if self.hour.add_to_slot(minute, toggle, more, exists) && minute >= minute_of(second) - 1 {
            self.minute.add(second, toggle, more, exists);
        }
    }

    /// Inserts earlier minutes, which were read while reports were already counted.
    pub fn prepend(&mut self, earlier: Self) {
        // Reports since the start are few, and earlier minutes may be many.
        let since = mem::replace(&mut self.hour, earlier.hour);
        for bucket in since.buckets {
            for (toggle, counts) in bucket.counts {
                let exists = since.sums.get(&toggle).is_some_and(|sum| sum.exists);
                self.restore(bucket.slot, &toggle, counts, exists);
            }
        }
    }

    /// Returns the sums at `second`. Each name of the last hour also has an entry in the last minute.
    pub fn metrics(&mut self, second: i64) -> ToggleMetrics {
        let last_hour = self.hour.counts(second);
        let mut last_minute: BTreeMap<String, Counts> =
            last_hour.keys().map(|name| (name.clone(), Counts::default())).collect();
        last_minute.extend(self.minute.counts(second));
        ToggleMetrics { last_hour, last_minute }
    }

    /// Returns the sums of a toggle at `second`, as in [`Self::metrics`].
    pub fn metrics_of(&mut self, second: i64, toggle: &str) -> MetricsOfToggle {
        self.minute.update(second);
        self.hour.update(second);
        let sum = |window: &Window| window.sums.get(toggle).map(|sum| sum.counts);
        let hour = sum(&self.hour);
        let minute = sum(&self.minute).or(hour.map(|_| Counts::default()));
        MetricsOfToggle {
            last_hour: ReportedCounts { counts: hour },
            last_minute: ReportedCounts { counts: minute },
        }
    }
}

impl Window {
    fn new(slot_seconds: i64, slots: i64) -> Self {
        let (buckets, sums) = (VecDeque::new(), HashMap::new());
        Self { slot_seconds, slots, buckets, sums, unknown_names: 0, entries: 0 }
    }

    /// Adds the counts of a report at `second`. `exists` is true if a toggle has this name. Returns false if there is no
    /// room.
    fn add(&mut self, second: i64, toggle: &str, counts: Counts, exists: bool) -> bool {
        self.update(second);
        self.add_to_slot(second.div_euclid(self.slot_seconds), toggle, counts, exists)
    }

    /// Returns the counts of a toggle in a slot.
    fn find(&self, slot: i64, toggle: &str) -> Option<Counts> {
        let bucket = self.buckets.iter().rev().find(|bucket| bucket.slot == slot)?;
        bucket.counts.get(toggle).copied()
    }

    /// Adds counts to a slot. Returns false if there is no room.
    fn add_to_slot(&mut self, slot: i64, toggle: &str, counts: Counts, exists: bool) -> bool {
        let Some(name) = self.intern_name(toggle, exists) else { return false };
        let index = self.buckets.partition_point(|bucket| bucket.slot < slot);
        if self.buckets.get(index).is_none_or(|bucket| bucket.slot > slot) {
            self.buckets.insert(index, Bucket { slot, counts: HashMap::new() });
        }
        let Some(bucket) = self.buckets.get_mut(index) else { return false };
        let mut buckets = 0;
        match bucket.counts.entry(Arc::clone(&name)) {
            Entry::Occupied(known) => add(known.into_mut(), counts),
            Entry::Vacant(_) if self.entries >= MAX_COUNTS => return false,
            Entry::Vacant(new) => {
                new.insert(counts);
                self.entries += 1;
                buckets = 1;
            }
        }
        let sum = self.sums.entry(name).or_insert_with(|| {
            self.unknown_names += usize::from(!exists);
            Sum { exists, ..Sum::default() }
        });
        add(&mut sum.counts, counts);
        sum.buckets += buckets;
        if exists && !sum.exists {
            sum.exists = true;
            self.unknown_names = self.unknown_names.saturating_sub(1);
        }
        true
    }

    /// Returns the text of a name that all buckets share. Returns `None` if the name is new and there is no room for it.
    fn intern_name(&self, toggle: &str, exists: bool) -> Option<Arc<str>> {
        if let Some((name, _)) = self.sums.get_key_value(toggle) {
            return Some(Arc::clone(name));
        }
        let known_names = self.sums.len().saturating_sub(self.unknown_names);
        let has_room = if exists { known_names < MAX_NAMES } else { self.unknown_names < MAX_UNKNOWN_NAMES };
        has_room.then(|| toggle.into())
    }

    /// Removes the slots that are expired at `second`, and moves the counts of later slots to the current one: they were added before
    /// the clock was set back.
    fn update(&mut self, second: i64) {
        let slot = second.div_euclid(self.slot_seconds);
        while let Some(late) = self.buckets.pop_back_if(|bucket| bucket.slot > slot + MAX_AHEAD) {
            self.move_to_slot(slot, late.counts);
        }
        let oldest = slot - self.slots + 1;
        while let Some(bucket) = self.buckets.pop_front_if(|bucket| bucket.slot < oldest) {
            self.entries = self.entries.saturating_sub(bucket.counts.len());
            for (toggle, counts) in bucket.counts {
                let Some(sum) = self.sums.get_mut(&toggle) else { continue };
                sum.counts.yes = sum.counts.yes.saturating_sub(counts.yes);
                sum.counts.no = sum.counts.no.saturating_sub(counts.no);
                sum.buckets = sum.buckets.saturating_sub(1);
                if sum.buckets == 0 {
                    self.unknown_names = self.unknown_names.saturating_sub(usize::from(!sum.exists));
                    self.sums.remove(&toggle);
                }
            }
        }
    }

    /// Adds the counts of a removed slot, which the sums contain, to another one.
    fn move_to_slot(&mut self, slot: i64, counts: HashMap<Arc<str>, Counts>) {
        let index = self.buckets.partition_point(|bucket| bucket.slot < slot);
        if self.buckets.get(index).is_none_or(|bucket| bucket.slot > slot) {
            self.buckets.insert(index, Bucket { slot, counts });
            return;
        }
        let Some(bucket) = self.buckets.get_mut(index) else { return };
        for (toggle, more) in counts {
            match bucket.counts.entry(toggle) {
                Entry::Occupied(mut known) => {
                    if let Some(sum) = self.sums.get_mut(known.key()) {
                        sum.buckets = sum.buckets.saturating_sub(1);
                    }
                    self.entries = self.entries.saturating_sub(1);
                    add(known.get_mut(), more);
                }
                Entry::Vacant(new) => drop(new.insert(more)),
            }
        }
    }

    fn counts(&mut self, second: i64) -> BTreeMap<String, Counts> {
        self.update(second);
        self.sums.iter().map(|(name, sum)| (name.as_ref().to_owned(), sum.counts)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, MAX_UNKNOWN_NAMES, Windows, minute_of, oldest_minute};

    const START: i64 = 600_000;
    const YEAR: i64 = 31_536_000;

    fn counts(yes: u64, no: u64) -> Counts {
        Counts { yes, no }
    }

    /// Each case: reports (seconds after the start, yes, no), the time of reading, sums of the last minute and hour.
    #[test]
    fn sums_include_only_reports_within_the_window() {
        type Case<'c> = (&'c [(i64, u64, u64)], i64, Option<(u64, u64)>, Option<(u64, u64)>);
        let cases: &[Case<'_>] = &[
            (&[], 0, None, None),
            (&[(0, 3, 1)], 0, Some((3, 1)), Some((3, 1))),
            (&[(0, 3, 1)], 59, Some((3, 1)), Some((3, 1))),
            (&[(0, 3, 1)], 60, Some((0, 0)), Some((3, 1))),
            (&[(0, 3, 1)], 3599, Some((0, 0)), Some((3, 1))),
            (&[(0, 3, 1)], 3600, None, None),
            (&[(0, 3, 1), (30, 1, 1), (61, 2, 0)], 61, Some((3, 1)), Some((6, 2))),
            (&[(0, 3, 1), (3599, 1, 0)], 3600, Some((1, 0)), Some((1, 0))),
            (&[(0, 0, 0)], 0, Some((0, 0)), Some((0, 0))),
            (&[(0, 0, 0)], 3600, None, None),
            // The clock was set back: by a second, by more, and after it was ahead.
            (&[(30, 1, 0), (29, 1, 0)], 89, Some((1, 0)), Some((2, 0))),
            (&[(30, 1, 0), (10, 1, 0)], 69, Some((2, 0)), Some((2, 0))),
            (&[(30, 1, 0), (10, 1, 0)], 70, Some((0, 0)), Some((2, 0))),
            (&[(YEAR, 1, 0)], 10, Some((1, 0)), Some((1, 0))),
            (&[(YEAR, 1, 0), (YEAR + 90, 1, 0), (10, 1, 0)], 69, Some((2, 0)), Some((3, 0))),
            (&[(YEAR, 1, 0), (YEAR + 90, 1, 0), (10, 1, 0)], 70, Some((0, 0)), Some((3, 0))),
            (&[(YEAR, 1, 0), (YEAR + 90, 1, 0), (10, 1, 0)], 3_600, None, None),
            (&[(0, u64::MAX, 1), (1, 1, 1)], 1, Some((u64::MAX, 2)), Some((u64::MAX, 2))),
        ];
        for (reports, read_at, minute, hour) in cases {
            let mut windows = Windows::default();
            for (at, yes, no) in *reports {
                windows.add(START + at, "a", counts(*yes, *no), true);
            }
            let metrics = windows.metrics(START + read_at);
            let pair = |sum: Option<&Counts>| sum.map(|sum| (sum.yes, sum.no));
            assert_eq!(pair(metrics.last_minute.get("a")), *minute, "minute of {reports:?} at {read_at}");
            assert_eq!(pair(metrics.last_hour.get("a")), *hour, "hour of {reports:?} at {read_at}");
            let one = windows.metrics_of(START + read_at, "a");
            assert_eq!(pair(one.last_minute.counts.as_ref()), *minute, "minute of {reports:?} at {read_at}");
            assert_eq!(pair(one.last_hour.counts.as_ref()), *hour, "hour of {reports:?} at {read_at}");
        }
    }

    #[test]
    fn toggles_without_reports_in_the_window_are_removed() {
        let mut windows = Windows::default();
        windows.add(START, "early", counts(1, 0), true);
        windows.add(START + 120, "late", counts(0, 1), true);
        let metrics = windows.metrics(START + 3600);
        assert_eq!(metrics.last_hour.keys().collect::<Vec<_>>(), ["late"]);
    }

    #[test]
    fn restored_counts_expire_after_their_hour() {
        let mut windows = Windows::default();
        windows.restore(minute_of(START), "a", counts(2, 1), true);
        windows.add(START + 60, "a", counts(1, 0), true);
        assert_eq!(windows.metrics(START + 60).last_hour["a"], counts(3, 1));
        assert_eq!(windows.metrics(START + 3600).last_hour["a"], counts(1, 0));
        assert_eq!(oldest_minute(START + 3599), minute_of(START));
    }

    #[test]
    fn earlier_minutes_are_put_in_front_of_those_since_the_start() {
        let (mut earlier, mut windows) = (Windows::default(), Windows::default());
        for (minute, yes) in [(0, 1), (58, 2), (59, 4)] {
            earlier.restore(minute_of(START) + minute, "a", counts(yes, 0), true);
        }
        windows.add(START + 3599, "a", counts(8, 0), true);
        windows.add(START + 3600, "a", counts(16, 0), true);
        windows.add(START + 3600, "new", counts(1, 1), false);
        windows.prepend(earlier);
        let metrics = windows.metrics(START + 3600);
        assert_eq!((metrics.last_hour["a"], metrics.last_hour["new"]), (counts(30, 0), counts(1, 1)));
        assert_eq!(metrics.last_minute["a"], counts(24, 0));
        assert_eq!(windows.metrics(START + 7140).last_hour["a"], counts(16, 0));
    }

    #[test]
    fn raised_minutes_contain_the_counts_of_all_processes_once() {
        let (mut windows, minute) = (Windows::default(), minute_of(START));
        windows.add(START + 120, "a", counts(1, 0), true);
        for _ in 0..2 {
            windows.raise(START + 121, minute, "a", counts(10, 0), true);
            windows.raise(START + 121, minute + 1, "a", counts(0, 100), true);
            windows.raise(START + 121, minute + 2, "a", counts(3, 0), true);
            windows.raise(START + 121, minute + 2, "b", counts(0, 0), true);
        }
        // Lower totals do not include the last reports to this process yet.
        windows.raise(START + 121, minute + 2, "a", counts(2, 0), true);
        let metrics = windows.metrics(START + 121);
        assert_eq!((metrics.last_hour["a"], metrics.last_hour["b"]), (counts(13, 100), counts(0, 0)));
        assert_eq!(metrics.last_minute["a"], counts(3, 100), "old minutes are not in the last minute");
        windows.add(START + 122, "a", counts(1, 0), true);
        assert_eq!(windows.metrics(START + 3659).last_hour["a"], counts(4, 100), "the first minute expired");
        assert_eq!(windows.metrics(START + 3719).last_hour["a"], counts(4, 0), "the second minute expired");
    }

    /// Another process has written minutes while the clock was ahead. They are read again with each of its writes.
    #[test]
    fn minutes_in_the_future_are_not_counted_again_and_again() {
        let (mut windows, minute) = (Windows::default(), minute_of(START));
        for second in [START, START + 1, START + 2] {
            windows.raise(second, minute + 100, "a", counts(10, 0), true);
            windows.raise(second, minute + 1, "a", counts(1, 0), true);
            windows.add(second, "a", counts(1, 0), true);
        }
        assert_eq!(windows.metrics(START + 2).last_hour["a"], counts(4, 0));
    }

    #[test]
    fn moved_counts_free_their_room() {
        let mut windows = Windows::default();
        for second in [YEAR, YEAR + 60, YEAR + 120] {
            windows.add(second, "a", counts(1, 0), true);
            windows.add(second, "b", counts(0, 1), false);
        }
        windows.add(START, "a", counts(1, 0), true);
        assert_eq!((windows.hour.entries, windows.hour.unknown_names), (2, 1));
        assert_eq!(windows.metrics(START).last_hour["a"], counts(4, 0));
        let expired = windows.metrics(START + 3_600);
        assert_eq!((expired.last_hour.len(), windows.hour.entries, windows.hour.unknown_names), (0, 0, 0));
    }

    #[test]
    fn unknown_names_share_a_small_quota_and_never_displace_toggles() {
        let mut windows = Windows::default();
        let fill = |windows: &mut Windows, second, from: usize| {
            let names = (from..from + 2 * MAX_UNKNOWN_NAMES).map(|number| format!("unknown-{number}"));
            names.filter(|name| windows.add(second, name, counts(1, 0), false)).count()
        };
        assert_eq!(fill(&mut windows, START, 0), MAX_UNKNOWN_NAMES);
        assert_eq!(fill(&mut windows, START, 5000), 0);
        assert!(
            windows.add(START, "unknown-0", counts(1, 0), false),
            "a name in the window is still counted"
        );
        assert!(windows.add(START, "real", counts(1, 0), true));
        // A name counts as a toggle from its first report after the toggle was created.
        assert!(windows.add(START, "unknown-1", counts(1, 0), true));
        assert_eq!(fill(&mut windows, START, 9000), 1);
        let names = windows.metrics(START).last_hour.len();
        assert_eq!(names, MAX_UNKNOWN_NAMES + 2);
        assert_eq!(
            fill(&mut windows, START + 3600, 5000),
            MAX_UNKNOWN_NAMES,
            "expired names free their quota"
        );
    }
}
