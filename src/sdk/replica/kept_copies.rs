//! Keeps the copies in a database, so that a restart or another instance serves them while the upstream does not respond.
//!
//! Copies are served first and written up to a second later. A copy is read when a client requests its key for the first time. The
//! keys of stored copies are hashes with a salt that the database contains; keys in memory have another one, because the
//! database is opened in the background. A removal counts at once: if the database cannot be changed, no copy is read until it was,
//! and a marker beside its file makes the next start delete all copies.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use actix_web::http::header::HeaderValue;
use parking_lot::Mutex;
use sha2::{Digest as _, Sha256};
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, timeout, timeout_at};

use super::cache_key::{CacheKey, FeatureRequest, Keys, Salt};
use super::copy::ToggleCopy;
use super::entries::{Entries, Entry};
use super::entry_state::Timing;
use super::rows::{CopyRow, KeptBody};
use super::token_table::TokenTable;
use crate::clock::Clock;
use crate::database::{KeptDatabase, Transaction, run_thread};
use crate::error::ApiError;
use crate::number::{to_i64, to_u64};
use crate::private_file;
use crate::sdk::source::TokenId;

/// The time after the start in which requests wait for the database: a restart during an outage then serves the first ones.
const OPENING_TIME: Duration = Duration::from_secs(1);
/// The maximum time for the read of a copy.
const READ_TIME: Duration = Duration::from_secs(1);
/// The time in which no copies are read after a read took too long, in milliseconds.
const SLOW_PAUSE: u64 = 10_000;
/// The maximum time for which a refusal waits for the removal of copies.
const REMOVAL_TIME: Duration = Duration::from_secs(1);
/// The maximum time for the last write at the end of the program.
const LAST_WRITE_TIME: Duration = Duration::from_secs(5);
/// Interval in which the times of confirmations are written. The age of a restored copy is exact to this interval.
const CONFIRMATION_INTERVAL: u64 = 60_000;
/// Time between two attempts to write.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);
/// Maximum size of the copies in one transaction, in bytes.
const MAX_TRANSACTION: usize = 8 << 20;
/// Maximum number of removals that wait. More become one of all copies.
const MAX_REMOVALS: usize = 1_000;

/// The copies in the database.
pub(super) struct KeptCopies {
    /// `None` if copies are only in memory.
    database: Option<KeptDatabase>,
    keys: Arc<Keys>,
    /// Accepted tokens, if the upstream is asked about them.
    tokens: Option<Arc<TokenTable>>,
    clock: Clock,
    start: Instant,
    /// The salt of the stored keys; `None` until it was read.
    salt: watch::Sender<Option<Salt>>,
    /// Hashes of the credentials that the upstream had accepted before the start.
    accepted: Mutex<HashSet<[u8; 32]>>,
    /// Copies that must be deleted.
    removals: Mutex<Vec<Removal>>,
    /// Number of removals so far.
    removed: AtomicU64,
    marker: Option<PathBuf>,
    has_marker: AtomicBool,
    /// Wakes the task that writes.
    pub(super) changed: Notify,
    is_behind: AtomicBool,
    /// Time of the last write of confirmations.
    confirmed_at: AtomicU64,
    /// Time until which no copies are read.
    slow_until: AtomicU64,
}

/// Copies that must be deleted.
#[derive(Debug, Clone)]
pub(super) enum Removal {
    All,
    /// All copies of the credential in a request.
    Credential(FeatureRequest),
    /// The copy for a request.
    Copy(FeatureRequest),
    /// The answer that accepted a token.
    Token(TokenId),
}

/// The result of the search for a kept copy.
pub(super) enum Found {
    /// The database contains no copy.
    Nothing,
    /// The database was not read, so that it may contain a copy.
    Unknown,
    /// A copy, the hash of its body, and the time when the upstream has last confirmed it.
    Copy(Arc<ToggleCopy>, [u8; 32], u64),
}

/// The known stored form of an entry.
#[derive(Debug, Default)]
pub(super) struct KeptState {
    /// The copy in the database, with the hash of its body.
    copy: Option<(Arc<ToggleCopy>, [u8; 32])>,
    /// True if the database contains the credential as an accepted one.
    is_accepted: bool,
}

/// A copy that is going to be written.
struct Unwritten {
    entry: Arc<Entry>,
    key: CacheKey,
    copy: Arc<ToggleCopy>,
    confirmed_at: u64,
}

impl KeptState {
    pub(super) fn restored(copy: Arc<ToggleCopy>, hash: [u8; 32]) -> Self {
        Self { copy: Some((copy, hash)), is_accepted: true }
    }

    /// Returns the hash of this copy if it is the stored one.
    fn hash_of(&self, copy: &Arc<ToggleCopy>) -> Option<[u8; 32]> {
        self.copy.as_ref().filter(|(kept, _)| Arc::ptr_eq(kept, copy)).map(|(_, hash)| *hash)
    }
}

impl KeptCopies {
    pub(super) fn new(
        database: Option<KeptDatabase>,
        keys: Arc<Keys>,
        tokens: Option<Arc<TokenTable>>,
        clock: Clock,
    ) -> Self {
        Self {
            tokens,
            clock,
            marker: database.as_ref().and_then(|database| database.path_beside(".refused")),
            database,
            keys,
            start: Instant::now(),
            salt: watch::Sender::new(None),
            accepted: Mutex::default(),
            removals: Mutex::default(),
            removed: AtomicU64::new(0),
            has_marker: AtomicBool::new(false),
            changed: Notify::new(),
            is_behind: AtomicBool::new(false),
            confirmed_at: AtomicU64::new(0),
            slow_until: AtomicU64::new(0),
        }
    }

    /// Returns why copies are not kept, as the end of a sentence; `None` if they are, or without a database.
    pub(super) fn fault(&self) -> Option<String> {
        let fault = self.database.as_ref()?.fault();
        let has_removals = self.is_behind.load(Ordering::Relaxed) && !self.removals.lock().is_empty();
        fault.or_else(|| has_removals.then(|| "removed copies are still in the database".to_owned()))
    }

    pub(super) fn is_on(&self) -> bool {
        self.database.is_some()
    }

    /// Returns true if the upstream had accepted the credential of a request before the start.
    pub(super) fn is_accepted(&self, request: &FeatureRequest) -> bool {
        let salt = *self.salt.borrow();
        salt.is_some_and(|salt| {
            self.accepted.lock().contains(&self.keys.stored_key(&salt, request).credential)
        })
    }

    /// Returns true if the database was read.
    pub(super) fn is_read(&self) -> bool {
        self.salt.borrow().is_some()
    }

    /// Waits until the database was read, but not longer than some time after the start.
    pub(super) async fn wait_until_read(&self) -> Option<Salt> {
        self.database.as_ref()?;
        let mut salt = self.salt.subscribe();
        let read = timeout_at(self.start + OPENING_TIME, salt.wait_for(Option::is_some)).await;
        read.ok()?.ok().and_then(|salt| *salt)
    }

    /// Reads the database as soon as it is open.
    pub(super) async fn prepare(&self) {
        let Some(database) = &self.database else { return };
        loop {
            database.wait_until_open().await;
            if self.salt().await.is_ok() {
                return;
            }
            tokio::time::sleep(RETRY_INTERVAL).await;
        }
    }

    /// Returns the salt. Reads it from the database first if it is unknown, after all copies were deleted if there is a marker.
    async fn salt(&self) -> Result<Salt, ApiError> {
        let known = *self.salt.borrow();
        if let Some(salt) = known {
            return Ok(salt);
        }
        let database = self.database.as_ref().ok_or_else(|| ApiError::internal("copies are not kept"))?;
        let (source, marker) = (self.keys.source().to_owned(), self.marker.clone());
        let clock = self.clock.clone();
        let mut new = [0; 16];
        getrandom::fill(&mut new).map_err(ApiError::internal)?;
        let read = move |tx: &Transaction<'_>| {
            let salt = tx.lock_source(&source, &new)?;
            let is_marked = marker.is_some_and(|marker| marker.exists());
            if is_marked {
                tx.delete_copies_of(&source)?;
                tx.delete_unused_bodies()?;
            }
            let mut tokens = tx.list_tokens(&source)?;
            let database_now = u64::try_from(tx.now_milliseconds()?).unwrap_or_default();
            // The clock of the machine may have been set back.
            for token in &mut tokens {
                let age = database_now.saturating_sub(token.confirmed_at);
                token.confirmed_at = clock.to_millis(clock.now().monotonic).saturating_sub(age);
            }
            Ok((salt, tx.list_accepted(&source)?, tokens, is_marked))
        };
        let (salt, accepted, tokens, is_marked) = database.write_to_disk(read).await?;
        if is_marked {
            tracing::warn!(
                "replica: the kept copies were deleted, because one of them was removed while that was not possible"
            );
            self.remove_marker().await;
        }
        *self.accepted.lock() = accepted.into_iter().collect();
        if let Some(table) = &self.tokens {
            table.restore(tokens);
        }
        self.salt.send_replace(Some(salt));
        Ok(salt)
    }

    /// Reads the copy for a request. Takes at most a second.
    pub(super) async fn find(&self, request: &FeatureRequest, now: u64) -> Found {
        let Some(database) = &self.database else { return Found::Nothing };
        if now < self.slow_until.load(Ordering::Relaxed) {
            return Found::Unknown;
        }
        let known = *self.salt.borrow();
        let Some(salt) = (match known {
            Some(salt) => Some(salt),
            None => self.wait_until_read().await,
        }) else {
            return Found::Unknown;
        };
        let removed = self.removed.load(Ordering::SeqCst);
        if !self.removals.lock().is_empty() {
            return Found::Unknown;
        }
        let (source, key) = (self.keys.source().to_owned(), self.keys.stored_key(&salt, request));
        let read = database.read(move |tx| {
            let Some(row) = tx.find_copy(&source, &key)? else { return Ok(Found::Nothing) };
            let age =
                u64::try_from(tx.now_milliseconds()?.saturating_sub(row.confirmed_at)).unwrap_or_default();
            let Some(copy) = ToggleCopy::from_kept(&row.gzip, &row.hash, row.content_type, row.etag) else {
                tracing::warn!("replica: a kept copy is damaged, and is not used");
                return Ok(Found::Nothing);
            };
            // The clock of the machine may have been set back.
            Ok(Found::Copy(Arc::new(copy), row.hash, now.saturating_sub(age)))
        });
        match timeout(READ_TIME, read).await {
            // A removal may have been requested meanwhile.
            Ok(Ok(found)) if self.removed.load(Ordering::SeqCst) == removed => found,
            Ok(_) => Found::Unknown,
            Err(_late) => {
                self.slow_until.store(now.saturating_add(SLOW_PAUSE), Ordering::Relaxed);
                Found::Unknown
            }
        }
    }

    /// Deletes copies, also those that are written at the same time: their entries must not be storable any more. Waits for a
    /// moment, so that they are not on the disk any more when the removal becomes visible.
    pub(super) async fn remove(&self, removed: Vec<Removal>, entries: &Entries) {
        if self.database.is_none() {
            return;
        }
        {
            let mut removals = self.removals.lock();
            if removals.len() >= MAX_REMOVALS {
                *removals = vec![Removal::All];
            }
            removals.extend(removed);
        }
        self.removed.fetch_add(1, Ordering::SeqCst);
        let deleted = timeout(REMOVAL_TIME, self.delete_removed(entries)).await;
        if matches!(deleted, Ok(Ok(()))) {
            return;
        }
        self.is_behind.store(true, Ordering::Relaxed);
        self.changed.notify_one();
        if let Some(marker) = self.marker.clone().filter(|_| !self.has_marker.swap(true, Ordering::AcqRel)) {
            let written = timeout(REMOVAL_TIME, run_thread(move || create_marker(&marker))).await;
            if !matches!(written, Ok(Ok(Ok(())))) {
                self.has_marker.store(false, Ordering::Release);
                tracing::error!(
                    marker = ?self.marker,
                    "replica: a refused or removed copy can neither be deleted nor marked; if Flagdeck is restarted now, delete it"
                );
            }
        }
    }

    /// Deletes all copies that must be deleted.
    async fn delete_removed(&self, entries: &Entries) -> Result<(), ApiError> {
        let removals = self.removals.lock().clone();
        let Some(database) = self.database.as_ref().filter(|_| !removals.is_empty()) else { return Ok(()) };
        let salt = self.salt().await?;
        let (count, has_all) =
            (removals.len(), removals.iter().any(|removal| matches!(removal, Removal::All)));
        let (source, keys) = (self.keys.source().to_owned(), Arc::clone(&self.keys));
        let refused: Vec<_> = removals
            .iter()
            .filter_map(|removal| match removal {
                Removal::Credential(request) => Some(keys.stored_key(&salt, request).credential),
                Removal::All | Removal::Copy(_) | Removal::Token(_) => None,
            })
            .collect();
        let delete = move |tx: &Transaction<'_>| {
            tx.lock_source(&source, &salt)?;
            for removal in &removals {
                match removal {
                    Removal::All => tx.delete_copies_of(&source)?,
                    Removal::Credential(request) => {
                        tx.delete_credential(&keys.stored_key(&salt, request).credential)?;
                    }
                    Removal::Copy(request) => tx.delete_copy(&keys.stored_key(&salt, request))?,
                    Removal::Token(id) => tx.delete_token(&source, id)?,
                }
            }
            Ok(tx.delete_unused_bodies()?)
        };
        database.write_to_disk(delete).await?;
        {
            let mut accepted = self.accepted.lock();
            accepted.retain(|credential| !refused.contains(credential));
        }
        if has_all {
            self.forget_written(entries);
        }
        let is_complete = {
            let mut removals = self.removals.lock();
            // Others may have been added, or have become one.
            let done = count.min(removals.len());
            removals.drain(..done);
            removals.is_empty()
        };
        if is_complete && self.has_marker.swap(false, Ordering::AcqRel) {
            self.remove_marker().await;
        }
        Ok(())
    }

    async fn remove_marker(&self) {
        let Some(marker) = self.marker.clone() else { return };
        if let Ok(Err(error)) = run_thread(move || fs::remove_file(&marker)).await
            && error.kind() != ErrorKind::NotFound
        {
            tracing::error!(marker = ?self.marker, %error, "replica: the marker of removed copies cannot be removed");
        }
    }

    /// Returns the time after which there is something to write.
    pub(super) fn pause(&self) -> Duration {
        if self.is_behind.load(Ordering::Relaxed) {
            RETRY_INTERVAL
        } else {
            Duration::from_millis(CONFIRMATION_INTERVAL)
        }
    }

    /// Writes all changes before the program ends, unless that takes too long.
    pub(super) async fn flush(&self, entries: &Entries, now: u64, timing: Timing) {
        self.confirmed_at.store(0, Ordering::Relaxed);
        if timeout(LAST_WRITE_TIME, self.write(entries, now, timing)).await.is_err() {
            tracing::warn!("replica: the last copies are not kept, because the database takes too long");
        }
    }

    /// Writes copies that have changed, and in each interval the times of confirmations. The database reports its faults.
    pub(super) async fn write(&self, entries: &Entries, now: u64, timing: Timing) {
        if self.database.is_some() {
            let written = self.try_write(entries, now, timing).await;
            if let Err(error) = &written {
                tracing::debug!(%error, "replica: copies are not kept");
            }
            self.is_behind.store(written.is_err(), Ordering::Relaxed);
        }
    }

    async fn try_write(&self, entries: &Entries, now: u64, timing: Timing) -> Result<(), ApiError> {
        self.delete_removed(entries).await?;
        let salt = self.salt().await?;
        self.write_accepted(salt, entries).await?;
        self.write_tokens(salt, entries, now).await?;
        let mut chunk = Vec::new();
        let mut size = 0;
        for unwritten in self.list_unwritten(&salt, entries) {
            let own = unwritten.copy.kept_size();
            if size + own > MAX_TRANSACTION && !chunk.is_empty() {
                self.write_chunk(std::mem::take(&mut chunk), salt, entries, now).await?;
                size = 0;
            }
            size += own;
            chunk.push(unwritten);
        }
        self.write_chunk(chunk, salt, entries, now).await?;
        if now.saturating_sub(self.confirmed_at.load(Ordering::Relaxed)) >= CONFIRMATION_INTERVAL {
            self.confirm(salt, entries, now, timing).await?;
            self.confirmed_at.store(now, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Writes the credentials that the upstream has accepted in this process.
    async fn write_accepted(&self, salt: Salt, entries: &Entries) -> Result<(), ApiError> {
        let is_unwritten = |entry: &Arc<Entry>| {
            entries.accepted.contains(&entry.key.credential) && !entry.kept.lock().is_accepted
        };
        let unwritten: Vec<_> = entries.list().into_iter().filter(is_unwritten).collect();
        let requests = unwritten.iter().filter_map(|entry| entry.request.get());
        let mut credentials: Vec<_> =
            requests.map(|request| self.keys.stored_key(&salt, request).credential).collect();
        credentials.sort_unstable();
        credentials.dedup();
        let Some(database) = self.database.as_ref().filter(|_| !credentials.is_empty()) else {
            return Ok(());
        };
        let source = self.keys.source().to_owned();
        let write = move |tx: &Transaction<'_>| {
            let is_known = tx.lock_source(&source, &salt)? == salt;
            if is_known {
                tx.write_accepted(&source, &credentials)?;
            }
            Ok(is_known)
        };
        if !database.write(write).await? {
            return Err(self.forget_database(entries));
        }
        for entry in &unwritten {
            entry.kept.lock().is_accepted = true;
        }
        Ok(())
    }

    /// Writes the answers of the upstream that accept tokens.
    async fn write_tokens(&self, salt: Salt, entries: &Entries, now: u64) -> Result<(), ApiError> {
        let (Some(database), Some(table)) = (&self.database, self.tokens.clone()) else { return Ok(()) };
        let mut unwritten = table.list_unwritten();
        if unwritten.is_empty() {
            return Ok(());
        }
        let written: Vec<_> = unwritten.iter().map(|token| (token.id, token.confirmed_at)).collect();
        let source = self.keys.source().to_owned();
        let tokens = Arc::clone(&table);
        let write = move |tx: &Transaction<'_>| {
            let is_known = tx.lock_source(&source, &salt)? == salt;
            let database_now = u64::try_from(tx.now_milliseconds()?).unwrap_or_default();
            // The upstream may have refused a token since.
            unwritten.retain(|token| is_known && tokens.is_storable(&token.id));
            for token in &mut unwritten {
                token.confirmed_at = database_now.saturating_sub(now.saturating_sub(token.confirmed_at));
                tx.write_token(&source, token)?;
            }
            Ok(is_known)
        };
        if !database.write(write).await? {
            return Err(self.forget_database(entries));
        }
        table.mark_written(&written);
        Ok(())
    }

    fn list_unwritten(&self, salt: &Salt, entries: &Entries) -> Vec<Unwritten> {
        let unwritten = |entry: Arc<Entry>| {
            let (copy, confirmed_at) = entry.storable_copy()?;
            let key = self.keys.stored_key(salt, entry.request.get()?);
            let is_kept = entry.kept.lock().hash_of(&copy).is_some();
            (!is_kept).then_some(Unwritten { entry, key, copy, confirmed_at })
        };
        entries.list().into_iter().filter_map(unwritten).collect()
    }

    /// Writes copies in one transaction.
    async fn write_chunk(
        &self,
        chunk: Vec<Unwritten>,
        salt: Salt,
        entries: &Entries,
        now: u64,
    ) -> Result<(), ApiError> {
        let Some(database) = self.database.as_ref().filter(|_| !chunk.is_empty()) else { return Ok(()) };
        let source = self.keys.source().to_owned();
        let write = move |tx: &Transaction<'_>| {
            if tx.lock_source(&source, &salt)? != salt {
                return Ok(None);
            }
            let database_now = tx.now_milliseconds()?;
            let mut written = Vec::new();
            for Unwritten { entry, key, copy, confirmed_at } in chunk {
                // The upstream may have refused the credential since, or an operator has removed the copy.
                if !entry.is_storable() {
                    continue;
                }
                let hash = <[u8; 32]>::from(Sha256::digest(&copy.body));
                let is_same = entry.kept.lock().copy.as_ref().is_some_and(|(kept, known)| {
                    *known == hash
                        && (&kept.content_type, &kept.upstream_tag)
                            == (&copy.content_type, &copy.upstream_tag)
                });
                if !is_same {
                    let row = CopyRow {
                        content_type: text(&copy.content_type).unwrap_or_default(),
                        etag: copy.upstream_tag.as_ref().and_then(text),
                        hash,
                        gzip: copy.kept_gzip().map_err(ApiError::internal)?,
                        confirmed_at: database_now.saturating_sub(to_i64(now.saturating_sub(confirmed_at))),
                    };
                    tx.write_copy(&source, &key, &row)?;
                }
                written.push((entry, copy, hash));
            }
            Ok(Some(written))
        };
        match database.write(write).await? {
            Some(written) => {
                for (entry, copy, hash) in written {
                    entry.kept.lock().copy = Some((copy, hash));
                }
                Ok(())
            }
            None => Err(self.forget_database(entries)),
        }
    }

    /// Writes the times of confirmations in one transaction, and deletes copies that nothing can use.
    async fn confirm(&self, salt: Salt, entries: &Entries, now: u64, timing: Timing) -> Result<(), ApiError> {
        let Some(database) = &self.database else { return Ok(()) };
        let mut confirmed: Vec<(KeptBody, u64)> = Vec::new();
        let mut confirmed_entries = Vec::new();
        for entry in entries.list() {
            if let (Some((copy, confirmed_at)), Some(request)) = (entry.storable_copy(), entry.request.get())
                && let Some(hash) = entry.kept.lock().hash_of(&copy)
            {
                confirmed.push(((self.keys.stored_key(&salt, request).whole, hash), confirmed_at));
                confirmed_entries.push(Arc::clone(&entry));
            }
        }
        let source = self.keys.source().to_owned();
        let max_stale = to_i64(timing.max_stale);
        let write = move |tx: &Transaction<'_>| {
            if tx.lock_source(&source, &salt)? != salt {
                return Ok(None);
            }
            let database_now = tx.now_milliseconds()?;
            let times = confirmed
                .iter()
                .map(|(body, at)| (*body, database_now.saturating_sub(to_i64(now.saturating_sub(*at)))));
            let changed = tx.confirm_copies(&times.collect::<Vec<_>>())?;
            let kept: Option<HashSet<KeptBody>> = if changed < to_u64(confirmed.len()) {
                Some(tx.list_kept_bodies(&source)?.into_iter().collect())
            } else {
                None
            };
            tx.prune_copies(database_now.saturating_sub(max_stale))?;
            let is_lost =
                |(body, _): &(KeptBody, u64)| kept.as_ref().is_some_and(|kept| !kept.contains(body));
            Ok(Some(confirmed.iter().map(is_lost).collect::<Vec<_>>()))
        };
        let Some(lost) = database.write(write).await? else { return Err(self.forget_database(entries)) };
        for (entry, is_lost) in confirmed_entries.iter().zip(lost) {
            if is_lost {
                // Another instance has replaced or deleted it.
                *entry.kept.lock() = KeptState::default();
                self.changed.notify_one();
            }
        }
        Ok(())
    }

    /// Forgets what is known about a database that was replaced by another one. Everything is written again.
    fn forget_database(&self, entries: &Entries) -> ApiError {
        self.salt.send_replace(None);
        self.forget_written(entries);
        ApiError::internal("the database of the copies was replaced")
    }

    /// Forgets what the database contains, so that everything that may be stored is written again.
    fn forget_written(&self, entries: &Entries) {
        entries.list().iter().for_each(|entry| *entry.kept.lock() = KeptState::default());
        if let Some(table) = &self.tokens {
            table.forget_written();
        }
    }
}

/// Creates the marker of removed copies. It is on the disk when this function returns.
fn create_marker(path: &Path) -> io::Result<()> {
    match private_file::create(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => File::open(private_file::folder_of(path))?.sync_all(),
    }
}

fn text(value: &HeaderValue) -> Option<String> {
    value.to_str().ok().map(str::to_owned)
}
