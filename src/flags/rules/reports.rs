//! The rules of what client libraries send. Lenient where libraries differ: times and intervals are not read.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::fields::{Faults, Field};
use crate::error::ApiError;
use crate::flags::model::Counts;
use crate::flags::store::ApplicationTexts;
use crate::flags::usage::report::{MAX_APPLICATION_STRATEGIES, Registration, Report};

/// The maximum length of names that applications choose, in characters.
const MAX_NAME_LENGTH: usize = 255;
/// The maximum count of a toggle in one report.
const MAX_COUNT: u64 = 1_000_000_000_000;
/// The maximum number of toggles in a report.
const MAX_TOGGLES: usize = 10_000;
/// The maximum length of the URL and the description of an application, in characters: lists repeat them.
const MAX_TEXT_LENGTH: usize = 2_000;

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
    body.get("sdkVersion").check_bounds(sdk_version, (0, MAX_NAME_LENGTH), &mut faults);
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
    let object = field.object_within(MAX_TOGGLES, &mut faults);
    for name in object.into_iter().flat_map(Map::keys) {
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
    let mut text = |key, length| {
        let field = body.get(key);
        let text = field.nullable_text(&mut faults).filter(|text| !text.is_empty());
        field.check_bounds(text.as_deref().unwrap_or_default(), (0, length), &mut faults);
        text
    };
    let texts = ApplicationTexts {
        icon: text("icon", MAX_NAME_LENGTH),
        url: text("url", MAX_TEXT_LENGTH),
        description: text("description", MAX_TEXT_LENGTH),
    };
    faults.into_result(texts)
}

fn sender(field: &Field<'_>, faults: &mut Faults) -> String {
    let text = field.required_text(faults);
    field.check_bounds(&text, (0, MAX_NAME_LENGTH), faults);
    text
}

fn strategies(field: &Field<'_>, faults: &mut Faults) -> Vec<String> {
    field.items(MAX_APPLICATION_STRATEGIES, faults).iter().map(|item| sender(item, faults)).collect()
}

/// Zero if it is missing.
fn count(field: &Field<'_>, faults: &mut Faults) -> u64 {
    let count = field.whole().and_then(|count| u64::try_from(count).ok()).filter(|count| *count <= MAX_COUNT);
    if count.is_none() && !field.is_missing() {
        field.fault(faults, "number.integer", "must be a whole number that is not negative");
    }
    count.unwrap_or_default()
}
