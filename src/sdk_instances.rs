//! Counts the different instances of applications that poll toggles. Pure.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};

use actix_web::http::header::{HeaderMap, HeaderName};
use parking_lot::Mutex;

use crate::number::to_u64;

/// Headers with which an instance of an application identifies itself; older and newer SDKs.
const HEADERS: [HeaderName; 2] =
    [HeaderName::from_static("unleash-instanceid"), HeaderName::from_static("unleash-connection-id")];
/// Maximum number of instances that are counted, about 30 KB.
const MAX_INSTANCES: usize = 1_000;
/// Time in milliseconds after its last request for which an instance counts.
const LIFETIME: u64 = 180_000;
/// Pause in milliseconds between two searches for instances that count no longer, while there is no room.
const SEARCH_INTERVAL: u64 = 1_000;

/// The instances of the last minutes.
#[derive(Debug, Default)]
pub struct Instances {
    /// Makes the hashes unpredictable, so that clients cannot choose ids with the same hash.
    hash: RandomState,
    recent: Mutex<Recent>,
}

/// Number of instances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstanceCount {
    /// Number of counted instances.
    pub number: u64,
    /// True if there are more instances than are counted.
    pub has_more: bool,
}

#[derive(Debug, Default)]
struct Recent {
    /// Time of the last request of each instance, by the hash of its id.
    seen: HashMap<u64, u64>,
    /// Time of the last request of an instance for which there was no room.
    rejected_at: Option<u64>,
    searched_at: u64,
}

impl Instances {
    /// Records the instance that has sent a request with these headers. `now` is in milliseconds.
    pub fn record_request(&self, headers: &HeaderMap, now: u64) {
        if let Some(instance) = HEADERS.iter().find_map(|name| headers.get(name)) {
            self.record(instance.as_bytes(), now);
        }
    }

    /// Records a request of an instance.
    fn record(&self, instance: &[u8], now: u64) {
        let hash = self.hash.hash_one(instance);
        let mut recent = self.recent.lock();
        if let Some(seen_at) = recent.seen.get_mut(&hash) {
            *seen_at = now;
            return;
        }
        if recent.seen.len() >= MAX_INSTANCES && now.saturating_sub(recent.searched_at) >= SEARCH_INTERVAL {
            recent.remove_expired(now);
        }
        if recent.seen.len() < MAX_INSTANCES {
            recent.seen.insert(hash, now);
        } else {
            recent.rejected_at = Some(now);
        }
    }

    /// Returns the number of instances of the last minutes.
    pub fn count(&self, now: u64) -> InstanceCount {
        let mut recent = self.recent.lock();
        recent.remove_expired(now);
        let has_more = recent.rejected_at.is_some_and(|at| is_recent(at, now));
        InstanceCount { number: to_u64(recent.seen.len()), has_more }
    }
}

impl Recent {
    fn remove_expired(&mut self, now: u64) {
        self.searched_at = now;
        let before = self.seen.len();
        self.seen.retain(|_, seen_at| is_recent(*seen_at, now));
        if self.seen.len() < before {
            // There is room for the rejected instances, which send further requests.
            self.rejected_at = None;
        }
    }
}

fn is_recent(at: u64, now: u64) -> bool {
    now.saturating_sub(at) < LIFETIME
}

#[cfg(test)]
mod tests {
    use super::{InstanceCount, Instances, LIFETIME, MAX_INSTANCES};

    fn record(instances: &Instances, range: std::ops::Range<usize>, now: u64) {
        range.for_each(|instance| instances.record(&instance.to_le_bytes(), now));
    }

    fn count(instances: &Instances, now: u64) -> (u64, bool) {
        let InstanceCount { number, has_more } = instances.count(now);
        (number, has_more)
    }

    #[test]
    fn each_instance_counts_once_until_its_last_request_is_old() {
        let instances = Instances::default();
        assert_eq!(count(&instances, 0), (0, false));
        record(&instances, 0..400, 10);
        record(&instances, 300..500, 20);
        assert_eq!(count(&instances, 20), (500, false));
        assert_eq!(count(&instances, 10 + LIFETIME), (200, false));
        assert_eq!(count(&instances, 20 + LIFETIME), (0, false));
    }

    #[test]
    fn more_instances_than_the_maximum_are_not_counted() {
        let instances = Instances::default();
        record(&instances, 0..MAX_INSTANCES, 10);
        assert_eq!(count(&instances, 10), (1_000, false));
        record(&instances, MAX_INSTANCES..2 * MAX_INSTANCES, 20);
        assert_eq!(count(&instances, 20), (1_000, true));
        // The first instances have ended. The others send their next request.
        record(&instances, MAX_INSTANCES..2 * MAX_INSTANCES, 10 + LIFETIME);
        assert_eq!(count(&instances, 10 + LIFETIME), (1_000, false));
    }

    #[test]
    fn room_of_old_instances_is_used_without_a_read_of_the_count() {
        let instances = Instances::default();
        record(&instances, 0..2 * MAX_INSTANCES, 10);
        record(&instances, 5 * MAX_INSTANCES..5 * MAX_INSTANCES + 1, 10 + LIFETIME);
        assert_eq!(count(&instances, 10 + LIFETIME), (1, false));
    }
}
