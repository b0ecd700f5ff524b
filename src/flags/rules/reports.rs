//! The rules of what client libraries send. Lenient where libraries differ: times and intervals are not read.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::fields::{Faults, Field};
use crate::error::ApiError;
use crate::flags::model::Counts;
use crate::flags::store::ApplicationTexts;
use crate::flags::usage::report::{Registration, Report};

/// How long what applications call themselves may be.
const LONGEST: usize = 255;
/// How often a toggle can be asked for in one report.
const MOST: u64 = 1_000_000_000_000;

/// How many strategies a registration and how many toggles a report may name.
const MOST_NAMES: usize = 10_000;

/// Reads that an instance started.
///
/// # Errors
/// [`ApiError::Invalid`] with every broken rule.
pub fn registration(body: &Value) -> Result<Registration, ApiError> {
    let body = Field::root(body)?;
    let mut faults = Faults::default();
    let registration = Registration {
        app_name: sender(&body.get("appName"), &mut faults),
        instance_id: sender(&body.get("instanceId"), &mut faults),
        sdk_version: body.get("sdkVersion").nullable_text(&mut faults),
        strategies: strategies(&body.get("strategies"), &mut faults),
    };
    let sdk_version = registration.sdk_version.as_deref().unwrap_or_default();
    body.get("sdkVersion").check_bounds(sdk_version, (0, LONGEST), &mut faults);
    faults.into_result(registration)
}

/// Reads what an instance counted. Names that no toggle can have are left out.
///
/// # Errors
/// [`ApiError::Invalid`] with every broken rule.
pub fn report(body: &Value) -> Result<Report, ApiError> {
    let body = Field::root(body)?;
    let mut faults = Faults::default();
    let app_name = sender(&body.get("appName"), &mut faults);
    let instance_id = sender(&body.get("instanceId"), &mut faults);
    let bucket = body.get("bucket");
    bucket.require(&mut faults);
    bucket.object(&mut faults);
    let field = bucket.get("toggles");
    let mut toggles = BTreeMap::new();
    check_number(&field, field.value().and_then(Value::as_object).map_or(0, Map::len), &mut faults);
    for name in field.object(&mut faults).into_iter().flat_map(|object| object.keys()) {
        let toggle = field.get(name);
        toggle.object(&mut faults);
        let counts =
            Counts { yes: count(&toggle.get("yes"), &mut faults), no: count(&toggle.get("no"), &mut faults) };
        if super::is_name(name) {
            toggles.insert(name.clone(), counts);
        }
    }
    faults.into_result(Report { app_name, instance_id, toggles })
}

/// Reads what somebody says about an application. Empty texts say nothing.
///
/// # Errors
/// [`ApiError::Invalid`] with every broken rule.
pub fn application_texts(body: &Value) -> Result<ApplicationTexts, ApiError> {
    let body = Field::root(body)?;
    let mut faults = Faults::default();
    let mut said = |key| body.get(key).nullable_text(&mut faults).filter(|text| !text.is_empty());
    let texts = ApplicationTexts { icon: said("icon"), url: said("url"), description: said("description") };
    faults.into_result(texts)
}

fn sender(field: &Field<'_>, faults: &mut Faults) -> String {
    let text = field.required_text(faults);
    field.check_bounds(&text, (0, LONGEST), faults);
    text
}

fn strategies(field: &Field<'_>, faults: &mut Faults) -> Vec<String> {
    let items = field.items(faults);
    check_number(field, items.len(), faults);
    items.iter().map(|item| sender(item, faults)).collect()
}

fn check_number(field: &Field<'_>, number: usize, faults: &mut Faults) {
    if number > MOST_NAMES {
        field.fault(faults, "array.max", &format!("must contain less than or equal to {MOST_NAMES} items"));
    }
}

/// Nought where it is missing.
fn count(field: &Field<'_>, faults: &mut Faults) -> u64 {
    let count = field.whole().and_then(|count| u64::try_from(count).ok()).filter(|count| *count <= MOST);
    if count.is_none() && !field.is_missing() {
        field.fault(faults, "number.integer", "must be a whole number that is not negative");
    }
    count.unwrap_or_default()
}
