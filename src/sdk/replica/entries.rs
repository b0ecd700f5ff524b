//! The cache entries, and the bounds of their number and size.
//!
//! Entries without a copy have bounds of their own: requests with unknown tokens neither displace copies nor cause more
//! than a bounded number of requests to the upstream. A credential that the upstream has accepted is never refused: its
//! least recently used entries make room for its new ones. If the cache is full, the credential with the largest copies
//! makes room for others.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use actix_web::http::header::HeaderMap;
use parking_lot::{Mutex, RwLock};
use tokio::sync::{Notify, watch};

use super::cache_key::{CacheKey, FeatureRequest};
use super::copy::ToggleCopy;
use super::entry_state::{EntryState, Fault, Outcome, Timing};
use super::kept_copies::KeptState;
use super::project_lists::ProjectLists;
use crate::event_stream::ToggleChannel;
use crate::hold::{CopyScope, HeldCache, Holds, Served, Source};
use crate::log_limit::LogLimit;
use crate::middleware::client::network_of;
use crate::number::to_u64;
use crate::sdk_instances::{InstanceCount, Instances};

/// The cache is full.
static FULL_CACHE: LogLimit = LogLimit::new();

/// The bounds of the cache.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// Entries with a copy.
    pub(super) copies: usize,
    /// Total size of the copies in bytes.
    pub(super) bytes: usize,
    /// Entries of one credential with a copy, and as many without one.
    pub(super) per_credential: usize,
    /// Entries of unknown credentials.
    pub(super) unknown: usize,
    /// Entries of unknown credentials that one network has requested.
    pub(super) unknown_per_network: usize,
}

/// 1,000 tokens with 256 KB each.
pub(super) const BOUNDS: Bounds =
    Bounds { copies: 1_000, bytes: 256 << 20, per_credential: 256, unknown: 1_000, unknown_per_network: 100 };
/// Maximum number of credentials that are remembered as accepted.
pub(super) const MAX_ACCEPTED: usize = 10_000;

/// Hash of a credential.
type Credential = [u8; 32];

/// Salted hashes of the credentials that the upstream has accepted. The bounds for unknown tokens do not apply to them.
#[derive(Debug, Default)]
pub(super) struct AcceptedCredentials(Mutex<BTreeMap<Credential, u64>>);

impl AcceptedCredentials {
    /// Remembers a credential. It replaces the one that was accepted least recently if too many are remembered.
    pub(super) fn add(&self, credential: Credential) {
        let mut known = self.0.lock();
        let number = known.values().max().map_or(0, |last| last + 1);
        known.insert(credential, number);
        if known.len() > MAX_ACCEPTED {
            let oldest = known.iter().min_by_key(|(_, number)| **number).map(|(oldest, _)| *oldest);
            oldest.and_then(|oldest| known.remove(&oldest));
        }
    }

    pub(super) fn contains(&self, credential: &Credential) -> bool {
        self.0.lock().contains_key(credential)
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
    /// The request to the upstream. It is unknown until the first one.
    pub(super) request: OnceLock<FeatureRequest>,
    /// Last characters of the credential.
    pub(super) last_characters: OnceLock<String>,
    /// Selection of the token.
    pub(super) scope: OnceLock<CopyScope>,
    /// The list that SDKs get while toggles are held.
    held: HeldCache<Arc<ToggleCopy>>,
    /// Instances of applications that poll the copy.
    polling: Instances,
    /// Time of the last request of a client.
    last_used: AtomicU64,
    /// Event streams of the copy. Most entries have none.
    channel: OnceLock<ToggleChannel>,
    /// Lists for tokens that read fewer projects.
    pub(super) project_lists: ProjectLists,
    /// The stored form of the copy.
    pub(super) kept: Mutex<KeptState>,
    /// False if the database contains no copy from before the start.
    pub(super) may_be_kept: AtomicBool,
    /// True from the moment when the upstream has refused the credential. The copy is not written to the database any more.
    pub(super) is_refused: AtomicBool,
    /// True from the moment when an operator removes the copy until the next one. It is not written either.
    pub(super) is_purged: AtomicBool,
    /// Network that requested the key first; `None` for this program.
    pub(super) network: Option<IpAddr>,
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
            request: OnceLock::new(),
            last_characters: OnceLock::new(),
            scope: OnceLock::new(),
            held: HeldCache::default(),
            polling: Instances::default(),
            channel: OnceLock::new(),
            project_lists: ProjectLists::default(),
            last_used: AtomicU64::new(0),
            kept: Mutex::default(),
            may_be_kept: AtomicBool::new(true),
            is_refused: AtomicBool::new(false),
            is_purged: AtomicBool::new(false),
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
        !self.has_streams() && now.saturating_sub(self.last_used()) > timing.idle
    }

    pub(super) fn has_streams(&self) -> bool {
        self.channel.get().is_some_and(ToggleChannel::is_in_use) || self.project_lists.has_streams()
    }

    /// Returns true if the database may contain the copy.
    pub(super) fn is_storable(&self) -> bool {
        !self.is_refused.load(Ordering::SeqCst) && !self.is_purged.load(Ordering::SeqCst)
    }

    /// Returns the copy that the database may contain, and the time when the upstream has last confirmed it.
    pub(super) fn storable_copy(&self) -> Option<(Arc<ToggleCopy>, u64)> {
        let state = self.state.borrow();
        let copy = state.copy().filter(|_| self.is_storable())?;
        Some((Arc::clone(copy), state.confirmed_at()))
    }

    /// Records the instance of an application that has sent a request with these headers.
    pub(super) fn record_poll(&self, headers: &HeaderMap, now: u64) {
        self.polling.record_request(headers, now);
    }

    /// Returns the number of instances of applications that use the copy: the polling ones, and one for each event stream.
    pub(super) fn instances(&self, now: u64) -> InstanceCount {
        let streams = self.channel.get().map_or(0, ToggleChannel::streams) + self.project_lists.streams();
        let mut count = self.polling.count(now);
        count.number += to_u64(streams);
        count
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

    /// Returns the copy, and the time at which the upstream has last confirmed it; `None` without one.
    pub(super) fn current(&self) -> Option<(Source<Arc<ToggleCopy>>, u64)> {
        let state = self.state.borrow();
        Some((state.source()?, state.confirmed_at()))
    }

    /// Returns what SDKs get for a copy.
    pub(super) async fn serve(
        &self,
        holds: &Holds,
        copy: &Source<Arc<ToggleCopy>>,
    ) -> Served<Arc<ToggleCopy>> {
        let unknown = CopyScope::default();
        let scope = self.scope.get().unwrap_or(&unknown);
        self.held.get(holds, copy, scope).await
    }

    /// Returns what SDKs get for the current copy, and the time at which the upstream has last confirmed it; `None` without one.
    /// Another copy can arrive meanwhile, which the upstream has confirmed later.
    pub(super) async fn serve_current(&self, holds: &Holds) -> Option<(Served<Arc<ToggleCopy>>, u64)> {
        let (copy, confirmed) = self.current()?;
        Some((self.serve(holds, &copy).await, confirmed))
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
        self.map.read().get(key).cloned()
    }

    /// Returns all entries.
    pub(super) fn list(&self) -> Vec<Arc<Entry>> {
        self.map.read().values().cloned().collect()
    }

    /// Returns the entry of a key, and creates it if the bounds allow it. They always allow a credential that the upstream
    /// has accepted, in this process or before (`was_accepted`), and requests of this program, which have no address.
    pub(super) fn find_or_create(
        &self,
        key: CacheKey,
        address: Option<IpAddr>,
        was_accepted: bool,
        now: u64,
        timing: Timing,
    ) -> Option<Arc<Entry>> {
        let network = address.map(network_of);
        let mut map = self.map.write();
        if let Some(entry) = map.get(&key) {
            return Some(Arc::clone(entry));
        }
        if network.is_none() || was_accepted || self.accepted.contains(&key.credential) {
            self.limit_entries_of_credential(&mut map, key, |entry| entry.copy().is_none());
        } else if !self.has_room_for_unknown(&map, network) {
            map.retain(|_, entry| !entry.is_expired(now, timing));
            if !self.has_room_for_unknown(&map, network) {
                return None;
            }
        }
        let entry = Arc::new(Entry::new(key, EntryState::default(), network));
        map.insert(key, Arc::clone(&entry));
        Some(entry)
    }

    /// Returns true if an entry of an unknown credential can be added.
    fn has_room_for_unknown(&self, map: &HashMap<CacheKey, Arc<Entry>>, network: Option<IpAddr>) -> bool {
        let is_unknown =
            |entry: &&Arc<Entry>| entry.copy().is_none() && !self.accepted.contains(&entry.key.credential);
        let unknown: Vec<_> = map.values().filter(is_unknown).collect();
        let of_network = unknown.iter().filter(|entry| network.is_some() && entry.network == network);
        unknown.len() < self.bounds.unknown && of_network.count() < self.bounds.unknown_per_network
    }

    /// Removes the least recently used entries of a credential until one of this class can be added. The network with most
    /// of them makes room, because `--upstream-header` gives all clients one credential.
    fn limit_entries_of_credential(
        &self,
        map: &mut HashMap<CacheKey, Arc<Entry>>,
        key: CacheKey,
        is_of_class: impl Fn(&Entry) -> bool,
    ) {
        let is_concerned = |entry: &&Arc<Entry>| {
            entry.key.credential == key.credential && entry.key != key && is_of_class(entry)
        };
        let mut entries: Vec<_> = map.values().filter(is_concerned).cloned().collect();
        while entries.len() >= self.bounds.per_credential {
            let mut networks: HashMap<Option<IpAddr>, usize> = HashMap::new();
            for entry in &entries {
                *networks.entry(entry.network).or_default() += 1;
            }
            let in_network = |entry: &Entry| networks.get(&entry.network).copied().unwrap_or_default();
            let order = |entry: &Entry| (Reverse(in_network(entry)), entry.has_streams(), entry.last_used());
            let Some((index, _)) = entries.iter().enumerate().min_by_key(|(_, entry)| order(entry)) else {
                return;
            };
            remove(map, &entries.swap_remove(index));
        }
    }

    /// Returns true if an entry was not removed, or has been added again.
    pub(super) fn contains(&self, entry: &Arc<Entry>) -> bool {
        self.map.read().get(&entry.key).is_some_and(|current| Arc::ptr_eq(current, entry))
    }

    /// Forgets a credential that the upstream has refused, unless it has accepted it for another selection of toggles. Returns
    /// true if it is forgotten.
    pub(super) fn forget_credential(&self, refused: &Entry) -> bool {
        let credential = refused.key.credential;
        let is_other = |other: &Arc<Entry>| other.key.credential == credential && other.key != refused.key;
        let is_forgotten = !self.list().iter().any(|other| is_other(other) && other.copy().is_some());
        if is_forgotten {
            self.accepted.0.lock().remove(&credential);
        }
        is_forgotten
    }

    /// Replaces an outcome that does not fit into the cache. Other copies make room, but only if that is enough. The previous
    /// copy of the entry does not count, because the new one replaces it; if the new one does not fit, the previous one
    /// remains and becomes stale.
    pub(super) fn fit(&self, entry: &Arc<Entry>, outcome: Outcome, now: u64, timing: Timing) -> Outcome {
        let Outcome::Changed(copy) = &outcome else { return outcome };
        let mut map = self.map.write();
        // The entry may have been removed while the upstream was asked.
        let current = map.entry(entry.key).or_insert_with(|| Arc::clone(entry));
        if !Arc::ptr_eq(current, entry) {
            return outcome;
        }
        if entry.copy().is_none() {
            self.limit_entries_of_credential(&mut map, entry.key, |other| other.copy().is_some());
        }
        let others = map.values().filter(|other| other.key != entry.key);
        let mut others: Vec<_> =
            others.filter_map(|other| Some((Arc::clone(other), other.copy()?.size()))).collect();
        others
            .sort_by_key(|(other, _)| (!other.is_idle(now, timing), other.has_streams(), other.last_used()));
        let of_credential = others.iter().filter(|(other, _)| other.key.credential == entry.key.credential);
        let own_cost =
            self.cost(copy.size()) + of_credential.map(|(_, size)| self.cost(*size)).sum::<usize>();
        let mut bytes: usize = others.iter().map(|(_, size)| size).sum();
        let mut removed = Vec::new();
        while others.len() >= self.bounds.copies || bytes + copy.size() > self.bounds.bytes {
            let is_idle = others.first().is_some_and(|(oldest, _)| oldest.is_idle(now, timing));
            let index = if is_idle { Some(0) } else { self.find_copy_above_share(&others, own_cost) };
            let Some(index) = index else {
                if let Some(repeated) = FULL_CACHE.record() {
                    tracing::warn!(
                        bytes = copy.size(),
                        is_update = entry.copy().is_some(),
                        repeated,
                        "replica: the cache is full, and toggles of the upstream are not kept; a previous copy is served as stale"
                    );
                }
                return Outcome::Failed(Fault::FullCache);
            };
            let (other, size) = others.remove(index);
            bytes -= size;
            removed.push(other);
        }
        for removed in &removed {
            remove(&mut map, removed);
        }
        outcome
    }

    /// Returns the first copy of the credential whose copies cost most, if its other copies cost at least as much as those
    /// of another credential: the other one then cannot be displaced in turn.
    fn find_copy_above_share(&self, copies: &[(Arc<Entry>, usize)], other_cost: usize) -> Option<usize> {
        let mut costs: HashMap<Credential, usize> = HashMap::new();
        for (entry, size) in copies {
            *costs.entry(entry.key.credential).or_default() += self.cost(*size);
        }
        let (credential, cost) = costs.into_iter().max_by_key(|(credential, cost)| (*cost, *credential))?;
        let index = copies.iter().position(|(entry, _)| entry.key.credential == credential)?;
        let (_, size) = copies.get(index)?;
        (cost - self.cost(*size) >= other_cost).then_some(index)
    }

    /// Returns the part of the cache that a copy uses, in bytes. Each copy also uses one of the places.
    fn cost(&self, size: usize) -> usize {
        size + self.bounds.bytes / self.bounds.copies
    }

    /// Removes all entries and lists that are not needed any more.
    pub(super) fn sweep(&self, now: u64, timing: Timing) {
        let mut map = self.map.write();
        map.retain(|_, entry| !entry.is_expired(now, timing));
        map.values().for_each(|entry| entry.project_lists.sweep(now, timing.idle));
    }

    /// Removes an entry.
    pub(super) fn remove(&self, entry: &Arc<Entry>) {
        let mut map = self.map.write();
        if map.get(&entry.key).is_some_and(|current| Arc::ptr_eq(current, entry)) {
            map.remove(&entry.key);
        }
    }
}

/// Removes an entry, and wakes its task, which ends.
fn remove(map: &mut HashMap<CacheKey, Arc<Entry>>, entry: &Entry) {
    map.remove(&entry.key);
    entry.wake.notify_one();
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::Arc;

    use actix_web::http::header::HeaderMap;
    use bytes::Bytes;
    use proptest::prelude::*;

    use super::{AcceptedCredentials, Bounds, Entries, Entry, MAX_ACCEPTED};
    use crate::sdk::replica::cache_key::CacheKey;
    use crate::sdk::replica::copy::ToggleCopy;
    use crate::sdk::replica::entry_state::{Answer, Fault, Outcome, Timing};

    const TIMING: Timing = Timing { refresh: 10, max_stale: 1_000, idle: 100 };
    const SMALL: Bounds =
        Bounds { copies: 2, bytes: 100, per_credential: 2, unknown: 3, unknown_per_network: 2 };

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
            entries.find_or_create(key(whole, whole), Some(address(last)), false, now, TIMING).is_some()
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
        entry.state.send_modify(|state| state.apply(Outcome::Failed(Fault::Silent), 0, 0, TIMING));
        assert!(!created(5, 4, 9), "the failure is remembered");
        entries.list().iter().for_each(|entry| {
            entry.state.send_modify(|state| state.apply(Outcome::Failed(Fault::Silent), 0, 0, TIMING));
        });
        assert!(created(5, 4, 10), "expired entries make room");
        assert!(entries.find(&key(1, 1)).is_some(), "copies remain");
    }

    #[test]
    fn least_recently_used_query_of_a_credential_makes_room_for_another() {
        let entries = Entries::new(Bounds { copies: 10, per_credential: 4, ..SMALL });
        let read = |whole: u8, last: u8, now: u64, is_up: bool| {
            let entry =
                entries.find_or_create(key(1, whole), Some(address(last)), false, now, TIMING).unwrap();
            entry.touch(now);
            entries.accepted.add([1; 32]);
            assert!(!is_up || store(&entries, &entry, 1, now));
        };
        let kept = || {
            let mut kept: Vec<_> = entries.list().iter().map(|entry| entry.key.whole[0]).collect();
            kept.sort_unstable();
            kept
        };
        for (whole, last, now) in [(1, 2, 1), (2, 1, 2), (3, 1, 3), (4, 1, 4), (2, 1, 5)] {
            read(whole, last, now, true);
        }
        for whole in 5..20 {
            read(whole, 3, 6, false);
        }
        let copies = entries.list().iter().filter(|entry| entry.copy().is_some()).count();
        assert_eq!((copies, kept().len()), (4, 8), "queries without a response displace no copies");
        entries.sweep(7, TIMING);
        entries.map.write().retain(|_, entry| entry.copy().is_some());
        read(5, 3, 8, true);
        assert_eq!(kept(), [1, 2, 4, 5], "the network with most queries makes room");
    }

    #[test]
    fn credential_is_accepted_while_one_of_its_queries_is() {
        let entries = Entries::new(SMALL);
        let [one, other] =
            [1, 2].map(|whole| entries.find_or_create(key(1, whole), None, false, 0, TIMING).unwrap());
        entries.accepted.add([1; 32]);
        assert!(store(&entries, &one, 1, 0));
        assert!(!entries.forget_credential(&other));
        assert!(entries.accepted.contains(&[1; 32]));
        assert!(entries.forget_credential(&one));
        assert!(!entries.accepted.contains(&[1; 32]));
    }

    #[test]
    fn credential_that_was_accepted_least_recently_is_forgotten_first() {
        let accepted = AcceptedCredentials::default();
        let credential = |number: usize| {
            let mut credential = [0; 32];
            credential[..8].copy_from_slice(&number.to_le_bytes());
            credential
        };
        (0..MAX_ACCEPTED).for_each(|number| accepted.add(credential(number)));
        accepted.add(credential(0));
        accepted.add(credential(MAX_ACCEPTED));
        assert!(accepted.contains(&credential(0)) && !accepted.contains(&credential(1)));
        assert!(accepted.contains(&credential(MAX_ACCEPTED)) && accepted.0.lock().len() == MAX_ACCEPTED);
    }

    #[test]
    fn entry_that_was_removed_while_the_upstream_was_asked_is_added_again() {
        let entries = Entries::new(SMALL);
        let entry = entries.find_or_create(key(1, 1), None, false, 0, TIMING).unwrap();
        entries.map.write().clear();
        assert!(store(&entries, &entry, 1, 0) && entries.contains(&entry));
        entries.map.write().clear();
        let other = entries.find_or_create(key(1, 1), None, false, 0, TIMING).unwrap();
        assert!(store(&entries, &entry, 1, 0) && !entries.contains(&entry) && entries.contains(&other));
    }

    #[test]
    fn only_unused_copies_make_room_for_others() {
        let entries = Entries::new(SMALL);
        let add = |whole: u8, size: usize, now: u64| {
            let entry = entries.find_or_create(key(whole, whole), None, false, now, TIMING).unwrap();
            entry.touch(now);
            store(&entries, &entry, size, now)
        };
        assert!(add(1, 40, 1_000) && add(2, 40, 1_050));
        assert!(!add(3, 10, 1_100), "two copies are in use");
        let state = entries.find(&key(3, 3)).unwrap().state.borrow().clone();
        assert!(matches!(state.answer(1_100, TIMING), Answer::Unavailable(Fault::FullCache)), "{state:?}");
        assert!(add(3, 10, 1_101), "the first one was last used 101 ms ago");
        assert!(entries.find(&key(1, 1)).is_none() && entries.find(&key(2, 2)).is_some());
        assert!(!add(3, 70, 1_102), "too large beside the one in use");
        assert!(add(3, 70, 1_151));
        assert!(entries.find(&key(2, 2)).is_none());
    }

    #[test]
    fn credential_with_the_largest_copies_makes_room_for_others() {
        let entries = Entries::new(Bounds { copies: 10, bytes: 100, per_credential: 8, ..SMALL });
        let add = |credential: u8, whole: u8, size: usize| {
            let entry = entries.find_or_create(key(credential, whole), None, false, 1_000, TIMING).unwrap();
            entry.touch(1_000 + u64::from(whole));
            store(&entries, &entry, size, 1_050)
        };
        let kept = || {
            let copies = entries.list().into_iter().filter(|entry| entry.copy().is_some());
            copies.map(|entry| entry.key.whole[0]).collect::<BTreeSet<_>>()
        };
        assert!((1..=4).all(|whole| add(1, whole, 25)));
        assert!(add(2, 5, 30));
        assert_eq!(kept(), BTreeSet::from([3, 4, 5]), "two least recently used copies make room");
        assert!(!add(1, 1, 25), "the other credential keeps its copy");
        assert!(!add(3, 6, 60), "a new credential does not get more than the others have");
        assert_eq!(kept(), BTreeSet::from([3, 4, 5]));
        assert!(!add(3, 6, 26), "the first credential would keep less than the new one");
        assert!(add(3, 6, 25), "both credentials have the same share afterwards");
        assert_eq!(kept(), BTreeSet::from([4, 5, 6]));
    }

    #[test]
    fn expired_copies_are_removed() {
        let entries = Entries::new(SMALL);
        let entry = entries.find_or_create(key(1, 1), None, false, 0, TIMING).unwrap();
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
            entries.find_or_create(key(whole, whole), address, false, 0, TIMING).is_some()
        };
        assert!(created(1, "2001:db8::1") && created(2, "2001:db8::2"));
        assert!(!created(3, "2001:db8::3"), "the network of 64 bits has two entries");
        assert!(created(3, "2001:db8:0:1::3"));
        assert!(!created(4, "192.0.2.1"), "there are three entries");
        entries.accepted.add([4; 32]);
        assert!(created(4, "2001:db8::4"), "a credential that was accepted is never refused");
        let address = "2001:db8::5".parse().ok();
        assert!(entries.find_or_create(key(5, 5), address, true, 0, TIMING).is_some(), "before the start");
    }

    #[test]
    fn update_that_does_not_fit_evicts_nothing_and_keeps_the_previous_copy() {
        let entries = Entries::new(Bounds { copies: 3, ..SMALL });
        for (whole, size, now) in [(1, 10, 1_000), (2, 50, 1_150), (3, 40, 1_150)] {
            let entry = entries.find_or_create(key(whole, whole), None, false, now, TIMING).unwrap();
            entry.touch(now);
            assert!(store(&entries, &entry, size, now));
        }
        let entry = entries.find(&key(3, 3)).unwrap();
        assert!(!store(&entries, &entry, 60, 1_160), "the first copy is idle, but too small");
        assert!(entries.find(&key(1, 1)).is_some());
        assert_eq!(entry.copy().unwrap().size(), 40);
        assert!(store(&entries, &entry, 39, 1_160), "the previous copy is replaced");
        assert!(entries.find(&key(1, 1)).is_some(), "its size does not count");
    }

    /// An action of a client, of the upstream or of an operator.
    #[derive(Debug, Clone)]
    enum Action {
        /// A client of this network reads a query of a credential; the upstream responds with toggles of this size.
        Read {
            credential: u8,
            query: u8,
            network: u8,
            size: Option<usize>,
        },
        /// The upstream changes the toggles of an entry.
        Update {
            credential: u8,
            query: u8,
            size: usize,
        },
        Wait(u64),
        Sweep,
    }

    fn actions() -> impl Strategy<Value = Vec<Action>> {
        let size = 1..60_usize;
        let read = (0..5_u8, 0..5_u8, 0..4_u8, proptest::option::weighted(0.7, size.clone()));
        let action = prop_oneof![
            8 => read.prop_map(|(credential, query, network, size)| Action::Read { credential, query, network, size }),
            4 => (0..5_u8, 0..5_u8, size).prop_map(|(credential, query, size)| Action::Update { credential, query, size }),
            2 => (0..150_u64).prop_map(Action::Wait),
            1 => Just(Action::Sweep),
        ];
        proptest::collection::vec(action, 1..120)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

        /// The model knows the accepted credentials only: everything else follows from the bounds.
        #[test]
        fn bounds_hold_and_accepted_credentials_are_never_refused(actions in actions()) {
            let bounds = Bounds { copies: 5, bytes: 150, ..SMALL };
            let (entries, mut accepted, mut now) = (Entries::new(bounds), BTreeSet::new(), 1_000);
            for action in actions {
                now += 1;
                match action {
                    Action::Read { credential, query, network, size } => {
                        let key = key(credential, credential * 16 + query);
                        let entry = entries.find_or_create(key, Some(address(network)), false, now, TIMING);
                        let is_accepted = accepted.contains(&credential);
                        prop_assert!(entry.is_some() || !is_accepted, "a token that was served is refused");
                        let Some(entry) = entry else { continue };
                        entry.touch(now);
                        if let Some(size) = size {
                            entries.accepted.add(key.credential);
                            accepted.insert(credential);
                            store(&entries, &entry, size, now);
                        } else {
                            entry.state.send_modify(|state| state.apply(Outcome::Failed(Fault::Silent), now, now, TIMING));
                        }
                    }
                    Action::Update { credential, query, size } => {
                        let Some(entry) = entries.find(&key(credential, credential * 16 + query)) else { continue };
                        let Some(old) = entry.copy() else { continue };
                        let total: usize = entries.list().iter().filter_map(|entry| Some(entry.copy()?.size())).sum();
                        let has_room = total - old.size() + size <= bounds.bytes;
                        let is_kept = store(&entries, &entry, size, now);
                        prop_assert!(is_kept || !has_room, "an update that fits is refused");
                        let known = entry.copy().map(|copy| copy.size());
                        prop_assert!(is_kept || known == Some(old.size()), "the previous copy is lost");
                    }
                    Action::Wait(pause) => now += pause,
                    Action::Sweep => entries.sweep(now, TIMING),
                }
                let (copies, others): (Vec<_>, Vec<_>) =
                    entries.list().into_iter().partition(|entry| entry.copy().is_some());
                prop_assert!(copies.len() <= bounds.copies);
                prop_assert!(copies.iter().filter_map(|entry| Some(entry.copy()?.size())).sum::<usize>() <= bounds.bytes);
                let unknown: Vec<_> = others.iter().filter(|entry| !accepted.contains(&entry.key.credential[0])).collect();
                prop_assert!(unknown.len() <= bounds.unknown);
                for network in 0..4 {
                    let of_network = unknown.iter().filter(|entry| entry.network == Some(address(network)));
                    prop_assert!(of_network.count() <= bounds.unknown_per_network);
                }
                for class in [&copies, &others] {
                    for credential in &accepted {
                        let of_credential = class.iter().filter(|entry| entry.key.credential[0] == *credential);
                        prop_assert!(of_credential.count() <= bounds.per_credential.max(bounds.unknown));
                    }
                }
                for credential in &accepted {
                    let of_credential = copies.iter().filter(|entry| entry.key.credential[0] == *credential);
                    prop_assert!(of_credential.count() <= bounds.per_credential);
                }
            }
        }
    }
}
