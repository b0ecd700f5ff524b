//! Counts of evaluations that SDKs report, by application and toggle (`toggle-metrics`), for Prometheus under the name of Unleash
//! Edge. They are in memory only, as impact metrics.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use serde_json::Value;

use super::collector::escape;
use crate::state_export::text;

/// Maximum number of pairs of an application and a toggle. Each is two time series.
const MAX_PAIRS: usize = 10_000;
/// Maximum length of a name in bytes. Longer ones are not counted.
const MAX_NAME: usize = 255;

/// The counts. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct ToggleUsage(Arc<Mutex<Counts>>);

#[derive(Debug, Default)]
struct Counts {
    /// Numbers of evaluations as on and as off, by application and toggle.
    pairs: BTreeMap<(String, String), [u64; 2]>,
    /// Number of evaluations of pairs that exceed a limit.
    over_limit: u64,
}

impl ToggleUsage {
    /// Adds the counts of an accepted report: one of an SDK, or several of Unleash Edge.
    pub(super) fn record(&self, report: &Value) {
        let application = text(report, "appName").unwrap_or_default();
        let mut counts = self.0.lock();
        let toggles = report.pointer("/bucket/toggles").and_then(Value::as_object);
        for (toggle, numbers) in toggles.into_iter().flatten() {
            counts.add(application, toggle, numbers);
        }
        let metrics = report.get("metrics").and_then(Value::as_array);
        for numbers in metrics.into_iter().flatten() {
            let name = |key: &str| text(numbers, key).unwrap_or_default();
            counts.add(name("appName"), name("featureName"), numbers);
        }
    }
}

impl Counts {
    fn add(&mut self, application: &str, toggle: &str, numbers: &Value) {
        let added = ["yes", "no"].map(|key| numbers.get(key).and_then(Value::as_u64).unwrap_or_default());
        let is_full = self.pairs.len() >= MAX_PAIRS || application.len().max(toggle.len()) > MAX_NAME;
        match self.pairs.entry((application.to_owned(), toggle.to_owned())) {
            Entry::Vacant(_) if is_full => {
                let [on, off] = added;
                self.over_limit = self.over_limit.saturating_add(on).saturating_add(off);
            }
            entry => {
                let counted = entry.or_default();
                for (counted, added) in counted.iter_mut().zip(added) {
                    *counted = counted.saturating_add(added);
                }
            }
        }
    }
}

impl Collector for ToggleUsage {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let counts = self.0.lock();
        let help = "Evaluations that SDKs report, by application, toggle and result";
        let mut family =
            encoder.encode_descriptor("feature_toggle_usage", help, None, MetricType::Counter)?;
        for ((application, toggle), numbers) in &counts.pairs {
            for (active, number) in ["true", "false"].into_iter().zip(numbers) {
                let labels = [
                    ("appName", escape(application)),
                    ("toggle", escape(toggle)),
                    ("active", active.to_owned()),
                ];
                family.encode_family(&labels)?.encode_counter::<NoLabelSet, u64, f64>(number, None)?;
            }
        }
        let help = "Reported evaluations of pairs of an application and a toggle that exceed a limit";
        encoder
            .encode_descriptor("feature_toggle_usage_over_limit", help, None, MetricType::Counter)?
            .encode_counter::<NoLabelSet, u64, f64>(&counts.over_limit, None)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{MAX_PAIRS, ToggleUsage};

    #[test]
    fn pairs_and_names_are_limited() {
        let usage = ToggleUsage::default();
        let report = |application: &str, toggles: usize| {
            let toggles = (0..toggles).map(|number| (format!("t{number}"), json!({ "yes": 1, "no": 2 })));
            json!({ "appName": application, "bucket": { "toggles": toggles.collect::<serde_json::Value>() } })
        };
        usage.record(&report("shop", MAX_PAIRS));
        usage.record(&report("web", 1));
        usage.record(&report("shop", 1));
        usage.record(&report(&"x".repeat(256), 1));
        let counts = usage.0.lock();
        assert_eq!((counts.pairs.len(), counts.over_limit), (MAX_PAIRS, 6));
        assert_eq!(counts.pairs[&("shop".to_owned(), "t0".to_owned())], [2, 4]);
    }
}
