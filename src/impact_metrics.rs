//! Totals of the impact metrics that applications report with their SDKs, for Prometheus.
//!
//! They are in memory only: after a restart, counters begin at 0, as Prometheus expects of any process. SDKs report increments
//! since their last accepted report, so that a restart of an application changes no total. A report that an SDK repeats, because
//! it did not receive the response, counts twice: reports have no identity.

mod collector;
pub(crate) mod report;
mod series;
mod toggle_usage;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use memchr::memmem;
use parking_lot::{Mutex, MutexGuard};
use serde::Deserialize;
use serde_json::Value;

use self::series::{LIMITS, SeriesStore};
pub use self::toggle_usage::ToggleUsage;
use crate::number::to_u64;

/// The impact metrics of this process. Clones share them.
#[derive(Debug, Clone)]
pub struct ImpactMetrics(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    series: Mutex<SeriesStore>,
    start: Instant,
    over_limit: AtomicU64,
    invalid: AtomicU64,
    /// Counts of evaluations, with `toggle-metrics`.
    usage: Option<ToggleUsage>,
}

/// The senders of reports. Series of different senders are separate, so that browsers change nothing that servers have reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum ImpactSender {
    /// Applications with a secret token.
    Server,
    /// Browsers and phones, whose tokens are public.
    Browser,
}

/// The part of a report that contains impact metrics.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    app_name: Option<String>,
    impact_metrics: Option<Value>,
}

impl ImpactSender {
    fn index(self) -> usize {
        match self {
            Self::Server => 0,
            Self::Browser => 1,
        }
    }

    /// Returns the value of the label for Prometheus.
    fn label(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Browser => "browser",
        }
    }
}

impl Default for ImpactMetrics {
    fn default() -> Self {
        Self::new(false)
    }
}

impl ImpactMetrics {
    /// Creates the state without series. `counts_toggles` adds the counts of evaluations of the same reports.
    #[must_use]
    pub fn new(counts_toggles: bool) -> Self {
        Self(Arc::new(Inner {
            series: Mutex::new(SeriesStore::new(LIMITS)),
            start: Instant::now(),
            over_limit: AtomicU64::new(0),
            invalid: AtomicU64::new(0),
            usage: counts_toggles.then(ToggleUsage::default),
        }))
    }

    /// Returns the counts of evaluations; `None` without `toggle-metrics`.
    pub(crate) fn usage(&self) -> Option<&ToggleUsage> {
        self.0.usage.as_ref()
    }

    /// Adds the impact metrics of an accepted report. Invalid ones are dropped and counted.
    pub(crate) fn record(&self, report: &Value, sender: ImpactSender) {
        if let Some(usage) = &self.0.usage {
            usage.record(report);
        }
        let Some(reported) = report.get("impactMetrics") else { return };
        let application = report.get("appName").and_then(Value::as_str).unwrap_or_default();
        self.record_reported(reported, application, sender);
    }

    /// Adds the impact metrics of the body of an accepted report. Does not parse a body without any.
    pub(crate) fn record_body(&self, body: &[u8], sender: ImpactSender) {
        if let Some(usage) = &self.0.usage
            && let Ok(report) = serde_json::from_slice(body)
        {
            usage.record(&report);
        }
        if memmem::find(body, b"\"impactMetrics\"").is_none() {
            return;
        }
        if let Ok(Report { app_name, impact_metrics: Some(reported) }) = serde_json::from_slice(body) {
            self.record_reported(&reported, &app_name.unwrap_or_default(), sender);
        }
    }

    fn record_reported(&self, reported: &Value, application: &str, sender: ImpactSender) {
        let (metrics, invalid) = report::read(reported, application);
        let over_limit = self.0.series.lock().add(self.0.start.elapsed(), metrics, sender);
        for (counter, count) in [(&self.0.invalid, invalid), (&self.0.over_limit, over_limit)] {
            counter.fetch_add(to_u64(count), Ordering::Relaxed);
        }
    }

    /// Returns the numbers of dropped samples by their reason.
    fn dropped(&self) -> [(&'static str, u64); 2] {
        [
            ("limit", self.0.over_limit.load(Ordering::Relaxed)),
            ("invalid", self.0.invalid.load(Ordering::Relaxed)),
        ]
    }

    /// Returns the series of the last hour.
    fn series(&self) -> MutexGuard<'_, SeriesStore> {
        let mut store = self.0.series.lock();
        store.remove_expired(self.0.start.elapsed());
        store
    }
}
