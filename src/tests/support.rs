//! Shared helpers: the running program, stub upstreams, certificates, and the OpenAPI document.

pub mod app;
pub mod authority;
pub mod binary;
pub mod client_api;
pub mod document;
pub mod engine;
pub mod events;
pub mod newer_server;
pub mod postgres_server;
pub mod provider;
pub mod skip;
pub mod stub;
pub mod watched;
