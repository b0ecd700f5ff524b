//! The session of a user: sign-in, sign-out and the signed-in user. `auth` checks and stores sessions.

mod handlers;
pub(super) mod routes;
