//! The installation: its id, version and health, and the index of its API.

mod handlers;
mod index;
pub(super) mod routes;
