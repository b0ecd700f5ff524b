//! Endpoints of the usage that applications report.

use std::collections::BTreeMap;

use serde_json::json;

use super::handlers;
use super::history::{DEFAULT_HOURS, HOURS, MAX_APPLICATIONS_PER_TOGGLE};
use crate::api::{MetricsOfToggle, SeenApp, SeenToggles, ToggleMetrics, UsageHistory};
use crate::flags::applications::seen_apps;
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
        get("/metrics/seen-toggles", handlers::seen_toggles)
            .summary("List the applications that reported evaluations, with the names of their toggles")
            .note(format!(
                "`metricsCount` is the number of evaluations in the last {HOURS} hours. It does not include toggles in \
                 which the application is not counted separately."
            ))
            .returns::<Vec<SeenToggles>>(200),
        get("/metrics/seen-apps", handlers::seen_apps)
            .summary("List the applications of each toggle")
            .note(format!(
                "A response of more than {} MiB is shortened: first `strategies`, `description` and `url` are empty, \
                 then applications are left out, beginning with those of toggles that do not exist.",
                seen_apps::MAX_BYTES >> 20
            ))
            .returns::<BTreeMap<String, Vec<SeenApp>>>(200),
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
