//! Endpoints of the usage that applications report.

use std::collections::BTreeMap;

use super::handlers;
use crate::flags::endpoint::{Endpoint, get};
use crate::flags::model::{SeenApp, ToggleMetrics};

pub(in crate::flags) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/metrics/feature-toggles", handlers::toggle_metrics)
            .summary("Get evaluation counts of the last hour and minute")
            .note("Includes up to 1,000 names of toggles that do not exist.")
            .returns::<ToggleMetrics>(200),
        get("/metrics/seen-apps", handlers::seen_apps)
            .summary("List the applications of each toggle")
            .note(
                "A response of more than 16 MiB is shortened: first `strategies`, `description` and `url` are empty, \
                 then applications are left out, beginning with those of toggles that do not exist.",
            )
            .returns::<BTreeMap<String, Vec<SeenApp>>>(200),
    ]
}
