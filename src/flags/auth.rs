//! Who may do what: users, their sessions and permissions, and the tokens of client libraries.
//!
//! `gate` stands in front of the URL table and asks `access`, which puts the rest together. `attempts`, `cookie` and
//! `permission` are pure.

pub mod access;
pub mod attempts;
mod client_tokens;
mod cookie;
pub mod editor;
pub(super) mod gate;
pub mod password;
mod peer;
pub mod permission;
mod sign_in;
pub mod token;
pub mod users;

pub use self::access::{Access, AuthMode};
pub use self::editor::Editor;
pub use self::permission::Permission;
