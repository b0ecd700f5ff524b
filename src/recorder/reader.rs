//! Reads the state at a time, and the changes between two times, from the files of a recorder. It takes no lock, and works while
//! a process records and while none runs.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;

use super::format::{self, ChangeInterval, End, GapReason, Record, Records, Resumed, Scope, timestamp};
use super::segments::{self, SegmentFile};
use super::state::{Item, ItemKind, Items, ScopeState, State};
use super::summary;
use super::thread::RecorderState;

/// Maximum number of toggles and segments in a list of changes.
pub const MAX_CHANGES: usize = 1_000;
/// Maximum size of the states in a list of changes, in bytes. The first change is always listed.
pub const MAX_CHANGED_BYTES: usize = 8 << 20;

/// Selects a scope.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Identifier or name of the scope.
    pub scope: Option<String>,
    /// Environment of the scope's token.
    pub environment: Option<String>,
}

/// Response of `GET /-/recorder`: what is recorded.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RecorderStatus {
    /// Time of the first record; null without records.
    pub first_record: Option<String>,
    /// Time of the last record.
    pub last_record: Option<String>,
    /// Time since which nothing can be recorded; null if the recorder can write.
    pub failing_since: Option<String>,
    /// The reason why nothing can be recorded.
    pub cause: Option<String>,
    /// Size of all files in bytes.
    pub bytes: u64,
    /// Number of changes since the start that were not recorded, because later ones arrived before they could be written.
    pub missed: u64,
    /// Scopes that can be selected.
    pub scopes: Vec<Scope>,
}

/// The state at a time, in the format of an export.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PastState {
    /// Version of the format of exports: 1.
    pub version: u32,
    /// Toggles as SDKs got them, sorted by name.
    #[cfg_attr(
        test,
        ts(type = "unknown[]"),
        schemars(with = "Vec<serde_json::Map<String, serde_json::Value>>")
    )]
    pub features: Vec<Box<RawValue>>,
    /// Segments as SDKs got them.
    #[cfg_attr(
        test,
        ts(type = "unknown[]"),
        schemars(with = "Vec<serde_json::Map<String, serde_json::Value>>")
    )]
    pub segments: Vec<Box<RawValue>>,
    /// The recorded time and scope.
    pub recording: PastTime,
}

/// The time and the scope of a recorded state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PastTime {
    /// The requested time.
    pub at: String,
    /// The scope.
    pub scope: Scope,
    /// Other scopes that the request could select.
    pub other_scopes: Vec<Scope>,
    /// Interval of the last change before.
    pub since: Interval,
    /// The time without records that contains the requested time; null if this process served the state then.
    pub gap: Option<Gap>,
}

/// The time of a change: the flag service was changed after the first time, and SDKs of this process got the change at the
/// second one or later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Interval {
    /// Last time at which the state before was confirmed; null if it is not known.
    pub after: Option<String>,
    /// Time from which this process served the new state.
    pub by: String,
}

/// A time without records. Changes in it are known only by their result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Gap {
    /// Time of the last record before.
    pub from: String,
    /// Time of the first record after it; null if there is none.
    pub to: Option<String>,
    /// The reason.
    pub reason: GapReason,
}

/// The changes between two times.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PastChanges {
    /// Start of the time.
    pub from: String,
    /// End of the time.
    pub to: String,
    /// The scope.
    pub scope: Scope,
    /// Other scopes that the request could select.
    pub other_scopes: Vec<Scope>,
    /// One entry for each changed toggle and segment, in the order of the last changes.
    pub changes: Vec<PastChange>,
    /// True if more toggles and segments changed than the list contains.
    pub is_truncated: bool,
    /// Number of changes whose states are not recorded, because later ones arrived before they could be written.
    pub missed: u64,
    /// Times without records.
    pub gaps: Vec<Gap>,
}

/// The changes of a toggle or a segment.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PastChange {
    /// `toggle` or `segment`.
    pub kind: &'static str,
    /// Name of the toggle or segment.
    pub name: String,
    /// The change in words, such as `switched off`.
    pub summary: String,
    /// State before the first change; null if it did not exist.
    #[cfg_attr(
        test,
        ts(type = "unknown"),
        schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")
    )]
    pub before: Option<Box<RawValue>>,
    /// State after the last change; null if it does not exist any more.
    #[cfg_attr(
        test,
        ts(type = "unknown"),
        schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")
    )]
    pub after: Option<Box<RawValue>>,
    /// Number of recorded changes.
    pub count: u32,
    /// Interval of the first change.
    pub first: Interval,
    /// Interval of the last change.
    pub last: Interval,
}

/// The reasons why nothing can be read. Each message names the cause and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The folder contains no records.
    #[error("Nothing is recorded yet; wait for the first request of an SDK")]
    Empty,
    /// The time precedes the first record.
    #[error("The records begin at {first}; ask for a later time")]
    BeforeFirst {
        /// Time of the first record.
        first: Timestamp,
    },
    /// The time is in the future.
    #[error("{at} is in the future; ask for an earlier time")]
    Future {
        /// The requested time.
        at: Timestamp,
    },
    /// The start of the time is after its end.
    #[error("The start {from} is after the end {to}; swap them")]
    Order {
        /// Start.
        from: Timestamp,
        /// End.
        to: Timestamp,
    },
    /// The records of this time are damaged.
    #[error("The records after {until} are damaged{}", .from.map_or_else(|| "; ask for a time before it".to_owned(), |from| format!(" until {from}; ask for a time before or after it")))]
    Damaged {
        /// Time of the last readable record.
        until: Timestamp,
        /// Time of the next readable one.
        from: Option<Timestamp>,
    },
    /// No scope matches the selection.
    #[error("No token matches; select one of these with scope: {names}")]
    UnknownScope {
        /// Names of all scopes.
        names: String,
    },
    /// Scopes of several environments match the selection.
    #[error("There are tokens of several environments; select one with environment or scope: {names}")]
    AmbiguousScope {
        /// Names of the scopes.
        names: String,
    },
    /// The upstream refused the token at this time.
    #[error(
        "The flag service refused the token {scope} since {since}, so that its SDKs got no toggles; ask for an earlier time"
    )]
    Refused {
        /// Name of the scope.
        scope: String,
        /// Time of the refusal.
        since: Timestamp,
    },
    /// A file cannot be read.
    #[error("{} cannot be read: {cause}", .path.display())]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// The cause.
        cause: io::Error,
    },
}

/// Reads the folder of a recorder.
#[derive(Debug, Clone)]
pub struct Reader {
    folder: PathBuf,
    /// State of the process that records, if it is this one.
    recording: Option<RecorderState>,
}

/// The state at a time, and the time without records that contains it.
struct Found {
    state: State,
    gap: Option<Resumed>,
    /// True if no record follows the gap.
    is_last: bool,
    /// Position of the file.
    index: usize,
}

/// The first and the last state of an item.
struct Entry {
    kind: ItemKind,
    before: Option<Arc<Item>>,
    after: Option<Arc<Item>>,
    count: u32,
    first: ChangeInterval,
    last: ChangeInterval,
}

impl Reader {
    /// Creates the reader of a folder. `recording` is the state of the process that records, if it is this one.
    #[must_use]
    pub fn new(folder: &Path, recording: Option<RecorderState>) -> Self {
        Self { folder: folder.to_owned(), recording }
    }

    /// Reads the state at a time.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn state_at(&self, at: Timestamp, selection: &Selection) -> Result<PastState, ReadError> {
        repeat_if_removed(|| self.read_state(at, selection))
    }

    fn read_state(&self, at: Timestamp, selection: &Selection) -> Result<PastState, ReadError> {
        let files = self.list()?;
        let Found { state, gap, is_last, .. } = self.find(&files, at)?;
        if state.scopes.is_empty() {
            return Err(ReadError::Empty);
        }
        let (scope, others) = select(&state.scopes, selection)?;
        scope.check_accepted()?;
        let texts = |items: &Items| items.iter().map(|item| item.text.clone()).collect();
        Ok(PastState {
            version: 1,
            features: texts(&scope.toggles),
            segments: texts(&scope.segments),
            recording: PastTime {
                at: at.to_string(),
                scope: scope.scope.clone(),
                other_scopes: others,
                since: scope.since.into(),
                gap: gap.map(|gap| Gap::new(gap, is_last)),
            },
        })
    }

    /// Reads the changes after one time and up to another one.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn changes(
        &self,
        from: Timestamp,
        to: Timestamp,
        selection: &Selection,
    ) -> Result<PastChanges, ReadError> {
        repeat_if_removed(|| self.read_changes(from, to, selection))
    }

    fn read_changes(
        &self,
        from: Timestamp,
        to: Timestamp,
        selection: &Selection,
    ) -> Result<PastChanges, ReadError> {
        if from > to {
            return Err(ReadError::Order { from, to });
        }
        let files = self.list()?;
        let start = self.find(&files, from)?;
        let (scope, other_scopes) = match self.find(&files, to) {
            Ok(end) if end.state.scopes.is_empty() => return Err(ReadError::Empty),
            Ok(end) => select_owned(&end.state.scopes, selection)?,
            // The readable changes are still of interest.
            Err(ReadError::Damaged { .. }) => select_owned(&start.state.scopes, selection)?,
            Err(error) => return Err(error),
        };
        let mut changes = Changes::new(&scope, start.state, format::millis(from)..=format::millis(to));
        for (offset, file) in files.iter().skip(start.index).enumerate() {
            if file.time() > changes.end() {
                break;
            }
            changes.read_file(file, offset == 0)?;
        }
        changes.finish(self.recording.as_ref());
        let Changes { entries, gaps, missed, .. } = changes;
        let mut entries: Vec<_> = entries.into_values().collect();
        entries.sort_by_key(|entry| (entry.last.by, entry.first.by));
        let listed = count_listed(&entries);
        let is_truncated = entries.len() > listed;
        entries.truncate(listed);
        Ok(PastChanges {
            from: from.to_string(),
            to: to.to_string(),
            scope,
            other_scopes,
            changes: entries.into_iter().filter_map(Entry::describe).collect(),
            is_truncated,
            missed,
            gaps,
        })
    }

    /// Returns the time of the first record.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn first(&self) -> Result<Timestamp, ReadError> {
        let files = self.list()?;
        let first = files.iter().find(|file| file.head.is_some()).map(SegmentFile::time);
        first.map(timestamp).ok_or(ReadError::Empty)
    }

    /// Returns the status of the recorder. `now` is the current time.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn status(&self, now: Timestamp) -> Result<RecorderStatus, ReadError> {
        let scopes = match self.scopes(now) {
            Err(ReadError::Empty | ReadError::Damaged { .. } | ReadError::BeforeFirst { .. }) => Vec::new(),
            result => result?,
        };
        let RecorderState { failing, range, bytes, missed } = self.recording.clone().unwrap_or_default();
        let text = |time: u64| timestamp(time).to_string();
        let (failing_since, cause) = failing.unzip();
        Ok(RecorderStatus {
            first_record: range.map(|(first, _)| text(first)),
            last_record: range.map(|(_, last)| text(last)),
            failing_since: failing_since.map(text),
            cause,
            bytes,
            missed,
            scopes,
        })
    }

    /// Returns all scopes of the newest state.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn scopes(&self, now: Timestamp) -> Result<Vec<Scope>, ReadError> {
        let state = self.find(&self.list()?, now)?.state;
        Ok(state.scopes.into_iter().map(|state| state.scope).collect())
    }

    fn list(&self) -> Result<Vec<SegmentFile>, ReadError> {
        let files = segments::list(&self.folder)
            .map_err(|cause| ReadError::Io { path: self.folder.clone(), cause })?;
        if files.iter().all(|file| file.head.is_none()) {
            return Err(ReadError::Empty);
        }
        Ok(files)
    }

    /// Finds the state at a time.
    fn find(&self, files: &[SegmentFile], at: Timestamp) -> Result<Found, ReadError> {
        // The clock of the client may be a little ahead.
        if at > Timestamp::now() + jiff::SignedDuration::from_secs(1) {
            return Err(ReadError::Future { at });
        }
        let time = format::millis(at);
        let readable = || files.iter().enumerate().filter(|(_, file)| file.head.is_some());
        let before = readable().rfind(|(_, file)| file.time() <= time);
        let Some((index, file)) = before else {
            let first = readable().map(|(_, file)| file.time()).min().unwrap_or_default();
            return Err(ReadError::BeforeFirst { first: timestamp(first) });
        };
        let content = read_file(file)?;
        let mut records = Records::new(&content);
        let (mut state, mut following, mut is_complete) = (State::default(), None, false);
        while let Some(record) = records.next() {
            if record.time().is_some_and(|record| record > time) {
                following = Some(record);
                break;
            }
            is_complete |= matches!(record, Record::Complete(_));
            if !state.apply(record) {
                records.set_damaged();
            }
        }
        let next = readable().find(|(other, _)| *other > index).map(|(_, file)| file);
        let damaged = |until: u64| ReadError::Damaged {
            until: timestamp(until),
            from: next.map(|next| timestamp(next.time())),
        };
        if !is_complete {
            return Err(damaged(state.time));
        }
        let (mut gap, mut is_last) = (None, false);
        match (following, next.and_then(|next| next.head.as_ref())) {
            (Some(Record::Resumed(resumed)), _) => gap = Some(resumed),
            (Some(_), _) => {}
            (None, Some(next)) => {
                let has_lost_records = records.end() == End::Damaged || next.sequence != state.sequence;
                if has_lost_records && time > state.time {
                    return Err(damaged(state.time));
                }
                gap = next.resumed;
            }
            (None, None) => {
                is_last = true;
                if records.end() == End::Damaged && time > state.time {
                    return Err(damaged(state.time));
                }
                gap = match &self.recording {
                    Some(RecorderState { failing: None, .. }) => None,
                    Some(RecorderState { failing: Some((since, _)), .. }) => {
                        Some(Resumed { from: *since, time: u64::MAX, reason: GapReason::NotWritten })
                    }
                    None => {
                        Some(Resumed { from: state.time, time: u64::MAX, reason: GapReason::NotConfirmed })
                    }
                };
            }
        }
        let gap = gap.filter(|gap| gap.from < time && time < gap.time);
        Ok(Found { state, gap, is_last, index })
    }
}

/// The changes of a scope between two times, while its files are read.
struct Changes<'s> {
    scope: &'s Scope,
    range: std::ops::RangeInclusive<u64>,
    state: State,
    /// Toggles and segments after the last record.
    toggles: Items,
    segments: Items,
    entries: BTreeMap<(bool, String), Entry>,
    gaps: Vec<Gap>,
    missed: u64,
    refused: Option<u64>,
    /// True if the state of the scope is known since the start.
    is_known: bool,
    /// True if the end of the last file was damaged.
    is_damaged: bool,
    /// True if a record after the end was read.
    is_over: bool,
}

impl<'s> Changes<'s> {
    fn new(scope: &'s Scope, state: State, range: std::ops::RangeInclusive<u64>) -> Self {
        let known = state.find(&scope.id).and_then(|index| state.scopes.get(index));
        let (toggles, segments) =
            known.map(|known| (known.toggles.clone(), known.segments.clone())).unwrap_or_default();
        let (refused, is_known) = (known.and_then(|known| known.refused), known.is_some());
        Self {
            scope,
            range,
            toggles,
            segments,
            state,
            entries: BTreeMap::new(),
            gaps: Vec::new(),
            missed: 0,
            refused,
            is_known,
            is_damaged: false,
            is_over: false,
        }
    }

    fn end(&self) -> u64 {
        *self.range.end()
    }

    /// Reads a file. The first one contains records before the start, too.
    fn read_file(&mut self, file: &SegmentFile, is_first: bool) -> Result<(), ReadError> {
        let content = read_file(file)?;
        let mut records = Records::new(&content);
        let last = std::mem::take(&mut self.state);
        self.state.time = 0;
        while let Some(record) = records.next() {
            let time = record.time();
            if time.is_some_and(|time| time > self.end()) {
                if let Record::Resumed(resumed) = record {
                    self.add_gap(resumed);
                }
                self.is_over = true;
                return Ok(());
            }
            match &record {
                Record::File(head) if !is_first => {
                    if let Some(resumed) = head.resumed {
                        self.add_gap(resumed);
                    }
                    if self.is_damaged || head.sequence != last.sequence {
                        let reason = GapReason::Damaged;
                        self.add_gap(Resumed { from: last.time, time: head.time, reason });
                    }
                }
                Record::Resumed(resumed) => self.add_gap(*resumed),
                Record::Changed(change) if self.range.contains(&change.interval.by) => {
                    self.missed += change.missed;
                }
                _ => {}
            }
            let is_change = match &record {
                Record::Changed(_) | Record::Refused { .. } => {
                    time.is_some_and(|time| time > *self.range.start())
                }
                Record::Complete(_) => !is_first,
                _ => false,
            };
            let is_complete = matches!(record, Record::Complete(_));
            if !self.state.apply(record) {
                records.set_damaged();
            } else if is_change {
                self.compare(is_complete, last.time);
            }
        }
        self.is_damaged = records.end() == End::Damaged;
        if self.is_damaged && self.state.scopes.is_empty() {
            self.state = last;
        }
        Ok(())
    }

    /// Compares the scope with its state before the last record.
    fn compare(&mut self, is_complete: bool, last_time: u64) {
        let Some(ScopeState { toggles, segments, since, refused, .. }) =
            self.state.find(&self.scope.id).and_then(|index| self.state.scopes.get(index)).cloned()
        else {
            return;
        };
        // Records before a complete state can be lost. The state before is known until the last readable record.
        let interval =
            if is_complete { ChangeInterval { after: Some(last_time), by: self.state.time } } else { since };
        if let (Some(from), None) = (self.refused, refused) {
            self.add_gap(Resumed { from, time: interval.by, reason: GapReason::Refused });
        }
        self.refused = refused;
        if !std::mem::replace(&mut self.is_known, true) {
            let (from, reason) = (*self.range.start(), GapReason::NotRequested);
            self.add_gap(Resumed { from, time: interval.by, reason });
            (self.toggles, self.segments) = (toggles, segments);
            return;
        }
        self.add(ItemKind::Toggle, &toggles, interval);
        self.add(ItemKind::Segment, &segments, interval);
    }

    fn add(&mut self, kind: ItemKind, new: &Items, interval: ChangeInterval) {
        let known = match kind {
            ItemKind::Toggle => &mut self.toggles,
            ItemKind::Segment => &mut self.segments,
        };
        let (changed, removed) = known.difference(new);
        let old = std::mem::replace(known, new.clone());
        for key in changed.iter().map(|item| item.key.clone()).chain(removed) {
            let before = old.get(&key).cloned();
            let after = new.get(&key).cloned();
            let entry = self.entries.entry((kind == ItemKind::Segment, key)).or_insert_with(|| Entry {
                kind,
                before,
                after: None,
                count: 0,
                first: interval,
                last: interval,
            });
            (entry.after, entry.last) = (after, interval);
            entry.count = entry.count.saturating_add(1);
        }
    }

    fn add_gap(&mut self, gap: Resumed) {
        if gap.time > *self.range.start() && gap.from < self.end() {
            self.gaps.push(Gap::new(gap, false));
        }
    }

    /// Adds the gaps at the end.
    fn finish(&mut self, recording: Option<&RecorderState>) {
        let (from, end) = (self.state.time, self.end());
        let mut add = |from: u64, reason| {
            if from < end {
                self.gaps.push(Gap::new(Resumed { from, time: u64::MAX, reason }, true));
            }
        };
        if let Some(refused) = self.refused {
            add(refused, GapReason::Refused);
        }
        if self.is_over {
            return;
        }
        match recording {
            _ if self.is_damaged => add(from, GapReason::Damaged),
            Some(RecorderState { failing: Some((since, _)), .. }) => add(*since, GapReason::NotWritten),
            Some(_) => {}
            None => add(from, GapReason::NotConfirmed),
        }
    }
}

/// Returns the number of changes that fit into the response.
fn count_listed(entries: &[Entry]) -> usize {
    let mut bytes = 0_usize;
    let fits = entries.iter().take(MAX_CHANGES).take_while(|entry| {
        bytes = bytes.saturating_add(entry.size());
        bytes <= MAX_CHANGED_BYTES
    });
    fits.count().max(entries.len().min(1))
}

impl Entry {
    /// Returns the size of both states in bytes.
    fn size(&self) -> usize {
        [&self.before, &self.after].into_iter().flatten().map(|item| item.text.get().len()).sum()
    }

    /// Returns the entry of the response.
    fn describe(self) -> Option<PastChange> {
        let Self { kind, before, after, count, first, last } = self;
        let item = after.as_ref().or(before.as_ref())?;
        let summary = summary::describe(
            before.as_ref().map(|item| &*item.text),
            after.as_ref().map(|item| &*item.text),
        );
        let (kind, name) = match kind {
            ItemKind::Toggle => ("toggle", item.key.clone()),
            ItemKind::Segment => {
                ("segment", summary::name_of(&item.text).unwrap_or_else(|| item.key.clone()))
            }
        };
        let text = |item: Option<Arc<Item>>| item.map(|item| item.text.clone());
        Some(PastChange {
            kind,
            name,
            summary,
            before: text(before),
            after: text(after),
            count,
            first: first.into(),
            last: last.into(),
        })
    }
}

impl Gap {
    fn new(Resumed { from, time, reason }: Resumed, is_open: bool) -> Self {
        Self {
            from: timestamp(from).to_string(),
            to: (!is_open).then(|| timestamp(time).to_string()),
            reason,
        }
    }
}

impl From<ChangeInterval> for Interval {
    fn from(ChangeInterval { after, by }: ChangeInterval) -> Self {
        Self { after: after.map(|after| timestamp(after).to_string()), by: timestamp(by).to_string() }
    }
}

/// Reads again if a process has removed an old file since the files were listed.
fn repeat_if_removed<T>(read: impl Fn() -> Result<T, ReadError>) -> Result<T, ReadError> {
    match read() {
        Err(ReadError::Io { cause, .. }) if cause.kind() == ErrorKind::NotFound => read(),
        result => result,
    }
}

fn read_file(file: &SegmentFile) -> Result<Vec<u8>, ReadError> {
    fs::read(&file.path).map_err(|cause| ReadError::Io { path: file.path.clone(), cause })
}

/// Selects the scope. If several tokens of one environment match, the one that receives most toggles is selected.
fn select<'s>(
    scopes: &'s [ScopeState],
    selection: &Selection,
) -> Result<(&'s ScopeState, Vec<Scope>), ReadError> {
    let matches = |state: &&ScopeState| {
        let Scope { id, name, environment, .. } = &state.scope;
        selection.scope.as_ref().is_none_or(|selected| selected == id || selected == name)
            && (selection.environment.is_none() || selection.environment == *environment)
    };
    let mut found: Vec<_> = scopes.iter().filter(matches).collect();
    // Tokens that are still accepted first.
    found.sort_by_key(|state| {
        (state.refused.is_some(), Reverse(state.toggles.len()), Reverse(state.scope.lists_segments))
    });
    let names = |scopes: &[&ScopeState]| {
        let names: Vec<_> = scopes.iter().take(20).map(|state| state.scope.describe()).collect();
        names.join(", ")
    };
    let Some((first, others)) = found.split_first() else {
        return Err(ReadError::UnknownScope { names: names(&scopes.iter().collect::<Vec<_>>()) });
    };
    if others.iter().any(|other| other.scope.environment != first.scope.environment) {
        return Err(ReadError::AmbiguousScope { names: names(&found) });
    }
    Ok((first, others.iter().map(|state| state.scope.clone()).collect()))
}

fn select_owned(scopes: &[ScopeState], selection: &Selection) -> Result<(Scope, Vec<Scope>), ReadError> {
    select(scopes, selection).map(|(state, others)| (state.scope.clone(), others))
}

impl ScopeState {
    /// Fails while the upstream refuses the token.
    fn check_accepted(&self) -> Result<(), ReadError> {
        let refuse = |since| ReadError::Refused { scope: self.scope.name.clone(), since: timestamp(since) };
        self.refused.map_or(Ok(()), |since| Err(refuse(since)))
    }
}

impl Scope {
    /// Returns the identifier and the name.
    fn describe(&self) -> String {
        let Self { id, name, query, .. } = self;
        if query.is_empty() { format!("{id} ({name})") } else { format!("{id} ({name}?{query})") }
    }
}
