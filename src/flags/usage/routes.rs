//! Endpoints of the usage that applications report.

use serde_json::json;

use super::handlers;
use super::history::{DEFAULT_HOURS, HOURS, MAX_APPLICATIONS_PER_TOGGLE};
use crate::api::{MetricsOfToggle, ToggleMetrics, UsageHistory};
use crate::flags::endpoint::{Endpoint, get};
use crate::usage_windows::MAX_UNKNOWN_NAMES;

pub(in crate::flags) fn endpoints() -> Vec<Endpoint> {
    let other_applications = format!(
        "At most {MAX_APPLICATIONS_PER_TOGGLE} applications are counted separately; an entry with an empty `appName` has \
         the counts of the others."
    );
    vec![
        get("/metrics/feature-toggles", handlers::toggle_metrics)
            .summary("Get evaluation counts of the last hour and minute")
            .note(format!("Includes up to {MAX_UNKNOWN_NAMES} names of toggles that do not exist."))
            .returns::<ToggleMetrics>(200),
        get("/metrics/feature-toggles/{name}", handlers::metrics_of_toggle)
            .summary("Get the evaluation counts of a toggle in the last hour and minute")
            .note("The counts are empty objects without reports, also if the toggle does not exist.")
            .returns::<MetricsOfToggle>(200),
        get("/client-metrics/features/{name}/minutes", handlers::minutes)
            .summary("Get the evaluation counts of a toggle in each of the last 60 minutes, by application")
            .note(other_applications.clone())
            .returns::<UsageHistory>(200),
        get("/client-metrics/features/{name}/raw", handlers::hours)
            .summary("Get the evaluation counts of a toggle in each of the last hours, by application")
            .note(other_applications)
            .query(
                "hoursBack",
                "Number of hours, including the current one",
                || json!({ "type": "integer", "minimum": 1, "maximum": HOURS, "default": DEFAULT_HOURS }),
            )
            .returns::<UsageHistory>(200),
    ]
}
