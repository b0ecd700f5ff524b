//! Flagdeck: a feature-flag console in one static binary. It serves the console, and handles its API requests either by
//! forwarding them to a flag service or with an embedded flag service.
//!
//! ```text
//! browser ── HTTP ── routes.rs            every URL of the program
//!                      ├─ /-/…            console.rs  the console's endpoints, such as its settings
//!                      ├─ /api/… /auth/…  proxy.rs    → the flag service            (with --upstream)
//!                      │                  flags.rs    the embedded flag service     (without)
//!                      ├─ /ofrep/…        sdk.rs      results for browsers and OpenFeature, also /api/frontend
//!                      └─ everything else assets.rs   embedded files, else index.html
//! ```
//!
//! The layers, from the top. A module uses only modules of lower layers:
//!
//! - [`app`] builds and runs the server. [`commands`] run instead of it.
//! - [`routes`]: all URLs. [`admin`]: a separate listener for monitoring.
//! - [`backend`] selects the handler of the API.
//! - [`compat`] converts calls that newer upstream servers do not offer. `openapi` describes the API. [`files`]: toggles in files.
//! - [`assets`], [`console`], [`flags`], [`proxy`], [`sdk`] and [`sign_in`]: the request handlers, which are independent of
//!   each other.
//! - [`api`]: the JSON model of the API. [`journal`]: the operators' journal. [`recorder`]: the flight recorder.
//! - [`hold`]: toggles that SDKs get as off for a limited time.
//! - [`middleware`] applies to every request. `json_body` reads request bodies. `event_stream` sends events to SDKs.
//! - [`error`]: the errors of all HTTP handlers.
//! - [`upstream`]: the client for servers. [`telemetry`]: the log.
//! - [`cli`] and [`config`]: arguments and settings.
//! - Modules that use no other one, such as [`evaluation`], [`metrics`] and [`negotiation`].

pub mod admin;
pub mod api;
pub mod api_path;
pub mod app;
pub mod assets;
pub mod avatar;
pub mod backend;
pub mod cli;
pub mod clock;
pub mod commands;
pub mod compat;
pub mod config;
pub mod console;
pub mod console_api;
pub mod database;
mod embedded_files;
pub mod error;
pub mod evaluation;
pub mod evaluation_queue;
pub mod event_stream;
mod field_differences;
mod file_lock;
pub mod files;
pub mod flags;
#[cfg(test)]
mod generated_file;
pub mod hold;
mod host_name;
pub mod impact_metrics;
pub mod journal;
mod json_body;
mod listener;
pub mod log_limit;
pub mod metrics;
pub mod middleware;
pub mod negotiation;
mod number;
mod openapi;
mod path_rules;
pub mod private_file;
pub mod proxy;
mod rate;
pub mod recorder;
pub mod request_id;
pub mod routes;
pub mod sdk;
pub mod sdk_instances;
pub mod shutdown;
pub mod sign_in;
pub mod state_export;
pub mod telemetry;
pub mod terminal;
pub mod upstream;
pub mod usage_windows;
pub mod version;
