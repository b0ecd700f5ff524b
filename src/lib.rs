//! Flagdeck: a feature-flag console in one static binary. It serves the console, and answers the console's calls
//! either by forwarding them to a flag service or by itself.
//!
//! ```text
//! browser ── HTTP ── routes.rs            every URL the binary answers, top to bottom
//!                      ├─ /-/…            console/   the console's own: settings, health, logout, API document
//!                      ├─ /api/… /auth/…  proxy.rs   → the flag service             (with --upstream)
//!                      │                  flags.rs   the embedded flag service      (without)
//!                      └─ everything else assets.rs  embedded files, else index.html
//! ```
//!
//! Monitoring asks on a listener of its own, [`admin`].
//!
//! Settings come from [`cli`] and [`config`], [`app`] puts the parts together, [`commands`] is what is done instead of
//! serving, [`error`] is the one error type at the HTTP edge.

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
