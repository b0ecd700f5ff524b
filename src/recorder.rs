//! Flight recorder (`--recorder`): the toggles that SDKs got at any time in the last weeks.
//!
//! Records are rows of the database of data that can be lost (`database/kept.rs`). They are written whenever the definitions that SDKs
//! get change: in front of an upstream, when a new copy arrives at the replica, and in the embedded service, after an event. They
//! contain definitions only: no contexts, no credentials and no holds. A [`Scope`] is a token's selection of toggles, because tokens
//! see different subsets.
//!
//! # Tables
//!
//! `items` are toggles and segments as JSON, each text once. `versions` are the items of a scope with the time in which they
//! counted; a current version has no end, and an item that does not exist any more has a version without an item. The state at a
//! time is one query, and the changes between two times are another one. `coverage` contains the times in which SDKs got what is
//! recorded: of the recorder, which extends its last one while it is alive, and of each scope, which end when its token is refused. The
//! times between them are gaps, and each has a reason.
//!
//! The definitions are compared with the rows, and not with a state in memory: an instance can continue the records of another one,
//! and nothing is written twice.
//!
//! # Times
//!
//! A change has an interval and no instant: the state was *unchanged until* the last confirmation, and changed *by* the time
//! when this process got the new one, or in the embedded service, at the time of the event. Times come from the clock of the database,
//! and those of a scope never go back. `writer` describes what happens when the clock is set.
//!
//! # Faults
//!
//! While the database cannot be used, the recorder retries each second. It then records the newest state, and the gap. Changes between
//! are counted as missed. After a kill, the changes of the last 100 ms and of an unfinished transaction are lost, and those of the
//! embedded service whose list was not read yet. The gap starts at the first of them (`unread`).
//!
//! # Concurrency
//!
//! No request waits for the recorder. The tasks that refresh the replica and watch the database put changes in a queue, which
//! one thread writes. If the queue is full, a change makes room whose scope has a later one in the queue. The newest state of
//! each scope is always kept; it shares its memory with the cache from which SDKs are served.
//!
//! Several instances can share a PostgreSQL database. All instances of the embedded service get the same events, and each records
//! those that no other one has recorded. In front of an upstream, one instance records: it has a lease, and another one takes over when
//! that ends.

mod definitions;
mod queue;
pub mod reader;
mod rows;
mod scope;
pub mod summary;
#[cfg(test)]
mod tests;
mod thread;
mod unread;
mod writer;

pub use self::scope::{GapReason, Scope, ScopeKey, ServedScope};
pub use self::thread::{ReadPermits, RecordedScope, Recorder, now};
pub use self::writer::{
    Batch, BatchTime, NewDefinitions, NewestEvent, Outcome, Progress, RecordWriter, Sharing,
};
