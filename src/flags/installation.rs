//! The installation: its id, version and health, and the index of its API.

pub(super) mod handlers;
mod index;
pub(super) mod routes;
mod rows;
