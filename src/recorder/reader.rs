//! Reads the state at a time, and the changes between two times, while a process records and while none runs.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;

use super::definitions::{ItemKey, ItemKind};
use super::rows::Range;
use super::scope::{ChangeInterval, GapReason, Scope, timestamp};
use super::summary;
use super::writer::SHARED_ALIVE_INTERVAL;
use crate::database::{StoreError, Transaction};
use crate::error::ApiError;
use crate::number::{to_i64, to_millis};

/// Maximum number of toggles and segments in a list of changes.
pub const MAX_CHANGES: usize = 1_000;
/// Maximum size of the states in a list of changes, in bytes. The first change is always listed.
pub const MAX_CHANGED_BYTES: usize = 8 << 20;

/// Time for a transaction of the recorder on a busy server.
const TRANSACTION_TIME: Duration = Duration::from_secs(2);

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
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    /// Approximate size of all records in bytes.
    pub bytes: u64,
    /// Number of changes since the start that were not recorded, because later ones arrived before they could be written.
    pub missed: u64,
    /// Scopes that can be selected.
    pub scopes: Vec<Scope>,
}

/// The state at a time, in the format of an export.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PastState {
    /// Version of the format of exports: 1.
    pub version: u32,
    /// Toggles as SDKs got them, sorted by name.
    #[cfg_attr(test, schemars(with = "Vec<serde_json::Map<String, serde_json::Value>>"))]
    pub features: Vec<Box<RawValue>>,
    /// Segments as SDKs got them.
    #[cfg_attr(test, schemars(with = "Vec<serde_json::Map<String, serde_json::Value>>"))]
    pub segments: Vec<Box<RawValue>>,
    /// The recorded time and scope.
    pub recording: PastTime,
}

/// The time and the scope of a recorded state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Interval {
    /// Last time at which the state before was confirmed; null if it is not known.
    pub after: Option<String>,
    /// Time from which this process served the new state.
    pub by: String,
}

/// A time without records. Changes in it are known only by their result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PastChange {
    /// `toggle` or `segment`.
    pub kind: &'static str,
    /// Name of the toggle or segment.
    pub name: String,
    /// The change in words, such as `switched off`.
    pub summary: String,
    /// State before the first change; null if it did not exist.
    #[cfg_attr(test, schemars(with = "Option<serde_json::Map<String, serde_json::Value>>"))]
    pub before: Option<Box<RawValue>>,
    /// State after the last change; null if it does not exist any more.
    #[cfg_attr(test, schemars(with = "Option<serde_json::Map<String, serde_json::Value>>"))]
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
    /// There are no records.
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
    /// The records of this time were removed.
    #[error(
        "The records before {first} were removed, because all of them were too large; ask for a later time"
    )]
    Removed {
        /// Time of the first record that was kept.
        first: Timestamp,
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
    /// The database cannot be read.
    #[error("{0}")]
    Database(#[from] ApiError),
}

impl From<StoreError> for ReadError {
    fn from(cause: StoreError) -> Self {
        Self::Database(cause.into())
    }
}

/// The state of a running recorder, for reads of its records.
#[derive(Debug, Clone, Default)]
pub struct RecorderState {
    /// Time since which the recorder cannot write, and the cause. Milliseconds since 1970.
    pub failing: Option<(i64, String)>,
    /// Approximate size of all records in bytes.
    pub bytes: u64,
    /// Number of changes that were not recorded since the start.
    pub missed: u64,
}

/// Reads records in a transaction.
#[derive(Debug)]
pub struct Reader<'t> {
    tx: &'t Transaction<'t>,
    /// State of the process that records, if it is this one.
    recording: Option<RecorderState>,
}

/// The JSON of an item; `None` if it does not exist.
type ItemState = Option<Box<RawValue>>;

/// A time without records. Times are milliseconds since 1970.
#[derive(Debug, Clone, Copy)]
struct Hole {
    from: i64,
    /// `None` if no record follows.
    to: Option<i64>,
    reason: GapReason,
}

/// The versions of an item in a time.
struct Entry {
    key: ItemKey,
    /// The last stored item; `None` if it does not exist any more.
    after: Option<i64>,
    count: u32,
    first: ChangeInterval,
    last: ChangeInterval,
}

impl<'t> Reader<'t> {
    /// Creates the reader. `recording` is the state of the process that records, if it is this one.
    #[must_use]
    pub fn new(tx: &'t Transaction<'t>, recording: Option<RecorderState>) -> Self {
        Self { tx, recording }
    }

    /// Reads the state at a time, or the last one.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn state_at(&self, at: Option<Timestamp>, selection: &Selection) -> Result<PastState, ReadError> {
        let ranges = self.tx.list_ranges()?;
        let time = match at {
            Some(at) => at.as_millisecond(),
            // While the clock is behind, the last records are in the future.
            None => ranges.last().map_or(0, |last| last.until).max(Timestamp::now().as_millisecond()),
        };
        let gap = self.find_hole(&ranges, time)?;
        let (scope, other_scopes) = self.select(selection, time)?;
        let range = self.check_accepted(&scope, time)?;
        let mut items = self.tx.list_items_at(&scope.id, time)?;
        items.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let (mut features, mut segments) = (Vec::new(), Vec::new());
        for ((kind, _), text) in items {
            let items = if kind == ItemKind::Toggle { &mut features } else { &mut segments };
            items.push(parse(text)?);
        }
        let accepted = ChangeInterval { after: None, by: range.since };
        let changed = self.tx.find_last_change(&scope.id, time)?.filter(|change| change.by >= accepted.by);
        Ok(PastState {
            version: 1,
            features,
            segments,
            recording: PastTime {
                at: at.unwrap_or_else(|| timestamp(time)).to_string(),
                scope,
                other_scopes,
                since: changed.unwrap_or(accepted).into(),
                gap: gap.map(Gap::from),
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
        if from > to {
            return Err(ReadError::Order { from, to });
        }
        let (start, end) = (from.as_millisecond(), to.as_millisecond());
        let ranges = self.tx.list_ranges()?;
        for time in [start, end] {
            self.find_hole(&ranges, time)?;
        }
        let (scope, other_scopes) = self.select(selection, end)?;
        let mut holes = self.list_holes(&ranges, start, end);
        let of_scope = self.tx.list_ranges_of_scope(&scope.id, end)?;
        // The first list of a scope is no change.
        let known = of_scope.first().map_or(start, |first| first.since);
        if known > start {
            holes.push(Hole { from: start, to: Some(known), reason: GapReason::NotRequested });
        }
        for (index, range) in of_scope.iter().enumerate().filter(|(_, range)| range.reason.is_some()) {
            let next = of_scope.get(index + 1).map(|next| next.since);
            let hole = Hole { from: range.until, to: next, reason: GapReason::Refused };
            holes.extend((hole.from < end && next.is_none_or(|next| next > start)).then_some(hole));
        }
        let start = start.max(known);
        let mut entries = self.list_entries(&scope, start, end)?;
        entries.sort_by_key(|entry| (entry.last.by, entry.first.by));
        let (mut changes, mut bytes, mut is_truncated) = (Vec::new(), 0_usize, false);
        for entry in entries {
            let (before, after) = self.read_states(&scope, &entry, start)?;
            let texts = [&before, &after].into_iter().flatten();
            bytes = texts.fold(bytes, |bytes, text| bytes.saturating_add(text.get().len()));
            if changes.len() >= MAX_CHANGES || (bytes > MAX_CHANGED_BYTES && !changes.is_empty()) {
                is_truncated = true;
                break;
            }
            changes.extend(entry.describe(before, after));
        }
        Ok(PastChanges {
            from: from.to_string(),
            to: to.to_string(),
            missed: self.tx.count_missed(&scope.id, start, end)?.try_into().unwrap_or_default(),
            scope,
            other_scopes,
            changes,
            is_truncated,
            gaps: holes.into_iter().map(Gap::from).collect(),
        })
    }

    fn list_entries(&self, scope: &Scope, start: i64, end: i64) -> Result<Vec<Entry>, ReadError> {
        let mut entries = BTreeMap::<ItemKey, Entry>::new();
        for version in self.tx.list_versions(&scope.id, start, end)? {
            let (key, interval) = (version.key, version.interval);
            let entry = entries.entry(key.clone()).or_insert_with(|| Entry {
                key,
                after: None,
                count: 0,
                first: interval,
                last: interval,
            });
            (entry.after, entry.last) = (version.item, interval);
            entry.count = entry.count.saturating_add(1);
        }
        Ok(entries.into_values().collect())
    }

    /// Returns the states of an item before and after its changes.
    fn read_states(
        &self,
        scope: &Scope,
        entry: &Entry,
        start: i64,
    ) -> Result<(ItemState, ItemState), ReadError> {
        let read = |item: Option<i64>| {
            let text = item.map(|item| self.tx.find_item(item)).transpose()?.flatten();
            text.map(parse).transpose()
        };
        let before = self.tx.find_item_at(&scope.id, &entry.key, start)?;
        Ok((read(before)?, read(entry.after)?))
    }

    /// Returns the time of the first record.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn first(&self) -> Result<Timestamp, ReadError> {
        first_readable(&self.tx.list_ranges()?).map(timestamp).ok_or(ReadError::Empty)
    }

    /// Returns the status of the recorder.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn status(&self) -> Result<RecorderStatus, ReadError> {
        let ranges = self.tx.list_ranges()?;
        Ok(RecorderStatus::new(&ranges, self.tx.list_scopes()?, self.recording.clone().unwrap_or_default()))
    }

    /// Finds the time without records that contains a time.
    fn find_hole(&self, ranges: &[Range], time: i64) -> Result<Option<Hole>, ReadError> {
        let first = first_readable(ranges).ok_or(ReadError::Empty)?;
        // The clock of the client may be a little ahead, and that of the recorder was.
        let last = ranges.last().map_or(0, |last| last.until);
        if time > last.max(Timestamp::now().as_millisecond() + 1_000) {
            return Err(ReadError::Future { at: timestamp(time) });
        }
        let is_before = ranges.first().is_none_or(|first| time < first.since);
        if is_before {
            return Err(ReadError::BeforeFirst { first: timestamp(first) });
        }
        if time < first {
            return Err(ReadError::Removed { first: timestamp(first) });
        }
        let holes = self.list_holes(ranges, time, time);
        Ok(holes.into_iter().find(|hole| hole.from < time && hole.to.is_none_or(|to| time < to)))
    }

    /// Returns the times without records between two times.
    fn list_holes(&self, ranges: &[Range], start: i64, end: i64) -> Vec<Hole> {
        let mut holes: Vec<_> = ranges
            .iter()
            .zip(ranges.iter().skip(1))
            .filter_map(|(range, next)| {
                Some(Hole { from: range.until, to: Some(next.since), reason: range.reason? })
            })
            .collect();
        let open = match &self.recording {
            None => {
                let alive_since = Timestamp::now().as_millisecond()
                    - to_i64(to_millis(SHARED_ALIVE_INTERVAL + TRANSACTION_TIME));
                let last = ranges.last().filter(|last| last.until < alive_since);
                last.map(|last| (last.until, GapReason::NotConfirmed))
            }
            Some(RecorderState { failing, .. }) => {
                failing.as_ref().map(|(since, _)| (*since, GapReason::NotWritten))
            }
        };
        holes.extend(open.map(|(from, reason)| Hole { from, to: None, reason }));
        holes.retain(|hole| hole.from < end && hole.to.is_none_or(|to| to > start));
        holes
    }

    /// Selects the scope. If several tokens of one environment match, the one that receives most toggles is selected.
    fn select(&self, selection: &Selection, time: i64) -> Result<(Scope, Vec<Scope>), ReadError> {
        let ranges = self.tx.list_last_ranges(time)?;
        let mut scopes = self.tx.list_scopes()?;
        scopes.retain(|scope| ranges.contains_key(&scope.id));
        if scopes.is_empty() {
            return Err(ReadError::Empty);
        }
        let names = |scopes: &[Scope]| {
            let names: Vec<_> = scopes.iter().take(20).map(Scope::describe).collect();
            names.join(", ")
        };
        let all = names(&scopes);
        scopes.retain(|scope| {
            let Scope { id, name, environment, .. } = scope;
            selection.scope.as_ref().is_none_or(|selected| selected == id || selected == name)
                && (selection.environment.is_none() || selection.environment == *environment)
        });
        // Tokens that are still accepted first.
        scopes.sort_by_key(|scope| ranges.get(&scope.id).is_some_and(|range| is_refused(range, time)));
        let matching = names(&scopes);
        let mut scopes = scopes.into_iter();
        let Some(first) = scopes.next() else { return Err(ReadError::UnknownScope { names: all }) };
        let others: Vec<_> = scopes.collect();
        if others.iter().any(|other| other.environment != first.environment) {
            return Err(ReadError::AmbiguousScope { names: matching });
        }
        Ok((first, others))
    }

    /// Returns the range of a scope that contains a time. Fails while the upstream refuses the token.
    fn check_accepted(&self, scope: &Scope, time: i64) -> Result<Range, ReadError> {
        let range = self.tx.list_ranges_of_scope(&scope.id, time)?.pop().ok_or(ReadError::Empty)?;
        if is_refused(&range, time) {
            return Err(ReadError::Refused { scope: scope.name.clone(), since: timestamp(range.until) });
        }
        Ok(range)
    }
}

impl RecorderStatus {
    /// Creates the status of a recorder with these ranges.
    pub(super) fn new(ranges: &[Range], scopes: Vec<Scope>, recording: RecorderState) -> Self {
        let RecorderState { failing, bytes, missed } = recording;
        let text = |time: i64| timestamp(time).to_string();
        let (failing_since, cause) = failing.unzip();
        Self {
            first_record: first_readable(ranges).map(text),
            last_record: ranges.last().map(|last| text(last.until)),
            failing_since: failing_since.map(text),
            cause,
            bytes,
            missed,
            scopes,
        }
    }
}

/// Returns true if a time is after the end of a scope's last range.
fn is_refused(range: &Range, time: i64) -> bool {
    range.reason.is_some() && range.until <= time
}

/// Returns the time of the first record that was not removed.
fn first_readable(ranges: &[Range]) -> Option<i64> {
    ranges.iter().find(|range| range.reason != Some(GapReason::TooLarge)).map(|range| range.since)
}

/// Parses the text of an item.
fn parse(text: Vec<u8>) -> Result<Box<RawValue>, ReadError> {
    let text = String::from_utf8(text).map_err(ApiError::internal)?;
    Ok(RawValue::from_string(text).map_err(ApiError::internal)?)
}

impl Entry {
    /// Returns the entry of the response; `None` for an item that existed only in between.
    fn describe(self, before: ItemState, after: ItemState) -> Option<PastChange> {
        let Self { key: (kind, key), count, first, last, .. } = self;
        let item = after.as_ref().or(before.as_ref())?;
        let summary = summary::describe(before.as_deref(), after.as_deref());
        let (kind, name) = match kind {
            ItemKind::Toggle => ("toggle", key),
            ItemKind::Segment => ("segment", summary::name_of(item).unwrap_or(key)),
        };
        Some(PastChange { kind, name, summary, before, after, count, first: first.into(), last: last.into() })
    }
}

impl From<Hole> for Gap {
    fn from(Hole { from, to, reason }: Hole) -> Self {
        Self { from: timestamp(from).to_string(), to: to.map(|to| timestamp(to).to_string()), reason }
    }
}

impl From<ChangeInterval> for Interval {
    fn from(ChangeInterval { after, by }: ChangeInterval) -> Self {
        Self { after: after.map(|after| timestamp(after).to_string()), by: timestamp(by).to_string() }
    }
}
