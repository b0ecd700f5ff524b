//! What is counted for Prometheus. Labels have few values, each known beforehand: no toggle's name becomes one.

use std::fmt;
use std::fs;

use actix_web::http::header::HeaderMap;
use actix_web::http::{Method, StatusCode};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use crate::error::ERROR_HEADER;

/// Seconds until an answer begins.
const BUCKETS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];
/// Linux counts memory in these.
const PAGE: i64 = 4096;

/// The counters of this process.
pub struct Metrics {
    registry: Registry,
    requests: Family<Request, Counter>,
    errors: Family<Failure, Counter>,
    seconds: Histogram,
    under_way: Gauge,
    circuit: Gauge,
    memory: Gauge,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Request {
    method: &'static str,
    route: &'static str,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Failure {
    code: String,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("flagdeck");
        let (requests, errors) = (Family::default(), Family::default());
        let seconds = Histogram::new(BUCKETS);
        let (under_way, circuit, memory) = (Gauge::default(), Gauge::default(), Gauge::default());
        registry.register("requests", "Requests answered", requests.clone());
        registry.register("errors", "Failures that this program answered itself, by code", errors.clone());
        registry.register_with_unit("answer", "Time until an answer begins", Unit::Seconds, seconds.clone());
        registry.register("requests_under_way", "Requests whose answer has not begun", under_way.clone());
        registry.register("upstream_circuit_open", "1 while the upstream is left alone", circuit.clone());
        registry.register_with_unit("resident_memory", "Memory in use", Unit::Bytes, memory.clone());
        registry.register("build", "What runs", Info::new([("version", env!("CARGO_PKG_VERSION"))]));
        Self { registry, requests, errors, seconds, under_way, circuit, memory }
    }
}

/// Counts a request as under way until it goes.
pub struct UnderWay(Gauge);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Metrics {
    /// A request has come.
    #[must_use]
    pub fn begin(&self) -> UnderWay {
        self.under_way.inc();
        UnderWay(self.under_way.clone())
    }

    /// Its answer begins.
    pub fn answered(
        &self,
        method: &Method,
        route: &'static str,
        status: StatusCode,
        headers: &HeaderMap,
        seconds: f64,
    ) {
        self.requests.get_or_create(&Request { method: known(method), route, status: status.as_u16() }).inc();
        self.seconds.observe(seconds);
        if let Some(code) = headers.get(ERROR_HEADER).and_then(|code| code.to_str().ok()) {
            self.errors.get_or_create(&Failure { code: code.to_owned() }).inc();
        }
    }

    /// All of it, as Prometheus reads it.
    ///
    /// # Errors
    /// None that are known.
    pub fn text(&self, circuit_is_open: bool) -> Result<String, fmt::Error> {
        self.circuit.set(circuit_is_open.into());
        if let Some(bytes) = resident() {
            self.memory.set(bytes);
        }
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

/// Clients can make methods up.
fn known(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// The kind of a path below the base path.
#[must_use]
pub fn route(path: &str) -> &'static str {
    match path.split('/').nth(1) {
        Some("-") => "console",
        Some("api") => "api",
        Some("auth") => "auth",
        Some("assets") => "assets",
        _ => "other",
    }
}

/// Bytes of this process in memory, where the system tells.
fn resident() -> Option<i64> {
    fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse::<i64>().ok()?.checked_mul(PAGE)
}
