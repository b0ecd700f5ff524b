//! The rows of users and sessions.

mod sessions;
mod users;
