//! The client API: toggles for client libraries, and their registrations and reports.

pub(super) mod handlers;
pub(super) mod model;
pub mod snapshot;
