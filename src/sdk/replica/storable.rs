//! Removes parts of reports that the database of a flag service cannot store. Pure.
//!
//! Unleash accepts them (202), and fails later, when it writes them with the reports of all other senders, which are then lost.

use serde_json::{Map, Value};

use super::queued_report::ReportKind;

/// Maximum number of characters of a name: columns of Unleash for names have this size.
const MAX_NAME: usize = 255;
/// Maximum number of characters of the name of an environment.
const MAX_ENVIRONMENT: usize = 100;
/// Maximum size of the names of an application, a toggle and a variant together in bytes. With an environment and a time, they are an
/// entry of an index of PostgreSQL, which has at most 2,704 bytes.
const MAX_KEY: usize = 2_200;

type Fields = Map<String, Value>;

/// Removes what cannot be stored from the body of a report. Returns the number of removed parts, such as toggles; `None` if the whole
/// report cannot be stored.
pub(super) fn remove_unstorable(kind: ReportKind, body: &mut Fields) -> Option<usize> {
    match kind {
        ReportKind::Registration => {
            let is_storable = is_name(body, "appName") && is_name(body, "instanceId");
            is_storable.then(|| remove_texts(body))
        }
        ReportKind::Presence | ReportKind::Counts => {
            is_name(body, "appName").then(|| remove_texts(body) + remove_toggles(body))
        }
        ReportKind::Bulk => {
            let removed = retain_entries(body, "applications", clean_application)
                + retain_entries(body, "metrics", clean_metric);
            Some(removed)
        }
    }
}

/// Cleans the entries of a list, and removes those that cannot be stored. The flag service refuses entries that are no objects.
fn retain_entries(body: &mut Fields, list: &str, clean: impl Fn(&mut Fields) -> Option<usize>) -> usize {
    let Some(Value::Array(entries)) = body.get_mut(list) else { return 0 };
    let mut removed = 0;
    entries.retain_mut(|entry| {
        let cleaned = entry.as_object_mut().map_or(Some(0), &clean);
        removed += cleaned.unwrap_or(1);
        cleaned.is_some()
    });
    removed
}

/// Cleans an instance in a report of Unleash Edge.
fn clean_application(entry: &mut Fields) -> Option<usize> {
    remove_unstorable(ReportKind::Registration, entry)
}

/// Cleans the counts of a toggle in a report of Unleash Edge.
fn clean_metric(entry: &mut Fields) -> Option<usize> {
    let is_environment = is_storable(text(entry, "environment"), MAX_ENVIRONMENT);
    let key = text(entry, "appName").len() + text(entry, "featureName").len();
    (is_name(entry, "appName") && is_name(entry, "featureName") && is_environment)
        .then(|| remove_variants(entry, key))
}

fn remove_toggles(body: &mut Fields) -> usize {
    let application = text(body, "appName").len();
    let toggles = body.get_mut("bucket").and_then(|bucket| bucket.get_mut("toggles"));
    let Some(Value::Object(toggles)) = toggles else { return 0 };
    let variants = toggles.iter_mut().map(|(name, counts)| {
        counts.as_object_mut().map_or(0, |counts| remove_variants(counts, application + name.len()))
    });
    variants.sum::<usize>() + retain(toggles, |name, _| is_storable(name, MAX_NAME))
}

/// Removes variants from the counts of a toggle. `key` is the size of the names of its application and of itself in bytes.
fn remove_variants(counts: &mut Fields, key: usize) -> usize {
    let Some(Value::Object(variants)) = counts.get_mut("variants") else { return 0 };
    retain(variants, |name, _| is_storable(name, MAX_NAME) && key + name.len() <= MAX_KEY)
}

/// Removes texts, such as the version of an SDK.
fn remove_texts(body: &mut Fields) -> usize {
    retain(body, |_, value| value.as_str().is_none_or(|text| is_storable(text, MAX_NAME)))
}

fn retain(fields: &mut Fields, is_kept: impl Fn(&str, &Value) -> bool) -> usize {
    let before = fields.len();
    fields.retain(|name, value| is_kept(name, value));
    before - fields.len()
}

fn is_name(fields: &Fields, name: &str) -> bool {
    is_storable(text(fields, name), MAX_NAME)
}

fn is_storable(text: &str, max: usize) -> bool {
    !text.contains('\0') && text.chars().nth(max).is_none()
}

fn text<'a>(fields: &'a Fields, name: &str) -> &'a str {
    fields.get(name).and_then(Value::as_str).unwrap_or_default()
}
