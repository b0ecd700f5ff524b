//! The endpoints of the console below `/-/` that are the same for both backends. They are handled by this program and
//! never forwarded.

pub mod avatars;
pub mod evaluation;
pub mod health;
pub(crate) mod holds;
pub(crate) mod journal;
pub mod logout;
pub mod recorder;
pub(crate) mod sdk_toggles;
pub mod settings;
