//! Usage reports that are not written yet, merged into one entry per application, instance and toggle.
//!
//! Each map has its own limit in bytes, so that invented applications cannot displace the counts of toggles, not even
//! while the database cannot be written.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::bounded::{BoundedMap, Entry, Key};
use super::report::{MAX_APPLICATION_STRATEGIES, Registration, UsageReport};
use crate::api::{ClientApi, Counts};
use crate::usage_windows::{self, minute_of};

/// The limit of each map in bytes. Counts have more: during an outage they have an entry per minute.
const MAX_BYTES: usize = 3 << 20;
const MAX_COUNTS_BYTES: usize = 8 << 20;

/// Usage reports to be written to the database.
#[derive(Debug)]
pub struct Pending {
    /// Applications by name.
    pub applications: BoundedMap<String, ApplicationSighting>,
    /// Instances by application name and instance id.
    pub instances: BoundedMap<(String, String), InstanceSighting>,
    /// Pairs of an application name and the name of a toggle that it uses.
    pub uses: BoundedMap<(String, String), ()>,
    /// The time of the last report of each toggle, by name.
    pub seen: BoundedMap<String, Timestamp>,
    /// Counts by minute since 1970 and toggle name.
    pub counts: BoundedMap<(i64, String), Counts>,
    /// Counts of existing toggles by minute since 1970, toggle name and application name.
    pub use_counts: BoundedMap<(i64, String, String), Counts>,
}

/// The last report of an application.
#[derive(Debug)]
pub struct ApplicationSighting {
    /// The IP address of the client.
    pub address: String,
    /// The time of the report.
    pub at: Timestamp,
    /// The names of the strategies that it implements, if it registered.
    pub strategies: Option<BTreeSet<String>>,
}

/// The last report of an instance.
#[derive(Debug)]
pub struct InstanceSighting {
    /// The IP address of the client.
    pub address: String,
    /// The time of the report.
    pub at: Timestamp,
    /// The name and version of its SDK, if it registered with one.
    pub sdk_version: Option<String>,
    /// The API that received the report.
    pub api: ClientApi,
}

impl Default for Pending {
    fn default() -> Self {
        Self {
            applications: BoundedMap::new(MAX_BYTES),
            instances: BoundedMap::new(MAX_BYTES),
            uses: BoundedMap::new(MAX_BYTES),
            seen: BoundedMap::new(MAX_BYTES),
            counts: BoundedMap::new(MAX_COUNTS_BYTES),
            use_counts: BoundedMap::new(MAX_COUNTS_BYTES),
        }
    }
}

impl Pending {
    /// Returns whether there is nothing to write.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.applications.is_empty()
            && self.instances.is_empty()
            && self.uses.is_empty()
            && self.seen.is_empty()
            && self.counts.is_empty()
            && self.use_counts.is_empty()
    }

    /// Adds the registration of an instance.
    pub fn register(&mut self, registration: Registration, address: &str, now: Timestamp) {
        let Registration { app_name, instance_id, sdk_version, strategies, api } = registration;
        let strategies = strategies.into_iter().take(MAX_APPLICATION_STRATEGIES).collect();
        let application =
            ApplicationSighting { address: address.to_owned(), at: now, strategies: Some(strategies) };
        self.applications.add(app_name.clone(), application);
        let instance = InstanceSighting { address: address.to_owned(), at: now, sdk_version, api };
        self.instances.add((app_name, instance_id), instance);
    }

    /// Adds the time and address of an instance's report.
    pub fn add_sighting(&mut self, report: &UsageReport, address: &str, now: Timestamp) {
        let UsageReport { app_name, instance_id, api, .. } = report;
        let application = ApplicationSighting { address: address.to_owned(), at: now, strategies: None };
        self.applications.add(app_name.clone(), application);
        let instance =
            InstanceSighting { address: address.to_owned(), at: now, sdk_version: None, api: *api };
        self.instances.add((app_name.clone(), instance_id.clone()), instance);
    }

    /// Adds the use of a toggle by an application.
    pub fn add_use(&mut self, app_name: &str, toggle: &str) {
        self.uses.add((app_name.to_owned(), toggle.to_owned()), ());
    }

    /// Adds the time of a toggle's report.
    pub fn add_seen(&mut self, toggle: &str, now: Timestamp) {
        self.seen.add(toggle.to_owned(), now);
    }

    /// Adds the counts of a toggle.
    pub fn add_counts(&mut self, toggle: &str, counts: Counts, now: Timestamp) {
        self.counts.add((minute_of(now.as_second()), toggle.to_owned()), counts);
    }

    /// Adds the counts of an existing toggle in an application.
    pub fn add_use_counts(&mut self, app_name: &str, toggle: &str, counts: Counts, now: Timestamp) {
        let key = (minute_of(now.as_second()), toggle.to_owned(), app_name.to_owned());
        self.use_counts.add(key, counts);
    }

    /// Merges all entries of a later batch.
    pub fn absorb(&mut self, later: Self) {
        self.applications.absorb(later.applications);
        self.instances.absorb(later.instances);
        self.uses.absorb(later.uses);
        self.seen.absorb(later.seen);
        self.counts.absorb(later.counts);
        self.use_counts.absorb(later.use_counts);
    }

    /// Removes and returns at most `most` entries; applications first, because the others refer to them.
    #[must_use]
    pub fn take_first(&mut self, most: usize) -> Self {
        let applications = self.applications.take_first(most);
        let mut left = most - applications.len();
        let instances = self.instances.take_first(left);
        left -= instances.len();
        let uses = self.uses.take_first(left);
        left -= uses.len();
        let seen = self.seen.take_first(left);
        left -= seen.len();
        let counts = self.counts.take_first(left);
        left -= counts.len();
        let use_counts = self.use_counts.take_first(left);
        Self { applications, instances, uses, seen, counts, use_counts }
    }
}

impl Key for String {
    fn bytes(&self) -> usize {
        self.len()
    }
}

impl Key for (String, String) {
    fn bytes(&self) -> usize {
        self.0.len() + self.1.len()
    }
}

impl Key for (i64, String) {
    fn bytes(&self) -> usize {
        self.1.len()
    }
}

impl Key for (i64, String, String) {
    fn bytes(&self) -> usize {
        self.1.len() + self.2.len()
    }
}

impl Entry for ApplicationSighting {
    fn bytes(&self) -> usize {
        // Each name has its own allocation and string header.
        let names = self.strategies.iter().flatten().map(|name| name.len() + 48).sum::<usize>();
        self.address.len() + names
    }

    fn merge(&mut self, later: Self, has_room: bool) {
        self.at = later.at;
        let Some(strategies) = later.strategies.filter(|_| has_room) else { return };
        let known = self.strategies.get_or_insert_default();
        for name in strategies {
            if known.len() < MAX_APPLICATION_STRATEGIES {
                known.insert(name);
            }
        }
    }
}

impl Entry for InstanceSighting {
    fn bytes(&self) -> usize {
        self.address.len() + self.sdk_version.as_ref().map_or(0, String::len)
    }

    fn merge(&mut self, later: Self, has_room: bool) {
        (self.at, self.api) = (later.at, self.api.followed_by(later.api));
        if has_room {
            self.address = later.address;
            self.sdk_version = later.sdk_version.or_else(|| self.sdk_version.take());
        }
    }
}

impl Entry for () {
    fn bytes(&self) -> usize {
        0
    }

    fn merge(&mut self, _later: Self, _has_room: bool) {}
}

impl Entry for Timestamp {
    fn bytes(&self) -> usize {
        0
    }

    fn merge(&mut self, later: Self, _has_room: bool) {
        *self = later;
    }
}

impl Entry for Counts {
    fn bytes(&self) -> usize {
        0
    }

    fn merge(&mut self, later: Self, _has_room: bool) {
        usage_windows::add(self, later);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use jiff::Timestamp;

    use super::Pending;
    use crate::api::{ClientApi, Counts};
    use crate::flags::usage::report::{MAX_APPLICATION_STRATEGIES, Registration, UsageReport};

    #[test]
    fn parts_have_a_limited_number_of_rows_and_start_with_applications() {
        let mut pending = Pending::default();
        for number in 0..3 {
            let (app, toggle) = (format!("app-{number}"), format!("toggle-{number}"));
            let report = UsageReport {
                app_name: app.clone(),
                instance_id: "i".to_owned(),
                toggles: BTreeMap::new(),
                api: ClientApi::Server,
            };
            pending.add_sighting(&report, "127.0.0.1", Timestamp::UNIX_EPOCH);
            pending.add_use(&app, &toggle);
            pending.add_seen(&toggle, Timestamp::UNIX_EPOCH);
            pending.add_counts(&toggle, Counts { yes: 1, no: 0 }, Timestamp::UNIX_EPOCH);
            pending.add_use_counts(&app, &toggle, Counts { yes: 1, no: 0 }, Timestamp::UNIX_EPOCH);
        }
        let mut parts = Vec::new();
        while !pending.is_empty() {
            let part = pending.take_first(4);
            parts.push([
                part.applications.len(),
                part.instances.len(),
                part.uses.len(),
                part.seen.len(),
                part.counts.len(),
                part.use_counts.len(),
            ]);
        }
        assert_eq!(
            parts,
            [
                [3, 1, 0, 0, 0, 0],
                [0, 2, 2, 0, 0, 0],
                [0, 0, 1, 3, 0, 0],
                [0, 0, 0, 0, 3, 1],
                [0, 0, 0, 0, 0, 2]
            ]
        );
    }

    #[test]
    fn instances_of_an_application_share_one_limited_list_of_strategies() {
        let mut pending = Pending::default();
        for instance in 0..10 {
            let strategies = (0..100).map(|number| format!("{instance}-{number}")).collect();
            let registration = Registration {
                app_name: "app".to_owned(),
                instance_id: instance.to_string(),
                sdk_version: None,
                strategies,
                api: ClientApi::Server,
            };
            pending.register(registration, "127.0.0.1", Timestamp::UNIX_EPOCH);
        }
        let (_, application) = pending.applications.entries().next().unwrap();
        assert_eq!(
            application.strategies.as_ref().map(std::collections::BTreeSet::len),
            Some(MAX_APPLICATION_STRATEGIES)
        );
    }
}
