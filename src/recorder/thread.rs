//! The thread that writes records, and its handle.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use bytes::Bytes;
use data_encoding::HEXLOWER;
use parking_lot::Mutex;
use tokio::sync::{Semaphore, oneshot, watch};
use tokio::time::timeout;

use super::queue::{Message, Queue, QueuedCopy};
use super::reader::{ReadError, Reader, RecorderState, RecorderStatus};
use super::scope::{ScopeKey, ServedScope};
use super::unread::UnreadChanges;
use super::writer::{
    BatchTime, NewDefinitions, NewestEvent, Outcome, Progress, RecordWriter, SHARED_ALIVE_INTERVAL, Sharing,
};
use crate::config;
use crate::config::DataLocation;
use crate::database::{KeptDatabase, StoreError, Transaction};
use crate::error::ApiError;
use crate::log_limit::LogLimit;
use crate::metrics::RecorderMetrics;
use crate::number::{to_i64, to_millis, to_u64};

/// Time in which messages are collected for one transaction. A kill loses the changes of this time, and of the transaction before.
const WINDOW: Duration = Duration::from_millis(100);
/// Time between two transactions that note that the recorder is alive, if one process uses the database.
const ALIVE_INTERVAL: Duration = Duration::from_millis(100);
/// Time between two transactions that store when scopes were last confirmed.
const CONFIRM_INTERVAL: Duration = Duration::from_mins(1);
/// Time between two attempts while the recorder cannot write.
const RETRY: Duration = Duration::from_secs(1);
/// Time in which the database is opened at the start.
const OPENING: Duration = Duration::from_secs(2);
const OPENING_RETRY: Duration = Duration::from_millis(10);
/// Maximum time for which a read waits for the thread.
const MAX_FLUSH: Duration = Duration::from_secs(2);
/// Maximum time for which the end of the program waits for the thread, which may wait for a disk.
const MAX_CLOSING: Duration = Duration::from_secs(5);

/// Size of all records above which the oldest changes are removed. 90 days with 200 changes a day of 2,000 toggles take less than
/// a tenth, so that only a client that changes toggles all the time reaches it.
const MAX_SIZE: u64 = 512 << 20;

/// Number of reads of a state and of changes at the same time. They share the processor with the requests of SDKs.
const READS: usize = 1;

/// A copy is no list of toggles.
static UNREADABLE: LogLimit = LogLimit::new();
/// Copies are not recorded because of an error of this program.
static REFUSED: LogLimit = LogLimit::new();

/// The flight recorder of this process. Clones record in the same database.
#[derive(Debug, Clone)]
pub struct Recorder(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    database: KeptDatabase,
    queue: Queue,
    unread: Mutex<UnreadChanges>,
    scopes: Mutex<HashMap<ScopeKey, Arc<RecordedScope>>>,
    status: Mutex<Status>,
    metrics: RecorderMetrics,
    /// Completes when the thread ends.
    ended: Mutex<Option<oneshot::Receiver<()>>>,
    read_permits: ReadPermits,
}

/// Permits of reads, which share the processor with the requests of SDKs. A read of changes does not delay those of a state.
#[derive(Debug)]
pub struct ReadPermits {
    /// Reads of a state and of the status.
    pub states: Arc<Semaphore>,
    /// Reads of changes.
    pub changes: Arc<Semaphore>,
}

/// A scope that this process serves.
#[derive(Debug)]
pub struct RecordedScope {
    scope: Arc<ServedScope>,
    /// Last time at which the recorded definitions were confirmed. Milliseconds since 1970; 0 before the first one.
    confirmed: AtomicU64,
    has_copy: AtomicBool,
}

/// Reports of the thread.
#[derive(Debug, Clone, Default)]
struct Status {
    failing: Option<(i64, String)>,
    bytes: u64,
}

impl Recorder {
    /// Starts the thread, which writes to the database as soon as that is open.
    ///
    /// # Errors
    /// If the thread cannot be started, or the system provides no random numbers.
    pub fn start(settings: &config::Recorder, database: KeptDatabase) -> std::io::Result<Self> {
        let sharing = match &settings.data {
            DataLocation::Postgres(_) if settings.has_upstream => Sharing::Leased,
            DataLocation::Postgres(_) => Sharing::Together,
            DataLocation::File(_) | DataLocation::Memory => Sharing::Alone,
        };
        let mut instance = [0; 16];
        getrandom::fill(&mut instance).map_err(std::io::Error::other)?;
        let (end, ended) = oneshot::channel();
        let inner = Arc::new(Inner {
            database,
            queue: Queue::default(),
            unread: Mutex::default(),
            scopes: Mutex::default(),
            status: Mutex::default(),
            metrics: RecorderMetrics::default(),
            ended: Mutex::new(Some(ended)),
            read_permits: ReadPermits {
                states: Arc::new(Semaphore::new(READS)),
                changes: Arc::new(Semaphore::new(READS)),
            },
        });
        let mut writer = Writer {
            inner: Arc::clone(&inner),
            records: RecordWriter::new(settings.keep, MAX_SIZE, sharing, HEXLOWER.encode(&instance)),
            alive_interval: if sharing == Sharing::Alone { ALIVE_INTERVAL } else { SHARED_ALIVE_INTERVAL },
            started: Instant::now(),
            confirmed: Duration::ZERO,
            standby: None,
        };
        thread::Builder::new().name("recorder".to_owned()).spawn(move || {
            writer.run();
            // An error means that `close` does not wait.
            end.send(()).ok();
        })?;
        Ok(Self(inner))
    }

    /// Returns the metrics.
    #[must_use]
    pub fn metrics(&self) -> &RecorderMetrics {
        &self.0.metrics
    }

    /// Returns the permits of reads.
    #[must_use]
    pub fn read_permits(&self) -> &ReadPermits {
        &self.0.read_permits
    }

    /// Reads records on a thread that may block.
    ///
    /// # Errors
    /// Faults of the database, and the errors of `find`.
    pub async fn read<T: Send + 'static>(
        &self,
        find: impl FnOnce(Reader<'_>) -> Result<T, ReadError> + Send + 'static,
    ) -> Result<T, ReadError> {
        let recording = self.recording();
        self.0.database.read(move |tx| Ok(find(Reader::new(tx, Some(recording))))).await?
    }

    /// Reads records on this thread, which may block.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub fn read_blocking<T>(
        &self,
        find: impl FnOnce(Reader<'_>) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        let recording = self.recording();
        self.0.database.read_blocking(|tx| Ok(find(Reader::new(tx, Some(recording)))))?
    }

    /// Returns the status. While nothing can be written, it says so even if nothing can be read.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub async fn status(&self) -> Result<RecorderStatus, ReadError> {
        match self.read(|reader| reader.status()).await {
            Err(ReadError::Database(_)) if self.recording().failing.is_some() => {
                Ok(RecorderStatus::new(&[], Vec::new(), self.recording()))
            }
            result => result,
        }
    }

    /// Returns the handle of a scope, which all callers share.
    #[must_use]
    pub fn scope(&self, scope: ServedScope) -> Arc<RecordedScope> {
        let mut scopes = self.0.scopes.lock();
        let recorded = scopes.entry(scope.key.clone()).or_insert_with(|| {
            Arc::new(RecordedScope {
                scope: Arc::new(scope),
                confirmed: AtomicU64::new(0),
                has_copy: AtomicBool::new(false),
            })
        });
        Arc::clone(recorded)
    }

    /// Records definitions that SDKs get from now on, without holds. `after` is the last time at which the definitions before were
    /// confirmed, in milliseconds since 1970, and `event` the newest event in them. Never waits.
    pub fn record(&self, scope: &RecordedScope, body: Bytes, after: Option<u64>, event: Option<NewestEvent>) {
        scope.has_copy.store(true, Ordering::Relaxed);
        let (scope, after) = (Arc::clone(&scope.scope), after.map(to_i64));
        self.push(Message::Copy(QueuedCopy { scope, body, after, event, time: Instant::now(), missed: 0 }));
    }

    /// Records that the upstream refuses the token of a scope. Never waits.
    pub fn refuse(&self, scope: &RecordedScope) {
        if scope.has_copy.swap(false, Ordering::Relaxed) {
            self.push(Message::Refused(Arc::clone(&scope.scope), Instant::now()));
        }
    }

    /// Starts to observe changes that [`Self::end_read`] confirms: until then, records are not complete.
    pub fn observe(&self, changes: watch::Receiver<()>) {
        self.0.unread.lock().observe(changes);
    }

    /// Notes that a task begins to read all changes that it has observed.
    pub fn begin_read(&self) {
        self.0.unread.lock().begin_read();
    }

    /// Notes that all changes before the last [`Self::begin_read`] were given to [`Self::record`].
    pub fn end_read(&self) {
        self.0.unread.lock().end_read();
    }

    fn push(&self, message: Message) {
        self.0.count_missed(self.0.queue.push(message));
    }

    /// Waits until all changes so far are recorded, at most some seconds.
    pub async fn flush(&self) {
        let (done, is_done) = oneshot::channel();
        self.push(Message::Flush(done));
        drop(timeout(MAX_FLUSH, is_done).await);
    }

    fn recording(&self) -> RecorderState {
        let Status { failing, bytes } = self.0.status.lock().clone();
        RecorderState { failing, bytes, missed: self.0.metrics.missed() }
    }

    /// Writes the last records and ends the thread. Does not wait longer than some seconds.
    pub async fn close(&self) {
        self.0.queue.close();
        let ended = self.0.ended.lock().take();
        if let Some(ended) = ended
            && timeout(MAX_CLOSING, ended).await.is_err()
        {
            tracing::warn!(
                "the last records of the flight recorder are not written, because the database takes too long"
            );
        }
    }
}

impl Inner {
    fn count_missed(&self, missed: u64) {
        for _ in 0..missed {
            self.metrics.count_missed();
        }
    }
}

impl RecordedScope {
    /// Returns true if this process has recorded definitions of the scope.
    #[must_use]
    pub fn has_copy(&self) -> bool {
        self.has_copy.load(Ordering::Relaxed)
    }

    /// Notes that the recorded definitions were confirmed at a time, in milliseconds since 1970.
    pub fn confirm(&self, time: u64) {
        self.confirmed.fetch_max(time, Ordering::Relaxed);
    }
}

/// The state of the thread.
struct Writer {
    inner: Arc<Inner>,
    records: RecordWriter,
    alive_interval: Duration,
    started: Instant,
    /// Time since the start at which the confirmations of scopes were stored.
    confirmed: Duration,
    /// The last message of each scope while another instance records.
    standby: Option<HashMap<ScopeKey, Message>>,
}

impl Writer {
    fn run(&mut self) {
        // It is no fault that the database is opened in the background.
        while self.inner.database.fault().is_some()
            && self.started.elapsed() < OPENING
            && !self.inner.queue.is_closed()
        {
            // Reads wait, so that they find the gap before the start.
            thread::sleep(OPENING_RETRY);
        }
        loop {
            let is_failing = self.inner.status.lock().failing.is_some();
            if is_failing {
                self.inner.queue.pause(RETRY);
            }
            let limit = if is_failing { Duration::ZERO } else { self.alive_interval };
            let complete = || self.inner.unread.lock().complete_until();
            let (messages, complete) = self.inner.queue.wait(limit, WINDOW, complete);
            let is_last = self.inner.queue.is_closed();
            self.write(messages, complete, is_last);
            if is_last {
                return;
            }
        }
    }

    /// Writes messages in one transaction, and that everything is recorded until `complete`.
    fn write(&mut self, messages: Vec<Message>, complete: Instant, is_last: bool) {
        let mut flushes = Vec::new();
        // If this instance records now, SDKs got these definitions before, and the other instance has recorded most of them.
        let waiting = self.standby.take().into_iter().flat_map(HashMap::into_values);
        let mut batch: Vec<_> = waiting.map(Message::with_present_time).collect();
        for message in messages {
            match message {
                Message::Flush(done) => flushes.push(done),
                message => batch.push(message),
            }
        }
        let monotonic = self.started.elapsed();
        let confirms = is_last || monotonic.saturating_sub(self.confirmed) >= CONFIRM_INTERVAL;
        let scopes: Vec<_> =
            if confirms { self.inner.scopes.lock().values().cloned().collect() } else { Vec::new() };
        let written = self.inner.database.write_blocking(|tx| {
            let transaction = RecordTransaction { tx, monotonic, complete, is_last };
            Ok(transaction.write(&self.records, &batch, &scopes)?)
        });
        let failed = match written {
            Ok((progress, outcomes)) => {
                if confirms {
                    self.confirmed = monotonic;
                }
                if self.records.commit(progress) {
                    self.count(&outcomes);
                } else {
                    let with_scope = |message: Message| Some((message.scope()?.clone(), message));
                    self.standby = Some(batch.into_iter().filter_map(with_scope).collect());
                }
                None
            }
            Err(cause @ ApiError::Storage(_)) => {
                self.inner.count_missed(self.inner.queue.put_back(batch));
                Some(cause)
            }
            Err(cause) => {
                if let Some(repeated) = REFUSED.record() {
                    tracing::error!(?cause, repeated, "changes of toggles are not recorded");
                }
                self.inner.count_missed(to_u64(batch.len()));
                Some(cause)
            }
        };
        self.report(failed);
        for done in flushes {
            // The read may have ended.
            done.send(()).ok();
        }
    }

    fn count(&self, outcomes: &[Outcome]) {
        for outcome in outcomes {
            match outcome {
                Outcome::Recorded => self.inner.metrics.count_record(),
                Outcome::Unchanged => {}
                Outcome::Unreadable => {
                    if let Some(repeated) = UNREADABLE.record() {
                        tracing::warn!(
                            repeated,
                            "a response to SDKs is no list of toggles, and is not recorded"
                        );
                    }
                }
            }
        }
    }

    /// Publishes the state after an attempt to write.
    fn report(&mut self, failed: Option<ApiError>) {
        let mut status = self.inner.status.lock();
        status.bytes = self.records.size();
        self.inner.metrics.set_bytes(status.bytes);
        let Some(cause) = failed else {
            if status.failing.take().is_some() {
                self.inner.metrics.set_failing(false);
                tracing::info!("the flight recorder can write again");
            }
            return;
        };
        self.records.begin_gap();
        if status.failing.is_none() {
            let cause = self.inner.database.fault().unwrap_or_else(|| cause.to_string());
            tracing::error!(
                cause,
                "the flight recorder cannot write, and stops until it can; SDKs are served as before"
            );
            status.failing = Some((to_i64(now()), cause));
            self.inner.metrics.set_failing(true);
        }
    }
}

/// A transaction of the thread.
struct RecordTransaction<'t> {
    tx: &'t Transaction<'t>,
    /// Time since the start of the process.
    monotonic: Duration,
    /// Time until which all changes are in the messages, or recorded.
    complete: Instant,
    /// True if the process ends.
    is_last: bool,
}

impl RecordTransaction<'_> {
    /// Writes messages, and the times at which scopes were confirmed. The times of records are those of the database's clock. Returns no
    /// outcomes if another instance records.
    fn write(
        &self,
        records: &RecordWriter,
        messages: &[Message],
        confirmed: &[Arc<RecordedScope>],
    ) -> Result<(Progress, Vec<Outcome>), StoreError> {
        let wall = self.tx.now_milliseconds()?;
        let difference = wall.saturating_sub(to_i64(now()));
        let at = |time: Instant| wall.saturating_sub(to_i64(to_millis(time.elapsed())));
        let time = BatchTime { wall, monotonic: self.monotonic, complete: at(self.complete) };
        let mut batch = match records.begin(self.tx, time)? {
            Ok(batch) => batch,
            Err(progress) => return Ok((progress, Vec::new())),
        };
        let mut outcomes = Vec::new();
        for message in messages {
            outcomes.push(match message {
                Message::Copy(copy) => batch.record(&NewDefinitions {
                    scope: &copy.scope,
                    body: copy.body.clone(),
                    after: copy.after.map(|after| after.saturating_add(difference)),
                    by: at(copy.time),
                    event: copy.event,
                    missed: copy.missed,
                })?,
                Message::Refused(scope, time) => batch.refuse(scope, at(*time))?,
                Message::Flush(_) => continue,
            });
        }
        for scope in confirmed {
            let time = to_i64(scope.confirmed.load(Ordering::Relaxed));
            batch.confirm(&scope.scope, time.saturating_add(difference))?;
        }
        batch.prune(self.monotonic)?;
        if self.is_last {
            batch.end_lease()?;
        }
        Ok((batch.finish(), outcomes))
    }
}

/// Returns the time of the machine in milliseconds since 1970.
#[must_use]
pub fn now() -> u64 {
    to_millis(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default())
}
