//! Authentication and authorization: users, sessions, permissions, and the tokens of client libraries.
//!
//! `guards` is the middleware of the routes; it calls `access`. `sign_in_limiter`, `cookie` and `permission` are
//! pure functions.

pub mod access;
pub mod author;
mod cookie;
pub(super) mod guards;
pub mod identities;
mod last_uses;
pub mod password;
mod peer;
pub mod permission;
mod provider_user;
mod rows;
pub mod rules;
pub mod sessions;
mod sign_in;
mod sign_in_attempts;
pub mod sign_in_limiter;
pub mod token;
mod token_cache;
mod user_agent;
pub mod users;

use crate::config::AuthMode;

pub use self::access::Access;
pub use self::author::{Author, ConditionalAuthor};
pub use self::permission::Permission;
pub use self::provider_user::{ProviderCheck, ProviderUser};
#[cfg(test)]
pub(crate) use self::sign_in::PasswordRefusal;
pub(crate) use self::sign_in::{EndedSession, ProviderSignIn};
pub use self::token_cache::TokenScopes;

/// Modes in which sessions belong to a known person.
pub(super) const SIGNED_IN: &[AuthMode] = &[AuthMode::Password, AuthMode::Oidc];
