//! The thread that writes records, and its handle.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use bytes::Bytes;
use parking_lot::Mutex;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::timeout;

use super::format::Scope;
use super::queue::{Message, Queue, Received};
use super::store::{NewDefinitions, OpenError, Outcome, Store};
use crate::config;
use crate::log_limit::LogLimit;
use crate::metrics::RecorderMetrics;
use crate::number::to_millis;

/// Time between two records that confirm the state. After a kill, the state is confirmed up to the last one.
const CONFIRM_INTERVAL: Duration = Duration::from_mins(10);
/// Time between two attempts while the recorder cannot write.
const RETRY: Duration = Duration::from_secs(1);
/// Maximum time for which a read waits for the thread.
const MAX_FLUSH: Duration = Duration::from_secs(2);

/// Number of reads of a single file at the same time.
const STATE_READS: usize = 2;
/// Number of reads of changes at the same time. Such a read can take seconds, because it decompresses all files of its period.
const CHANGE_READS: usize = 1;

/// A copy is no list of toggles.
static UNREADABLE: LogLimit = LogLimit::new();

/// The flight recorder of this process. Clones record in the same folder.
#[derive(Debug, Clone)]
pub struct Recorder(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    folder: PathBuf,
    salt: [u8; 16],
    queue: Queue,
    scopes: Mutex<HashMap<String, Arc<RecordedScope>>>,
    status: Mutex<Status>,
    metrics: RecorderMetrics,
    thread: Mutex<Option<thread::JoinHandle<()>>>,
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
    scope: Arc<Scope>,
    /// Last time at which the recorded definitions were confirmed. Milliseconds since 1970; 0 before the first one.
    confirmed: AtomicU64,
    has_copy: AtomicBool,
}

/// Reports of the thread.
#[derive(Debug, Clone, Default)]
struct Status {
    failing: Option<(u64, String)>,
    range: Option<(u64, u64)>,
    bytes: u64,
}

/// The state of a running recorder, for reads of its folder and for the console.
#[derive(Debug, Clone, Default)]
pub struct RecorderState {
    /// Time since which the recorder cannot write, and the cause. Milliseconds since 1970.
    pub failing: Option<(u64, String)>,
    /// Times of the first and of the last record. Milliseconds since 1970.
    pub range: Option<(u64, u64)>,
    /// Size of all files in bytes.
    pub bytes: u64,
    /// Number of changes that were not recorded since the start.
    pub missed: u64,
}

impl Recorder {
    /// Opens or creates the folder, and starts the thread. A full disk is no error: the recorder then writes later.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open(settings: &config::Recorder) -> Result<Self, OpenError> {
        let store = Store::open(settings)?;
        let inner = Arc::new(Inner {
            folder: settings.folder.clone(),
            salt: store.salt(),
            queue: Queue::default(),
            scopes: Mutex::default(),
            status: Mutex::default(),
            metrics: RecorderMetrics::default(),
            thread: Mutex::default(),
            read_permits: ReadPermits {
                states: Arc::new(Semaphore::new(STATE_READS)),
                changes: Arc::new(Semaphore::new(CHANGE_READS)),
            },
        });
        let writer = Writer { inner: Arc::clone(&inner), store, confirmed_at: Instant::now() };
        let thread = thread::Builder::new().name("recorder".to_owned()).spawn(move || writer.run());
        *inner.thread.lock() = Some(thread.map_err(OpenError::Thread)?);
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

    /// Returns the folder of the files.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.0.folder
    }

    /// Returns the salt of the identifiers of scopes.
    #[must_use]
    pub fn salt(&self) -> [u8; 16] {
        self.0.salt
    }

    /// Returns the handle of a scope, which all callers share.
    #[must_use]
    pub fn scope(&self, scope: Scope) -> Arc<RecordedScope> {
        let mut scopes = self.0.scopes.lock();
        let recorded = scopes.entry(scope.id.clone()).or_insert_with(|| {
            Arc::new(RecordedScope {
                scope: Arc::new(scope),
                confirmed: AtomicU64::new(0),
                has_copy: AtomicBool::new(false),
            })
        });
        Arc::clone(recorded)
    }

    /// Records definitions that SDKs get from now on. `after` is the last time at which the definitions before were
    /// confirmed, in milliseconds since 1970. Never waits.
    pub fn record(&self, scope: &RecordedScope, body: Bytes, after: Option<u64>) {
        scope.has_copy.store(true, Ordering::Relaxed);
        let copy = NewDefinitions { scope: Arc::clone(&scope.scope), body, after, by: now(), missed: 0 };
        self.push(Message::Copy(copy));
    }

    /// Records that the upstream refuses the token of a scope. Never waits.
    pub fn refuse(&self, scope: &RecordedScope) {
        if scope.has_copy.swap(false, Ordering::Relaxed) {
            self.push(Message::Refused(Arc::clone(&scope.scope), now()));
        }
    }

    fn push(&self, message: Message) {
        for _ in 0..self.0.queue.push(message) {
            self.0.metrics.count_missed();
        }
    }

    /// Waits until all changes so far are in the files, at most some seconds.
    pub async fn flush(&self) {
        let (done, is_done) = oneshot::channel();
        self.push(Message::Flush(done));
        drop(timeout(MAX_FLUSH, is_done).await);
    }

    /// Returns the state of the recorder.
    #[must_use]
    pub fn recording(&self) -> RecorderState {
        let Status { failing, range, bytes } = self.0.status.lock().clone();
        RecorderState { failing, range, bytes, missed: self.0.metrics.missed() }
    }

    /// Writes the last records and ends the thread. Blocks until that is done.
    pub fn close(&self) {
        self.0.queue.close();
        let thread = self.0.thread.lock().take();
        if thread.is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the thread of the flight recorder has failed");
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
    store: Store,
    confirmed_at: Instant,
}

impl Writer {
    fn run(mut self) {
        let started = self.store.resume(now());
        self.report(started);
        loop {
            let is_failing = self.inner.status.lock().failing.is_some();
            if is_failing {
                self.inner.queue.pause(RETRY);
                let resumed = self.store.resume(now());
                let is_over = self.inner.queue.is_closed();
                if !self.report(resumed) {
                    if is_over {
                        return;
                    }
                    continue;
                }
            }
            let limit = CONFIRM_INTERVAL.saturating_sub(self.confirmed_at.elapsed());
            match self.inner.queue.wait(limit) {
                Received::Message(message) => self.handle(message),
                Received::Timeout => self.confirm(),
                Received::Closed => {
                    self.confirm();
                    return;
                }
            }
        }
    }

    fn handle(&mut self, message: Message) {
        let result = match &message {
            Message::Copy(copy) => self.store.record(copy),
            Message::Refused(scope, time) => self.store.refuse(&scope.id, *time),
            Message::Flush(_) => Ok(Outcome::Unchanged),
        };
        if let Message::Flush(done) = message {
            // The read may have ended.
            done.send(()).ok();
            return;
        }
        let result = result.and_then(|outcome| {
            if outcome == Outcome::Recorded {
                self.store.sync()?;
            }
            Ok(outcome)
        });
        match &result {
            Ok(Outcome::Recorded) => self.inner.metrics.count_record(),
            Ok(Outcome::Unchanged) => {}
            Ok(Outcome::Unreadable) => {
                if let Some(repeated) = UNREADABLE.record() {
                    tracing::warn!(repeated, "a response to SDKs is no list of toggles, and is not recorded");
                }
            }
            Err(_) => {
                for _ in 0..self.inner.queue.put_back(message) {
                    self.inner.metrics.count_missed();
                }
            }
        }
        self.report(result);
    }

    fn confirm(&mut self) {
        let scopes: Vec<_> = self.inner.scopes.lock().values().cloned().collect();
        let confirmed =
            scopes.iter().map(|scope| (Arc::clone(&scope.scope), scope.confirmed.load(Ordering::Relaxed)));
        let confirmed: Vec<_> = confirmed.collect();
        let result = self.store.confirm(now(), &confirmed).and_then(|()| self.store.sync());
        self.confirmed_at = Instant::now();
        self.report(result);
    }

    /// Publishes the state after an attempt to write. Returns true if it succeeded.
    fn report<T>(&mut self, result: io::Result<T>) -> bool {
        let is_ok = result.is_ok();
        let mut status = self.inner.status.lock();
        (status.range, status.bytes) = (self.store.range(), self.store.size());
        self.inner.metrics.set_bytes(status.bytes);
        match result {
            Ok(_) => {
                if status.failing.take().is_some() {
                    self.inner.metrics.set_failing(false);
                    tracing::info!("the flight recorder can write again");
                }
            }
            Err(cause) => {
                self.store.start_gap();
                if status.failing.is_none() {
                    status.failing = Some((now(), cause.to_string()));
                    self.inner.metrics.set_failing(true);
                    tracing::error!(%cause, folder = %self.inner.folder.display(), "the flight recorder cannot write, and stops until it can; SDKs are served as before");
                }
            }
        }
        is_ok
    }
}

/// Returns the time of the machine in milliseconds since 1970.
#[must_use]
pub fn now() -> u64 {
    to_millis(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default())
}
