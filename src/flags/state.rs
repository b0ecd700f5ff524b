//! Export and import of the state in the format of Unleash 3.x.

mod environment;
mod export;
mod handlers;
mod import;
pub(super) mod routes;
mod rows;
pub mod rules;
mod upload;

pub use self::export::{Section, import_actor};
pub(crate) use self::export::{definitions_actor, export};
pub use self::import::ImportMode;
pub(crate) use self::import::import;
