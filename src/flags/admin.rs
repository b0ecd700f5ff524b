//! Request handlers of `/api/admin`, one file per resource.

pub(super) mod addons;
pub(super) mod applications;
pub(super) mod archive;
pub(super) mod body;
pub(super) mod context;
pub(super) mod events;
pub(super) mod features;
pub(super) mod media_type;
pub(super) mod metrics;
pub(super) mod projects;
pub(super) mod session;
pub(super) mod sign_in;
pub(super) mod strategies;
pub(super) mod tags;
