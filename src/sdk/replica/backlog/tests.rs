//! Tests of the reports that wait: tables, and a model for random orders of events.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Backlog, BatchLimits, Delivery, QueuedReport, ReportKind, ReportSender, SHARES, Share, Shares};
use crate::sdk::replica::bulk;
use crate::sdk::replica::cache_key::CacheKey;
use crate::sdk::replica::queued_report::{PERIOD, PERIODS_PER_HOUR, ReportScope};

fn report(kind: ReportKind, credential: u8, body: &Value, now: u64) -> Option<QueuedReport> {
    let key = CacheKey { credential: [credential; 32], whole: [0; 32] };
    let body = body.to_string();
    let report = QueuedReport::read(kind, key, Vec::new(), body.as_bytes(), ReportSender::Known, now)?;
    Some(QueuedReport { is_due: true, ..report })
}

/// Takes reports that are sent alone.
fn take(backlog: &mut Backlog, count: usize) -> Vec<QueuedReport> {
    let limits = BatchLimits { requests: count, includes_unknown: true };
    let batch = backlog.take_batch(limits, |_| None);
    assert!(batch.iter().all(|delivery| delivery.carrier.is_none() && delivery.reports.len() == 1));
    batch.into_iter().flat_map(|delivery| delivery.reports).collect()
}

fn first(backlog: &mut Backlog) -> Option<QueuedReport> {
    take(backlog, 1).pop()
}

fn total(backlog: &Backlog) -> usize {
    backlog.reports.iter().map(QueuedReport::measure).sum()
}

fn counts(app: &str, instance: &str, stop: &str, toggles: &Value) -> Value {
    let bucket = json!({ "start": "10:00", "stop": stop, "toggles": toggles });
    json!({ "appName": app, "instanceId": instance, "bucket": bucket })
}

#[test]
fn counts_of_an_application_are_added_for_each_minute() {
    let mut backlog = Backlog::default();
    let one = counts("shop", "1", "10:01", &json!({ "a": { "yes": 1, "no": 2, "variants": { "blue": 1 } } }));
    let other = counts(
        "shop",
        "2",
        "10:02",
        &json!({ "a": { "yes": 10, "no": 20, "variants": { "blue": 5, "red": 6 } }, "b": { "yes": 1, "no": 0 } }),
    );
    for (credential, body, now) in [
        (1, &one, 0),
        (1, &other, PERIOD - 1),
        (1, &one, PERIOD),
        (2, &one, 0),
        (1, &counts("app", "1", "10:01", &json!({})), 0),
    ] {
        assert_eq!(backlog.add(report(ReportKind::Counts, credential, body, now).unwrap()), 0);
    }
    assert_eq!(backlog.len(), 4);
    let oldest = first(&mut backlog).unwrap();
    let sum = json!({ "a": { "yes": 11, "no": 22, "variants": { "blue": 6, "red": 6 } }, "b": { "yes": 1, "no": 0 } });
    assert_eq!(Value::Object(oldest.body.clone()), counts("shop", "1", "10:02", &sum));
    assert_eq!(Value::Object(first(&mut backlog).unwrap().body), one, "the next minute");
    backlog.put_back(oldest);
    backlog.end_outage();
    assert_eq!(first(&mut backlog).unwrap().body["bucket"]["stop"], "10:02");
}

#[test]
fn counts_are_added_for_each_hour_before_any_are_dropped() {
    let mut backlog = Backlog { shares: SMALL, ..Backlog::default() };
    for minute in 0..120 {
        let body = counts("shop", "1", &minute.to_string(), &json!({ "a": { "yes": 1 } }));
        assert_eq!(backlog.add(report(ReportKind::Counts, 1, &body, minute * PERIOD).unwrap()), 0);
    }
    let counted = |report: &QueuedReport| {
        let bucket = &report.body["bucket"];
        (bucket["stop"].as_str().unwrap().parse().unwrap(), bucket["toggles"]["a"]["yes"].as_u64().unwrap())
    };
    let kept: Vec<(u64, u64)> = backlog.reports.iter().map(counted).collect();
    let last_minutes: Vec<_> = (114..120).map(|minute| (minute, 1)).collect();
    assert_eq!(kept, [&[(59, 60), (113, 54)], &last_minutes[..]].concat());
}

#[test]
fn each_instance_has_its_last_registration() {
    let mut backlog = Backlog::default();
    for (instance, started) in [("1", "10:00"), ("2", "10:00"), ("1", "10:05")] {
        let body = json!({ "appName": "shop", "instanceId": instance, "started": started });
        backlog.add(report(ReportKind::Registration, 1, &body, 0).unwrap());
    }
    let started = |backlog: &mut Backlog| first(backlog).unwrap().body["started"].clone();
    assert_eq!((started(&mut backlog), started(&mut backlog)), (json!("10:05"), json!("10:00")));
    assert!(first(&mut backlog).is_none());
}

#[test]
fn bodies_of_other_clients_are_refused() {
    for body in [json!([]), json!({}), json!({ "appName": 1 }), json!("shop")] {
        assert!(report(ReportKind::Counts, 1, &body, 0).is_none(), "{body}");
    }
}

#[test]
fn oldest_reports_are_dropped() {
    let mut backlog = Backlog::default();
    let named = |number: usize| counts(&format!("app-{number}"), "1", "10:01", &json!({}));
    let dropped: usize = (0..SHARES.known.reports + 3)
        .map(|number| backlog.add(report(ReportKind::Counts, 1, &named(number), 0).unwrap()))
        .sum();
    assert_eq!((dropped, backlog.len()), (3, SHARES.known.reports));
    assert_eq!(first(&mut backlog).unwrap().body["appName"], "app-3");
    let mut backlog = Backlog::default();
    for number in 0..20 {
        let toggles = (0..10_000).map(|toggle| (format!("{number}-{toggle}"), json!({ "yes": 1 })));
        backlog.add(
            report(ReportKind::Counts, 1, &counts("shop", "1", "10:01", &toggles.collect()), 0).unwrap(),
        );
        backlog.add(report(ReportKind::Counts, 2, &counts("shop", "1", "10:01", &json!({})), 0).unwrap());
        assert!(total(&backlog) <= SHARES.known.bytes);
    }
}

#[test]
fn merged_reports_are_bounded() {
    let mut backlog = Backlog::default();
    let mut dropped = 0;
    for number in 0..40 {
        let variants: Value = (0..10_000).map(|variant| (format!("{number}-{variant}"), json!(1))).collect();
        let body = counts("shop", "1", "10:01", &json!({ "a": { "yes": 1, "variants": variants } }));
        dropped += backlog.add(report(ReportKind::Counts, 1, &body, 0).unwrap());
        assert!(total(&backlog) <= SHARES.known.bytes);
    }
    assert!(dropped > 0, "{} bytes", total(&backlog));
    let mut backlog = Backlog::default();
    for length in [1, 1_000_000] {
        let body = json!({ "appName": "shop", "instanceId": "1", "started": "x".repeat(length) });
        backlog.add(report(ReportKind::Registration, 1, &body, 0).unwrap());
    }
    assert!(total(&backlog) > 1_000_000);
}

#[test]
fn impact_metrics_are_merged_by_type_labels_and_bounds() {
    let metric =
        |kind: &str, samples: &Value| json!({ "name": "m", "help": "h", "type": kind, "samples": samples });
    let histogram = |le: f64, count: u64| json!({ "labels": { "a": "1" }, "count": count, "sum": 0.5, "buckets": [{ "le": le, "count": count }, { "le": "+Inf", "count": count }] });
    let body = |value: u64, le: f64| {
        let samples =
            json!([{ "labels": { "a": "1" }, "value": value }, { "labels": { "a": 1 }, "value": value }]);
        let mut body = counts("shop", "1", "10:01", &json!({}));
        body["impactMetrics"] = json!([
            metric("counter", &samples),
            metric("gauge", &samples),
            metric("histogram", &json!([histogram(le, value)]))
        ]);
        body
    };
    let mut backlog = Backlog::default();
    let mut later = body(5, 2.0);
    later["other"] = json!(true);
    for body in [counts("shop", "1", "10:01", &json!({})), body(1, 1.0), body(2, 1.0), later] {
        backlog.add(report(ReportKind::Counts, 1, &body, 0).unwrap());
    }
    let merged = first(&mut backlog).unwrap().body;
    assert_eq!(merged["other"], true);
    let samples = |value: u64| json!([{ "labels": { "a": "1" }, "value": value }, { "labels": { "a": 1 }, "value": value }]);
    let mut sum = histogram(1.0, 3);
    sum["sum"] = json!(1.0);
    let expected = json!([
        metric("counter", &samples(8)),
        metric("gauge", &samples(5)),
        metric("histogram", &json!([sum, histogram(2.0, 5)]))
    ]);
    assert_eq!(merged["impactMetrics"], expected);
}

#[test]
fn later_gauge_is_not_merged_with_a_report_that_was_put_back() {
    let mut backlog = Backlog::default();
    let gauge = |value: u64| {
        let mut body = counts("shop", "1", "10:01", &json!({}));
        let samples = json!([{ "value": value }]);
        body["impactMetrics"] = json!([{ "name": "m", "help": "h", "type": "gauge", "samples": samples }]);
        report(ReportKind::Counts, 1, &body, 0).unwrap()
    };
    backlog.add(gauge(1));
    let failed = first(&mut backlog).unwrap();
    backlog.add(gauge(2));
    backlog.put_back(failed);
    backlog.end_batch();
    backlog.add(gauge(3));
    let value = |report: &QueuedReport| report.body["impactMetrics"][0]["samples"][0]["value"].clone();
    assert_eq!(backlog.reports.iter().map(value).collect::<Vec<_>>(), [1, 3]);
}

#[test]
fn bulk_reports_are_merged() {
    let counts = |yes: u64| json!({ "appName": "shop", "featureName": "a", "timestamp": "t", "yes": yes, "no": 0, "variants": { "b": yes } });
    let body = |yes: u64| json!({ "applications": [{ "appName": "shop", "instanceId": "1" }], "metrics": [counts(yes)] });
    let mut backlog = Backlog::default();
    for yes in [1, 2] {
        backlog.add(report(ReportKind::Bulk, 1, &body(yes), 0).unwrap());
    }
    assert_eq!(Value::Object(first(&mut backlog).unwrap().body), body(3));
    assert!(report(ReportKind::Bulk, 1, &json!({ "appName": "shop" }), 0).is_none());
}

#[test]
fn accepted_credentials_and_reports_without_failures_come_first() {
    let mut backlog = Backlog::default();
    let add = |backlog: &mut Backlog, credential: u8, class: ReportSender| {
        let mut report =
            report(ReportKind::Counts, credential, &counts("shop", "1", "s", &json!({})), 0).unwrap();
        report.class = class;
        assert_eq!(backlog.add(report), 0);
    };
    let take = |backlog: &mut Backlog| take(backlog, 4);
    let senders = |batch: &[QueuedReport]| -> Vec<u8> {
        let mut senders: Vec<_> = batch.iter().map(|report| report.source.credential[0]).collect();
        senders.sort_unstable();
        senders
    };
    for credential in 0..50 {
        add(
            &mut backlog,
            credential,
            ReportSender::Unknown(IpAddr::V4(Ipv4Addr::new(192, 0, 2, credential))),
        );
    }
    (50..58).for_each(|credential| add(&mut backlog, credential, ReportSender::Known));
    // Each batch contains the latest report.
    for expected in [[50, 51, 52, 57], [53, 54, 55, 56]] {
        let batch = take(&mut backlog);
        assert_eq!(senders(&batch), expected);
        for report in batch {
            assert_eq!(backlog.put_back(report), 0);
        }
    }
    add(&mut backlog, 99, ReportSender::Known);
    let batch = take(&mut backlog);
    assert!(senders(&batch).contains(&99), "a new report during the outage: {:?}", senders(&batch));
    backlog.end_outage();
    for mut report in batch.into_iter().rev() {
        report.attempts += 1;
        backlog.put_back(report);
    }
    let mut delivered = 0;
    while backlog.reports.iter().any(|report| report.attempts == 0) {
        let batch = take(&mut backlog);
        assert!(batch.iter().all(|report| report.attempts == 0));
        delivered += batch.len();
    }
    assert_eq!((delivered, take(&mut backlog).len()), (55, 4), "also reports of unknown credentials");
}

#[test]
fn later_report_does_not_wait_for_those_of_other_applications() {
    let mut backlog = Backlog::default();
    let add = |backlog: &mut Backlog, kind: ReportKind, app: &str, instance: usize| {
        let body = counts(app, &instance.to_string(), "s", &json!({}));
        assert_eq!(backlog.add(report(kind, 1, &body, 0).unwrap()), 0);
    };
    for number in 0..500 {
        let app = format!("app-{number}");
        // The counts of an outage.
        for instance in 0..3 {
            add(&mut backlog, ReportKind::Counts, &app, instance);
        }
        add(&mut backlog, ReportKind::Registration, "shop", number);
    }
    assert_eq!(backlog.len(), 1_000, "one report of each application and of each registered instance");
    for instance in 0..2 {
        add(&mut backlog, ReportKind::Registration, "later", instance);
    }
    add(&mut backlog, ReportKind::Counts, "later", 0);
    let mut taken = Vec::new();
    for _ in 0..3 {
        let batch = take(&mut backlog, 4);
        assert_eq!(batch.len(), 4);
        taken.extend(batch.into_iter().filter(|report| report.source.application == "later"));
    }
    let kinds: Vec<_> = taken.iter().map(|report| report.kind).collect();
    assert_eq!(kinds, [ReportKind::Registration, ReportKind::Registration, ReportKind::Counts]);
}

#[test]
fn counts_wait_for_the_first_registration() {
    let mut backlog = Backlog::default();
    for instance in 0..6 {
        let body = counts("shop", &instance.to_string(), "s", &json!({}));
        for kind in [ReportKind::Registration, ReportKind::Counts] {
            backlog.add(report(kind, 1, &body, 0).unwrap());
        }
    }
    let mut batches = Vec::new();
    while backlog.len() > 0 {
        batches.push(take(&mut backlog, 4).iter().map(|report| report.kind).collect::<Vec<_>>());
    }
    // Later instances register while the counts wait for the first registration.
    let [registration, counts] = [ReportKind::Registration, ReportKind::Counts];
    assert_eq!(batches, [vec![registration; 4], vec![counts, registration, registration]]);
}

#[test]
fn unknown_credentials_of_one_network_leave_places_for_others() {
    let mut backlog = Backlog::default();
    let mut add = |number: usize, network: u8| {
        let body = counts(&number.to_string(), "1", "s", &json!({}));
        let mut report = report(ReportKind::Counts, 1, &body, 0).unwrap();
        report.class = ReportSender::Unknown(IpAddr::V4(Ipv4Addr::new(192, 0, 2, network)));
        backlog.add(report)
    };
    assert_eq!((0..10).map(|number| add(number, 1)).sum::<usize>(), 0);
    let dropped: usize = (10..310).map(|number| add(number, 2)).sum();
    assert_eq!(dropped, 300 - SHARES.unknown_of_network.reports);
    assert_eq!(backlog.len(), 10 + SHARES.unknown_of_network.reports);
}

#[test]
fn earlier_reports_of_a_credential_become_those_of_an_accepted_one() {
    let mut backlog = Backlog::default();
    let add = |backlog: &mut Backlog, app: &str, class: ReportSender| {
        let mut report = report(ReportKind::Counts, 1, &counts(app, "1", "s", &json!({})), 0).unwrap();
        report.class = class;
        backlog.add(report);
    };
    add(&mut backlog, "early", ReportSender::Unknown(IpAddr::V4(Ipv4Addr::LOCALHOST)));
    add(&mut backlog, "later", ReportSender::Known);
    assert!(backlog.reports.iter().all(|report| report.class == ReportSender::Known));
}

const SMALL: Shares = Shares {
    known: Share { reports: 8, bytes: 20_000 },
    unknown: Share { reports: 6, bytes: 12_000 },
    unknown_of_network: Share { reports: 3, bytes: 8_000 },
};

#[derive(Debug, Clone)]
enum Action {
    Add { sender: u8, toggles: usize },
    Fail,
    FailAlone,
    Deliver,
}

fn actions() -> impl Strategy<Value = Vec<Action>> {
    let add = (0..8_u8, 0..10_usize).prop_map(|(sender, toggles)| Action::Add { sender, toggles });
    let action = prop_oneof![8 => add, 1 => Just(Action::Fail), 1 => Just(Action::FailAlone), 1 => Just(Action::Deliver)];
    proptest::collection::vec(action, 1..80)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// Each report is in the backlog, delivered or counted as dropped. The reports of known credentials, the first four
    /// senders, do not depend on reports of unknown credentials.
    #[test]
    fn unknown_senders_never_displace_known_ones(actions in actions()) {
        let new = || Backlog { shares: SMALL, ..Backlog::default() };
        let (mut all, mut known_only) = (new(), new());
        let (mut added, mut delivered, mut dropped) = (0, 0, 0);
        let mut last = HashMap::new();
        let number_of = |report: &QueuedReport| -> usize { report.body["instanceId"].as_str().unwrap().parse().unwrap() };
        let known = |backlog: &Backlog| -> Vec<usize> {
            let known = backlog.reports.iter().filter(|report| report.class == ReportSender::Known);
            known.map(number_of).collect()
        };
        for (number, action) in (0..).zip(actions) {
            let count = if matches!(action, Action::FailAlone) { 1 } else { 4 };
            match action {
                Action::Add { sender, toggles } => {
                    let toggles: Value = (0..toggles).map(|name| (name.to_string(), json!({ "yes": 1 }))).collect();
                    let body = counts(&(number % 3).to_string(), &number.to_string(), "s", &toggles);
                    // Each report has an hour of its own, and is not merged.
                    let now = number * PERIODS_PER_HOUR * PERIOD;
                    let mut report = report(ReportKind::Counts, sender, &body, now).unwrap();
                    if sender < 4 {
                        known_only.add(report.clone());
                    } else {
                        report.class = ReportSender::Unknown(IpAddr::V4(Ipv4Addr::new(192, 0, 2, sender)));
                    }
                    added += 1;
                    dropped += all.add(report);
                }
                Action::Fail | Action::FailAlone => {
                    for mut report in take(&mut all, count).into_iter().rev() {
                        report.attempts += u32::from(count == 1);
                        if report.class == ReportSender::Known {
                            known_only.reports.retain(|known| number_of(known) != number_of(&report));
                            known_only.put_back(report.clone());
                        }
                        dropped += all.put_back(report);
                    }
                }
                Action::Deliver => {
                    let batch = take(&mut all, count);
                    for report in &batch {
                        let number = number_of(report);
                        let application = (report.source.credential, report.source.application.clone());
                        let last = last.insert(application, number);
                        prop_assert!(last.is_none_or(|last| last < number), "the order of an application");
                        known_only.reports.retain(|known| number_of(known) != number);
                    }
                    delivered += batch.len();
                }
            }
            let of_class = |is_known: bool| {
                let class = all.reports.iter().filter(move |report| (report.class == ReportSender::Known) == is_known);
                class.map(QueuedReport::measure).sum::<usize>()
            };
            prop_assert!(of_class(true) <= SMALL.known.bytes && of_class(false) <= SMALL.unknown.bytes);
            prop_assert!(all.reports.iter().all(|report| report.bytes == report.measure()));
            prop_assert_eq!(added, all.len() + delivered + dropped);
            prop_assert_eq!(known(&all), known(&known_only));
        }
    }
}

/// A report of a client library, or the end of an interval or of a delivery.
#[derive(Debug, Clone)]
enum CollectedAction {
    Report {
        sender: u8,
        instance: u8,
        toggles: Vec<u8>,
        hour: u8,
    },
    StartRound,
    /// Results of the requests of a batch: true if the upstream receives them.
    Deliver(Vec<bool>),
}

/// The number of a toggle that the upstream refuses.
const POISON: u8 = 7;

fn collected_actions() -> impl Strategy<Value = Vec<CollectedAction>> {
    let toggles = proptest::collection::vec(0..40_u8, 0..40);
    let report = (0..6_u8, 0..3_u8, toggles, 0..2_u8).prop_map(|(sender, instance, toggles, hour)| {
        CollectedAction::Report { sender, instance, toggles, hour }
    });
    let deliver = proptest::collection::vec(any::<bool>(), 4).prop_map(CollectedAction::Deliver);
    proptest::collection::vec(
        prop_oneof![4 => report, 1 => Just(CollectedAction::StartRound), 3 => deliver],
        1..60,
    )
}

/// The sums that the upstream has: by application, environment, toggle and hour.
type Sums = BTreeMap<[String; 4], [u64; 3]>;

fn add_sums(sums: &mut Sums, key: [String; 4], counts: &Value) {
    let sum = sums.entry(key).or_default();
    for (sum, name) in sum.iter_mut().zip(["/yes", "/no", "/variants/blue"]) {
        *sum += counts.pointer(name).and_then(Value::as_u64).unwrap_or(0);
    }
}

/// Returns the sums in a body in bulk, and the instances; `None` if the upstream refuses it.
fn receive(body: &[u8]) -> Option<(Sums, BTreeSet<String>)> {
    let body: Value = serde_json::from_slice(body).unwrap();
    let (applications, metrics) =
        (body["applications"].as_array().unwrap(), body["metrics"].as_array().unwrap());
    assert!(applications.is_empty() || metrics.is_empty(), "registrations of a refused request would count");
    let mut sums = Sums::new();
    for metric in metrics {
        let text = |name: &str| metric[name].as_str().unwrap().to_owned();
        if text("featureName").starts_with(&format!("{POISON}-")) {
            return None;
        }
        add_sums(
            &mut sums,
            [text("appName"), text("environment"), text("featureName"), text("timestamp")],
            metric,
        );
    }
    let instance = |application: &Value| {
        assert!(application["started"].is_string() && application["interval"].is_number(), "{application}");
        format!("{} {}", application["appName"], application["instanceId"])
    };
    Some((sums, applications.iter().map(instance).collect()))
}

/// Sends a request. Returns the reports that the upstream has not received.
fn send(
    delivery: Delivery,
    is_up: bool,
    received: &mut (Sums, BTreeSet<String>),
    refused: &mut Sums,
) -> Vec<QueuedReport> {
    if !is_up {
        return delivery.reports;
    }
    let mut parts = vec![delivery.reports];
    while let Some(part) = parts.pop() {
        let body = bulk::write_body(&part);
        let entries = |part: &[QueuedReport]| part.iter().map(toggles_of).sum::<usize>();
        assert!(
            body.len() <= bulk::MAX_BODY || (part.len() == 1 && entries(&part) == 1),
            "{} bytes",
            body.len()
        );
        if let Some((sums, instances)) = receive(&body) {
            for (key, counts) in sums {
                let sum = received.0.entry(key).or_default();
                sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            }
            received.1.extend(instances);
        } else if let Some([one, other]) = bulk::bisect(part.clone()) {
            parts.extend([other, one]);
        } else {
            assert_eq!(entries(&part), 1, "an entry is refused together with others");
            for report in &part {
                add_report(refused, report);
            }
        }
    }
    Vec::new()
}

fn toggles_of(report: &QueuedReport) -> usize {
    report.body["bucket"]["toggles"].as_object().map_or(0, serde_json::Map::len)
}

fn add_report(sums: &mut Sums, report: &QueuedReport) {
    let bucket = &report.body["bucket"];
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    for (toggle, counts) in bucket["toggles"].as_object().unwrap() {
        let key = [&report.body["appName"], &report.body["environment"]].map(text);
        let [application, environment] = key;
        add_sums(sums, [application, environment, toggle.clone(), text(&bucket["stop"])], counts);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Each count is received once, refused alone, or waits; and each instance that reports is named. Senders 0 to 3 are known, and the
    /// settings have a token for two of them.
    #[test]
    fn collected_counts_are_neither_lost_nor_doubled(actions in collected_actions()) {
        let mut backlog = Backlog::default();
        let (mut reported, mut refused) = (Sums::new(), Sums::new());
        let (mut received, mut instances) = ((Sums::new(), BTreeSet::new()), BTreeSet::new());
        let carrier = |report: &QueuedReport| Some([(report.source.credential[0] / 2) * 2; 32]);
        let take = |backlog: &mut Backlog| {
            backlog.take_batch(BatchLimits { requests: 4, includes_unknown: true }, carrier)
        };
        let mut deliver = |backlog: &mut Backlog, results: &[bool], received: &mut (Sums, BTreeSet<String>)| {
            let batch = take(backlog);
            for (delivery, is_up) in batch.into_iter().zip(results) {
                let class = delivery.reports.iter().map(|report| report.class == ReportSender::Known);
                assert_eq!(delivery.carrier.is_some(), class.clone().any(|is_known| is_known), "unknown senders are alone");
                if delivery.carrier.is_none() {
                    // The upstream refuses an unknown credential.
                    delivery.reports.iter().filter(|_| *is_up).for_each(|report| add_report(&mut refused, report));
                    if *is_up { continue; }
                }
                for mut report in send(delivery, *is_up, received, &mut refused).into_iter().rev() {
                    report.record_failure(0, true);
                    assert_eq!(backlog.put_back(report), 0);
                }
            }
            backlog.end_batch();
        };
        for action in actions {
            match action {
                CollectedAction::Report { sender, instance, toggles, hour } => {
                    let counts = json!({ "yes": 1, "no": 2, "variants": { "blue": 3 } });
                    let padding = "x".repeat(3_000);
                    let toggles: Value = toggles.iter().map(|toggle| (format!("{toggle}-{padding}"), counts.clone())).collect();
                    let time = format!("2026-11-30T{hour:02}:00:00Z");
                    let bucket = json!({ "start": time, "stop": time, "toggles": toggles });
                    let (application, instance) = (format!("app-{}", sender % 3), instance.to_string());
                    let body = json!({ "appName": application, "instanceId": instance, "bucket": bucket });
                    let mut report = report(ReportKind::Counts, sender, &body, 0).unwrap();
                    let scope = ReportScope { environment: "production".to_owned(), projects: vec!["*".to_owned()] };
                    (report.scope, report.is_due) = (Some(Arc::new(scope)), false);
                    if sender < 4 {
                        instances.insert(format!("{application:?} {instance:?}"));
                    } else {
                        report.class = ReportSender::Unknown(IpAddr::V4(Ipv4Addr::LOCALHOST));
                    }
                    for part in bulk::collect(report) {
                        if part.kind == ReportKind::Counts {
                            add_report(&mut reported, &part);
                        }
                        assert_eq!(backlog.add(part), 0);
                    }
                }
                CollectedAction::StartRound => backlog.start_round(|_| false),
                CollectedAction::Deliver(results) => deliver(&mut backlog, &results, &mut received),
            }
        }
        while !backlog.is_idle() {
            backlog.start_round(|_| false);
            deliver(&mut backlog, &[true; 4], &mut received);
        }
        let mut all = received.0;
        for (key, counts) in refused {
            let sum = all.entry(key).or_default();
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        prop_assert_eq!(all, reported);
        prop_assert_eq!(received.1, instances);
    }
}
