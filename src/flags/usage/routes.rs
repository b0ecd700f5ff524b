//! Endpoints of the usage that applications report.

use std::collections::BTreeMap;

use super::handlers;
use super::windows::MAX_UNKNOWN_NAMES;
use crate::flags::applications::seen_apps;
use crate::flags::endpoint::{Endpoint, get};
use crate::flags::model::{SeenApp, ToggleMetrics};

pub(in crate::flags) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/metrics/feature-toggles", handlers::toggle_metrics)
            .summary("Get evaluation counts of the last hour and minute")
            .note(format!("Includes up to {MAX_UNKNOWN_NAMES} names of toggles that do not exist."))
            .returns::<ToggleMetrics>(200),
        get("/metrics/seen-apps", handlers::seen_apps)
            .summary("List the applications of each toggle")
            .note(format!(
                "A response of more than {} MiB is shortened: first `strategies`, `description` and `url` are empty, \
                 then applications are left out, beginning with those of toggles that do not exist.",
                seen_apps::MAX_BYTES >> 20
            ))
            .returns::<BTreeMap<String, Vec<SeenApp>>>(200),
    ]
}
