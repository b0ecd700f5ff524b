//! Segments: named lists of constraints. An import writes them; there is no endpoint that changes them.

mod handlers;
pub(super) mod routes;
mod rows;
pub mod rules;
