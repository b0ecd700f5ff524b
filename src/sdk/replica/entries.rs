//! The cache entries, and the bounds of their number and size.
//!
//! Entries without a copy have bounds of their own: requests with unknown tokens neither displace copies nor cause more
//! than a bounded number of requests to the upstream.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use tokio::sync::{Notify, watch};

use super::cache_key::CacheKey;
use super::copy::ToggleCopy;
use super::entry_state::{EntryState, Outcome, Timing};
use super::instances::Instances;
use crate::event_stream::ToggleChannel;
use crate::log_limit::LogLimit;

/// The cache is full.
static FULL_CACHE: LogLimit = LogLimit::new();

/// The bounds of the cache.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// Entries with a copy.
    pub(super) copies: usize,
    /// Total size of the copies in bytes.
    pub(super) bytes: usize,
    /// Entries of one credential.
    pub(super) per_credential: usize,
    /// Entries without a copy.
    pub(super) without_copy: usize,
    /// Entries without a copy that one address has requested.
    pub(super) without_copy_per_address: usize,
}

/// 1,000 tokens with 256 KB each.
pub(super) const BOUNDS: Bounds = Bounds {
    copies: 1_000,
    bytes: 256 << 20,
    per_credential: 32,
    without_copy: 1_000,
    without_copy_per_address: 100,
};

/// A cache entry.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) key: CacheKey,
    /// Notifies requests that wait for the upstream.
    pub(super) state: watch::Sender<EntryState>,
    /// Wakes the task before its next attempt.
    pub(super) wake: Notify,
    /// Last characters of the credential. They are unknown for a copy from the file until it is requested.
    pub(super) last_characters: OnceLock<String>,
    /// Instances of applications that poll the copy.
    pub(super) polling: Instances,
    /// Time of the last request of a client.
    last_used: AtomicU64,
    /// Event streams of the copy. Most entries have none.
    channel: OnceLock<ToggleChannel>,
    /// True from the moment when the upstream has refused the credential. The copy is not written to the file any more.
    pub(super) is_refused: AtomicBool,
    /// Address that requested the key first; `None` for a copy from the file.
    address: Option<IpAddr>,
}

/// All entries. Workers share them; the hot path takes one read lock.
#[derive(Debug)]
pub(super) struct Entries {
    bounds: Bounds,
    map: RwLock<HashMap<CacheKey, Arc<Entry>>>,
}

impl Entry {
    pub(super) fn new(key: CacheKey, state: EntryState, address: Option<IpAddr>) -> Self {
        Self {
            key,
            state: watch::Sender::new(state),
            wake: Notify::new(),
            last_characters: OnceLock::new(),
            polling: Instances::default(),
            channel: OnceLock::new(),
            last_used: AtomicU64::new(0),
            is_refused: AtomicBool::new(false),
            address,
        }
    }

    /// Records the use of the entry.
    pub(super) fn touch(&self, now: u64) {
        // Many requests arrive in the same millisecond; only one of them writes.
        if self.last_used.load(Ordering::Relaxed) < now {
            self.last_used.store(now, Ordering::Relaxed);
        }
    }

    pub(super) fn last_used(&self) -> u64 {
        self.last_used.load(Ordering::Relaxed)
    }

    /// Returns the approximate number of instances of applications that use the copy: those that poll, and one for each
    /// event stream.
    pub(super) fn instances(&self, now: u64) -> u64 {
        let streams = self.channel.get().map_or(0, ToggleChannel::streams);
        self.polling.count(now) + u64::try_from(streams).unwrap_or_default()
    }

    /// Returns the event streams.
    pub(super) fn channel(&self) -> &ToggleChannel {
        self.channel.get_or_init(ToggleChannel::default)
    }

    /// Returns the event streams if there has been one.
    pub(super) fn existing_channel(&self) -> Option<&ToggleChannel> {
        self.channel.get()
    }

    /// Returns the copy, if there is one.
    pub(super) fn copy(&self) -> Option<Arc<ToggleCopy>> {
        self.state.borrow().copy().cloned()
    }

    /// Returns true if neither a task nor a client needs the entry: there is no copy and nothing to remember, or the
    /// copy is too old.
    fn is_expired(&self, now: u64, timing: Timing) -> bool {
        let state = self.state.borrow();
        let is_old = now.saturating_sub(state.confirmed_at()) > timing.max_stale;
        let is_used = now.saturating_sub(self.last_used()) <= timing.idle;
        let is_waiting = state.is_new() || state.is_active() || now < state.next_attempt();
        !is_waiting && (state.copy().is_none() || (is_old && !is_used))
    }
}

impl Entries {
    pub(super) fn new(bounds: Bounds) -> Self {
        Self { bounds, map: RwLock::default() }
    }

    pub(super) fn find(&self, key: &CacheKey) -> Option<Arc<Entry>> {
        self.read().get(key).cloned()
    }

    /// Returns all entries.
    pub(super) fn list(&self) -> Vec<Arc<Entry>> {
        self.read().values().cloned().collect()
    }

    /// Adds a copy from the file, unless the cache is full.
    pub(super) fn restore(&self, key: CacheKey, copy: ToggleCopy, confirmed_at: u64) {
        let mut map = self.write();
        let bytes: usize = map.values().filter_map(|entry| Some(entry.copy()?.size())).sum();
        if map.len() < self.bounds.copies && bytes + copy.size() <= self.bounds.bytes {
            let state = EntryState::restored(Arc::new(copy), confirmed_at);
            map.insert(key, Arc::new(Entry::new(key, state, None)));
        }
    }

    /// Returns the entry of a key, and creates it if the bounds allow it.
    pub(super) fn find_or_create(
        &self,
        key: CacheKey,
        address: Option<IpAddr>,
        now: u64,
        timing: Timing,
    ) -> Option<Arc<Entry>> {
        let mut map = self.write();
        if let Some(entry) = map.get(&key) {
            return Some(Arc::clone(entry));
        }
        if !self.has_room(&map, &key, address) {
            map.retain(|_, entry| !entry.is_expired(now, timing));
            if !self.has_room(&map, &key, address) {
                return None;
            }
        }
        let entry = Arc::new(Entry::new(key, EntryState::default(), address));
        map.insert(key, Arc::clone(&entry));
        Some(entry)
    }

    /// Returns true if an entry without a copy can be added.
    fn has_room(&self, map: &HashMap<CacheKey, Arc<Entry>>, key: &CacheKey, address: Option<IpAddr>) -> bool {
        let (mut of_credential, mut without_copy, mut of_address) = (0, 0, 0);
        for entry in map.values() {
            of_credential += usize::from(entry.key.credential == key.credential);
            if entry.state.borrow().copy().is_none() {
                without_copy += 1;
                of_address += usize::from(address.is_some() && entry.address == address);
            }
        }
        of_credential < self.bounds.per_credential
            && without_copy < self.bounds.without_copy
            && of_address < self.bounds.without_copy_per_address
    }

    /// Replaces an outcome that does not fit into the cache. Copies that no client has requested for a while make room.
    pub(super) fn fit(&self, entry: &Entry, outcome: Outcome, now: u64, timing: Timing) -> Outcome {
        let Outcome::Changed(copy) = &outcome else { return outcome };
        let mut others: Vec<_> = self.list().into_iter().filter(|other| other.key != entry.key).collect();
        others.retain(|other| other.copy().is_some());
        others.sort_by_key(|other| std::cmp::Reverse(other.last_used()));
        let mut bytes: usize = others.iter().filter_map(|other| other.copy()).map(|copy| copy.size()).sum();
        while others.len() >= self.bounds.copies || bytes + copy.size() > self.bounds.bytes {
            let is_idle = |oldest: &Arc<Entry>| now.saturating_sub(oldest.last_used()) > timing.idle;
            let Some(oldest) = others.pop().filter(is_idle) else {
                if let Some(repeated) = FULL_CACHE.record() {
                    tracing::warn!(
                        bytes,
                        repeated,
                        "replica: the cache is full, and the toggles of a new token are not kept"
                    );
                }
                return Outcome::Failed;
            };
            bytes -= oldest.copy().map_or(0, |copy| copy.size());
            self.write().remove(&oldest.key);
        }
        outcome
    }

    /// Removes all entries that are not needed any more.
    pub(super) fn sweep(&self, now: u64, timing: Timing) {
        self.write().retain(|_, entry| !entry.is_expired(now, timing));
    }

    /// A poisoned lock is safe to use, because entries are added and removed as a whole.
    fn read(&self) -> RwLockReadGuard<'_, HashMap<CacheKey, Arc<Entry>>> {
        self.map.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, HashMap<CacheKey, Arc<Entry>>> {
        self.map.write().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::Arc;

    use actix_web::http::header::HeaderMap;
    use bytes::Bytes;

    use super::{Bounds, Entries, Entry};
    use crate::sdk::replica::cache_key::CacheKey;
    use crate::sdk::replica::copy::ToggleCopy;
    use crate::sdk::replica::entry_state::{Outcome, Timing};

    const TIMING: Timing = Timing { refresh: 10, max_stale: 1_000, idle: 100 };
    const SMALL: Bounds =
        Bounds { copies: 2, bytes: 100, per_credential: 2, without_copy: 3, without_copy_per_address: 2 };

    fn key(credential: u8, whole: u8) -> CacheKey {
        CacheKey { credential: [credential; 32], whole: [whole; 32] }
    }

    fn address(last: u8) -> IpAddr {
        IpAddr::V4(Ipv4Addr::new(192, 0, 2, last))
    }

    /// Stores a copy of this size, as the result of a request at this time. Returns true if it was kept.
    fn store(entries: &Entries, entry: &Arc<Entry>, size: usize, now: u64) -> bool {
        let copy = ToggleCopy::new(Bytes::from(vec![b'x'; size]), &HeaderMap::new()).unwrap();
        let outcome = entries.fit(entry, Outcome::Changed(Arc::new(copy)), now, TIMING);
        entry.state.send_modify(|state| state.apply(outcome, now, now, TIMING));
        entry.copy().is_some_and(|copy| copy.size() == size)
    }

    #[test]
    fn unknown_tokens_are_limited_in_total_and_for_each_address() {
        let entries = Entries::new(SMALL);
        let created = |whole: u8, last: u8, now: u64| {
            entries.find_or_create(key(whole, whole), Some(address(last)), now, TIMING).is_some()
        };
        assert!(created(1, 1, 0) && created(2, 1, 0));
        assert!(!created(3, 1, 0), "the address has two entries");
        assert!(created(1, 1, 0), "a known key is not counted again");
        assert!(created(3, 2, 0));
        assert!(!created(4, 3, 0), "there are three entries");
        let entry = entries.find(&key(1, 1)).unwrap();
        assert!(store(&entries, &entry, 1, 0));
        assert!(created(4, 3, 0), "an entry with a copy is not counted");
        let entry = entries.find(&key(2, 2)).unwrap();
        entry.state.send_modify(|state| state.apply(Outcome::Failed, 0, 0, TIMING));
        assert!(!created(5, 4, 9), "the failure is remembered");
        entries.list().iter().for_each(|entry| {
            entry.state.send_modify(|state| state.apply(Outcome::Failed, 0, 0, TIMING));
        });
        assert!(created(5, 4, 10), "expired entries make room");
        assert!(entries.find(&key(1, 1)).is_some(), "copies remain");
    }

    #[test]
    fn keys_of_one_credential_are_limited() {
        let entries = Entries::new(Bounds { copies: 10, ..SMALL });
        let created = |credential: u8, whole: u8| {
            let entry = entries.find_or_create(key(credential, whole), None, 0, TIMING);
            entry.is_some_and(|entry| store(&entries, &entry, 1, 0))
        };
        assert!(created(1, 1) && created(1, 2));
        assert!(!created(1, 3));
    }

    #[test]
    fn only_unused_copies_make_room_for_others() {
        let entries = Entries::new(SMALL);
        let add = |whole: u8, size: usize, now: u64| {
            let entry = entries.find_or_create(key(whole, whole), None, now, TIMING).unwrap();
            entry.touch(now);
            store(&entries, &entry, size, now)
        };
        assert!(add(1, 40, 1_000) && add(2, 40, 1_050));
        assert!(!add(3, 10, 1_100), "two copies are in use");
        assert!(add(3, 10, 1_101), "the first one was last used 101 ms ago");
        assert!(entries.find(&key(1, 1)).is_none() && entries.find(&key(2, 2)).is_some());
        assert!(!add(3, 70, 1_102), "too large beside the one in use");
        assert!(add(3, 70, 1_151));
        assert!(entries.find(&key(2, 2)).is_none());
    }

    #[test]
    fn expired_copies_are_removed() {
        let entries = Entries::new(SMALL);
        let entry = entries.find_or_create(key(1, 1), None, 0, TIMING).unwrap();
        assert!(store(&entries, &entry, 1, 0));
        entries.sweep(1_000, TIMING);
        assert!(entries.find(&key(1, 1)).is_some());
        entries.sweep(1_001, TIMING);
        assert!(entries.find(&key(1, 1)).is_none());
    }
}
