//! Computes counts from samples of counters. Pure.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

use super::exposition::{Counter, Exposition};
use super::{SeenApplication, SeenApplications};
use crate::flags::model::Counts;

/// The shorter of the two intervals for which counts are reported.
pub(super) const MINUTE: Duration = Duration::from_mins(1);
/// The longer of the two intervals for which counts are reported.
pub(super) const HOUR: Duration = Duration::from_hours(1);

/// Maximum number of toggles, applications and processes. Counters with further names are ignored.
const MAX_NAMES: usize = 20_000;
/// Maximum number of counters.
const MAX_COUNTERS: usize = 100_000;
/// Maximum length of a name in bytes.
const MAX_NAME: usize = 256;

/// Samples of the last hour.
#[derive(Debug, Default)]
pub(super) struct History {
    /// Numbers of names: positions in `totals`.
    names: HashMap<Box<str>, usize>,
    /// Numbers of removed names, which new names use.
    free: Vec<usize>,
    /// Processes of the server with the time of the last sample.
    processes: HashMap<usize, Instant>,
    counters: HashMap<Key, Reading>,
    /// Evaluations of each toggle since the first sample. They never decrease, also if another name uses a number: the last
    /// evaluation of its former name is then older than all snapshots, so that differences contain only the new name.
    totals: Vec<Total>,
    /// Earlier values of `totals`: one for each sample of the last minute, and one for each minute of the last hour.
    snapshots: VecDeque<(Instant, Vec<Total>)>,
}

/// Numbers of evaluations.
type Total = [u64; 2];

/// A counter in one process of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    process: usize,
    toggle: usize,
    app: usize,
    is_active: bool,
}

/// The last value of a counter.
#[derive(Debug)]
struct Reading {
    value: u64,
    read_at: Instant,
    /// Time of the last increase.
    increased_at: Option<Instant>,
}

impl History {
    /// Adds a sample.
    pub(super) fn add(&mut self, sample: &Exposition, now: Instant) {
        if let Some(process) = self.number(&sample.process) {
            let is_first = self.processes.insert(process, now).is_none();
            for counter in &sample.counters {
                self.add_counter((process, is_first), counter, now);
            }
        }
        // Processes and counters that have ended.
        self.processes.retain(|_, read_at| now.duration_since(*read_at) < HOUR);
        self.counters.retain(|_, reading| now.duration_since(reading.read_at) < HOUR);
        self.remove_unused_names();
        let mut kept = None;
        self.snapshots.retain(|(at, _)| {
            let age = now.duration_since(*at);
            let is_kept = age <= MINUTE
                || (age <= HOUR && kept.is_none_or(|kept: Instant| at.duration_since(kept) >= MINUTE));
            if is_kept {
                kept = Some(*at);
            }
            is_kept
        });
        self.snapshots.push_back((now, self.totals.clone()));
    }

    fn add_counter(&mut self, (process, is_first): (usize, bool), counter: &Counter, now: Instant) {
        let (Some(toggle), Some(app)) = (self.number(&counter.toggle), self.number(&counter.app)) else {
            return;
        };
        let key = Key { process, toggle, app, is_active: counter.is_active };
        let has_space = self.counters.len() < MAX_COUNTERS;
        let reading = match self.counters.get_mut(&key) {
            Some(reading) => reading,
            None if !has_space => return,
            None => {
                // A counter that appears later has started at zero. The time of the first values is unknown.
                let value = if is_first { counter.value } else { 0 };
                self.counters.entry(key).or_insert(Reading { value, read_at: now, increased_at: None })
            }
        };
        // A smaller value is that of a counter which has started again.
        let increase = counter.value.checked_sub(reading.value).unwrap_or(counter.value);
        (reading.value, reading.read_at) = (counter.value, now);
        if increase > 0 {
            reading.increased_at = Some(now);
            if let Some([yes, no]) = self.totals.get_mut(toggle) {
                let total = if counter.is_active { yes } else { no };
                *total = total.saturating_add(increase);
            }
        }
    }

    /// Returns the counts since the oldest sample that is not older than `interval`. Toggles without evaluations are
    /// missing.
    pub(super) fn counts(&self, now: Instant, interval: Duration) -> BTreeMap<String, Counts> {
        let start = self.snapshots.iter().find(|(at, _)| now.duration_since(*at) <= interval);
        let Some((_, start)) = start else { return BTreeMap::new() };
        let counts = self.names.iter().filter_map(|(name, number)| {
            let [yes, no] = self.totals.get(*number)?;
            let [yes_before, no_before] = start.get(*number).unwrap_or(&[0, 0]);
            let counts = Counts { yes: yes - yes_before, no: no - no_before };
            (counts.yes + counts.no > 0).then(|| (name.to_string(), counts))
        });
        counts.collect()
    }

    /// Returns the applications of each toggle in the last hour.
    pub(super) fn applications(&self, now: Instant) -> SeenApplications {
        let names: HashMap<usize, &str> =
            self.names.iter().map(|(name, number)| (*number, name.as_ref())).collect();
        let mut applications = SeenApplications::new();
        for (key, reading) in &self.counters {
            let is_recent = reading.increased_at.is_some_and(|at| now.duration_since(at) <= HOUR);
            if is_recent && let (Some(toggle), Some(app)) = (names.get(&key.toggle), names.get(&key.app)) {
                let list = applications.entry((*toggle).to_owned()).or_default();
                list.push(SeenApplication { app_name: (*app).to_owned() });
            }
        }
        for list in applications.values_mut() {
            list.sort_unstable();
            list.dedup();
        }
        applications
    }

    /// Returns the number of a name; `None` if there are too many names, or if it is too long.
    fn number(&mut self, name: &str) -> Option<usize> {
        if let Some(number) = self.names.get(name) {
            return Some(*number);
        }
        if self.names.len() == MAX_NAMES || name.len() > MAX_NAME {
            return None;
        }
        let number = self.free.pop().unwrap_or_else(|| {
            self.totals.push([0, 0]);
            self.totals.len() - 1
        });
        self.names.insert(name.into(), number);
        Some(number)
    }

    /// Removes the names of processes, toggles and applications of which there was no sample in the last hour.
    fn remove_unused_names(&mut self) {
        let counters = self.counters.keys().flat_map(|key| [key.process, key.toggle, key.app]);
        let used: HashSet<usize> = counters.chain(self.processes.keys().copied()).collect();
        let free = &mut self.free;
        self.names.retain(|_, number| {
            let is_used = used.contains(number);
            if !is_used {
                free.push(*number);
            }
            is_used
        });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::{Duration, Instant};

    use super::super::exposition::{Counter, Exposition};
    use super::{HOUR, History, MAX_NAME, MAX_NAMES, MINUTE};

    fn sample(process: &str, counters: &[(&str, &str, bool, u64)]) -> Exposition {
        let counter = |&(toggle, app, is_active, value): &(&str, &str, bool, u64)| Counter {
            toggle: toggle.to_owned(),
            app: app.to_owned(),
            is_active,
            value,
        };
        Exposition { process: process.to_owned(), counters: counters.iter().map(counter).collect() }
    }

    fn counts(history: &History, now: Instant, interval: Duration) -> Vec<(String, u64, u64)> {
        let counts = history.counts(now, interval);
        counts.into_iter().map(|(name, counts)| (name, counts.yes, counts.no)).collect()
    }

    #[test]
    fn counts_since_the_oldest_sample_of_the_interval() {
        let start = Instant::now();
        let mut history = History::default();
        // The first value is older than the first sample.
        history.add(&sample("1", &[("one", "shop", true, 100)]), start);
        assert_eq!(counts(&history, start, HOUR), []);
        let at = |seconds| start + Duration::from_secs(seconds);
        history.add(&sample("1", &[("one", "shop", true, 103), ("one", "shop", false, 2)]), at(5));
        history.add(&sample("1", &[("one", "shop", true, 103), ("two", "till", true, 4)]), at(50));
        let all = [("one".to_owned(), 3, 2), ("two".to_owned(), 4, 0)];
        assert_eq!(counts(&history, at(50), MINUTE), all);
        assert_eq!(counts(&history, at(64), MINUTE), all[1..]);
        assert_eq!(counts(&history, at(64), HOUR), all);
        assert_eq!(counts(&history, at(3604), HOUR), all[1..]);
        assert_eq!(counts(&history, at(3700), HOUR), []);
    }

    #[test]
    fn counters_that_start_again_and_other_processes_are_added() {
        let start = Instant::now();
        let mut history = History::default();
        for (second, (process, value)) in
            (0..).zip([("1", 10), ("1", 15), ("1", 2), ("2", 1000), ("1", 3), ("2", 1004)])
        {
            let sample = sample(process, &[("one", "shop", true, value)]);
            history.add(&sample, start + Duration::from_secs(second));
        }
        assert_eq!(
            counts(&history, start + Duration::from_secs(5), HOUR),
            [("one".to_owned(), 5 + 2 + 1 + 4, 0)]
        );
    }

    /// A server has no counters before the first report.
    #[test]
    fn first_counters_of_a_known_process_are_counted() {
        let start = Instant::now();
        let mut history = History::default();
        history.add(&sample("1", &[]), start);
        history.add(&sample("1", &[("one", "shop", true, 3)]), start + Duration::from_secs(5));
        assert_eq!(counts(&history, start + Duration::from_secs(5), MINUTE), [("one".to_owned(), 3, 0)]);
    }

    #[test]
    fn applications_are_those_of_the_last_hour() {
        let start = Instant::now();
        let mut history = History::default();
        history.add(&sample("1", &[("one", "old", true, 7)]), start);
        let at = |seconds| start + Duration::from_secs(seconds);
        let both = [("one", "old", true, 7), ("one", "shop", true, 1), ("one", "shop", false, 1)];
        history.add(&sample("1", &both), at(5));
        let applications = history.applications(at(5));
        let names: Vec<_> = applications["one"].iter().map(|one| one.app_name.as_str()).collect();
        assert_eq!((applications.len(), names), (1, vec!["shop"]));
        history.add(&sample("1", &both), at(3600));
        assert!(history.applications(at(3606)).is_empty());
    }

    /// Toggles and processes come and go, for longer than the limit of names.
    #[test]
    fn names_without_samples_are_removed_and_counts_of_new_ones_start_at_zero() {
        let start = Instant::now();
        let mut history = History::default();
        history.add(&sample("1", &[]), start);
        for round in 1..=6_u32 {
            let now = start + round * HOUR;
            // The names of two rounds are known for a moment.
            let names = (0..MAX_NAMES / 2 - 10).map(|number| format!("{round}-{number}"));
            let names: BTreeSet<String> = names.collect();
            let counters: Vec<_> = names.iter().map(|name| (name.as_str(), "shop", true, 5)).collect();
            history.add(&sample("1", &[]), now);
            history.add(&sample("1", &counters), now + Duration::from_secs(5));
            let counts = history.counts(now + Duration::from_secs(5), MINUTE);
            assert!(counts.keys().eq(names.iter()), "{round}");
            assert!(counts.values().all(|counts| (counts.yes, counts.no) == (5, 0)), "{round}");
            assert!(history.totals.len() <= MAX_NAMES, "{round}");
        }
        // The last sample of the others is older than an hour.
        history.add(&sample("2", &[]), start + 8 * HOUR);
        assert_eq!((history.names.len(), history.counters.len()), (1, 0));
    }

    #[test]
    fn names_and_samples_are_bounded() {
        let start = Instant::now();
        let mut history = History::default();
        for minute in 0..24 * 60 {
            for second in 0..12 {
                history.add(&sample("1", &[]), start + Duration::from_secs(minute * 60 + second * 5));
            }
        }
        assert!(history.snapshots.len() <= 60 + 13 + 1, "{}", history.snapshots.len());
        let mut names: Vec<String> = (0..2 * MAX_NAMES).map(|number| number.to_string()).collect();
        names.insert(0, "x".repeat(MAX_NAME + 1));
        let counters: Vec<_> = names.iter().map(|name| (name.as_str(), "shop", true, 1)).collect();
        history.add(&sample("1", &counters), start + 24 * HOUR);
        assert!(history.number(&names[0]).is_none() && history.number(&names[1]).is_some());
        assert_eq!(history.totals.len(), MAX_NAMES);
    }
}
