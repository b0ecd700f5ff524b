//! Describes the read of impact metrics, which is not an endpoint of the flag service alone.

use serde_json::{Value, json};

use super::operation::console_read;
use crate::api::ImpactMetricsResponse;
use crate::flags::endpoint::schema::Generator;
use crate::impact_metrics::{MAX_LISTED_METRICS, MAX_LISTED_RESULTS};

/// Returns the path with its operation.
pub(super) fn path_item(generator: &mut Generator) -> (String, Value) {
    let schema = generator.responses.subschema_for::<ImpactMetricsResponse>().to_value();
    let parameters = json!([
        {
            "name": "toggle", "in": "query", "required": true, "description": "Name of the toggle.",
            "schema": { "type": "string" },
        },
        {
            "name": "application", "in": "query",
            "description": "Applications whose metrics are included that they report without a toggle.",
            "schema": { "type": "array", "items": { "type": "string" } },
        },
    ]);
    let description = format!(
        "Reports to this instance since its start. At most {MAX_LISTED_METRICS} metrics with {MAX_LISTED_RESULTS} results each.",
    );
    let summary = "Get the impact metrics of a toggle in each of the last 60 minutes";
    console_read(
        "metrics",
        ("/-/impact-metrics", "getImpactMetrics"),
        (summary, description),
        &parameters,
        &schema,
    )
}
