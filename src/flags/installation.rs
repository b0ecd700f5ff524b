//! The installation: health and version of the service.

pub(super) mod routes;
