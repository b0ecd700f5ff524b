//! Flight recorder (`--recorder`): the toggles that SDKs got from this process at any time in the last weeks.
//!
//! A record is appended whenever the definitions that SDKs get change: in front of an upstream, when a new copy arrives at the
//! replica, and in the embedded service, when a snapshot after a commit differs. Records contain definitions only: no contexts
//! and no credentials. A [`Scope`] is a token's selection of toggles, because tokens see different subsets.
//!
//! # Files
//!
//! The recorder has a folder with segment files, `00000001.rec` and so on, because old records can then be removed by deleting a
//! file. Each segment starts with the complete state of all scopes, so that it is readable alone: a state is read from one
//! segment. The writer starts a new segment after 200 records (for each scope), after an eighth of `recorder-keep` or
//! its limit, and after damage. `format` describes the records.
//!
//! Items (toggles and segments) are addressed by SHA-256 of their JSON: a segment contains the same text once, also if several
//! scopes have it. Records refer to items by their position in the segment, which takes a few bytes instead of 32.
//!
//! # Times
//!
//! A change has an interval and no instant: the state was *unchanged until* the last confirmation, and changed *by* the time
//! when this process got the new one. The state at a time is what this process served then. The order of the records decides:
//! if the clock of the machine is set back, records have the time of the record before until the clock has passed it. Times in a
//! file never go back.
//!
//! # Faults
//!
//! - Killed while a record is written: that record is lost. The next start does not change the file, and begins a new segment
//!   with the state before it.
//! - Damaged file: it is readable up to the damage. Reads of the time after it fail until the start of the next segment.
//! - Full disk: the recorder stops, and retries each second. It then records the newest state, and the gap. Changes between
//!   are counted as missed.
//!
//! # Concurrency
//!
//! No request waits for the recorder. The tasks that refresh the replica and watch the database put changes in a queue, which
//! one thread writes. If the queue is full, a change makes room whose scope has a later one in the queue. The newest state of
//! each scope is always kept; it shares its memory with the cache from which SDKs are served.

mod format;
mod queue;
pub mod reader;
mod segments;
mod state;
mod store;
pub mod summary;
#[cfg(test)]
mod tests;
mod thread;

pub use self::format::{ChangeInterval, GapReason, Scope};
pub use self::store::{NewDefinitions, OpenError, Outcome, Store};
pub use self::thread::{ReadPermits, RecordedScope, Recorder, RecorderState, now};
