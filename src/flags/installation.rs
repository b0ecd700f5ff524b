//! The installation: its id, version and health.

pub(super) mod handlers;
pub(super) mod model;
pub(super) mod routes;
mod rows;
