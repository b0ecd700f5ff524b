//! HTTP client for servers: the flag service behind the proxy, the servers that commands check, and receivers of events.
//!
//! `client` sends the requests of the proxy: it checks the circuit breaker, leases a connection from the pool and runs
//! the HTTP/1.1 exchange. `awc_client` builds a client for users that send few requests, and `outgoing_request` reports events
//! with it.

pub(crate) mod awc_client;
pub(crate) mod body_buffer;
pub(crate) mod circuit_breaker;
pub(crate) mod client;
pub(crate) mod connection_header;
pub(crate) mod connector;
pub(crate) mod error;
pub(crate) mod exchange;
mod happy_eyeballs;
pub mod outgoing_request;
mod pool;
#[cfg(any(test, fuzzing))]
pub mod properties;
pub(crate) mod request_body;
mod response;
mod response_body;
pub mod retry_policy;
