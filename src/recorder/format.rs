//! The records, and the frames in which files contain them.
//!
//! A file starts with [`MAGIC`]. A frame is the length of its payload (4 bytes, little-endian), the first 8 bytes of the SHA-256
//! of the payload, and the payload: one byte for the encoding, and the record as JSON. A reader stops at the first frame that is
//! incomplete or has another hash.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use jiff::Timestamp;
use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::number::to_u64;

/// First bytes of a file: the format and its version.
pub(super) const MAGIC: &[u8; 8] = b"FDREC01\n";
/// Bytes before the payload of a frame.
const HEAD: usize = 12;
/// Maximum size of a record. The complete state of 1,000 tokens with 10,000 toggles of their own is the limit of the replica.
const MAX_RECORD: u64 = 1 << 30;
/// Encoding of a payload: JSON, or JSON compressed with zlib.
const PLAIN: u8 = 0;
const COMPRESSED: u8 = 1;
/// Shorter records are not compressed.
const MIN_COMPRESSED: usize = 128;

/// A selection of toggles: everything that one token receives for one query.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema), schemars(rename = "RecordedScope"))]
#[serde(rename_all = "camelCase")]
pub struct Scope {
    /// Stable identifier, which contains no credential.
    pub id: String,
    /// Projects and environment of the token, such as `*:production`, or its last characters.
    pub name: String,
    /// Environment of the token; null if its server has none.
    pub environment: Option<String>,
    /// Query that selects toggles, such as `project=shop`; empty for all.
    pub query: String,
    /// True if segments are listed, and false if their constraints are part of the strategies.
    pub lists_segments: bool,
}

/// The time of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChangeInterval {
    /// Last time at which the state before was confirmed; null if it is not known. Milliseconds since 1970.
    pub after: Option<u64>,
    /// Time from which this process served the new state. Milliseconds since 1970.
    pub by: u64,
}

/// A record. Times are milliseconds since 1970.
#[derive(Debug, Serialize, Deserialize)]
#[expect(clippy::large_enum_variant, reason = "one record is in memory at a time")]
pub(super) enum Record {
    /// The first record of each file.
    File(FileHead),
    /// The complete state at the start of a file, its second record.
    Complete(Complete),
    /// New definitions of a scope.
    Changed(Change),
    /// The upstream refuses the token of a scope: its SDKs got no toggles from this time on.
    Refused { sequence: u64, time: u64, scope: usize },
    /// The recorder is alive, and the scopes at these positions were confirmed at these times.
    Alive { time: u64, confirmed: Vec<(usize, u64)> },
    /// The end of a time without records: the process did not run, or could not write.
    Resumed(Resumed),
}

/// The end of a time without records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Resumed {
    pub(super) from: u64,
    pub(super) time: u64,
    pub(super) reason: GapReason,
}

/// The reason for a time without records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum GapReason {
    /// The process did not run.
    NotRunning,
    /// The recorder could not write, for example because the disk was full.
    NotWritten,
    /// The file is damaged.
    Damaged,
    /// There is no later record: the process ended, or has not confirmed the state yet.
    NotConfirmed,
    /// The upstream refused the token, so that its SDKs got no toggles.
    Refused,
    /// No SDK had requested these toggles before.
    NotRequested,
}

/// The first record of a file, which is short, so that the file for a time is found without reading complete states.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct FileHead {
    /// Number of the file.
    pub(super) number: u64,
    pub(super) time: u64,
    /// Number of the last change before this file.
    pub(super) sequence: u64,
    /// Salt of the identifiers of scopes.
    pub(super) salt: String,
    /// The end of a time without records before this file.
    pub(super) resumed: Option<Resumed>,
}

/// The complete state.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Complete {
    pub(super) toggles: Vec<Box<RawValue>>,
    pub(super) segments: Vec<Box<RawValue>>,
    pub(super) scopes: Vec<CompleteScope>,
}

/// The complete state of a scope. Items are positions in the lists of the file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct CompleteScope {
    pub(super) scope: Scope,
    pub(super) since: ChangeInterval,
    pub(super) confirmed: u64,
    pub(super) refused: Option<u64>,
    pub(super) toggles: Vec<usize>,
    pub(super) segments: Vec<usize>,
}

/// New definitions of a scope.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Change {
    pub(super) sequence: u64,
    pub(super) interval: ChangeInterval,
    /// Position of the scope. A new scope has the next position.
    pub(super) scope: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) new_scope: Option<Scope>,
    /// Number of changes before this one that were not recorded.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) missed: u64,
    #[serde(default, skip_serializing_if = "ItemChange::is_empty")]
    pub(super) toggles: ItemChange,
    #[serde(default, skip_serializing_if = "ItemChange::is_empty")]
    pub(super) segments: ItemChange,
}

/// Changed and removed items.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct ItemChange {
    /// Items that the file does not contain yet. They get the next positions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) new: Vec<Box<RawValue>>,
    /// Positions of the changed items.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) set: Vec<usize>,
    /// Names of removed toggles, or ids of removed segments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) removed: Vec<String>,
}

/// The end of a file, or the first fault in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The last frame is complete.
    Intact,
    /// The last frame is incomplete: its writer was killed, or is writing it now.
    Torn,
    /// A frame has another hash, or is no record.
    Damaged,
}

impl ItemChange {
    pub(super) fn is_empty(&self) -> bool {
        self.set.is_empty() && self.removed.is_empty()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Record {
    /// Returns the time of the record; `None` for the complete state, which has the time of its file.
    pub(super) fn time(&self) -> Option<u64> {
        match self {
            Self::Complete(_) => None,
            Self::File(FileHead { time, .. })
            | Self::Refused { time, .. }
            | Self::Alive { time, .. }
            | Self::Resumed(Resumed { time, .. })
            | Self::Changed(Change { interval: ChangeInterval { by: time, .. }, .. }) => Some(*time),
        }
    }
}

/// Encodes a record as a frame.
pub(super) fn encode(record: &Record) -> std::io::Result<Vec<u8>> {
    let json = serde_json::to_vec(record)?;
    let mut frame = vec![0; HEAD];
    if json.len() < MIN_COMPRESSED {
        frame.push(PLAIN);
        frame.extend_from_slice(&json);
    } else {
        frame.push(COMPRESSED);
        let mut encoder = ZlibEncoder::new(&mut frame, Compression::default());
        encoder.write_all(&json)?;
        encoder.finish()?;
    }
    let payload = frame.get(HEAD..).unwrap_or_default();
    let length = u32::try_from(payload.len()).map_err(std::io::Error::other)?;
    let hash = digest(&SHA256, payload);
    let head: Vec<u8> =
        length.to_le_bytes().into_iter().chain(hash.as_ref().iter().copied().take(HEAD - 4)).collect();
    if let Some(start) = frame.get_mut(..HEAD) {
        start.copy_from_slice(&head);
    }
    Ok(frame)
}

/// The records of a file, up to its end or its first fault.
#[derive(Debug)]
pub(super) struct Records<'b> {
    rest: &'b [u8],
    end: Option<End>,
}

impl<'b> Records<'b> {
    pub(super) fn new(file: &'b [u8]) -> Self {
        match file.strip_prefix(MAGIC) {
            Some(rest) => Self { rest, end: None },
            None if MAGIC.starts_with(file) => Self { rest: &[], end: Some(End::Torn) },
            None => Self { rest: &[], end: Some(End::Damaged) },
        }
    }

    /// Returns how the file ends. Call it after the last record.
    pub(super) fn end(&self) -> End {
        self.end.unwrap_or(End::Intact)
    }

    /// Returns the position after the last record in the file that the records are read from.
    pub(super) fn position(&self, file: &[u8]) -> u64 {
        to_u64(file.len() - self.rest.len())
    }

    /// Ends the records at the last one, because it does not fit to those before.
    pub(super) fn set_damaged(&mut self) {
        (self.end, self.rest) = (Some(End::Damaged), &[]);
    }

    fn read(&mut self) -> Result<Record, End> {
        let (head, rest) = self.rest.split_at_checked(HEAD).ok_or(End::Torn)?;
        let (length, hash) = head.split_first_chunk::<4>().ok_or(End::Torn)?;
        let length = usize::try_from(u32::from_le_bytes(*length)).map_err(|_large| End::Damaged)?;
        let (payload, rest) = rest.split_at_checked(length).ok_or(End::Torn)?;
        if !digest(&SHA256, payload).as_ref().starts_with(hash) {
            return Err(End::Damaged);
        }
        let record = decode(payload).ok_or(End::Damaged)?;
        self.rest = rest;
        Ok(record)
    }
}

impl Iterator for Records<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        if self.end.is_some() || self.rest.is_empty() {
            return None;
        }
        self.read().map_err(|end| self.end = Some(end)).ok()
    }
}

fn decode(payload: &[u8]) -> Option<Record> {
    let (encoding, content) = payload.split_first()?;
    match *encoding {
        PLAIN => serde_json::from_slice(content).ok(),
        COMPRESSED => {
            let mut json = Vec::new();
            ZlibDecoder::new(content).take(MAX_RECORD).read_to_end(&mut json).ok()?;
            serde_json::from_slice(&json).ok()
        }
        _ => None,
    }
}

/// Converts a time of a record.
pub(super) fn timestamp(millis: u64) -> Timestamp {
    i64::try_from(millis)
        .ok()
        .and_then(|millis| Timestamp::from_millisecond(millis).ok())
        .unwrap_or(Timestamp::MAX)
}

/// Converts a time to the unit of records. Times before 1970 are 0.
pub(super) fn millis(time: Timestamp) -> u64 {
    u64::try_from(time.as_millisecond()).unwrap_or_default()
}
