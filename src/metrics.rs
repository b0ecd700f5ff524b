//! Metrics for Prometheus. All labels have a fixed set of values, so that the number of time series is bounded.

use std::fmt;
use std::fs;

use actix_web::http::{Method, StatusCode};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use crate::number::{to_i64, to_u64};

/// Upper bounds of the response time buckets, in seconds.
const BUCKETS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];

/// The metrics of this process.
pub struct Metrics {
    registry: Registry,
    /// Metrics with the names of other programs.
    foreign: Registry,
    requests: Family<Request, Counter>,
    errors: Family<Failure, Counter>,
    seconds: Histogram,
    in_flight: Gauge,
    circuit: Gauge,
    memory: Gauge,
    upstream_server: Family<Server, Gauge>,
}

/// Counts the requests that are converted for a newer flag service. Clones count together.
#[derive(Debug, Clone, Default)]
pub struct Conversions(Family<Conversion, Counter>);

/// Counts the requests of the replica for SDKs. Clones count together.
#[derive(Debug, Clone, Default)]
pub struct ReplicaMetrics {
    requests: Family<ResultLabel, Counter>,
    refreshes: Family<ResultLabel, Counter>,
    reports: Family<ResultLabel, Counter>,
    validations: Family<ResultLabel, Counter>,
    copies: Gauge,
    stale_copies: Gauge,
    age: Gauge,
    has_fault: Gauge,
}

/// Reports whether a database that several processes share responds. Clones report together.
#[derive(Debug, Clone, Default)]
pub struct DatabaseMetrics {
    is_stale: Gauge,
    age: Gauge,
}

/// Reports whether a file with toggles is valid. Clones report together.
#[derive(Debug, Clone, Default)]
pub struct DefinitionsMetrics {
    is_valid: Gauge,
}

/// Counts the lines of the journal. Clones count together.
#[derive(Debug, Clone, Default)]
pub struct JournalMetrics {
    lines: Counter,
    lost: Counter,
    is_failing: Gauge,
}

/// Counts the records of the flight recorder. Clones count together.
#[derive(Debug, Clone, Default)]
pub struct RecorderMetrics {
    records: Counter,
    missed: Counter,
    is_failing: Gauge,
    bytes: Gauge,
}

/// Reports the holds of toggles. Clones report together.
#[derive(Debug, Clone, Default)]
pub struct HoldMetrics {
    holds: Gauge,
    has_storage_fault: Gauge,
    messages: Family<ResultLabel, Counter>,
}

/// Counts the event streams of SDKs. Clones count together.
#[derive(Debug, Clone, Default)]
pub struct StreamMetrics {
    open: Gauge,
    events: Counter,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ResultLabel {
    result: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Conversion {
    operation: &'static str,
    result: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Server {
    version: String,
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
        let (in_flight, circuit, memory) = (Gauge::default(), Gauge::default(), Gauge::default());
        registry.register("http_requests", "Requests with a response", requests.clone());
        registry.register("errors", "Error responses that this program generated, by code", errors.clone());
        registry.register_with_unit(
            "http_request_duration",
            "Time from the start of a request to the start of its response",
            Unit::Seconds,
            seconds.clone(),
        );
        let help = "Requests whose response has not started";
        registry.register("http_requests_in_flight", help, in_flight.clone());
        registry.register("upstream_circuit_open", "1 while the circuit breaker is open", circuit.clone());
        registry.register_with_unit(
            "resident_memory",
            "Resident memory of the process",
            Unit::Bytes,
            memory.clone(),
        );
        registry.register(
            "build",
            "Version of the program",
            Info::new([("version", env!("CARGO_PKG_VERSION"))]),
        );
        let upstream_server = Family::default();
        registry.register(
            "upstream_server",
            "1 for the detected version of a flag service with environments",
            upstream_server.clone(),
        );
        let foreign = Registry::default();
        Self { registry, foreign, requests, errors, seconds, in_flight, circuit, memory, upstream_server }
    }
}

impl Conversions {
    /// Counts a converted request with this status. `operation` is one of a fixed set of names.
    pub fn record(&self, operation: &'static str, status: StatusCode) {
        let result = match status.as_u16() {
            ..400 => "ok",
            400..500 => "refused",
            _ => "failed",
        };
        self.0.get_or_create(&Conversion { operation, result }).inc();
    }
}

impl ReplicaMetrics {
    /// Counts a request of an SDK. `result` is one of a fixed set of names.
    pub fn record_request(&self, result: &'static str) {
        self.requests.get_or_create(&ResultLabel { result }).inc();
    }

    /// Counts reports of SDKs that wait for the upstream: each once as `kept`, and later once as `delivered` or `dropped`. `result` is one
    /// of a fixed set of names.
    pub fn record_reports(&self, result: &'static str, count: usize) {
        self.reports.get_or_create(&ResultLabel { result }).inc_by(to_u64(count));
    }

    /// Counts a request to the upstream about tokens.
    pub fn record_validation(&self, is_answered: bool) {
        let result = if is_answered { "answered" } else { "failed" };
        self.validations.get_or_create(&ResultLabel { result }).inc();
    }

    /// Sets the number of copies, of those that are stale, and the age of the oldest one in seconds.
    pub fn set_copies(&self, copies: usize, stale: usize, age: u64) {
        self.copies.set(to_i64(copies));
        self.stale_copies.set(to_i64(stale));
        self.age.set(to_i64(age));
    }

    /// Sets whether copies would be lost by a restart, because their database cannot be used.
    pub fn set_fault(&self, has_fault: bool) {
        self.has_fault.set(has_fault.into());
    }

    /// Counts a request to the upstream. `result` is one of a fixed set of names.
    pub fn record_refresh(&self, result: &'static str) {
        self.refreshes.get_or_create(&ResultLabel { result }).inc();
    }
}

impl DatabaseMetrics {
    /// Sets the age in seconds of the toggles that are served from memory; `None` while the database responds.
    pub fn set_age(&self, age: Option<u64>) {
        self.is_stale.set(age.is_some().into());
        self.age.set(age.map_or(0, to_i64));
    }
}

impl DefinitionsMetrics {
    /// Sets whether SDKs get the toggles of the current content of the file.
    pub fn set_valid(&self, is_valid: bool) {
        self.is_valid.set(is_valid.into());
    }
}

impl JournalMetrics {
    /// Counts lines that were written.
    pub fn count_lines(&self, count: usize) {
        self.lines.inc_by(to_u64(count));
    }

    /// Counts a line that cannot be written.
    pub fn count_lost(&self) {
        self.lost.inc();
    }

    /// Sets whether the journal cannot be written.
    pub fn set_failing(&self, is_failing: bool) {
        self.is_failing.set(is_failing.into());
    }
}

impl RecorderMetrics {
    /// Counts a record that was written.
    pub fn count_record(&self) {
        self.records.inc();
    }

    /// Counts a change that was not recorded, because later ones arrived before it could be written.
    pub fn count_missed(&self) {
        self.missed.inc();
    }

    /// Returns the number of changes that were not recorded.
    #[must_use]
    pub fn missed(&self) -> u64 {
        self.missed.get()
    }

    /// Sets whether the recorder cannot write.
    pub fn set_failing(&self, is_failing: bool) {
        self.is_failing.set(is_failing.into());
    }

    /// Sets the approximate size of all records.
    pub fn set_bytes(&self, bytes: u64) {
        self.bytes.set(to_i64(bytes));
    }
}

impl HoldMetrics {
    /// Sets the number of holds, and whether they cannot be exchanged with the database.
    pub fn set(&self, holds: usize, has_storage_fault: bool) {
        self.holds.set(to_i64(holds));
        self.has_storage_fault.set(has_storage_fault.into());
    }

    /// Counts messages of the webhook. `result` is one of a fixed set of names.
    pub fn count_messages(&self, result: &'static str, count: u64) {
        self.messages.get_or_create(&ResultLabel { result }).inc_by(count);
    }
}

impl StreamMetrics {
    /// Counts a stream as open. Returns the number of open streams.
    #[must_use]
    pub fn count_opened(&self) -> usize {
        usize::try_from(self.open.inc() + 1).unwrap_or_default()
    }

    /// Counts a stream as closed.
    pub fn count_closed(&self) {
        self.open.dec();
    }

    /// Counts an event that a stream receives.
    pub fn count_event(&self) {
        self.events.inc();
    }

    /// Returns the number of open streams.
    #[must_use]
    pub fn open(&self) -> usize {
        usize::try_from(self.open.get()).unwrap_or_default()
    }
}

/// Counts a request as in flight until it is dropped.
pub struct InFlight(Gauge);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Metrics {
    /// Counts a request as in flight.
    #[must_use]
    pub fn start_request(&self) -> InFlight {
        self.in_flight.inc();
        InFlight(self.in_flight.clone())
    }

    /// Records the start of a response, with the code of an error that this program generated. `seconds` is the time
    /// since the start of the request.
    pub fn record_response(
        &self,
        method: &Method,
        route: &'static str,
        status: StatusCode,
        error_code: Option<&str>,
        seconds: f64,
    ) {
        self.requests
            .get_or_create(&Request { method: method_label(method), route, status: status.as_u16() })
            .inc();
        self.seconds.observe(seconds);
        if let Some(code) = error_code {
            self.errors.get_or_create(&Failure { code: code.to_owned() }).inc();
        }
    }

    /// Adds the counter of converted requests.
    #[must_use]
    pub fn with_conversions(mut self, conversions: &Conversions) -> Self {
        let help = "Requests that were converted for a flag service with environments";
        self.registry.register("converted_requests", help, conversions.0.clone());
        self
    }

    /// Adds the counters of the replica.
    #[must_use]
    pub fn with_replica(mut self, replica: &ReplicaMetrics) -> Self {
        let help = "Requests of SDKs to the replica";
        self.registry.register("replica_requests", help, replica.requests.clone());
        let help = "Requests of the replica to the upstream";
        self.registry.register("replica_refreshes", help, replica.refreshes.clone());
        let help = "Reports of SDKs that were kept for the upstream, and were delivered or dropped later";
        self.registry.register("replica_reports", help, replica.reports.clone());
        let help = "Requests of the replica to the upstream about tokens";
        self.registry.register("replica_validations", help, replica.validations.clone());
        self.registry.register("replica_copies", "Copies of toggles in memory", replica.copies.clone());
        let help = "Copies of toggles that the upstream has not confirmed in time";
        self.registry.register("replica_stale_copies", help, replica.stale_copies.clone());
        let help = "Age of the oldest copy of toggles that SDKs use";
        self.registry.register_with_unit("replica_age", help, Unit::Seconds, replica.age.clone());
        let help =
            "1 while copies of toggles are not kept for a restart, because their database cannot be used";
        self.registry.register("replica_unkept", help, replica.has_fault.clone());
        self
    }

    /// Adds the metrics of a shared database.
    #[must_use]
    pub fn with_database(mut self, database: &DatabaseMetrics) -> Self {
        let help = "1 while SDKs get toggles from memory, because the database does not respond";
        self.registry.register("database_stale", help, database.is_stale.clone());
        let help = "Time since a database that does not respond has confirmed the toggles in memory";
        self.registry.register_with_unit("database_age", help, Unit::Seconds, database.age.clone());
        self
    }

    /// Adds the state of a file with toggles.
    #[must_use]
    pub fn with_definitions(mut self, definitions: &DefinitionsMetrics) -> Self {
        let help =
            "1 while SDKs get the toggles of the current content of the file, 0 while it cannot be used";
        self.registry.register("definitions_valid", help, definitions.is_valid.clone());
        self
    }

    /// Adds the counters of the journal.
    #[must_use]
    pub fn with_journal(mut self, journal: &JournalMetrics) -> Self {
        self.registry.register("journal_lines", "Lines of the journal", journal.lines.clone());
        let help = "Lines of the journal that could not be written, or were above the limit for requests without a known person";
        self.registry.register("journal_lost_lines", help, journal.lost.clone());
        let help = "1 while the journal cannot be written";
        self.registry.register("journal_failing", help, journal.is_failing.clone());
        self
    }

    /// Adds the metrics of the flight recorder.
    #[must_use]
    pub fn with_recorder(mut self, recorder: &RecorderMetrics) -> Self {
        self.registry.register(
            "recorder_records",
            "Records of the flight recorder",
            recorder.records.clone(),
        );
        let help = "Changes that the flight recorder did not record, because later ones arrived before it could write";
        self.registry.register("recorder_missed_changes", help, recorder.missed.clone());
        let help = "1 while the flight recorder cannot write";
        self.registry.register("recorder_failing", help, recorder.is_failing.clone());
        let help = "Approximate size of the records of the flight recorder";
        self.registry.register_with_unit("recorder_size", help, Unit::Bytes, recorder.bytes.clone());
        self
    }

    /// Adds metrics that are computed when they are read.
    #[must_use]
    pub fn with_collector(mut self, collector: impl Collector) -> Self {
        self.registry.register_collector(Box::new(collector));
        self
    }

    /// Adds metrics whose names have no prefix, because another program has them too.
    #[must_use]
    pub fn with_foreign_collector(mut self, collector: impl Collector) -> Self {
        self.foreign.register_collector(Box::new(collector));
        self
    }

    /// Adds the metrics of holds.
    #[must_use]
    pub fn with_holds(mut self, holds: &HoldMetrics) -> Self {
        let help = "Toggles that SDKs get as off because of a hold";
        self.registry.register("holds", help, holds.holds.clone());
        let help = "1 while holds cannot be stored, because the database cannot be used";
        self.registry.register("hold_storage_failed", help, holds.has_storage_fault.clone());
        let help = "Messages of the webhook for holds";
        self.registry.register("hold_webhook_messages", help, holds.messages.clone());
        self
    }

    /// Adds the counters of event streams.
    #[must_use]
    pub fn with_streams(mut self, streams: &StreamMetrics) -> Self {
        self.registry.register("streams", "Open event streams of SDKs", streams.open.clone());
        self.registry.register(
            "stream_events",
            "Events that streams of SDKs have received",
            streams.events.clone(),
        );
        self
    }

    /// Returns all metrics in the text format of Prometheus. `upstream_version` is the version of a flag service with
    /// environments.
    pub(crate) fn encode(
        &self,
        circuit_is_open: bool,
        upstream_version: Option<String>,
    ) -> Result<String, fmt::Error> {
        self.circuit.set(circuit_is_open.into());
        self.upstream_server.clear();
        if let Some(version) = upstream_version {
            self.upstream_server.get_or_create(&Server { version }).set(1);
        }
        if let Some(bytes) = resident_memory() {
            self.memory.set(bytes);
        }
        let mut text = String::new();
        text::encode_registry(&mut text, &self.foreign)?;
        text::encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

/// Returns the method as a label. Clients can invent methods, which are counted together.
fn method_label(method: &Method) -> &'static str {
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

/// Returns the route label of a path below the base path.
#[must_use]
pub fn route_label(path: &str) -> &'static str {
    match path.split('/').nth(1) {
        Some("-") => "console",
        Some("api") => "api",
        Some("auth") => "auth",
        Some("assets") => "assets",
        _ => "other",
    }
}

/// Returns the resident memory of this process in bytes; `None` on systems without `/proc`.
fn resident_memory() -> Option<i64> {
    parse_resident_memory(&fs::read_to_string("/proc/self/status").ok()?)
}

/// Reads the resident memory in bytes from `/proc/self/status`, which states it in KiB on systems with any page size.
fn parse_resident_memory(status: &str) -> Option<i64> {
    let value = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    value.trim().strip_suffix(" kB")?.parse::<i64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::parse_resident_memory;

    #[test]
    fn resident_memory_does_not_depend_on_the_page_size() {
        for (status, bytes) in [
            ("VmPeak:\t    9999 kB\nVmRSS:\t    2304 kB\nRssAnon:\t 1 kB\n", Some(2_359_296)),
            ("VmRSS:\t 9223372036854775807 kB\n", None),
            ("VmRSS:\t 2304 MB\n", None),
            ("Name:\tflagdeck\n", None),
        ] {
            assert_eq!(parse_resident_memory(status), bytes, "{status}");
        }
    }
}
