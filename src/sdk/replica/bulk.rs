//! Requests with the collected reports of several SDKs, in the format of Unleash 5.9 and newer. Pure.
//!
//! The upstream accepts bodies up to 100 KiB, and refuses all entries of a request if one of them is invalid. It applies valid
//! registrations even then, but counts only if all are valid, so that a request contains either registrations or counts.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::queued_report::{LIBRARY_FIELDS, QueuedReport, ReportKind, ReportSender};

/// Maximum size of a body in bytes.
pub(super) const MAX_BODY: usize = 95 << 10;
/// Size of a body without entries in bytes.
pub(super) const EMPTY_BODY: usize = 40;

/// The lists of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum BulkList {
    /// Instances of applications.
    Applications,
    /// Counts of toggles.
    Metrics,
}

/// Returns the list that contains a report; `None` if a request in bulk cannot contain it.
pub(super) fn list_of(report: &QueuedReport) -> Option<BulkList> {
    let list = match report.kind {
        ReportKind::Registration | ReportKind::Presence => BulkList::Applications,
        ReportKind::Counts => BulkList::Metrics,
        ReportKind::Bulk => return None,
    };
    report.fits_bulk().then_some(list)
}

/// Prepares a new report for its collection: adds the scope of its token, and divides it, so that the counts of several
/// instances and of several reports of Unleash Edge can be merged. The last part is counted as the report.
pub(super) fn collect(report: QueuedReport) -> Vec<QueuedReport> {
    let accepted = report.accepted;
    let mut parts = divide_by_list(report);
    if let Some(last) = parts.last_mut() {
        last.accepted = accepted;
    }
    parts
}

fn divide_by_list(mut report: QueuedReport) -> Vec<QueuedReport> {
    let Some(scope) = report.scope.clone() else { return vec![report] };
    let environment = Value::from(scope.environment.clone());
    let is_known = report.class == ReportSender::Known;
    match report.kind {
        ReportKind::Registration => {
            // The upstream takes them from the token of a single report. Every application with such a token is a backend there.
            report.body.remove("sdkType");
            report.body.insert("environment".to_owned(), environment);
            report.body.insert("projects".to_owned(), json!(scope.projects));
            vec![report.derive(report.kind, report.body.clone())]
        }
        ReportKind::Counts => {
            report.body.insert("environment".to_owned(), environment);
            let counts = report.derive(report.kind, report.body.clone());
            let presence =
                presence_of(&counts, &scope.projects).filter(|presence| is_known && presence.fits_bulk());
            let has_counts = !(counts.fits_bulk() && presence.is_some())
                || counts.toggles().is_some_and(|toggles| !toggles.is_empty());
            presence.into_iter().chain(has_counts.then_some(counts)).collect()
        }
        ReportKind::Bulk if is_known => divide(report, &scope.environment),
        ReportKind::Bulk | ReportKind::Presence => vec![report],
    }
}

/// Returns the presence of the instance that has sent counts; `None` if it has no name or no time. Sent alone, it is a report without
/// toggles.
fn presence_of(counts: &QueuedReport, projects: &[String]) -> Option<QueuedReport> {
    let body = &counts.body;
    let bucket = body.get("bucket")?;
    let (start, stop) = (bucket.get("start")?, bucket.get("stop")?);
    let fields = ["appName", "instanceId", "environment"].into_iter().chain(LIBRARY_FIELDS);
    let fields = fields.filter_map(|name| Some((name.to_owned(), body.get(name)?.clone())));
    let mut own: Map<String, Value> = fields.collect();
    own.insert("projects".to_owned(), json!(projects));
    own.insert("bucket".to_owned(), json!({ "start": start, "stop": stop, "toggles": {} }));
    Some(counts.derive(ReportKind::Presence, own))
}

/// Divides a report of Unleash Edge into those of its applications. The rest, such as invalid entries, remains a report in bulk.
fn divide(mut report: QueuedReport, environment: &str) -> Vec<QueuedReport> {
    let (mut parts, mut body) = (Vec::new(), std::mem::take(&mut report.body));
    let mut take = |name: &str| {
        body.remove(name).and_then(|list| if let Value::Array(list) = list { Some(list) } else { None })
    };
    let (applications, metrics) =
        (take("applications").unwrap_or_default(), take("metrics").unwrap_or_default());
    let mut rest: [Vec<Value>; 2] = Default::default();
    let [other_applications, other_metrics] = &mut rest;
    for application in applications {
        let part =
            application.as_object().map(|fields| report.derive(ReportKind::Registration, fields.clone()));
        let has_scope = |part: &QueuedReport| {
            ["environment", "projects"].iter().all(|name| part.body.contains_key(*name))
        };
        match part.filter(|part| has_scope(part) && !part.source.application.is_empty() && part.fits_bulk()) {
            Some(part) => parts.push(part),
            None => other_applications.push(application),
        }
    }
    let mut places: HashMap<[String; 2], usize> = HashMap::new();
    for metric in metrics {
        let text = |name: &str| metric.get(name).and_then(Value::as_str).unwrap_or_default();
        let (application, toggle, time) = (text("appName"), text("featureName"), text("timestamp"));
        let counts: Map<String, Value> = ["yes", "no", "variants"]
            .iter()
            .filter_map(|name| Some(((*name).to_owned(), metric.get(*name)?.clone())))
            .collect();
        let part = report.derive(
            ReportKind::Counts,
            Map::from_iter([
                ("appName".to_owned(), application.into()),
                ("environment".to_owned(), environment.into()),
                ("bucket".to_owned(), json!({ "start": time, "stop": time, "toggles": { toggle: counts } })),
            ]),
        );
        if text("environment") != environment || application.is_empty() || !part.fits_bulk() {
            other_metrics.push(metric);
            continue;
        }
        let key = [application.to_owned(), time.to_owned()];
        if let Some(known) = places.get(&key).and_then(|place| parts.get_mut(*place)) {
            known.merge(part);
        } else {
            places.insert(key, parts.len());
            parts.push(part);
        }
    }
    let has_rest = rest.iter().any(|list| !list.is_empty())
        || body.values().any(|value| !matches!(value, Value::Null) && value != &json!([]));
    if has_rest {
        let [applications, metrics] = rest;
        body.insert("applications".to_owned(), applications.into());
        body.insert("metrics".to_owned(), metrics.into());
        parts.push(report.derive(ReportKind::Bulk, body));
    }
    parts
}

/// Returns the entries of a report in the list of its kind.
fn entries(report: &QueuedReport) -> Vec<Value> {
    let body = &report.body;
    let environment = body.get("environment");
    match report.kind {
        ReportKind::Presence => {
            let mut fields = body.clone();
            let bucket = fields.remove("bucket").unwrap_or_default();
            // The upstream requires both, and stores neither.
            fields.insert("started".to_owned(), bucket.get("start").cloned().unwrap_or_default());
            fields.insert("interval".to_owned(), 0.into());
            vec![fields.into()]
        }
        ReportKind::Counts => {
            let stop = body.get("bucket").and_then(|bucket| bucket.get("stop"));
            let count =
                |counts: &Value, name: &str| counts.get(name).and_then(Value::as_u64).unwrap_or_default();
            let toggles = report.toggles().into_iter().flatten().map(|(name, counts)| {
                json!({
                    "appName": report.source.application,
                    "featureName": name,
                    "environment": environment,
                    "timestamp": stop,
                    "yes": count(counts, "yes"),
                    "no": count(counts, "no"),
                    "variants": counts.get("variants").filter(|variants| !variants.is_null()).unwrap_or(&json!({})),
                })
            });
            toggles.collect()
        }
        ReportKind::Registration | ReportKind::Bulk => vec![body.clone().into()],
    }
}

/// Returns the size of a report in a body in bytes, with its separators.
pub(super) fn size_of(report: &QueuedReport) -> usize {
    entries(report).iter().map(|entry| entry.to_string().len() + 1).sum()
}

/// Writes a body.
pub(super) fn write_body(reports: &[QueuedReport]) -> Vec<u8> {
    let list = |list: BulkList| -> Vec<Value> {
        reports.iter().filter(|report| list_of(report) == Some(list)).flat_map(entries).collect()
    };
    let body = json!({ "applications": list(BulkList::Applications), "metrics": list(BulkList::Metrics) });
    body.to_string().into_bytes()
}

/// Divides reports of which one has an invalid entry; `None` if there is only one entry.
pub(super) fn bisect(mut reports: Vec<QueuedReport>) -> Option<[Vec<QueuedReport>; 2]> {
    let second = match reports.len() {
        0 => return None,
        1 => vec![reports.first_mut()?.split()?],
        count => reports.split_off(count / 2),
    };
    Some([reports, second])
}
