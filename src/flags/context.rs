//! Context fields.

mod bodies;
pub(super) mod routes;
