//! The rows of users, sessions and client tokens.

mod client_tokens;
mod sessions;
mod users;
