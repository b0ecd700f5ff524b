//! The session of a user: sign-in, sign-out and the signed-in user; and the sessions of all users, for administrators. `auth`
//! checks and stores sessions.

mod administration;
mod handlers;
pub(super) mod routes;

pub(crate) use self::routes::password_sign_in;
