//! Strategy definitions.

mod bodies;
pub(super) mod routes;
