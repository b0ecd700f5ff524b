//! What was reported and is not written yet: each thing once, however often it was reported.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::report::{Registration, Report};
use super::windows::{self, minute_of};
use crate::flags::model::Counts;

/// One batch for the database.
#[derive(Debug, Default)]
pub struct Pending {
    /// By application name.
    pub applications: BTreeMap<String, ApplicationSighting>,
    /// By application name and instance id.
    pub instances: BTreeMap<(String, String), InstanceSighting>,
    /// Application names, each with the name of a toggle that it uses.
    pub uses: BTreeSet<(String, String)>,
    /// When toggles were last asked for, by name.
    pub seen: BTreeMap<String, Timestamp>,
    /// By minute and toggle name.
    pub counts: BTreeMap<(i64, String), Counts>,
}

/// A sign of an application.
#[derive(Debug)]
pub struct ApplicationSighting {
    /// Where the sign came from.
    pub address: String,
    /// When.
    pub at: Timestamp,
    /// The strategies that it said it implements, if it said so.
    pub strategies: Option<BTreeSet<String>>,
}

/// A sign of one instance.
#[derive(Debug)]
pub struct InstanceSighting {
    /// Where the sign came from.
    pub address: String,
    /// When.
    pub at: Timestamp,
    /// Its client library, if it said so.
    pub sdk_version: Option<String>,
}

impl Pending {
    /// True when there is nothing to write.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.instances.is_empty()
    }

    /// Adds the start of an instance.
    pub fn register(&mut self, registration: Registration, address: &str, now: Timestamp) {
        let Registration { app_name, instance_id, sdk_version, strategies } = registration;
        self.sighted(&app_name, &instance_id, sdk_version, address, now);
        if let Some(application) = self.applications.get_mut(&app_name) {
            application.strategies.get_or_insert_default().extend(strategies);
        }
    }

    /// Adds the numbers of an instance.
    pub fn count(&mut self, report: &Report, address: &str, now: Timestamp) {
        self.sighted(&report.app_name, &report.instance_id, None, address, now);
        let minute = minute_of(now.as_second());
        for (toggle, counts) in &report.toggles {
            self.uses.insert((report.app_name.clone(), toggle.clone()));
            self.seen.insert(toggle.clone(), now);
            windows::add(self.counts.entry((minute, toggle.clone())).or_default(), *counts);
        }
    }

    /// Adds what was gathered later.
    pub fn absorb(&mut self, later: Self) {
        for (name, sighting) in later.applications {
            match self.applications.entry(name) {
                Entry::Occupied(known) => known.into_mut().absorb(sighting),
                Entry::Vacant(new) => drop(new.insert(sighting)),
            }
        }
        for (key, sighting) in later.instances {
            let earlier = self.instances.get_mut(&key).and_then(|known| known.sdk_version.take());
            let sdk_version = sighting.sdk_version.or(earlier);
            self.instances.insert(key, InstanceSighting { sdk_version, ..sighting });
        }
        self.uses.extend(later.uses);
        self.seen.extend(later.seen);
        for (key, counts) in later.counts {
            windows::add(self.counts.entry(key).or_default(), counts);
        }
    }

    fn sighted(&mut self, app: &str, instance: &str, sdk: Option<String>, address: &str, now: Timestamp) {
        match self.applications.entry(app.to_owned()) {
            Entry::Occupied(mut known) => known.get_mut().at = now,
            Entry::Vacant(new) => {
                new.insert(ApplicationSighting { address: address.to_owned(), at: now, strategies: None });
            }
        }
        let instance = self
            .instances
            .entry((app.to_owned(), instance.to_owned()))
            .or_insert_with(|| InstanceSighting { address: String::new(), at: now, sdk_version: None });
        instance.at = now;
        address.clone_into(&mut instance.address);
        instance.sdk_version = sdk.or(instance.sdk_version.take());
    }
}

impl ApplicationSighting {
    fn absorb(&mut self, later: Self) {
        self.at = later.at;
        if let Some(strategies) = later.strategies {
            self.strategies.get_or_insert_default().extend(strategies);
        }
    }
}
