//! The endpoints of the console below `/-/`. They are handled by this program and never forwarded.

pub mod avatars;
pub mod examples;
pub mod health;
pub mod logout;
pub mod model;
pub mod openapi;
pub mod settings;
