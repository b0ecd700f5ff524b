//! What was reported and is not written yet: each thing once, however often it was reported.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::report::{Registration, Report};
use super::windows::{self, minute_of};
use crate::flags::model::Counts;

/// How many things of each kind wait at most, also while nothing can be written. What is known already goes on being
/// counted.
const MOST: usize = 100_000;

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
            if self.uses.len() < MOST {
                self.uses.insert((report.app_name.clone(), toggle.clone()));
            }
            put(&mut self.seen, toggle.clone(), now);
            self.add((minute, toggle.clone()), *counts);
        }
    }

    /// Adds what was gathered later.
    pub fn absorb(&mut self, later: Self) {
        for (name, sighting) in later.applications {
            match self.applications.get_mut(&name) {
                Some(known) => known.absorb(sighting),
                None => put(&mut self.applications, name, sighting),
            }
        }
        for (key, sighting) in later.instances {
            let earlier = self.instances.get_mut(&key).and_then(|known| known.sdk_version.take());
            let sdk_version = sighting.sdk_version.or(earlier);
            put(&mut self.instances, key, InstanceSighting { sdk_version, ..sighting });
        }
        let room = MOST.saturating_sub(self.uses.len());
        self.uses.extend(later.uses.into_iter().take(room));
        for (toggle, at) in later.seen {
            put(&mut self.seen, toggle, at);
        }
        for (key, counts) in later.counts {
            self.add(key, counts);
        }
    }

    fn add(&mut self, key: (i64, String), counts: Counts) {
        match self.counts.get_mut(&key) {
            Some(sum) => windows::add(sum, counts),
            None => put(&mut self.counts, key, counts),
        }
    }

    fn sighted(&mut self, app: &str, instance: &str, sdk: Option<String>, address: &str, now: Timestamp) {
        let address = address.to_owned();
        if let Some(known) = self.applications.get_mut(app) {
            known.at = now;
        } else {
            let sighting = ApplicationSighting { address: address.clone(), at: now, strategies: None };
            put(&mut self.applications, app.to_owned(), sighting);
        }
        let key = (app.to_owned(), instance.to_owned());
        let earlier = self.instances.get_mut(&key).and_then(|known| known.sdk_version.take());
        put(&mut self.instances, key, InstanceSighting { address, at: now, sdk_version: sdk.or(earlier) });
    }
}

/// Inserts what is known, and what is new as long as there is room.
fn put<K: Ord, V>(map: &mut BTreeMap<K, V>, key: K, value: V) {
    if map.len() < MOST || map.contains_key(&key) {
        map.insert(key, value);
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
