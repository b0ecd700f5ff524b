//! The client API: toggles for client libraries, and their registrations and reports.

pub(super) mod handlers;
pub(super) mod routes;
pub mod snapshot;
mod snapshots;
mod streaming;

pub(crate) use self::snapshots::SCOPE_ID;
pub use self::snapshots::Snapshots;
pub use self::streaming::ClientStreams;
