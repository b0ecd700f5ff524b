//! The rows of users, sessions and client tokens.

pub(super) mod client_tokens;
pub(super) mod sessions;
pub(super) mod users;
