//! Flagdeck: a feature-flag console in one static binary. It serves the console, and handles its API requests either by
//! forwarding them to a flag service or with an embedded flag service.
//!
//! ```text
//! browser ── HTTP ── routes.rs            every URL of the program
//!                      ├─ /-/…            console/   the console's endpoints: settings, health, logout, API document
//!                      ├─ /api/… /auth/…  proxy.rs   → the flag service             (with --upstream)
//!                      │                  flags.rs   the embedded flag service      (without)
//!                      └─ everything else assets.rs  embedded files, else index.html
//! ```
//!
//! - [`cli`] and [`config`]: arguments and settings.
//! - [`app`]: builds and runs the server. [`admin`] is a separate listener for monitoring.
//! - [`commands`]: commands that run instead of the server.
//! - [`error`]: the error type of all HTTP handlers.

pub mod admin;
pub mod app;
pub mod assets;
pub mod avatar;
pub mod cli;
pub mod commands;
pub mod config;
pub mod console;
pub mod error;
pub mod flags;
mod listener;
pub mod metrics;
pub mod middleware;
pub mod negotiation;
pub mod proxy;
pub mod routes;
pub mod shutdown;
pub mod telemetry;
pub mod version;
