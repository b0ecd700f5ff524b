//! The console's own endpoints, below `/-/`: what the page asks the binary and not the flag service.

pub mod avatars;
pub mod examples;
pub mod health;
pub mod logout;
pub mod model;
pub mod openapi;
pub mod settings;
