//! Registrations and reports of client libraries: their validation and schemas.
//!
//! Times and intervals are ignored because libraries send them in different formats.

use std::collections::BTreeMap;

use actix_web::http::header::HeaderMap;
use serde_json::{Value, json};

use crate::api::limits::{MAX_CLIENT_NAME_LENGTH, MAX_COUNT, MAX_REPORTED_TOGGLES};
use crate::api::{ClientApi, Counts};
use crate::error::ApiError;
use crate::flags::usage::report::{BulkReport, MAX_APPLICATION_STRATEGIES, Registration, UsageReport};
use crate::flags::validation::{Field, RequestBody, is_valid_name};

/// Instance of counts in a bulk report whose application is not registered in the same report. They name no instance.
const BULK_INSTANCE: &str = "edge";

/// Parses the registration of an application instance.
pub(crate) fn parse_registration(body: &Value, api: ClientApi) -> Result<Registration, ApiError> {
    Ok(Registration { api, ..Registration::parse(body)? })
}

/// Parses the usage report of an instance. Ignores invalid toggle names.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_report(body: &Value, api: ClientApi) -> Result<UsageReport, ApiError> {
    Ok(UsageReport { api, ..UsageReport::parse(body)? })
}

impl RequestBody for Registration {
    const NAME: &'static str = "Registration";

    fn read(body: &Field<'_>) -> Self {
        body.describe(|| {
            json!({ "examples": [{
                "appName": "shop", "instanceId": "1", "sdkVersion": "x:1", "strategies": ["default"],
            }] })
        });
        Self {
            app_name: read_client_name(&body.get("appName")),
            instance_id: read_client_name(&body.get("instanceId")),
            sdk_version: body.get("sdkVersion").nullable(|text| text.short_text(MAX_CLIENT_NAME_LENGTH)),
            strategies: body.get("strategies").list(MAX_APPLICATION_STRATEGIES, read_client_name),
            api: ClientApi::Server,
        }
    }
}

impl RequestBody for UsageReport {
    const NAME: &'static str = "Report";

    fn read(body: &Field<'_>) -> Self {
        body.describe(|| {
            json!({ "examples": [{
                "appName": "shop", "instanceId": "1",
                "bucket": { "toggles": { "checkout.express": { "yes": 3, "no": 1 } } },
            }], "description": "A report with `impactMetrics` may have no `bucket`." })
        });
        let app_name = read_client_name(&body.get("appName"));
        let instance_id = read_client_name(&body.get("instanceId"));
        let (bucket, impact_metrics) = (body.get("bucket"), body.get("impactMetrics"));
        describe_impact_metrics(&impact_metrics);
        // A report of impact metrics alone has no counts.
        if impact_metrics.value().is_none() && bucket.value().is_none_or(Value::is_null) {
            bucket.add_error("any.required", "is required");
        }
        let toggles = bucket.nullable(|bucket| {
            bucket.object();
            let mut toggles = BTreeMap::new();
            for (name, toggle) in bucket.get("toggles").entries(MAX_REPORTED_TOGGLES).into_iter().flatten() {
                toggle.object();
                let counts = read_counts(&toggle);
                if is_valid_name(name) {
                    toggles.insert(name.to_owned(), counts);
                }
            }
            Some(toggles)
        });
        // The document describes reports of counts: generators of clients do not support alternatives.
        bucket.describe_required();
        bucket.describe(|| json!({ "type": "object" }));
        Self { app_name, instance_id, toggles: toggles.unwrap_or_default(), api: ClientApi::Server }
    }
}

/// The registrations and counts of several applications, which Unleash Edge sends. Ignores invalid toggle names.
impl RequestBody for BulkReport {
    const NAME: &'static str = "BulkReport";

    fn read(body: &Field<'_>) -> Self {
        body.describe(|| {
            json!({ "examples": [{
                "applications": [{ "appName": "shop", "instanceId": "1" }],
                "metrics": [{ "appName": "shop", "featureName": "checkout.express", "yes": 3, "no": 1 }],
            }] })
        });
        let (applications, metrics) = (body.get("applications"), body.get("metrics"));
        applications.require();
        let registrations = applications.list(MAX_REPORTED_TOGGLES, |item| {
            item.describe(|| json!({ "type": "object" }));
            let kind = item.get("sdkType").nullable(Field::text);
            let is_browser = kind.is_some_and(|kind| kind == "frontend");
            let api = if is_browser { ClientApi::Browser } else { ClientApi::Server };
            Registration { api, ..Registration::read(item) }
        });
        metrics.require();
        describe_impact_metrics(&body.get("impactMetrics"));
        let mut counts: BTreeMap<String, BTreeMap<String, Counts>> = BTreeMap::new();
        for (app_name, toggle, Counts { yes, no }) in metrics.list(MAX_REPORTED_TOGGLES, |item| {
            item.describe(|| json!({ "type": "object" }));
            let app_name = read_client_name(&item.get("appName"));
            (app_name, item.get("featureName").required_text(), read_counts(item))
        }) {
            if is_valid_name(&toggle) {
                let sum =
                    counts.entry(app_name).or_default().entry(toggle).or_insert(Counts { yes: 0, no: 0 });
                *sum = Counts { yes: sum.yes.saturating_add(yes), no: sum.no.saturating_add(no) };
            }
        }
        let instances = registrations.iter().map(|registration| {
            (registration.app_name.clone(), (registration.instance_id.clone(), registration.api))
        });
        let mut instances: BTreeMap<_, _> = instances.collect();
        let to_report = |(app_name, toggles): (String, BTreeMap<String, Counts>)| {
            let unnamed = || (BULK_INSTANCE.to_owned(), ClientApi::Server);
            let (instance_id, api) = instances.remove(&app_name).unwrap_or_else(unnamed);
            UsageReport { app_name, instance_id, toggles, api }
        };
        let reports = counts.into_iter().map(to_report).collect();
        Self { registrations, reports }
    }
}

/// Creates the report of an instance that opens an event stream. Returns nothing if its headers do not identify it.
#[must_use]
pub fn report_stream(headers: &HeaderMap) -> Option<UsageReport> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let (name, id) = (text("unleash-appname")?, text("unleash-instanceid")?);
    let body = json!({ "appName": name, "instanceId": id, "bucket": { "toggles": {} } });
    parse_report(&body, ClientApi::Streaming).ok()
}

/// Describes the impact metrics of a report. They are not validated with the body: an invalid one must not refuse the counts.
fn describe_impact_metrics(field: &Field<'_>) {
    field.describe(|| {
        json!({
            "description": "Impact metrics in the format of the Unleash SDKs. Invalid ones are ignored.",
            "examples": [[{
                "name": "purchases", "help": "Number of purchases", "type": "counter",
                "samples": [{ "value": 1, "labels": { "appName": "shop", "checkout.express": "enabled" } }],
            }]],
        })
    });
}

fn read_client_name(field: &Field<'_>) -> String {
    field.required_text_within((0, MAX_CLIENT_NAME_LENGTH))
}

/// Reads the numbers of evaluations of a toggle. A missing number is 0.
fn read_counts(toggle: &Field<'_>) -> Counts {
    let count = |key| {
        let error = ("number.integer", "must be a non-negative integer");
        let field = toggle.get(key);
        field
            .describe(|| json!({ "default": 0 }))
            .integer_within((0, MAX_COUNT.into()), error)
            .unwrap_or_default()
    };
    Counts { yes: count("yes"), no: count("no") }
}
