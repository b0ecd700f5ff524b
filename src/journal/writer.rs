//! Writes the journal: one thread appends the lines of all requests. It writes all lines that wait at once, so that each request
//! waits for one write and not for those of others.
//!
//! # A disk that does not respond
//!
//! A write to a network file system can last for minutes, and cannot be cancelled. Requests whose changes are made wait for it.
//! New changes are refused (`journal_stalled`) as soon as an operation takes longer than [`MAX_STALL`] or [`MAX_WAITING`] lines
//! wait, so that the memory is bounded by the requests in flight. Above [`MAX_WAITING_TOTAL`] lines, which also sign-ins can reach,
//! lines are counted and go to the log.

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use actix_web::http::header::HeaderName;
use parking_lot::Mutex;
use tokio::sync::{oneshot, watch};

use super::key::JournalKey;
use super::output::{Chain, Opened, Output, commands_file};
use super::record::{JournalLine, LineKind};
use super::refusal::Refusal;
use crate::config::{Journal as Settings, JournalOutput};
use crate::error::{ApiError, DomainError};
use crate::host_name::host_name;
use crate::log_limit::LogLimit;
use crate::metrics::JournalMetrics;
use crate::number::to_millis;
use crate::rate::{Rate, RateCounter};

/// Maximum number of lines of one write.
const MAX_GROUP: usize = 256;
/// Maximum number of lines in memory while the journal cannot be written. Later ones are counted.
const MAX_PENDING: usize = 1_000;
/// Number of lines that wait for the disk from which on changes are refused.
const MAX_WAITING: usize = 1_000;
/// Maximum number of lines that wait for the disk: also those of changes that were being handled, and of sign-ins. Later ones
/// are counted.
const MAX_WAITING_TOTAL: usize = 10_000;
/// Duration of an operation of the disk from which on changes are refused.
const MAX_STALL: Duration = Duration::from_secs(5);
/// Number of bytes that are written and not forced to the disk at most. They are in memory too.
const MAX_UNSYNCED: usize = 4 << 20;
/// Time between two attempts while the journal cannot be written.
const RETRY: Duration = Duration::from_secs(1);
/// Maximum time for which lines are in the file and not forced to the disk. Forcing each write halves the changes per second.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);
/// Interval in which the writer checks that the file exists.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// Time for which the end of the program waits for the disk.
const MAX_CLOSING: Duration = Duration::from_secs(5);
/// Limit of lines that anyone can cause. About 50 MB in a day, for accepted and for refused requests.
const LIMITED_RATE: Rate = Rate { burst: 500, interval: Duration::from_secs(1) };

/// The journal cannot be written.
static UNWRITABLE: LogLimit = LogLimit::new();

/// The journal of this process. Clones write to the same file.
#[derive(Debug, Clone)]
pub struct Journal(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    sender: Sender<Message>,
    /// Gets a message when the thread ends; `None` after the journal was closed.
    end: Mutex<Option<oneshot::Receiver<()>>>,
    is_failing: Arc<AtomicBool>,
    is_required: bool,
    key: Arc<JournalKey>,
    file: Option<PathBuf>,
    metrics: JournalMetrics,
    user_header: Option<HeaderName>,
    limits: Mutex<LineLimits>,
    /// Number of lines above a limit that no gap line counts yet.
    omitted: Arc<AtomicU64>,
    load: Arc<Load>,
    checkpoints: watch::Receiver<Option<String>>,
}

/// The load of the thread, which other threads read.
#[derive(Debug)]
struct Load {
    /// Number of lines that the thread has not taken yet.
    waiting: AtomicUsize,
    /// Time from `created` to the start of the current operation of the thread, in milliseconds; [`IDLE`] if there is none.
    busy_since: AtomicU64,
    created: Instant,
}

/// The value of `busy_since` while the thread waits for messages.
const IDLE: u64 = u64::MAX;

/// The reasons why changes cannot be recorded now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// The last write has failed.
    Failing,
    /// The disk does not respond.
    Stalled,
}

impl Load {
    fn new() -> Self {
        Self { waiting: AtomicUsize::new(0), busy_since: AtomicU64::new(IDLE), created: Instant::now() }
    }

    /// Marks the start of an operation.
    fn start(&self) {
        let since = to_millis(self.created.elapsed());
        self.busy_since.store(since, Ordering::SeqCst);
    }

    /// Marks the end of an operation.
    fn end(&self) {
        self.busy_since.store(IDLE, Ordering::SeqCst);
    }

    fn is_stalled(&self, now: Instant) -> bool {
        let since = self.busy_since.load(Ordering::SeqCst);
        let age = now.saturating_duration_since(self.created);
        let is_late = since != IDLE && age.saturating_sub(Duration::from_millis(since)) > MAX_STALL;
        is_late || self.waiting.load(Ordering::SeqCst) >= MAX_WAITING
    }
}

/// Limits the lines that anyone can cause, and with which anyone could fill the disk. Refused requests do not use up the lines of
/// accepted ones, such as the sign-in after many attempts.
#[derive(Debug, Default)]
struct LineLimits {
    accepted: RateCounter,
    refused: RateCounter,
}

impl LineLimits {
    /// Counts a line. Returns false if it is above its limit.
    fn try_acquire(&mut self, line: &JournalLine, now: Instant) -> bool {
        let counter = if line.is_accepted() { &mut self.accepted } else { &mut self.refused };
        !line.is_caused_by_anyone() || counter.try_acquire(LIMITED_RATE, now).is_ok()
    }
}

/// The reasons why the journal cannot be opened. Each message is one sentence.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be opened or written.
    #[error("journal: {} cannot be written: {cause}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: io::Error,
    },
    /// Another process writes to the file.
    #[error("journal: another process writes to {}; each instance needs a file of its own", .0.display())]
    InUse(PathBuf),
    /// The file does not start like a journal.
    #[error("journal: {} is not a journal of Flagdeck; set journal to another file, or move this one away", .0.display())]
    NotAJournal(PathBuf),
    /// The last line is no line of a journal.
    #[error(
        "journal: the last line of {} is damaged; verify the file with `flagdeck journal verify`, and move it away to start a new one",
        .0.display()
    )]
    Damaged(PathBuf),
    /// The key file cannot be used.
    #[error("journal: the key file {} cannot be used: {cause}", .path.display())]
    Key {
        /// The key file.
        path: PathBuf,
        /// The cause.
        cause: io::Error,
    },
    /// The thread of the writer cannot be started.
    #[error("journal: the thread that writes it cannot be started: {0}")]
    Thread(io::Error),
}

impl JournalError {
    /// Returns true for a fault that can end while the program runs. It must not take the toggles away from SDKs. The others are
    /// wrong settings.
    fn may_end(&self) -> bool {
        match self {
            Self::Damaged(_) => true,
            Self::File { cause, .. } => matches!(
                cause.kind(),
                ErrorKind::StorageFull
                    | ErrorKind::QuotaExceeded
                    | ErrorKind::ReadOnlyFilesystem
                    | ErrorKind::StaleNetworkFileHandle
            ),
            _ => false,
        }
    }
}

/// A message to the thread of the writer.
enum Message {
    /// Appends a line. The sender gets a message when the attempt to write it is over.
    Append(Box<JournalLine>, oneshot::Sender<()>),
    /// Opens the file again, because it may have been renamed.
    Reopen,
    /// Writes the last checkpoint and ends the thread.
    Close,
}

/// The state of the thread.
struct Writer {
    output: Output,
    key: Arc<JournalKey>,
    chain: Chain,
    /// Lines that wait to be written.
    pending: VecDeque<Pending>,
    /// Number of lines that were dropped.
    lost: u64,
    /// Number of lines that were left out before they came to this thread.
    omitted: Arc<AtomicU64>,
    /// True if there are lines after the last checkpoint.
    is_unsigned: bool,
    /// True if the file must be opened again as soon as its lines are on the disk.
    must_reopen: bool,
    signed_at: Instant,
    /// Time of the first line that is not forced to the disk.
    unsynced_since: Option<Instant>,
    checkpoint_interval: Duration,
    is_failing: Arc<AtomicBool>,
    load: Arc<Load>,
    checkpoints: watch::Sender<Option<String>>,
    metrics: JournalMetrics,
}

/// A line that waits to be written.
struct Pending {
    line: JournalLine,
    /// True if the line is in the log, because it could not be written.
    is_logged: bool,
}

impl Journal {
    /// Opens or creates the file, and writes the start line. If the disk or the last line of the file does not allow that, the
    /// program starts nevertheless, so that SDKs get their toggles, and refuses changes.
    ///
    /// # Errors
    /// See [`JournalError`].
    pub(crate) fn open(settings: &Settings) -> Result<Self, JournalError> {
        let key = JournalKey::read_or_create(&settings.key)
            .map_err(|cause| JournalError::Key { path: settings.key.clone(), cause })?;
        let key = Arc::new(key);
        tracing::info!(public_key = key.public(), "checkpoints of the journal are signed with this key");
        let opened = match &settings.output {
            JournalOutput::StandardOutput => {
                Opened { output: Output::Stdout, chain: Chain::start(), removed: 0 }
            }
            JournalOutput::File(path) => match Output::open_file(path) {
                Err(fault) if fault.may_end() => {
                    let output = Output::Closed { path: path.clone(), fault };
                    Opened { output, chain: Chain::start(), removed: 0 }
                }
                opened => opened?,
            },
        };
        Self::start(opened, key, settings)
    }

    /// Writes the start line, and starts the thread.
    fn start(opened: Opened, key: Arc<JournalKey>, settings: &Settings) -> Result<Self, JournalError> {
        let removed = opened.removed;
        let (mut writer, checkpoints) = Writer::new(opened, Arc::clone(&key), settings.checkpoint_interval);
        let file = writer.output.path().map(ToOwned::to_owned);
        let (metrics, is_failing) = (writer.metrics.clone(), Arc::clone(&writer.is_failing));
        let (omitted, load) = (Arc::clone(&writer.omitted), Arc::clone(&writer.load));
        if !writer.output.is_closed() {
            writer.pending.push_back(start_line(&key, removed).into());
        }
        let started = writer.output.check_exists().and_then(|()| writer.write_pending());
        let started = started.and_then(|()| writer.output.sync());
        let started = started.and_then(|()| writer.output.keep_reserve());
        if let Err(cause) = started {
            writer.record_failure(&cause);
        }
        let (sender, receiver) = channel();
        let (ended, end) = oneshot::channel();
        let run = move || {
            writer.run(&receiver);
            // The receiver may be gone.
            ended.send(()).ok();
        };
        thread::Builder::new().name("journal".to_owned()).spawn(run).map_err(JournalError::Thread)?;
        Ok(Self(Arc::new(Inner {
            sender,
            end: Mutex::new(Some(end)),
            is_failing,
            is_required: settings.is_required,
            key,
            file,
            metrics,
            user_header: settings.user_header.clone(),
            limits: Mutex::default(),
            omitted,
            load,
            checkpoints,
        })))
    }

    /// Returns the metrics.
    #[must_use]
    pub fn metrics(&self) -> &JournalMetrics {
        &self.0.metrics
    }

    /// Returns the path of the file; `None` for standard output.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.0.file.as_deref()
    }

    /// Returns the path of the file with the lines of commands; `None` for standard output.
    #[must_use]
    pub fn commands_file(&self) -> Option<PathBuf> {
        self.file().map(commands_file)
    }

    /// Returns the header in which trusted proxies name the user.
    #[must_use]
    pub fn user_header(&self) -> Option<&HeaderName> {
        self.0.user_header.as_ref()
    }

    /// Returns a short digest of the credentials of a session, which nobody can compute without the key.
    #[must_use]
    pub fn digest(&self, credentials: &[u8]) -> String {
        self.0.key.digest(credentials)
    }

    /// Returns the last checkpoint as it is in the file, and notifies about later ones. `None` until the first one.
    #[must_use]
    pub fn checkpoints(&self) -> watch::Receiver<Option<String>> {
        self.0.checkpoints.clone()
    }

    /// Updates the metrics that are not counted by the thread, which does not respond while its disk does not.
    pub(crate) fn update_metrics(&self) {
        self.0.metrics.set_failing(self.fault(Instant::now()).is_some());
    }

    /// Checks that changes can be recorded, before one is made.
    ///
    /// # Errors
    /// If the journal is required and cannot be written.
    pub fn check(&self) -> Result<(), ApiError> {
        self.check_at(Instant::now())
    }

    fn check_at(&self, now: Instant) -> Result<(), ApiError> {
        let Some(fault) = self.fault(now).filter(|_| self.0.is_required) else { return Ok(()) };
        let refusal = match fault {
            Fault::Failing => Refusal::Unavailable,
            Fault::Stalled => Refusal::Stalled,
        };
        Err(DomainError::from(refusal).retry_after(1).into())
    }

    fn fault(&self, now: Instant) -> Option<Fault> {
        if self.0.is_failing.load(Ordering::SeqCst) {
            return Some(Fault::Failing);
        }
        self.0.load.is_stalled(now).then_some(Fault::Stalled)
    }

    /// Appends a line. Returns when the line is in the file, or in memory and in the log because it cannot be written. The line
    /// is also written if the future is dropped.
    ///
    /// Only accepted changes wait for a disk that does not respond, and only if the journal is required: the refusal of a change
    /// and a sign-in must get their response.
    ///
    /// Requests without a known person have a limited number of lines. A gap line counts the others.
    pub(crate) fn append(&self, mut line: JournalLine) -> impl Future<Output = ()> + use<> {
        let mut limits = self.0.limits.lock();
        let is_recorded = limits.try_acquire(&line, Instant::now());
        drop(limits);
        line.limit_texts();
        let acknowledges_change = line.kind == LineKind::Change && line.is_accepted();
        let waiting = is_recorded.then(|| self.send(line)).flatten();
        if waiting.is_none() {
            self.0.omitted.fetch_add(1, Ordering::Relaxed);
            self.0.metrics.count_lost();
        }
        let max_wait = match self.fault(Instant::now()) {
            _ if self.0.is_required && acknowledges_change => None,
            Some(Fault::Stalled) => Some(Duration::ZERO),
            _ => Some(MAX_STALL),
        };
        async move {
            let Some(is_written) = waiting else { return };
            let result = match max_wait {
                None => is_written.await,
                // The thread still has the line.
                Some(max_wait) => tokio::time::timeout(max_wait, is_written).await.unwrap_or(Ok(())),
            };
            if result.is_err() {
                tracing::error!("the journal is closed already; a line was lost");
            }
        }
    }

    /// Sends a line to the thread; `None` if too many lines wait for the disk.
    fn send(&self, line: JournalLine) -> Option<oneshot::Receiver<()>> {
        let (written, is_written) = oneshot::channel();
        let waiting = self.0.load.waiting.fetch_add(1, Ordering::SeqCst);
        if waiting >= MAX_WAITING_TOTAL {
            self.0.load.waiting.fetch_sub(1, Ordering::SeqCst);
            let line = serde_json::to_string(&line).unwrap_or_default();
            tracing::error!(line, "this line of the journal is lost, because its disk does not respond");
            return None;
        }
        // If the journal is closed, this drops the sender, which the receiver reports.
        drop(self.0.sender.send(Message::Append(Box::new(line), written)));
        Some(is_written)
    }

    /// Opens the file again, after a program such as logrotate has renamed it.
    pub(crate) fn reopen(&self) {
        drop(self.0.sender.send(Message::Reopen));
    }

    /// Writes the last checkpoint and closes the file. Does not wait longer than [`MAX_CLOSING`] for a disk that does not respond:
    /// the end of the process then ends the thread.
    pub(crate) async fn close(&self) {
        drop(self.0.sender.send(Message::Close));
        let end = self.0.end.lock().take();
        let Some(end) = end else { return };
        match tokio::time::timeout(MAX_CLOSING, end).await {
            Ok(Ok(())) => {}
            Ok(Err(_dropped)) => tracing::error!("the thread of the journal has failed"),
            Err(_late) => {
                let waiting = self.0.load.waiting.load(Ordering::SeqCst);
                tracing::error!(
                    waiting,
                    "the journal is not closed, because its disk does not respond; lines that wait for it are lost"
                );
            }
        }
    }
}

impl From<JournalLine> for Pending {
    fn from(line: JournalLine) -> Self {
        Self { line, is_logged: false }
    }
}

/// Returns the name of this machine and the id of this process.
fn instance_name() -> String {
    format!("{} {}", host_name(), std::process::id())
}

pub(super) fn start_line(key: &JournalKey, removed: u64) -> JournalLine {
    JournalLine {
        version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        instance: Some(instance_name()),
        removed_bytes: (removed > 0).then_some(removed),
        key: Some(key.public()),
        ..JournalLine::now(LineKind::Start)
    }
}

impl Writer {
    /// Creates the state of the thread. Also returns the receiver of the checkpoints.
    fn new(
        opened: Opened,
        key: Arc<JournalKey>,
        checkpoint_interval: Duration,
    ) -> (Self, watch::Receiver<Option<String>>) {
        let (checkpoints, receiver) = watch::channel(None);
        let writer = Self {
            output: opened.output,
            key,
            chain: opened.chain,
            pending: VecDeque::new(),
            lost: 0,
            omitted: Arc::default(),
            is_unsigned: false,
            must_reopen: false,
            signed_at: Instant::now(),
            unsynced_since: None,
            checkpoint_interval,
            is_failing: Arc::default(),
            load: Arc::new(Load::new()),
            checkpoints,
            metrics: JournalMetrics::default(),
        };
        (writer, receiver)
    }

    fn run(mut self, messages: &Receiver<Message>) {
        loop {
            let message = messages.recv_timeout(self.time_until_next_work());
            self.load.start();
            let is_closed = match message {
                Ok(Message::Append(line, written)) => {
                    self.append_group(*line, written, messages).is_some_and(|message| self.handle(&message))
                }
                Ok(message) => self.handle(&message),
                Err(RecvTimeoutError::Timeout) => {
                    self.do_timed_work();
                    false
                }
                Err(RecvTimeoutError::Disconnected) => true,
            };
            self.load.end();
            if is_closed {
                break;
            }
        }
        self.write();
        self.write_checkpoint();
        self.sync();
    }

    fn time_until_next_work(&self) -> Duration {
        if self.is_failing.load(Ordering::SeqCst) {
            return RETRY;
        }
        let checkpoint = self.checkpoint_interval.saturating_sub(self.signed_at.elapsed());
        let sync = self.unsynced_since.map(|since| SYNC_INTERVAL.saturating_sub(since.elapsed()));
        sync.map_or(checkpoint, |sync| sync.min(checkpoint)).min(CHECK_INTERVAL)
    }

    fn do_timed_work(&mut self) {
        if self.output.is_closed()
            && let Ok(Some(opened)) = self.output.open_renamed()
        {
            self.switch(opened);
        }
        if self.is_failing.load(Ordering::SeqCst) {
            self.write();
        } else if let Err(cause) = self.output.check_exists() {
            self.record_failure(&cause);
        }
        if self.must_reopen {
            self.reopen();
        }
        if self.signed_at.elapsed() >= self.checkpoint_interval {
            self.write_checkpoint();
        }
        self.sync_if_due();
    }

    /// Writes a line together with the lines that wait. Returns a message that is not a line.
    fn append_group(
        &mut self,
        line: JournalLine,
        written: oneshot::Sender<()>,
        messages: &Receiver<Message>,
    ) -> Option<Message> {
        let mut waiting = vec![written];
        self.push(line);
        let mut other = None;
        while waiting.len() < MAX_GROUP {
            match messages.try_recv() {
                Ok(Message::Append(line, written)) => {
                    self.push(*line);
                    waiting.push(written);
                }
                Ok(message) => {
                    other = Some(message);
                    break;
                }
                Err(_) => break,
            }
        }
        self.write();
        for written in waiting {
            // The request may have ended.
            written.send(()).ok();
        }
        self.sync_if_due();
        other
    }

    /// Handles a message that is not a line. Returns true if the thread must end.
    fn handle(&mut self, message: &Message) -> bool {
        match message {
            Message::Append(..) => false,
            Message::Reopen => {
                self.reopen();
                false
            }
            Message::Close => true,
        }
    }

    fn push(&mut self, line: JournalLine) {
        self.load.waiting.fetch_sub(1, Ordering::SeqCst);
        if self.pending.len() < MAX_PENDING {
            self.pending.push_back(line.into());
        } else {
            self.lost += 1;
            self.metrics.count_lost();
            let line = serde_json::to_string(&line).unwrap_or_default();
            tracing::error!(
                line,
                "this line of the journal is lost, because too many lines wait for its disk"
            );
        }
    }

    /// Writes the lines that wait. If that fails, they stay in memory and go to the log.
    fn write(&mut self) {
        let was_failing = self.is_failing.load(Ordering::SeqCst);
        let usable = self.output.check_exists().and_then(|()| self.output.repair());
        match usable.and_then(|()| self.write_pending()).and_then(|()| self.output.keep_reserve()) {
            Ok(()) => {
                if was_failing {
                    self.is_failing.store(false, Ordering::SeqCst);
                    tracing::info!("the journal can be written again");
                }
            }
            Err(cause) => {
                // They would be lost if the process ended now.
                for pending in self.pending.iter_mut().filter(|pending| !pending.is_logged) {
                    pending.is_logged = true;
                    let line = serde_json::to_string(&pending.line).unwrap_or_default();
                    tracing::error!(line, "this line of the journal cannot be written yet");
                }
                self.record_failure(&cause);
            }
        }
    }

    fn sync_if_due(&mut self) {
        let is_due = self.unsynced_since.is_some_and(|since| since.elapsed() >= SYNC_INTERVAL);
        if is_due || self.output.unsynced_bytes() > MAX_UNSYNCED {
            self.sync();
        }
    }

    /// Forces all lines to the disk. After a failure, `write` repairs the file before the journal is available again.
    fn sync(&mut self) {
        self.unsynced_since = None;
        if let Err(cause) = self.output.sync() {
            self.record_failure(&cause);
        }
    }

    fn record_failure(&self, cause: &io::Error) {
        self.is_failing.store(true, Ordering::SeqCst);
        if let Some(repeated) = UNWRITABLE.record() {
            tracing::error!(%cause, repeated, "the journal cannot be written");
        }
    }

    /// Writes the lines that wait, and removes them from memory. All or none are in the file afterwards.
    fn write_pending(&mut self) -> io::Result<()> {
        self.lost += self.omitted.swap(0, Ordering::Relaxed);
        if self.lost > 0 && self.pending.len() < MAX_PENDING {
            let gap = JournalLine { lost: Some(self.lost), ..JournalLine::now(LineKind::Gap) };
            self.pending.push_back(gap.into());
            self.lost = 0;
        }
        if self.pending.is_empty() {
            return Ok(());
        }
        let (mut bytes, mut chain) = (Vec::new(), self.chain.clone());
        for Pending { line, .. } in &mut self.pending {
            bytes.extend_from_slice(&chain.append(line, &self.key)?);
        }
        self.output.append(&bytes)?;
        self.chain = chain;
        self.unsynced_since.get_or_insert_with(Instant::now);
        self.metrics.count_lines(self.pending.len());
        self.is_unsigned |= self.pending.iter().any(|pending| pending.line.kind != LineKind::Checkpoint);
        self.pending.clear();
        Ok(())
    }

    /// Writes a checkpoint if there are lines after the last one, and logs it.
    fn write_checkpoint(&mut self) {
        self.signed_at = Instant::now();
        if !self.is_unsigned || self.is_failing.load(Ordering::SeqCst) {
            return;
        }
        let line = JournalLine {
            instance: Some(instance_name()),
            key: Some(self.key.public()),
            ..JournalLine::now(LineKind::Checkpoint)
        };
        let before = self.chain.clone();
        self.pending.push_back(line.clone().into());
        self.write();
        self.sync();
        if self.is_failing.load(Ordering::SeqCst) {
            // A later checkpoint replaces it.
            self.pending.retain(|pending| pending.line.kind != LineKind::Checkpoint);
            return;
        }
        self.is_unsigned = false;
        let line = JournalLine { sequence: before.sequence + 1, previous: before.hash, ..line };
        let text = line.encode(&self.key).map(|(text, _)| text).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        // Not quoted, so that the line can be copied from a log in text.
        tracing::info!(checkpoint = %text, "journal");
        self.checkpoints.send_replace(Some(text));
    }

    /// Ends the file with a checkpoint, and continues the chain in the file that has the path now. Until the lines of the file are
    /// on its disk, it stays open: only this process still has them in memory.
    fn reopen(&mut self) {
        self.must_reopen = false;
        self.write();
        let opened = match self.output.open_renamed() {
            Ok(None) => return,
            Ok(Some(opened)) => opened,
            Err(fault) => {
                tracing::error!(%fault, "the journal is still written to the file before, because it cannot be opened again");
                return;
            }
        };
        self.write_checkpoint();
        if let Err(cause) = self.output.sync() {
            self.record_failure(&cause);
            self.must_reopen = true;
            return;
        }
        self.output.remove_reserve();
        self.switch(opened);
        let path = self.output.path().unwrap_or(Path::new("-"));
        tracing::info!(path = %path.display(), "the journal continues in a new file");
    }

    /// Continues in another file.
    fn switch(&mut self, Opened { output, chain, removed }: Opened) {
        // A file with lines is a journal that continues.
        if chain.sequence > 0 {
            self.chain = chain;
        }
        self.output = output;
        // Lines that could not be written to the file before follow it: each file starts with this line.
        self.pending.push_front(start_line(&self.key, removed).into());
        self.write();
        self.sync();
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Condvar, Mutex, MutexGuard};
    use std::time::{Duration, Instant};

    use actix_web::ResponseError as _;
    use tempfile::TempDir;

    use super::{
        Chain, Journal, JournalKey, JournalOutput, LineKind, MAX_PENDING, MAX_STALL, MAX_WAITING,
        MAX_WAITING_TOTAL, Opened, Output, PathBuf, Settings, Writer, start_line,
    };
    use crate::journal::output::{Disk, OutputFile};
    use crate::journal::verify::{Summary, Verifier};
    use crate::journal::{JournalLine, Person, PersonSource};

    /// A file whose disk the test controls. Like Linux, a failed `sync` forgets which bytes are not on the disk.
    #[derive(Debug, Clone, Default)]
    struct TestDisk(Arc<(Mutex<DiskState>, Condvar)>);

    #[derive(Debug, Default)]
    struct DiskState {
        /// The content of the file as programs read it.
        cached: Vec<u8>,
        /// The content that survives a loss of power.
        stored: Vec<u8>,
        /// The ranges of `cached` that the next `sync` stores.
        unsynced: Vec<(usize, usize)>,
        hangs: bool,
        /// True while an operation waits for the disk.
        is_waiting: bool,
        /// The operations that fail.
        failing: Vec<Operation>,
        /// Number of bytes after which a write fails.
        fails_after: Option<usize>,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Operation {
        Sync,
        Truncate,
    }

    impl TestDisk {
        fn lock(&self) -> MutexGuard<'_, DiskState> {
            self.0.0.lock().unwrap()
        }

        /// Changes the state, and wakes operations that wait.
        fn set(&self, change: impl FnOnce(&mut DiskState)) {
            change(&mut self.lock());
            self.0.1.notify_all();
        }

        fn wait_until(&self, is_reached: impl Fn(&DiskState) -> bool) {
            let state =
                self.0.1.wait_timeout_while(self.lock(), Duration::from_secs(10), |state| !is_reached(state));
            assert!(!state.unwrap().1.timed_out(), "the state is never reached");
        }

        /// Starts an operation, as soon as the disk responds.
        fn respond(&self) -> MutexGuard<'_, DiskState> {
            let mut state = self.lock();
            while state.hangs {
                state.is_waiting = true;
                self.0.1.notify_all();
                state = self.0.1.wait(state).unwrap();
            }
            state.is_waiting = false;
            state
        }

        fn verify(&self) -> Summary {
            let mut verifier = Verifier::new(None, None);
            verifier.read(&*self.lock().cached).unwrap();
            verifier.finish().unwrap()
        }
    }

    impl Disk for TestDisk {
        fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
            let mut state = self.respond();
            let written = state.fails_after.unwrap_or(bytes.len());
            let start = state.cached.len();
            state.cached.extend_from_slice(&bytes[..written]);
            state.unsynced.push((start, start + written));
            if state.fails_after.is_some() { Err(io::Error::other("a fault of the disk")) } else { Ok(()) }
        }

        fn overwrite(&mut self, bytes: &[u8], position: u64) -> io::Result<()> {
            let mut state = self.respond();
            let start = usize::try_from(position).unwrap();
            assert_eq!(&state.cached[start..], bytes, "the content stays the same");
            state.unsynced.push((start, start + bytes.len()));
            Ok(())
        }

        fn truncate(&mut self, length: u64) -> io::Result<()> {
            let mut state = self.respond();
            if state.failing.contains(&Operation::Truncate) {
                return Err(io::Error::other("a fault of the disk"));
            }
            state.cached.truncate(usize::try_from(length).unwrap());
            Ok(())
        }

        fn sync(&mut self) -> io::Result<()> {
            let mut state = self.respond();
            let ranges = std::mem::take(&mut state.unsynced);
            if state.failing.contains(&Operation::Sync) {
                return Err(io::Error::other("a fault of the disk"));
            }
            let length = state.cached.len();
            state.stored.resize(length, 0);
            for (start, end) in ranges {
                let end = end.min(length);
                let bytes = state.cached[start.min(end)..end].to_vec();
                state.stored[start.min(end)..end].copy_from_slice(&bytes);
            }
            Ok(())
        }

        fn identity(&self) -> io::Result<(u64, u64)> {
            Ok((0, 0))
        }

        fn is_removed(&self) -> io::Result<bool> {
            Ok(false)
        }
    }

    /// A journal on a disk that the test controls.
    struct Bench {
        folder: TempDir,
        disk: TestDisk,
        key: Arc<JournalKey>,
    }

    impl Bench {
        fn new() -> Self {
            let folder = TempDir::new().unwrap();
            let key = Arc::new(JournalKey::read_or_create(&folder.path().join("key")).unwrap());
            Self { folder, disk: TestDisk::default(), key }
        }

        fn open(&self) -> Opened {
            let file = OutputFile::new(self.folder.path().join("journal"), Box::new(self.disk.clone()), 0);
            Opened { output: Output::File(file), chain: Chain::start(), removed: 0 }
        }

        fn start(&self, is_required: bool) -> Journal {
            let settings = Settings {
                output: JournalOutput::StandardOutput,
                is_required,
                key: PathBuf::new(),
                user_header: None,
                checkpoint_interval: Duration::from_hours(1),
            };
            Journal::start(self.open(), Arc::clone(&self.key), &settings).unwrap()
        }

        /// Returns a writer without a thread, after its start line.
        fn writer(&self) -> Writer {
            let (mut writer, _) = Writer::new(self.open(), Arc::clone(&self.key), Duration::from_hours(1));
            writer.pending.push_back(start_line(&self.key, 0).into());
            writer.write();
            writer.sync();
            writer
        }
    }

    fn line(kind: LineKind) -> JournalLine {
        let person = Person { known: PersonSource::NoSignIn, ..Person::default() };
        JournalLine { status: Some(200), person: Some(person), ..JournalLine::now(kind) }
    }

    /// Returns the code of the refusal of a change at a time.
    fn refusal(journal: &Journal, now: Instant) -> Option<String> {
        let error = journal.check_at(now).err()?;
        assert_eq!(error.status_code(), 503);
        Some(error.code().to_owned())
    }

    #[actix_web::test]
    async fn disk_that_does_not_respond_refuses_changes_before_memory_grows() {
        let bench = Bench::new();
        let journal = bench.start(true);
        bench.disk.set(|disk| disk.hangs = true);
        let first = journal.append(line(LineKind::Change));
        bench.disk.wait_until(|disk| disk.is_waiting);
        let now = Instant::now();
        assert_eq!(refusal(&journal, now), None, "a write may take some time");
        let late = now + MAX_STALL + Duration::from_secs(1);
        assert_eq!(refusal(&journal, late).as_deref(), Some("journal_stalled"));

        let mut waiting = Vec::new();
        while refusal(&journal, now).is_none() {
            waiting.push(journal.append(line(LineKind::Change)));
        }
        assert_eq!(waiting.len(), MAX_WAITING);
        assert_eq!(refusal(&journal, now).as_deref(), Some("journal_stalled"));
        // The refusal and sign-ins get their responses, although the disk has not responded.
        journal.append(JournalLine { status: Some(503), ..line(LineKind::Change) }).await;
        journal.append(line(LineKind::SignIn)).await;
        for _ in 0..MAX_WAITING_TOTAL {
            drop(journal.append(line(LineKind::SignIn)));
        }

        bench.disk.set(|disk| disk.hangs = false);
        first.await;
        for written in waiting {
            written.await;
        }
        journal.append(line(LineKind::Change)).await;
        assert_eq!(refusal(&journal, Instant::now()), None, "changes are accepted again");
        journal.close().await;
        let summary = bench.disk.verify();
        assert_eq!(summary.lost, u64::try_from(MAX_WAITING + 2).unwrap(), "a gap line counts the others");
        // The start line, the gap line, the checkpoint, the first and the last change.
        assert_eq!(summary.lines, u64::try_from(MAX_WAITING_TOTAL + 5).unwrap());
    }

    #[actix_web::test]
    async fn journal_that_is_not_required_does_not_wait_for_a_disk_that_does_not_respond() {
        let bench = Bench::new();
        let journal = bench.start(false);
        bench.disk.set(|disk| disk.hangs = true);
        drop(journal.append(line(LineKind::Change)));
        bench.disk.wait_until(|disk| disk.is_waiting);
        for _ in 0..MAX_WAITING {
            drop(journal.append(line(LineKind::Change)));
        }
        let written = tokio::time::timeout(MAX_STALL / 2, journal.append(line(LineKind::Change)));
        written.await.expect("the change gets its response");
        assert_eq!(refusal(&journal, Instant::now()), None);
        journal.update_metrics();
        bench.disk.set(|disk| disk.hangs = false);
        journal.close().await;
        assert_eq!(bench.disk.verify().lost, 0);
    }

    #[test]
    fn lines_of_a_failed_sync_are_written_again_before_the_journal_is_available() {
        let bench = Bench::new();
        let mut writer = bench.writer();
        let is_failing = |writer: &Writer| writer.is_failing.load(super::Ordering::SeqCst);
        let recorded = |writer: &Writer| (writer.chain.sequence, writer.pending.len());
        writer.pending.push_back(line(LineKind::Change).into());
        writer.write();
        bench.disk.set(|disk| disk.failing.push(Operation::Sync));
        writer.sync();
        assert!(is_failing(&writer));
        // The next attempts fail as well. A line that arrives meanwhile waits in memory.
        writer.do_timed_work();
        writer.pending.push_back(line(LineKind::Change).into());
        writer.write();
        assert!(is_failing(&writer));
        assert_eq!(recorded(&writer), (2, 1));
        assert_eq!(bench.disk.verify().lines, 2, "if the process is killed, the system has all lines");

        bench.disk.set(|disk| disk.failing.clear());
        writer.do_timed_work();
        assert!(!is_failing(&writer));
        assert_eq!(recorded(&writer), (3, 0));
        writer.sync();
        let state = bench.disk.lock();
        assert!(state.stored == state.cached, "everything survives a loss of power");
        drop(state);
        assert_eq!(bench.disk.verify().lines, 3);
    }

    #[test]
    fn rotation_waits_until_the_lines_of_the_old_file_are_on_its_disk() {
        let bench = Bench::new();
        let mut writer = bench.writer();
        let new = bench.folder.path().join("journal");
        writer.pending.push_back(line(LineKind::Change).into());
        writer.write();
        bench.disk.set(|disk| disk.failing.push(Operation::Sync));
        writer.sync();
        writer.reopen();
        writer.pending.push_back(line(LineKind::Change).into());
        writer.write();
        bench.disk.set(|disk| disk.failing.clear());
        writer.do_timed_work();
        let state = bench.disk.lock();
        assert!(state.stored == state.cached, "everything survives a loss of power");
        drop(state);
        writer.do_timed_work();
        let text = std::fs::read(&new).unwrap();
        let mut verifier = Verifier::new(None, None);
        verifier.read(&*bench.disk.lock().cached).unwrap();
        verifier.read(&*text).unwrap();
        let summary = verifier.finish().unwrap();
        assert_eq!(summary.lost, 0);
        let changes = |text: &[u8]| String::from_utf8_lossy(text).matches("\"kind\":\"change\"").count();
        assert_eq!(changes(&bench.disk.lock().cached) + changes(&text), 2);
        assert!(text.starts_with(b"{\"sequence\""), "the new file has lines");
    }

    #[test]
    fn lines_that_do_not_fit_into_memory_are_logged() {
        let (bench, log) = (Bench::new(), Log::default());
        let mut writer = bench.writer();
        bench.disk.set(|disk| disk.fails_after = Some(0));
        let layer = tracing_subscriber::fmt::layer().with_ansi(false).with_writer({
            let log = log.clone();
            move || log.clone()
        });
        let subscriber =
            tracing_subscriber::layer::SubscriberExt::with(tracing_subscriber::registry(), layer);
        tracing::subscriber::with_default(subscriber, || {
            for number in 0..MAX_PENDING + 5 {
                let path = Some(format!("/path/{number}/"));
                writer.push(JournalLine { path, ..line(LineKind::Change) });
            }
            writer.write();
        });
        let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
        for number in 0..MAX_PENDING + 5 {
            assert!(text.contains(&format!("/path/{number}/")), "{number}");
        }
        assert_eq!(writer.lost, 5);
    }

    /// Collects log lines.
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Log {
        fn write(&mut self, line: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(line);
            Ok(line.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn incomplete_line_that_cannot_be_removed_is_removed_before_the_next_line() {
        let bench = Bench::new();
        let mut writer = bench.writer();
        bench.disk.set(|disk| (disk.fails_after, disk.failing) = (Some(20), vec![Operation::Truncate]));
        writer.pending.push_back(line(LineKind::Change).into());
        writer.write();
        bench.disk.set(|disk| disk.fails_after = None);
        writer.do_timed_work();
        assert_eq!(writer.pending.len(), 1);
        bench.disk.set(|disk| disk.failing.clear());
        writer.do_timed_work();
        assert_eq!(bench.disk.verify().lines, 2);
    }
}
