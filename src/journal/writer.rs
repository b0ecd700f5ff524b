//! Writes the journal: one thread appends the lines of all requests. It writes all lines that wait at once, so that each request
//! waits for one write and not for those of others.

use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use actix_web::http::StatusCode;
use tokio::sync::oneshot;

use super::key::JournalKey;
use super::line_files::ReverseLines;
use super::record::{JournalLine, LineKind, NO_PREVIOUS, StoredLine};
use crate::config::{Journal as Settings, JournalOutput};
use crate::error::{ApiError, DomainError};
use crate::log_limit::LogLimit;
use crate::metrics::JournalMetrics;
use crate::{file_lock, private_file};

/// Maximum number of lines of one write.
const MAX_GROUP: usize = 256;
/// Size of the file that occupies space for the lines of the changes that are being handled while the disk gets full. Bytes.
const RESERVE: usize = 256 * 1024;
/// Maximum number of lines in memory while the journal cannot be written. Later ones are counted.
const MAX_PENDING: usize = 1_000;
/// Time between two attempts while the journal cannot be written.
const RETRY: Duration = Duration::from_secs(1);
/// Maximum time for which lines are in the file and not forced to the disk. Forcing each write halves the changes per second.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);
/// Lines of refused requests without a known person: a burst, and then one line per interval. About 50 MB in a day.
const REFUSAL_BURST: u32 = 500;
const REFUSAL_INTERVAL: Duration = Duration::from_secs(1);
/// Name of this machine or container on Linux.
const HOST_NAME: &str = "/proc/sys/kernel/hostname";

/// The journal cannot be written.
static UNWRITABLE: LogLimit = LogLimit::new();

/// The journal of this process. Clones write to the same file.
#[derive(Debug, Clone)]
pub struct Journal(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    sender: Sender<Message>,
    thread: Mutex<Option<thread::JoinHandle<()>>>,
    is_failing: Arc<AtomicBool>,
    is_required: bool,
    key: Arc<JournalKey>,
    file: Option<PathBuf>,
    metrics: JournalMetrics,
    refusals: Mutex<RefusalLimit>,
    /// Number of lines above the limit that no gap line counts yet.
    omitted: Arc<AtomicU64>,
}

/// Limits the lines of refused requests without a known person: anyone can send them, and could fill the disk. GCRA, as in
/// `sign_in_limiter`.
#[derive(Debug, Default)]
struct RefusalLimit {
    /// The time when the burst is available in full again.
    arrival: Option<Instant>,
}

impl RefusalLimit {
    /// Counts a line. Returns false if it is above the limit.
    fn try_acquire(&mut self, now: Instant) -> bool {
        let arrival = self.arrival.map_or(now, |arrival| arrival.max(now)) + REFUSAL_INTERVAL;
        let is_allowed = arrival.saturating_duration_since(now) <= REFUSAL_INTERVAL * REFUSAL_BURST;
        if is_allowed {
            self.arrival = Some(arrival);
        }
        is_allowed
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
    /// The last line is no line of a journal.
    #[error(
        "journal: the last line of {} is damaged; verify the file with `flagdeck journal verify`, and move it away to start a new one",
        .0.display()
    )]
    Damaged(PathBuf),
    /// The key file cannot be used.
    #[error("journal-key: {}: {cause}", .path.display())]
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
    signed_at: Instant,
    /// Time of the first line that is not forced to the disk.
    unsynced_since: Option<Instant>,
    checkpoint_interval: Duration,
    is_failing: Arc<AtomicBool>,
    metrics: JournalMetrics,
}

/// A line that waits to be written.
struct Pending {
    line: JournalLine,
    /// True if the line is in the log, because it could not be written.
    is_logged: bool,
}

/// The end of the chain.
#[derive(Debug, Clone)]
struct Chain {
    sequence: u64,
    hash: String,
}

/// The destination of the lines.
enum Output {
    File {
        path: PathBuf,
        /// Locked for this process.
        file: File,
        /// Length of the complete lines.
        length: u64,
    },
    StandardOutput,
}

impl Journal {
    /// Opens or creates the file, and writes the start line.
    ///
    /// # Errors
    /// See [`JournalError`]. If the journal is not required, a fault of the disk is logged instead.
    pub(crate) fn open(settings: &Settings) -> Result<Self, JournalError> {
        let key = JournalKey::read_or_create(&settings.key)
            .map_err(|cause| JournalError::Key { path: settings.key.clone(), cause })?;
        let key = Arc::new(key);
        tracing::info!(public_key = key.public(), "checkpoints of the journal are signed with this key");
        let (output, chain, removed) = match &settings.output {
            JournalOutput::StandardOutput => (Output::StandardOutput, Chain::start(), 0),
            JournalOutput::File(path) => open_file(path)?,
        };
        let metrics = JournalMetrics::default();
        let is_failing = Arc::new(AtomicBool::new(false));
        let omitted = Arc::new(AtomicU64::new(0));
        let mut writer = Writer {
            output,
            key: Arc::clone(&key),
            chain,
            pending: VecDeque::new(),
            lost: 0,
            omitted: Arc::clone(&omitted),
            is_unsigned: false,
            signed_at: Instant::now(),
            unsynced_since: None,
            checkpoint_interval: settings.checkpoint_interval,
            is_failing: Arc::clone(&is_failing),
            metrics: metrics.clone(),
        };
        writer.pending.push_back(start_line(&key, removed).into());
        let started = writer.write_pending().and_then(|()| writer.output.sync());
        let started = started.and_then(|()| writer.output.keep_reserve());
        if let Err(cause) = started {
            let JournalOutput::File(path) = &settings.output else {
                return Err(JournalError::File { path: "standard output".into(), cause });
            };
            if settings.is_required {
                return Err(JournalError::File { path: path.clone(), cause });
            }
            writer.record_failure(&cause);
        }
        let (sender, receiver) = channel();
        let thread = thread::Builder::new().name("journal".to_owned()).spawn(move || writer.run(&receiver));
        Ok(Self(Arc::new(Inner {
            sender,
            thread: Mutex::new(Some(thread.map_err(JournalError::Thread)?)),
            is_failing,
            is_required: settings.is_required,
            key,
            file: match &settings.output {
                JournalOutput::File(path) => Some(path.clone()),
                JournalOutput::StandardOutput => None,
            },
            metrics,
            refusals: Mutex::default(),
            omitted,
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

    /// Returns a short digest of the credentials of a session, which nobody can compute without the key.
    #[must_use]
    pub fn digest(&self, credentials: &[u8]) -> String {
        self.0.key.digest(credentials)
    }

    /// Checks that changes can be recorded, before one is made.
    ///
    /// # Errors
    /// If the journal is required and cannot be written.
    pub fn check(&self) -> Result<(), ApiError> {
        if !self.0.is_required || !self.0.is_failing.load(Ordering::SeqCst) {
            return Ok(());
        }
        let message = "Changes are refused, because the journal cannot be written; the cause is in the log of Flagdeck. Make room on the disk of the journal, and try again";
        Err(DomainError::new("journal_unavailable", StatusCode::SERVICE_UNAVAILABLE, message)
            .retry_after(1)
            .into())
    }

    /// Appends a line. Returns when the line is in the file, or in memory and in the log because it cannot be written. The line
    /// is also written if the future is dropped.
    ///
    /// Refused requests without a known person have a limited number of lines. A gap line counts the others.
    pub(crate) fn append(&self, mut line: JournalLine) -> impl Future<Output = ()> + use<> {
        let is_recorded = !line.is_anonymous_refusal()
            || self.0.refusals.lock().unwrap_or_else(PoisonError::into_inner).try_acquire(Instant::now());
        let waiting = if is_recorded {
            line.limit_texts();
            let (written, is_written) = oneshot::channel();
            Some((self.0.sender.send(Message::Append(Box::new(line), written)), is_written))
        } else {
            self.0.omitted.fetch_add(1, Ordering::Relaxed);
            self.0.metrics.count_lost();
            None
        };
        async move {
            let Some((sent, is_written)) = waiting else { return };
            if sent.is_err() || is_written.await.is_err() {
                tracing::error!("the journal is closed already; a line was lost");
            }
        }
    }

    /// Opens the file again, after a program such as logrotate has renamed it.
    pub(crate) fn reopen(&self) {
        drop(self.0.sender.send(Message::Reopen));
    }

    /// Writes the last checkpoint and closes the file. Blocks until that is done.
    pub(crate) fn close(&self) {
        drop(self.0.sender.send(Message::Close));
        let thread = self.0.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if thread.is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the thread of the journal has failed");
        }
    }
}

impl From<JournalLine> for Pending {
    fn from(line: JournalLine) -> Self {
        Self { line, is_logged: false }
    }
}

impl Chain {
    fn start() -> Self {
        Self { sequence: 0, hash: NO_PREVIOUS.to_owned() }
    }
}

fn start_line(key: &JournalKey, removed: u64) -> JournalLine {
    let host = fs::read_to_string(HOST_NAME).unwrap_or_default();
    JournalLine {
        version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        instance: Some(format!("{} {}", host.trim(), std::process::id())),
        removed_bytes: (removed > 0).then_some(removed),
        key: Some(key.public()),
        ..JournalLine::now(LineKind::Start)
    }
}

/// Opens and locks a file, and removes an incomplete last line. Returns the end of its chain and the number of removed bytes.
fn open_file(path: &Path) -> Result<(Output, Chain, u64), JournalError> {
    let fail = |cause| JournalError::File { path: path.to_owned(), cause };
    match private_file::create(path) {
        Err(cause) if cause.kind() != ErrorKind::AlreadyExists => return Err(fail(cause)),
        _ => {}
    }
    let file = OpenOptions::new().read(true).append(true).open(path).map_err(fail)?;
    match file_lock::acquire(&file) {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(JournalError::InUse(path.to_owned())),
        Err(TryLockError::Error(cause)) => {
            tracing::warn!(path = %path.display(), %cause, "the lock of the journal is not available; no other process may write to this file");
        }
    }
    let all = file.metadata().map_err(fail)?.len();
    let mut lines = ReverseLines::before(&file, all);
    let removed = lines.skip_incomplete().map_err(fail)?;
    let chain = match lines.next_line().map_err(fail)? {
        None => Chain::start(),
        Some(last) => {
            let last = StoredLine::parse(&last.text).ok_or_else(|| JournalError::Damaged(path.to_owned()))?;
            Chain { sequence: last.line.sequence, hash: last.hash }
        }
    };
    let length = all - removed;
    if removed > 0 {
        tracing::warn!(path = %path.display(), removed, "the last line of the journal was incomplete, because the program was killed; it was removed");
        file.set_len(length).map_err(fail)?;
    }
    Ok((Output::File { path: path.to_owned(), file, length }, chain, removed))
}

impl Writer {
    fn run(mut self, messages: &Receiver<Message>) {
        loop {
            match messages.recv_timeout(self.time_until_next_work()) {
                Ok(Message::Append(line, written)) => {
                    if let Some(message) = self.append_group(*line, written, messages)
                        && self.handle(&message)
                    {
                        break;
                    }
                }
                Ok(message) => {
                    if self.handle(&message) {
                        break;
                    }
                }
                Err(RecvTimeoutError::Timeout) => self.do_timed_work(),
                Err(RecvTimeoutError::Disconnected) => break,
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
        sync.map_or(checkpoint, |sync| sync.min(checkpoint))
    }

    fn do_timed_work(&mut self) {
        if self.is_failing.load(Ordering::SeqCst) {
            self.write();
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
        if self.pending.len() < MAX_PENDING {
            self.pending.push_back(line.into());
        } else {
            self.lost += 1;
            self.metrics.count_lost();
        }
    }

    /// Writes the lines that wait. If that fails, they stay in memory and go to the log.
    fn write(&mut self) {
        let was_failing = self.is_failing.load(Ordering::SeqCst);
        match self.write_pending().and_then(|()| self.output.keep_reserve()) {
            Ok(()) => {
                if was_failing {
                    self.is_failing.store(false, Ordering::SeqCst);
                    self.metrics.set_failing(false);
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
        if self.unsynced_since.is_some_and(|since| since.elapsed() >= SYNC_INTERVAL) {
            self.sync();
        }
    }

    /// Forces all lines to the disk.
    fn sync(&mut self) {
        self.unsynced_since = None;
        if let Err(cause) = self.output.sync() {
            self.record_failure(&cause);
        }
    }

    fn record_failure(&self, cause: &io::Error) {
        self.is_failing.store(true, Ordering::SeqCst);
        self.metrics.set_failing(true);
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
            line.sequence = chain.sequence + 1;
            line.previous.clone_from(&chain.hash);
            let (text, hash) = line.encode(&self.key).map_err(io::Error::other)?;
            bytes.extend_from_slice(&text);
            bytes.push(b'\n');
            chain = Chain { sequence: line.sequence, hash };
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
        let line = JournalLine { key: Some(self.key.public()), ..JournalLine::now(LineKind::Checkpoint) };
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
        tracing::info!(checkpoint = %String::from_utf8_lossy(&text), "journal");
    }

    /// Ends the file with a checkpoint, and continues the chain in the file that has the path now.
    fn reopen(&mut self) {
        let Output::File { path, .. } = &self.output else { return };
        let path = path.clone();
        self.write();
        let result = match open_renamed(&path, &self.output) {
            Ok(None) => return,
            Ok(Some(output)) => output,
            Err(fault) => {
                tracing::error!(%fault, "the journal is still written to the file before, because it cannot be opened again");
                return;
            }
        };
        self.write_checkpoint();
        self.output.remove_reserve();
        let (output, end, removed) = result;
        // A file with lines is a journal that continues.
        if end.sequence > 0 {
            self.chain = end;
        }
        self.output = output;
        // Lines that could not be written to the file before follow it: each file starts with this line.
        self.pending.push_front(start_line(&self.key, removed).into());
        self.write();
        self.sync();
        tracing::info!(path = %path.display(), "the journal continues in a new file");
    }
}

/// Opens the file that has the path now; `None` if it is still the open one.
fn open_renamed(path: &Path, output: &Output) -> Result<Option<(Output, Chain, u64)>, JournalError> {
    use std::os::unix::fs::MetadataExt as _;
    let Output::File { file, .. } = output else { return Ok(None) };
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let fail = |cause| JournalError::File { path: path.to_owned(), cause };
    let open = identity(file.metadata().map_err(fail)?);
    if fs::metadata(path).is_ok_and(|metadata| identity(metadata) == open) {
        return Ok(None);
    }
    open_file(path).map(Some)
}

impl Output {
    /// Appends lines, completely or not at all.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::StandardOutput => {
                let mut output = io::stdout().lock();
                output.write_all(bytes)?;
                output.flush()
            }
            Self::File { path, file, length } => {
                let mut result = file.write_all(bytes);
                if let Err(cause) = &result
                    && matches!(cause.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
                    && fs::remove_file(reserve_path(path)).is_ok()
                {
                    file.set_len(*length)?;
                    result = file.write_all(bytes);
                }
                if let Err(cause) = result {
                    // Part of the lines may be in the file.
                    file.set_len(*length)?;
                    return Err(cause);
                }
                *length += u64::try_from(bytes.len()).unwrap_or_default();
                Ok(())
            }
        }
    }

    /// Waits until all lines are on the disk.
    fn sync(&self) -> io::Result<()> {
        if let Self::File { file, .. } = self { file.sync_data() } else { Ok(()) }
    }

    /// Creates the reserve if it does not exist.
    fn keep_reserve(&self) -> io::Result<()> {
        let Self::File { path, .. } = self else { return Ok(()) };
        let reserve = reserve_path(path);
        if reserve.try_exists()? {
            return Ok(());
        }
        private_file::replace(&reserve, &vec![0; RESERVE])
    }

    fn remove_reserve(&self) {
        if let Self::File { path, .. } = self {
            // It is created again.
            drop(fs::remove_file(reserve_path(path)));
        }
    }
}

fn reserve_path(path: &Path) -> PathBuf {
    let mut reserve = path.as_os_str().to_owned();
    reserve.push(".reserve");
    reserve.into()
}
