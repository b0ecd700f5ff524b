//! The cache entries, and the bounds of their number and size.
//!
//! Entries without a copy have bounds of their own: requests with unknown tokens neither displace copies nor cause more
//! than a bounded number of requests to the upstream.

use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use tokio::sync::{Notify, watch};

use super::cache_key::CacheKey;
use super::copy::ToggleCopy;
use super::entry_state::{EntryState, Outcome, Timing};
use super::instances::Instances;
use crate::event_stream::ToggleChannel;
use crate::log_limit::LogLimit;
use crate::middleware::client::network_of;

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
    /// Entries of one credential that one network has requested. `--upstream-header` gives all clients one credential.
    pub(super) per_credential_and_network: usize,
    /// Entries without a copy.
    pub(super) without_copy: usize,
    /// Entries without a copy that one network has requested.
    pub(super) without_copy_per_network: usize,
}

/// 1,000 tokens with 256 KB each.
pub(super) const BOUNDS: Bounds = Bounds {
    copies: 1_000,
    bytes: 256 << 20,
    per_credential: 256,
    per_credential_and_network: 32,
    without_copy: 1_000,
    without_copy_per_network: 100,
};
/// Maximum number of credentials that are remembered as accepted.
const MAX_ACCEPTED: usize = 10_000;

/// Hash of a credential.
type Credential = [u8; 32];

/// Salted hashes of the credentials that the upstream has accepted. The bounds for unknown tokens do not apply to them.
#[derive(Debug, Default)]
pub(super) struct AcceptedCredentials(Mutex<BTreeSet<Credential>>);

impl AcceptedCredentials {
    /// Remembers a credential, unless too many are remembered already.
    pub(super) fn add(&self, credential: Credential) {
        let mut known = self.lock();
        if known.len() < MAX_ACCEPTED {
            known.insert(credential);
        }
    }

    /// Forgets a credential that the upstream has refused.
    pub(super) fn remove(&self, credential: &Credential) {
        self.lock().remove(credential);
    }

    pub(super) fn contains(&self, credential: &Credential) -> bool {
        self.lock().contains(credential)
    }

    pub(super) fn list(&self) -> Vec<Credential> {
        self.lock().iter().copied().collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<Credential>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

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
    /// Network that requested the key first; `None` for a copy from the file.
    network: Option<IpAddr>,
}

/// All entries. Workers share them; the hot path takes one read lock.
#[derive(Debug)]
pub(super) struct Entries {
    bounds: Bounds,
    pub(super) accepted: AcceptedCredentials,
    map: RwLock<HashMap<CacheKey, Arc<Entry>>>,
}

impl Entry {
    pub(super) fn new(key: CacheKey, state: EntryState, network: Option<IpAddr>) -> Self {
        Self {
            key,
            state: watch::Sender::new(state),
            wake: Notify::new(),
            last_characters: OnceLock::new(),
            polling: Instances::default(),
            channel: OnceLock::new(),
            last_used: AtomicU64::new(0),
            is_refused: AtomicBool::new(false),
            network,
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

    /// Returns true if no client needs the entry. An open stream uses it, also if refreshes are rare.
    pub(super) fn is_idle(&self, now: u64, timing: Timing) -> bool {
        let has_streams = self.channel.get().is_some_and(ToggleChannel::is_in_use);
        !has_streams && now.saturating_sub(self.last_used()) > timing.idle
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
        let is_waiting = state.is_new() || state.is_active() || now < state.next_attempt();
        !is_waiting && (state.copy().is_none() || (is_old && self.is_idle(now, timing)))
    }
}

impl Entries {
    pub(super) fn new(bounds: Bounds) -> Self {
        Self { bounds, accepted: AcceptedCredentials::default(), map: RwLock::default() }
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
        self.accepted.add(key.credential);
    }

    /// Returns the entry of a key, and creates it if the bounds allow it.
    pub(super) fn find_or_create(
        &self,
        key: CacheKey,
        address: Option<IpAddr>,
        now: u64,
        timing: Timing,
    ) -> Option<Arc<Entry>> {
        let network = address.map(network_of);
        let mut map = self.write();
        if let Some(entry) = map.get(&key) {
            return Some(Arc::clone(entry));
        }
        if !self.has_room(&map, &key, network) {
            map.retain(|_, entry| !entry.is_expired(now, timing));
            if !self.has_room(&map, &key, network) {
                return None;
            }
        }
        let entry = Arc::new(Entry::new(key, EntryState::default(), network));
        map.insert(key, Arc::clone(&entry));
        Some(entry)
    }

    /// Returns true if an entry without a copy can be added.
    fn has_room(&self, map: &HashMap<CacheKey, Arc<Entry>>, key: &CacheKey, network: Option<IpAddr>) -> bool {
        let (mut of_credential, mut of_both, mut without_copy, mut of_network) = (0, 0, 0, 0);
        for entry in map.values() {
            let is_same_network = network.is_some() && entry.network == network;
            if entry.key.credential == key.credential {
                of_credential += 1;
                of_both += usize::from(is_same_network || network.is_none());
            }
            if entry.state.borrow().copy().is_none() && !self.accepted.contains(&entry.key.credential) {
                without_copy += 1;
                of_network += usize::from(is_same_network);
            }
        }
        let is_unknown_bounded =
            without_copy < self.bounds.without_copy && of_network < self.bounds.without_copy_per_network;
        of_credential < self.bounds.per_credential
            && of_both < self.bounds.per_credential_and_network
            && (is_unknown_bounded || self.accepted.contains(&key.credential))
    }

    /// Replaces an outcome that does not fit into the cache. Copies that no client has requested for a while make room,
    /// but only if that is enough. The previous copy of the entry does not count, because the new one replaces it; if
    /// the new one does not fit, the previous one remains and becomes stale.
    pub(super) fn fit(&self, entry: &Entry, outcome: Outcome, now: u64, timing: Timing) -> Outcome {
        let Outcome::Changed(copy) = &outcome else { return outcome };
        let others = self.list().into_iter().filter(|other| other.key != entry.key);
        let mut others: Vec<_> =
            others.filter_map(|other| other.copy().map(|copy| (other, copy.size()))).collect();
        others.sort_by_key(|(other, _)| std::cmp::Reverse((!other.is_idle(now, timing), other.last_used())));
        let mut bytes: usize = others.iter().map(|(_, size)| size).sum();
        let mut evicted = Vec::new();
        while others.len() >= self.bounds.copies || bytes + copy.size() > self.bounds.bytes {
            let Some((oldest, size)) = others.pop().filter(|(oldest, _)| oldest.is_idle(now, timing)) else {
                if let Some(repeated) = FULL_CACHE.record() {
                    tracing::warn!(
                        bytes = copy.size(),
                        is_update = entry.copy().is_some(),
                        repeated,
                        "replica: the cache is full, and toggles of the upstream are not kept; a previous copy is served as stale"
                    );
                }
                return Outcome::Failed;
            };
            bytes -= size;
            evicted.push(oldest.key);
        }
        if !evicted.is_empty() {
            let mut map = self.write();
            for key in &evicted {
                map.remove(key);
            }
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
    const SMALL: Bounds = Bounds {
        copies: 2,
        bytes: 100,
        per_credential: 4,
        per_credential_and_network: 2,
        without_copy: 3,
        without_copy_per_network: 2,
    };

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

    #[test]
    fn clients_of_one_network_share_their_places() {
        let entries = Entries::new(SMALL);
        let created = |whole: u8, address: &str| {
            let address = Some(address.parse().unwrap());
            entries.find_or_create(key(whole, whole), address, 0, TIMING).is_some()
        };
        assert!(created(1, "2001:db8::1") && created(2, "2001:db8::2"));
        assert!(!created(3, "2001:db8::3"), "the network of 64 bits has two entries");
        assert!(created(3, "2001:db8:0:1::3"));
        assert!(!created(4, "192.0.2.1"), "there are three entries");
        entries.accepted.add([4; 32]);
        assert!(created(4, "2001:db8::4"), "a credential that was accepted is never refused");
    }

    #[test]
    fn update_that_does_not_fit_evicts_nothing_and_keeps_the_previous_copy() {
        let entries = Entries::new(Bounds { copies: 3, ..SMALL });
        for (whole, size, now) in [(1, 10, 1_000), (2, 50, 1_150), (3, 40, 1_150)] {
            let entry = entries.find_or_create(key(whole, whole), None, now, TIMING).unwrap();
            entry.touch(now);
            assert!(store(&entries, &entry, size, now));
        }
        let entry = entries.find(&key(3, 3)).unwrap();
        assert!(!store(&entries, &entry, 60, 1_160), "the first copy is idle, but too small");
        assert!(entries.find(&key(1, 1)).is_some());
        assert_eq!(entry.copy().unwrap().size(), 40);
        assert!(store(&entries, &entry, 40, 1_160), "the previous copy is replaced");
    }
}
