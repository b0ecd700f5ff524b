//! Validation of the registrations and reports of client libraries.
//!
//! Times and intervals are ignored because libraries send them in different formats.

use std::collections::BTreeMap;

use actix_web::http::header::HeaderMap;
use serde_json::{Map, Value, json};

use crate::api::limits::{MAX_CLIENT_NAME_LENGTH, MAX_COUNT, MAX_REPORTED_TOGGLES};
use crate::api::{ClientApi, Counts};
use crate::error::ApiError;
use crate::flags::usage::report::{BulkReport, MAX_APPLICATION_STRATEGIES, Registration, Report};
use crate::flags::validation::fields::{Field, ValidationErrors, is_valid_name};

/// Instance of counts in a bulk report whose application is not registered in the same report. They name no instance.
const BULK_INSTANCE: &str = "edge";

/// Parses the registration of an application instance.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_registration(body: &Value, api: ClientApi) -> Result<Registration, ApiError> {
    let body = Field::root(body)?;
    let mut errors = ValidationErrors::default();
    let registration = registration_of(&body, api, &mut errors);
    errors.into_result(registration)
}

fn registration_of(body: &Field<'_>, api: ClientApi, errors: &mut ValidationErrors) -> Registration {
    let registration = Registration {
        app_name: parse_client_name(&body.get("appName"), errors),
        instance_id: parse_client_name(&body.get("instanceId"), errors),
        sdk_version: body.get("sdkVersion").nullable_text(errors),
        strategies: parse_strategies(&body.get("strategies"), errors),
        api,
    };
    let sdk_version = registration.sdk_version.as_deref().unwrap_or_default();
    body.get("sdkVersion").check_bounds(sdk_version, (0, MAX_CLIENT_NAME_LENGTH), errors);
    registration
}

/// Parses the registrations and counts of several applications, which Unleash Edge sends. Ignores invalid toggle
/// names.
///
/// # Errors
/// [`ApiError::Invalid`] with every validation error.
pub fn parse_bulk_report(body: &Value) -> Result<BulkReport, ApiError> {
    let body = Field::root(body)?;
    let mut errors = ValidationErrors::default();
    let mut bulk = BulkReport::default();
    let applications = body.get("applications");
    applications.require(&mut errors);
    for item in &applications.items(MAX_REPORTED_TOGGLES, &mut errors) {
        let is_browser =
            item.get("sdkType").nullable_text(&mut errors).is_some_and(|kind| kind == "frontend");
        let api = if is_browser { ClientApi::Browser } else { ClientApi::Server };
        bulk.registrations.push(registration_of(item, api, &mut errors));
    }
    let mut counts: BTreeMap<String, BTreeMap<String, Counts>> = BTreeMap::new();
    let metrics = body.get("metrics");
    metrics.require(&mut errors);
    for item in &metrics.items(MAX_REPORTED_TOGGLES, &mut errors) {
        let app_name = parse_client_name(&item.get("appName"), &mut errors);
        let toggle = item.get("featureName").required_text(&mut errors);
        let (yes, no) =
            (parse_count(&item.get("yes"), &mut errors), parse_count(&item.get("no"), &mut errors));
        if is_valid_name(&toggle) {
            let sum = counts.entry(app_name).or_default().entry(toggle).or_insert(Counts { yes: 0, no: 0 });
            *sum = Counts { yes: sum.yes.saturating_add(yes), no: sum.no.saturating_add(no) };
        }
    }
    let instances = bulk.registrations.iter().map(|registration| {
        (registration.app_name.clone(), (registration.instance_id.clone(), registration.api))
    });
    let mut instances: BTreeMap<_, _> = instances.collect();
    for (app_name, toggles) in counts {
        let unnamed = || (BULK_INSTANCE.to_owned(), ClientApi::Server);
        let (instance_id, api) = instances.remove(&app_name).unwrap_or_else(unnamed);
        bulk.reports.push(Report { app_name, instance_id, toggles, api });
    }
    errors.into_result(bulk)
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
