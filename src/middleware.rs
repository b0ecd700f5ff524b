//! What every request passes, one concern a file.

pub mod access_log;
pub mod response_headers;
