//! The database of data that can be lost without harm: copies of the replica and records of the flight recorder.
//!
//! With SQLite it is a file of its own beside the database, with the suffix `.kept`. It is not in backups, a commit does not wait for
//! the disk, and a file that is damaged or newer than this program is moved aside and created anew. With PostgreSQL its tables are in
//! the same database. They have a version of their own, and their transactions run on two sessions of their own without
//! `database_version`, so that a bulk write never delays a change or a sign-in.
//!
//! Nothing that serves SDKs may depend on it: it is opened in the background, its transactions fail at once until it is open, and a
//! disk or a server that hangs blocks at most one thread for reads and one for writes.

mod schema;
#[cfg(test)]
mod tests;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};

use super::opening::{MIN_PAUSE, open_repeatedly, run_thread};
use super::postgres::{Postgres, wait};
use super::sqlite::Sqlite;
use super::{Access, DataLock, Engine, OpenError, StorageFault, Store, Transaction, open};
use crate::config::DataLocation;
use crate::error::ApiError;
use crate::log_limit::LogLimit;
use crate::private_file::with_suffix;

/// The database cannot be used.
static UNUSABLE: LogLimit = LogLimit::new();

/// The number of concurrent reads of a file, each with its connection. A PostgreSQL database has one.
const READERS: usize = 2;
/// The maximum number of transactions that wait or run. Later ones fail at once.
const MAX_WAITING: usize = 64;
/// The maximum time until a transaction ends. Afterwards it may still run, and its result is unknown.
const MAX_TIME: Duration = Duration::from_mins(1);
/// The time for which the end of the program waits for running transactions.
const MAX_CLOSING: Duration = Duration::from_secs(5);

/// The database of copies and records. Clones share it.
#[derive(Debug, Clone)]
pub struct KeptDatabase(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    data: DataLocation,
    state: watch::Sender<State>,
    /// Why nothing is kept, as the end of a sentence.
    fault: Mutex<Option<String>>,
    read_permits: Arc<Semaphore>,
    write_permits: Arc<Semaphore>,
    /// Limits the number of waiting transactions.
    places: Semaphore,
    /// Wakes the task that opens the database again.
    lost: Notify,
    /// True if the content of the file was found to be damaged.
    is_damaged: AtomicBool,
}

#[derive(Debug)]
enum State {
    Opening,
    Open(Arc<OpenDatabase>),
    Closed,
}

/// An open database. The lock is released after the files are closed.
#[derive(Debug)]
struct OpenDatabase {
    store: Store,
    _lock: DataLock,
}

/// The database for commands, which only read it, also while a server uses it.
#[derive(Debug)]
pub struct KeptReader(Store);

impl KeptDatabase {
    /// Prepares the database of this location without opening it.
    #[must_use]
    pub fn new(data: &DataLocation) -> Self {
        let readers = if matches!(data, DataLocation::Postgres(_)) { 1 } else { READERS };
        let data = data.kept();
        Self(Arc::new(Shared {
            fault: Mutex::new(Some(format!("{} is not open yet", data.path().display()))),
            data,
            state: watch::Sender::new(State::Opening),
            read_permits: Arc::new(Semaphore::new(readers)),
            write_permits: Arc::new(Semaphore::new(1)),
            places: Semaphore::new(MAX_WAITING),
            lost: Notify::new(),
            is_damaged: AtomicBool::new(false),
        }))
    }

    /// Opens the database, and again after it could not be opened or was lost, until the future is dropped.
    pub async fn run(self) {
        loop {
            let database = self.clone();
            let opened = open_repeatedly(move || database.open(), |fault| self.report_fault(&fault)).await;
            self.publish(Arc::new(opened)).await;
            // It may be lost again at once.
            sleep(MIN_PAUSE).await;
        }
    }

    /// Returns why nothing is kept, as the end of a sentence; `None` while the database is usable.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        self.0.fault.lock().clone()
    }

    /// Runs `work` in a read transaction, on a thread that may block.
    ///
    /// # Errors
    /// Returns the error of `work`, or [`ApiError::Storage`]: at once while the database is not open or has too much to do.
    pub async fn read<T, W>(&self, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Transaction<'_>) -> Result<T, ApiError> + Send + 'static,
    {
        self.run_on_thread(&self.0.read_permits, move |store| store.read(work)).await
    }

    /// Runs `work` in a write transaction, on a thread that may block. It completes even if the future is dropped.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub async fn write<T, W>(&self, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Transaction<'_>) -> Result<T, ApiError> + Send + 'static,
    {
        self.run_on_thread(&self.0.write_permits, move |store| store.run(Access::WriteKept, work)).await
    }

    /// Runs `work` like [`Self::write`]. A loss of power does not undo it once it has ended.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub(crate) async fn write_to_disk<T, W>(&self, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Transaction<'_>) -> Result<T, ApiError> + Send + 'static,
    {
        let log = self.path_beside("-wal");
        let write = move |store: &Store| {
            let written = store.run(Access::WriteKept, work)?;
            match log.map(|log| File::open(log)?.sync_all()) {
                // The last connection has moved the log into the file.
                Some(Err(cause)) if cause.kind() != io::ErrorKind::NotFound => {
                    Err(ApiError::Storage(StorageFault::Disk))
                }
                _ => Ok(written),
            }
        };
        self.run_on_thread(&self.0.write_permits, write).await
    }

    /// Returns the path of another file beside that of the database; `None` with PostgreSQL.
    pub(crate) fn path_beside(&self, suffix: &str) -> Option<PathBuf> {
        let DataLocation::File(path) = &self.0.data else { return None };
        Some(with_suffix(path, suffix))
    }

    /// Runs `work` in a read transaction on this thread, which may block.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub fn read_blocking<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        self.run_here(&self.0.read_permits, |store| store.read(work))
    }

    /// Runs `work` in a write transaction on this thread, which may block.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub fn write_blocking<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        self.run_here(&self.0.write_permits, |store| store.run(Access::WriteKept, work))
    }

    /// Opens the database of this location for reads only, without migrating it.
    ///
    /// # Errors
    /// If it does not exist, cannot be read, or has another version.
    pub fn open_read_only(data: &DataLocation) -> Result<KeptReader, OpenError> {
        let data = data.kept();
        let path = data.path().to_owned();
        let (engine, found) = match &data {
            DataLocation::File(file) if file.exists() => {
                let reader = open::open_reader(file)?;
                let found = schema::find_version_of_file(&reader, file)?;
                (Engine::Sqlite(Sqlite::read_only(reader)), found)
            }
            DataLocation::File(_) | DataLocation::Memory => return Err(OpenError::Missing { path }),
            DataLocation::Postgres(location) => {
                let mut found = 0;
                let engine = Postgres::open_kept(location, |session| {
                    found = schema::find_version_of_server(session, location)?;
                    Ok(())
                })?;
                if found == 0 {
                    return Err(OpenError::NoTables { path });
                }
                (Engine::Postgres(engine), found)
            }
        };
        let newest = schema::newest_version();
        if found < newest {
            return Err(OpenError::Older { path, found, newest });
        }
        Ok(KeptReader(Store::with_engine(engine)))
    }

    /// Closes the database after the transactions that are running, and lets another process use it. Does not wait longer than
    /// some seconds.
    pub async fn close(&self) {
        let close = async {
            let permits = [&self.0.read_permits, &self.0.write_permits].map(Arc::clone);
            for permits in permits {
                // The permits end with the program.
                permits.acquire_owned().await.map(OwnedSemaphorePermit::forget).ok();
            }
            let previous = self.0.state.send_replace(State::Closed);
            run_thread(move || drop(previous)).await.ok();
        };
        if timeout(MAX_CLOSING, close).await.is_err() {
            tracing::warn!(
                "the database of copies and records is not closed, because a transaction takes too long"
            );
        }
        self.0.state.send_replace(State::Closed);
    }

    /// Waits until the database is open.
    pub async fn wait_until_open(&self) {
        // The sender exists as long as this value.
        drop(self.0.state.subscribe().wait_for(|state| matches!(state, State::Open(_))).await);
    }

    /// Locks and opens the database. A file that cannot be used by this version, or is damaged, is replaced by an empty one.
    fn open(&self) -> Result<OpenDatabase, OpenError> {
        let data = &self.0.data;
        let lock = DataLock::acquire(data)?;
        if let DataLocation::File(path) = data {
            if self.0.is_damaged.swap(false, Ordering::AcqRel) {
                move_aside(path, &describe(StorageFault::Damaged))?;
            } else if let Err(cause) = open_engine(data) {
                let Some(reason) = why_unusable(&cause) else { return Err(cause) };
                move_aside(path, &reason)?;
            }
        }
        Ok(OpenDatabase { store: Store::with_engine(open_engine(data)?), _lock: lock })
    }

    /// Lets transactions use the database until one of them loses it.
    async fn publish(&self, opened: Arc<OpenDatabase>) {
        let is_used = self.0.state.send_if_modified(|state| {
            let is_opening = matches!(state, State::Opening);
            if is_opening {
                *state = State::Open(Arc::clone(&opened));
            }
            is_opening
        });
        // Afterwards: without a fault, transactions are possible.
        self.end_fault();
        // The last clone closes the files.
        drop(thread::spawn(move || drop(opened)));
        if is_used {
            self.0.lost.notified().await;
        }
    }

    fn find_open(&self) -> Result<Arc<OpenDatabase>, ApiError> {
        match &*self.0.state.borrow() {
            State::Open(opened) => Ok(Arc::clone(opened)),
            State::Opening | State::Closed => Err(ApiError::Storage(StorageFault::NotOpen)),
        }
    }

    async fn run_on_thread<T, W>(&self, permits: &Arc<Semaphore>, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Store) -> Result<T, ApiError> + Send + 'static,
    {
        self.find_open()?;
        let run = async {
            let _place =
                self.0.places.try_acquire().map_err(|_full| ApiError::Storage(StorageFault::Busy))?;
            let permit = Arc::clone(permits).acquire_owned().await.map_err(ApiError::internal)?;
            let database = self.clone();
            run_thread(move || {
                let _permit = permit;
                database.run_transaction(work)
            })
            .await
            .map_err(ApiError::internal)?
        };
        timeout(MAX_TIME, run).await.unwrap_or_else(|_late| {
            self.report_fault("a transaction takes too long; check the disk or the server");
            Err(ApiError::Storage(StorageFault::Busy))
        })
    }

    fn run_here<T>(
        &self,
        permits: &Arc<Semaphore>,
        work: impl FnOnce(&Store) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        self.find_open()?;
        let permit = wait(Arc::clone(permits).acquire_owned(), MAX_TIME);
        let _permit = permit.ok_or(ApiError::Storage(StorageFault::Busy))?.map_err(ApiError::internal)?;
        self.run_transaction(work)
    }

    /// Runs a transaction, and gives up the database if it cannot be used any more.
    fn run_transaction<T>(&self, work: impl FnOnce(&Store) -> Result<T, ApiError>) -> Result<T, ApiError> {
        let opened = self.find_open()?;
        let outcome = work(&opened.store);
        let Err(ApiError::Storage(fault)) = &outcome else {
            if outcome.is_ok() {
                self.end_fault();
            }
            return outcome;
        };
        self.report_fault(&describe(*fault));
        match fault {
            StorageFault::Damaged => self.0.is_damaged.store(true, Ordering::Release),
            StorageFault::Unreachable
            | StorageFault::Unconfirmed
            | StorageFault::Replaced
            | StorageFault::Missing
            | StorageFault::ReadOnlyServer => {}
            // It may succeed the next time.
            _ => return outcome,
        }
        self.0.state.send_if_modified(|state| {
            let is_current = matches!(state, State::Open(current) if Arc::ptr_eq(current, &opened));
            if is_current {
                *state = State::Opening;
                self.0.lost.notify_one();
            }
            is_current
        });
        outcome
    }

    fn report_fault(&self, fault: &str) {
        let fault = fault.strip_prefix("data: ").unwrap_or(fault);
        *self.0.fault.lock() = Some(fault.to_owned());
        if let Some(repeated) = UNUSABLE.record() {
            tracing::error!(
                fault,
                repeated,
                "copies and records are not kept; SDKs get toggles from memory, and the database is opened again"
            );
        }
    }

    fn end_fault(&self) {
        // Most transactions find none.
        let mut fault = self.0.fault.lock();
        if fault.is_some() {
            *fault = None;
        }
        if let Some(repeated) = UNUSABLE.end() {
            tracing::info!(repeated, "copies and records are kept again");
        }
    }
}

impl KeptReader {
    /// Runs `work` in a read transaction. Blocks the thread.
    ///
    /// # Errors
    /// Returns the error of `work`, or [`ApiError::Storage`] or [`ApiError::Internal`] if the database cannot be read.
    pub fn read<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, ApiError>) -> Result<T, ApiError> {
        self.0.read(work)
    }
}

impl Store {
    /// Uses a database without events.
    fn with_engine(engine: Engine) -> Self {
        Self { engine, changes: Arc::default(), event_hook: |_, _| Ok(()) }
    }
}

fn open_engine(data: &DataLocation) -> Result<Engine, OpenError> {
    match data {
        DataLocation::File(path) => {
            let mut writer = open::create_and_open(path)?;
            schema::migrate_file(&mut writer, path)?;
            Ok(Engine::Sqlite(Sqlite::with_readers(writer, path, READERS)?))
        }
        DataLocation::Postgres(location) => {
            let migrate = |session: &_| schema::migrate_server(session, location);
            Ok(Engine::Postgres(Postgres::open_kept(location, migrate)?))
        }
        DataLocation::Memory => Err(OpenError::Missing { path: data.path().to_owned() }),
    }
}

/// Describes a fault. The text of [`StorageFault::Damaged`] recommends a backup, and this file has none.
fn describe(fault: StorageFault) -> String {
    if fault == StorageFault::Damaged {
        "it is damaged, and an empty one replaces it".to_owned()
    } else {
        fault.to_string()
    }
}

/// Returns the reason why a file will never be usable: it is damaged, newer, or of another program.
fn why_unusable(cause: &OpenError) -> Option<String> {
    match cause {
        OpenError::NotFlagdeck { .. } | OpenError::Newer { .. } => Some(cause.to_string()),
        OpenError::Database { cause, .. } => {
            let fault = cause.downcast_ref::<StorageFault>().copied();
            fault.filter(|fault| *fault == StorageFault::Damaged).map(describe)
        }
        _ => None,
    }
}

/// Moves the files of a database aside, where they replace those that were moved before.
fn move_aside(path: &Path, reason: &str) -> Result<(), OpenError> {
    let aside = with_suffix(path, ".unusable");
    for suffix in ["-wal", "-shm"] {
        // The write-ahead log contains the last commits of the file.
        let (from, to) = (with_suffix(path, suffix), with_suffix(&aside, suffix));
        drop(fs::rename(&from, &to).or_else(|_missing| fs::remove_file(&to)));
    }
    fs::rename(path, &aside).map_err(|cause| OpenError::File { path: aside.clone(), cause })?;
    tracing::warn!(
        reason,
        moved_to = %aside.display(),
        "the file with copies and records could not be used, and is created anew"
    );
    Ok(())
}
