//! Validation of the registrations and reports of client libraries.
//!
//! Times and intervals are ignored because libraries send them in different formats.

use std::collections::BTreeMap;

use actix_web::http::header::HeaderMap;
use serde_json::{Map, Value, json};

use crate::error::ApiError;
use crate::flags::model::{ClientApi, Counts};
use crate::flags::usage::report::{MAX_APPLICATION_STRATEGIES, Registration, Report};
use crate::flags::validation::fields::{Field, ValidationErrors, is_valid_name};
use crate::flags::validation::limits::{MAX_CLIENT_NAME_LENGTH, MAX_COUNT, MAX_REPORTED_TOGGLES};

/// Parses the registration of an application instance.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_registration(body: &Value, api: ClientApi) -> Result<Registration, ApiError> {
    let body = Field::root(body)?;
    let mut errors = ValidationErrors::default();
    let registration = Registration {
        app_name: parse_client_name(&body.get("appName"), &mut errors),
        instance_id: parse_client_name(&body.get("instanceId"), &mut errors),
        sdk_version: body.get("sdkVersion").nullable_text(&mut errors),
        strategies: parse_strategies(&body.get("strategies"), &mut errors),
        api,
    };
    let sdk_version = registration.sdk_version.as_deref().unwrap_or_default();
    body.get("sdkVersion").check_bounds(sdk_version, (0, MAX_CLIENT_NAME_LENGTH), &mut errors);
    errors.into_result(registration)
}

/// Parses the usage report of an instance. Ignores invalid toggle names.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_report(body: &Value, api: ClientApi) -> Result<Report, ApiError> {
    let body = Field::root(body)?;
    let mut errors = ValidationErrors::default();
    let app_name = parse_client_name(&body.get("appName"), &mut errors);
    let instance_id = parse_client_name(&body.get("instanceId"), &mut errors);
    let bucket = body.get("bucket");
    bucket.require(&mut errors);
    bucket.object(&mut errors);
    let field = bucket.get("toggles");
    let mut toggles = BTreeMap::new();
    let object = field.object_with_limit(MAX_REPORTED_TOGGLES, &mut errors);
    for name in object.into_iter().flat_map(Map::keys) {
        let toggle = field.get(name);
        toggle.object(&mut errors);
        let counts = Counts {
            yes: parse_count(&toggle.get("yes"), &mut errors),
            no: parse_count(&toggle.get("no"), &mut errors),
        };
        if is_valid_name(name) {
            toggles.insert(name.clone(), counts);
        }
    }
    errors.into_result(Report { app_name, instance_id, toggles, api })
}

/// Creates the report of an instance that opens an event stream. Returns nothing if its headers do not identify it.
#[must_use]
pub fn report_stream(headers: &HeaderMap) -> Option<Report> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let (name, id) = (text("unleash-appname")?, text("unleash-instanceid")?);
    let body = json!({ "appName": name, "instanceId": id, "bucket": { "toggles": {} } });
    parse_report(&body, ClientApi::Streaming).ok()
}

fn parse_client_name(field: &Field<'_>, errors: &mut ValidationErrors) -> String {
    let text = field.required_text(errors);
    field.check_bounds(&text, (0, MAX_CLIENT_NAME_LENGTH), errors);
    text
}

fn parse_strategies(field: &Field<'_>, errors: &mut ValidationErrors) -> Vec<String> {
    field
        .items(MAX_APPLICATION_STRATEGIES, errors)
        .iter()
        .map(|item| parse_client_name(item, errors))
        .collect()
}

/// Parses a count. Returns 0 if it is missing.
fn parse_count(field: &Field<'_>, errors: &mut ValidationErrors) -> u64 {
    let count =
        field.integer().and_then(|count| u64::try_from(count).ok()).filter(|count| *count <= MAX_COUNT);
    if count.is_none() && !field.is_missing() {
        field.add_error(errors, "number.integer", "must be a non-negative integer");
    }
    count.unwrap_or_default()
}
