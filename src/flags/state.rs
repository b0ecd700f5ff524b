//! Export and import of the state in the format of Unleash 3.x.

mod environment;
mod export;
mod import;
pub mod model;
mod rows;
pub mod rules;

pub use self::export::{export, import_actor};
pub use self::import::{ImportMode, ImportSummary, import};
