//! The rows of users, sessions and counters of sign-in attempts.

mod identities;
mod sessions;
mod sign_in_attempts;
mod users;
