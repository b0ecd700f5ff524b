//! Writes segment files. All times are arguments, so that tests control them.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use data_encoding::HEXLOWER;

use super::format::{
    self, Change, ChangeInterval, Complete, CompleteScope, End, FileHead, GapReason, ItemChange, MAGIC,
    Record, Records, Resumed, Scope,
};
use super::segments::{self, SegmentFile};
use super::state::{Item, ItemTable, Items, ScopeState, State};
use crate::config;
use crate::number::{to_millis, to_u64};
use crate::{file_lock, private_file};

/// Changes of a file, for each scope. More would make reads slower, and fewer would make the files larger.
const MAX_CHANGES: usize = 200;
/// A file contains at most this part of the time and of the size that are kept, because files are removed as a whole.
const PARTS: u32 = 8;
/// File that the recording process locks.
const LOCK: &str = "lock";
/// Salt of the identifiers of scopes.
pub(super) type Salt = [u8; 16];

/// The reasons why a recorder cannot start. Each message is one sentence.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder cannot be created, read or written.
    #[error("recorder: {} cannot be used: {cause}; it must be a folder to which Flagdeck can write", .path.display())]
    Folder {
        /// The folder, or a file in it.
        path: PathBuf,
        /// The cause.
        cause: io::Error,
    },
    /// Another process records in the folder.
    #[error(
        "recorder: another process records in {}; each instance needs a folder of its own",
        .0.display()
    )]
    InUse(PathBuf),
    /// The thread of the recorder cannot be started.
    #[error("recorder: its thread cannot be started: {0}")]
    Thread(io::Error),
}

/// New definitions of a scope.
#[derive(Debug, Clone)]
pub struct NewDefinitions {
    /// The scope.
    pub scope: Arc<Scope>,
    /// The list of toggles, as SDKs get it.
    pub body: Bytes,
    /// Last time at which the definitions before were confirmed, if it is known. Milliseconds since 1970.
    pub after: Option<u64>,
    /// Time from which SDKs get the definitions. Milliseconds since 1970.
    pub by: u64,
    /// Number of changes of the scope before this one that were not recorded.
    pub missed: u64,
}

/// The result of recording a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// A record was written.
    Recorded,
    /// The definitions are the recorded ones.
    Unchanged,
    /// The copy is no list of toggles.
    Unreadable,
}

/// The files of a recorder, locked for this process.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    keep: u64,
    size: u64,
    salt: Salt,
    /// The state after the last record.
    state: State,
    /// All files; the last one is the current one if `current` is set.
    files: Vec<SegmentFile>,
    /// `None` if the next record starts a new file.
    current: Option<CurrentFile>,
    /// A time without records that the next record ends: its start.
    gap: Option<(u64, GapReason)>,
    /// Locked until the process ends.
    _lock: File,
}

/// The file to which records are appended.
#[derive(Debug)]
struct CurrentFile {
    file: File,
    /// Length of the complete state.
    complete: u64,
    changes: usize,
}

impl Store {
    /// Opens or creates the folder, and reads the last state. Writes nothing.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open(settings: &config::Recorder) -> Result<Self, OpenError> {
        let folder = &settings.folder;
        let fail = |cause| OpenError::Folder { path: folder.clone(), cause };
        create_folder(folder).map_err(fail)?;
        let lock = lock(folder)?;
        let files = segments::list(folder).map_err(fail)?;
        let mut store = Self {
            folder: folder.clone(),
            keep: to_millis(settings.keep),
            size: settings.size,
            salt: Salt::default(),
            state: State::default(),
            current: None,
            gap: None,
            files,
            _lock: lock,
        };
        store.read_last_state().map_err(fail)?;
        if store.salt == Salt::default() {
            getrandom::fill(&mut store.salt).map_err(|cause| fail(io::Error::other(cause)))?;
        }
        Ok(store)
    }

    /// Reads the newest file with a complete state. Records are appended to it if it is the last one and intact.
    fn read_last_state(&mut self) -> io::Result<()> {
        for index in (0..self.files.len()).rev() {
            let Some(SegmentFile { path, head: Some(head), .. }) = self.files.get(index) else {
                tracing::warn!("a file of the flight recorder is damaged at its start");
                continue;
            };
            let content = fs::read(path)?;
            let mut records = Records::new(&content);
            let (mut state, mut complete, mut changes) = (State::default(), None, 0);
            while let Some(record) = records.next() {
                let kind = (matches!(record, Record::Complete(_)), matches!(record, Record::Changed(_)));
                if !state.apply(record) {
                    records.set_damaged();
                }
                if kind.0 {
                    complete = Some(records.position(&content));
                }
                changes += usize::from(kind.1);
            }
            let end = records.end();
            if end != End::Intact || complete.is_none() {
                tracing::warn!(file = %path.display(), "a file of the flight recorder is incomplete or damaged; it stays readable up to there, and a new file is started");
            }
            let Some(complete) = complete else { continue };
            if let Ok(Ok(salt)) = HEXLOWER.decode(head.salt.as_bytes()).map(Salt::try_from) {
                self.salt = salt;
            }
            self.gap = Some((state.time, GapReason::NotRunning));
            self.state = state;
            let is_last = index + 1 == self.files.len();
            if is_last && end == End::Intact {
                let file = OpenOptions::new().append(true).open(path)?;
                self.current = Some(CurrentFile { file, complete, changes });
            }
            return Ok(());
        }
        Ok(())
    }

    /// Returns the salt of the identifiers of scopes.
    #[must_use]
    pub fn salt(&self) -> Salt {
        self.salt
    }

    /// Returns the size of all files in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.files.iter().map(|file| file.length).sum()
    }

    /// Returns the times of the first and of the last record; `None` without records.
    #[must_use]
    pub fn range(&self) -> Option<(u64, u64)> {
        let first = self.files.iter().find(|file| file.head.is_some())?;
        Some((first.time(), self.state.time))
    }

    /// Records that the process runs again, or that the recorder can write again. Before the first copy, there is nothing to
    /// record: the first record has the time from which a state can be read.
    ///
    /// # Errors
    /// Faults of the disk.
    pub fn resume(&mut self, now: u64) -> io::Result<()> {
        if self.files.is_empty() { Ok(()) } else { self.continue_file(now) }
    }

    /// Ends a gap, or starts a file if there is no current one.
    fn continue_file(&mut self, now: u64) -> io::Result<()> {
        let time = self.advance(now);
        if self.current.is_none() {
            return self.start_file(time);
        }
        if let Some((from, reason)) = self.gap {
            self.append(&Record::Resumed(Resumed { from, time, reason }))?;
            self.gap = None;
            self.state.time = time;
        }
        Ok(())
    }

    /// Starts a gap at the last record, because the recorder cannot write.
    pub fn start_gap(&mut self) {
        self.gap.get_or_insert((self.state.time, GapReason::NotWritten));
    }

    /// Records a copy if it differs from the recorded state.
    ///
    /// # Errors
    /// Faults of the disk. The state remains as before.
    pub fn record(&mut self, copy: &NewDefinitions) -> io::Result<Outcome> {
        let by = self.advance(copy.by);
        let Some(new) = self.state.read_copy(&copy.body) else { return Ok(Outcome::Unreadable) };
        let (toggles, segments) = (Items::new(new.toggles), Items::new(new.segments));
        if let Some(known) = self.find_mut(&copy.scope)
            && known.refused.is_none()
            && known.toggles.is_equal(&toggles)
            && known.segments.is_equal(&segments)
        {
            known.confirmed = known.confirmed.max(by);
            return Ok(Outcome::Unchanged);
        }
        self.prepare_file(by)?;
        // After that, because a new file does not contain scopes that were not confirmed for a long time.
        let position = self.state.find(&copy.scope.id);
        let known = position.and_then(|position| self.state.scopes.get(position));
        let after = known.map_or(copy.after, |known| copy.after.max(Some(known.confirmed)));
        let after = after.map(|after| after.min(by));
        let none = Items::default();
        let toggles = known.map_or(&none, |known| &known.toggles).difference(&toggles);
        let segments = known.map_or(&none, |known| &known.segments).difference(&segments);
        let change = Change {
            sequence: self.state.sequence + 1,
            interval: ChangeInterval { after, by },
            scope: position.unwrap_or(self.state.scopes.len()),
            new_scope: position.is_none().then(|| (*copy.scope).clone()),
            missed: copy.missed,
            toggles: item_change(&self.state.toggles, &toggles.0, toggles.1),
            segments: item_change(&self.state.segments, &segments.0, segments.1),
        };
        let record = Record::Changed(change);
        self.append(&record)?;
        if let Some(current) = &mut self.current {
            current.changes += 1;
        }
        if !self.state.apply(record) {
            // The file and the state in memory may differ. The next file contains the complete state.
            self.current = None;
            return Err(io::Error::other("a record does not fit to the records before it"));
        }
        self.prune(by);
        Ok(Outcome::Recorded)
    }

    /// Records that the upstream refuses the token of a scope.
    ///
    /// # Errors
    /// Faults of the disk. The state remains as before.
    pub fn refuse(&mut self, scope: &str, now: u64) -> io::Result<Outcome> {
        let time = self.advance(now);
        let known = self.state.find(scope).and_then(|index| self.state.scopes.get(index));
        if known.is_none_or(|known| known.refused.is_some()) {
            return Ok(Outcome::Unchanged);
        }
        self.prepare_file(time)?;
        let Some(position) = self.state.find(scope) else { return Ok(Outcome::Unchanged) };
        let record = Record::Refused { sequence: self.state.sequence + 1, time, scope: position };
        self.append(&record)?;
        self.state.apply(record);
        Ok(Outcome::Recorded)
    }

    /// Records that the recorder is alive, and the times at which scopes were last confirmed.
    ///
    /// # Errors
    /// Faults of the disk.
    pub fn confirm(&mut self, now: u64, confirmed: &[(Arc<Scope>, u64)]) -> io::Result<()> {
        if self.files.is_empty() {
            return Ok(());
        }
        let time = self.advance(now);
        self.prepare_file(time)?;
        let newer = confirmed.iter().filter_map(|(scope, confirmed)| {
            let position = self.state.find(&scope.id)?;
            (self.state.scopes.get(position)?.confirmed < *confirmed).then_some((position, *confirmed))
        });
        let record = Record::Alive { time, confirmed: newer.collect() };
        self.append(&record)?;
        self.state.apply(record);
        self.prune(time);
        Ok(())
    }

    /// Forces the records to the disk.
    ///
    /// # Errors
    /// Faults of the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.current.as_ref().map_or(Ok(()), |current| current.file.sync_data())
    }

    fn find_mut(&mut self, scope: &Scope) -> Option<&mut ScopeState> {
        self.state.find(&scope.id).and_then(|position| self.state.scopes.get_mut(position))
    }

    /// Returns the time of the next record, which is never before that of the last one.
    fn advance(&self, now: u64) -> u64 {
        now.max(self.state.time)
    }

    /// Starts a new file if there is none, or the current one is full.
    fn prepare_file(&mut self, now: u64) -> io::Result<()> {
        if self.current.is_none() || self.gap.is_some() {
            self.continue_file(now)?;
        }
        let (Some(current), Some(file)) = (&self.current, self.files.last()) else { return Ok(()) };
        let parts = u64::from(PARTS);
        let max_changes = MAX_CHANGES.saturating_mul(self.state.scopes.len().max(1));
        let growth = file.length.saturating_sub(current.complete);
        let is_full = current.changes >= max_changes
            || growth > current.complete.max(self.size / parts)
            || (current.changes > 0 && now.saturating_sub(file.time()) > self.keep / parts);
        if is_full { self.start_file(now) } else { Ok(()) }
    }

    /// Starts a file with the complete state. A crash leaves the complete file or none.
    fn start_file(&mut self, time: u64) -> io::Result<()> {
        let number = self.files.last().map_or(0, |last| last.number) + 1;
        let resumed = self.gap.map(|(from, reason)| Resumed { from, time, reason });
        let head = FileHead {
            number,
            time,
            sequence: self.state.sequence,
            salt: HEXLOWER.encode(&self.salt),
            resumed,
        };
        let (mut toggles, mut segments) = (ItemTable::default(), ItemTable::default());
        let is_kept = |confirmed: u64| confirmed.saturating_add(self.keep) > time;
        let scopes: Vec<_> =
            self.state.scopes.iter().filter(|scope| is_kept(scope.confirmed)).cloned().collect();
        let complete = scopes.iter().map(|state| CompleteScope {
            scope: state.scope.clone(),
            since: state.since,
            confirmed: state.confirmed,
            refused: state.refused,
            toggles: state.toggles.iter().map(|item| toggles.add(item)).collect(),
            segments: state.segments.iter().map(|item| segments.add(item)).collect(),
        });
        let complete: Vec<_> = complete.collect();
        let complete = Complete { toggles: toggles.texts(), segments: segments.texts(), scopes: complete };
        let mut content = MAGIC.to_vec();
        for record in [Record::File(head.clone()), Record::Complete(complete)] {
            content.extend(format::encode(&record)?);
        }
        let path = segments::path_of(&self.folder, number);
        private_file::replace(&path, &content)?;
        let file = OpenOptions::new().append(true).open(&path)?;
        let length = to_u64(content.len());
        self.current = Some(CurrentFile { file, complete: length, changes: 0 });
        self.files.push(SegmentFile { number, path, length, head: Some(head) });
        (self.state.scopes, self.state.toggles, self.state.segments) = (scopes, toggles, segments);
        self.state.time = time;
        self.gap = None;
        self.prune(time);
        Ok(())
    }

    /// Appends a record. After a fault, the file ends with the record before, or the next record starts a new file.
    fn append(&mut self, record: &Record) -> io::Result<()> {
        let (Some(current), Some(known)) = (&mut self.current, self.files.last_mut()) else {
            return Err(io::Error::other("there is no file"));
        };
        let frame = format::encode(record)?;
        if let Err(error) = current.file.write_all(&frame) {
            if current.file.set_len(known.length).is_err() {
                self.current = None;
            }
            return Err(error);
        }
        known.length = known.length.saturating_add(to_u64(frame.len()));
        Ok(())
    }

    /// Removes files that are too old, because the next one is old enough too, and the oldest ones if all are too large.
    fn prune(&mut self, now: u64) {
        while let [oldest, next, ..] = self.files.as_slice() {
            let is_old = next.time().saturating_add(self.keep) <= now;
            if !is_old && self.size() <= self.size {
                return;
            }
            match fs::remove_file(&oldest.path) {
                Err(cause) if cause.kind() != ErrorKind::NotFound => {
                    tracing::warn!(file = %oldest.path.display(), %cause, "an old file of the flight recorder cannot be removed");
                    return;
                }
                _ => drop(self.files.remove(0)),
            }
        }
    }
}

/// Returns the change of a scope's items. Items that the file does not contain get the next positions.
fn item_change(table: &ItemTable, changed: &[Arc<Item>], removed: Vec<String>) -> ItemChange {
    let mut change = ItemChange { removed, ..ItemChange::default() };
    for item in changed {
        let position = table.position(item).unwrap_or_else(|| {
            change.new.push(item.text.clone());
            table.len() + change.new.len() - 1
        });
        change.set.push(position);
    }
    change
}

fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(folder) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        result => result,
    }
}

/// Locks the folder for this process.
fn lock(folder: &Path) -> Result<File, OpenError> {
    let path = folder.join(LOCK);
    let fail = |cause| OpenError::Folder { path: path.clone(), cause };
    match private_file::create(&path) {
        Err(cause) if cause.kind() != ErrorKind::AlreadyExists => return Err(fail(cause)),
        _ => {}
    }
    let file = OpenOptions::new().append(true).open(&path).map_err(fail)?;
    match file_lock::acquire(&file) {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(OpenError::InUse(folder.to_owned())),
        Err(TryLockError::Error(cause)) => {
            tracing::warn!(path = %path.display(), %cause, "the lock of the flight recorder is not available; no other process may record in this folder");
        }
    }
    Ok(file)
}
